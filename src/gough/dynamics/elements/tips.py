"""Where the platform is, from directions and lengths of the legs: sums and products.  [OZ] 5.2.1

A leg's tip is ``P + sum d x``, [OZ] (28), (35), as long as its elements join on their axes (or off
them by something that does not turn).  A part of a nacelle that keeps its orientation hands the tip
on to where the platform hangs on it.  Tips, and directions that the platform keeps, give its pose:
two vectors known in both frames.  Where tips do not show how the platform is turned, a leg that
turns it by a universal joint does, if its own turn is seen.  `tip_search.py` finds what is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, cross, homogeneous
from gough.dynamics.elements.decomposition import Decomposition
from gough.geometry.closed_form.steps import swing
from gough.mechanism.mobility.assembly import Assembly


class Piece(NamedTuple):
    """A displacement along a leg, ``e + (rho + sign d) x``.

    Attributes:
        e: what is constant in the base [m].
        element: whose direction x; empty for one that does not turn, ``fixed``.
        rho: how far along it [m].
        length: name of the axis whose position d is added; empty if none.
        sign: of that length.
        fixed: direction of a slide that does not turn.
    """

    e: np.ndarray
    element: str = ""
    rho: float = 0.0
    length: str = ""
    sign: float = 1.0
    fixed: np.ndarray | None = None


class Tip(NamedTuple):
    """A point of the platform that a leg leads to: its pieces, and the point in platform axes."""

    pieces: tuple[Piece, ...]
    on_platform: np.ndarray


class Vector(NamedTuple):
    """A vector known in the base and in the platform.

    Attributes:
        kind: "tips" (from one to another), "element" (a direction), "constant", or "fork" (across
            a constant and an axis that an element carries).
        first, second: numbers of tips.
        element: of a direction, or of the fork.
        in_base: of a constant; of a fork the constant, with the sign of the product.
        on_platform: in platform axes.
        axis: of a fork, where its element is at home, base axes.
    """

    kind: str
    first: int
    second: int
    element: str
    in_base: np.ndarray
    on_platform: np.ndarray
    axis: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class PoseFromLegs:
    """How the platform pose follows from directions and lengths.

    Attributes:
        tips: points that legs lead to; the first gives the position.
        vectors: the two that give the rotation.
        home: directions of elements at home, base axes, which turns are counted from.
    """

    tips: tuple[Tip, ...]
    vectors: tuple[Vector, Vector]
    home: Mapping[str, np.ndarray]

    @property
    def turns(self) -> set[str]:
        """Elements whose turn about themselves is needed."""
        return {v.element for v in self.vectors if v.kind == "fork"}

    @property
    def elements(self) -> set[str]:
        """Elements whose direction is needed."""
        pieces = [piece.element for tip in self._used for piece in tip.pieces]
        return {name for name in (*pieces, *(v.element for v in self.vectors)) if name}

    @property
    def lengths(self) -> set[str]:
        """Lengths that are needed."""
        return {piece.length for tip in self._used for piece in tip.pieces if piece.length}

    @property
    def _used(self) -> list[Tip]:
        numbers = {0} | {i for v in self.vectors if v.kind == "tips" for i in (v.first, v.second)}
        return [self.tips[i] for i in sorted(numbers)]

    def evaluate(
        self,
        x: Mapping[str, Array],
        d: Mapping[str, Array],
        theta: Mapping[str, Array] | None = None,
    ) -> Array:
        """The pose ``T_0p`` from directions, lengths and turns by name."""
        points = {id(tip): _lead(tip, x, d) for tip in self._used}
        numbered = [points.get(id(tip)) for tip in self.tips]
        a, b = (self._in_base(v, numbered, x, theta or {}) for v in self.vectors)
        R = triad(a, b) @ triad(*(v.on_platform for v in self.vectors)).T
        p = numbered[0] - R @ self.tips[0].on_platform
        return homogeneous(R, p)

    def _in_base(
        self,
        v: Vector,
        points: Sequence[Array],
        x: Mapping[str, Array],
        theta: Mapping[str, Array],
    ) -> Array:
        if v.kind == "tips":
            return points[v.second] - points[v.first]
        if v.kind == "fork":
            along, turn = x[v.element], theta[v.element]
            c, s = np.cos(turn), np.sin(turn)
            axis = swing(self.home[v.element], along) @ v.axis
            turned = axis * c + cross(along, axis) * s + along * ((along @ axis) * (1.0 - c))
            return cross(v.in_base, turned)
        return x[v.element] if v.kind == "element" else v.in_base


def triad(a: Array, b: Array) -> Array:
    """Right-handed axes: along a, and in the plane of a and b."""
    e = a / np.sqrt(a @ a)
    n = cross(e, b)
    n = n / np.sqrt(n @ n)
    return collect([e, cross(n, e), n]).T


def _lead(tip: Tip, x: Mapping[str, Array], d: Mapping[str, Array]) -> Array:
    p: Array = np.zeros(3)
    for piece in tip.pieces:
        p = p + piece.e
        along: Array = piece.rho + d[piece.length] * piece.sign if piece.length else piece.rho
        if piece.element:
            p = p + x[piece.element] * along
        elif piece.fixed is not None:
            p = p + piece.fixed * along
    return p


def swung(assembly: Assembly, parts: Decomposition, name: str, x: np.ndarray) -> np.ndarray:
    """Orientation of an element that points along x by the smallest swing from home."""
    home = assembly.equations(*assembly.start).body_poses[name].R
    return np.asarray(swing(home @ parts.elements[name].x, x) @ home)
