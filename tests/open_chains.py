"""Open chains of turns, slides and screws, moved by their positions alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough import screw
from gough.base.spatial import rotation_exp, unskew


class Pair(NamedTuple):
    """One joint of a chain at t = 0: R, P or H, unit axis, a point of it, pitch [m/rad]."""

    kind: str
    axis: np.ndarray
    point: np.ndarray
    pitch: float

    @property
    def screw(self) -> np.ndarray:
        if self.kind == "P":
            return screw.prismatic(self.axis)
        if self.kind == "R":
            return screw.revolute(self.axis, self.point)
        return screw.helical(self.axis, self.point, self.pitch)

    def displacement(self, q: float) -> np.ndarray:
        """What the joint does to everything behind it, 4x4."""
        E = np.eye(4)
        if self.kind == "P":
            E[:3, 3] = self.axis * q
            return E
        E[:3, :3] = rotation_exp(self.axis * q)
        E[:3, 3] = self.point - E[:3, :3] @ self.point
        if self.kind == "H":
            E[:3, 3] += self.axis * (self.pitch * q)
        return E


class Chain(NamedTuple):
    """A chain in motion: ``q = qd t + qdd t^2/2``."""

    pairs: list[Pair]
    rates: np.ndarray
    accelerations: np.ndarray

    @property
    def screws(self) -> list[np.ndarray]:
        return [pair.screw for pair in self.pairs]

    def at(self, t: float) -> np.ndarray:
        """Displacement of the last body since t = 0."""
        E = np.eye(4)
        for pair, q in zip(self.pairs, self.rates * t + self.accelerations * t**2 / 2, strict=True):
            E = E @ pair.displacement(float(q))
        return E


def random_chain(kinds: str, seed: int) -> Chain:
    """Axes anywhere within a metre, rates and accelerations about 1."""
    rng = np.random.default_rng(seed)
    pairs = []
    for kind in kinds:
        axis = rng.normal(size=3)
        pairs.append(
            Pair(kind, axis / np.linalg.norm(axis), rng.uniform(-1, 1, 3), rng.uniform(-0.5, 0.5))
        )
    return Chain(pairs, rng.normal(size=len(kinds)), rng.normal(size=len(kinds)))


def measured(chain: Chain, step: float = 2e-3) -> tuple[np.ndarray, np.ndarray]:
    """Twist and accelerator at O by central differences of fourth order.

    Truncation goes with ``step**4``, rounding with ``1e-16 / step**2``: some 1e-10 each.
    """
    E = [chain.at(k * step) for k in (-2, -1, 0, 1, 2)]
    first = (E[0] - 8 * E[1] + 8 * E[3] - E[4]) / (12 * step)
    second = (-E[0] + 16 * E[1] - 30 * E[2] + 16 * E[3] - E[4]) / (12 * step**2)
    # at t = 0, R' = w^ and R'' = wd^ + w^ w^, whose last part is symmetric
    w, wd = unskew(first[:3, :3]), unskew(second[:3, :3])
    v, a = first[:3, 3], second[:3, 3]  # of the body point that is at O now
    return np.concatenate([w, v]), np.concatenate([wd, a - np.cross(w, v)])
