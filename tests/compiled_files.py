"""MJCF files as MuJoCo compiles them, loops closed exactly, beside the robots that gough reads.

Rows of loops and couplings are MuJoCo's own, of equality constraints; what the machine may do is
their null space ``N``.  Directions in it that no motor moves are idle and held, as in the
references: ``N`` without what is orthogonal to all motors' motions.
"""

from __future__ import annotations

import warnings

import numpy as np

import gough
from engine_files import InMuJoCo
from foreign import share
from round_trips import states

STEP = 1e-5  # of differences in time: what is left of them is below 1e-9


class Compiled(InMuJoCo):
    """A file that others might have written; whatever equalities it has."""

    def load(self, path):
        import mujoco

        self.mj = mujoco
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.data, self.nv = mujoco.MjData(model), model.nv
        self.rank, self.fixed, self.held = 1e-8, "", np.zeros((0, self.nv))

    def drive(self, motors):
        """Take joints by name, as motors that act at the joint."""
        at = [int(self.model.joint(name).dofadr[0]) for name in motors]
        self.S = np.eye(self.nv)[at]

    def hold(self, joints):
        """Keep joints by name where they are."""
        at = [int(self.model.joint(name).dofadr[0]) for name in joints]
        self.held = np.eye(self.nv)[at]

    def fix(self, link):
        """Keep a link where it is."""
        self.fixed = link

    def _rows(self):
        rows = self.data.efc_type == self.mj.mjtConstraint.mjCNSTR_EQUALITY
        J = [self.data.efc_J.reshape(-1, self.nv)[rows], self.held]
        return np.vstack([*J, *([self.point(self.fixed, np.zeros(3))[1]] if self.fixed else [])])

    @property
    def gaps(self):
        rows = self.data.efc_type == self.mj.mjtConstraint.mjCNSTR_EQUALITY
        return self.data.efc_pos[rows]

    def constraint(self):
        v, q = self.v.copy(), self.data.qpos.copy()
        ends = []
        for sign in (1.0, -1.0):
            self.data.qpos[:] = q
            self.move(sign * STEP * v, v)
            ends.append(self._rows())
        self.data.qpos[:] = q
        self.move(np.zeros(self.nv), v)
        return self._rows(), (ends[0] - ends[1]) @ v / (2.0 * STEP)

    def free(self):
        J, _ = self.constraint()
        _, sizes, Vt = np.linalg.svd(J)
        N = Vt[np.count_nonzero(sizes > self.rank * max(sizes, default=1.0)) :].T
        _, sizes, Vt = np.linalg.svd(self.S @ N)
        return N @ Vt[: np.count_nonzero(sizes > 1e-8)].T


def compared(path, motors=None, lock=(), count=2, rank=1e-8, **arguments):
    """Largest errors of poses, efforts and accelerations of a file, and its conversion."""
    given = {"motors": motors} if motors else {}
    found = gough.convert(path, lock=lock, **given, **arguments)
    robot = found.robot
    engine = Compiled(path, [b.name for b in robot.bodies])
    names = {b.label or b.name: b.name for b in robot.bodies}
    engine.rank = rank
    engine.bodies = [n for n in names if engine.mj.mj_name2id(engine.model, 1, n) >= 0]
    labels = [robot.joint(m.partition(".")[0]) for m in robot.motors]
    engine.drive([j.label or j.name for j in labels])
    engine.hold(lock)
    base = arguments.get("base")
    still = {}
    if base:  # held where the file draws it, although it floats there
        engine.mj.mj_forward(engine.model, engine.data)
        still = {base: engine.pose(base)}
        engine.bodies.append(base)
        engine.fix(base)
    errors = np.zeros(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gough.GoughWarning)
        for state in states(robot, count):
            at = gough.posture(robot, state)
            tau = gough.inverse_dynamics(robot, state)
            bodies, twists, rates = (
                {n: each[names[n]] for n in engine.bodies if n not in still}
                for each in (at.bodies, at.twists, at.twist_rates)
            )
            for name, T_0 in still.items():
                bodies[name], twists[name], rates[name] = T_0, np.zeros(6), np.zeros(6)
            off = engine.place(bodies, twists)
            off = max(off, float(np.abs(engine.gaps).max(initial=0.0)))
            a = engine.accelerations(rates)
            wanted = engine.efforts(a)
            if robot.redundant:
                N = engine.free()
                wanted, tau = N.T @ engine.S.T @ wanted, N.T @ engine.S.T @ tau
            fall = engine.S @ engine.falling(np.zeros(len(robot.motors)))
            ours = gough.motor_accelerations(
                robot, gough.forward_dynamics(robot, state, np.zeros(len(robot.motors)))
            )
            errors = np.fmax(errors, [off, share(tau, wanted, 1e-9), share(ours, fall, 1.0)])
    return errors, found
