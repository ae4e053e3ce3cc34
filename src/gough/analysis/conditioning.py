"""How far a motion stays from singularities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.analysis.legs import Passive, look_at_legs
from gough.analysis.samples import Track
from gough.analysis.track import Motors
from gough.mobility.assembly import Assembly


class Conditioning(NamedTuple):
    """Distances to singularities along a motion of K samples, natural units.

    A length counts in units of the robot's size, an angle in radians.  A smallest singular value
    of 0 is a singularity; NaN where a sample cannot be.

    Attributes:
        type_2: smallest singular value of the motors' Jacobian ``qd = J_inv V_r`` ``(K,)``: with a
            small one the platform gives way although the motors hold.
        condition: its condition number ``(K,)``.
        sign: sign of its determinant ``(K,)``, zero unless there are as many motors as freedoms;
            where it changes, the motion has passed a Type 2 singularity.
        samples: the samples at which legs are looked at ``(k,)``: a hundred, and some more around
            the worst of them.
        legs: names of the legs, and ``nacelle`` if there is one.
        type_1: smallest singular value of each leg's own Jacobian ``(k, legs)``: with a small one
            the leg is stretched or folded.
    """

    type_2: np.ndarray
    condition: np.ndarray
    sign: np.ndarray
    samples: np.ndarray
    legs: tuple[str, ...]
    type_1: np.ndarray


def conditioning(assembly: Assembly, track: Track, motors: Motors) -> tuple[Conditioning, Passive]:
    """Distances to singularities, and limited joints without motors.

    Args:
        assembly: the robot.
        track: the motion.
        motors: along it.
    """
    type_2, condition, sign = _of_motors(assembly, motors.J_inv, motors.failed)
    seen, passive = look_at_legs(assembly, track, motors, type_2)
    nacelle = ("nacelle",) if assembly.topology.hub.rates else ()
    legs = (*(leg.name for leg in assembly.topology.legs), *nacelle)
    return Conditioning(type_2, condition, sign, seen.samples, legs, seen.type_1), passive


def _of_motors(
    assembly: Assembly, J_inv: np.ndarray, failed: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    K, m, n = J_inv.shape
    smallest, condition, sign = np.full(K, np.nan), np.full(K, np.nan), np.zeros(K)
    good = np.flatnonzero(~failed)
    if not len(good):
        return smallest, condition, sign
    if not n:
        smallest[good], condition[good] = 1.0, 1.0
        return smallest, condition, sign
    scaled = J_inv[good] / assembly.motor_scales[:, None] * assembly.freedom_scales
    if m < n:
        smallest[good], condition[good] = 0.0, np.inf
        return smallest, condition, sign
    s = np.linalg.svd(scaled, compute_uv=False)
    smallest[good] = s[:, -1]
    with np.errstate(divide="ignore"):
        condition[good] = s[:, 0] / s[:, -1]
    if m == n:
        sign[good] = np.sign(np.linalg.det(scaled))
    return smallest, condition, sign
