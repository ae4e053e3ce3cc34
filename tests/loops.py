"""Constraints and motors of machines in maximal coordinates, for stacks of states and of machines.

They are those of :mod:`maximal`, without rates.  Of the library nothing but the description of a
robot is used.  A body has six numbers, a small twist ``[v; omega]`` of its own frame in base axes.
Rows and columns are in natural units: lengths in units of the machine, angles in rad.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

import gough
from gough.robot.joint_kinds import KINDS

# Which distances along axes of A vanish, and which cosines between axes of A and of B.
TILT, TURN = ((0, 2), (1, 2)), ((0, 1),)
HELD: dict[str, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    "revolute": ((0, 1, 2), TILT),
    "prismatic": ((0, 1), (*TILT, *TURN)),
    "helical": ((0, 1), TILT),
    "universal": ((0, 1, 2), ((2, 2),)),
    "cylindrical": ((0, 1), TILT),
    "spherical": ((0, 1, 2), ()),
    "planar": ((2,), TILT),
    "planar_contact": ((2,), ()),
    "fixed": ((0, 1, 2), (*TILT, *TURN)),
}


class Ends(NamedTuple):
    """Frames of all joints in the base, ``(..., J, 3)`` and ``(..., J, 3, 3)``.

    Attributes:
        A: axes of the frames on parents, as rows; ``B`` of those on children.
        r_A: from the origin of the parent's own frame to that of A; ``r_B`` likewise.
        d: from the origin of A to that of B.
    """

    A: np.ndarray
    B: np.ndarray
    r_A: np.ndarray
    r_B: np.ndarray
    d: np.ndarray


class Graph(NamedTuple):
    """What constrains what, whatever the figures of joint frames are.

    Attributes:
        parent: place of each joint's parent among the bodies, the base last ``(J,)``; ``child``.
        along: rows, joints and axes of A of distances that vanish ``(3, rows)``.
        across: rows, joints, axes of A and axes of B of cosines that vanish ``(4, rows)``.
        helices: rows and joints of screws.
        held: how many constraints there are; rows of motors follow them.
        axes: joint and kind of each axis that turns or slides, by name.
    """

    parent: np.ndarray
    child: np.ndarray
    along: np.ndarray
    across: np.ndarray
    helices: list[tuple[int, int]]
    held: int
    axes: dict[str, tuple[int, str]]

    @classmethod
    def of(cls, robot: gough.Robot) -> Graph:
        """That of a robot."""
        joints, names = robot.joints, [*(body.name for body in robot.bodies), robot.base]
        index = {name: i for i, name in enumerate(names)}
        along, across, helices, count = [], [], [], 0
        for j, joint in enumerate(joints):
            distances, cosines = HELD[joint.kind]
            along += [(count + i, j, a) for i, a in enumerate(distances)]
            count += len(distances)
            across += [(count + i, j, a, b) for i, (a, b) in enumerate(cosines)]
            count += len(cosines)
            if joint.kind == "helical":
                helices.append((count, j))
                count += 1
        return cls(
            np.array([index[joint.parent] for joint in joints]),
            np.array([index[joint.child] for joint in joints]),
            np.array(along, dtype=int).reshape(-1, 3).T,
            np.array(across, dtype=int).reshape(-1, 4).T,
            helices,
            count,
            {
                name: (j, axis)
                for j, joint in enumerate(joints)
                for name, (axis, what) in zip(
                    joint.axis_names, KINDS[joint.kind].axes.items(), strict=True
                )
                if what in ("turn", "slide")
            },
        )


@dataclass(frozen=True, eq=False)
class Loops:
    """Constraints and motors of a robot, or of many robots of one structure.

    Attributes:
        robot: the description; of it joint frames do not count, but ``A`` and ``B``.
        graph: its constraints.
        A: frames on parents, in the parents' own frames ``(..., J, 4, 4)``; leading axes are those
            of different machines.
        B: frames on children, in the children's own frames ``(..., J, 4, 4)``.
        length: unit of lengths [m].
    """

    robot: gough.Robot
    graph: Graph
    A: np.ndarray
    B: np.ndarray
    length: float

    @classmethod
    def of(cls, robot: gough.Robot) -> Loops:
        """Those of a robot as it is described."""
        if robot.couplings:
            raise NotImplementedError("couplings: their whole turns are not counted here")
        A = np.array([joint.parent_frame.matrix for joint in robot.joints])
        B = np.array([joint.child_frame.matrix for joint in robot.joints])
        # half of the diagonal of the largest body, as its joint frames span it
        places: dict[str, list[np.ndarray]] = {}
        for joint, T_A, T_B in zip(robot.joints, A, B, strict=True):
            places.setdefault(joint.parent, []).append(T_A[:3, 3])
            places.setdefault(joint.child, []).append(T_B[:3, 3])
        spans = [np.ptp(np.array(points), axis=0) for points in places.values()]
        length = 0.5 * max(float(np.linalg.norm(span)) for span in spans)
        return cls(robot, Graph.of(robot), A, B, length)

    @property
    def rows(self) -> int:
        """How many constraints and motors there are."""
        return self.graph.held + len(self.robot.motors)

    def displaced(self, errors: np.ndarray) -> Loops:
        """With joint frames displaced: ``T' = T [exp(rx ry rz), (x y z)]``.

        Args:
            errors: twists in the axes of the frames themselves ``(..., J, 2, 6)``, of A and of B
                [m, rad].
        """
        D = displacements(np.asarray(errors))
        return replace(self, A=self.A @ D[..., 0, :, :], B=self.B @ D[..., 1, :, :])

    def ends(self, poses: np.ndarray) -> Ends:
        """Frames of all joints at poses of bodies ``(..., bodies, 4, 4)``."""
        base = np.broadcast_to(np.eye(4), (*poses.shape[:-3], 1, 4, 4))
        T = np.concatenate([poses, base], axis=-3)
        T_P, T_C = T[..., self.graph.parent, :, :], T[..., self.graph.child, :, :]
        R_P, R_C = T_P[..., :3, :3], T_C[..., :3, :3]
        r_A = (R_P @ self.A[..., :3, 3:])[..., 0]
        r_B = (R_C @ self.B[..., :3, 3:])[..., 0]
        A, B = ((R @ F[..., :3, :3]).swapaxes(-1, -2) for R, F in ((R_P, self.A), (R_C, self.B)))
        return Ends(A, B, r_A, r_B, T_C[..., :3, 3] + r_B - T_P[..., :3, 3] - r_A)

    def axis(self, ends: Ends, name: str) -> np.ndarray:
        """Coordinate of an axis that turns or slides ``(...,)`` [rad, within half a turn; or m]."""
        j, axis = self.graph.axes[name]
        (x_A, y_A, z_A), (x_B, y_B, z_B) = (
            np.moveaxis(F[..., j, :, :], -2, 0) for F in (ends.A, ends.B)
        )
        if axis in ("slide", "x", "y"):
            return _dot({"slide": z_A, "x": x_A, "y": y_A}[axis], ends.d[..., j, :])
        sines = {
            "angle": (_dot(y_A, x_B), _dot(x_A, x_B)),
            "first": (_dot(x_A, z_B), -_dot(y_A, z_B)),
            "second": (_dot(x_B, z_A), _dot(y_B, z_A)),
        }
        return np.arctan2(*sines[axis])

    def motors(self, poses: np.ndarray) -> np.ndarray:
        """Positions of the motors ``(..., n)`` [rad, within half a turn; or m]."""
        ends = self.ends(poses)
        return np.stack([self.axis(ends, name) for name in self.robot.motors], axis=-1)

    def slides(self, name: str) -> bool:
        """Whether an axis slides."""
        return self.graph.axes[name][1] in ("slide", "x", "y")

    def residual(self, ends: Ends, q: np.ndarray) -> np.ndarray:
        """What should vanish, constraints first, natural units ``(..., rows)``."""
        (i, j, a), (k, m, b, c) = self.graph.along, self.graph.across
        shape = np.broadcast_shapes(ends.d.shape[:-2], q.shape[:-1])
        found = np.empty((*shape, self.rows))
        found[..., i] = _dot(ends.A[..., j, a, :], ends.d[..., j, :]) / self.length
        found[..., k] = _dot(ends.A[..., m, b, :], ends.B[..., m, c, :])
        for row, joint in self.graph.helices:
            name, pitch = self.robot.joints[joint].name, self.robot.joints[joint].pitch
            advance = _dot(ends.A[..., joint, 2, :], ends.d[..., joint, :])
            turns = (advance - pitch * self.axis(ends, name)) / pitch
            found[..., row] = wrapped(turns) * pitch / self.length
        for n, name in enumerate(self.robot.motors):
            gap = self.axis(ends, name) - q[..., n]
            found[..., self.graph.held + n] = (
                gap / self.length if self.slides(name) else wrapped(gap)
            )
        return found

    def jacobian(self, ends: Ends) -> np.ndarray:
        """Derivatives by twists of the bodies, natural units ``(..., rows, 6 bodies)``."""
        shape, bodies = ends.d.shape[:-2], len(self.robot.bodies)
        J = np.zeros((*shape, self.rows, bodies + 1, 6))
        i, j, a = self.graph.along
        e = ends.A[..., j, a, :]
        self._put_along(J, ends, i, j, e)
        k, m, b, c = self.graph.across
        normal = _cross(ends.A[..., m, b, :], ends.B[..., m, c, :])
        J[..., k, self.graph.parent[m], 3:] = normal
        J[..., k, self.graph.child[m], 3:] = -normal
        for row, joint in self.graph.helices:
            self._put_along(J, ends, row, joint, ends.A[..., joint, 2, :])
            screw = self.robot.joints[joint].pitch / self.length * ends.A[..., joint, 2, :]
            J[..., row, self.graph.parent[joint], 3:] += screw
            J[..., row, self.graph.child[joint], 3:] -= screw
        for row, name in enumerate(self.robot.motors, start=self.graph.held):
            joint, axis = self.graph.axes[name]
            e = (ends.B if axis == "second" else ends.A)[..., joint, 2, :]
            if axis == "slide":
                self._put_along(J, ends, row, joint, e)
            else:
                J[..., row, self.graph.parent[joint], 3:] = -e
                J[..., row, self.graph.child[joint], 3:] = e
        return J[..., :bodies, :].reshape(*shape, self.rows, 6 * bodies)

    def _put_along(self, J: np.ndarray, ends: Ends, row: Any, joint: Any, e: np.ndarray) -> None:
        """Rows of a distance along an axis e of A, in units of the length."""
        r_A, r_B, d = (x[..., joint, :] for x in (ends.r_A, ends.r_B, ends.d))
        P, C = self.graph.parent[joint], self.graph.child[joint]
        J[..., row, P, :3], J[..., row, P, 3:] = -e, _cross(e, r_A + d) / self.length
        J[..., row, C, :3], J[..., row, C, 3:] = e, _cross(r_B, e) / self.length

    def moved(self, poses: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Bodies displaced by twists in natural units ``(..., 6 bodies)``."""
        twists = step.reshape(*step.shape[:-1], -1, 6)
        found = np.array(np.broadcast_to(poses, (*twists.shape[:-1], 4, 4)))
        found[..., :3, 3] += self.length * twists[..., :3]
        found[..., :3, :3] = rotations(twists[..., 3:]) @ found[..., :3, :3]
        return found

    def at(self, which: tuple[np.ndarray, ...], shape: tuple[int, ...]) -> Loops:
        """The machines at places of a stack that has this shape."""
        A, B = (np.broadcast_to(F, (*shape, *F.shape[-3:]))[which] for F in (self.A, self.B))
        return replace(self, A=A, B=B)


def rotations(w: np.ndarray) -> np.ndarray:
    """Rotations by vectors ``(..., 3)``: Rodrigues' formula."""
    angle = np.linalg.norm(w, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(w, -1, 0)
    K = np.zeros((*w.shape, 3))
    K[..., 0, 1], K[..., 0, 2], K[..., 1, 2] = -z, y, -x
    K -= K.swapaxes(-1, -2)
    half = np.sinc(angle / (2.0 * np.pi))
    return np.asarray(np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * half**2 * (K @ K))


def vectors(R: np.ndarray) -> np.ndarray:
    """Rotation vectors of rotations ``(..., 3, 3)`` by less than half a turn."""
    w = np.stack([R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]], axis=-1)
    w = 0.5 * (w - np.stack([R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]], axis=-1))
    sine = np.linalg.norm(w, axis=-1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0))
    return np.asarray(w / np.sinc(angle / np.pi)[..., None])


def displacements(twists: np.ndarray) -> np.ndarray:
    """``[exp(rx ry rz), (x y z)]`` of twists ``(..., 6)``: poses ``(..., 4, 4)``."""
    T = np.zeros((*twists.shape[:-1], 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = rotations(twists[..., 3:]), twists[..., :3], 1.0
    return T


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a * b).sum(axis=-1))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    (x, y, z), (u, v, w) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def wrapped(angle: np.ndarray) -> np.ndarray:
    """The angle, whole turns aside."""
    return np.asarray(angle - 2.0 * np.pi * np.round(angle / (2.0 * np.pi)))
