"""Assembled states of a machine between its limits, many at once, and how each can move on.

A state moves along the tangent of its closure equations ``C w = 0``, ``w = [u; V]`` being rates of
all joints and the platform's twist in natural units.  This tangent exists on Type 1 and on Type 2
singularities as elsewhere; only a constraint singularity has none.  So a way of the motors may
stretch a leg out (Type 1) and go on, and a Type 2 singularity can be approached from both sides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.dynamics.quantities.axes import limited_axes, limited_scales
from gough.evaluation.loops.closing import times
from gough.evaluation.loops.steps import ClosingSteps
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.mobility.assembly import Assembly

INSIDE = 1e-9
"""A limit is kept if it is passed by no more than this, natural units: states are not exact."""

_ZERO = 1e-12  # singular value of rows that have none
_SLOPE = 1e-6  # displacement of forward differences, natural units: slopes are right to 1e-6


class Places(NamedTuple):
    """K states; loops may still be open by ``gaps``.

    Attributes:
        T_0p: poses ``(K, 4, 4)``.
        joints: of all links, packed ``(K, m)``.
        q: positions of motors and other limited axes ``(K, b)`` [rad or m], turns counted.
        C: closure rows over ``[u; V]`` ``(K, r, N)``, and all below in natural units.
        gaps: residuals of these rows ``(K, r)``.
        L: rows of motors and other limited axes ``(K, b, N)``.
        basis: orthonormal tangent of the closure ``(K, N, n)``.
        inverse: pseudo-inverse of ``C`` ``(K, N, r)``.
        constraint: distance from a constraint singularity: zero where ``C`` loses rank ``(K,)``.
        side: handedness of the basis, followed from the first state on ``(K,)``: 1 or -1.
        opposed: how far joints are closed the wrong way round ``(K,)``.
    """

    T_0p: np.ndarray
    joints: np.ndarray
    q: np.ndarray
    C: np.ndarray
    gaps: np.ndarray
    L: np.ndarray
    basis: np.ndarray
    inverse: np.ndarray
    constraint: np.ndarray
    side: np.ndarray
    opposed: np.ndarray

    def at(self, index: Any) -> Places:
        """Some of them."""
        return Places(*(array[index] for array in self))

    def put(self, index: Any, other: Places) -> None:
        """Write states into places."""
        for mine, theirs in zip(self, other, strict=True):
            mine[index] = theirs

    def repeated(self, count: int) -> Places:
        """So many of the only one."""
        return Places(*(np.repeat(array, count, axis=0) for array in self))

    def copied(self) -> Places:
        """States that may be written into."""
        return Places(*(array.copy() for array in self))

    @property
    def closing(self) -> np.ndarray:
        """The shortest step that closes the loops ``(K, N)``."""
        return times(self.inverse, self.gaps)


class Measured(NamedTuple):
    """How well the motors hold K states.

    Attributes:
        type_2: the measure of Type 2 ``(K,)``, see :mod:`gough.mechanism.mobility.measures`.
        signed: the same with a sign that changes where modes meet, with as many motors as freedoms.
        tangent: the motion that the motors feel least, in the basis of the tangent ``(K, n)``, its
            twist of unit size.
        motors: unit vector along the rates of the motors in this motion ``(K, m)``.
    """

    type_2: np.ndarray
    signed: np.ndarray
    tangent: np.ndarray
    motors: np.ndarray


class Stroke:
    """A machine between the limits of its axes.

    Attributes:
        names: motors, then other axes with limits.
        low, high: their limits ``(b,)`` [rad or m]; infinite where there is none.
        scales: their natural units ``(b,)``.
        lead: motors that lead the machine, as many as it has freedoms; all but in redundant ones.
    """

    def __init__(self, assembly: Assembly, length: float) -> None:
        self.assembly, self.steps = assembly, ClosingSteps(assembly)
        self.names, self.scales = limited_axes(assembly), limited_scales(assembly)
        limits = [assembly.robot.axis(name).limits.position for name in self.names]
        pairs = np.array([(-np.inf, np.inf) if pair is None else pair for pair in limits])
        self.low, self.high = pairs.reshape(-1, 2).T
        self._turns = np.array([is_turn(assembly.axes[name]) for name in self.names])
        self.m, self.n = len(assembly.robot.motors), assembly.mobility
        own, other = assembly.scales, assembly.scales_in(length)
        self._twist, self._motors = own.twist / other.twist, own.motors / other.motors
        self._own = np.concatenate([own.rates, own.twist])
        self.lead = np.arange(self.m)

    def start(self, state: AssembledState) -> Places:
        """One place: an assembled state."""
        T = np.asarray(state.T_0p, dtype=float)[None]
        joints = np.asarray(pack(state.configuration), dtype=float)[None]
        still = np.zeros((1, len(self._own)))
        found = self._seen(T, joints, still, None)
        # a leg determines a passive angle up to whole turns: it is on the one that suits its limits
        middle = 0.5 * (self.low + self.high)
        known = self._turns & np.isfinite(middle) & (np.arange(len(middle)) >= self.m)
        away = np.round((found.q - np.where(known, middle, found.q)) / (2.0 * np.pi))
        found = found._replace(q=found.q - 2.0 * np.pi * np.where(known, away, 0.0))
        self.lead = _leading(found.L[0, : self.m] @ found.basis[0])
        return found

    def state(self, places: Places, k: int) -> AssembledState:
        """One of the places as pose and configuration."""
        return AssembledState(places.T_0p[k], unpack(self.assembly.topology, places.joints[k]))

    def moved(self, places: Places, w: np.ndarray) -> Places:
        """Places after a step ``(K, N)``, natural units, loops as they are then."""
        return self._seen(places.T_0p, places.joints, w * self._own, places)

    def _seen(
        self, T: np.ndarray, joints: np.ndarray, step: np.ndarray, before: Places | None
    ) -> Places:
        found = self.steps.step(T, joints, step[:, :-6], step[:, -6:])
        q, C = found["limited"], found["closure_rows"]
        side = np.ones(len(q))
        # what is not finite is out of reach: its gaps say so, its rows must not spoil the others
        C, L = (np.where(np.isfinite(rows), rows, 0.0) for rows in (C, found["limited_rows"]))
        basis, inverse, constraint = _tangent(C, self.n)
        if before is not None:
            way = q - before.q
            q = q - 2.0 * np.pi * np.round(way / (2.0 * np.pi)) * self._turns
            side = before.side * np.sign(np.linalg.det(before.basis.swapaxes(1, 2) @ basis))
        return Places(
            found["T_0p"],
            found["coordinates"],
            q,
            C,
            found["gaps"],
            L,
            basis,
            inverse,
            constraint,
            side,
            found["open"][:, 0],
        )

    def measured(self, places: Places) -> Measured:
        """The measure of Type 2, on singularities of Type 1 and Type 2 too."""
        J = (places.L[:, : self.m] @ places.basis) * self._motors[:, None]
        V = places.basis[:, -6:] * self._twist[:, None]
        # |J c| / |V c| is least where |J c| is, of [J; V] with orthonormal columns
        Q, R = np.linalg.qr(np.concatenate([J, V], axis=1))
        U, s, Vt = np.linalg.svd(Q[:, : self.m])
        cosine, size = s[:, -1], np.sqrt(np.maximum(1.0 - s[:, -1] ** 2, 1e-300))
        R[np.abs(np.einsum("kii->ki", R)).min(axis=1) < _ZERO] = np.eye(self.n)
        c = np.linalg.solve(R, Vt[:, -1, :, None])[..., 0] / size[:, None]
        type_2, signed = cosine / size, cosine / size
        if self.m == self.n:
            signed = type_2 * places.side * np.sign(np.linalg.det(J))
        return Measured(type_2, signed, c, U[:, :, self.n - 1])

    def slopes(self, places: Places, seen: Measured) -> np.ndarray:
        """Slope of the measure along the tangent's basis ``(K, n)``.

        With ``C^T mu + M^T motors = type_2 [0; V]`` it is ``motors . dM w + mu . dC w``.
        """
        w = times(places.basis, seen.tangent)
        M = places.L[:, : self.m] * self._motors[:, None]
        right = np.zeros_like(w)
        right[:, -6:] = seen.type_2[:, None] * w[:, -6:] * self._twist**2
        right -= times(M.swapaxes(1, 2), seen.motors)
        mu = times(places.inverse.swapaxes(1, 2), right)
        found = np.empty((len(w), self.n))
        for j in range(self.n):
            step = _SLOPE * places.basis[:, :, j] * self._own
            after = self.steps.step(places.T_0p, places.joints, step[:, :-6], step[:, -6:])
            dC = times(after["closure_rows"] - places.C, w)
            dM = times(after["limited_rows"][:, : self.m] - places.L[:, : self.m], w)
            found[:, j] = (seen.motors * self._motors * dM).sum(axis=1) + (mu * dC).sum(axis=1)
        return found / _SLOPE

    def beyond(self, places: Places) -> np.ndarray:
        """How far each axis is beyond its limits ``(K, b)``, natural units; negative inside."""
        over = np.maximum(places.q - self.high, self.low - places.q)
        return np.asarray(over / self.scales)


def _tangent(C: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Orthonormal tangents of rows, their pseudo-inverses, and how far they are from singular."""
    count, rows, columns = C.shape
    rank = columns - n
    if rows > rank:  # rows depend on each other: an over-constrained machine
        U, s, Vt = np.linalg.svd(C, full_matrices=True)
        scaled = U[:, :, :rank] / np.maximum(s[:, None, :rank], _ZERO)
        inverse = Vt[:, :rank].swapaxes(1, 2) @ scaled.swapaxes(1, 2)
        constraint = s[:, rank - 1] if rank else np.ones(count)
        return Vt[:, rank:].swapaxes(1, 2), inverse, constraint
    # several times as fast
    Q, R = np.linalg.qr(C.swapaxes(1, 2), mode="complete")
    R = R[:, :rank]
    smallest = np.abs(np.einsum("kii->ki", R)).min(axis=1, initial=1.0)
    R[smallest < _ZERO] = np.eye(rank)
    inverse = Q[:, :, :rank] @ np.linalg.inv(R).swapaxes(1, 2)
    return Q[:, :, rank:], inverse, smallest


def _leading(J: np.ndarray) -> np.ndarray:
    """Motors that determine the others best, as many as freedoms: by pivots, the largest first."""
    left, chosen = J.copy(), []
    for _ in range(J.shape[1]):
        k = int(np.argmax(np.linalg.norm(left, axis=1)))
        chosen.append(k)
        row = left[k] / max(float(np.linalg.norm(left[k])), 1e-300)
        left = left - np.outer(left @ row, row)
    return np.array(sorted(chosen))
