"""Dynamics in maximal coordinates: six numbers a body, every joint a set of equations.

A second opinion on efforts, accelerations and reactions.  It takes from the library nothing but
the description of a robot, where its bodies are and how fast they move::

    phi = 0,    J V = 0,    J a + bias = 0,    M a = f + J^T lambda

V stacks the twists ``[v; omega]`` of all body frames, base axes, the base itself last: it does not
move, but joints pull at it.  J^T lambda of one joint, on its child, is the joint's reaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

import gough
from gough.robot.joint_kinds import KINDS

# Singular values of the constraints, lengths in units of the machine, are above 5e-3 in the
# machines tested; of a zero, rounding leaves 1e-15.
RANK = 1e-8


def skew(a: np.ndarray) -> np.ndarray:
    """Matrix of the cross product."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


class Jet(NamedTuple):
    """Something that moves: its rate is ``J V``, its acceleration ``J a + bias``."""

    x: Any
    J: np.ndarray
    rate: Any
    bias: Any

    def __sub__(self, other: Jet) -> Jet:
        return Jet(*(a - b for a, b in zip(self, other, strict=True)))


def dot(a: Jet, b: Jet) -> Jet:
    """Scalar product of two vectors."""
    bias = a.x @ b.bias + 2.0 * a.rate @ b.rate + b.x @ a.bias
    return Jet(a.x @ b.x, a.x @ b.J + b.x @ a.J, a.x @ b.rate + b.x @ a.rate, bias)


def spin(a: Jet, w: Jet, x: float) -> Jet:
    """Part of an angular velocity along a vector, the rate of an angle x."""
    return Jet(x, a.x @ w.J, a.x @ w.rate, a.x @ w.bias + a.rate @ w.rate)


def stack(jets: list[Jet]) -> Jet:
    """Scalars as one vector."""
    return Jet(*(np.array(column) for column in zip(*jets, strict=True)))


class Ends:
    """The two frames of a joint, A on the parent and B on the child."""

    def __init__(self, machine: Machine, joint: gough.Joint) -> None:
        self.kind, self.pitch = joint.kind, joint.pitch
        self.parent, self.child = machine.index[joint.parent], machine.index[joint.child]
        p_A, self.A, w_A = machine.frame(self.parent, joint.parent_frame)
        p_B, self.B, w_B = machine.frame(self.child, joint.child_frame)
        self.d, self.w = p_B - p_A, w_B - w_A
        self._arm = machine.poses[self.child][:3, 3] - p_B.x

    def _axes(self) -> tuple[np.ndarray, np.ndarray]:
        R_A, R_B = (np.stack([e.x for e in axes], axis=1) for axes in (self.A, self.B))
        return R_A, R_B

    @property
    def to_B(self) -> np.ndarray:
        """Wrenches from the child's origin in base axes to B."""
        _, R_B = self._axes()
        return np.block([[R_B.T, np.zeros((3, 3))], [R_B.T @ skew(self._arm), R_B.T]])

    @property
    def B_to_A(self) -> np.ndarray:
        """Wrenches from B to A."""
        R_A, R_B = self._axes()
        R = R_A.T @ R_B
        return np.block([[R, np.zeros((3, 3))], [R @ skew(R_B.T @ self.d.x), R]])

    def along(self, *axes: int) -> list[Jet]:
        """How far the origin of B is from that of A, along axes of A."""
        return [dot(self.A[k], self.d) for k in axes]

    def across(self, *pairs: tuple[int, int]) -> list[Jet]:
        """Cosines between axes of A and of B."""
        return [dot(self.A[a], self.B[b]) for a, b in pairs]

    def angle(self) -> Jet:
        """Angle about the common z axis."""
        sin, cos = self.A[1].x @ self.B[0].x, self.A[0].x @ self.B[0].x
        return spin(self.A[2], self.w, np.arctan2(sin, cos))

    def helix(self) -> Jet:
        """Advance along z less what the screw gives, whole turns aside."""
        s, q, pitch = self.along(2)[0], self.angle(), self.pitch
        gap = s.x - pitch * q.x
        gap -= 2.0 * np.pi * pitch * np.round(gap / (2.0 * np.pi * pitch))
        return Jet(gap, *(a - pitch * b for a, b in zip(s[1:], q[1:], strict=True)))

    def constraints(self) -> list[Jet]:
        """What the joint holds at zero."""
        origins, tilt, turn = self.along(0, 1, 2), self.across((0, 2), (1, 2)), self.across((0, 1))
        return {
            "revolute": lambda: origins + tilt,
            "prismatic": lambda: origins[:2] + tilt + turn,
            "helical": lambda: [*origins[:2], *tilt, self.helix()],
            "universal": lambda: origins + self.across((2, 2)),
            "cylindrical": lambda: origins[:2] + tilt,
            "spherical": lambda: origins,
            "planar": lambda: origins[2:] + tilt,
            "planar_contact": lambda: origins[2:],
            "fixed": lambda: origins + tilt + turn,
        }[self.kind]()

    def freedoms(self) -> list[Jet]:
        """What the joint leaves free, axis by axis; balls and planes have no coordinate."""
        (x_A, y_A, z_A), (x_B, y_B, z_B) = self.A, self.B
        # R_AB = Rz(first) Rx(pi/2) Rz(second): z_B is (sin, -cos, 0) in A, z_A (sin, cos, 0) in B
        first = np.arctan2(x_A.x @ z_B.x, -y_A.x @ z_B.x)
        second = np.arctan2(x_B.x @ z_A.x, y_B.x @ z_A.x)
        return {
            "revolute": lambda: [self.angle()],
            "prismatic": lambda: self.along(2),
            "helical": lambda: [self.angle()],
            "universal": lambda: [spin(z_A, self.w, first), spin(z_B, self.w, second)],
            "cylindrical": lambda: [self.angle(), *self.along(2)],
            "spherical": lambda: [self.w],
            "planar": lambda: [*self.along(0, 1), self.angle()],
            "planar_contact": lambda: [stack(self.along(0, 1)), self.w],
            "fixed": lambda: [],
        }[self.kind]()


class Axis(NamedTuple):
    """An axis of a joint: what it does, its motion, and what the description says of it."""

    name: str
    joint: int
    what: str
    motion: Jet
    given: gough.Axis

    def held(self, near: float | None, loads: gough.Loads) -> np.ndarray:
        """Effort of friction and spring; ``near`` tells which turn an angle is on."""
        qd, x = np.atleast_1d(self.motion.rate), self.motion.x
        effort = np.zeros(len(qd))
        if loads.friction:
            speed = np.sqrt(qd @ qd + (loads.smoothing or 0.0) ** 2)
            effort -= self.given.viscous * qd + self.given.coulomb * qd / (speed or 1.0)
        if self.given.spring is not None:
            if self.what == "turn" and near is not None:
                x += 2.0 * np.pi * np.round((near - x) / (2.0 * np.pi))
            effort -= self.given.spring.stiffness * (x - self.given.spring.rest)
        return effort


class Answer(NamedTuple):
    """What the machine does.

    Attributes:
        rates: plain time derivative of every body's twist.
        wrenches: what each joint's parent exerts on its child, ``(J, 6)``, about B's origin and in
            B's axes; of least norm where several would do, moments divided by ``length``.
        loose: directions ``(J, 6, k)``, orthonormal in the same units, that may be added freely.
    """

    rates: dict[str, np.ndarray]
    wrenches: np.ndarray
    loose: np.ndarray


class Machine:
    """A robot in one state: poses and twists of its bodies, and a length to measure by."""

    def __init__(
        self,
        robot: gough.Robot,
        poses: Mapping[str, np.ndarray],
        twists: Mapping[str, np.ndarray],
        length: float,
    ) -> None:
        names = [*(b.name for b in robot.bodies), robot.base]
        self.robot, self.length = robot, length
        self.index = {name: i for i, name in enumerate(names)}
        self.poses = [*(np.asarray(poses[n]) for n in names[:-1]), np.eye(4)]
        self.V = np.concatenate([*(twists[n] for n in names[:-1]), np.zeros(6)])
        self.ends = [Ends(self, j) for j in robot.joints]
        held = [e.constraints() for e in self.ends]
        self.rows = np.repeat(np.arange(len(held)), [len(h) for h in held])
        self.axes = [
            Axis(name, i, what, motion, given)
            for i, (e, j) in enumerate(zip(self.ends, robot.joints, strict=True))
            for name, what, motion, given in zip(
                j.axis_names, KINDS[j.kind].axes.values(), e.freedoms(), j.axes, strict=True
            )
        ]
        coupled = [self._coupling(each) for each in robot.couplings]
        self.constraints = stack([phi for h in (*held, coupled) for phi in h])

    def _coupling(self, coupling: gough.Coupling) -> Jet:
        """What a coupling holds at zero, whole turns aside: of a turn any number may be missing."""
        by_name = {axis.name: axis for axis in self.axes}
        terms = [(by_name[name].motion, c) for name, c in coupling.axes.items()]
        found = [sum(m[k] * c for m, c in terms) for k in range(4)]
        return Jet(found[0] - coupling.offset, *found[1:])

    def frame(self, body: int, on: gough.Frame) -> tuple[Jet, list[Jet], Jet]:
        """Origin, axes and angular velocity of a frame on a body."""
        T, span = self.poses[body], slice(6 * body, 6 * body + 6)
        eye, none = np.eye(3), np.zeros((3, 3))
        W = skew(self.V[span][3:])
        centripetal = W @ W

        def moving(x: np.ndarray, J_own: list[np.ndarray], bias: np.ndarray) -> Jet:
            J = np.zeros((3, len(self.V)))
            J[:, span] = np.hstack(J_own)
            return Jet(x, J, J @ self.V, bias)

        r, axes = T[:3, :3] @ np.array(on.position), T[:3, :3] @ np.array(on.rotation)
        return (
            moving(T[:3, 3] + r, [eye, -skew(r)], centripetal @ r),
            [moving(e, [none, -skew(e)], centripetal @ e) for e in axes.T],
            moving(np.full(3, np.nan), [none, eye], np.zeros(3)),
        )

    def bodies(self, given: gough.Loads) -> tuple[np.ndarray, np.ndarray]:
        """Inertia and forces of all bodies: weight, gyroscopic terms, loads."""
        n, g = len(self.V), np.array(self.robot.gravity)
        M, f = np.zeros((n, n)), np.zeros(n)
        lumps = [(b.name, b.mass, b.center, b.inertia) for b in self.robot.bodies]
        p = given.payload
        lumps += [] if p is None else [(self.robot.platform, p.mass, p.center, p.inertia)]
        for name, mass, center, inertia in lumps:
            i = 6 * self.index[name]
            R, w = self.poses[self.index[name]][:3, :3], self.V[i + 3 : i + 6]
            c, I_c = R @ np.asarray(center), R @ np.asarray(inertia) @ R.T
            to_c = np.hstack([np.eye(3), -skew(c)])  # velocity of the mass centre
            M[i : i + 6, i : i + 6] += mass * to_c.T @ to_c
            M[i + 3 : i + 6, i + 3 : i + 6] += I_c
            f[i : i + 6] += to_c.T @ (mass * (g - np.cross(w, np.cross(w, c))))
            f[i + 3 : i + 6] -= np.cross(w, I_c @ w)
        for push in given.forces:
            i = 6 * self.index[push.body]
            arm = self.poses[self.index[push.body]][:3, :3] @ push.point
            f[i : i + 3] += push.f
            f[i + 3 : i + 6] += np.cross(arm, push.f) + push.n
        return M, f

    def equations(
        self,
        tau: np.ndarray,
        loads: gough.Loads | None = None,
        near: Mapping[str, Any] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, float, np.ndarray]]]:
        """Inertia and forces of ``M a = f + J^T lambda``; rows, inertia and effort of every axis.

        The arguments are those of :meth:`solve`.
        """
        loads = loads or gough.Loads()
        M, f = self.bodies(loads)
        motors = dict(zip(self.robot.motors, tau, strict=True))
        pulls = []
        for axis in self.axes:
            rows, bias = np.atleast_2d(axis.motion.J), np.atleast_1d(axis.motion.bias)
            inertia = axis.given.reflected_inertia if loads.rotors else 0.0
            held = axis.held((near or {}).get(axis.name), loads)
            effort = motors.get(axis.name, 0.0) + held
            pulls.append((rows, inertia, effort - inertia * bias))
            f += rows.T @ pulls[-1][2]
            M += inertia * rows.T @ rows
        return M, f, pulls

    def solve(
        self,
        tau: np.ndarray,
        loads: gough.Loads | None = None,
        near: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Accelerations and reactions under motor efforts and loads.

        ``near`` tells the springs which turn an angle is on: any value within half a turn of it.
        """
        M, f, pulls = self.equations(tau, loads, near)
        a, multipliers, idle = self._accelerations(M, f)
        wrenches = self._transmitted(multipliers)
        for axis, (rows, inertia, effort) in zip(self.axes, pulls, strict=True):
            felt = (effort - inertia * (rows @ a))[:, None] * rows
            wrenches += self._on_children(felt, np.full(len(rows), axis.joint))
        units = np.tile([1.0] * 3 + [self.length] * 3, len(self.ends))
        pairs = [self._transmitted(k) for k in idle.T]
        loose = np.linalg.qr(np.array(pairs).reshape(-1, len(units)).T / units[:, None])[0]
        w = wrenches.ravel() / units
        least = (w - loose @ (loose.T @ w)) * units
        rates = {n: a[6 * i : 6 * i + 6] for n, i in self.index.items() if n != self.robot.base}
        return Answer(rates, least.reshape(-1, 6), loose.reshape(*wrenches.shape, len(pairs)))

    def _accelerations(
        self, M: np.ndarray, f: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations, multipliers, and multipliers that do nothing to any body."""
        units = np.tile([self.length] * 3 + [1.0] * 3, len(self.index) - 1)
        J = self.constraints.J[:, :-6] * units
        sizes = np.linalg.norm(J, axis=1)
        U, s, Vt = np.linalg.svd(J / sizes[:, None])
        s = s[s > RANK * s[0]]
        X, Z, U, idle = Vt[: len(s)].T, Vt[len(s) :].T, U[:, : len(s)], U[:, len(s) :]
        M, f = M[:-6, :-6] * np.outer(units, units), f[:-6] * units
        held = -X @ ((U.T @ (self.constraints.bias / sizes)) / s)
        # least squares: a slender bar between two balls has no inertia about its axis
        a = held + Z @ np.linalg.lstsq(Z.T @ M @ Z, Z.T @ (f - M @ held), rcond=1e-12)[0]
        multipliers = U @ ((X.T @ (M @ a - f)) / s) / sizes
        return np.concatenate([a * units, np.zeros(6)]), multipliers, idle / sizes[:, None]

    def _transmitted(self, multipliers: np.ndarray) -> np.ndarray:
        """What multipliers of joints and couplings make the joints exert on their children."""
        n = len(self.rows)
        found = self._on_children(multipliers[:n, None] * self.constraints.J[:n], self.rows)
        by_name = {axis.name: axis for axis in self.axes}
        for coupling, effort in zip(self.robot.couplings, multipliers[n:], strict=True):
            for name, c in coupling.axes.items():
                axis = by_name[name]
                row = np.atleast_2d(axis.motion.J) * (c * effort)
                found += self._on_children(row, np.array([axis.joint]))
        return found

    def _on_children(self, rows: np.ndarray, joints: np.ndarray) -> np.ndarray:
        """Forces on all bodies, each row of a joint: what the joints' children feel, at B."""
        felt = np.zeros((len(self.ends), 6))
        maps = {int(i): self.ends[i].to_B for i in np.unique(joints)}
        for row, i in zip(rows, joints, strict=True):
            k = 6 * self.ends[i].child
            felt[i] += maps[int(i)] @ row[k : k + 6]
        return felt
