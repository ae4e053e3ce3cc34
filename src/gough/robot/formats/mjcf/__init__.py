"""MJCF, the format of MuJoCo: defaults, bodies, geoms, equalities, actuators, keyframes."""

from gough.robot.formats.mjcf.reading import read_mjcf

__all__ = ["read_mjcf"]
