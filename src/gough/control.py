"""Controllers for simulated machines, and machines that differ from their models."""

from typing import TYPE_CHECKING

from gough.simulation.control import *  # noqa: F403  the room has the list
from gough.simulation.control import __all__
from gough.synonyms import refuse_unknown

if not TYPE_CHECKING:  # which knows the names
    __getattr__ = refuse_unknown("gough.control", __all__)
