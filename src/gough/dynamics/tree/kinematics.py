"""A machine whose loops are cut, so that it is one tree on the base.  [KI] section 2.1

Closure of the cut joints binds the rates of the tree.  Nothing here knows of legs, of a hub or of
Psi.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.spatial import Array
from gough.dynamics.tree.all_rates import AllRates
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import AxisPlace, axis_rows, coordinate, find_axes
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.closure.recursion import STILL, at_mount, look_back, motions
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.hinge_rows import hinge_rows
from gough.mechanism.mobility.idle import HUB, choose_locks, dragging_joints, null_basis
from gough.mechanism.topology.seats import Seat
from gough.mechanism.topology.topology import Leg, Topology, closing
from gough.mechanism.topology.tree import HERE, Mount, Tree, grow
from gough.robot import Robot
from gough.robot.joint import BALL, PLANE


@dataclass(frozen=True, eq=False)
class CutMachine:
    """A robot as one tree with cut joints.

    Attributes:
        robot: the description.
        topology: a single "leg" that holds every body, closed by the cut joints; no hub.
        locks: idle freedoms, frozen.
        axes: where every axis is found in this tree.
        platform: the platform frame on its link.
    """

    robot: Robot
    topology: Topology
    locks: Locks
    axes: dict[str, AxisPlace]
    platform: Mount

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.topology.legs[0].tree

    def equations(self, assembly: Assembly, at: Equations) -> Equations:
        """Closure equations of the cut joints, all coordinates being those of another state."""
        coordinates = read_off(self.robot, self.tree, at, assembly.axes)
        T_0p = np.eye(4)  # no row of this machine depends on the platform pose
        return Equations(self.topology, self.locks, T_0p, Configuration([], [coordinates]))


def read_off(robot: Robot, tree: Tree, at: Equations, axes: Mapping[str, AxisPlace]) -> list[Array]:
    """Coordinates of a tree's links, read off a state of the same robot cut otherwise."""
    seen: Counter[str] = Counter()
    found = []
    for link in tree.links:
        name = robot.joint(link.joint).axis_names[link.axis]
        carried = coordinate(at, axes[name])
        if link.move == BALL:
            carried = carried.T if link.transposed else carried
        elif axes[name].what == PLANE:
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
    topology, platform = _whole(assembly, keep)
    machine = CutMachine(
        robot, topology, described_locks(topology), find_axes(robot, topology), platform
    )
    idle = len(assembly.idle)
    if not idle:
        return machine
    at = machine.equations(assembly, assembly.equations(*assembly.samples[-1]))
    held = np.vstack([at.leg_blocks[0].E, _platform_rows(machine, at)])
    hub_spins = any(freedom.leg == HUB for freedom in assembly.idle)
    dragging = dragging_joints(robot, assembly.topology, hub_spins)
    rows = hinge_rows(robot, assembly.length)
    locks = choose_locks(robot, at, 0, null_basis(held, idle), dragging, rows)
    return replace(machine, locks=Locks((), ((*machine.locks.legs[0], *locks),)))


def _whole(assembly: Assembly, keep: Sequence[str] = ()) -> tuple[Topology, Mount]:
    """All bodies as one tree, joints where the assembly has them; and the platform's frame."""
    robot, locked, seats = assembly.robot, assembly.topology.locked, assembly.topology.seats
    bodies = [b.name for b in robot.bodies]
    wanted = [axis for name in (*locked, *keep) for axis in robot.joint(name).axis_names]
    keep = [*robot.motors, *wanted]
    tree, cut_joints = grow(robot.base, HERE, bodies, robot.joints, keep, seats)
    closings = tuple(closing(joint, seats, tree, tree, far_on_hub=False) for joint in cut_joints)
    coupled = tuple(each for group in assembly.topology.couplings for each in group)
    leg = Leg("machine", tree, closings)
    topology = Topology(Tree((), {}), (), (leg,), seats, locked, ((), coupled))
    return topology, tree.mount(robot.platform, Seat.of(robot.platform_frame))


def cut_machine(assembly: Assembly) -> CutMachine:
    """The cut machine of a robot, found once; the same cuts where joints sit elsewhere."""
    found = assembly.cached("cut machine", cut)
    if not assembly.moved:
        return found
    topology, platform = _whole(assembly)
    return replace(found, topology=topology, platform=platform)


class CutState(AllRates):
    """A cut machine at one state of the whole robot, and its motion.

    Args:
        kin: the robot at the state.
        machine: the tree and its cuts, if they are not those that the library chooses.
        at: closure equations of the cut joints, where they are known already.
    """

    def __init__(
        self,
        kin: Kinematics,
        machine: CutMachine | None = None,
        at: Equations | None = None,
    ) -> None:
        super().__init__(kin)
        self.machine = machine = machine or cut_machine(kin.assembly)
        if at is None:
            at = machine.equations(kin.assembly, kin.solution.equations)
        self.at = at
        self.tree, self.poses = machine.tree, at.leg_poses[0]
        self.E, self.P = at.leg_blocks[0].E, _platform_rows(machine, at)
        self.S = [axis_rows(at, machine.axes[name]).tree[0] for name in machine.robot.motors]

    def biases_of(self, qd: Array) -> tuple[list[Any], Array]:
        """Bias accelerations of the cut joints' rows and of the platform's twist rate."""
        _, (gamma,) = self.at.biases(np.zeros(6), np.zeros(0), [qd])
        links = motions(self.tree, self.poses, qd, np.zeros(self.tree.rates), STILL)
        moved = at_mount(links, STILL, self.machine.platform)
        R = look_back(self.tree, self.poses, self.machine.platform).R_f0.T
        return gamma, np.concatenate([R @ moved.a, R @ moved.wd])


def _platform_rows(machine: CutMachine, at: Equations) -> Array:
    """Platform twist per rate of the tree, base axes, 6xn."""
    view = look_back(machine.tree, at.leg_poses[0], machine.platform)
    R = view.R_f0.T
    return np.concatenate([R @ view.v, R @ view.w])
