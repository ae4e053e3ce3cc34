"""Idle motions that a description holds by ``idle: locked``, as rows over small displacements.

They are those of rigid-body dynamics: a body between two joints does not spin about its own axis,
or a rate of a joint is zero.  Joints with one axis are held as a whole, see ``joints.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.dynamics.answers.frozen import frozen_freedoms
from gough.elastic.joints import JointPlace
from gough.mechanism.mobility.assembly import Assembly


class HeldSpin(NamedTuple):
    """A body that does not turn about an axis of its own.

    Attributes:
        body: its name.
        axis: the axis, body axes.
        point: where on the body it is held, if it bends, body axes [m].
        joint: name of the joint that sits there.
    """

    body: str
    axis: np.ndarray
    point: np.ndarray
    joint: str


class HeldRate(NamedTuple):
    """A rate of a joint that is zero.

    Attributes:
        joint: number of the joint among all.
        row: over its small twist.
    """

    joint: int
    row: np.ndarray


def held_idle(
    assembly: Assembly, joints: Sequence[JointPlace]
) -> tuple[list[HeldSpin], list[HeldRate]]:
    """Idle motions that joints with several axes hold."""
    spins: list[HeldSpin] = []
    rates: list[HeldRate] = []
    if not any(joint.idle for joint in assembly.robot.joints):
        return spins, rates
    numbers = {place.joint.name: k for k, place in enumerate(joints)}
    for freedom in frozen_freedoms(assembly):
        if not freedom.held:
            continue
        tree, lock = assembly.topology.trees[freedom.place.tree + 1], freedom.place.lock
        if lock.axis is None:
            link = tree.links[tree.link_of(lock.column)]
            place = joints[numbers[link.joint]]
            own = place.axes()[place.joint.axis_names[link.axis]]
            first = tree.columns[tree.link_of(lock.column)].start
            at = lock.column - first + tree.place_in_axis(tree.link_of(lock.column))
            rates.append(HeldRate(numbers[link.joint], own[at]))
        else:
            body = tree.body_on(lock.link)
            axis = np.asarray(tree.bodies[body].R).T @ lock.axis
            spins.append(HeldSpin(body, axis, *_point(assembly, joints, body)))
    return spins, rates


def _point(assembly: Assembly, joints: Sequence[JointPlace], body: str) -> tuple[np.ndarray, str]:
    """Where a body is held: at the joint that says so, or at the first that it has."""
    found = [
        (not assembly.robot.joint(place.joint.name).idle, k, point)
        for k, place in enumerate(joints)
        for end, point in (
            (place.joint.parent, place.on_parent),
            (place.joint.child, place.on_child),
        )
        if end == body
    ]
    _, k, point = min(found, key=lambda each: each[:2])
    return point, joints[k].joint.name
