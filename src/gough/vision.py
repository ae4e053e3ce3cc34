"""Cameras that look at the legs of simulated machines: images, directions, rates."""

from gough.simulation.vision import *  # noqa: F403  the room has the list
from gough.simulation.vision import __all__  # noqa: F401  read by users, not here
