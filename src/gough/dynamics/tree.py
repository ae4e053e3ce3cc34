"""Inverse and direct dynamics the classical way: loops cut, one tree.  [KI] section 2.1

    Gamma = G^T Gamma_tr,   qd_tr = G qd_a

Every loop is cut at a passive joint, so that the whole machine, platform included, is one tree on
the base.  Its inverse dynamics gives efforts for all joints; G, from the closure of the cut joints,
brings them to the motors.  Nothing here knows of legs, of a hub or of Psi.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from gough.closure.axes import AxisPlace, axis_rows, coordinate, find_axes, rate
from gough.closure.coordinates import Configuration
from gough.closure.equations import BASE, Equations, Gauges, locks
from gough.closure.rates import AllRates, RatePlans, choose_rate_plans
from gough.closure.recursion import STILL, at_mount, look_back, motions
from gough.closure.solution import Rates
from gough.dynamics.axes import axis_effort, components, rotor_axes
from gough.dynamics.newton_euler import tree_efforts, tree_inertia
from gough.dynamics.state_loads import StateLoads
from gough.linalg import Symmetric
from gough.mobility.assembly import Assembly
from gough.mobility.idle import choose_gauges, null_basis
from gough.robot import Robot
from gough.robot.joint import BALL, SKATE
from gough.spatial import Array
from gough.topology.topology import Closing, Leg, Topology
from gough.topology.tree import Mount, Tree, grow


@dataclass(frozen=True, eq=False)
class CutMachine:
    """A robot as one tree with cut joints.

    Attributes:
        robot: the description.
        topology: a single "leg" that holds every body, closed by the cut joints; no hub.
        gauges: idle freedoms, frozen.
        axes: where every axis is found in this tree.
        platform: the platform frame on its link.
    """

    robot: Robot
    topology: Topology
    gauges: Gauges
    axes: dict[str, AxisPlace]
    platform: Mount

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.topology.legs[0].tree

    def equations(self, assembly: Assembly, at: Equations) -> Equations:
        """Closure equations of the cut joints, all coordinates being those of another state."""
        coordinates = carried_over(self.robot, self.tree, at, assembly.axes)
        T_0p = np.eye(4)  # no row of this machine looks at the platform
        return Equations(self.topology, self.gauges, T_0p, Configuration([], [coordinates]))


def carried_over(
    robot: Robot, tree: Tree, at: Equations, axes: Mapping[str, AxisPlace]
) -> list[Array]:
    """Coordinates of a tree's links, read off a state of the same robot cut otherwise."""
    seen: Counter[str] = Counter()
    found = []
    for link in tree.links:
        name = robot.joint(link.joint).axis_names[link.axis]
        carried = coordinate(at, axes[name])
        if link.move == BALL:
            carried = carried.T if link.transposed else carried
        elif axes[name].what == SKATE:
            k = 1 - seen[name] if link.transposed else seen[name]
            carried = carried[k : k + 1]
            seen[name] += 1
        found.append(carried)
    return found


def cut(assembly: Assembly, keep: Sequence[str] = ()) -> CutMachine:
    """Cut every loop of a robot at a passive joint.

    Args:
        assembly: the robot.
        keep: joints that should stay in the tree, as motors do; another choice of cuts must give
            the same efforts.
    """
    robot = assembly.robot
    bodies = [b.name for b in robot.bodies]
    locked = assembly.topology.locked
    wanted = [axis for name in (*locked, *keep) for axis in robot.joint(name).axis_names]
    tree, cut_joints = grow(robot.base, np.eye(4), bodies, robot.joints, [*robot.motors, *wanted])
    closings = tuple(
        Closing(
            joint,
            tree.mount(joint.parent, joint.parent_frame),
            tree.mount(joint.child, joint.child_frame),
            far_on_hub=False,
            near_is_parent=True,
        )
        for joint in cut_joints
    )
    topology = Topology(Tree((), {}), (), (Leg("machine", tree, closings),), locked)
    machine = CutMachine(
        robot,
        topology,
        locks(topology),
        find_axes(robot, topology),
        tree.mount(robot.platform, robot.platform_frame),
    )
    idle = len(assembly.idle)
    if not idle:
        return machine
    at = machine.equations(assembly, assembly.equations(*assembly.samples[-1]))
    held = np.vstack([at.leg_blocks[0].E, _platform_rows(machine, at)])
    gauges = choose_gauges(robot, tree, at.leg_poses[0], null_basis(held, idle))
    return replace(machine, gauges=Gauges((), ((*machine.gauges.legs[0], *gauges),)))


def choose_cut_plans(machine: CutMachine, assembly: Assembly) -> RatePlans:
    """Pivots that are good at all postures around home."""
    states = [
        cut_state(machine, assembly, assembly.equations(*sample))
        for sample in assembly.regular_samples
    ]
    return choose_rate_plans([s.all for s in states], by_motors=assembly.is_square)


class CutState:
    """A cut machine at one state.

    Args:
        machine: the tree and its cuts.
        at: its closure equations at the state.
        free: components of the platform twist that are chosen at will.
        position: of an axis by name, for springs.
        plans: pivots for a trace; chosen for the numbers at hand if not given.
    """

    def __init__(
        self,
        machine: CutMachine,
        at: Equations,
        free: tuple[int, ...],
        position: Callable[[str], Array],
        plans: RatePlans | None = None,
    ) -> None:
        self.machine, self.at, self.position = machine, at, position
        self.tree, self.poses = machine.tree, at.leg_poses[0]
        motors = [axis_rows(at, machine.axes[name]).tree[0] for name in machine.robot.motors]
        P = _platform_rows(machine, at)
        self.all = AllRates(at.leg_blocks[0].E, P, motors, free, plans)

    def accelerations(self, qd: Array, Vdot: Array) -> Array:
        """Accelerations of the tree in a motion of the platform."""
        return self.all.accelerations(*self.biases(qd), Vdot)

    def biases(self, qd: Array) -> tuple[list[Any], Array]:
        """What rates alone contribute: to the closure rows, and to the platform's twist rate."""
        _, (gamma,) = self.at.biases(np.zeros(6), np.zeros(0), [qd])
        links = motions(self.tree, self.poses, qd, np.zeros(self.tree.rates), STILL)
        moved = at_mount(links, STILL, self.machine.platform)
        R = look_back(self.tree, self.poses, self.machine.platform).R_f0.T
        return gamma, np.concatenate([R @ moved.a, R @ moved.wd])

    def efforts(self, qd: Array, qdd: Array, loads: StateLoads) -> Array:
        """``Gamma_tr``: efforts of the tree's joints, those of all axes included.  [KI] (2)."""
        ground = STILL._replace(a=-loads.gravity)
        links = motions(self.tree, self.poses, qd, qdd, ground)
        masses = loads.base_masses(self.machine.robot, self.tree)
        pushes = loads.on_links(self.tree, self.at.leg_placed[0], BASE) if loads.pushes else {}
        Gamma, _, _ = tree_efforts(self.tree, self.poses, links, ground, masses, pushes)
        return Gamma + self._axis_efforts(qd, qdd, loads)

    def _axis_efforts(self, qd: Array, qdd: Array, loads: StateLoads) -> Array:
        total: Array = np.zeros(self.tree.rates)
        none, robot = np.zeros(0), self.machine.robot
        moving = self.at.motions(np.zeros(6), np.zeros(6), none, none, [qd], [qdd])
        first, second = Rates(none, [qd]), Rates(none, [qdd])
        for name in loads.loaded_axes(robot):
            place = self.machine.axes[name]
            effort = axis_effort(
                loads.axis(robot, name),
                place.what,
                loads,
                position=partial(self.position, name),
                rate=partial(rate, self.at, moving, first, place),
                acceleration=partial(rate, self.at, moving, second, place, level=2),
            )
            if effort is None:
                continue
            rows = axis_rows(self.at, place).tree
            for row, part in zip(rows, components(effort, len(rows)), strict=True):
                total = total + row * part
        return total

    def inertia(self, loads: StateLoads) -> Array:
        """``A_tr``: inertia matrix of the tree, rotors included."""
        robot = self.machine.robot
        A_tr = tree_inertia(self.tree, self.poses, loads.base_masses(robot, self.tree))
        for name, inertia in rotor_axes(robot, loads) if loads.rotors else ():
            (row,) = axis_rows(self.at, self.machine.axes[name]).tree
            A_tr = A_tr + np.outer(row, row) * inertia
        return A_tr


def cut_state(
    machine: CutMachine, assembly: Assembly, at: Equations, plans: RatePlans | None = None
) -> CutState:
    """The cut machine where a state of the whole robot puts it."""
    position = partial(assembly.axis_position, at)
    return CutState(machine, machine.equations(assembly, at), assembly.free, position, plans)


def inverse_dynamics(state: CutState, V: Array, Vdot: Array, loads: StateLoads) -> Array:
    """Motor efforts that produce a motion [N or N m].

    Equations:
        [KI] (1)-(6).
    """
    qd = state.all.rates(V)
    Gamma_tr = state.efforts(qd, state.accelerations(qd, Vdot), loads)
    return state.all.G.T @ Gamma_tr  # qd_tr = G qd_a, [KI] (3)-(4)


def in_freedoms(state: CutState, V: Array, Vdot: Array, loads: StateLoads) -> tuple[Array, Array]:
    """Unit motors and what the motion takes, both as generalised efforts of V_r.

    With more motors than freedoms, or fewer, there is no G: ``qd_tr = G_r V_r`` instead.
    """
    qd = state.all.rates(V)
    Gamma_tr = state.efforts(qd, state.accelerations(qd, Vdot), loads)
    return state.all.motor_columns, state.all.G_r.T @ Gamma_tr


def direct_dynamics(state: CutState, V: Array, tau: Array, loads: StateLoads) -> Array:
    """Twist rate of the platform under motor efforts.

    With respect to the robot's freedoms instead of the motors, so that it holds on a Type-2
    singularity; the motors enter through ``S G_r`` only.
    """
    qd = state.all.rates(V)
    gamma, drift = state.biases(qd)
    G_r = state.all.G_r
    qdd_0 = state.all.coasting(gamma, drift)
    M = G_r.T @ state.inertia(loads) @ G_r
    w = state.all.motor_columns @ tau - G_r.T @ state.efforts(qd, qdd_0, loads)
    Vdot_r = Symmetric(M).solve(w)
    qdd = qdd_0 + G_r @ Vdot_r
    return state.all.P @ qdd + drift


def _platform_rows(machine: CutMachine, at: Equations) -> Array:
    """Platform twist per rate of the tree, base axes, 6xn."""
    view = look_back(machine.tree, at.leg_poses[0], machine.platform)
    R = view.R_f0.T
    return np.concatenate([R @ view.v, R @ view.w])
