"""Which measurements would help: imagined at many places, they are weighed before they are made.

An imagined measurement has derivatives and noise, and needs no value.  The next one is where it
tells most: the determinant of the covariance falls by ``det(1 + B C B^T)`` (D-optimal, one after
the other).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.calibration.bench import Bench, Seen, SeenSlopes
from gough.calibration.data import Data
from gough.calibration.fit import Fitted, Problem
from gough.calibration.imagined import Kind, imagined
from gough.calibration.kinds import Distances, Heights
from gough.calibration.knowledge import Knowledge
from gough.calibration.measured import Measurements
from gough.calibration.places import places

TRIED = 160
"""Places that are considered."""

WIDE = 1e6
"""Variance of what nothing is known of, in units of tolerances squared."""

_AGAIN = 1e-3  # natural units: a place so near to one that was measured is the same place
_FLAT = 0.02  # of the robot's length: tools that stood within it stood on a plane


class Proposal(NamedTuple):
    """A measurement that would tell much.

    Attributes:
        kind: of the measurement.
        motors: where the motors should stand ``(s, n)`` [rad or m], as their controller reads them.
        pose: predicted pose of the tool in the device's frame ``(s, 4, 4)``.
        gain: factor by which it shrinks the volume of what is unknown, natural logarithm.
    """

    kind: str
    motors: np.ndarray
    pose: np.ndarray
    gain: float


class Stand(NamedTuple):
    """Places that the machine can have, what is seen there, and its derivatives."""

    bench: Bench
    seen: Seen
    slopes: SeenSlopes


class Pool(NamedTuple):
    """Measurements to choose from.

    Attributes:
        kinds: of each ``(K)``.
        rows: derivatives of their numbers in units of noise ``(K, 6, n)``; missing ones are zero.
        motors: where the motors stand, ``(s, n)`` each.
        poses: of the tool in the device's frame, ``(s, 4, 4)`` each.
    """

    kinds: list[str]
    rows: np.ndarray
    motors: list[np.ndarray]
    poses: list[np.ndarray]

    def proposal(self, k: int, gain: float) -> Proposal:
        """One of them."""
        return Proposal(self.kinds[k], self.motors[k], self.poses[k], gain)


@dataclass(frozen=True, eq=False)
class Design:
    """Places all over the stroke, and what measurements there would tell.

    Attributes:
        problem: what is measured and free.
        fitted: the machine.
        knowledge: what is known of it.
        radius: how far from the base's z axis the tool may be where it is measured [m].
    """

    problem: Problem
    fitted: Fitted
    knowledge: Knowledge
    radius: float | None = None

    def _stand(self, kind: type[Measurements] | None) -> Stand:
        """Places for measurements of a kind: what is touched stays where it can be touched."""
        height = None
        if kind in (Heights, Distances):
            height = self._measured_height(kind)
        where = height, None if kind is None else self.radius
        if where not in self._stands:
            g = self.problem.free.geometry(self.fitted.p)
            bench, seen = places(self.problem.bench, g, TRIED, height=height, radius=where[1])
            self._stands[where] = Stand(bench, seen, bench.slopes(g, seen))
        return self._stands[where]

    @cached_property
    def _stands(self) -> dict[tuple[float | None, float | None], Stand]:
        return {}

    def _measured_height(self, kind: type[Measurements]) -> float | None:
        """Height of the plane that a kind was measured on: a bed, a part that lies on it."""
        data = self.problem.data
        kinds = [type(each) for each in data.sets for _ in range(len(each))]
        own = [k for k, each in enumerate(kinds) if each is kind]
        own = own or [k for k, each in enumerate(kinds) if each in (Heights, Distances)]
        if not own:
            return None
        states = np.concatenate([data.states_of(k) for k in own])
        z = self.fitted.seen.T_dt[states, 2, 3]
        flat = np.ptp(z) < _FLAT * self.problem.bench.loops.assembly.length
        return float(np.median(z)) if flat else None

    @property
    def places(self) -> tuple[Bench, Seen]:
        """Places all over the stroke that the machine can have."""
        stand = self._stand(None)
        return stand.bench, stand.seen

    @property
    def count(self) -> int:
        """How many places the machine can be measured at."""
        return len(self._stand(None).bench.readings)

    @cached_property
    def _columns(self) -> np.ndarray:
        return np.asarray(self.problem.free.slopes(self.fitted.p) * self.knowledge.prior)

    def tool(self) -> np.ndarray:
        """Twists of the tool at all places, parameters in units of tolerances ``(S, 6, n)``."""
        return np.asarray(self._stand(None).slopes.tool @ self._columns)

    def noise_of(self, kind: type[Measurements], unit: str) -> float:
        """Standard deviation that measurements of a kind have here, or others of their unit."""
        data = self.problem.data
        deviations = data.deviations
        own = [
            std
            for row, std in zip(data.rows, deviations, strict=True)
            if row.unit == unit and (row.kind == kind.kind or kind.kind not in _kinds(data))
        ]
        if own:
            return float(np.median(own))
        length = self.problem.bench.loops.assembly.length
        others = float(np.median(deviations))  # of the other unit: a radian is a length
        return others * length if unit == "m" else others / length

    def imagined(self, like: Kind) -> tuple[Measurements, np.ndarray]:
        """Measurements of a kind at all places, and the states that each is about ``(K, s)``."""
        kind = like if isinstance(like, type) else type(like)
        stand = self._stand(kind)
        return imagined(like, stand.bench, stand.seen, lambda unit: self.noise_of(kind, unit))

    def rows(self, like: Kind) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of imagined numbers in units of noise ``(K, c, n)``, and their states."""
        if like not in self._known:
            self._known[like] = self._rows(like)
        return self._known[like]

    @cached_property
    def _known(self) -> dict[Any, tuple[np.ndarray, np.ndarray]]:
        return {}

    def _rows(self, like: Kind) -> tuple[np.ndarray, np.ndarray]:
        found, states = self.imagined(like)
        _, seen, slopes = self._stand(like if isinstance(like, type) else type(like))
        flat = states.reshape(-1)
        data = Data((found,), (found.std,), (np.zeros_like(found.std, dtype=bool),))
        part = Seen(seen.machines.select(flat), seen.closed[flat], seen.T_dt[flat], seen.T_0t[flat])
        picked = SeenSlopes(
            slopes.tool[flat],
            {name: a[flat] for name, a in slopes.axes.items()},
            {name: a[flat] for name, a in slopes.axes_by.items()},
            slopes.open[flat],
            slopes.open_by[flat],
        )
        _, by = data.compared(part, picked)
        known = data.known[0]
        whole = np.zeros((*known.shape, self._columns.shape[1]))
        whole[known] = by @ self._columns / data.deviations[:, None]
        return whole, states

    def pool(self) -> Pool:
        """Measurements of all kinds in use at all places, but where they were made already."""
        n = self._columns.shape[1]
        kinds: list[str] = []
        rows = [np.zeros((0, 6, n))]
        motors: list[np.ndarray] = []
        poses: list[np.ndarray] = []
        for like in _one_of_each(self.problem.data):
            bench, seen, _ = self._stand(type(like))
            if not len(bench.readings):
                continue
            B, states = self.rows(like)
            new = self._new(like, bench.readings[states])
            B, states = B[new], states[new]
            kinds += [like.kind] * len(B)
            rows.append(np.pad(B, ((0, 0), (0, 6 - B.shape[1]), (0, 0))))
            motors += [*bench.readings[states]]
            poses += [*seen.T_dt[states]]
        return Pool(kinds, np.concatenate(rows), motors, poses)

    def _new(self, like: Measurements, readings: np.ndarray) -> np.ndarray:
        """Which places ``(K, s, n)`` are others than those where a kind was measured ``(K,)``."""
        made = [
            each.motors
            for each in self.problem.data.sets
            if (each.kind, each.axis) == (like.kind, like.axis)
        ]
        scales = self.problem.bench.loops.assembly.scales.motors
        new = np.ones(len(readings), dtype=bool)
        for there in np.concatenate(made):
            for states in (there, there[::-1]):  # a distance has two ends
                off = np.abs(readings - states) / scales
                new &= off.max(axis=(1, 2)) > _AGAIN
        return new

    def next(self, count: int) -> tuple[Proposal, ...]:
        """The measurements that tell most, one after the other, of the kinds that are in use."""
        pool = self.pool()
        start = started(self.knowledge)
        return tuple(
            pool.proposal(each.which, each.gain) for each in greedy(start, pool.rows, count)
        )


class Chosen(NamedTuple):
    """A measurement that has been chosen.

    Attributes:
        which: of all.
        gain: natural logarithm of the factor by which it shrinks the volume of what is unknown.
        change: ``C - C' = change change^T``, of covariances before and after ``(n, c)``.
    """

    which: int
    gain: float
    change: np.ndarray


def started(knowledge: Knowledge) -> np.ndarray:
    """Covariance in units of tolerances; what nothing shows has a large one."""
    if knowledge.with_prior:
        return knowledge.natural
    return np.asarray(knowledge.natural + WIDE * knowledge.unseen @ knowledge.unseen.T)


def greedy(C: np.ndarray, B: np.ndarray, count: int) -> Iterator[Chosen]:
    """Measurements chosen one after the other, each where it tells most, none twice.

    Args:
        C: covariance before ``(n, n)``.
        B: derivatives of all that could be measured, in units of noise ``(K, c, n)``.
        count: how many, at most.
    """
    spread = np.einsum("kin,nm,kjm->kij", B, C, B, optimize=True)  # of predicted numbers
    left = np.ones(len(B), dtype=bool)
    for _ in range(min(count, len(B))):
        # eigenvalues of a covariance are not negative but by rounding
        sizes, axes = np.linalg.eigh(spread + spread.swapaxes(1, 2))
        sizes = 1.0 + 0.5 * np.maximum(sizes, 0.0)
        gains = np.where(left, np.log(sizes).sum(axis=1), -np.inf)
        k = int(np.argmax(gains))
        if not gains[k] > 0.0:
            return
        left[k] = False
        # C - C' = K S^-1 K^T with K = C B_k^T and S = 1 + B_k C B_k^T
        change = C @ B[k].T @ axes[k] / np.sqrt(sizes[k])
        C = C - change @ change.T
        seen = B @ change
        spread = spread - seen @ seen.swapaxes(1, 2)
        yield Chosen(k, float(gains[k]), change)


def _one_of_each(data: Data) -> list[Measurements]:
    found: dict[tuple[str, str], Measurements] = {}
    for each in data.sets:
        found.setdefault((each.kind, each.axis), each)
    return [*found.values()]


def _kinds(data: Data) -> set[str]:
    return {each.kind for each in data.sets}


def updated(C: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A covariance after measurements with derivatives ``B (c, n)``, noise of unit size."""
    K = C @ B.T
    return np.asarray(C - K @ np.linalg.solve(np.eye(len(B)) + B @ K, K.T))
