"""Closed forms of the inverse kinematics, found from structure."""
