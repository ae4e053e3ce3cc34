"""Pinocchio and MuJoCo on a robot's description, behind one face.

Neither has the inverse dynamics of closed loops, so both get a spanning tree of the graph
(:mod:`engine_trees`); :mod:`engine_loops` closes its loops by hand.  Wrenches on bodies and a
payload are given to the engines in their own terms, springs on joints of the tree to MuJoCo.
"""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from engine_trees import (
    BALL,
    SCREW,
    SLIDE,
    TURN,
    Link,
    home_poses,
    mounts,
    shift,
    spanning_tree,
)
from machines import BASE


def need_engine(module: str) -> None:
    """Skip without an engine; in continuous integration its absence is a failure."""
    if importlib.util.find_spec(module) is None:
        told = f"{module} is not installed: pip install 'gough[engines]'"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)


class Load(NamedTuple):
    """A body's mass, centre and inertia about it, in the axes of the platform body's frame."""

    mass: float
    center: Any
    inertia: Any


class Wrench(NamedTuple):
    """Force and moment on a body at a point of its frame; force and moment in base axes."""

    body: str
    point: np.ndarray
    f: np.ndarray
    n: np.ndarray


class Engine(ABC):
    """A tree in an engine.  Frame motions are ``[v; omega]`` of its origin, base axes.

    Args:
        robot: the machine.
        seed: of the spanning tree; breadth first without one.
        payload: a body on the platform.
    """

    springs: frozenset[str] = frozenset()
    """Axes whose springs the engine has; the others are left to who closes the loops."""

    def __init__(
        self, robot: gough.Robot, seed: int | None = None, payload: Load | None = None
    ) -> None:
        self.robot = robot
        self.links, self.cuts = spanning_tree(robot, seed)
        self.home = home_poses(robot)
        self._build(payload)

    @abstractmethod
    def _build(self, payload: Load | None) -> None:
        """Write the tree in the engine's terms."""

    @abstractmethod
    def place(self, poses: Mapping[str, np.ndarray]) -> None:
        """Take the configuration from the poses of the bodies."""

    @abstractmethod
    def pull(self, wrenches: Iterable[Wrench]) -> None:
        """Take what acts on the bodies, where they are now: call it before :meth:`move`."""

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
        """Inverse dynamics of the tree under its loads."""

    @abstractmethod
    def inertia(self) -> np.ndarray:
        """Joint-space inertia of the tree."""

    @abstractmethod
    def bias(self) -> np.ndarray:
        """Efforts of the tree under its loads without accelerations."""

    def own_rows(self) -> np.ndarray:
        """Constant rows on the rates that the engine's stand-ins for joints need."""
        return np.zeros((0, self.nv))


class Pinocchio(Engine):
    """The tree in Pinocchio: every move a joint, crosses are joints without a body."""

    module = "pinocchio"

    def _build(self, payload: Load | None) -> None:
        import pinocchio as pin

        robot = self.robot
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
            for m in [body, *([payload] if payload and link.far == robot.platform else [])]:
                inertia = pin.Inertia(m.mass, np.array(m.center), np.array(m.inertia))
                self.model.appendBodyToJoint(joint, inertia, pin.SE3(T))
        self.joint_of = {name: joint for name, (joint, _) in at.items()}
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
            for column, x in zip(columns, link.coordinates(poses, self.home), strict=True):
                if np.ndim(x):
                    q[column : column + 4] = Rotation.from_matrix(x).as_quat()
                else:
                    q[column] = x
        self.q = q
        self.pull(())
        self.move(np.zeros(self.nv))

    def pull(self, wrenches: Iterable[Wrench]) -> None:
        self.forces = self.pin.StdVec_Force([self.pin.Force.Zero() for _ in self.model.joints])
        for body, point, f, n in wrenches:
            joint = self.joint_of[body]
            T_jb = self.data.oMi[joint].inverse() * self.data.oMf[self.frames[body]]
            # at the point, in the axes of the joint; Pinocchio carries it to the joint's origin
            at_point = self.pin.SE3(np.eye(3), T_jb.act(np.asarray(point)))
            R_j0 = self.data.oMi[joint].rotation.T
            self.forces[joint] += at_point.act(self.pin.Force(R_j0 @ f, R_j0 @ n))

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
        return self.pin.rnea(self.model, self.scratch, self.q, self.v, a, self.forces).copy()

    def inertia(self) -> np.ndarray:
        upper = np.triu(self.pin.crba(self.model, self.scratch, self.q))
        return upper + np.triu(upper, 1).T

    def bias(self) -> np.ndarray:
        without = self.pin.nonLinearEffects(self.model, self.scratch, self.q, self.v).copy()
        for joint, force in enumerate(self.forces):
            if joint and force.vector.any():  # not through rnea: as Jacobians see them
                J = self.pin.getJointJacobian(self.model, self.data, joint, self.pin.LOCAL)
                without -= np.reshape(J, (6, self.nv)).T @ force.vector
        return without


class MuJoCo(Engine):
    """The tree in MuJoCo: several joints on one body; a screw is a hinge, a slide and a row."""

    module = "mujoco"

    def _build(self, payload: Load | None) -> None:
        import mujoco

        robot = self.robot
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
            body = self._body(at[link.near], link.far, robot.body(link.far), left[0])
            for k, (what, T) in enumerate(zip(moves, left[1:], strict=False)):
                seat = np.linalg.inv(T)
                for kind in (TURN, SLIDE) if what == SCREW else (what,):
                    name = f"{link.joint.name}.{k}.{kind}"
                    body.add_joint(name=name, type=kinds[kind], axis=seat[:3, 2], pos=seat[:3, 3])
                    self.turned[name] = seat[:3, :3]
            at[link.far] = body
        if payload is not None:  # a body without joints: MuJoCo welds it to the platform
            self._body(at[robot.platform], "payload on the platform", payload, np.eye(4))
        for name, (body, T) in mounts(robot).items():
            at[body].add_site(name=f"site {name}", pos=T[:3, 3], quat=_wxyz(T[:3, :3]))
        self.model = spec.compile()
        self._wind()
        self.data, self.nv = mujoco.MjData(self.model), self.model.nv

    def _wind(self) -> None:
        """Springs of the tree's axes, on the joints that stand for them; of a screw, the hinge."""
        for link in self.links:
            for k, (name, axis) in enumerate(link.axes):
                if axis.spring is not None:
                    at = next(n for n in self.turned if n.startswith(f"{link.joint.name}.{k}."))
                    joint, rest = self.model.joint(at), axis.spring.rest
                    self.model.jnt_stiffness[joint.id] = axis.spring.stiffness
                    self.model.qpos_spring[joint.qposadr] = -rest if link.reversed else rest
                    self.springs |= {name}

    @staticmethod
    def _body(parent: Any, name: str, body: gough.Body | Load, T: np.ndarray) -> Any:
        moments, axes = np.linalg.eigh(np.array(body.inertia))
        axes[:, 0] *= np.sign(np.linalg.det(axes))
        made = parent.add_body(name=name, pos=T[:3, 3], quat=_wxyz(T[:3, :3]))
        made.explicitinertial = True
        made.mass, made.inertia = body.mass, moments
        made.ipos, made.iquat = body.center, _wxyz(axes)
        return made

    def _moves(self, link: Link) -> list[str]:
        return [n for n in self.turned if n.split(".")[0] == link.joint.name]

    def place(self, poses: Mapping[str, np.ndarray]) -> None:
        for link in self.links:
            values = link.coordinates(poses, self.home)
            if link.joint.kind == "helical":
                values = [values[0], link.joint.pitch * values[0]]
            for name, x in zip(self._moves(link), values, strict=True):
                if np.ndim(x):
                    R = self.turned[name]
                    self.data.joint(name).qpos[:] = _wxyz(R @ x @ R.T)
                else:
                    self.data.joint(name).qpos[:] = x
        self.pull(())
        self.move(np.zeros(self.nv))

    def pull(self, wrenches: Iterable[Wrench]) -> None:
        self.wrenches = tuple(wrenches)
        self.data.xfrc_applied[:] = 0.0
        for name, point, f, n in self.wrenches:
            body = self.data.body(name)
            # MuJoCo takes them at the centre of mass
            arm = body.xpos + body.xmat.reshape(3, 3) @ point - body.xipos
            body.xfrc_applied[:] += np.concatenate([f, n + np.cross(arm, f)])

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
        self.mj.mj_inverse(self.model, self.data)  # its springs included, wrenches not
        pulled = np.zeros(self.nv)
        for name, point, f, n in self.wrenches:
            body = self.data.body(name)
            at = body.xpos + body.xmat.reshape(3, 3) @ point
            self.mj.mj_applyFT(self.model, self.data, f, n, at, body.id, pulled)
        return self.data.qfrc_inverse - pulled

    def inertia(self) -> np.ndarray:
        columns = np.zeros((self.nv, self.nv))
        for column, unit in zip(columns, np.eye(self.nv), strict=True):
            self.mj.mj_mulM(self.model, self.data, column, unit)
        return columns.T

    def bias(self) -> np.ndarray:
        return -self.data.qfrc_smooth  # springs, wrenches and bias, as its own motion takes them

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
