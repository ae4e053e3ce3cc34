"""Pinocchio and MuJoCo on a robot's description, its loops closed by hand.

Neither engine has the inverse dynamics of closed loops, so both get a spanning tree of the graph,
chosen here, and their own frame Jacobians give what the cut joints forbid::

    J_c v = 0,    J_c a + drift_c = 0,    efforts(q, v, a) = S^T tau + J_c^T lambda

Of gough this module knows the description (bodies, joints, frames), nothing of its topology,
closure or dynamics.
"""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from machines import BASE

# Singular values of J_c are above 1e-2 in the machines tested; of a zero, rounding leaves 1e-15.
RANK = 1e-8


def need_engine(module: str) -> None:
    """Skip without an engine; in continuous integration its absence is a failure."""
    if importlib.util.find_spec(module) is None:
        told = f"{module} is not installed: pip install 'gough[engines]'"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)


# The description as a tree -----------------------------------------------------------------------


def shift(R: Any, p: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
    """Homogeneous matrix."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


TURN, SLIDE, SCREW, BALL = "turn", "slide", "screw", "ball"
X_UP = shift(Rotation.from_euler("x", 90, degrees=True).as_matrix())
Z_TO_X = shift([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
Z_TO_Y = Z_TO_X @ Z_TO_X

CHAINS: dict[str, list[Any]] = {
    "revolute": [TURN],
    "prismatic": [SLIDE],
    "helical": [SCREW],
    "universal": [TURN, X_UP, TURN],
    "cylindrical": [TURN, SLIDE],
    "spherical": [BALL],
    "planar_contact": [Z_TO_X, SLIDE, Z_TO_X.T, Z_TO_Y, SLIDE, Z_TO_Y.T, BALL],
    "fixed": [],
}
"""From frame A to frame B: moves about and along z, and constant displacements between them."""


def coordinates(joint: gough.Joint, T_AB: np.ndarray) -> list[Any]:
    """Values of the moves in the chain of a joint."""
    R, p = T_AB[:3, :3], T_AB[:3, 3]
    angle, slide = np.arctan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]), p[2]
    match joint.kind:
        case "revolute":
            return [angle]
        case "prismatic":
            return [slide]
        case "helical":  # whole turns cannot be seen in R
            return [angle + 2 * np.pi * np.round((slide / joint.pitch - angle) / (2 * np.pi))]
        case "universal":
            return [np.arctan2(R[0, 2], -R[1, 2]), np.arctan2(R[2, 0], R[2, 1])]
        case "cylindrical":
            return [angle, slide]
        case "spherical":
            return [R]
        case "planar_contact":
            return [p[0], p[1], R]
    return []


@dataclass(frozen=True)
class Link:
    """A joint of the tree, walked from the body nearer to the base to the other."""

    joint: gough.Joint
    near: str
    far: str

    @property
    def chain(self) -> list[Any]:
        """From body frame to body frame: constants and moves in turn."""
        j = self.joint
        found = [j.parent_frame.matrix, *CHAINS[j.kind], np.linalg.inv(j.child_frame.matrix)]
        if self.near != j.parent:
            found = [x if isinstance(x, str) else np.linalg.inv(x) for x in reversed(found)]
        merged = [np.eye(4)]
        for x in found:
            if isinstance(x, str):
                merged += [x, np.eye(4)]
            else:
                merged[-1] = merged[-1] @ x
        return merged

    def coordinates(self, poses: Mapping[str, np.ndarray]) -> list[Any]:
        """Values of the moves in the chain, from the poses of the bodies."""
        j = self.joint
        T_0A, T_0B = poses[j.parent] @ j.parent_frame.matrix, poses[j.child] @ j.child_frame.matrix
        found = coordinates(j, np.linalg.inv(T_0A) @ T_0B)
        if self.near == j.parent:
            return found
        return [x.T if np.ndim(x) else -x for x in reversed(found)]


def spanning_tree(
    robot: gough.Robot, seed: int | None = None
) -> tuple[list[Link], list[gough.Joint]]:
    """Links from the base outwards and the cut joints: breadth first, or any tree by a seed."""
    rng = np.random.default_rng(seed)
    reached, links, left = [BASE], [], list(robot.joints)
    while True:
        ready = [j for j in left if (j.parent in reached) != (j.child in reached)]
        if not ready:
            return _depth_first(links, BASE), left
        if seed is None:  # the joint on the body that was reached first
            j = min(ready, key=lambda j: min(map(reached.index, {j.parent, j.child} & {*reached})))
        else:
            j = ready[rng.integers(len(ready))]
        near, far = (j.parent, j.child) if j.parent in reached else (j.child, j.parent)
        links.append(Link(j, near, far))
        reached.append(far)
        left.remove(j)


def _depth_first(links: list[Link], root: str) -> list[Link]:
    """The same links, every branch in one piece: Pinocchio's inertia matrix counts on it."""
    at_root = [link for link in links if link.near == root]
    return [x for link in at_root for x in (link, *_depth_first(links, link.far))]


def mounts(robot: gough.Robot) -> dict[str, tuple[str, np.ndarray]]:
    """All frames that anybody asks for: body, and place on it."""
    found = {body.name: (body.name, np.eye(4)) for body in robot.bodies}
    found["/platform"] = (robot.platform, robot.platform_frame.matrix)
    for j in robot.joints:
        found[f"{j.name}/A"] = (j.parent, j.parent_frame.matrix)
        found[f"{j.name}/B"] = (j.child, j.child_frame.matrix)
    return found


# Engines -----------------------------------------------------------------------------------------


class Engine(ABC):
    """A tree in an engine.  Frame motions are ``[v; omega]`` of its origin, base axes."""

    def __init__(self, robot: gough.Robot, seed: int | None = None) -> None:
        self.robot = robot
        self.links, self.cuts = spanning_tree(robot, seed)

    @abstractmethod
    def place(self, poses: Mapping[str, np.ndarray]) -> None:
        """Take the configuration from the poses of the bodies."""

    @abstractmethod
    def move(self, v: np.ndarray) -> None:
        """Take the velocity."""

    @abstractmethod
    def pose(self, frame: str) -> np.ndarray:
        """Pose of a frame in the base."""

    @abstractmethod
    def jacobian(self, frame: str) -> np.ndarray:
        """Twist of a frame from the rates of the tree ``(6, nv)``."""

    @abstractmethod
    def drift(self, frame: str) -> np.ndarray:
        """Twist rate of a frame without joint accelerations: classical, as in CONVENTIONS.md."""

    @abstractmethod
    def efforts(self, a: np.ndarray) -> np.ndarray:
        """Inverse dynamics of the tree."""

    @abstractmethod
    def inertia(self) -> np.ndarray:
        """Joint-space inertia of the tree."""

    @abstractmethod
    def bias(self) -> np.ndarray:
        """Efforts of the tree without accelerations."""

    def own_rows(self) -> np.ndarray:
        """Constant rows on the rates that the engine's stand-ins for joints need."""
        return np.zeros((0, self.nv))


class Pinocchio(Engine):
    """The tree in Pinocchio: every move a joint, crosses are joints without a body."""

    module = "pinocchio"

    def __init__(self, robot: gough.Robot, seed: int | None = None) -> None:
        import pinocchio as pin

        super().__init__(robot, seed)
        self.pin, self.model = pin, pin.Model()
        self.model.gravity = pin.Motion(np.array(robot.gravity), np.zeros(3))
        models = {
            TURN: lambda j: pin.JointModelRZ(),
            SLIDE: lambda j: pin.JointModelPZ(),
            SCREW: lambda j: pin.JointModelHZ(j.pitch),
            BALL: lambda j: pin.JointModelSpherical(),
        }
        at = {BASE: (0, np.eye(4))}
        self.columns: list[list[int]] = []
        for link in self.links:
            joint, T = at[link.near]
            columns = []
            first, *rest = link.chain
            T = T @ first
            for k, (what, after) in enumerate(zip(rest[::2], rest[1::2], strict=True)):
                name = f"{link.joint.name}.{k}"
                joint = self.model.addJoint(joint, models[what](link.joint), pin.SE3(T), name)
                columns.append(self.model.joints[joint].idx_q)
                T = after
            self.columns.append(columns)
            at[link.far] = joint, T
            body = robot.body(link.far)
            inertia = pin.Inertia(body.mass, np.array(body.center), np.array(body.inertia))
            self.model.appendBodyToJoint(joint, inertia, pin.SE3(T))
        self.frames = {}
        for name, (body, T) in mounts(robot).items():
            joint, T_jb = at[body]
            frame = pin.Frame(f"frame {name}", joint, 0, pin.SE3(T_jb @ T), pin.OP_FRAME)
            self.frames[name] = self.model.addFrame(frame)
        self.data, self.nv = self.model.createData(), self.model.nv
        self.scratch = self.model.createData()  # what it returns refers to it: it must live
        self.axes = pin.LOCAL_WORLD_ALIGNED

    def place(self, poses: Mapping[str, np.ndarray]) -> None:
        q = self.pin.neutral(self.model)
        for link, columns in zip(self.links, self.columns, strict=True):
            for column, x in zip(columns, link.coordinates(poses), strict=True):
                if np.ndim(x):
                    q[column : column + 4] = Rotation.from_matrix(x).as_quat()
                else:
                    q[column] = x
        self.q = q
        self.move(np.zeros(self.nv))

    def move(self, v: np.ndarray) -> None:
        self.v = v
        self.pin.computeJointJacobians(self.model, self.data, self.q)
        self.pin.forwardKinematics(self.model, self.data, self.q, v, np.zeros(self.nv))
        self.pin.updateFramePlacements(self.model, self.data)

    def pose(self, frame: str) -> np.ndarray:
        return self.data.oMf[self.frames[frame]].homogeneous

    def jacobian(self, frame: str) -> np.ndarray:
        J = self.pin.getFrameJacobian(self.model, self.data, self.frames[frame], self.axes)
        return np.reshape(J, (6, self.nv))

    def drift(self, frame: str) -> np.ndarray:
        found = self.pin.getFrameClassicalAcceleration(
            self.model, self.data, self.frames[frame], self.axes
        )
        return found.vector

    def efforts(self, a: np.ndarray) -> np.ndarray:
        return self.pin.rnea(self.model, self.scratch, self.q, self.v, a).copy()

    def inertia(self) -> np.ndarray:
        upper = np.triu(self.pin.crba(self.model, self.scratch, self.q))
        return upper + np.triu(upper, 1).T

    def bias(self) -> np.ndarray:
        return self.pin.nonLinearEffects(self.model, self.scratch, self.q, self.v).copy()


class MuJoCo(Engine):
    """The tree in MuJoCo: several joints on one body; a screw is a hinge, a slide and a row."""

    module = "mujoco"

    def __init__(self, robot: gough.Robot, seed: int | None = None) -> None:
        import mujoco

        super().__init__(robot, seed)
        self.mj, spec = mujoco, mujoco.MjSpec()
        spec.option.gravity = robot.gravity
        spec.compiler.fusestatic = False
        kinds = {
            TURN: mujoco.mjtJoint.mjJNT_HINGE,
            SLIDE: mujoco.mjtJoint.mjJNT_SLIDE,
            BALL: mujoco.mjtJoint.mjJNT_BALL,
        }
        at = {BASE: spec.worldbody}
        self.turned: dict[str, np.ndarray] = {}
        for link in self.links:
            constants, moves = link.chain[::2], link.chain[1::2]
            left = [np.eye(4)]  # from the frame after each move to the body, moves at zero
            for T in reversed(constants):
                left.insert(0, T @ left[0])
            body = self._body(at[link.near], robot.body(link.far), left[0])
            for k, (what, T) in enumerate(zip(moves, left[1:], strict=False)):
                seat = np.linalg.inv(T)
                for kind in (TURN, SLIDE) if what == SCREW else (what,):
                    name = f"{link.joint.name}.{k}.{kind}"
                    body.add_joint(name=name, type=kinds[kind], axis=seat[:3, 2], pos=seat[:3, 3])
                    self.turned[name] = seat[:3, :3]
            at[link.far] = body
        for name, (body, T) in mounts(robot).items():
            at[body].add_site(name=f"site {name}", pos=T[:3, 3], quat=_wxyz(T[:3, :3]))
        self.model = spec.compile()
        self.data, self.nv = mujoco.MjData(self.model), self.model.nv

    @staticmethod
    def _body(parent: Any, body: gough.Body, T: np.ndarray) -> Any:
        moments, axes = np.linalg.eigh(np.array(body.inertia))
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        made = parent.add_body(name=body.name, pos=T[:3, 3], quat=_wxyz(T[:3, :3]))
        made.explicitinertial = True
        made.mass, made.inertia = body.mass, moments
        made.ipos, made.iquat = body.center, _wxyz(axes)
        return made

    def _moves(self, link: Link) -> list[str]:
        return [n for n in self.turned if n.split(".")[0] == link.joint.name]

    def place(self, poses: Mapping[str, np.ndarray]) -> None:
        for link in self.links:
            values = link.coordinates(poses)
            if link.joint.kind == "helical":
                values = [values[0], link.joint.pitch * values[0]]
            for name, x in zip(self._moves(link), values, strict=True):
                if np.ndim(x):
                    R = self.turned[name]
                    self.data.joint(name).qpos[:] = _wxyz(R @ x @ R.T)
                else:
                    self.data.joint(name).qpos[:] = x
        self.move(np.zeros(self.nv))

    def move(self, v: np.ndarray) -> None:
        self.data.qvel[:] = v
        self.mj.mj_forward(self.model, self.data)
        self.data.qacc[:] = 0.0
        self.mj.mj_rnePostConstraint(self.model, self.data)  # accelerations of bodies

    def pose(self, frame: str) -> np.ndarray:
        site = self.data.site(f"site {frame}")
        return shift(site.xmat.reshape(3, 3), site.xpos)

    def jacobian(self, frame: str) -> np.ndarray:
        J = np.zeros((2, 3, self.nv))
        site = self.data.site(f"site {frame}").id
        self.mj.mj_jacSite(self.model, self.data, J[0], J[1], site)
        return J.reshape(6, self.nv)

    def drift(self, frame: str) -> np.ndarray:
        # not mj_jacDot: it is wrong for a ball that is followed by slides on the same body
        found, site = np.zeros(6), self.data.site(f"site {frame}").id
        kind = self.mj.mjtObj.mjOBJ_SITE
        self.mj.mj_objectAcceleration(self.model, self.data, kind, site, found, 0)
        # [rotation; translation] of a world that falls upwards
        return np.concatenate([found[3:] + self.model.opt.gravity, found[:3]])

    def efforts(self, a: np.ndarray) -> np.ndarray:
        self.data.qacc[:] = a
        self.mj.mj_inverse(self.model, self.data)
        return self.data.qfrc_inverse.copy()

    def inertia(self) -> np.ndarray:
        columns = np.zeros((self.nv, self.nv))
        for column, unit in zip(columns, np.eye(self.nv), strict=True):
            self.mj.mj_mulM(self.model, self.data, column, unit)
        return columns.T

    def bias(self) -> np.ndarray:
        return self.data.qfrc_bias.copy()

    def own_rows(self) -> np.ndarray:
        rows = []
        for link in self.links:
            if link.joint.kind == "helical":
                turn, slide = (self.model.joint(n).dofadr[0] for n in self._moves(link))
                rows.append(np.eye(self.nv)[slide] - link.joint.pitch * np.eye(self.nv)[turn])
        return np.reshape(rows, (-1, self.nv))


def _wxyz(R: np.ndarray) -> np.ndarray:
    return np.roll(Rotation.from_matrix(R).as_quat(), 1)


ENGINES = {"pinocchio": Pinocchio, "mujoco": MuJoCo}


# What joints allow and forbid, from the motion of their two frames -------------------------------


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
    """

    def __init__(
        self, engine: Engine, poses: Mapping[str, np.ndarray], twists: Mapping[str, np.ndarray]
    ) -> None:
        self.engine, self.robot = engine, engine.robot
        engine.place({BASE: np.eye(4), **poses})
        self.v = self._rates(twists)
        engine.move(self.v)
        joints = {j.name: Ends(engine, j, self.v) for j in self.robot.joints}
        loops = [jet for j in engine.cuts for jet in joints[j.name].forbidden]
        own = engine.own_rows()
        self.gaps = np.array([jet.x for jet in loops])
        self.J_c = np.vstack([own, *(jet.J for jet in loops)])
        self.drift_c = np.array([0.0] * len(own) + [jet.drift for jet in loops])
        self.axes = {name: jets for ends in joints.values() for name, jets in ends.allowed.items()}
        motors = [self.axes[name][0].J for name in self.robot.motors]
        self.S = np.reshape(motors, (-1, engine.nv))

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
            speed = np.linalg.norm(rate)
            effort = axis.viscous * rate + (axis.coulomb * rate / speed if speed else 0.0)
            f += np.array([jet.J for jet in jets]).T @ effort
        return f

    def _rotors(self) -> tuple[np.ndarray, np.ndarray]:
        """Inertia of rotors on the tree, and what they take without accelerations."""
        M, c = np.zeros((self.engine.nv,) * 2), np.zeros(self.engine.nv)
        for name, jets in self.axes.items():
            for jet in jets if self.robot.axis(name).reflected_inertia else []:
                M += self.robot.axis(name).reflected_inertia * np.outer(jet.J, jet.J)
                c += self.robot.axis(name).reflected_inertia * jet.J * jet.drift
        return M, c

    def inverse_dynamics(self, a: np.ndarray) -> tuple[np.ndarray, float]:
        """Motor efforts, unique even if the loop forces are not, and what they leave over."""
        M, c = self._rotors()
        f = self.engine.efforts(a) + self._friction() + M @ a + c
        columns = np.hstack([self.S.T, self.J_c.T])
        found = np.linalg.lstsq(columns, f, rcond=RANK)[0]
        left = np.abs(columns @ found - f).max() / np.abs(f).max()
        return found[: len(self.S)], float(left)

    def direct_dynamics(self, tau: np.ndarray) -> np.ndarray:
        """Joint accelerations of the tree: what the loops impose, then what the motors choose."""
        M, c = self._rotors()
        M, c = M + self.engine.inertia(), c + self.engine.bias() + self._friction()
        a = np.linalg.lstsq(self.J_c, -self.drift_c, rcond=RANK)[0]
        N = self.free
        return a + N @ np.linalg.solve(N.T @ M @ N, N.T @ (self.S.T @ tau - c - M @ a))
