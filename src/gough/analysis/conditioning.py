"""How far a motion stays from singularities, and where joints without motors are on the way."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.analysis.samples import Track
from gough.batch import over
from gough.closure.axes import coordinate, is_scalar
from gough.closure.coordinates import scale_of_rates
from gough.closure.dense import scaled_legs
from gough.closure.solution import Solution
from gough.kinematics.inverse import moving
from gough.mobility.assembly import Assembly
from gough.robot.joint import BALL

COARSE = 101
"""Most samples that are looked at where no kernel helps: Type 1, and joints without motors."""


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
        samples: the samples at which legs are looked at ``(k,)``.
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


class Passive(NamedTuple):
    """Limited joints without motors at some samples, by axis name.

    Attributes:
        position: coordinate [rad or m], of a ball its tilt [rad] ``(k,)``.
        rate: speed [rad/s or m/s] ``(k,)``.
    """

    position: dict[str, np.ndarray]
    rate: dict[str, np.ndarray]


def coarse_samples(count: int) -> np.ndarray:
    """Indices of at most ``COARSE`` samples, both ends among them."""
    return np.unique(np.linspace(0, count - 1, min(count, COARSE)).round().astype(int))


def conditioning(
    assembly: Assembly, track: Track, J_inv: np.ndarray, failed: np.ndarray
) -> tuple[Conditioning, Passive]:
    """Distances to singularities, and limited joints without motors.

    Args:
        assembly: the robot.
        track: the motion.
        J_inv: ``qd = J_inv V_r`` at every sample ``(K, m, n)``.
        failed: samples that cannot be ``(K,)``.
    """
    type_2, condition, sign = _of_motors(assembly, J_inv, failed)
    samples = coarse_samples(len(track.t))
    type_1, passive = _of_legs(assembly, track, samples, failed[samples])
    nacelle = ("nacelle",) if assembly.topology.hub.rates else ()
    legs = (*(leg.name for leg in assembly.topology.legs), *nacelle)
    return Conditioning(type_2, condition, sign, samples, legs, type_1), passive


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


def _of_legs(
    assembly: Assembly, track: Track, samples: np.ndarray, failed: np.ndarray
) -> tuple[np.ndarray, Passive]:
    """Type 1 of every leg, and limited joints without motors, at some samples."""
    robot, some = assembly.robot, track.at(samples)
    watched = [
        name
        for name in robot.axis_names
        if name not in robot.motors
        and (robot.axis(name).limits.position or robot.axis(name).limits.velocity)
    ]
    width = len(assembly.topology.legs) + bool(assembly.topology.hub.rates)

    def one(T: np.ndarray, V: np.ndarray) -> tuple[Any, Any, Any]:
        kin = moving(assembly, T, V, None)
        at = kin.solution.equations
        where = []
        for name in watched:
            place = assembly.axes[name]
            if is_scalar(place):
                where.append(float(assembly.axis_position(at, name)))
            elif place.what == BALL:
                where.append(float(np.arccos(np.clip(coordinate(at, place)[2, 2], -1.0, 1.0))))
            else:
                where.append(float(np.linalg.norm(coordinate(at, place))))
        rates = [float(np.linalg.norm(kin.axis_rate(name))) for name in watched]
        return _smallest(assembly, kin.solution), np.array(where), np.array(rates)

    shapes = ((width,), (len(watched),), (len(watched),))
    found = [np.full((len(samples), *shape), np.nan) for shape in shapes]
    good = np.flatnonzero(~failed)
    arguments = {"T_0p": (some.T_0p[good], 2), "V_0p": (some.V_0p[good], 1)}
    for array, values in zip(found, over(one, arguments, shapes, "nan"), strict=True):
        array[good] = values
    passive = Passive(
        dict(zip(watched, found[1].T, strict=True)), dict(zip(watched, found[2].T, strict=True))
    )
    return found[0], passive


def _smallest(assembly: Assembly, solution: Solution) -> np.ndarray:
    """Smallest singular value of every leg, and of the nacelle."""
    matrices = scaled_legs(solution.equations, assembly.length)
    if assembly.topology.hub.rates:
        scales = scale_of_rates(assembly.topology.hub, assembly.length)
        matrices = [*matrices, np.asarray(solution.constraints[1]) * scales]
    return np.array(
        [np.linalg.svd(E, compute_uv=False)[-1] if E.shape[1] else 1.0 for E in matrices]
    )
