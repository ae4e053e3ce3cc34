"""Elastic machines a second time, in maximal coordinates and base axes.

From the library it takes the description, poses of bodies and positions of axes, nothing else.
Every body has nodes in the base's axes: a rigid one its centre of mass, a beam those of its
elements, a body with a matrix its frames.  Beam elements are the closed forms of the textbooks
(J. S. Przemieniecki, *Theory of Matrix Structural Analysis*, 5.6 and 11.3).  Joints, motors and
couplings eliminate displacements one by one (pivoted Gauss), as programs of finite elements do;
what is left is shifted by a little mass, so that nothing is singular that moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh, qr, solve_triangular

import gough

SHIFT = (2.0 * np.pi * 3.0) ** 2
"""Mass times this is added to the stiffness, and taken off again: (2 pi 3 Hz)^2."""


def skew(a: Any) -> np.ndarray:
    """Matrix of the cross-product."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def carried(arm: Any) -> np.ndarray:
    """Displacement of a point per displacement of the node that carries it, 6x6."""
    found = np.eye(6)
    found[:3, 3:] = -skew(arm)
    return found


def plane_stiffness(EI: float, L: float, phi: float) -> np.ndarray:
    """Bending in one plane, ``[v1, theta1, v2, theta2]``, theta being the slope without shear."""
    a, b = 4.0 + phi, 2.0 - phi
    rows = [
        [12.0, 6.0 * L, -12.0, 6.0 * L],
        [6.0 * L, a * L**2, -6.0 * L, b * L**2],
        [-12.0, -6.0 * L, 12.0, -6.0 * L],
        [6.0 * L, b * L**2, -6.0 * L, a * L**2],
    ]
    return EI / ((1.0 + phi) * L**3) * np.array(rows)


def plane_mass(rho_A: float, rho_I: float, L: float, phi: float) -> np.ndarray:
    """Consistent mass of the same, with rotary inertia."""
    a, b = 13 / 35 + 7 * phi / 10 + phi**2 / 3, (11 / 210 + 11 * phi / 120 + phi**2 / 24) * L
    c, d = 9 / 70 + 3 * phi / 10 + phi**2 / 6, (13 / 420 + 3 * phi / 40 + phi**2 / 24) * L
    e, f = (1 / 105 + phi / 60 + phi**2 / 120) * L**2, (1 / 140 + phi / 60 + phi**2 / 120) * L**2
    across = np.array([[a, b, c, -d], [b, e, d, -f], [c, d, a, -b], [-d, -f, -b, e]])
    g, h = 6 / 5, (1 / 10 - phi / 2) * L
    i, j = (2 / 15 + phi / 6 + phi**2 / 3) * L**2, (-1 / 30 - phi / 6 + phi**2 / 6) * L**2
    turning = np.array([[g, h, -g, h], [h, i, -h, j], [-g, -h, g, -h], [h, j, -h, i]])
    return (rho_A * L * across + rho_I / L * turning) / (1.0 + phi) ** 2


def element(
    section: gough.CrossSection, material: gough.Material, L: float, *, shear: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass of a beam element in its own axes, 12x12 each."""
    E, G, rho, A = material.E, material.G, material.density, section.area
    K, M = np.zeros((12, 12)), np.zeros((12, 12))
    bar = np.array([[1.0, -1.0], [-1.0, 1.0]]) / L
    even = np.array([[2.0, 1.0], [1.0, 2.0]]) * L / 6.0
    for at, k, m in (
        ([0, 6], E * A, rho * A),
        ([3, 9], G * section.J, rho * (section.Iy + section.Iz)),
    ):
        K[np.ix_(at, at)] += k * bar
        M[np.ix_(at, at)] += m * even
    # in the plane xz a positive turn about y makes a negative slope
    for at, sign, second, share in (
        ([1, 5, 7, 11], 1.0, section.Iz, section.shear_y),
        ([2, 4, 8, 10], -1.0, section.Iy, section.shear_z),
    ):
        phi = 12.0 * E * second / (G * share * A * L**2) if shear else 0.0
        signs = np.outer([1.0, sign, 1.0, sign], [1.0, sign, 1.0, sign])
        here = np.ix_(at, at)
        K[here] += signs * plane_stiffness(E * second, L, phi)
        M[here] += signs * plane_mass(rho * A, rho * second if shear else 0.0, L, phi)
    return K, M


def section_axes(along: np.ndarray, up: Any) -> np.ndarray:
    """Axes of a section in columns: x along the beam, z towards ``up``."""
    x = along / np.linalg.norm(along)
    up = np.eye(3)[np.argmin(np.abs(x))] if up is None else np.array(up)
    z = up - x * (x @ up)
    z = z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


class Node(NamedTuple):
    """A place whose six displacements count, base axes."""

    first: int
    r: np.ndarray


class Piece(NamedTuple):
    """An elastic part: its stiffness over some displacements."""

    name: str
    at: np.ndarray
    K: np.ndarray


class Yielding:
    """A machine in one posture that gives way.

    Args:
        robot: the machine.
        T_0p: pose of its platform.
        drives: by motor: ``"locked"``, ``"free"``, or its controller's stiffness.
        elements: elements between neighbouring places where something sits on a beam.
        shear: whether beams have shear and rotary inertia.
        loads: payload, forces, and whether rotors count.
    """

    def __init__(
        self,
        robot: gough.Robot,
        T_0p: Any,
        drives: Mapping[str, Any],
        *,
        elements: int = 2,
        shear: bool = True,
        loads: gough.Loads | None = None,
    ) -> None:
        at = gough.posture(robot, T_0p)
        self.robot, self.drives, self.shear, self.elements = robot, drives, shear, elements
        self.loads = loads or gough.Loads()
        self.poses = {n: np.asarray(T) for n, T in at.bodies.items()} | {robot.base: np.eye(4)}
        self.positions = at.joints
        self.nodes: dict[str, list[Node]] = {robot.base: []}
        self.size = 0
        self.pieces: list[Piece] = []
        self.masses: list[tuple[np.ndarray, np.ndarray]] = []
        self.turning: list[np.ndarray] = []
        self.places = [self._place(joint.released) for joint in robot.joints]
        p = self.poses[robot.platform]
        self.origin = p[:3, 3] + p[:3, :3] @ np.array(robot.platform_frame.position)
        for body in robot.bodies:
            self._body(body)
        rotors = [m for m in robot.motors if self._soft(m) and drives[m] != "locked"]
        self.rotors = {motor: self.size + i for i, motor in enumerate(rotors)}
        self.size += len(rotors)
        self.motion = [self._relative(*place) for place in self.places]
        self.axes = self._axes()
        self._joints()
        self._drives()
        self.K, self.heavy = np.zeros((2, self.size, self.size))
        for _, where, K in self.pieces:
            self.K[np.ix_(where, where)] += K
        for where, M in self.masses:
            self.heavy[np.ix_(where, where)] += M
        self.M = self.heavy + sum(self.turning, np.zeros_like(self.heavy))

    def _soft(self, motor: str) -> bool:
        gear = self.robot.axis(motor).transmission
        return gear is not None and gear.stiffness is not None

    def _place(self, joint: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """A joint, axes of its frames A and B, and the points where it sits on its bodies."""
        (R_A, p_A), (R_B, p_B) = (
            (T[:3, :3] @ np.array(f.rotation), T[:3, 3] + T[:3, :3] @ np.array(f.position))
            for T, f in (
                (self.poses[joint.parent], joint.parent_frame),
                (self.poses[joint.child], joint.child_frame),
            )
        )
        if joint.guide is not None:
            T = self.poses[joint.guide.on]
            p_A = p_B = T[:3, 3] + T[:3, :3] @ np.array(joint.guide.at)
        return joint, R_A, R_B, p_A, p_B

    def _body(self, body: gough.Body) -> None:
        R, p = self.poses[body.name][:3, :3], self.poses[body.name][:3, 3]
        sits = [q for j, _, _, a, b in self.places for n, q in ((j.parent, a), (j.child, b))
                if n == body.name]  # fmt: skip
        if body.name == self.robot.platform:
            sits.append(self.origin)
        c = p + R @ np.array(body.center)
        whole = self._lump(body.mass, R @ np.array(body.inertia) @ R.T)
        if body.beam is not None:
            self._beam(body, R, p, sits, carried(c - p).T @ whole @ carried(c - p))
        elif body.stiffness is not None:
            self._matrix(body, R, p, carried(c - p).T @ whole @ carried(c - p))
        else:
            self._add_nodes(body.name, [c])
            self.masses.append((np.arange(self.size - 6, self.size), whole))

    @staticmethod
    def _lump(m: float, inertia: np.ndarray) -> np.ndarray:
        found = np.zeros((6, 6))
        found[:3, :3], found[3:, 3:] = m * np.eye(3), inertia
        return found

    def _add_nodes(self, name: str, points: Any) -> np.ndarray:
        first = self.size
        self.nodes[name] = [Node(first + 6 * i, np.asarray(r)) for i, r in enumerate(points)]
        self.size += 6 * len(points)
        return np.arange(first, self.size)

    def _beam(self, body: Any, R: Any, p: Any, sits: list[np.ndarray], whole: np.ndarray) -> None:
        beam, corners = body.beam, p + np.array(body.beam.points) @ R.T
        ends = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1)))

        def along(q: np.ndarray) -> float:
            best = (np.inf, 0.0)
            for a, b, s in zip(corners, corners[1:], ends[:-1], strict=False):
                e = (b - a) / np.linalg.norm(b - a)
                t = min(max(float(e @ (q - a)), 0.0), float(np.linalg.norm(b - a)))
                best = min(best, (float(np.linalg.norm(a + t * e - q)), s + t))
            return best[1]

        balls = [(place * ends[-1], m) for place, m in beam.lumps]
        wanted = sorted([*ends, *map(along, sits), *(s for s, _ in balls)])
        kept = [wanted[0]]
        kept += [b for a, b in pairwise(wanted) if b - a > 1e-6 * ends[-1]]
        stations = [a + (b - a) * i / self.elements for a, b in pairwise(kept)
                    for i in range(self.elements)] + [kept[-1]]  # fmt: skip
        points = np.array([[np.interp(s, ends, x) for x in corners.T] for s in stations])
        where = self._add_nodes(body.name, points)
        K, M, thick = np.zeros((3, len(where), len(where)))
        for i, (a, b) in enumerate(pairwise(points)):
            piece = np.searchsorted(ends, (stations[i] + stations[i + 1]) / 2.0) - 1
            up = None if beam.up is None else R @ np.array(beam.up)
            turn = np.kron(np.eye(4), section_axes(corners[piece + 1] - corners[piece], up))
            length = float(np.linalg.norm(b - a))
            own = element(beam.section.figures, beam.material, length, shear=self.shear)
            here = slice(6 * i, 6 * i + 12)
            K[here, here] += turn @ own[0] @ turn.T
            M[here, here] += turn @ own[1] @ turn.T
            # the body has the inertia of its thickness by any theory
            own = element(beam.section.figures, beam.material, length, shear=True)
            thick[here, here] += turn @ own[1] @ turn.T
        for s, m in balls:
            i = 6 * int(np.argmin(np.abs(np.array(stations) - s)))
            for mass in (M, thick):
                mass[i : i + 3, i : i + 3] += m * np.eye(3)
        self._with_rest(body.name, p, where, M, whole, thick)
        self.pieces.append(Piece(f"beam of {body.name}", where, K))

    def _with_rest(
        self, name: str, p: Any, where: Any, M: np.ndarray, whole: np.ndarray, known: np.ndarray
    ) -> None:
        """Mass of elastic nodes, and what the body has besides what is known, at the nearest."""
        nodes = self.nodes[name]
        together = np.concatenate([carried(node.r - p) for node in nodes])
        rest = whole - together.T @ known @ together
        m = rest[0, 0]
        if m > 1e-6 * whole[0, 0]:
            c = p + np.array([rest[5, 1], rest[3, 2], rest[4, 0]]) / m  # m skew(c)
            away = [float(np.linalg.norm(node.r - c)) for node in nodes]
            k = int(np.argmin(np.array(away) > min(away) * (1.0 + 1e-9)))
            to = carried(p - nodes[k].r)
            here = slice(6 * k, 6 * k + 6)
            M[here, here] += to.T @ rest @ to
        self.masses.append((where, M))

    def _matrix(self, body: Any, R: Any, p: Any, whole: np.ndarray) -> None:
        given, points = body.stiffness, {}
        for joint, *_, a, b in self.places:
            points |= {joint.name: a} if joint.parent == body.name else {}
            points |= {joint.name: b} if joint.child == body.name else {}
        points["platform"] = self.origin
        where = self._add_nodes(body.name, [points[name] for name in given.frames])
        turn = np.kron(np.eye(2 * len(given.frames)), R)
        M = np.zeros((len(where), len(where)))
        if given.mass is not None:
            M += turn @ np.array(given.mass) @ turn.T
        self._with_rest(body.name, p, where, M, whole, M)
        self.pieces.append(
            Piece(f"body {body.name}", where, turn @ np.array(given.matrix) @ turn.T)
        )

    def displacement(self, body: str, point: np.ndarray) -> np.ndarray:
        """Of a body's point, base axes, per displacement of all nodes ``(6, n)``."""
        found = np.zeros((6, self.size))
        nodes = self.nodes[body]
        if nodes:
            near = min(nodes, key=lambda node: float(np.linalg.norm(node.r - point)))
            found[:, near.first : near.first + 6] = carried(point - near.r)
        return found

    def _relative(self, joint: Any, R_A: Any, R_B: Any, p_A: Any, p_B: Any) -> np.ndarray:
        """Displacement of B less that of what A would carry there, base axes ``(6, n)``."""
        return self.displacement(joint.child, p_B) - carried(p_B - p_A) @ self.displacement(
            joint.parent, p_A
        )

    def _axes(self) -> dict[str, np.ndarray]:
        found = {}
        for (joint, R_A, R_B, *_), xi in zip(self.places, self.motion, strict=True):
            slide, turn, second = R_A[:, 2] @ xi[:3], R_A[:, 2] @ xi[3:], R_B[:, 2] @ xi[3:]
            rows = {
                "revolute": [turn], "helical": [turn], "prismatic": [slide], "fixed": [],
                "universal": [turn, second], "cylindrical": [turn, slide], "spherical": [xi[3:]],
                "planar": [R_A[:, 0] @ xi[:3], R_A[:, 1] @ xi[:3], turn],
                "planar_contact": [R_A[:, :2].T @ xi[:3], xi[3:]],
            }[joint.kind]  # fmt: skip
            found |= dict(zip(joint.axis_names, rows, strict=True))
        return found

    def _joints(self) -> None:
        """Rows that vanish, and springs of bearings."""
        self.rows: list[np.ndarray] = []
        for given, (joint, R_A, R_B, *_), xi in zip(
            self.robot.joints, self.places, self.motion, strict=True
        ):
            x, y, z = R_A.T
            across = np.cross(z, R_B[:, 2])
            radial, axial = [x @ xi[:3], y @ xi[:3]], [z @ xi[:3]]
            tilt, torsion = [x @ xi[3:], y @ xi[3:]], [z @ xi[3:]]
            if joint.kind == "helical":
                axial = [axial[0] - joint.pitch * torsion[0]]
            if joint.kind == "universal":
                tilt = [across @ xi[3:] / np.linalg.norm(across)]
            held = {
                "revolute": {"radial": radial, "axial": axial, "tilt": tilt},
                "helical": {"radial": radial, "axial": axial, "tilt": tilt},
                "prismatic": {"radial": radial, "tilt": tilt, "torsion": torsion},
                "universal": {"radial": radial, "axial": axial, "tilt": tilt},
                "cylindrical": {"radial": radial, "tilt": tilt},
                "spherical": {"radial": radial, "axial": axial},
                "planar": {"axial": axial, "tilt": tilt},
                "planar_contact": {"axial": axial},
                "fixed": {"radial": radial, "axial": axial, "tilt": tilt, "torsion": torsion},
            }[joint.kind]
            bearing = []
            for name, rows in held.items():
                k = None if joint.bearing is None else getattr(joint.bearing, name)
                if k is None:
                    self.rows += rows
                else:
                    bearing += [(row, k) for row in rows]
            if bearing:
                self._springs(f"bearing of {joint.name}", bearing)
            if given.held is not None:
                for name in joint.axis_names:
                    self.rows += list(np.atleast_2d(self.axes[name]))
        for coupling in self.robot.couplings:
            terms = [c * self.axes[name] for name, c in coupling.axes.items()]
            self.rows.append(np.sum(terms, axis=0))

    def _springs(self, name: str, rows: list[tuple[np.ndarray, float]]) -> None:
        K = np.array([np.sqrt(k) * row for row, k in rows])
        where = np.flatnonzero(np.abs(K).max(axis=0))
        self.pieces.append(Piece(name, where, K[:, where].T @ K[:, where]))

    def _drives(self) -> None:
        unit = np.eye(self.size)
        counted: dict[str, np.ndarray] = {}  # what the rotor of a motor turns with; none is held
        for motor in self.robot.motors:
            axis, how = self.axes[motor], self.drives[motor]
            gear = self.robot.axis(motor).transmission
            shaft = unit[self.rotors[motor]] if motor in self.rotors else axis
            if self._soft(motor):
                stretch = axis - shaft if motor in self.rotors else axis
                self._springs(f"gear of {motor}", [(stretch, gear.stiffness)])
            elif how == "locked":
                self.rows.append(axis)
            if how not in ("locked", "free"):
                self._springs(f"controller of {motor}", [(shaft, how)])
            counted[motor] = np.zeros_like(shaft) if how == "locked" else shaft
        held = {n for j in self.robot.joints if j.held is not None for n in j.released.axis_names}
        for name, rows in self.axes.items():
            if name in held:
                continue
            given = self.robot.axis(name)
            if given.spring is not None:
                self._springs(f"spring of {name}", [(rows, given.spring.stiffness)])
            if self.loads.rotors and given.reflected_inertia:
                row = np.atleast_2d(counted.get(name, rows))
                self.turning.append(given.reflected_inertia * row.T @ row)

    def _payload(self) -> tuple[float, np.ndarray, np.ndarray] | None:
        """Mass, displacement of its centre, inertia in base axes."""
        load = self.loads.payload
        if load is None:
            return None
        T = self.poses[self.robot.platform]
        c = T[:3, 3] + T[:3, :3] @ np.asarray(load.center)
        at = self.displacement(self.robot.platform, c)
        return float(load.mass), at, T[:3, :3] @ np.asarray(load.inertia) @ T[:3, :3].T

    @property
    def platform(self) -> np.ndarray:
        """Displacement of the platform's origin ``(6, n)``."""
        return self.displacement(self.robot.platform, self.origin)

    def mass(self) -> np.ndarray:
        """Of all nodes, with the payload."""
        load = self._payload()
        if load is None:
            return self.M
        m, at, inertia = load
        return self.M + at.T @ self._lump(m, inertia) @ at

    def eliminated(self) -> np.ndarray:
        """All displacements per independent one ``(n, r)``: pivoted elimination of all rows."""
        units = np.ones(self.size)
        for nodes in self.nodes.values():
            for node in nodes:
                units[node.first : node.first + 3] = self.robot.length
        if not self.rows:
            return np.diag(units)
        C = np.array(self.rows) * units
        C = C / np.linalg.norm(C, axis=1)[:, None]
        _, R, order = qr(C, mode="economic", pivoting=True)
        rank = int((np.abs(np.diag(R)) > 1e-9 * abs(R[0, 0])).sum())
        T = np.zeros((self.size, self.size - rank))
        T[order[rank:]] = np.eye(self.size - rank)
        T[order[:rank]] = -solve_triangular(R[:rank, :rank], R[:rank, rank:])
        return T * units[:, None]

    @cached_property
    def solved(self) -> tuple[np.ndarray, np.ndarray]:
        """Displacements ``(n, r)`` with ``x'(K + shift M)x = 1``, and their ``1/(w^2 + shift)``."""
        T = self.eliminated()
        M = T.T @ self.mass() @ T
        K = T.T @ self.K @ T + SHIFT * M
        units = 1.0 / np.sqrt(np.diag(K))
        values, vectors = eigh(K * np.outer(units, units))
        kept = values > 1e-14 * values[-1]  # a thin bar between balls has neither where it spins
        white = units[:, None] * vectors[:, kept] / np.sqrt(values[kept])
        shares, modes = eigh(white.T @ M @ white)
        return T @ white @ modes, shares

    def frequencies(self, count: int) -> tuple[np.ndarray, int]:
        """Lowest ones above zero [Hz], and how many motions at zero have mass."""
        _, shares = self.solved
        squares = 1.0 / shares[shares > 1e-13 * shares[-1]] - SHIFT
        squares = np.sort(squares)
        zero = int((squares < 1e-6 * SHIFT).sum())
        return np.sqrt(squares[zero : zero + count]) / (2.0 * np.pi), zero

    def static(self, force: np.ndarray) -> np.ndarray:
        """Displacements under forces, columns ``(n, m)``; what moves freely must feel none."""
        x, shares = self.solved
        loose = 1.0 - SHIFT * shares < 1e-9  # without stiffness
        x = x / np.sqrt(np.where(loose, 1.0, 1.0 - SHIFT * shares))
        felt = np.abs(x[:, loose].T @ force).max(initial=0.0)
        assert felt <= 1e-6 * np.abs(x.T @ force).max(), "something moves freely under this load"
        return x[:, ~loose] @ (x[:, ~loose].T @ force)

    def compliance(self) -> np.ndarray:
        """Of the platform's origin, 6x6."""
        return self.platform @ self.static(self.platform.T)

    def force(self) -> np.ndarray:
        """Weight, springs of axes, forces on bodies ``(n,)``."""
        g, found = np.array(self.robot.gravity), np.zeros(self.size)
        fall = np.zeros(self.size)
        for nodes in self.nodes.values():
            for node in nodes:
                fall[node.first : node.first + 3] = g
        found += self.heavy @ fall  # rotors are balanced
        load = self._payload()
        if load is not None:
            found += load[1][:3].T @ (load[0] * g)
        for name, rows in self.axes.items():
            given = self.robot.axis(name) if name in self.robot.axis_names else None
            if given is not None and given.spring is not None:
                stretch = float(self.positions[name]) - given.spring.rest
                found -= given.spring.stiffness * stretch * rows
        for push in self.loads.forces:
            T = self.poses[push.body]
            at = self.displacement(push.body, T[:3, 3] + T[:3, :3] @ np.asarray(push.point))
            found += at.T @ np.concatenate([push.f, push.n])
        return found

    def energies(self, x: np.ndarray) -> dict[str, float]:
        """Strain energy by part."""
        found: dict[str, float] = {}
        for name, where, K in self.pieces:
            found[name] = found.get(name, 0.0) + float(x[where] @ K @ x[where]) / 2.0
        return found
