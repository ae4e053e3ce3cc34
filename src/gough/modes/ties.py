"""Platforms held by points on spheres and circles, in space.

A ball on a strut keeps a point of the platform on a sphere: one equation; a ball on a crank keeps
it on a circle: two.  Six equations from such ties are six quadrics on Study's, with as many common
points as general ties of the same numbers have: 40 for six spheres, 16 for three circles.  The
points of one general platform of each kind are known (``starts.npz``); the given platform is
reached from it by a straight path of its parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import counted
from gough.modes.quadrics import Ends, Homotopy
from gough.modes.study import forms, point, poses

_AGREES = 1e-8  # entries of a demand, scaled, that must match those of a sphere or a plane


class PointConstraints(NamedTuple):
    """Points of a platform on spheres, the last of them also in planes.

    Attributes:
        a: centres, in the base ``(k, 3)``.
        b: points, in the platform ``(k, 3)``.
        c: squares of the radii ``(k,)``.
        n: normals of planes, of the last ``j`` points ``(j, 3)``.
        d: ``n . (t + R b)`` ``(j,)``.
    """

    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    n: np.ndarray
    d: np.ndarray

    @property
    def kind(self) -> str:
        """How many spheres and circles."""
        circles = len(self.d)
        return f"{len(self.c) - circles} spheres, {circles} circles"

    def __str__(self) -> str:
        circles = len(self.d)
        counts = ((len(self.c) - circles, "sphere"), (circles, "circle"))
        return f"points on {' and '.join(counted(n, word) for n, word in counts if n)}"

    def rows(self) -> np.ndarray:
        """Demands on features of the pose."""
        spheres = [
            np.concatenate(
                [[1.0], -2.0 * a, 2.0 * b, -2.0 * np.outer(a, b).ravel(), [a @ a + b @ b - c]]
            )
            for a, b, c in zip(self.a, self.b, self.c, strict=True)
        ]
        turned = self.b[len(self.c) - len(self.d) :]
        planes = [
            np.concatenate([[0.0], n, np.zeros(3), np.outer(n, b).ravel(), [-d]])
            for n, b, d in zip(self.n, turned, self.d, strict=True)
        ]
        return np.array(spheres + planes)

    def towards(self, other: PointConstraints, s: float) -> PointConstraints:
        """Constraints on the straight way to others."""
        return PointConstraints(*(x + s * (y - x) for x, y in zip(self, other, strict=True)))


@dataclass(frozen=True, eq=False)
class Start:
    """A general platform, complex, and all its points.

    Attributes:
        ties: its ties.
        points: on Study's quadric ``(paths, 8)``.
        patch: of the homogeneous unknowns.
    """

    ties: PointConstraints
    points: np.ndarray
    patch: np.ndarray


@cache
def starts() -> dict[str, Start]:
    """General platforms by the kind of their ties."""
    with (files("gough.modes") / "starts.npz").open("rb") as stream:
        data = np.load(stream, allow_pickle=False)
        found = {}
        for kind in data["kinds"].tolist():
            ties = PointConstraints(*(data[f"{kind}/{name}"] for name in PointConstraints._fields))
            found[kind] = Start(ties, data[f"{kind}/points"], data[f"{kind}/patch"])
    return found


def tied_poses(ties: PointConstraints) -> tuple[np.ndarray, np.ndarray, int]:
    """Candidates ``(k, 4, 4)``, poses near which paths were lost, and how many paths there were.

    Two paths meet on their way only by coincidence; then another way to the same platform is taken.
    At its end they meet where modes do.
    """
    start = starts()[ties.kind]
    ends = _led(start, [start.ties, ties])
    found, rough = ends.real(), ends.rough()
    if len(rough):
        rng = np.random.default_rng(4)
        corner = PointConstraints(*(_beside(x, rng) for x in start.ties))
        again = _led(start, [start.ties, corner, ties])
        found = np.concatenate([found, again.real()])
        rough = min(rough, again.rough(), key=len)
    return _with_rotation(found), _with_rotation(rough), len(start.points)


def _with_rotation(u: np.ndarray) -> np.ndarray:
    """Poses of real points; those without rotation are none of a pose."""
    return poses(u[np.abs(u[:, :4]).max(axis=1, initial=0.0) > 1e-6])


def _led(start: Start, way: list[PointConstraints]) -> Ends:
    """Ends of the paths that lead a platform along a way; those lost on it are lost."""
    points, lost = start.points, np.zeros(len(start.points), dtype=bool)
    for here, there in pairwise(way):
        ends = between(here, there, start.patch).follow(points)
        points, lost = ends.points, lost | (ends.lost if there is way[-1] else ~ends.arrived)
    return Ends(points, ends.arrived & ~lost, lost)


def between(here: PointConstraints, there: PointConstraints, patch: np.ndarray) -> Homotopy:
    """The quadrics on the straight way from some ties to others."""
    first, middle, last = (forms(here.towards(there, s).rows()) for s in (0.0, 0.5, 1.0))
    return Homotopy.through(first, middle, last, patch)


def _beside(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(x + rng.normal(size=x.shape) + 1j * rng.normal(size=x.shape))


def read_ties(chains: tuple[np.ndarray, ...]) -> PointConstraints | None:
    """Read demands as points on spheres and circles; ``None`` if they are something else."""
    spheres, circles = [], []
    for rows in chains:
        if len(rows) > 2:
            return None
        sphere, flat = _parted(rows)
        read = None if sphere is None else _sphere(sphere)
        if read is None or len(flat) != len(rows) - 1:
            return None
        if not len(flat):
            spheres.append(read)
            continue
        a, b, c = read
        plane = _plane(flat[0], b)
        if plane is None:
            return None
        circles.append((a, b, c, *plane))
    if not spheres and not circles:
        return None
    return _six(spheres, circles)


def _six(spheres: list[Any], circles: list[Any]) -> PointConstraints | None:
    """Constraints that make six equations and hold the platform; others only choose among poses."""
    for j in range(len(circles), -1, -1):
        rest = 6 - 2 * j
        if not 0 <= rest <= len(spheres):
            continue
        kept = spheres[:rest] + circles[:j]
        n, d = (np.array([t[k] for t in circles[:j]]) for k in (3, 4))
        a, b, c = (np.array([t[k] for t in kept]) for k in range(3))
        ties = PointConstraints(a, b, c, n.reshape(-1, 3), d)
        if ties.kind in starts():
            return ties
    return None


def _parted(rows: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """The row with ``|t|^2``, scaled, and those without."""
    largest = int(np.abs(rows[:, 0]).argmax())
    if abs(rows[largest, 0]) < 1e-9:
        return None, rows
    sphere = rows[largest] / rows[largest, 0]
    others = np.delete(rows, largest, axis=0)
    flat = others - others[:, :1] * sphere
    return sphere, flat / np.linalg.norm(flat, axis=1, keepdims=True) if len(flat) else flat


def _sphere(row: np.ndarray) -> tuple[np.ndarray, np.ndarray, float] | None:
    a, b = -row[1:4] / 2.0, row[4:7] / 2.0
    fits = np.abs(row[7:16].reshape(3, 3) + 2.0 * np.outer(a, b)).max() < _AGREES
    return (a, b, float(a @ a + b @ b - row[16])) if fits else None


def _plane(row: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float] | None:
    n = row[1:4]
    fits = np.abs(row[4:7]).max() < _AGREES
    fits = fits and np.abs(row[7:16].reshape(3, 3) - np.outer(n, b)).max() < _AGREES
    return (n, float(-row[16])) if fits else None


def architecture_is_singular(ties: PointConstraints) -> bool:
    """Whether the ties leave the platform a motion in every pose, as similar hexagons do.

    Computes the rank of all gradients in six random poses.
    """
    rng = np.random.default_rng(3)
    smallest = []
    for x, t in zip(rng.normal(size=(6, 4)), rng.normal(size=(6, 3)), strict=True):
        T = poses(point(x, t)[None])[0]
        arms = ties.b @ T[:3, :3].T
        along = T[:3, 3] + arms - ties.a
        rows = [np.concatenate([u, np.cross(r, u)]) for u, r in zip(along, arms, strict=True)]
        turned = arms[len(ties.c) - len(ties.d) :]
        rows += [np.concatenate([n, np.cross(r, n)]) for n, r in zip(ties.n, turned, strict=True)]
        J = np.array(rows)
        s = np.linalg.svd(J / np.linalg.norm(J, axis=1, keepdims=True), compute_uv=False)
        smallest.append(s[-1] / s[0])
    return bool(max(smallest) < 1e-9)  # rounding leaves 1e-15, and random poses are not singular
