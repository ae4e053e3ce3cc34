"""Pinocchio and MuJoCo on a robot's description, behind one face.

Neither has the inverse dynamics of closed loops, so both get a spanning tree of the graph
(:mod:`engine_trees`); :mod:`engine_loops` closes its loops by hand.
"""

from __future__ import annotations

import importlib.util
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gough
from engine_trees import BALL, SCREW, SLIDE, TURN, Link, mounts, shift, spanning_tree
from machines import BASE


def need_engine(module: str) -> None:
    """Skip without an engine; in continuous integration its absence is a failure."""
    if importlib.util.find_spec(module) is None:
        told = f"{module} is not installed: pip install 'gough[engines]'"
        pytest.fail(told) if os.environ.get("CI") else pytest.skip(told)


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
