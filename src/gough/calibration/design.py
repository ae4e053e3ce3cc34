"""Which measurements would help: imagined at many places, they are weighed before they are made.

An imagined measurement has derivatives and noise, and needs no value.  The next one is where it
tells most: the determinant of the covariance falls by ``det(1 + B C B^T)`` (D-optimal, one after
the other).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.calibration.bench import Bench, Seen, SeenSlopes
from gough.calibration.data import Data
from gough.calibration.fit import Fitted, Problem
from gough.calibration.kinds import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.knowledge import Knowledge
from gough.calibration.measured import Measurements
from gough.calibration.places import places

TRIED = 160
"""Places that are considered."""


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


@dataclass(frozen=True, eq=False)
class Design:
    """Places all over the stroke, and what measurements there would tell.

    Attributes:
        problem: what is measured and free.
        fitted: the machine.
        knowledge: what is known of it.
    """

    problem: Problem
    fitted: Fitted
    knowledge: Knowledge

    @cached_property
    def _places(self) -> tuple[Bench, Seen, SeenSlopes]:
        g = self.problem.free.geometry(self.fitted.p)
        bench, seen = places(self.problem.bench, g, TRIED)
        return bench, seen, bench.slopes(g, seen)

    @property
    def places(self) -> tuple[Bench, Seen]:
        """Places all over the stroke that the machine can have."""
        return self._places[:2]

    @property
    def count(self) -> int:
        """How many places the machine can be measured at."""
        return len(self._places[0].readings)

    @cached_property
    def _columns(self) -> np.ndarray:
        return np.asarray(self.problem.free.slopes(self.fitted.p) * self.knowledge.prior)

    def tool(self) -> np.ndarray:
        """Twists of the tool at all places, parameters in units of tolerances ``(S, 6, n)``."""
        return np.asarray(self._places[2].tool @ self._columns)

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

    def imagined(self, like: type[Measurements] | Measurements) -> tuple[Measurements, np.ndarray]:
        """Measurements of a kind at all places, and the states that each is about ``(K, s)``."""
        bench, seen, _ = self._places
        q, T = bench.readings, seen.T_dt
        kind = like if isinstance(like, type) else type(like)
        count = len(q)
        own = np.arange(count)[:, None]
        lengths, angles = self.noise_of(kind, "m"), self.noise_of(kind, "rad")
        if kind is Poses:
            found: Measurements = Poses(q, T, (lengths, angles))
        elif kind is Orientations:
            found = Orientations(q, T[:, :3, :3], angles)
        elif kind is Heights:
            found = Heights(q, T[:, 2, 3], lengths)
        elif kind is Lengths and isinstance(like, Lengths):
            far = np.maximum(np.linalg.norm(T[:, :3, 3] - like.anchor[0], axis=1), 1e-9)
            found = Lengths(q, like.anchor[0], far, lengths)
        elif kind is Encoders and isinstance(like, Encoders):
            std = lengths if like.slides else angles
            found = Encoders(q, like.axis, np.zeros(count), std, slides=like.slides)
        elif kind is Distances:
            far_apart = np.array(
                [np.argmax(np.linalg.norm(T[:, :3, 3] - p, axis=1)) for p in T[:, :3, 3]]
            )
            pairs = np.stack([np.arange(count), far_apart], axis=1)
            way = np.linalg.norm(T[pairs[:, 0], :3, 3] - T[pairs[:, 1], :3, 3], axis=1)
            found = Distances(q[pairs[:, 0]], q[pairs[:, 1]], np.maximum(way, 1e-9), lengths)
            own = pairs
        else:
            found = Positions(q, T[:, :3, 3], lengths)
        if isinstance(like, Measurements):  # components that are never measured stay so
            never = ~np.isfinite(like.values).any(axis=0)
            found.values[:, never] = np.nan
        return found, own

    def rows(self, like: type[Measurements] | Measurements) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of imagined numbers in units of noise ``(K, c, n)``, and their states."""
        if like not in self._known:
            self._known[like] = self._rows(like)
        return self._known[like]

    @cached_property
    def _known(self) -> dict[Any, tuple[np.ndarray, np.ndarray]]:
        return {}

    def _rows(self, like: type[Measurements] | Measurements) -> tuple[np.ndarray, np.ndarray]:
        found, states = self.imagined(like)
        _, seen, slopes = self._places
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

    def next(self, count: int) -> tuple[Proposal, ...]:
        """The measurements that tell most, one after the other, of the kinds that are in use."""
        bench, seen, _ = self._places
        if not len(bench.readings):
            return ()
        pool = [
            (like.kind, rows[k], states[k])
            for like in _one_of_each(self.problem.data)
            for rows, states in [self.rows(like)]
            for k in range(len(rows))
        ]
        C = self.knowledge.natural.copy()
        chosen = []
        for _ in range(count):
            gains = [_gain(C, B) for _, B, _ in pool]
            k = int(np.argmax(gains))
            kind, B, states = pool[k]
            if not gains[k] > 0.0:
                break
            chosen.append(Proposal(kind, bench.readings[states], seen.T_dt[states], gains[k]))
            C = updated(C, B)
        return tuple(chosen)


def _one_of_each(data: Data) -> list[Measurements]:
    found: dict[tuple[str, str], Measurements] = {}
    for each in data.sets:
        found.setdefault((each.kind, each.axis), each)
    return [*found.values()]


def _kinds(data: Data) -> set[str]:
    return {each.kind for each in data.sets}


def _gain(C: np.ndarray, B: np.ndarray) -> float:
    return float(np.linalg.slogdet(np.eye(len(B)) + B @ C @ B.T)[1])


def updated(C: np.ndarray, B: np.ndarray) -> np.ndarray:
    """A covariance after measurements with derivatives ``B (c, n)``, noise of unit size."""
    K = C @ B.T
    return np.asarray(C - K @ np.linalg.solve(np.eye(len(B)) + B @ K, K.T))
