"""Poses given in single precision: taken at theirs, and made exact.

A float32 has seven digits, and the check of poses wants eight.  What rounding leaves outside the
rotations and the robot's mobility is taken out, as long as it is no more than that.
"""

from __future__ import annotations

import numpy as np

from gough.errors import GoughError
from gough.geometry.state import reach
from gough.mechanism.mobility.assembly import Assembly

SINGLE = 1e-6
"""What rounding to float32 may leave open, relative, in natural units: its step is 1.2e-7."""


def is_single(array: np.ndarray) -> bool:
    """Whether an array came in single precision."""
    return bool(array.dtype == np.float32)


def exact_pose(assembly: Assembly, T_0p: np.ndarray) -> np.ndarray:
    """The assembled pose of a pose in single precision, 4x4.

    The robot's own freedoms keep their values.  A pose that is farther away than rounding explains
    is returned as it is, for the usual checks to refuse.
    """
    T = np.array(T_0p, dtype=float)
    if not np.isfinite(T).all():
        return T
    exact = T.copy()
    U, _, Vt = np.linalg.svd(T[:3, :3])
    exact[:3, :3] = U @ Vt
    exact[3] = (0.0, 0.0, 0.0, 1.0)
    if not _near(assembly, exact, T) or np.linalg.det(exact[:3, :3]) < 0.0:
        return T
    if assembly.mobility < 6:
        chart = assembly.chart
        try:
            y, _ = reach(assembly, chart.coordinates(exact)[list(assembly.free)])
        except GoughError:
            return exact  # refused where it is used, with its reason
        closed = chart.pose(y)
        exact = closed if _near(assembly, closed, exact) else exact
    return exact


def _near(assembly: Assembly, one: np.ndarray, other: np.ndarray) -> bool:
    off = np.abs(one - other)
    size = assembly.length + float(np.abs(other[:3, 3]).max())
    off[:3, 3] /= size
    return bool(off.max() < SINGLE)
