"""Functions called with symbols, and the program they spell.

``symbols`` and ``slopes`` are scalars and their derivatives, ``tracer`` makes a ``program`` of a
function, ``interpreter`` runs it over many states with NumPy.
"""
