"""Files that gough has written, loaded by MuJoCo, Pinocchio and Drake themselves.

An engine gives bodies, inertia, bias and Jacobians of its tree; the loops of the file are closed by
hand, as in :mod:`engine_loops`, with points that coincide::

    J_c v = 0,    J_c a + drift_c = 0,    f(a) = S^T tau + J_c^T lambda
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from abc import ABC, abstractmethod

import numpy as np
from scipy.spatial.transform import Rotation

RANK = 1e-8


class Loaded(ABC):
    """A file in an engine; points are of links, by name."""

    def __init__(self, path, bodies):
        self.bodies = bodies
        self.load(path)

    @abstractmethod
    def load(self, path):
        """Load the file; set ``nv``, ``loops`` (pairs of points) and ``S`` (motors)."""

    @abstractmethod
    def move(self, dq, v):
        """Move the configuration by ``dq``, and take the rates ``v``."""

    @abstractmethod
    def point(self, link, p):
        """Place, Jacobian (6 rows) and drift (6) of a point of a link."""

    @abstractmethod
    def pose(self, link):
        """Pose of a link."""

    @abstractmethod
    def terms(self):
        """Inertia, and bias with all that acts in the joints."""

    def place(self, poses, twists):
        """Take the configuration from poses of bodies, by Gauss and Newton, and their twists."""
        for _ in range(60):
            self.move(np.zeros(self.nv), np.zeros(self.nv))
            rows, gaps = [], []
            for name in self.bodies:
                here, there = self.pose(name), poses[name]
                turn = Rotation.from_matrix(there[:3, :3] @ here[:3, :3].T).as_rotvec()
                gaps.append(np.concatenate([there[:3, 3] - here[:3, 3], turn]))
                rows.append(self.point(name, np.zeros(3))[1])
            gap = np.concatenate(gaps)
            step = np.linalg.lstsq(np.vstack(rows), gap, rcond=1e-10)[0]
            self.move(step * min(1.0, 0.5 / np.abs(step).max()), np.zeros(self.nv))
            if np.abs(gap).max() < 1e-13:
                break
        self.move(np.zeros(self.nv), np.zeros(self.nv))
        J = np.vstack([self.point(name, np.zeros(3))[1] for name in self.bodies])
        v = np.linalg.lstsq(J, np.concatenate([twists[n] for n in self.bodies]), rcond=1e-10)[0]
        self.v = v
        self.move(np.zeros(self.nv), v)
        return float(np.abs(gap).max())

    def accelerations(self, rates):
        J, wanted = [], []
        for name in self.bodies:
            _, rows, drift = self.point(name, np.zeros(3))
            J.append(rows)
            wanted.append(rates[name] - drift)
        return np.linalg.lstsq(np.vstack(J), np.concatenate(wanted), rcond=1e-10)[0]

    def constraint(self):
        """Rows of all loops, and their drift."""
        rows, drift = [np.zeros((0, self.nv))], [np.zeros(0)]
        for one, two in self.loops:
            a, b = self.point(*one), self.point(*two)
            rows.append(a[1][:3] - b[1][:3])
            drift.append(a[2][:3] - b[2][:3])
        return np.vstack(rows), np.concatenate(drift)

    def free(self):
        J, _ = self.constraint()
        _, sizes, Vt = np.linalg.svd(J)
        return Vt[np.count_nonzero(sizes > RANK * max(sizes, default=1.0)) :].T

    def efforts(self, a):
        """Motor efforts of accelerations."""
        N, (M, bias) = self.free(), self.terms()
        return np.linalg.lstsq(N.T @ self.S.T, N.T @ (M @ a + bias), rcond=RANK)[0]

    def falling(self, tau):
        """Accelerations of the tree under efforts."""
        J, drift = self.constraint()
        N, (M, bias) = self.free(), self.terms()
        a = np.linalg.lstsq(J, -drift, rcond=RANK)[0]
        rest = N.T @ (self.S.T @ tau - bias - M @ a)
        return a + N @ np.linalg.lstsq(N.T @ M @ N, rest, rcond=1e-13)[0]


class InMuJoCo(Loaded):
    """An MJCF file."""

    def load(self, path):
        import mujoco

        self.mj = mujoco
        self.model = mujoco.MjModel.from_xml_path(str(path))
        self.data, self.nv = mujoco.MjData(self.model), self.model.nv
        self.data.qpos[:] = self.model.key_qpos[0]
        self.loops = []
        for k in range(self.model.neq):
            kind = self.model.eq_type[k]
            assert kind == mujoco.mjtEq.mjEQ_CONNECT
            ends = [int(x) for x in (self.model.eq_obj1id[k], self.model.eq_obj2id[k])]
            names = [self.model.body(int(self.model.site_bodyid[s])).name for s in ends]
            points = [self.model.site_pos[s] for s in ends]
            self.loops.append(tuple(zip(names, points, strict=True)))
        self.S = np.zeros((self.model.nu, self.nv))
        for k in range(self.model.nu):
            joint = int(self.model.actuator_trnid[k, 0])
            self.S[k, self.model.jnt_dofadr[joint]] = 1.0

    def move(self, dq, v):
        self.mj.mj_integratePos(self.model, self.data.qpos, np.asarray(dq), 1.0)
        self.data.qvel[:] = v
        self.mj.mj_forward(self.model, self.data)
        self.data.qacc[:] = 0.0
        self.mj.mj_rnePostConstraint(self.model, self.data)

    def pose(self, link):
        body, T = self.data.body(link), np.eye(4)
        T[:3, :3], T[:3, 3] = body.xmat.reshape(3, 3), body.xpos
        return T

    def point(self, link, p):
        body, T = self.model.body(link).id, self.pose(link)
        at = T[:3, :3] @ p + T[:3, 3]
        J = np.zeros((2, 3, self.nv))
        self.mj.mj_jac(self.model, self.data, J[0], J[1], at, body)
        found = np.zeros(6)
        kind = self.mj.mjtObj.mjOBJ_XBODY
        self.mj.mj_objectAcceleration(self.model, self.data, kind, body, found, 0)
        w, wd = self.data.qvel @ J[1].T, found[:3]
        r = at - T[:3, 3]
        a = found[3:] + self.model.opt.gravity + np.cross(wd, r) + np.cross(w, np.cross(w, r))
        return at, J.reshape(6, self.nv), np.concatenate([a, wd]) * (body > 0)

    def terms(self):
        M = np.zeros((self.nv, self.nv))
        for column, unit in zip(M, np.eye(self.nv), strict=True):
            self.mj.mj_mulM(self.model, self.data, column, unit)
        coulomb = self.model.dof_frictionloss * np.sign(self.data.qvel)
        return M.T, self.data.qfrc_bias - self.data.qfrc_passive + coulomb


class InPinocchio(Loaded):
    """A URDF file with ``<loop>`` elements, which Pinocchio does not look at."""

    def load(self, path):
        import pinocchio as pin

        self.pin, self.model = pin, pin.buildModelFromUrdf(str(path))
        self.data, self.nv = self.model.createData(), self.model.nv
        self.scratch = self.model.createData()
        self.q = pin.neutral(self.model)
        root = ET.parse(path).getroot()
        self.loops = []
        for loop in root.findall("loop"):
            ends = []
            for tag in ("predecessor", "successor"):
                end = loop.find(tag)
                xyz, rpy = (
                    np.array(end.find("origin").get(k).split(), float) for k in ("xyz", "rpy")
                )
                z = Rotation.from_euler("xyz", rpy).as_matrix()[:, 2]
                ends.append((end.get("link"), xyz, z))
            kind = loop.get("type")
            assert kind in ("spherical", "revolute"), kind
            for k in range(2 if kind == "revolute" else 1):
                self.loops.append(tuple((link, p + k * z) for link, p, z in ends))
        self.S = np.zeros((0, self.nv))
        for drive in root.findall("transmission"):
            joint = self.model.getJointId(drive.find("joint").get("name"))
            self.S = np.vstack([self.S, np.eye(self.nv)[self.model.joints[joint].idx_v]])

    def move(self, dq, v):
        self.q = self.pin.integrate(self.model, self.q, np.asarray(dq))
        self.v = v
        zero = np.zeros(self.nv)
        self.pin.computeJointJacobians(self.model, self.data, self.q)
        self.pin.forwardKinematics(self.model, self.data, self.q, v, zero)
        self.pin.updateFramePlacements(self.model, self.data)

    def pose(self, link):
        return self.data.oMf[self.model.getBodyId(link)].homogeneous

    def point(self, link, p):
        frame, axes = self.model.getBodyId(link), self.pin.LOCAL_WORLD_ALIGNED
        T = self.pose(link)
        r = T[:3, :3] @ p
        J = np.array(self.pin.getFrameJacobian(self.model, self.data, frame, axes))
        drift = self.pin.getFrameClassicalAcceleration(self.model, self.data, frame, axes).vector
        w, wd = J[3:] @ self.v, drift[3:]
        J[:3] += _cross(J[3:], r)
        a = drift[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r))
        return T[:3, 3] + r, J, np.concatenate([a, wd])

    def terms(self):
        upper = np.triu(self.pin.crba(self.model, self.scratch, self.q))
        M = upper + np.triu(upper, 1).T
        return M, self.pin.nonLinearEffects(self.model, self.scratch, self.q, self.v).copy()


class InDrake(Loaded):
    """An SDF file for Drake: a tree, and points that are held together."""

    def load(self, path):
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import MultibodyPlant
        from pydrake.multibody.tree import JacobianWrtVariable

        self.rates = JacobianWrtVariable.kV
        self.plant = MultibodyPlant(1e-3)  # constraints need a discrete plant
        Parser(self.plant).AddModels(str(path))
        root = ET.parse(path).getroot()
        gravity = np.array(root.find(".//gravity").text.split(), float)  # Drake has its own
        self.plant.mutable_gravity_field().set_gravity_vector(gravity)
        self.plant.Finalize()
        self.context, self.nv = self.plant.CreateDefaultContext(), self.plant.num_velocities()
        tag = "{http://drake.mit.edu}ball_constraint"
        self.loops = []
        for each in root.iter(tag):
            ends = (("body_A", "p_AP"), ("body_B", "p_BQ"))
            found = [[each.find(f"{tag}_{key}").text for key in pair] for pair in ends]
            self.loops.append([(name, np.array(p.split(), float)) for name, p in found])
        assert len(self.loops) == self.plant.num_constraints()
        names = [each.find("joint_name").text for each in root.iter("plugin")]
        places = [self.plant.GetJointByName(name).velocity_start() for name in names]
        self.S = np.eye(self.nv)[places]
        assert self.plant.num_actuators() == len(names)

    def move(self, dq, v):
        q = self.plant.GetPositions(self.context)
        step = self.plant.MapVelocityToQDot(self.context, np.asarray(dq))
        self.plant.SetPositions(self.context, q + step)
        self.plant.SetVelocities(self.context, v)

    def _frame(self, link):
        return self.plant.GetBodyByName(link).body_frame()

    def pose(self, link):
        return self._frame(link).CalcPoseInWorld(self.context).GetAsMatrix4()

    def point(self, link, p):
        world, T = self.plant.world_frame(), self.pose(link)
        given = (self.context, self.rates, self._frame(link), p, world, world)
        J = self.plant.CalcJacobianSpatialVelocity(*given)
        A = self.plant.CalcBiasSpatialAcceleration(*given)
        drift = np.concatenate([A.translational(), A.rotational()])
        return T[:3, :3] @ p + T[:3, 3], np.vstack([J[3:], J[:3]]), drift

    def terms(self):
        gravity = self.plant.CalcGravityGeneralizedForces(self.context)
        M = self.plant.CalcMassMatrix(self.context)
        return M, self.plant.CalcBiasTerm(self.context) - gravity


def _cross(W, r):
    """Velocities ``w x r`` of the columns of angular velocities."""
    return np.cross(W.T, r).T
