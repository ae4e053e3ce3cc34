"""Units of motors and parameters, as pages write them."""

from __future__ import annotations

from gough.dynamics.shared.standard import axis_kinds
from gough.robot import Robot
from gough.robot.joint import SLIDE


def effort_units(robot: Robot) -> list[str]:
    """Of the efforts of motors: ``N`` of sliding ones, ``N m`` of others."""
    kinds = axis_kinds(robot)
    return ["N" if kinds[name] == SLIDE else "N m" for name in robot.motors]


def speed_units(robot: Robot) -> list[str]:
    """Of the speeds of motors."""
    return ["m/s" if unit == "N" else "rad/s" for unit in effort_units(robot)]


def written(unit: str) -> str:
    """A unit with its power raised: ``kg m²``."""
    return unit.replace("^2", "²")
