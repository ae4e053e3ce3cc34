"""Equations called with symbols, and the program they spell.

``symbols`` and ``slopes`` are scalars and their derivatives, ``tracer`` makes a ``program`` of a
function; ``quantities`` are programs of states whose joints are given, for people and for counts.
What a program computes stands in :mod:`gough.dynamics.quantities`.
"""
