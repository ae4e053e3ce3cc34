"""All orientations that obey three demands linear in the rotation: eight paths."""

from __future__ import annotations

import numpy as np

from gough.modes.chains import quaternion_rotations
from gough.modes.paraboloid import Continuum
from gough.modes.quadrics import common_points
from gough.modes.study import rotation_forms


def rotations(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Candidates ``(k, 3, 3)`` for demands over nine entries and 1, and where paths were lost.

    Raises:
        Continuum: fewer than three demands.
    """
    if len(rows) < 3:
        raise Continuum
    rng = np.random.default_rng(2)
    mixed = rows
    if len(rows) > 3:  # three mixtures have all solutions of the rows, and some more
        mixed = rng.normal(size=(3, len(rows))) @ rows
    ends = common_points(rotation_forms(mixed), rng)
    return quaternion_rotations(ends.real()), quaternion_rotations(ends.rough())
