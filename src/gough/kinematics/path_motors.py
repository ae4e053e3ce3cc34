"""Motor rates of a leg from the paths through all of its joints.  [KI] (74)-(75)

    qd_ai = L_ci V_r,   J_r^-1 = [L_c1; ...; L_cm]

Every joint at which the leg meets the hub ends a path, whose twist is that of the hub's body; every
loop of the leg's own ends where it began.  All of them together are solved for the leg's rates, of
which those of motors are unique; freedoms that the platform does not see are frozen, as everywhere.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gough.base.spatial import cross, total
from gough.kinematics.motion import Kinematics
from gough.kinematics.paths import joint_columns, way_to
from gough.mechanism.closure.couplings import row_scale
from gough.mechanism.closure.drags import Drag, Pull
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.edges import ways
from gough.mechanism.topology.moves import BALL
from gough.mechanism.topology.moves import SLIDE as SLIDING
from gough.robot import Joint
from gough.robot.joint import FREEDOMS, KINDS, PLANE, SLIDE

_NOTHING = 1e-9  # singular values of motions that nothing feels, natural units: rounding is 1e-15


def motor_rows(
    assembly: Assembly, solution: Solution, index: int
) -> tuple[tuple[str, ...], np.ndarray]:
    """Motors of a leg, and ``L_ci`` with ``qd_ai = L_ci V_r``.  [KI] (74)"""
    robot = assembly.robot
    motors = tuple(name for name in robot.motors if assembly.axes[name].tree == index)
    if not motors:
        return motors, np.zeros((0, assembly.mobility))
    leg = _Leg(assembly, solution, index)
    rates = leg.rates
    return motors, np.stack([rates[leg.axes[motor].start] for motor in motors])  # [KI] (74)


class _Leg:
    """A leg with all of its joints, those at the hub included."""

    def __init__(self, assembly: Assembly, solution: Solution, index: int) -> None:
        self.assembly, self.solution, self.at = assembly, solution, solution.equations
        robot, leg = assembly.robot, assembly.topology.legs[index]
        self.tree, self.bodies = leg.tree, leg.tree.bodies
        self.coupled = assembly.topology.couplings[index + 1]
        inner = [j for j in robot.joints if {j.parent, j.child} <= set(self.bodies)]
        at_hub = [c.joint for c in leg.closings if c.far_on_hub]
        self.ways = ways([robot.base], self.bodies, inner)
        reaching = [way.joint for way in self.ways]
        self.closing = [j for j in (*inner, *at_hub) if j not in reaching]
        self.joints = [*reaching, *self.closing]

    @cached_property
    def axes(self) -> dict[str, slice]:
        """Columns of every axis of the leg, by name."""
        found, start = {}, 0
        for joint in self.joints:
            for name, what in zip(joint.axis_names, KINDS[joint.kind].values(), strict=True):
                found[name] = slice(start, start + FREEDOMS[what])
                start += FREEDOMS[what]
        return found

    @cached_property
    def units(self) -> np.ndarray:
        """Natural unit of every column: lengths of slides and planes."""
        kinds = [what for joint in self.joints for what in KINDS[joint.kind].values()]
        length = self.assembly.scales.length
        return np.array(
            [
                length if what in (SLIDE, PLANE) else 1.0
                for what in kinds
                for _ in range(FREEDOMS[what])
            ]
        )

    @property
    def rates(self) -> np.ndarray:
        """Rates of all axes per unit of each freedom; motions that nothing feels stand still."""
        twist = self.assembly.scales.twist[:, None]
        rows = [self._around(joint) / twist for joint in self.closing]
        right = [self._hub_twist(joint) / twist for joint in self.closing]
        for tree, poses, lock in self.at.held:
            if tree is self.tree:
                rows.append(self._held(poses, lock)[None])
                right.append(self._dragged(lock)[None])
        for coupled in self.coupled:
            row, on_hub = self._coupled(coupled)
            rows.append(row[None])
            right.append(on_hub[None])
        J, V = np.concatenate(rows) * self.units, np.concatenate(right)
        found = np.linalg.lstsq(J, V, rcond=_NOTHING)[0]  # [KI] (73)
        return np.asarray(found * self.units[:, None])

    def _around(self, closing: Joint) -> np.ndarray:
        """Twist of a joint's child against its parent and on to the base, per rate of each axis."""
        row = self._spread(closing, joint_columns(self.at, closing))
        for body, sign in ((closing.parent, 1.0), (closing.child, -1.0)):
            if body in self.bodies:
                row = row + sign * self._twist(body)
        return row

    def _twist(self, body: str) -> np.ndarray:
        """Twist of a body of the leg at the platform's origin, per rate of each axis."""
        found = np.zeros((6, len(self.units)))
        for way in way_to(self.ways, body):
            found += way.sign * self._spread(way.joint, joint_columns(self.at, way.joint))
        return found

    def _spread(self, joint: Joint, columns: np.ndarray) -> np.ndarray:
        """Columns of a joint among those of all axes."""
        found = np.zeros((len(columns), len(self.units)))
        if joint.axis_names:
            first, last = self.axes[joint.axis_names[0]], self.axes[joint.axis_names[-1]]
            found[:, first.start : last.stop] = columns
        return found

    def _hub_twist(self, closing: Joint) -> np.ndarray:
        """Twist of the hub's body at a joint, taken at the platform's origin, per freedom."""
        assembly, at, p = self.assembly, self.at, self.at.platform.p
        for body, sign in ((closing.child, 1.0), (closing.parent, -1.0)):
            if body == assembly.robot.platform:
                return sign * np.asarray(self.solution.Psi)
            if body not in self.bodies:
                found = []
                for column in self.solution.Psi.T:
                    v, w, _, _ = Kinematics(assembly, self.solution, column).body_motion(body)
                    found.append(np.concatenate([v + cross(w, p - at.body_poses[body].p), w]))
                return sign * np.reshape(found, (-1, 6)).T
        return np.zeros((6, assembly.mobility))  # a loop of the leg's own

    def _coupled(self, coupled: Coupled) -> tuple[np.ndarray, np.ndarray]:
        """A coupling over the rates of the leg, and what joints of the hub add, per freedom."""
        row, right = np.zeros(len(self.units)), np.zeros(self.assembly.mobility)
        for name, coefficient in coupled.coupling.axes.items():
            if name in self.axes:
                row[self.axes[name].start] += coefficient
                continue
            for k, column in enumerate(self.solution.Psi.T):
                rate = Kinematics(self.assembly, self.solution, column).axis_rate(name)
                right[k] -= coefficient * rate
        scale = row_scale(coupled, self.assembly.length)
        return row / scale, right / scale

    def _pulls(self, lock: Lock) -> list[Pull]:
        """What drags a spin of the leg along."""
        group = self.at.topology.trees.index(self.tree) - 1
        return Drag(self.at, group, lock).pulls if lock.beside else []

    def _dragged(self, lock: Lock) -> np.ndarray:
        """What bodies of the hub add to such a row, per freedom."""
        found = np.zeros(self.assembly.mobility)
        for body, y in self._pulls(lock):
            if body not in self.bodies:
                for k, column in enumerate(self.solution.Psi.T):
                    motion = Kinematics(self.assembly, self.solution, column).body_motion(body)
                    found[k] += float(y @ motion.w)
        return found

    def _held(self, poses: list[Pose], lock: Lock) -> np.ndarray:
        """A row that vanishes: it freezes a freedom of the leg that the platform does not see."""
        if lock.axis is not None:
            pulls = self._pulls(lock)
            x = total(y for _, y in pulls) if pulls else poses[lock.link].R @ lock.axis
            row = x @ self._twist(self.tree.body_on(lock.link))[3:]
            for body, y in pulls:
                if body in self.bodies:
                    row = row - y @ self._twist(body)[3:]
            return np.asarray(row)
        i = self.tree.link_of(lock.column)
        link = self.tree.links[i]
        joint = self.assembly.robot.joint(link.joint)
        columns = self._spread(joint, joint_columns(self.at, joint))
        if link.move == SLIDING:
            axis = self.axes[joint.axis_names[link.axis]]
            row = np.eye(len(self.units))[axis.start + self.tree.place_in_axis(i)]
            return np.asarray(row / self.units)
        ball = link.move == BALL
        n = poses[i].R[:, lock.column - self.tree.columns[i].start if ball else 2]
        return np.asarray(n @ columns[3:])
