"""What all four theories take: masses, loads, friction, rotors and springs of axes.

Outside dynamics: ``loads`` (public values), ``load_arguments`` (loads of a call), ``state_loads``
(loads of one state), ``sharing`` (more motors than freedoms) and the check ``definite``.
"""
