"""Scenario files: a robot, a motion, and what is asked of them."""

from typing import TYPE_CHECKING

from gough.cli.scenario import *  # noqa: F403  the room has the list
from gough.cli.scenario import __all__
from gough.synonyms import refuse_unknown

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.scenario", __all__)
