"""Motions of a platform, with exact first and second derivatives: strokes, figures, measurements.

A pose argument is ``None`` (home), freedoms ``(n,)`` in the order of ``robot.freedoms``, or a
matrix ``(4, 4)``.  Rotations run on SO(3), never on Euler angles.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gough.motion.files import from_file
from gough.motion.fourier import fourier
from gough.motion.measured import from_samples, through
from gough.motion.motion import Motion, Samples, chain, hold
from gough.motion.periodic import circle, lissajous, sine_sweep
from gough.motion.pick_and_place import pick_and_place
from gough.motion.shaped import shaped
from gough.motion.strokes import jerk_limited, point_to_point
from gough.synonyms import unknown_name

if TYPE_CHECKING:
    from gough.timing.fastest import fastest

__all__ = [
    "Motion",
    "Samples",
    "chain",
    "circle",
    "fastest",
    "fourier",
    "from_file",
    "from_samples",
    "hold",
    "jerk_limited",
    "lissajous",
    "pick_and_place",
    "point_to_point",
    "shaped",
    "sine_sweep",
    "through",
]


def __getattr__(name: str) -> Any:
    """What needs dynamics, a room below, is loaded when it is asked for."""
    if name == "fastest":
        return import_module("gough.timing.fastest").fastest
    raise unknown_name("gough.motion", name, __all__)
