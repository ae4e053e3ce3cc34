"""Couplings on the graph: which legs they join, and which tree each of them belongs to.

A coupling is one row more in the closure of the leg that its joints belong to.  Legs that it joins
become one leg, whose tree has several branches on the base.  A coupling among the hub's own joints
belongs to the hub; one between the hub and a leg to the leg.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gough.robot import Coupling, Joint, Robot
from gough.robot.names import joint_of

Group = tuple[tuple[str, ...], tuple[Joint, ...]]
"""Bodies and joints of a leg."""


class Term(NamedTuple):
    """An axis in a coupling: its joint, its place among the joint's axes, and its coefficient.

    ``angle`` tells which turn of it is meant [rad]: the one nearest to it.
    """

    joint: Joint
    which: int
    coefficient: float
    angle: float


class Coupled(NamedTuple):
    """A coupling with its axes found in the description."""

    coupling: Coupling
    terms: tuple[Term, ...]


def joined(robot: Robot, hub_joints: Sequence[Joint], legs: Sequence[Group]) -> list[Group]:
    """Legs, those that couplings join made one; in the order of their first joint."""
    if not robot.couplings:
        return list(legs)
    place = {joint.name: k for k, (_, joints) in enumerate(legs) for joint in joints}
    leader = list(range(len(legs)))
    on_hub = {joint.name for joint in hub_joints}
    for coupling in robot.couplings:
        members = {leader[place[n]] for n in map(joint_of, coupling.axes) if n not in on_hub}
        leader = [min(members) if k in members else k for k in leader]
    order = {joint.name: i for i, joint in enumerate(robot.joints)}
    found = []
    for first in sorted(set(leader)):
        parts = [legs[k] for k, own in enumerate(leader) if own == first]
        bodies = {name for names, _ in parts for name in names}
        joints = sorted((j for _, own in parts for j in own), key=lambda j: order[j.name])
        found.append((tuple(b.name for b in robot.bodies if b.name in bodies), tuple(joints)))
    return found


def couplings_of(
    robot: Robot, legs: Sequence[Sequence[Joint]], angles: Mapping[str, float]
) -> tuple[tuple[Coupled, ...], ...]:
    """Couplings of the hub and of each leg; nothing where the robot has none."""
    if not robot.couplings:
        return ()
    place = {joint.name: k for k, joints in enumerate(legs, start=1) for joint in joints}
    found: list[list[Coupled]] = [[] for _ in range(len(legs) + 1)]
    for coupling in robot.couplings:
        terms = []
        for name, coefficient in coupling.axes.items():
            joint = robot.joint(joint_of(name))
            which = joint.axis_names.index(name)
            terms.append(Term(joint, which, coefficient, angles.get(name, 0.0)))
        where = max(place.get(term.joint.name, 0) for term in terms)
        found[where].append(Coupled(coupling, tuple(terms)))
    return tuple(map(tuple, found))
