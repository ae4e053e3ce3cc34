"""Motor rates of a leg from the paths through all of its joints.  [KI] (74)-(75)

    qd_ai = L_ci V_r,   J_r^-1 = [L_c1; ...; L_cm]

Every joint at which the leg meets the hub ends a path, whose twist is that of the hub's body; every
loop of the leg's own ends where it began.  All of them together are solved for the leg's rates, of
which those of motors are unique; freedoms that the platform does not see are frozen, as everywhere.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array, collect, cross, total
from gough.kinematics.motion import Kinematics
from gough.kinematics.paths import joint_columns, path_through, way_to
from gough.mechanism.closure.couplings import row_scale
from gough.mechanism.closure.drags import Drag, Pull
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.edges import ways
from gough.robot import Joint
from gough.robot.joint_kinds import BALL, FREEDOMS, PLANE, SLIDE

_NOTHING = 1e-9  # singular values of motions that nothing feels, natural units: rounding is 1e-15


class LegPaths:
    """A leg with all of its joints, those at the hub included: the way through it, and all paths.

    Args:
        assembly: the robot.
        index: number of the leg.

    Attributes:
        path: joints from the base through the leg to the platform, in order.
        motors: names of the leg's motors.
    """

    def __init__(self, assembly: Assembly, index: int) -> None:
        self.assembly, self.index = assembly, index
        robot, leg = assembly.robot, assembly.topology.legs[index]
        self.path = path_through(assembly, leg)
        self.motors = tuple(name for name in robot.motors if assembly.axes[name].tree == index)
        self.tree, self.bodies = leg.tree, leg.tree.bodies
        self.coupled = assembly.topology.couplings[index + 1]
        inner = [j for j in robot.joints if {j.parent, j.child} <= set(self.bodies)]
        at_hub = [c.joint for c in leg.closings if c.far_on_hub]
        self.ways = ways([robot.base], self.bodies, inner)
        reaching = [way.joint for way in self.ways]
        self.closing = [j for j in (*inner, *at_hub) if j not in reaching]
        self.joints = [*reaching, *self.closing]

    @property
    def equations(self) -> int:
        """How many equations give the rates of all axes; none are made for a leg without motors."""
        if not self.motors:
            return 0
        locks = self.assembly.locks.legs[self.index]
        return 6 * len(self.closing) + len(locks) + len(self.coupled)

    @cached_property
    def axes(self) -> dict[str, slice]:
        """Columns of every axis of the leg, by name."""
        found, start = {}, 0
        for joint in self.joints:
            for name, what in joint.axis_kinds.items():
                found[name] = slice(start, start + FREEDOMS[what])
                start += FREEDOMS[what]
        return found

    @cached_property
    def units(self) -> np.ndarray:
        """Natural unit of every column: lengths of slides and planes."""
        kinds = [what for joint in self.joints for what in joint.axis_kinds.values()]
        length = self.assembly.scales.length
        return np.array(
            [
                length if what in (SLIDE, PLANE) else 1.0
                for what in kinds
                for _ in range(FREEDOMS[what])
            ]
        )

    def matrices(self, kin: Kinematics, freedoms: list[Kinematics]) -> tuple[Array, Array]:
        """``J`` and ``V`` of ``J qd = V V_r`` over the rates of all axes, natural units.  [KI] (73)

        Args:
            kin: the robot at the state.
            freedoms: the same in the unit motion of each freedom.

        Returns:
            ``J (equations, axes)``, ``V (equations, n)``.
        """
        if not self.equations:
            return np.zeros((0, len(self.units))), np.zeros((0, self.assembly.mobility))
        at, twist = kin.at, self.assembly.scales.twist[:, None]
        rows = [self._around(at, joint) / twist for joint in self.closing]
        right = [self._hub_twist(kin, freedoms, joint) / twist for joint in self.closing]
        for tree, poses, lock in at.held:
            if tree is self.tree:
                rows.append(self._held(at, poses, lock)[None])
                right.append(self._dragged(at, freedoms, lock)[None])
        for coupled in self.coupled:
            row, on_hub = self._coupled(freedoms, coupled)
            rows.append(row[None])
            right.append(on_hub[None])
        return np.concatenate(rows) * self.units, np.concatenate(right)

    def motor_rates(self, J: np.ndarray, V: np.ndarray) -> np.ndarray:
        """``L_ci`` with ``qd_ai = L_ci V_r`` of many states; what nothing feels stands still.

        Args:
            J: over all axes, as :meth:`matrices` has it ``(..., equations, axes)``.
            V: over the freedoms, likewise ``(..., equations, n)``.

        Equations:
            [KI] (74), by least squares.
        """
        places = [self.axes[motor].start for motor in self.motors]
        solved = np.linalg.pinv(J, rcond=_NOTHING)[..., places, :] @ V
        return np.asarray(solved * self.units[places, None])

    def _around(self, at: Equations, closing: Joint) -> Array:
        """Twist of a joint's child against its parent and on to the base, per rate of each axis."""
        row = self._spread(closing, joint_columns(at, closing))
        for body, sign in ((closing.parent, 1.0), (closing.child, -1.0)):
            if body in self.bodies:
                row = row + sign * self._twist(at, body)
        return row

    def _twist(self, at: Equations, body: str) -> Array:
        """Twist of a body of the leg at the platform's origin, per rate of each axis."""
        way_to_body = way_to(self.ways, body)
        parts = (w.sign * self._spread(w.joint, joint_columns(at, w.joint)) for w in way_to_body)
        return total(parts, np.zeros((6, len(self.units))))

    def _spread(self, joint: Joint, columns: Array) -> Array:
        """Columns of a joint among those of all axes."""
        before = self.axes[joint.axis_names[0]].start if joint.axis_names else 0
        behind = len(self.units) - before - columns.shape[1]
        still = [np.zeros((len(columns), count)) for count in (before, behind)]
        return np.concatenate([still[0], columns, still[1]], axis=1)

    def _hub_twist(self, kin: Kinematics, freedoms: list[Kinematics], closing: Joint) -> Array:
        """Twist of the hub's body at a joint, taken at the platform's origin, per freedom."""
        at, p = kin.at, kin.at.platform.p
        for body, sign in ((closing.child, 1.0), (closing.parent, -1.0)):
            if body == self.assembly.robot.platform:
                return sign * kin.solution.Psi
            if body not in self.bodies:
                found = []
                for each in freedoms:
                    v, w, _, _ = each.body_motion(body)
                    found.append(np.concatenate([v + cross(w, p - at.body_poses[body].p), w]))
                return sign * collect(found, empty=(0, 6)).T
        return np.zeros((6, self.assembly.mobility))  # a loop of the leg's own

    def _coupled(self, freedoms: list[Kinematics], coupled: Coupled) -> tuple[Array, Array]:
        """A coupling over the rates of the leg, and what joints of the hub add, per freedom."""
        row, on_hub = np.zeros(len(self.units)), {}
        for name, coefficient in coupled.coupling.axes.items():
            if name in self.axes:
                row[self.axes[name].start] += coefficient
            else:
                on_hub[name] = -coefficient
        sums = [total(c * each.axis_rate(n) for n, c in on_hub.items()) for each in freedoms]
        scale = row_scale(coupled, self.assembly.length)
        return row / scale, collect(sums) / scale

    def _pulls(self, at: Equations, lock: Lock) -> list[Pull]:
        """What drags a spin of the leg along."""
        return Drag(at, self.index, lock).pulls if lock.beside else []

    def _dragged(self, at: Equations, freedoms: list[Kinematics], lock: Lock) -> Array:
        """What bodies of the hub add to such a row, per freedom."""
        beyond = [(body, y) for body, y in self._pulls(at, lock) if body not in self.bodies]
        return collect([total(y @ each.body_motion(b).w for b, y in beyond) for each in freedoms])

    def _held(self, at: Equations, poses: list[Pose], lock: Lock) -> Array:
        """A row that vanishes: it freezes a freedom of the leg that the platform does not see."""
        if lock.axis is not None:
            pulls = self._pulls(at, lock)
            x = total(y for _, y in pulls) if pulls else poses[lock.link].R @ lock.axis
            row = x @ self._twist(at, self.tree.body_on(lock.link))[3:]
            for body, y in pulls:
                if body in self.bodies:
                    row = row - y @ self._twist(at, body)[3:]
            return row
        i = self.tree.link_of(lock.column)
        link = self.tree.links[i]
        joint = self.assembly.robot.joint(link.joint)
        if link.move == SLIDE:
            axis = self.axes[joint.axis_names[link.axis]]
            row = np.eye(len(self.units))[axis.start + self.tree.place_in_axis(i)]
            return row / self.units
        ball = link.move == BALL
        n = poses[i].R[:, lock.column - self.tree.columns[i].start if ball else 2]
        return n @ self._spread(joint, joint_columns(at, joint))[3:]


@known_of(Assembly)
def leg_paths(assembly: Assembly) -> list[LegPaths]:
    """Paths of every leg, found once."""
    return [LegPaths(assembly, i) for i in range(len(assembly.topology.legs))]
