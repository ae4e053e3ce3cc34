"""Driving through Type 2 singularities: whether a motion can, how to plan one, how to control it.

``crossing`` checks a motion, ``plan_crossing`` re-times a path so that it can pass, and
``crossing_control`` is a controller that stays bounded on the way.
"""

from gough.singularity.crossing.controller import crossing_control
from gough.singularity.crossing.plan import plan_crossing
from gough.singularity.crossing.result import Crossing, SingularInstant
from gough.singularity.crossing.verdict import crossing

__all__ = ["Crossing", "SingularInstant", "crossing", "crossing_control", "plan_crossing"]
