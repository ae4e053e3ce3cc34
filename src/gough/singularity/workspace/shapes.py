"""Boxes and cylinders by their figures: how they fit between points of a border."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

_CHANGED = 0.6  # of the figures, in each random change; the others stay


class Fit(Protocol):
    """Shapes of one kind, described by figures ``(K, d)``."""

    def within(self, low: np.ndarray, high: np.ndarray) -> Fit:
        """Shapes that also stay between corners ``(3,)``."""

    def size(self, figures: np.ndarray) -> np.ndarray:
        """What is made as large as possible ``(K,)``."""

    def fitted(self, figures: np.ndarray, border: np.ndarray) -> np.ndarray:
        """Shapes that hold none of the points ``(p, 3)`` of a border, as large as possible."""

    def span(self, figures: np.ndarray) -> np.ndarray:
        """Lowest and highest value of each freedom in one shape ``(3, 2)``."""

    def sampled(self, figures: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random points of the surface of one shape, its edges among them ``(k, 3)``."""

    def share(self, figures: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Size of the shape around the same centre with each point on its surface, as a share."""

    def shrunk(self, figures: np.ndarray, share: float) -> np.ndarray:
        """One shape, smaller around the same centre."""

    def without(self, figures: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Smaller shapes with a point inside on their surface ``(k, d)``."""

    def changes(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random changes of figures ``(count, d)``, the largest about 1."""


class BoxFit(NamedTuple):
    """Boxes along the axes: figures are lowest and highest values ``(6,)``, lows first.

    Attributes:
        bounds: of the section ``(3, 2)``.
    """

    bounds: np.ndarray

    def within(self, low: np.ndarray, high: np.ndarray) -> BoxFit:
        """Shapes that also stay between corners ``(3,)``."""
        return self._replace(bounds=_narrowed(self.bounds, low, high))

    def size(self, figures: np.ndarray) -> np.ndarray:
        """Volumes ``(K,)``."""
        return np.asarray(np.prod(figures[:, 3:] - figures[:, :3], axis=1))

    def span(self, figures: np.ndarray) -> np.ndarray:
        """Lowest and highest value of each freedom ``(3, 2)``."""
        return figures.reshape(2, 3).T

    def share(self, figures: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Size of the box around the same centre with each point on its surface, as a share."""
        middle, half = 0.5 * (figures[:3] + figures[3:]), 0.5 * (figures[3:] - figures[:3])
        return np.asarray((np.abs(points - middle) / half).max(axis=1))

    def shrunk(self, figures: np.ndarray, share: float) -> np.ndarray:
        """One box, smaller around the same centre."""
        middle = np.tile(0.5 * (figures[:3] + figures[3:]), 2)
        return np.asarray(middle + share * (figures - middle))

    def without(self, figures: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Boxes with one face moved to a point."""
        found = np.tile(figures, (6, 1))
        found[np.arange(6), np.arange(6)] = np.tile(point, 2)
        return found

    def changes(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random changes, half of them equal on both sides, so that the middle stays."""
        found = rng.normal(size=(count, 6)) * (rng.random(size=(count, 6)) < _CHANGED)
        found[::2, :3] = -found[::2, 3:]
        return found

    def sampled(self, figures: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random points: a fifth on edges and in corners, the others on faces ``(k, 3)``."""
        u = rng.random(size=(count, 3))
        held = np.argsort(rng.random(size=u.shape), axis=1)  # freedoms in random order
        many = np.where(np.arange(count) < count // 5, rng.integers(2, 4, size=count), 1)
        ends = rng.integers(0, 2, size=u.shape)
        u = np.where(held < many[:, None], ends, u)
        return np.asarray(figures[:3] + u * (figures[3:] - figures[:3]))

    def fitted(self, figures: np.ndarray, border: np.ndarray) -> np.ndarray:
        """Boxes with the same faces across two freedoms, as long as possible along the third.

        The third is the first freedom for the first third of them, and so on.
        """
        low = np.clip(figures[:, :3], self.bounds[:, 0], self.bounds[:, 1])
        high = np.clip(figures[:, 3:], self.bounds[:, 0], self.bounds[:, 1])
        low, high = np.minimum(low, high), np.maximum(low, high)
        middle = 0.5 * (low + high)
        for axis, some in enumerate(np.array_split(np.arange(len(figures)), 3)):
            others = [k for k in range(3) if k != axis]
            beside = np.ones((len(some), len(border)), dtype=bool)
            for k in others:
                beside &= border[:, k] > low[some, k, None]
                beside &= border[:, k] < high[some, k, None]
            along, at = border[:, axis], middle[some, axis, None]
            below = np.where(beside & (along <= at), along, self.bounds[axis, 0])
            above = np.where(beside & (along > at), along, self.bounds[axis, 1])
            low[some, axis] = below.max(axis=1, initial=self.bounds[axis, 0])
            high[some, axis] = above.min(axis=1, initial=self.bounds[axis, 1])
        return np.concatenate([low, high], axis=1)


class CylinderFit(NamedTuple):
    """Cylinders along a freedom.

    Figures are the centre across the axis, lowest and highest value along it, and the radius
    ``(5,)``.

    Attributes:
        bounds: of the section ``(3, 2)``.
        axis: number of the freedom along the axis.
        height: if it is given.
        radius: if it is given; then the height is fitted.
    """

    bounds: np.ndarray
    axis: int
    height: float | None
    radius: float | None

    @property
    def across(self) -> list[int]:
        """Numbers of the freedoms across the axis."""
        return [k for k in range(3) if k != self.axis]

    def within(self, low: np.ndarray, high: np.ndarray) -> CylinderFit:
        """Shapes that also stay between corners ``(3,)``."""
        return self._replace(bounds=_narrowed(self.bounds, low, high))

    def size(self, figures: np.ndarray) -> np.ndarray:
        """Volumes, or what is asked for: radii or heights; nothing without what is given."""
        height, radius = figures[:, 3] - figures[:, 2], figures[:, 4]
        if self.height is not None:
            return np.asarray(np.where(height >= self.height * (1.0 - 1e-12), radius, 0.0))
        return np.asarray(height if self.radius is not None else np.pi * radius**2 * height)

    def span(self, figures: np.ndarray) -> np.ndarray:
        """Lowest and highest value of each freedom ``(3, 2)``."""
        found = np.empty((3, 2))
        found[self.across] = figures[:2, None] + figures[4] * np.array([-1.0, 1.0])
        found[self.axis] = figures[2:4]
        return found

    def share(self, figures: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Size of the cylinder around the same centre with each point on its surface."""
        beside = np.linalg.norm(points[:, self.across] - figures[:2], axis=1) / figures[4]
        along = np.abs(points[:, self.axis] - figures[2:4].mean()) / (0.5 * np.ptp(figures[2:4]))
        return np.asarray(np.maximum(beside, along))

    def shrunk(self, figures: np.ndarray, share: float) -> np.ndarray:
        """One cylinder, smaller around the same centre; what is given stays."""
        found, middle = figures.copy(), figures[2:4].mean()
        if self.height is None:
            found[2:4] = middle + share * (figures[2:4] - middle)
        if self.radius is None:
            found[4] *= share
        return found

    def without(self, figures: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Cylinders that end at a point, or have it on their side; what is given stays."""
        found = np.tile(figures, (3, 1))
        found[0, 2] = found[1, 3] = point[self.axis]
        found[2, 4] = np.linalg.norm(point[self.across] - figures[:2])
        if self.height is not None:
            return found[2:]
        return found[:2] if self.radius is not None else found

    def changes(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random changes of centre and ends."""
        return rng.normal(size=(count, 5)) * (rng.random(size=(count, 5)) < _CHANGED)

    def sampled(self, figures: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
        """Random points: a fifth on the rims, two fifths each on the side and on the ends."""
        turn, along = 2.0 * np.pi * rng.random(count), rng.random(count)
        radius = figures[4] * np.sqrt(rng.random(count))
        kind = np.arange(count) * 5 // count
        radius[kind < 3] = figures[4]
        ends = rng.integers(0, 2, size=count)
        along = np.where((kind == 0) | (kind > 2), ends, along)
        found = np.empty((count, 3))
        round_about = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        found[:, self.across] = figures[:2] + radius[:, None] * round_about
        found[:, self.axis] = figures[2] + along * (figures[3] - figures[2])
        return found

    def fitted(self, figures: np.ndarray, border: np.ndarray) -> np.ndarray:
        """The widest cylinders with these axes, or the highest of the given radius."""
        found, (bottom, top) = figures.copy(), self.bounds[self.axis]
        centre = found[:, :2]
        found[:, 2:4] = np.sort(np.clip(found[:, 2:4], bottom, top), axis=1)
        middle = 0.5 * (found[:, 2] + found[:, 3])
        if self.height is not None:
            low = np.clip(middle - 0.5 * self.height, bottom, max(top - self.height, bottom))
            found[:, 2], found[:, 3] = low, np.minimum(low + self.height, top)
        room = np.minimum(
            centre - self.bounds[self.across, 0], self.bounds[self.across, 1] - centre
        ).min(axis=1)
        first, second = (border[:, k] - centre[:, i, None] for i, k in enumerate(self.across))
        away = np.sqrt(first * first + second * second)
        along = border[:, self.axis]
        if self.radius is not None:
            beside, at = away < self.radius, middle[:, None]
            below = np.where(beside & (along <= at), along, bottom).max(axis=1, initial=bottom)
            above = np.where(beside & (along > at), along, top).min(axis=1, initial=top)
            fits = room >= self.radius
            found[:, 2] = np.where(fits, below, middle)
            found[:, 3] = np.where(fits, above, middle)
            found[:, 4] = self.radius
            return found
        between = (along > found[:, 2, None]) & (along < found[:, 3, None])
        nearest = np.where(between, away, np.inf).min(axis=1, initial=np.inf)
        found[:, 4] = np.maximum(np.minimum(nearest, room), 0.0)
        return found


def _narrowed(bounds: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return np.stack([np.maximum(bounds[:, 0], low), np.minimum(bounds[:, 1], high)], axis=1)
