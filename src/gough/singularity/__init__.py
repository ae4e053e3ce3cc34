"""Singularities explained: which kind, which motion is free, which leg, and how far away."""
