"""Twists, accelerations and Jacobians of everything in the machine."""
