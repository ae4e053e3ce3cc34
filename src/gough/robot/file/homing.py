"""A home that a file gives by positions of the motors."""

from __future__ import annotations

from gough.errors import DescriptionError, GoughError
from gough.robot.file.schema import HomeEntry, LikeHomeEntry
from gough.robot.robot import Robot


def moved_home(robot: Robot, home: HomeEntry | LikeHomeEntry | None) -> Robot:
    """The robot with its motors moved from home to where the file wants them, if it says so."""
    if home is None or home.motors is None:
        return robot
    try:
        return robot.rehomed(home.motors)
    except DescriptionError:
        raise
    except GoughError as err:
        raise DescriptionError(err.message, path="home.motors", hint=err.hint) from err
