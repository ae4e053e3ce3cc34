"""Loops closed by hand around an engine's tree.

The engine's own frame Jacobians give what the cut joints and couplings forbid::

    J_c v = 0,    J_c a + drift_c = 0,    efforts(q, v, a) = S^T tau + J_c^T lambda

and lambda does no work along the rates that the loops allow.

Friction, rotors and the springs that an engine cannot have are added here, as generalised forces.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

import gough
from engine_trees import coordinates
from engines import Engine, Wrench
from machines import BASE

# Singular values of J_c are above 1e-2 in the machines tested; of a zero, rounding leaves 1e-15.
RANK = 1e-8


class Jet(NamedTuple):
    """Something that moves: its rate is ``J v``, its acceleration ``J a + drift``."""

    x: np.ndarray
    J: np.ndarray
    rate: np.ndarray
    drift: np.ndarray

    def __sub__(self, other: Jet) -> Jet:
        return Jet(*(a - b for a, b in zip(self, other, strict=True)))

    def times(self, factor: float) -> Jet:
        """The same, scaled."""
        return Jet(*(factor * a for a in self))


def dot(a: Jet, b: Jet) -> Jet:
    """Scalar product of two vectors."""
    drift = a.x @ b.drift + 2 * a.rate @ b.rate + b.x @ a.drift
    return Jet(a.x @ b.x, a.x @ b.J + b.x @ a.J, a.x @ b.rate + b.x @ a.rate, drift)


def part(a: Jet, along: Jet) -> Jet:
    """Part of an angular velocity (a rate without a coordinate) along a vector."""
    x = along.x
    return Jet(np.zeros(()), x @ a.J, x @ a.rate, x @ a.drift + along.rate @ a.rate)


def _skew(a: np.ndarray) -> np.ndarray:
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


class Ends:
    """Frames A and B of a joint: their axes, what lies between them, how they turn."""

    def __init__(self, engine: Engine, joint: gough.Joint, v: np.ndarray) -> None:
        a, b = f"{joint.name}/A", f"{joint.name}/B"
        point_A, spin_A, self.axes_A = self._motion(engine, a, v)
        point_B, spin_B, self.axes_B = self._motion(engine, b, v)
        self.joint, self.between, self.spin = joint, point_B - point_A, spin_B - spin_A

    @staticmethod
    def _motion(engine: Engine, frame: str, v: np.ndarray) -> tuple[Jet, Jet, list[Jet]]:
        T, J, drift = engine.pose(frame), engine.jacobian(frame), engine.drift(frame)
        V = J @ v
        w = V[3:]
        point = Jet(T[:3, 3], J[:3], V[:3], drift[:3])
        spin = Jet(np.zeros(3), J[3:], w, drift[3:])
        w_, wd_ = _skew(w), _skew(drift[3:])
        axes = [
            Jet(e, -_skew(e) @ J[3:], w_ @ e, wd_ @ e + w_ @ (w_ @ e))  # de/dt = w x e = -e x w
            for e in T[:3, :3].T
        ]
        return point, spin, axes

    @cached_property
    def forbidden(self) -> list[Jet]:
        """What is zero as long as the joint holds."""
        (x, y, z), (x_B, y_B, z_B), d = self.axes_A, self.axes_B, self.between
        parallel = [dot(x, z_B), dot(y, z_B)]
        aligned = [dot(x, y_B), dot(y, z_B), dot(z, x_B)]
        on_axis, together = [dot(x, d), dot(y, d)], [dot(x, d), dot(y, d), dot(z, d)]
        match self.joint.kind:
            case "revolute":
                return parallel + together
            case "prismatic":
                return aligned + on_axis
            case "helical":
                advance = dot(z, d) - part(self.spin, z).times(self.joint.pitch)
                return [*parallel, *on_axis, advance._replace(x=np.zeros(()))]  # x: any turns
            case "universal":
                return [dot(z, z_B), *together]
            case "cylindrical":
                return parallel + on_axis
            case "spherical":
                return together
            case "planar":
                return [*parallel, dot(z, d)]
            case "planar_contact":
                return [dot(z, d)]
        return aligned + together

    @cached_property
    def allowed(self) -> dict[str, list[Jet]]:
        """Rates of every axis by name."""
        (x, y, z), z_B, d = self.axes_A, self.axes_B[2], self.between
        ball = [part(self.spin, e) for e in self.axes_A]
        rates = {
            "revolute": [[part(self.spin, z)]],
            "prismatic": [[dot(z, d)]],
            "helical": [[part(self.spin, z)]],
            "universal": [[part(self.spin, z)], [part(self.spin, z_B)]],
            "cylindrical": [[part(self.spin, z)], [dot(z, d)]],
            "spherical": [ball],
            "planar": [[dot(x, d)], [dot(y, d)], [part(self.spin, z)]],
            "planar_contact": [[dot(x, d), dot(y, d)], ball],
            "fixed": [],
        }[self.joint.kind]
        return dict(zip(self.joint.axis_names, rates, strict=True))


# The closed machine ------------------------------------------------------------------------------


class Closed:
    """A robot in an engine at one state of motion, with its loops closed.

    Args:
        engine: the tree.
        poses: pose of every body.
        twists: their twists, of the body origins, base axes.
        wrenches: what acts on the bodies.
        smoothing: speed below which Coulomb friction fades [rad/s or m/s]; 0 is the sign.
    """

    def __init__(
        self,
        engine: Engine,
        poses: Mapping[str, np.ndarray],
        twists: Mapping[str, np.ndarray],
        wrenches: Iterable[Wrench] = (),
        smoothing: float = 0.0,
    ) -> None:
        self.engine, self.robot, self.smoothing = engine, engine.robot, smoothing
        self.poses = {BASE: np.eye(4), **poses}
        engine.place(self.poses)
        self.v = self._rates(twists)
        engine.pull(wrenches)
        engine.move(self.v)
        joints = {j.name: Ends(engine, j, self.v) for j in self.robot.joints}
        loops = [jet for j in engine.cuts for jet in joints[j.name].forbidden]
        own = engine.own_rows()
        self.axes = {name: jets for ends in joints.values() for name, jets in ends.allowed.items()}
        rows = loops + [self._coupled(each) for each in self.robot.couplings]
        self.gaps = np.array([jet.x for jet in loops])
        self.J_c = np.vstack([own, *(jet.J for jet in rows)])
        self.drift_c = np.array([0.0] * len(own) + [jet.drift for jet in rows])
        motors = [self.axes[name][0].J for name in self.robot.motors]
        self.S = np.reshape(motors, (-1, engine.nv))

    def _coupled(self, coupling: gough.Coupling) -> Jet:
        """What a coupling forbids: a sum of rates of axes."""
        terms = [self.axes[name][0].times(c) for name, c in coupling.axes.items()]
        return Jet(*(np.sum(column, axis=0) for column in zip(*terms, strict=True)))

    def _rates(self, motions: Mapping[str, np.ndarray]) -> np.ndarray:
        """Joint rates of the tree from the motions of all bodies."""
        J = np.vstack([self.engine.jacobian(name) for name in motions])
        return np.linalg.lstsq(J, np.concatenate(list(motions.values())), rcond=None)[0]

    def accelerations(self, twist_rates: Mapping[str, np.ndarray]) -> np.ndarray:
        """Joint accelerations of the tree from the twist rates of all bodies."""
        return self._rates({n: Vdot - self.engine.drift(n) for n, Vdot in twist_rates.items()})

    def twist(self, frame: str) -> np.ndarray:
        """Twist of a frame."""
        return self.engine.jacobian(frame) @ self.v

    def twist_rate(self, frame: str, a: np.ndarray) -> np.ndarray:
        """Twist rate of a frame."""
        return self.engine.jacobian(frame) @ a + self.engine.drift(frame)

    @cached_property
    def free(self) -> np.ndarray:
        """Basis of the rates that the loops allow."""
        _, sizes, Vt = np.linalg.svd(self.J_c)
        return Vt[np.count_nonzero(sizes > RANK) :].T

    def _friction(self) -> np.ndarray:
        """Efforts on the tree that friction takes: by hand, no engine has it like this."""
        f = np.zeros(self.engine.nv)
        for name, jets in self.axes.items():
            axis, rate = self.robot.axis(name), np.array([jet.rate for jet in jets])
            speed = np.sqrt(rate @ rate + self.smoothing**2)
            effort = axis.viscous * rate + (axis.coulomb * rate / speed if speed else 0.0)
            f += np.array([jet.J for jet in jets]).T @ effort
        return f

    @property
    def coordinates(self) -> dict[str, float]:
        """Coordinates of the turns and slides, by axis."""
        return {
            name: x
            for j in self.robot.joints
            if j.kind not in ("spherical", "planar_contact")
            for name, x in zip(
                j.axis_names, coordinates(j, self.poses, self.engine.home), strict=True
            )
        }

    def _springs(self) -> np.ndarray:
        """Efforts on the tree against the springs that the engine does not have."""
        f = np.zeros(self.engine.nv)
        for name, q in self.coordinates.items():
            spring = self.robot.axis(name).spring
            if spring is not None and name not in self.engine.springs:
                f += spring.stiffness * (q - spring.rest) * self.axes[name][0].J
        return f

    def _rotors(self) -> tuple[np.ndarray, np.ndarray]:
        """Inertia of rotors on the tree, and what they take without accelerations."""
        M, c = np.zeros((self.engine.nv,) * 2), np.zeros(self.engine.nv)
        for name, jets in self.axes.items():
            for jet in jets if self.robot.axis(name).reflected_inertia else []:
                M += self.robot.axis(name).reflected_inertia * np.outer(jet.J, jet.J)
                c += self.robot.axis(name).reflected_inertia * jet.J * jet.drift
        return M, c

    def tree_efforts(self, a: np.ndarray) -> np.ndarray:
        """Efforts on the rates of the tree that motors and loops must bring about together."""
        M, c = self._rotors()
        return self.engine.efforts(a) + self._friction() + self._springs() + M @ a + c

    def inverse_dynamics(
        self, a: np.ndarray, weights: float | np.ndarray = 1.0
    ) -> tuple[np.ndarray, float]:
        """Motor efforts, unique even if the loop forces are not, and what they leave over.

        With more motors than freedoms: of all such efforts those of least ``sum weights tau^2``.
        """
        f = self.tree_efforts(a)
        scales = 1.0 / np.sqrt(np.broadcast_to(weights, len(self.S)))
        columns, wanted = self.free.T @ (self.S.T * scales), self.free.T @ f
        found = np.linalg.lstsq(columns, wanted, rcond=RANK)[0]
        left = np.abs(columns @ found - wanted).max() / np.abs(f).max()
        return scales * found, float(left)

    def forward_dynamics(self, tau: np.ndarray) -> np.ndarray:
        """Joint accelerations of the tree: what the loops impose, then what the motors choose."""
        M, c = self._rotors()
        M, c = (
            M + self.engine.inertia(),
            c + self.engine.bias() + self._friction() + self._springs(),
        )
        a = np.linalg.lstsq(self.J_c, -self.drift_c, rcond=RANK)[0]
        N = self.free
        return a + N @ np.linalg.solve(N.T @ M @ N, N.T @ (self.S.T @ tau - c - M @ a))
