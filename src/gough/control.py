"""Controllers for simulated machines, and machines that differ from their models."""

from gough.simulation.control import *  # noqa: F403  the room has the list
from gough.simulation.control import __all__  # noqa: F401  read by users, not here
