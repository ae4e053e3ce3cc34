"""Inverse and forward dynamics by four theories that must agree: a folder each.

``legs`` ([BK], [KI]), ``elements`` ([OZ]), ``screws`` ([GA]) and ``tree`` (loops cut) each have the
two functions ``inverse(kin, loads)`` and ``direct(state, tau, loads)``.  ``shared`` is what all of
them take: masses, loads, friction; ``methods.METHODS`` is the table of them.  ``answers``
is what follows from a model: reactions, certificate, sharing of efforts, energy.
"""
