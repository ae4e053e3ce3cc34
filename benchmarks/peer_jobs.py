"""The jobs that are timed: Pinocchio, MuJoCo and CasADi, each as its users would write them.

Both engines are asked for what gough gives:

inverse dynamics
    Efforts f of the tree, Jacobian J of the loops, and ``f = S^T tau + J^T lambda`` solved for tau
    and lambda.  Of the rows of J so many independent ones are chosen, once, that the system is
    square; it stays in place, only J is written into it.  It is solved by ``np.linalg.solve``, or
    by LAPACK's ``dgesv`` itself, which few users would write and which spares half of the time.

forward dynamics
    Pinocchio: ``constraintDynamics``.  MuJoCo: ``mj_forward`` with equality constraints, which are
    soft: not quite the same numbers.
"""

from __future__ import annotations

from typing import Any

import casadi as ca
import mujoco
import numpy as np
import pinocchio as pin
from peer_states import States, TreeStates, best_seed, independent_rows, tree_states
from scipy.linalg.lapack import dgesv
from scipy.spatial.transform import Rotation

import gough
from engine_trees import BALL, SLIDE, TURN, mounts
from engines import MuJoCo, Pinocchio
from machines import BASE

Point = tuple[str, float]
"""A cut joint, and how far along its axis a point lies that its two ends share [m]."""


class Loops:
    """``f = S^T tau + J^T lambda`` as a square system that is filled and solved again and again."""

    def __init__(self, J: np.ndarray, motors: np.ndarray) -> None:
        nv, count = J.shape[1], len(motors)
        rows = independent_rows(J, nv - count)
        if len(rows) < nv - count:
            raise RuntimeError("these points do not close the loops")
        self.rows = None if len(rows) == len(J) else rows
        self.count = count
        self.matrix = np.zeros((nv, nv), order="F")
        self.matrix[motors, np.arange(count)] = 1.0
        self.J = self.matrix[:, count:].T

    def efforts(self, f: np.ndarray, J: np.ndarray) -> np.ndarray:
        """Motor efforts, by NumPy."""
        self.J[:] = J if self.rows is None else J[self.rows]
        return np.linalg.solve(self.matrix, f)[: self.count]

    def efforts_by_lapack(self, f: np.ndarray, J: np.ndarray) -> np.ndarray:
        """Motor efforts, by LAPACK itself."""
        self.J[:] = J if self.rows is None else J[self.rows]
        return dgesv(self.matrix, f)[2][: self.count]


class PinocchioJob:
    """A robot in Pinocchio: a tree, and contacts where its loops are cut."""

    def __init__(self, robot: gough.Robot, given: States) -> None:
        engine = Pinocchio(robot, best_seed(robot))
        self.robot, self.engine, self.model = robot, engine, engine.model
        self.states, self.motors = tree_states(engine, given, lambda: np.copy(engine.q))
        armature = self.model.armature.copy()
        armature[self.motors] = [robot.axis(name).reflected_inertia for name in robot.motors]
        self.model.armature = armature
        self.data = self.model.createData()
        self._close()
        self.loops = Loops(self._jacobian(self.states.q[0]), self.motors)

    def _close(self) -> None:
        """A point at every cut; at a hinge a second one on its axis if one will not do."""
        self.points: list[Point] = [(j.name, 0.0) for j in self.engine.cuts]
        hinges = [j.name for j in self.engine.cuts if j.kind == "revolute"]
        wanted = self.model.nv - self.robot.mobility
        self._ready()
        while np.linalg.matrix_rank(self._jacobian(self.states.q[0]), 1e-8) < wanted:
            self.points.append((hinges.pop(), 0.1))
            self._ready()

    def _ready(self) -> None:
        self.contacts = pin.StdVec_RigidConstraintModel()
        self.contact_data = pin.StdVec_RigidConstraintData()
        for joint, along in self.points:
            self.contacts.append(self._contact(joint, along))
        for contact in self.contacts:
            self.contact_data.append(contact.createData())
        self.pairs = list(zip(self.contacts, self.contact_data, strict=True))
        pin.initConstraintDynamics(self.model, self.data, self.contacts, self.contact_data)
        # redundant rows, as of a planar loop, need a little damping; it costs three digits of 15
        self.settings = pin.ProximalSettings(1e-12, 1e-12, 1)

    def _contact(self, joint: str, along: float) -> Any:
        ends = []
        for end in "AB":
            frame = self.model.frames[self.engine.frames[f"{joint}/{end}"]]
            shift = pin.SE3(np.eye(3), np.array([0.0, 0.0, along]))
            ends += [frame.parentJoint, frame.placement * shift]
        return pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, self.model, *ends, pin.ReferenceFrame.LOCAL
        )

    def _jacobian(self, q: np.ndarray) -> np.ndarray:
        pin.computeJointJacobians(self.model, self.data, q)
        for contact, contact_data in self.pairs:
            contact.calc(self.model, self.data, contact_data)
        return pin.getConstraintsJacobian(self.model, self.data, self.contacts, self.contact_data)

    def inverse(self, s: TreeStates, *, lapack: bool = False) -> np.ndarray:
        """Motor efforts."""
        solve = self.loops.efforts_by_lapack if lapack else self.loops.efforts
        model, data, contacts, contact_data = (
            self.model,
            self.data,
            self.contacts,
            self.contact_data,
        )
        pairs, tau = self.pairs, np.empty((len(s.q), len(self.motors)))
        for i, (q, v, a) in enumerate(zip(s.q, s.v, s.a, strict=True)):
            f = pin.rnea(model, data, q, v, a)
            pin.computeJointJacobians(model, data, q)
            for contact, own in pairs:
                contact.calc(model, data, own)
            J = pin.getConstraintsJacobian(model, data, contacts, contact_data)
            tau[i] = solve(f, J)
        return tau

    def forward(self, s: TreeStates) -> np.ndarray:
        """Joint accelerations."""
        model, data, contacts, contact_data = (
            self.model,
            self.data,
            self.contacts,
            self.contact_data,
        )
        settings, dynamics = self.settings, pin.constraintDynamics
        found = np.empty_like(s.v)
        for i, (q, v, tau) in enumerate(zip(s.q, s.v, s.tau, strict=True)):
            found[i] = dynamics(model, data, q, v, tau, contacts, contact_data, settings)
        return found

    def platform(self, s: TreeStates, accelerations: np.ndarray) -> np.ndarray:
        """Twist rates of the platform from joint accelerations."""
        data, frame = self.model.createData(), self.engine.frames["/platform"]
        found = []
        for q, v, a in zip(s.q, s.v, accelerations, strict=True):
            pin.forwardKinematics(self.model, data, q, v, a)
            pin.updateFramePlacements(self.model, data)
            found.append(
                pin.getFrameClassicalAcceleration(
                    self.model, data, frame, pin.LOCAL_WORLD_ALIGNED
                ).vector
            )
        return np.array(found)


class MuJoCoJob:
    """A robot in MuJoCo: a tree, and ``connect`` equalities at the points that Pinocchio has."""

    def __init__(self, robot: gough.Robot, given: States, points: list[Point]) -> None:
        engine = _Connected(robot, best_seed(robot), points)
        self.engine, self.model, self.data = engine, engine.model, engine.data
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_EQUALITY
        self.states, self.motors = tree_states(engine, given, lambda: np.copy(engine.data.qpos))
        self.model.opt.disableflags ^= mujoco.mjtDisableBit.mjDSBL_EQUALITY
        self.model.dof_armature[self.motors] = [
            robot.axis(name).reflected_inertia for name in robot.motors
        ]
        self.armature = self.model.dof_armature.copy()
        self.loops = Loops(self._jacobian(self.states.q[0]), self.motors)

    def _jacobian(self, q: np.ndarray) -> np.ndarray:
        m, d = self.model, self.data
        d.qpos[:] = q
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_makeConstraint(m, d)
        return d.efc_J.reshape(-1, m.nv)

    def inverse(self, s: TreeStates, *, lapack: bool = False) -> np.ndarray:
        """Motor efforts."""
        solve = self.loops.efforts_by_lapack if lapack else self.loops.efforts
        m, d, nv, armature, mj = self.model, self.data, self.model.nv, self.armature, mujoco
        qpos, qvel, qacc = d.qpos, d.qvel, d.qacc
        f, tau = np.zeros(nv), np.empty((len(s.q), len(self.motors)))
        for i, (q, v, a) in enumerate(zip(s.q, s.v, s.a, strict=True)):
            qpos[:], qvel[:], qacc[:] = q, v, a
            mj.mj_kinematics(m, d)
            mj.mj_comPos(m, d)
            mj.mj_comVel(m, d)
            mj.mj_makeConstraint(m, d)
            mj.mj_rne(m, d, 1, f)
            f += armature * a
            J = d.efc_J.reshape(-1, nv)
            tau[i] = solve(f, J)
        return tau

    def forward(self, s: TreeStates) -> np.ndarray:
        """Joint accelerations, with soft loops."""
        m, d, forward = self.model, self.data, mujoco.mj_forward
        qpos, qvel, applied = d.qpos, d.qvel, d.qfrc_applied
        found = np.empty_like(s.v)
        for i, (q, v, tau) in enumerate(zip(s.q, s.v, s.tau, strict=True)):
            qpos[:], qvel[:], applied[:] = q, v, tau
            forward(m, d)
            found[i] = d.qacc
        return found

    def platform(self, s: TreeStates, accelerations: np.ndarray) -> np.ndarray:
        """Twist rates of the platform from joint accelerations."""
        m, d, found = self.model, self.data, []
        site, kind = d.site("site /platform").id, mujoco.mjtObj.mjOBJ_SITE
        for q, v, a in zip(s.q, s.v, accelerations, strict=True):
            d.qpos[:], d.qvel[:], d.qfrc_applied[:] = q, v, 0.0
            mujoco.mj_forward(m, d)
            d.qacc[:] = a
            mujoco.mj_rnePostConstraint(m, d)
            one = np.zeros(6)
            mujoco.mj_objectAcceleration(m, d, kind, site, one, 0)
            found.append(np.concatenate([one[3:] + m.opt.gravity, one[:3]]))
        return np.array(found)


class _Connected(MuJoCo):
    """The tests' tree, with equality constraints at its cuts, nearly as hard as MuJoCo allows."""

    def __init__(self, robot: gough.Robot, seed: int | None, points: list[Point]) -> None:
        self.points = points
        super().__init__(robot, seed)

    def _build(self, payload: Any = None) -> None:
        self.mj, spec, robot = mujoco, mujoco.MjSpec(), self.robot
        spec.option.gravity = robot.gravity
        spec.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        spec.compiler.boundinertia = 1e-12  # thin bars: MuJoCo refuses moments that are zero
        kinds = {
            TURN: mujoco.mjtJoint.mjJNT_HINGE,
            SLIDE: mujoco.mjtJoint.mjJNT_SLIDE,
            BALL: mujoco.mjtJoint.mjJNT_BALL,
        }
        at, self.turned = {BASE: spec.worldbody}, {}
        for link in self.links:
            constants, moves = link.chain[::2], link.chain[1::2]
            left = [np.eye(4)]  # from the frame after each move to the body, moves at zero
            for T in reversed(constants):
                left.insert(0, T @ left[0])
            body = self._body(at[link.near], link.far, robot.body(link.far), left[0])
            for k, (what, T) in enumerate(zip(moves, left[1:], strict=False)):
                seat, name = np.linalg.inv(T), f"{link.joint.name}.{k}.{what}"
                body.add_joint(name=name, type=kinds[what], axis=seat[:3, 2], pos=seat[:3, 3])
                self.turned[name] = seat[:3, :3]
            at[link.far] = body
        frames = mounts(robot)
        for name, (body, T) in frames.items():
            quat = np.roll(Rotation.from_matrix(T[:3, :3]).as_quat(), 1)
            at[body].add_site(name=f"site {name}", pos=T[:3, 3], quat=quat)
        for joint, along in self.points:
            sites = [f"end {joint} {end} {along}" for end in "AB"]
            for site, end in zip(sites, "AB", strict=True):
                body, T = frames[f"{joint}/{end}"]
                at[body].add_site(name=site, pos=T[:3, 3] + along * T[:3, 2])
            spec.add_equality(
                type=mujoco.mjtEq.mjEQ_CONNECT,
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                name1=sites[0],
                name2=sites[1],
                solimp=[0.9999, 0.9999, 0.001, 0.5, 2.0],
            )
        self.model = spec.compile()
        self.data, self.nv = mujoco.MjData(self.model), self.model.nv


class CasadiJob:
    """The very program that gough compiles, in CasADi's virtual machine."""

    def __init__(self, kernel: gough.Kernel) -> None:
        program = kernel.program
        symbols = [ca.SX.sym(f"i{k}", port.size) for k, port in enumerate(program.inputs)]
        values: list[Any] = []
        for op, args, value in program.instructions:
            if op == "input":
                values.append(symbols[args[0]][args[1]])
            elif op == "const":
                values.append(ca.SX(value))
            else:
                values.append(_OPERATIONS[op](*(values[a] for a in args)))
        outputs = [ca.vertcat(*(values[v] for v in result)) for result in program.results]
        self.function = ca.Function("f", symbols, outputs)
        self.sizes = [port.size for port in program.outputs]

    def ready(self, arrays: list[np.ndarray]) -> Any:
        """A call without arguments that answers a batch: no copies, results in arrays."""
        count = len(arrays[0])
        function = self.function if count == 1 else self.function.map(count, "serial")
        buffer, run = function.buffer()
        given = [np.ascontiguousarray(array) for array in arrays]
        results = [np.empty((count, size)) for size in self.sizes]
        for k, array in enumerate(given):
            buffer.set_arg(k, memoryview(array))
        for k, result in enumerate(results):
            buffer.set_res(k, memoryview(result))
        alive = (function, buffer, given)  # CasADi keeps addresses only

        def call() -> np.ndarray:
            run()
            return results[0] if alive else None

        return call


_OPERATIONS: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "sqrt": ca.sqrt,
    "sin": ca.sin,
    "cos": ca.cos,
    "tan": ca.tan,
    "asin": ca.asin,
    "acos": ca.acos,
    "atan": ca.atan,
    "atan2": ca.atan2,
    "exp": ca.exp,
    "log": ca.log,
    "abs": ca.fabs,
    "sign": ca.sign,
    "copysign": ca.copysign,
    "min": ca.fmin,
    "max": ca.fmax,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "not": ca.logic_not,
    "and": ca.logic_and,
    "or": ca.logic_or,
    "select": lambda a, b: ca.if_else(a, b, 0.0),
}
