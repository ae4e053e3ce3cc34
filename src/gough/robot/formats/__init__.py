"""Robots from elsewhere and to elsewhere: MJCF, URDF, SDF, SYMORO and Pinocchio.

Every reader fills the same neutral :class:`~gough.robot.formats.model.Model`; one builder makes a
robot of it; every writer takes a robot apart into the same spanning tree.
"""
