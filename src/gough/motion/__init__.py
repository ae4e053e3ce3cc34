"""Motions of a platform, with exact first and second derivatives: strokes, figures, measurements.

A pose argument is ``None`` (home), freedoms ``(n,)`` in the order of ``robot.freedoms``, or a
matrix ``(4, 4)``.  Rotations run on SO(3), never on Euler angles.
"""

from gough.motion.files import from_file
from gough.motion.measured import from_samples, through
from gough.motion.motion import Motion, Samples, chain, hold
from gough.motion.periodic import circle, lissajous, sine_sweep
from gough.motion.pick_and_place import pick_and_place
from gough.motion.space import States
from gough.motion.strokes import jerk_limited, point_to_point

__all__ = [
    "Motion",
    "Samples",
    "States",
    "chain",
    "circle",
    "from_file",
    "from_samples",
    "hold",
    "jerk_limited",
    "lissajous",
    "pick_and_place",
    "point_to_point",
    "sine_sweep",
    "through",
]
