"""Robots to files of any kind, by the suffix of their names."""

from __future__ import annotations

import os

from gough.robot.file import writing
from gough.robot.robot import Robot


def save(robot: Robot, path: str | os.PathLike[str]) -> None:
    """Writes the robot to a file: YAML or JSON of ours.

    The file appears whole or not at all, and keeps its permissions if it was there before.
    """
    writing.save(robot, path)
