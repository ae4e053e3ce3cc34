"""Singularities: which kind, which motion is free, which leg, how far away, and ways through them.

``singularities`` analyses a pose, ``along`` a motion, ``nearest`` finds the nearest Type 2 pose;
``workspace`` computes sections of what a robot can reach, ``crossing`` plans and controls motions
through Type 2.  The distance itself is ``mechanism.mobility.measures``.
"""
