"""Equations called with symbols, and the program they spell.

``symbols`` and ``slopes`` are scalars and their derivatives, ``tracer`` makes a ``program`` of a
function.  ``wholes`` is the table of quantities that need nothing but a state, ``quantities`` the
one of those whose joints are given; a new quantity is a row there.  ``doubt`` says beside every
answer whether it may be trusted, ``verdict`` judges it.
"""
