"""A machine with its loops cut, at one state and in motion.  [KI] section 2.1

What cut joints forbid binds the rates of the tree.  Nothing here knows of legs, of a hub or of the
Psi that `legs` finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.once import known_of
from gough.base.spatial import Array, collect, cross, total
from gough.dynamics.tree.cut import CutJoint, CutMachine, cut_machine, read_off
from gough.dynamics.tree.recursion import (
    FrameColumns,
    Spatial,
    at_frame,
    frame_columns,
    link_accelerations,
    link_twists,
)
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.blocks import stacked
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.drags import Drag
from gough.mechanism.closure.equations import BASE, Equations
from gough.mechanism.closure.locks import Lock, lock_row
from gough.mechanism.closure.recursion import relative_poses, root_poses
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.tree import ROOT, Mount
from gough.robot.joint_kinds import BALL


class CutJointState:
    """A cut joint at one state; what its frames A and B do is given in their own axes.

    Attributes:
        columns: the six numbers of the joint per rate of the tree.
    """

    def __init__(
        self, joint: CutJoint, coordinates: Sequence[Array], A: FrameColumns, B: FrameColumns
    ) -> None:
        placed = root_poses(joint.chain, relative_poses(joint.chain, coordinates), BASE)
        self.joint, self._R_AB = joint, A.R_f0 @ B.R_f0.T
        self._p = placed[-1].p if placed else np.zeros(3)
        self._R = placed[joint.axes].R if joint.axes >= 0 else np.eye(3)
        self.columns = self._numbers(A.twist, B.twist)

    def _numbers(self, A: Spatial, B: Spatial) -> Array:
        """The six numbers of twists, or of columns of them."""
        w, v = self._R_AB @ B.w - A.w, self._R_AB @ B.v - A.v - cross(A.w, self._p)
        return np.concatenate([v, self._R.T @ w])

    def bias(self, A: Spatial, B: Spatial, A_rate: Spatial, B_rate: Spatial) -> Array:
        """Rates of the six numbers, from twists and from accelerations that velocities make."""
        joint, w_B, v_B = self.joint, self._R_AB @ B.w, self._R_AB @ B.v
        rates = joint.rates @ self._numbers(A, B)
        slide = joint.columns[:3] @ rates  # of B against A
        v = cross(w_B - A.w, v_B) - cross(A.w, slide)
        w = -(self._R.T @ cross(A.w, w_B))
        if joint.axes >= 0:  # axes that turn against A see everything turn back
            before = joint.chain.columns[joint.axes].stop
            turning = joint.columns[3:, :before] @ rates[:before]
            w = w - cross(turning, joint.columns[3:] @ rates)
        return self._numbers(A_rate, B_rate) + np.concatenate([v, w])


class Biases(NamedTuple):
    """Accelerations that velocities alone make.

    Attributes:
        gamma: right side of the closure rows, ``E qdd = gamma``.
        platform: twist rate of the platform, base axes.
        link: spatial acceleration of the platform's link, link axes.
        joints: rates of the six numbers of each cut joint.
    """

    gamma: list[Any]
    platform: Array
    link: Spatial
    joints: list[Array]


class CutState:
    """A cut machine at one state of the whole robot, and its motion.

    Closure rows E of the cut joints, and rows of the platform, of the robot's freedoms or of the
    motors beside them, are one system for all rates of the tree.

    Args:
        kin: the robot at the state.
        machine: the tree and its cuts, if they are not those that the library chooses.
        coordinates: of the tree's links, where they are known already.
        by: what the rates follow from: the twist of the ``platform``, or its part in the robot's
            ``freedoms``, which is all that forward dynamics knows of a twist rate.

    Attributes:
        E: closure rows, ``E qd = 0``.
        S: rate of each motor per rate.
        R, p: pose of the platform's link in the base.
    """

    def __init__(
        self,
        kin: Kinematics,
        machine: CutMachine | None = None,
        coordinates: list[Array] | None = None,
        by: str = "platform",
    ) -> None:
        self.kin, self.assembly = kin, kin.assembly
        self.by = self._by_freedoms if by == "freedoms" else by
        self.machine = machine = machine or cut_machine(kin.assembly)
        read = partial(read_off, machine.robot, at=kin.solution.equations, axes=self.assembly.axes)
        self.tree = machine.tree
        self.coordinates = read(tree=self.tree) if coordinates is None else coordinates
        self.poses = relative_poses(self.tree, self.coordinates)
        self._known: dict[Mount, FrameColumns] = {}
        self._factors: dict[str, Factor] = {}
        (leg,) = machine.topology.legs
        self.ends = [(closing.near, closing.far) for closing in leg.closings]
        self.joints = [
            CutJointState(joint, read(tree=joint.chain), *map(self.columns, ends))
            for joint, ends in zip(machine.joints, self.ends, strict=True)
        ]
        self.E = stacked(self._closure_rows(), self.tree.rates)
        self.S = [self.axis_rows(name)[0] for name in machine.robot.motors]
        R_0p, p_0p = kin.solution.equations.platform
        self.R = R_0p @ machine.platform.R.T
        self.p = p_0p - self.R @ machine.platform.p

    # rows over the rates of the tree

    def columns(self, mount: Mount) -> FrameColumns:
        """How a frame on the tree follows from its rates."""
        if mount not in self._known:
            self._known[mount] = frame_columns(self.tree, self.poses, mount)
        return self._known[mount]

    def _closure_rows(self) -> list[Array]:
        rows = [row for each in self.joints for row in each.joint.forbidden @ each.columns]
        for coupled in self.machine.topology.couplings[1]:
            terms = coupled.coupling.axes.items()
            rows.append(total(self.axis_rows(name)[0] * factor for name, factor in terms))
        return rows + [lock_row(self._at, 0, lock) for lock in self.machine.locks.legs[0]]

    @cached_property
    def _at(self) -> Equations:
        """The same cuts as closure equations, for rows of idle freedoms."""
        joints = Configuration([], [self.coordinates])
        return Equations(self.machine.topology, self.machine.locks, np.eye(4), joints)

    def axis_rows(self, name: str) -> list[Array]:
        """Rates of an axis as rows: one of a turn or slide, two of a plane, three of a ball."""
        place = self.machine.axes[name]
        if not place.links:
            each = self.joints[place.closing]
            return [*(each.joint.rates[each.joint.moves(place.which)] @ each.columns)]
        spans = (self.tree.columns[k] for k in place.links)
        rows = np.eye(self.tree.rates)[[k for span in spans for k in range(span.start, span.stop)]]
        if place.what == BALL and self.tree.links[place.links[0]].transposed:
            rows = -(self.coordinates[place.links[0]] @ rows)  # in axes of the child
        return [*rows]

    @cached_property
    def P(self) -> Array:
        """Platform twist ``[v; omega]`` per rate, base axes, 6xn."""
        return self._of_platform(self._platform_link.twist)

    @property
    def _platform_link(self) -> FrameColumns:
        return self.columns(self.machine.link_frames[self.machine.platform.link])

    # the platform and its link

    def on_link(self, V: Array) -> Spatial:
        """A twist ``[v; omega]`` of the platform, base axes, as that of its link, link axes."""
        w = self.R.T @ V[3:]
        return Spatial(w, self.R.T @ V[:3] + cross(self.machine.platform.p, w))

    def link_acceleration(self, Vdot: Array) -> Spatial:
        """Spatial acceleration of the platform's link at a twist rate of the platform."""
        V = self.kin.V
        return self.on_link(np.concatenate([Vdot[:3] - cross(V[3:], V[:3]), Vdot[3:]]))

    def _of_platform(self, of_link: Spatial) -> Array:
        w, v = of_link
        return np.concatenate([self.R @ (v + cross(w, self.machine.platform.p)), self.R @ w])

    # motion

    def axis_rate(self, name: str) -> Array:
        """Rate of an axis: a number, or three of a ball and two of a plane."""
        parts = [row @ self.rates for row in self.axis_rows(name)]
        return parts[0] if len(parts) == 1 else collect(parts)

    def axis_acceleration(self, name: str, qdd: Array) -> Array:
        """Acceleration of an axis, from accelerations of the tree."""
        bias = self._axis_bias(name, self.biases.joints)
        parts = [row @ qdd + b for row, b in zip(self.axis_rows(name), bias, strict=True)]
        return parts[0] if len(parts) == 1 else collect(parts)

    def _axis_bias(self, name: str, joints: Sequence[Array]) -> list[Array]:
        """What velocities alone add to the acceleration of an axis: nothing in the tree."""
        place = self.machine.axes[name]
        if place.links:
            return [0.0] * len(self.axis_rows(name))
        joint = self.machine.joints[place.closing]
        return [*(joint.rates[joint.moves(place.which)] @ joints[place.closing])]

    def biases_of(self, qd: Array, known: Mapping[int, Spatial] | None = None) -> Biases:
        """Bias accelerations at rates of the tree; twists of some links may be known."""
        machine, tree, platform = self.machine, self.tree, self.machine.platform
        twists = link_twists(tree, self.poses, qd, known=known)
        rates = link_accelerations(tree, self.poses, twists, qd, np.zeros(tree.rates))
        joints = [
            joint.bias(*(at_frame(x, end) for x in (twists, rates) for end in ends))
            for joint, ends in zip(self.joints, self.ends, strict=True)
        ]
        gamma: list[Any] = []
        for joint, bias in zip(machine.joints, joints, strict=True):
            gamma += [*-(joint.forbidden @ bias)]
        for coupled in machine.topology.couplings[1]:
            terms = coupled.coupling.axes.items()
            gamma.append(
                -total(self._axis_bias(name, joints)[0] * factor for name, factor in terms)
            )
        gamma += [self._lock_bias(lock, twists, rates) for lock in machine.locks.legs[0]]
        V, link = (at_frame(x, machine.link_frames[platform.link]) for x in (twists, rates))
        # the acceleration of a point has what the rotation does to its velocity as well
        of_point = Spatial(link.w, link.v + cross(V.w, V.v + cross(V.w, platform.p)))
        return Biases(gamma, self._of_platform(of_point), link, joints)

    def _lock_bias(self, lock: Lock, twists: Sequence[Spatial], rates: Sequence[Spatial]) -> Any:
        if lock.axis is None:
            return 0.0
        if not lock.beside:
            return -(lock.axis @ rates[lock.link].w)  # the axis is fixed in the body

        def turning(body: str) -> tuple[Array, Array]:
            link = self.tree.bodies[body].link
            if link == ROOT:
                return np.zeros(3), np.zeros(3)
            R = self.columns(self.machine.link_frames[link]).R_f0.T
            return R @ twists[link].w, R @ rates[link].w

        return Drag(self._at, 0, lock).bias(turning)

    @cached_property
    def biases(self) -> Biases:
        """Bias accelerations of the motion; the platform's twist needs no joint rates."""
        return self.biases_of(self.rates, {self.machine.platform.link: self.on_link(self.kin.V)})

    @cached_property
    def rates(self) -> Array:
        """Rates of all joints."""
        return self._solve(self._none, self.kin.V, self.by)

    def accelerations(self, Vdot: Array) -> Array:
        """Accelerations of all joints at a twist rate of the platform: ``E qdd = gamma``."""
        gamma, platform, link, _ = self.biases
        if self.by == "freedoms":
            return self._solve(gamma, Vdot - platform, self.by)
        w, v = self.link_acceleration(Vdot) - link  # as on the line above, without base axes
        return collect(self.factor("platform").solve([*gamma, *v, *w]))

    def _solve(self, closure: Sequence[Any], V: Array, by: str) -> Array:
        """Rates that close the loops while the platform has a twist, or columns of both."""
        given = [V[i] for i in self.assembly.free]
        if by == "platform":
            w, v = self.on_link(V)
            given = [*v, *w]
        return collect(self.factor(by).solve([*closure, *given]))

    @property
    def _by_freedoms(self) -> str:
        """Rows of all six freedoms are sparser on the platform's link than in base axes."""
        return "freedoms" if self.assembly.mobility < 6 else "platform"

    @cached_property
    def bias_accelerations(self) -> Array:
        """Accelerations of all joints with ``Vdot_r = 0``: bias accelerations."""
        return self.accelerations(np.zeros(6))

    def twist_rate(self, Vdot_r: Array | None = None) -> Array:
        """Twist rate of the platform in an acceleration ``Vdot_r``, zero if none is given."""
        free, qdd, bias = self.assembly.free, self.bias_accelerations, self.biases.platform
        Vdot = collect([0.0 if i in free else self.P[i] @ qdd + bias[i] for i in range(6)])
        return Vdot if Vdot_r is None else Vdot + self.Psi @ Vdot_r

    @cached_property
    def Psi(self) -> Array:
        """Platform twist ``[v; omega]`` per ``V_r``, 6xn."""
        free, unit = [*self.assembly.free], np.eye(self.assembly.mobility)
        return collect(
            [unit[free.index(i)] if i in free else self.P[i] @ self.G_r for i in range(6)]
        )

    @cached_property
    def G_r(self) -> Array:
        """``qd = G_r V_r``."""
        if not self.assembly.mobility:
            return np.zeros((self.tree.rates, 0))
        columns = np.eye(6)[:, list(self.assembly.free)]
        none = [np.zeros(self.assembly.mobility)] * len(self.E)
        return self._solve(none, columns, self._by_freedoms)

    @cached_property
    def motor_columns(self) -> Array:
        """``(S G_r)^T``: unit efforts of the motors as efforts along V_r, n x m."""
        return collect([row @ self.G_r for row in self.S], empty=(0, self.assembly.mobility)).T

    # one system for all rates

    @property
    def _none(self) -> list[float]:
        return [0.0] * self.E.shape[0]

    def factor(self, by: str) -> Factor:
        """Closure rows and those of what is given: ``platform``, ``freedoms`` or ``motors``."""
        if by not in self._factors:
            fixed = partial(_plan_around_home, self.assembly, by)
            self._factors[by] = self.kin.rules.factor(self._system(by), fixed)
        return self._factors[by]

    def _system(self, by: str) -> Array:
        given = list(self.S)
        if by == "platform":
            given = [*self._platform_link.twist.v, *self._platform_link.twist.w]
        elif by == "freedoms":
            given = [self.P[i] for i in self.assembly.free]
        return stacked([*self.E, *given], self.tree.rates)


@known_of(Assembly)
def _plan_around_home(assembly: Assembly, by: str) -> Plan:
    """Pivots for a trace, good at every regular state around home."""
    states = [CutState(Kinematics(assembly, each)) for each in assembly.regular_solutions]
    return choose_plan([state._system(by) for state in states], states[0].tree.rates)
