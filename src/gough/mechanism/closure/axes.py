"""Position, rate and acceleration of every joint axis, and where each axis is found.

The axis of a tree joint is the coordinate of its link; the axis of a loop joint is read off the
relative motion of the joint's two frames.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.base.spatial import Array, collect, cross
from gough.mechanism.closure.rows import LoopJoint, slide, slip
from gough.mechanism.topology.topology import Closing, Topology
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import BALL, TURN

if TYPE_CHECKING:
    from gough.mechanism.closure.equations import Equations, Moving
    from gough.mechanism.closure.solution import Rates

HUB = -1
"""The hub among trees; legs are counted from 0, so that ``tree + 1`` counts all of them."""


class AxisPlace(NamedTuple):
    """Where the coordinate of an axis is found.

    Attributes:
        tree: index of the leg, or ``HUB``.
        links: its links, if the joint is in the tree.
        closing: index of the closing joint, if it closes a loop.
        which: index of the axis among those of its joint.
        what: turn, slide, ball or plane.
    """

    tree: int
    links: tuple[int, ...]
    closing: int
    which: int
    what: str


def find_axes(robot: Robot, topology: Topology) -> dict[str, AxisPlace]:
    """Place of every axis of a robot, by axis name."""
    return {
        name: find_place(topology, joint, index)
        for joint in robot.joints
        for index, name in enumerate(joint.axis_names)
    }


def find_place(topology: Topology, joint: Joint, which: int) -> AxisPlace:
    """Place of an axis of a joint, by its index among the joint's axes."""
    what = list(joint.axis_kinds.values())[which]
    trees = zip(topology.trees, topology.closings, strict=True)
    for where, (tree, closings) in enumerate(trees, start=HUB):
        links = tuple(
            k
            for k, link in enumerate(tree.links)
            if link.joint == joint.name and link.axis == which
        )
        if links:
            # the tree may run from child to parent
            order = links[::-1] if tree.links[links[0]].transposed else links
            return AxisPlace(where, order, -1, which, what)
        for c, closing in enumerate(closings):
            if closing.joint.name == joint.name:
                return AxisPlace(where, (), c, which, what)
    raise LookupError(joint.name)  # every joint is in a tree, or closes a loop of one


def coordinate(at: Equations, place: AxisPlace) -> Array:
    """Coordinate of an axis as stored: (cos, sin), a distance, a screw's angle, a rotation."""
    if place.links:
        values = [at.configuration.trees[place.tree + 1][k] for k in place.links]
        if place.what == BALL:
            link = _tree(at, place).links[place.links[0]]
            return values[0].T if link.transposed else values[0]
        return values[0] if len(values) == 1 else np.concatenate(values)
    closing, joint = _closing(at, place)
    R, p = joint.R, joint.p
    if not closing.near_is_parent:
        R, p = R.T, -(R.T @ p)
    moves = joint.kind.coordinates(R, p, joint.pitch)
    numbers = [number for _, number, _ in joint.kind.chain()]
    own = [at for at, number in zip(moves, numbers, strict=True) if number == place.which]
    return own[0] if len(own) == 1 else np.concatenate(own)


def turn_of_screw(at: Equations, place: AxisPlace) -> Any:
    """Angle of a screw as its rows have it: of one that closes a loop, by its turn [rad].

    Its advance, which counts whole turns, tells another angle as long as the loop is open.
    """
    (counted,) = coordinate(at, place)
    if place.links:
        return counted
    closing, joint = _closing(at, place)
    R = joint.R if closing.near_is_parent else joint.R.T
    return nearest_angle(R[:, 0], counted)


def value(at: Equations, place: AxisPlace, home: float) -> Any:
    """Coordinate of a turn or slide as a number [rad or m].

    Angles are the ones nearest home's, or nearest those that they are followed from.
    """
    carried = coordinate(at, place)
    if len(carried) == 1:
        return carried[0]
    turns, followed = at.configuration.turns, at.configuration.near or {}
    if place in followed:
        home, turns = followed[place], None
    nearest = nearest_angle(carried, home)
    return nearest if turns is None else nearest + 2.0 * np.pi * turns.get(place, 0.0)


def nearest_angle(carried: Array, angle: float) -> Any:
    """The angle of a pair (cos, sin) that is nearest to a given one [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return angle + np.arctan2(carried[1] * c - carried[0] * s, carried[0] * c + carried[1] * s)


def home_value(at: Equations, place: AxisPlace, given: float | None) -> float:
    """Coordinate at home, on the turn that the description names."""
    carried = coordinate(at, place)
    if len(carried) == 1:
        return float(carried[0])
    angle = float(np.arctan2(carried[1], carried[0]))
    return angle if given is None else angle + 2.0 * np.pi * round((given - angle) / (2.0 * np.pi))


def rate(
    at: Equations, moving: Callable[[], Moving], rates: Rates, place: AxisPlace, level: int = 1
) -> Any:
    """Rate of an axis (level 1), or its acceleration (level 2, with ``rates`` the accelerations).

    ``moving``, the motion of all links, is asked for only if the joint of the axis closes a loop.
    A ball gives its angular velocity in child axes, its acceleration being the derivative.
    """
    if place.links:
        tree = _tree(at, place)
        values = rates.trees[place.tree + 1]
        first = tree.links[place.links[0]]
        if place.what == BALL:
            w = values[tree.columns[place.links[0]]]
            carried = at.configuration.trees[place.tree + 1][place.links[0]]
            return -(carried @ w) if first.transposed else w
        found = [values[tree.columns[k].start] for k in place.links]
        return found[0] if len(found) == 1 else collect(found)
    return loop_joint_rate(at, moving(), place, level)


def loop_joint_rate(at: Equations, moving: Moving, place: AxisPlace, level: int = 1) -> Any:
    """Rate (level 1) or acceleration (level 2) of an axis of a joint that closes a loop."""
    closing, m = _closing(at, place)
    near, far = moving.ends(place.tree, closing, m)
    A, B, p, R = (near, far, m.p, m.R) if closing.near_is_parent else (far, near, -m.p, m.R.T)
    if level == 1:
        v, w = slide(A, B, p), B.w - A.w
    else:
        v, w = slip(A, B, p), B.wd - A.wd - cross(A.w, B.w)
    if not closing.near_is_parent:
        v, w = R @ v, R @ w
    return m.kind.axis_rates(R, v, w)[place.which]


class AxisRows(NamedTuple):
    """Rates of an axis as rows: ``tree`` over the rates of its leg or hub, ``z`` over z."""

    tree: list[Array]
    z: list[Array]


def axis_over_all(topology: Topology, place: AxisPlace, rows: AxisRows) -> Array:
    """The row of a turn or slide over all of u and V, as closure rows have them."""
    tree, z = rows.tree[0], rows.z[0]
    widths = [tree.rates for tree in topology.trees]
    parts: list[Array] = [np.zeros(width) for width in widths]
    parts[0] = z[6:]
    k = 0 if place.tree == HUB else place.tree + 1
    parts[k] = parts[k] + tree
    return np.concatenate([part for part in (*parts, z[:6]) if part.shape[0]])


def axis_rows(at: Equations, place: AxisPlace) -> AxisRows:
    """How the rates of an axis follow from those of its leg and from z.

    One row for a turn or slide, two for a plane, three for a ball (child axes, as in `rate`).
    """
    n_z = 6 + at.topology.hub.rates
    tree = _tree(at, place)
    if place.links:
        unit = np.eye(tree.rates)
        columns = [tree.columns[k] for k in place.links]
        rows = [unit[c] for span in columns for c in range(span.start, span.stop)]
        if place.what == BALL and tree.links[place.links[0]].transposed:
            carried = at.configuration.trees[place.tree + 1][place.links[0]]
            backwards = -(carried @ collect(rows))
            rows = [backwards[i] for i in range(3)]
        return AxisRows(rows, [np.zeros(n_z) for _ in rows])
    closing, m = _closing(at, place)
    near, far, z = at.end_columns(place.tree, closing, m)
    A_near = closing.near_is_parent
    R = m.R if A_near else m.R.T
    p = m.p if A_near else -m.p

    def read(v: Array, w: Array, *, on_parent: bool) -> list[Array]:
        # the parent's velocity counts where B is, and with the opposite sign
        v, w = (-(v - cross(p, w)), -w) if on_parent else (v, w)
        v, w = (v, w) if A_near else (R @ v, R @ w)
        found = m.kind.axis_rates(R, v, w)[place.which]
        return [found[i] for i in range(found.shape[0])] if found.ndim > 1 else [found]

    own = read(*near, on_parent=A_near)
    if far is not None:
        other = read(*far, on_parent=not A_near)
        own = [a + b for a, b in zip(own, other, strict=True)]
    moved = read(*z, on_parent=not A_near) if z is not None else [np.zeros(n_z) for _ in own]
    return AxisRows(own, moved)


def is_scalar(place: AxisPlace) -> bool:
    """Whether the axis has one coordinate, so that it may carry a motor."""
    return place.what not in (BALL, "plane")


def is_turn(place: AxisPlace) -> bool:
    """Whether the coordinate is an angle."""
    return place.what == TURN


def _tree(at: Equations, place: AxisPlace) -> Any:
    return at.topology.trees[place.tree + 1]


def _closing(at: Equations, place: AxisPlace) -> tuple[Closing, LoopJoint]:
    return at.closed[place.tree + 1][place.closing]
