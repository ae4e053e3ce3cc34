"""Singularities: which kind, which motion is free, which leg, how far away, and ways through them.

``singularities`` looks at a pose, ``along`` at a motion, ``nearest`` finds the nearest Type 2 pose;
``workspace`` draws slices of what a robot can reach, ``crossing`` plans and controls motions
through Type 2.  The distance itself is ``mechanism.mobility.measures``.
"""
