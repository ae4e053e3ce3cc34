"""Every body as coordinates of small displacements, with stiffness and mass, in its own axes.

A rigid body has six: the displacement ``[u; theta]`` of its origin.  A beam has six a node, or,
reduced, six for each place where something sits on it and a few modes.  A body with a stiffness
matrix has six for each of its frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from gough.elastic.mesh import Mesh, cut, shift
from gough.elastic.reduction import reduced
from gough.elastic.rest import (
    left_over,
    moments_of,
    moments_of_matrix,
    rigid_mass,
    slack_of,
)
from gough.errors import InputError
from gough.robot import Body

_MOST = 64  # points of a body whose displacements are kept

_MOST_ELEMENTS = 1000  # of a beam: matrices of more take minutes, and then all memory

FINE = 16
"""Elements between neighbouring nodes of a beam that is reduced afterwards.

The second bending mode of a clamped piece is then right to 8e-5.
"""


class Lump(NamedTuple):
    """A rigid body that a node carries.

    Attributes:
        node: its number.
        m: mass [kg].
        arm: from the node to its centre, body axes [m].
        second: second moments about the centre [kg m^2].
    """

    node: int
    m: float
    arm: np.ndarray
    second: np.ndarray


@dataclass(frozen=True, eq=False)
class BodyModel:
    """A body's small displacements about a posture, in the body's own axes.

    Attributes:
        body: its description.
        strains: per coordinate ``(m, n)``; half the sum of their squares is the strain energy.
        mass: ``(n, n)``.
        rigid: coordinates per motion ``[u; theta]`` of the body as a whole about its origin
            ``(n, 6)``.
        turns: coordinates that are angles or have no unit of length ``(n,)``.
        damping: loss factor of its strain energy.
        mesh: of a beam.
        spread: displacements of the mesh's nodes per coordinate ``(6k, n)``.
        points: origins of the frames that a stiffness matrix relates, body axes ``(k, 3)`` [m].
        frames: their names; several may have one origin.
        combined: of a beam, its strains per strain of its elements ``(m, 6(k - 1))``.
        lumps: rigid bodies that its nodes carry.
    """

    body: Body
    strains: np.ndarray
    mass: np.ndarray
    rigid: np.ndarray
    turns: np.ndarray
    damping: float = 0.0
    mesh: Mesh | None = None
    spread: np.ndarray | None = None
    points: np.ndarray | None = None
    frames: tuple[str, ...] = ()
    combined: np.ndarray | None = None
    lumps: tuple[Lump, ...] = ()
    _known: dict[bytes, np.ndarray] = field(default_factory=dict, repr=False)

    def arm(self, point: np.ndarray, frame: str = "") -> np.ndarray:
        """From the node that carries a point to the point, body axes [m]; see :meth:`at`."""
        if self.mesh is not None:
            return self.mesh.arm(point)
        if self.points is None:
            return point
        return np.asarray(point - self.points[_carrier(self.points, self.frames, point, frame)])

    def turns_of(self, node: int) -> np.ndarray:
        """Turn of a node per coordinate ``(3, n)``, body axes."""
        rows = slice(6 * node + 3, 6 * node + 6)
        return np.asarray((np.eye(self.size) if self.spread is None else self.spread)[rows])

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return len(self.turns)

    @property
    def moments(self) -> np.ndarray:
        """Force on every coordinate per acceleration of free fall, body axes ``(n, 3)``."""
        return np.asarray(self.mass @ self.rigid[:, :3])

    def at(self, point: np.ndarray, frame: str = "") -> np.ndarray:
        """Displacement ``[u; theta]`` of a point, body axes [m], per coordinate ``(6, n)``.

        Of a beam it is that of the section nearest to the point, of a body with a stiffness matrix
        that of a frame, which carry the point rigidly.

        Args:
            point: the point.
            frame: name of the joint that sits there, whose frame it is; the nearest one if none.
        """
        if self.mesh is not None and self.spread is not None:
            key = point.round(12).tobytes()  # joints sit where they sat in the posture before
            found = self._known.get(key)
            if found is None:
                found = np.asarray(self.mesh.at(point) @ self.spread)
                if len(self._known) < _MOST:
                    self._known[key] = found
            return found
        if self.points is None:
            return shift(point)
        k = _carrier(self.points, self.frames, point, frame)
        found = np.zeros((6, self.size))
        found[:, 6 * k : 6 * k + 6] = shift(point - self.points[k])
        return found


def _carrier(points: np.ndarray, frames: tuple[str, ...], point: np.ndarray, frame: str) -> int:
    """The frame of a stiffness matrix that carries a point: by name, or the nearest."""
    if frame in frames:
        return frames.index(frame)
    return int(np.argmin(np.linalg.norm(points - point, axis=1)))


def rigid_body(body: Body) -> BodyModel:
    """A body that does not bend."""
    m, s, second = moments_of(body)
    c = s / m if m else np.zeros(3)
    second = second - m * np.outer(c, c)
    turns = np.array([False] * 3 + [True] * 3)
    lumps = (Lump(0, m, c, second),)
    mass = rigid_mass(m, c, second)
    return BodyModel(body, np.zeros((0, 6)), mass, np.eye(6), turns, lumps=lumps)


def beam_body(
    body: Body, points: Sequence[np.ndarray], elements: int | None, modes: int, *, shear: bool
) -> BodyModel:
    """A body with a beam.

    Args:
        body: the body.
        points: where joints, and the platform's frame, sit on it, body axes [m].
        elements: elements between neighbouring nodes; reduced from a fine mesh if not given.
        modes: modes that are kept when it is reduced.
        shear: whether shear and rotary inertia count.
    """
    beam = body.beam
    if beam is None:
        raise LookupError(body.name)  # bodies without a beam are modelled by the others
    balls = [(_on_line(beam.points, place), m) for place, m in beam.lumps]
    pieces = len(beam.points) - 1 + len(points) + len(balls)
    if elements is not None and elements * pieces > _MOST_ELEMENTS:
        raise InputError(
            f"elements is {elements}: the beam of {body.name!r} would have up to "
            f"{elements * pieces} of them, {_MOST_ELEMENTS} are the most",
            hint="16 elements of a piece are right to 1e-4; without elements= a fine mesh is "
            "reduced.",
            argument="elements",
        )
    mesh = cut(beam, [*points, *(p for p, _ in balls)], elements or FINE, shear=shear)
    nothing = np.zeros((3, 3))
    lumps = [_lump(mesh, m, point, nothing) for point, m in balls]
    rigid = np.concatenate([shift(node) for node in mesh.nodes])
    # a body weighs the same by any theory: thickness that Euler-Bernoulli leaves out is no rest
    thick = mesh if shear else replace(mesh, shear=True)
    own = moments_of_matrix(rigid.T @ _with_lumps(thick.mass, lumps) @ rigid)
    what = "its beam with its lumps" if lumps else "its beam"
    rest = left_over(body, own, slack_of(mesh), what)
    if rest is not None:
        lumps.append(_lump(mesh, rest.m, rest.s, rest.second))
    mass = _with_lumps(mesh.mass, lumps)
    turns = np.tile([False] * 3 + [True] * 3, len(mesh.nodes))
    damping = beam.material.damping
    if elements is not None:
        whole = np.eye(6 * len(mesh.nodes))
        return BodyModel(
            *(body, mesh.strains, mass, rigid, turns, damping, mesh, whole),
            combined=np.eye(len(mesh.strains)),
            lumps=tuple(lumps),
        )
    kept = sorted({mesh.nearest_node(point) for point in points})
    spread = reduced(mesh.stiffness, mass, kept, modes)
    boundary = np.concatenate([shift(mesh.nodes[node]) for node in kept])
    free = spread.shape[1] - len(boundary)
    combination, strains = np.linalg.qr(mesh.strains @ spread)  # as many as coordinates
    return BodyModel(
        body,
        strains,
        spread.T @ mass @ spread,
        np.concatenate([boundary, np.zeros((free, 6))]),
        np.append(np.tile([False] * 3 + [True] * 3, len(kept)), np.ones(free, dtype=bool)),
        damping,
        mesh,
        spread,
        combined=combination.T,
        lumps=tuple(lumps),
    )


def matrix_body(body: Body, points: np.ndarray) -> BodyModel:
    """A body with a stiffness matrix between frames at points, body axes ``(k, 3)`` [m]."""
    given = body.stiffness
    if given is None:
        raise LookupError(body.name)
    count = len(points)
    mass = np.zeros((6 * count, 6 * count)) if given.mass is None else np.array(given.mass)
    rigid = np.concatenate([shift(point) for point in points])
    own = moments_of_matrix(rigid.T @ mass @ rigid)
    turns = np.tile([False] * 3 + [True] * 3, count)
    unit = np.where(turns, 1.0, given.natural_length(points))
    strains = _strains(np.array(given.matrix), rigid, unit)
    found = BodyModel(
        *(body, strains, mass, rigid, turns, given.damping), points=points, frames=given.frames
    )
    rest = left_over(body, own, 0.0, "the mass matrix")
    if rest is None:
        return found
    node = int(np.argmin(np.linalg.norm(points - rest.s, axis=1)))
    lump = Lump(node, rest.m, rest.s - points[node], rest.second)
    return replace(found, mass=_with_lumps(mass, [lump]), lumps=(lump,))


def _strains(stiffness: np.ndarray, rigid: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Rows whose squares are a stiffness, and which motions of the whole body leave at zero.

    Args:
        stiffness: ``(n, n)``, with six motions of the whole body that take no force, to rounding.
        rigid: these motions, columns ``(n, 6)``.
        unit: natural unit of each coordinate ``(n,)``.
    """
    whole, _ = np.linalg.qr(rigid / unit[:, None])
    others = np.eye(len(unit)) - whole @ whole.T
    values, vectors = np.linalg.eigh(others @ (stiffness * unit[:, None] * unit) @ others)
    kept = values > 1e-12 * values[-1]
    rows = np.sqrt(values[kept])[:, None] * (vectors[:, kept].T @ others)
    return np.asarray(rows / unit)


def _lump(mesh: Mesh, m: float, point: np.ndarray, second: np.ndarray) -> Lump:
    """A rigid body at a point, carried by the nearest node."""
    node = mesh.nearest_node(point)
    return Lump(node, m, point - mesh.nodes[node], second)


def _with_lumps(mass: np.ndarray, lumps: Sequence[Lump]) -> np.ndarray:
    """Mass of nodes with the rigid bodies that they carry."""
    found = mass.copy()
    for node, m, arm, second in lumps:
        here = slice(6 * node, 6 * node + 6)
        found[here, here] += rigid_mass(m, arm, second)
    return found


def _on_line(points: Sequence[Sequence[float]], place: float) -> np.ndarray:
    """The point at a share of the length of a line of points."""
    corners = np.array(points)
    ends = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    return np.array([np.interp(place * ends[-1], ends, corners[:, i]) for i in range(3)])
