"""Scenario files: a robot, a motion, and what is asked of them."""

from gough.cli.scenario import *  # noqa: F403  the room has the list
from gough.cli.scenario import __all__  # noqa: F401  read by users, not here
