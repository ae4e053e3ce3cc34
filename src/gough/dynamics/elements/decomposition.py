"""A robot as kinematic elements: bars, spindles, telescopes and screws.  [OZ] section 3

An element is one or several bodies that keep one orientation (a cylinder and its rod, erratum
OZ-7), with a direction x that a camera can see.  Its state is {A, x, d, theta}: where it begins,
where it points, how far it is drawn out, how it is turned about itself; [OZ] (2)-(8).  Its type
says which of them vary, and so which terms its equations have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gough.base import spatial
from gough.base.once import known_of
from gough.base.spatial import Array
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.edges import TreeEdge, ways
from gough.mechanism.topology.seats import SeatsByJoint
from gough.mechanism.topology.topology import Leg, Topology
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import KINDS

_NOTHING = 1e-9  # of a motion's size: what vanishes in every state is 1e-15, what does not is 1

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
        spins: it turns about its own direction, as spindles and screws do.
        like: name of the first element that always points the same way; its own, if it is that.
    """

    name: str
    bodies: tuple[str, ...]
    x: np.ndarray
    fixed: bool
    spins: bool = True
    like: str = ""


@dataclass(frozen=True, eq=False)
class Branch:
    """One leg with its part of the hub: elements from the base outwards.  [OZ] (1), section 3.2.

    Attributes:
        name: the leg.
        own: ways to the leg's own bodies.
        hub: ways on to the bodies of the hub that it carries a share of.
        shares: which part of a hub body's mass and inertia goes with this leg, erratum OZ-8.
    """

    name: str
    own: tuple[TreeEdge, ...]
    hub: tuple[TreeEdge, ...]
    shares: Mapping[str, float]


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
        turned: rotation of each body against the first of its element.
    """

    robot: Robot
    elements: dict[str, Element]
    element_of: dict[str, str]
    branches: tuple[Branch, ...]
    hub: tuple[TreeEdge, ...]
    closing: tuple[Joint, ...]
    turned: Mapping[str, np.ndarray]

    def is_bar(self, branch: Branch) -> bool:
        """Whether the platform is a bar of this leg, as the five-bar's is: it carries all of it."""
        return not self.hub and branch.shares.get(self.robot.platform) == 1.0


def element_parts(assembly: Assembly) -> Decomposition:
    """The elements of a robot with their types, found once.

    Where joints sit elsewhere than described, types are not known: every term is kept.
    """
    return _parts(assembly, not assembly.moved)


@known_of(Assembly)
def _parts(assembly: Assembly, typed: bool) -> Decomposition:
    parts = decompose(assembly)
    return _typed(assembly, parts) if typed else _untyped(parts)


def _untyped(parts: Decomposition) -> Decomposition:
    return replace(parts, elements={k: replace(e, like=k) for k, e in parts.elements.items()})


def _typed(assembly: Assembly, parts: Decomposition) -> Decomposition:
    """Which elements never turn, never spin, or point the same way: seen in several states.

    A figure that vanishes by geometry is rounding, 1e-15, in all of them; one that does not is
    of the size of the motion in at least one.
    """
    solutions = assembly.regular_solutions
    if len(solutions) < 2:  # nothing to compare: every term is kept
        return _untyped(parts)
    rng, turns = np.random.default_rng(0), []
    for solution in solutions:
        V_r = rng.normal(size=assembly.mobility) * assembly.scales.freedoms
        kin = Kinematics(assembly, solution, solution.Psi @ V_r)
        turns.append({name: np.asarray(kin.body_motion(name).w) for name in parts.elements})
    fastest = max((float(np.abs(w).max()) for each in turns for w in each.values()), default=0.0)
    poses = [solution.equations.body_poses for solution in solutions]
    x = {e.name: [at[e.name].R @ e.x for at in poses] for e in parts.elements.values()}
    found: dict[str, Element] = {}
    for name, e in parts.elements.items():
        w = [each[name] for each in turns]
        fixed = e.fixed or bool(np.abs(w).max(initial=0.0) <= _NOTHING * fastest)
        spins = any(abs(v @ u) > _NOTHING * fastest for v, u in zip(w, x[name], strict=True))
        like = next((k for k, o in found.items() if not o.fixed and _same(x[name], x[k])), name)
        found[name] = replace(e, fixed=fixed, spins=spins and not fixed, like=like)
    return replace(parts, elements=found)


def _same(x: Sequence[np.ndarray], y: Sequence[np.ndarray]) -> bool:
    """Whether two elements point the same way in every state."""
    return all(float(np.abs(a - b).max()) < _NOTHING for a, b in zip(x, y, strict=True))


def decompose(assembly: Assembly) -> Decomposition:
    """Elements of a robot, found from its graph; every one may turn and spin."""
    robot, topology = assembly.robot, assembly.topology
    groups = _orientations(robot)
    hub_joints = [j for j in robot.joints if {j.parent, j.child} <= set(topology.hub.bodies)]
    hub = ways([robot.platform], topology.hub.bodies, hub_joints)
    hub_bodies = [robot.platform, *(way.body for way in hub)]
    # bodies of the hub that hang on legs alone are taken for bodies of the first such leg
    strangers = set(topology.hub.bodies) - set(hub_bodies)
    entries = [_entries(leg, hub_bodies) for leg in topology.legs]
    shares = _shares(topology, entries, hub_bodies)
    branches, used = [], {way.joint.name for way in hub}
    for leg, joints_in, carried in zip(topology.legs, entries, shares, strict=True):
        _, *bodies = leg.tree.bodies
        within = {*bodies, *strangers}
        joints = [j for j in robot.joints if {j.parent, j.child} <= {robot.base, *within}]
        own = ways([robot.base], within, joints)
        strangers -= {way.body for way in own}
        used |= {way.joint.name for way in own}
        onwards = _entry(joints_in, hub_bodies, hub_joints)
        branches.append(Branch(leg.name, own, _towards(onwards, carried), carried))
    closing = tuple(j for j in robot.joints if j.name not in used)
    elements: dict[str, Element] = {}
    element_of = {robot.base: ""}
    for bodies in groups:
        moving = tuple(b for b in bodies if b != robot.base)
        if moving:
            fixed = robot.base in bodies
            elements[moving[0]] = Element(moving[0], moving, _direction(robot, moving), fixed)
            element_of |= dict.fromkeys(moving, moving[0])
    poses = assembly.equations(*assembly.start).body_poses
    turned = {
        b: spatial.snap(poses[e.name].R.T @ poses[b].R) for e in elements.values() for b in e.bodies
    }
    return Decomposition(robot, elements, element_of, tuple(branches), hub, closing, turned)


def turned_bodies(parts: Decomposition, seats: SeatsByJoint) -> dict[str, Array]:
    """Rotation of each body against the first of its element, from where joints sit."""
    found: dict[str, Array] = {name: np.eye(3) for name in parts.elements}
    straight = [joint for joint in parts.robot.joints if not KINDS[joint.kind].turns]
    for element in parts.elements.values():
        for way in ways([element.name], (*element.bodies, parts.robot.base), straight):
            here, there = (seats[way.joint.name].on(way.joint, b) for b in (way.before, way.body))
            found[way.body] = found[way.before] @ here.R @ there.R.T  # its frames never turn
    return found


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


def _towards(ways: Sequence[TreeEdge], carried: Mapping[str, float]) -> tuple[TreeEdge, ...]:
    """The ways that lead to bodies of which there is a share, in order."""
    needed: set[str] = set()
    for way in reversed(ways):
        if carried.get(way.body) or way.body in needed:
            needed |= {way.body, way.before}
    return tuple(way for way in ways if way.body in needed)


def _shares(
    topology: Topology, entries: Sequence[Sequence[Joint]], hub: Sequence[str]
) -> list[dict[str, float]]:
    """How the bodies of the hub are shared out among the legs.

    A body of the hub belongs to the legs that hold it, in equal shares; one that no leg holds, as
    the middle of a nacelle, to all of them, [OZ] section 3.2.  But a platform between two legs is a
    bar of the shorter one, as the five-bar's is, which makes it 2BB.
    """
    held = [{j.parent, j.child} & set(hub) for joints in entries for j in joints[:1]]
    holding = [i for i, joints in enumerate(entries) if joints]
    if len(holding) == 2 and len(topology.hub.bodies) == 1:
        holding = [min(holding, key=lambda i: len(topology.legs[i].tree.bodies))]
    shares: list[dict[str, float]] = [{} for _ in entries]
    by_leg = dict(zip([i for i, joints in enumerate(entries) if joints], held, strict=True))
    for body in hub:
        carriers = [i for i in holding if body in by_leg[i]] or holding
        for i in carriers:
            shares[i][body] = 1.0 / len(carriers)
    return shares


def _orientations(robot: Robot) -> list[list[str]]:
    """Groups of bodies that never turn against each other."""
    leader = {name: name for name in (robot.base, *(b.name for b in robot.bodies))}

    def find(body: str) -> str:
        while leader[body] != body:
            body = leader[body]
        return body

    for joint in robot.joints:
        if not KINDS[joint.kind].turns:  # its bodies do not turn against each other
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
    inner = [
        joint
        for joint in robot.joints
        if KINDS[joint.kind].is_bushing
        and not KINDS[joint.kind].turns
        and first in (joint.parent, joint.child)
    ]
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
