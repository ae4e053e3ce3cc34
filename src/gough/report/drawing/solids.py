"""Small solids made of flat faces ``(n, 4, 3)``, each turning its front outwards.

A triangle is a face whose last corner is given twice.  Long solids are cut into short pieces: a
painter that sorts faces by their middle then gets the order right.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from gough.report.drawing.shapes import across, rounded
from gough.report.drawing.style import faded, rgb

Faces = np.ndarray

NONE: Faces = np.zeros((0, 4, 3))


class Solid(Protocol):
    """What a robot is drawn with: figures alone, until a painter asks for faces."""

    def faces(self) -> Faces:
        """Its faces."""


@dataclass(frozen=True, eq=False)
class Bar:
    """A round bar along a line of points, or one with a square section of the same width."""

    points: np.ndarray
    radius: float
    step: float
    sides: int = 14
    square: bool = False

    def faces(self) -> Faces:
        """Its faces."""
        return bar(self.points, self.radius, self.step, sides=self.sides, square=self.square)


@dataclass(frozen=True, eq=False)
class Ball:
    """A ball."""

    centre: np.ndarray
    radius: float
    bands: int = 9
    sides: int = 16

    def faces(self) -> Faces:
        """Its faces."""
        return ball(self.centre, self.radius, self.bands, self.sides)


@dataclass(frozen=True, eq=False)
class Block:
    """A square box along a unit axis; ``wide`` and ``long`` are half its width and length [m]."""

    centre: np.ndarray
    axis: np.ndarray
    wide: float
    long: float

    def faces(self) -> Faces:
        """Its faces."""
        return block(self.centre, self.axis, self.wide, self.long)


@dataclass(frozen=True, eq=False)
class Brick:
    """A box; its axes are rows, half its edges long ``(3, 3)`` [m]."""

    centre: np.ndarray
    axes: np.ndarray

    def faces(self) -> Faces:
        """Its faces."""
        return brick(self.centre, self.axes)


@dataclass(frozen=True, eq=False)
class Egg:
    """An ellipsoid; half its axes are rows ``(3, 3)`` [m]."""

    centre: np.ndarray
    axes: np.ndarray

    def faces(self) -> Faces:
        """Its faces."""
        return np.asarray(self.centre + ball(np.zeros(3), 1.0, 20, 32) @ self.axes)


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles, places of points in a frame; its axes are rows ``(3, 3)``."""

    points: np.ndarray
    triangles: np.ndarray
    axes: np.ndarray
    centre: np.ndarray

    def faces(self) -> Faces:
        """Its faces."""
        corners = self.centre + self.points @ self.axes
        return np.asarray(corners[self.triangles[:, [0, 1, 2, 2]]])


@dataclass(frozen=True, eq=False)
class Slab:
    """A plate with round corners; ``half`` is half its thickness [m]."""

    outline: np.ndarray
    normal: np.ndarray
    half: float
    rounding: float
    step: float

    def faces(self) -> Faces:
        """Its faces."""
        return plate(self.outline, self.normal, self.half, self.rounding, self.step)


@dataclass(frozen=True, eq=False)
class Cone:
    """The head of an arrow."""

    base: np.ndarray
    tip: np.ndarray
    radius: float

    def faces(self) -> Faces:
        """Its faces."""
        return cone(self.base, self.tip, self.radius)


class Model:
    """Solids with their colours; ``share`` says how far those that are added fade to white."""

    def __init__(self, share: float = 0.0) -> None:
        self.share = share
        self.solids: list[tuple[Solid, str, float]] = []

    def add(self, solid: Solid, colour: str) -> None:
        """Add a solid of one colour."""
        self.solids.append((solid, colour, self.share))

    def arrays(self) -> tuple[Faces, np.ndarray]:
        """All faces ``(n, 4, 3)`` and their colours ``(n, 3)``."""
        faces = [solid.faces() for solid, _, _ in self.solids]
        colours = [
            np.tile(faded(rgb(colour), share), (len(own), 1))
            for own, (_, colour, share) in zip(faces, self.solids, strict=True)
        ]
        return np.concatenate(faces), np.concatenate(colours)


def bar(
    points: np.ndarray, radius: float, step: float, *, sides: int = 14, square: bool = False
) -> Faces:
    """A round bar along a line of points, or one with a square section of the same width."""
    parts = []
    for k, (a, b) in enumerate(pairwise(points)):
        length = float(np.linalg.norm(b - a))
        if length == 0.0:
            continue
        axis = (b - a) / length
        ring = _square(axis, radius) if square else _ring(axis, radius, sides)
        levels = np.linspace(0.0, length, max(1, int(np.ceil(length / step))) + 1)
        rings = a + levels[:, None, None] * axis + ring
        parts += [_fan(rings[0][::-1]), _fan(rings[-1]), _walls(rings)]
        if k > 0:  # a ball hides the kink of an arc
            parts.append(ball(a, radius, 6, sides))
    return np.concatenate(parts) if parts else NONE


def ball(centre: np.ndarray, radius: float, bands: int = 9, sides: int = 16) -> Faces:
    """A ball."""
    axis = np.array([0.0, 0.0, 1.0])
    tilts = np.linspace(-np.pi / 2.0, np.pi / 2.0, bands + 1)[:, None, None]
    rings = centre + radius * (np.sin(tilts) * axis + np.cos(tilts) * _ring(axis, 1.0, sides))
    return _walls(rings)


def block(centre: np.ndarray, axis: np.ndarray, wide: float, long: float) -> Faces:
    """A square box along a unit axis; ``wide`` and ``long`` are half its width and length [m]."""
    return brick(centre, np.concatenate([wide * across(axis), long * axis[None]]))


def brick(centre: np.ndarray, axes: np.ndarray) -> Faces:
    """A box; its axes are rows, half its edges long [m]."""
    faces = []
    for k in range(3):
        u, v, w = (axes[i % 3] for i in (k, k + 1, k + 2))
        face = np.stack([v + w, -v + w, -v - w, v - w])
        faces += [centre + u + face, centre - u + face[::-1]]
    return np.array(faces)


def plate(
    outline: np.ndarray, normal: np.ndarray, half: float, rounding: float, step: float
) -> Faces:
    """A plate with round corners, its faces cut into small ones."""
    edge = _divided(rounded(outline, normal, rounding), step)
    middle = outline.mean(axis=0)
    reach = float(np.linalg.norm(edge - middle, axis=1).max())
    shares = np.linspace(0.0, 1.0, max(2, int(np.ceil(reach / step))) + 1)
    # a narrow rim: sorted by its middle, it still hides the walls behind it
    shares = np.insert(shares, -1, 1.0 - 0.3 * half / reach)[:, None, None]
    top = _walls((middle + shares * (edge - middle))[::-1]) + half * normal
    bottom = (top - 2.0 * half * normal)[:, ::-1]
    return np.concatenate(
        [top, bottom, _walls(np.stack([edge - half * normal, edge + half * normal]))]
    )


def cone(base: np.ndarray, tip: np.ndarray, radius: float, sides: int = 12) -> Faces:
    """The head of an arrow."""
    axis = (tip - base) / np.linalg.norm(tip - base)
    ring = base + _ring(axis, radius, sides)
    return np.concatenate([_fan(ring[::-1]), _fan(ring, tip)])


def normals(faces: Faces) -> np.ndarray:
    """Outward unit normals ``(n, 3)``."""
    n = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
    size = np.linalg.norm(n, axis=1, keepdims=True)
    return np.asarray(n / np.where(size > 0.0, size, 1.0))


def _ring(axis: np.ndarray, radius: float, sides: int) -> np.ndarray:
    x, y = across(axis)
    angles = 2.0 * np.pi * np.arange(sides) / sides
    return np.asarray(radius * (np.cos(angles)[:, None] * x + np.sin(angles)[:, None] * y))


def _square(axis: np.ndarray, half: float) -> np.ndarray:
    x, y = across(axis)
    return half * np.stack([x + y, y - x, -x - y, x - y])


def _fan(ring: np.ndarray, tip: np.ndarray | None = None) -> Faces:
    """Triangles from a ring to its middle, or to a tip."""
    top = np.broadcast_to(ring.mean(axis=0) if tip is None else tip, ring.shape)
    return np.stack([ring, np.roll(ring, -1, axis=0), top, top], axis=1)


def _walls(rings: np.ndarray) -> Faces:
    """Faces between rings ``(m, k, 3)``, each above the last."""
    low, high = rings[:-1], rings[1:]
    faces = np.stack([low, np.roll(low, -1, axis=1), np.roll(high, -1, axis=1), high], axis=2)
    return np.asarray(faces.reshape(-1, 4, 3))


def _divided(outline: np.ndarray, step: float) -> np.ndarray:
    """The same outline with more corners: no edge longer than about ``step``."""
    points = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        pieces = max(1, int(np.ceil(float(np.linalg.norm(b - a)) / step)))
        points += [a + (b - a) * i / pieces for i in range(pieces)]
    return np.array(points)
