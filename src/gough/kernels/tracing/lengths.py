"""A robot whose joints may sit elsewhere: positions of joint frames as inputs of a program.

With orientations fixed, every vector of the trees is linear in those positions.  The maps are
found by asking the topology of the robot with one coordinate changed at a time; nothing of how
trees are built is written again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gough.base.spatial import Array, collect, total
from gough.geometry.turns import counted_axes, home_equations
from gough.kernels.tracing.doubt_regular import usual_rates
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Leg, Topology, find_topology
from gough.mechanism.topology.tree import Mount, Tree
from gough.robot import Frame, Joint, Robot

POINTS = ("parent_points", "child_points")
"""Positions of the joints' frames on their parents and on their children, one row a joint."""


def own_points(robot: Robot) -> dict[str, np.ndarray]:
    """The robot's own positions."""
    return {
        "parent_points": np.array([joint.parent_frame.position for joint in robot.joints]),
        "child_points": np.array([joint.child_frame.position for joint in robot.joints]),
    }


def with_points(assembly: Assembly, points: dict[str, Array]) -> Assembly:
    """The robot with its joints elsewhere: plans and home stay those of the robot as described.

    No closed form is known for it, and nothing of its pose or twist is constant any more.
    """
    maps = assembly.cached("maps of points", _maps)
    given = np.concatenate([points[name].reshape(-1) for name in POINTS])
    vectors = iter([p + _product(L, given, own) for p, L, own in maps])
    moved = replace(assembly, topology=_rebuilt(assembly.topology, vectors))
    free = list(assembly.free)
    rows = np.full((6, len(free)), np.nan)
    rows[free] = np.eye(len(free))
    vars(moved).update(
        constant_rows=rows,
        motor_plan=assembly.motor_plan,
        _shared={"closed form": None},
        _kept={
            "home": home_equations(assembly),
            "counted axes": counted_axes(assembly),
            "constant entries": np.full((3, 4), np.nan),
            "usual motor rates": usual_rates(assembly),
        },
    )
    return moved


def _product(L: np.ndarray, given: Array, own: np.ndarray) -> Array:
    """``L (given - own)``, with zeros left out."""
    return collect(
        [
            total((given[int(k)] - float(own[k])) * float(row[k]) for k in np.flatnonzero(row))
            for row in L
        ]
    )


def _maps(assembly: Assembly) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Every vector of the trees, how it changes with the points, and the points as they are."""
    robot = assembly.robot
    own = np.concatenate([own_points(robot)[name].reshape(-1) for name in POINTS])
    extra = [name for name in assembly.topology.hub.bodies if name != robot.platform]
    locked = assembly.topology.locked
    start = [*_vectors(find_topology(robot, extra, locked))]
    slopes = []
    for k in range(len(own)):
        changed = own.copy()
        changed[k] += 1.0
        slopes.append([*_vectors(find_topology(_placed(robot, changed), extra, locked))])
    found = []
    for i, p in enumerate(start):
        L = np.stack([slope[i] - p for slope in slopes], axis=1)
        found.append((p, np.where(np.abs(L) < 1e-12, 0.0, L), own))
    return found


def _placed(robot: Robot, points: np.ndarray) -> Robot:
    """The robot with its joint frames at other positions; loops need not close."""
    at = points.reshape(2, -1, 3)

    def one(joint: Joint, parent: np.ndarray, child: np.ndarray) -> Joint:
        frames = (joint.parent_frame, joint.child_frame)
        first, second = (
            Frame(tuple(p.tolist()), frame.rotation)
            for p, frame in zip((parent, child), frames, strict=True)
        )
        return replace(joint, parent_frame=first, child_frame=second)

    joints = tuple(one(j, a, b) for j, a, b in zip(robot.joints, *at, strict=True))
    return replace(robot, joints=joints)


def _vectors(topology: Topology) -> Iterator[np.ndarray]:
    """All position vectors, in the order in which they are put back."""
    for tree, closings in zip(topology.trees, topology.closings, strict=True):
        yield from (link.p for link in tree.links)
        yield from (mount.p for mount in tree.bodies.values())
        for closing in closings:
            yield closing.near.p
            yield closing.far.p


def _rebuilt(topology: Topology, vectors: Iterator[Array]) -> Topology:
    """The same topology with other position vectors."""
    parts = []
    for tree, closings in zip(topology.trees, topology.closings, strict=True):
        links = tuple(replace(link, p=next(vectors)) for link in tree.links)
        bodies = {name: _mount(mount, next(vectors)) for name, mount in tree.bodies.items()}
        moved = tuple(
            replace(c, near=_mount(c.near, next(vectors)), far=_mount(c.far, next(vectors)))
            for c in closings
        )
        parts.append((Tree(links, bodies), moved))
    (hub, hub_closings), *rest = parts
    legs = tuple(
        Leg(leg.name, tree, closings)
        for leg, (tree, closings) in zip(topology.legs, rest, strict=True)
    )
    return Topology(hub, hub_closings, legs, topology.locked, topology.coupled)


def _mount(mount: Mount, p: Array) -> Mount:
    return Mount(mount.link, mount.R, p)
