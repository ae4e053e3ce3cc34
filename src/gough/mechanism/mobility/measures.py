"""How far states are from every kind of singularity: one definition, for one state or for many.

Type 1
    The smallest singular value of the joint columns ``E_l`` of a leg's closure rows, and of what is
    left of the hub's once the legs follow: with the platform held, nothing may move.  Where the
    position is all that counts (``Assembly.only_position``), of the
    map from allowed twists to the velocity of the platform's origin as well.
Constraint
    The smallest singular value of ``C V = 0`` that fixes the platform: closure rows along which no
    joint moves, in an orthonormal basis.
Type 2
    The smallest singular value of the map from allowed twists, in an orthonormal basis, to the
    motors' rates: with the motors held, the platform may not move.

All in natural units, and in orthonormal bases: which components of the twist are the robot's
freedoms does not matter.  A state is singular where such a number is at most
:data:`gough.mechanism.mobility.singular.SINGULAR`, near a singularity below ``NEAR``.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gough.base.once import find_fact
from gough.mechanism.closure.dense import dense
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import choose_plans, determine_twists
from gough.mechanism.mobility.rank import generic_samples, measure
from gough.mechanism.mobility.scales import Scales
from gough.mechanism.mobility.singular import (
    SINGULAR,
    allowed,
    demands,
    felt_by_motors,
    zero_beside,
)


class Holding(NamedTuple):
    """How well the motors hold the platform, at one state or at many ``(...)``.

    Attributes:
        type_2: smallest singular value of the motors' Jacobian, over all twists that the legs
            allow; of as many as there are motors, if these are fewer.  1 if there is nothing to
            hold, NaN where the motors do not follow from the platform.
        condition: its condition number; infinite on a singularity.
        sign: sign of the determinant of ``qd = J_inv V_r``; 0 on a singularity, and unless there
            are as many motors as freedoms.
    """

    type_2: np.ndarray
    condition: np.ndarray
    sign: np.ndarray


class Measures(NamedTuple):
    """Distances to all kinds of singularities, natural units, at one state or at many ``(...)``.

    Attributes:
        legs: smallest singular value of each leg's own Jacobian, and of the hub's if that has
            joints (a nacelle), ``(..., parts)``; see :func:`part_names`.
        freedoms: smallest singular value of the map from the twists that the legs allow to the
            velocity of the platform's origin, where its position is all that counts; else 1.
        constraint: smallest singular value of the constraints of the legs on the platform; 1 if
            they leave it all six freedoms.
        type_2, condition, sign: as in :class:`Holding`.
    """

    legs: np.ndarray
    freedoms: np.ndarray
    constraint: np.ndarray
    type_2: np.ndarray
    condition: np.ndarray
    sign: np.ndarray

    @property
    def type_1(self) -> np.ndarray:
        """Distance to Type 1: the smallest of all legs, of the nacelle and of the position."""
        return np.asarray(np.minimum(self.legs.min(axis=-1, initial=1.0), self.freedoms))


def part_names(assembly: Assembly) -> tuple[str, ...]:
    """Names of the legs, and ``nacelle`` if the hub has joints."""
    nacelle = ("nacelle",) if assembly.topology.hub.rates else ()
    return (*(leg.name for leg in assembly.topology.legs), *nacelle)


def leg_places(assembly: Assembly) -> list[tuple[slice, slice]]:
    """Rows and columns of each leg's ``E_l`` within all closure rows."""
    rows, columns = (
        [slice(a, b) for a, b in pairwise(np.cumsum([0, *counts]).tolist())]
        for counts in (
            [len(each) for each in assembly.scales.rows],
            [tree.rates for tree in assembly.topology.trees],
        )
    )
    return list(zip(rows, columns, strict=True))[1:]  # the hub is first


def measures_at(assembly: Assembly, solution: Solution) -> Measures:
    """Measures of one state."""
    system = dense(solution.equations, assembly.length)
    J_inv = np.asarray(solution.J_inv)
    return measures(assembly, assembly.scales, system.A, system.B, J_inv, np.asarray(solution.Psi))


def measures(
    assembly: Assembly,
    scales: Scales,
    A: np.ndarray,
    B: np.ndarray,
    J_inv: np.ndarray,
    Psi: np.ndarray,
) -> Measures:
    """Measures of many states.

    Args:
        assembly: the robot.
        scales: natural units.
        A: joint columns of all closure rows, ``A u = B V``, natural units ``(..., r, n_u)``.
        B: platform columns, natural units ``(..., r, 6)``.
        J_inv: motor rates by freedoms ``(..., m, n)``.
        Psi: platform twist by freedoms ``(..., 6, n)``.
    """
    legs, constraint = of_closure(assembly, A, B)
    # a platform that gains a freedom has no twists by its own freedoms
    gained = constraint <= SINGULAR
    freedoms = np.where(gained, 1.0, told_by_position(assembly, scales, Psi))
    held = holding(scales, J_inv, Psi)
    lost = gained | (np.minimum(legs.min(axis=-1, initial=1.0), freedoms) <= SINGULAR)
    return Measures(
        legs,
        freedoms,
        constraint,
        np.where(lost, np.nan, held.type_2),
        np.where(lost, np.inf, held.condition),
        np.where(lost, 0.0, held.sign),
    )


def holding(scales: Scales, J_inv: np.ndarray, Psi: np.ndarray) -> Holding:
    """How well the motors hold the platform.

    Args:
        scales: natural units.
        J_inv: motor rates by freedoms ``(..., m, n)``; NaN where a state cannot be.
        Psi: platform twist by freedoms ``(..., 6, n)``.
    """
    *lead, m, n = J_inv.shape
    found = Holding(np.full(lead, np.nan), np.full(lead, np.nan), np.zeros(lead))
    good = np.isfinite(J_inv).all(axis=(-2, -1)) & np.isfinite(Psi).all(axis=(-2, -1))
    wanted = min(m, n)
    if not wanted:
        found.type_2[good], found.condition[good] = 1.0, 1.0
        return found
    s = np.linalg.svd(felt_by_motors(scales, J_inv[good], Psi[good])[0], compute_uv=False)
    smallest, largest = s[:, wanted - 1], s[:, 0]
    singular = smallest <= zero_beside(largest)
    found.type_2[good] = smallest
    found.condition[good] = np.where(singular, np.inf, largest / np.maximum(smallest, 1e-300))
    if m == n:
        sign = np.sign(np.linalg.det(scales.jacobian(J_inv[good])))
        found.sign[good] = np.where(singular, 0.0, sign)
    return found


def told_by_position(assembly: Assembly, scales: Scales, Psi: np.ndarray) -> np.ndarray:
    """Smallest singular value of the map from allowed twists to the velocity of the origin.

    1 unless the position is all that counts; 0 where it does not tell the twist.

    Args:
        assembly: the robot.
        scales: natural units.
        Psi: platform twist by freedoms ``(..., 6, n)``.
    """
    lead = Psi.shape[:-2]
    if not assembly.only_position:
        return np.ones(lead)
    found, good = np.zeros(lead), np.isfinite(Psi).all(axis=(-2, -1))
    Q = np.linalg.qr(scales.twists(Psi[good]))[0]
    found[good] = np.linalg.svd(Q[:, :3], compute_uv=False)[:, -1]
    return found


def allowed_twists(assembly: Assembly, at: Equations) -> np.ndarray:
    """Twists that the legs allow the platform at a regular state, natural units, 6xn.

    Orthonormal, and without the robot's freedoms.
    """
    system = dense(at, assembly.length)
    _, Vt = allowed(demands(system.A, system.B))
    return np.asarray(Vt[6 - assembly.mobility :].T)


def in_freedoms(assembly: Assembly, free: tuple[int, ...], at: Equations) -> Assembly:
    """The same robot, with other independent coordinates V_r: those that serve at some state.

    Everything that is chosen around home (pivots, constants) is chosen around that state instead.
    The public ``robot.freedoms`` stay.  Made once for each set, with the first state that needs it.

    Args:
        assembly: the robot.
        free: components of the platform twist.
        at: the state, a regular one.
    """
    if free == assembly.free:
        return assembly

    def make(assembly: Assembly) -> Assembly:
        topology, length = assembly.topology, assembly.length
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = at.platform
        around = generic_samples(topology, T, at.configuration, length)
        ranks = [measure(topology, *sample, length) for sample in around]
        samples = [
            sample
            for sample, r in zip(around, ranks, strict=True)
            if r.mobility == len(free) and determine_twists([r.platform], free) > SINGULAR
        ]
        states = [assembly.equations(*sample) for sample in samples]
        plans = choose_plans(states, length, free, assembly.plans.legs)
        found = replace(assembly, free=free, plans=plans, samples=tuple(samples))
        vars(found)["_shared"] = vars(assembly).setdefault("_shared", {})
        return found

    return find_fact(assembly, (in_freedoms, free), make)


def of_closure(assembly: Assembly, A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest singular values of legs and nacelle, and of the constraints on the platform.

    Args:
        assembly: the robot.
        A: joint columns of all closure rows, natural units ``(..., r, n_u)``.
        B: platform columns, natural units ``(..., r, 6)``.

    Returns:
        ``legs`` and ``constraint`` of :class:`Measures`.
    """
    hub, fixed = assembly.topology.hub.rates, 6 - assembly.mobility
    # columns of what all legs share: the hub's own rates, then the platform's twist
    shared = np.concatenate([-A[..., :hub], B], axis=-1)
    smallest, demanded = [], [shared[..., : len(assembly.scales.rows[0]), :]]
    for rows, columns in leg_places(assembly):
        value, left = _unmoved(A[..., rows, columns])
        smallest.append(value)
        demanded.append(left @ shared[..., rows, :])
    C = np.concatenate(demanded, axis=-2)
    if hub:
        value, left = _unmoved(C[..., :hub])
        smallest.append(value)
        C = left @ C[..., hub:]
    constraint = np.ones(A.shape[:-2])
    if fixed:
        s = np.linalg.svd(C, compute_uv=False)
        constraint = s[..., fixed - 1] if s.shape[-1] >= fixed else 0.0 * constraint
    legs = np.stack(smallest, axis=-1) if smallest else np.ones((*A.shape[:-2], 0))
    return legs, constraint


def _unmoved(E: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest singular value of joint columns, and the rows along which no joint moves.

    1 without columns.  The rows are orthonormal.
    """
    rows, columns = E.shape[-2:]
    lead = E.shape[:-2]
    if not columns:
        return np.ones(lead), np.broadcast_to(np.eye(rows), (*lead, rows, rows))
    if rows < columns:
        return np.zeros(lead), np.zeros((*lead, 0, rows))
    if rows == columns:
        return np.linalg.svd(E, compute_uv=False)[..., -1], np.zeros((*lead, 0, rows))
    U, s, _ = np.linalg.svd(E)
    return s[..., -1], U[..., columns:].swapaxes(-1, -2)
