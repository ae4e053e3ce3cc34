"""Cameras that look at the legs of simulated machines: images, directions, rates."""

from typing import TYPE_CHECKING

from gough.simulation.vision import *  # noqa: F403  the room has the list
from gough.simulation.vision import __all__
from gough.synonyms import refuse_unknown

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.vision", __all__)
