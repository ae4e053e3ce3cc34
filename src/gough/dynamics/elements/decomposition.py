"""A robot as kinematic elements: bars, spindles, telescopes and screws.  [OZ] section 3

An element is one or several bodies that keep one orientation (a cylinder and its rod, erratum
OZ-7), with a direction x that a camera can see.  Its state is {A, x, d, theta}: where it begins,
where it points, how far it is drawn out, how it is turned about itself; [OZ] (2)-(8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.topology import Leg, Topology
from gough.robot import Joint, Robot

SLIDES = {"prismatic": 1, "cylindrical": 1, "helical": 1, "planar_contact": 2}
"""How many slides a joint kind has."""

Key = tuple[str, str, int]
"""A variable of the motion basis: ("x", element, 0), ("spin", element, 0), ("d", joint, k)."""


@dataclass(frozen=True, eq=False)
class Element:
    """Bodies of one orientation, along a direction.

    Attributes:
        name: its first body.
        bodies: all of them.
        x: the direction, in axes of the first body.
        fixed: it keeps the orientation of the base; only its lengths vary.
    """

    name: str
    bodies: tuple[str, ...]
    x: np.ndarray
    fixed: bool


@dataclass(frozen=True, eq=False)
class Branch:
    """One leg with its part of the hub: elements from the base outwards.  [OZ] (1), section 3.2.

    Attributes:
        name: the leg.
        own: ways to the leg's own bodies.
        hub: ways on to the bodies of the hub.
        share: part of every hub body's mass and inertia that goes with this leg, erratum OZ-8.
    """

    name: str
    own: tuple[TreeEdge, ...]
    hub: tuple[TreeEdge, ...]
    share: float


@dataclass(frozen=True, eq=False)
class Decomposition:
    """Elements, legs and loops of a robot.

    Attributes:
        robot: the description.
        elements: by name.
        element_of: name of each body's element; the base's own element has no name.
        branches: the legs.
        hub: ways from the platform to the other bodies of the hub.
        closing: joints that close loops, when legs stand on the base and the hub hangs on the
            platform.
    """

    robot: Robot
    elements: dict[str, Element]
    element_of: dict[str, str]
    branches: tuple[Branch, ...]
    hub: tuple[TreeEdge, ...]
    closing: tuple[Joint, ...]


def element_parts(assembly: Assembly) -> Decomposition:
    """The elements of a robot, found once."""
    return assembly.cached("decomposition", decompose)


def decompose(assembly: Assembly) -> Decomposition:
    """Elements of a robot, found from its graph."""
    robot, topology = assembly.robot, assembly.topology
    groups = _orientations(robot)
    hub_joints = [j for j in robot.joints if {j.parent, j.child} <= set(topology.hub.bodies)]
    hub = ways([robot.platform], topology.hub.bodies, hub_joints)
    hub_bodies = [robot.platform, *(way.body for way in hub)]
    # bodies of the hub that hang on legs alone are taken for bodies of the first such leg
    strangers = set(topology.hub.bodies) - set(hub_bodies)
    entries = [_entries(leg, hub_bodies) for leg in topology.legs]
    shares = _shares(topology, entries)
    branches, used = [], {way.joint.name for way in hub}
    for leg, joints_in, share in zip(topology.legs, entries, shares, strict=True):
        _, *bodies = leg.tree.bodies
        within = {*bodies, *strangers}
        joints = [j for j in robot.joints if {j.parent, j.child} <= {robot.base, *within}]
        own = ways([robot.base], within, joints)
        strangers -= {way.body for way in own}
        used |= {way.joint.name for way in own}
        branches.append(Branch(leg.name, own, _entry(joints_in, hub_bodies, hub_joints), share))
    closing = tuple(j for j in robot.joints if j.name not in used)
    elements: dict[str, Element] = {}
    element_of = {robot.base: ""}
    for bodies in groups:
        moving = tuple(b for b in bodies if b != robot.base)
        if moving:
            fixed = robot.base in bodies
            elements[moving[0]] = Element(moving[0], moving, _direction(robot, moving), fixed)
            element_of |= dict.fromkeys(moving, moving[0])
    return Decomposition(robot, elements, element_of, tuple(branches), hub, closing)


def _entry(
    entries: Sequence[Joint], hub: Sequence[str], joints: Sequence[Joint]
) -> tuple[TreeEdge, ...]:
    """From a leg over its first joint at the hub, and on to every body of the hub."""
    if not entries:
        return ()
    joint = entries[0]
    if joint.child in hub:
        way = TreeEdge(joint.child, joint.parent, joint, 1.0)
    else:
        way = TreeEdge(joint.parent, joint.child, joint, -1.0)
    return (way, *ways([way.body], hub, joints))


def _entries(leg: Leg, hub: Sequence[str]) -> list[Joint]:
    """Joints at which a leg meets the hub."""
    joints = [c.joint for c in leg.closings if c.far_on_hub]
    return [j for j in joints if {j.parent, j.child} & set(hub)]


def _shares(topology: Topology, entries: Sequence[Sequence[Joint]]) -> list[float]:
    """How the hub is shared out among the legs.

    Equally, [OZ] section 3.2; but a platform between two legs is a bar of the shorter one, as the
    five-bar's is, which makes it 2BB.
    """
    holding = [i for i, joints in enumerate(entries) if joints]
    if len(holding) == 2 and len(topology.hub.bodies) == 1:
        holding = [min(holding, key=lambda i: len(topology.legs[i].tree.bodies))]
    return [1.0 / len(holding) if i in holding else 0.0 for i in range(len(entries))]


def _orientations(robot: Robot) -> list[list[str]]:
    """Groups of bodies that never turn against each other."""
    leader = {name: name for name in (robot.base, *(b.name for b in robot.bodies))}

    def find(body: str) -> str:
        while leader[body] != body:
            body = leader[body]
        return body

    for joint in robot.joints:
        if joint.kind in ("prismatic", "fixed"):
            a, b = find(joint.parent), find(joint.child)
            leader[b if a == robot.base else a] = a if a == robot.base else b
    groups: dict[str, list[str]] = {}
    for body in leader:
        groups.setdefault(find(body), []).append(body)
    return list(groups.values())


def _direction(robot: Robot, bodies: Sequence[str]) -> np.ndarray:
    """Where an element points, in axes of its first body.

    Along its own slide; else from the joint it hangs on to the middle of the others; else to one of
    them; else to the mass centre; else along an axis.
    """
    first = bodies[0]
    inner = [j for j in robot.joints if j.kind == "prismatic" and first in (j.parent, j.child)]
    if inner:
        joint = inner[0]
        frame = joint.parent_frame if joint.parent == first else joint.child_frame
        return np.array(frame.matrix[:3, 2])
    frames = [
        frame.matrix
        for joint in robot.joints
        for body, frame in ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame))
        if body == first
    ]
    points = [frame[:3, 3] for frame in frames]
    ends = [p - points[0] for p in points[1:]]
    ends = [sum(ends, np.zeros(3)) / max(len(ends), 1), *ends]
    ends.append(np.array(robot.body(first).center) - points[0])
    reach = max((float(np.linalg.norm(e)) for e in ends), default=0.0)
    for end in ends:
        size = float(np.linalg.norm(end))
        if size > 1e-15 and size > 1e-3 * reach:
            return np.asarray(end / size)
    return np.array(frames[0][:3, 2])
