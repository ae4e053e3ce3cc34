"""Where a measuring device stands, from poses or positions that it has measured."""

from __future__ import annotations

import numpy as np

from gough.base import turns
from gough.base.spatial import pose
from gough.calibration.bench import Seen
from gough.calibration.data import Data
from gough.calibration.kinds import Distances, Poses, Positions
from gough.errors import InputError

_FAR = 20.0
"""A device that is off by more tolerances than this is looked for; nearer, the fit finds it."""

_OTHER_UNIT = 8.0
"""Lengths that are larger or smaller by more are of another unit: inches are 25 times as long."""

_FLAT = 1e-3
"""Points on a line, by this share of their extent, do not tell a rotation."""


def registered(data: Data, seen: Seen, tolerance: float) -> np.ndarray | None:
    """Frame of the device in the base, if it is far from where it is said to be.

    Args:
        data: what was measured.
        seen: the same states predicted; ``T_0t`` is used.
        tolerance: of positions [m].

    Returns:
        4x4, or ``None`` where measurements do not tell or the device is near already.
    """
    measured, predicted, turned, state = [], [], [], 0
    near = []
    for each in data.sets:
        K, s, _ = each.motors.shape
        own = slice(state, state + K * s)
        state += K * s
        if not isinstance(each, (Poses, Positions)) or not np.isfinite(each.values).all():
            continue
        measured.append(each.values[:, :3])
        predicted.append(seen.T_0t[own, :3, 3])
        near.append(np.linalg.norm(each.values[:, :3] - seen.T_dt[own, :3, 3], axis=1))
        if isinstance(each, Poses):
            turned.append(seen.T_0t[own, :3, :3] @ each.T[:, :3, :3].swapaxes(1, 2))
    if not measured or np.median(np.concatenate(near)) < _FAR * tolerance:
        return None
    there, here = np.concatenate(measured), np.concatenate(predicted)
    if turned:
        R_0d = turns.mean(np.concatenate(turned))
    else:
        a, b = there - there.mean(axis=0), here - here.mean(axis=0)
        U, sizes, Vt = np.linalg.svd(a.T @ b)
        if len(there) < 3 or sizes[1] < _FLAT**2 * sizes[0]:
            return None
        flip = np.diag([1.0, 1.0, np.linalg.det(Vt.T @ U.T)])
        R_0d = Vt.T @ flip @ U.T
    return pose(R_0d, here.mean(axis=0) - R_0d @ there.mean(axis=0))


def check_sizes(data: Data, seen: Seen, tolerance: float) -> None:
    """Refuse lengths that are of another unit than the robot's.

    Points that hardly move, by so many tolerances [m], have no size to speak of.

    Raises:
        InputError: measured points or distances are far larger or smaller than predicted ones.
    """
    state = 0
    for each in data.sets:
        K, s, _ = each.motors.shape
        T = seen.T_dt[state : state + K * s].reshape(K, s, 4, 4)
        state += K * s
        if isinstance(each, Distances):
            measured = np.abs(each.values[:, 0])
            predicted = np.linalg.norm(T[:, 1, :3, 3] - T[:, 0, :3, 3], axis=1)
        elif isinstance(each, (Poses, Positions)) and K > 2:
            known = np.isfinite(each.values[:, :3]).all(axis=0)
            measured, predicted = (
                np.linalg.norm(p[:, known] - p[:, known].mean(axis=0), axis=1)
                for p in (each.values[:, :3], T[:, 0, :3, 3])
            )
        else:
            continue
        good = np.isfinite(measured) & (predicted > 0.0)
        sizes = [
            float(np.median(each[good])) if good.any() else 0.0 for each in (measured, predicted)
        ]
        if max(sizes) < _FAR * tolerance or not min(sizes):
            continue
        ratio = sizes[0] / sizes[1]
        if not 1.0 / _OTHER_UNIT < ratio < _OTHER_UNIT:
            raise InputError(
                f"measurements: {each.kind}s of {each.labels[0]} and others are {ratio:.3g} times "
                "as large as this robot makes them",
                hint="Lengths are in metres, angles in radians; motors too. Or the readings belong "
                "to another robot.",
                argument="measurements",
            )
