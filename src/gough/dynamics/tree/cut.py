"""Loops cut: a machine as one tree on the base, and what its cut joints allow.  [KI] section 2.1"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gough.base.linalg import choose_plan
from gough.base.once import find_fact
from gough.base.spatial import Array, snap
from gough.dynamics.tree.recursion import frame_columns
from gough.mechanism.closure.axes import AxisPlace, coordinate, find_axes
from gough.mechanism.closure.coordinates import Configuration, neutral
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.closure.recursion import relative_poses
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.hinge_rows import hinge_rows
from gough.mechanism.mobility.idle import (
    HUB,
    choose_locks,
    dragging_joints,
    kept_slides,
    null_basis,
)
from gough.mechanism.topology.seats import Seat
from gough.mechanism.topology.topology import Leg, Topology, closing
from gough.mechanism.topology.tree import HERE, Mount, Tree, grow, joint_chain
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import BALL, PLANE


class CutJoint:
    """A cut joint: how its frame B on the child may move against its frame A on the parent.

    Six numbers tell the motion of B that A sees: velocity of its origin in axes of A, and rotation.
    Rotation is in axes in which those of the joint stay: of a ball its own, of a universal joint
    those between its axes, else those of A.  So the moves of the joint are constant columns: what
    they cannot do is a row of the closure, and their rates are read off.

    Attributes:
        chain: moves of the joint.
        axes: the move whose axes rotation is taken in; -1 for those of A.
        columns: the six numbers per rate of the moves.
        rates: rates of the moves, rows over the six numbers.
        forbidden: what the moves cannot do, rows over the six numbers.
    """

    def __init__(self, joint: Joint) -> None:
        self.chain = chain = joint_chain(joint)
        turns = [k for k, link in enumerate(chain.links) if link.turns]
        stay = len(turns) > 1 or any(chain.links[k].move == BALL for k in turns)
        self.axes = turns[0] if stay else -1
        poses = relative_poses(chain, [neutral(link) for link in chain.links])
        R, R_turns, columns = np.eye(3), np.eye(3), [np.zeros((6, 0))]
        for k, (link, pose) in enumerate(zip(chain.links, poses, strict=True)):
            R = R @ pose.R
            R_turns = np.eye(3) if k == self.axes else R_turns @ pose.R
            columns.append(np.concatenate([R @ link.S_v, R_turns @ link.S_w]))
        self.columns = snap(np.concatenate(columns, axis=1))
        rows = list(choose_plan([self.columns], chain.rates).rows)
        self.rates = np.zeros((chain.rates, 6))
        self.rates[:, rows] = snap(np.linalg.inv(self.columns[rows]))
        rest = [i for i in range(6) if i not in rows]
        self.forbidden = snap(np.eye(6)[rest] - self.columns[rest] @ self.rates)

    def moves(self, axis: int) -> list[int]:
        """Rates that belong to an axis of the joint."""
        spans = zip(self.chain.links, self.chain.columns, strict=True)
        return [k for link, own in spans if link.axis == axis for k in range(own.start, own.stop)]


@dataclass(frozen=True, eq=False)
class CutMachine:
    """A robot as one tree with cut joints.

    Attributes:
        robot: the description.
        topology: a single "leg" that holds every body, closed by the cut joints; no hub.
        joints: cut joints, one for each closing of the topology.
        locks: idle freedoms, frozen.
        axes: where every axis is found in this topology.
        platform: the platform frame on its link.
    """

    robot: Robot
    topology: Topology
    joints: tuple[CutJoint, ...]
    locks: Locks
    axes: dict[str, AxisPlace]
    platform: Mount

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.topology.legs[0].tree

    @cached_property
    def link_frames(self) -> dict[int, Mount]:
        """Frames of the links themselves, and of the root: -1."""
        return {k: Mount(k, np.eye(3), np.zeros(3)) for k in range(-1, len(self.tree.links))}

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
    # what is kept still in the machine stays in the tree, and is kept there
    slides = kept_slides(assembly.topology.trees, assembly.locks)
    topology, platform = _whole(assembly, [*keep, *(joint for joint, _ in slides)])
    joints = tuple(CutJoint(each.joint) for each in topology.legs[0].closings)
    axes = find_axes(robot, topology)
    machine = CutMachine(robot, topology, joints, described_locks(topology), axes, platform)
    idle = len(assembly.idle)
    if not idle:
        return machine
    at = machine.equations(assembly, assembly.equations(*assembly.samples[-1]))
    twist = frame_columns(machine.tree, at.leg_poses[0], platform).twist
    held = np.vstack([at.leg_blocks[0].E, twist.v, twist.w])
    hub_spins = any(freedom.leg == HUB for freedom in assembly.idle)
    dragging = dragging_joints(robot, assembly.topology, hub_spins)
    rows = hinge_rows(robot, assembly.length)
    locks = choose_locks(robot, at, 0, null_basis(held, idle), dragging, rows, slides)
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
    found = find_fact(assembly, cut, cut)
    if not assembly.moved:
        return found
    topology, platform = _whole(assembly)
    return replace(found, topology=topology, platform=platform)
