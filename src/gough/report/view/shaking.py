"""Vibrations of an elastic machine about home, as motions of its bodies that a page plays."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import skew
from gough.elastic.elasticity import elasticity
from gough.elastic.missing import elastic_data
from gough.elastic.vibrations import Vibrations
from gough.errors import GoughError
from gough.mechanism.mobility.assembly import Assembly

COUNT = 6
"""Vibrations of a page."""

_SEEN = 0.06  # largest displacement as a share of the robot's length


def shaking(assembly: Assembly) -> list[dict[str, Any]]:
    """Frequencies, what they are made of, and motions of all bodies; none of a rigid machine.

    A body that bends is drawn where its points are on average.
    """
    robot = assembly.robot
    if not any(elastic_data(robot).values()):
        return []
    try:
        found = elasticity(robot).vibrations(COUNT)
    except GoughError:  # the doctor says why; the page shows the rigid machine
        return []
    poses = assembly.equations(assembly.T_home, assembly.home).body_poses
    moves = np.stack([_moves(found, body.name, poses[body.name].p) for body in robot.bodies], 1)
    sentences = found.sentences()
    shown = []
    for k in np.flatnonzero(np.isfinite(found.frequencies)):
        largest = _largest(found, int(k))
        share = _SEEN * assembly.length / largest if largest > 0.0 else 0.0
        twists = np.concatenate([np.zeros((1, 6)), share * moves[k]])  # the base stands still
        frequency = float(found.frequencies[k])
        shown.append(
            {
                "frequency": frequency,
                "name": f"{frequency:.4g} Hz",
                "words": sentences[k],
                "moves": np.round(twists, 9).tolist(),
            }
        )
    return shown


def _moves(found: Vibrations, body: str, origin: np.ndarray) -> np.ndarray:
    """Mean ``[u; theta]`` of a body about its origin in each vibration, base axes ``(k, 6)``."""
    points, amplitudes = found.shape(body)
    rows = np.concatenate([np.hstack([np.eye(3), -skew(point - origin)]) for point in points])
    right = np.nan_to_num(amplitudes.reshape(len(amplitudes), -1)).T
    return np.asarray(np.linalg.lstsq(rows, right, rcond=1e-9)[0].T)


def _largest(found: Vibrations, k: int) -> float:
    names = [body.name for body in found.robot.bodies]
    return max(float(np.linalg.norm(found.shape(name)[1][k], axis=-1).max()) for name in names)
