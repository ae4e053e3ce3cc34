"""Where the platform is, from directions and lengths of the legs: sums and products.  [OZ] 5.2.1

A leg's tip is ``P + sum d x``, [OZ] (28), (35), as long as its elements join on their axes (or off
them by something that does not turn).  Tips, and directions that the platform keeps, give its pose:
two vectors known in both frames.  Which ones is found once, from samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, cross, homogeneous
from gough.dynamics.elements.decomposition import SLIDES, Branch, Decomposition
from gough.dynamics.elements.kinematics import ElementState
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge
from gough.robot import Joint

# figures of samples closed to 1e-15, in shares of the robot's length
_SAME = 1e-9


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
        kind: "tips" (from one to another), "element" (a direction), or "constant".
        first, second: numbers of tips.
        element: of a direction.
        in_base: of a constant.
        on_platform: in platform axes.
    """

    kind: str
    first: int
    second: int
    element: str
    in_base: np.ndarray
    on_platform: np.ndarray


@dataclass(frozen=True, eq=False)
class PoseFromLegs:
    """How the platform pose follows from directions and lengths.

    Attributes:
        tips: points that legs lead to; the first gives the position.
        vectors: the two that give the rotation.
    """

    tips: tuple[Tip, ...]
    vectors: tuple[Vector, Vector]

    def evaluate(self, x: Mapping[str, Array], d: Mapping[str, Array]) -> Array:
        """The pose ``T_0p``."""
        points = [_lead(tip, x, d) for tip in self.tips]
        a, b = (_in_base(v, points, x) for v in self.vectors)
        R = triad(a, b) @ triad(*(v.on_platform for v in self.vectors)).T
        p = points[0] - R @ self.tips[0].on_platform
        return homogeneous(R, p)


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


def _in_base(v: Vector, points: list[Array], x: Mapping[str, Array]) -> Array:
    if v.kind == "tips":
        return points[v.second] - points[v.first]
    return x[v.element] if v.kind == "element" else v.in_base


def find_pose_from_legs(
    assembly: Assembly, parts: Decomposition, seen: tuple[str, ...]
) -> PoseFromLegs | None:
    """Tips and vectors that give the platform's pose; ``None`` if the legs do not lead to it so."""
    states = [ElementState(Kinematics(assembly, each)) for each in assembly.regular_solutions]
    tips = [tip for tip in (_tip(parts, b, states, seen) for b in _chains(parts)) if tip]
    if not tips:
        return None
    vectors = _vectors(assembly, parts, states, tips, seen)
    best, found = 1e-3, None
    for pair in combinations(vectors, 2):
        sines = []
        for state in states:
            R = state.at.platform.R
            a, b = (R @ v.on_platform for v in pair)
            size = float(np.linalg.norm(a) * np.linalg.norm(b))
            sines.append(float(np.linalg.norm(np.cross(a, b))) / size)
        # constants and directions are exact or seen; tips add up errors: prefer the former
        score = min(sines) * (1.0 if all(v.kind != "tips" for v in pair) else 0.9)
        if score > best:
            best, found = score, pair
    return None if found is None else PoseFromLegs(tuple(tips), found)


def _chains(parts: Decomposition) -> list[tuple[Branch, tuple[TreeEdge, ...], Joint]]:
    """Ways from the base to each joint at the platform's own body."""
    platform, found = parts.robot.platform, []
    for branch in parts.branches:
        by_body = {way.body: way for way in branch.own}
        joints = [
            j
            for j in (*parts.closing, *(w.joint for w in branch.own))
            if platform in (j.parent, j.child)
        ]
        for joint in joints:
            body = joint.child if joint.parent == platform else joint.parent
            ways: list[TreeEdge] = []
            while body in by_body:
                ways.insert(0, by_body[body])
                body = by_body[body].before
            if body == parts.robot.base and joint.kind not in SLIDES:
                found.append((branch, tuple(ways), joint))
    return found


def _tip(
    parts: Decomposition,
    chain: tuple[Branch, tuple[TreeEdge, ...], Joint],
    states: list[ElementState],
    seen: tuple[str, ...],
) -> Tip | None:
    _, ways, last = chain
    platform = parts.robot.platform
    pieces: list[Piece] = []
    at = [np.zeros(3) for _ in states]
    body = parts.robot.base
    for way in (*ways, None):
        joint, sign = (last, 1.0 if last.child == platform else -1.0) if way is None else way[2:]
        ends = []
        for state in states:
            A, B = state.at.frames(joint)
            ends.append((A.p, B.p) if sign > 0 else (B.p, A.p))
        moved = [end[0] - p for end, p in zip(ends, at, strict=True)]
        piece = _piece(parts, body, moved, states, seen)
        if piece is None:
            return None
        pieces.append(piece)
        at = [e[0] for e in ends]
        if way is None:
            break
        if joint.kind in SLIDES:
            found = _slide_piece(parts, joint, sign, states, seen)
            if found is None:
                return None
            pieces.append(found)
        at, body = [e[1] for e in ends], way.body
    T = states[0].at.platform
    on_platform = T.R.T @ (at[0] - T.p)
    return Tip(tuple(pieces), on_platform)


def _piece(
    parts: Decomposition,
    body: str,
    moved: list[np.ndarray],
    states: list[ElementState],
    seen: tuple[str, ...],
) -> Piece | None:
    """A displacement as ``rho x + e`` with constant rho and e, if it is one in every sample."""
    name, size = parts.element_of[body], states[0].assembly.length
    if not name or parts.elements[name].fixed:
        return Piece(moved[0]) if _constant(moved, size) else None
    split = [state.split(body, m) for state, m in zip(states, moved, strict=True)]
    if name not in seen or not _constant([e for _, e in split], size):
        return None
    e = np.where(np.abs(split[0][1]) < 1e-14 * size, 0.0, split[0][1])
    return Piece(e, name, float(split[0][0]))


def _constant(vectors: list[np.ndarray], size: float) -> bool:
    return max(float(np.abs(v - vectors[0]).max()) for v in vectors) < _SAME * size


def _slide_piece(
    parts: Decomposition,
    joint: Joint,
    sign: float,
    states: list[ElementState],
    seen: tuple[str, ...],
) -> Piece | None:
    """A length drawn out along its element's direction, or along one that does not turn."""
    if joint.kind not in ("prismatic", "cylindrical"):
        return None
    name = next(a for a in joint.axis_names if states[0].assembly.axes[a].what == "slide")
    directions = [state.slides(joint)[0][1] for state in states]
    if _constant(directions, 1.0):
        return Piece(np.zeros(3), length=name, sign=sign, fixed=directions[0])
    for element in (parts.element_of[joint.parent], parts.element_of[joint.child]):
        if element in seen:
            along = [s @ state.x[element] for s, state in zip(directions, states, strict=True)]
            if min(abs(a) for a in along) > 1.0 - 1e-12:
                back = sign * float(np.sign(along[0]))
                return Piece(np.zeros(3), element, length=name, sign=back)
    return None


def _vectors(
    assembly: Assembly,
    parts: Decomposition,
    states: list[ElementState],
    tips: list[Tip],
    seen: tuple[str, ...],
) -> list[Vector]:
    """Vectors known in the base and in the platform."""
    nothing = np.zeros(3)
    R = [state.at.platform.R for state in states]
    found = []
    turned = np.vstack([r - R[0] for r in R])
    _, s, Vt = np.linalg.svd(turned)
    for v in Vt[int((s > _SAME).sum()) :]:
        found.append(Vector("constant", 0, 0, "", R[0] @ v, v))
    name = parts.element_of[parts.robot.platform]
    if name in seen and not parts.elements[name].fixed:
        found.append(Vector("element", 0, 0, name, nothing, R[0].T @ states[0].x[name]))
    for i, j in combinations(range(len(tips)), 2):
        v = tips[j].on_platform - tips[i].on_platform
        if np.linalg.norm(v) > 1e-3 * assembly.length:
            found.append(Vector("tips", i, j, "", nothing, v))
    return found
