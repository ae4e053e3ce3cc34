"""Equations called with symbols, and the program they spell.

``symbols`` and ``slopes`` are scalars and their derivatives, ``tracer`` makes a ``program`` of a
function.  ``from_pose`` is the table of quantities that need nothing but a state, ``quantities``
the one of those whose joints are given; a new quantity is a row there.  ``doubt`` is a number
beside every answer, from which ``verdict`` decides whether the answer is valid.
"""
