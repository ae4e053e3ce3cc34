"""URDF, the format of ROS, with every way of closing loops that people have added to it."""

from gough.robot.formats.urdf.reading import read_urdf

__all__ = ["read_urdf"]
