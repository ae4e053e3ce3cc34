"""Spanning trees: links that hang on each other by elementary moves, bodies and frames on links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array
from gough.mechanism.topology.moves import Step, steps
from gough.mechanism.topology.seats import Seat, SeatsByJoint, described_seats
from gough.robot import Joint
from gough.robot.joint_kinds import BALL, FREE, KINDS, SCREW, SLIDE

ROOT = -1

HERE = Seat(np.eye(3), np.zeros(3))
"""A frame that coincides with that of its body."""


@dataclass(frozen=True, eq=False)
class Mount:
    """A frame fixed on a link (or on the root): its rotation and origin in link axes."""

    link: int
    R: Array
    p: Array

    def carrying(self, seat: Seat) -> Mount:
        """A frame that sits on this one, on the same link."""
        at = Seat(self.R, self.p).carrying(seat)
        return Mount(self.link, spatial.snap(at.R), spatial.snap(at.p))


@dataclass(frozen=True, eq=False)
class Link:
    """One elementary move, and the frame it carries.

    Attributes:
        parent: index of the link it hangs on, or ``ROOT``.
        move: turn, slide, screw or ball.
        R, p: the frame at coordinate zero, in axes of the parent link.
        pitch: advance of a screw [m/rad].
        joint: name of the joint; empty for a move that no joint makes.
        axis: index of the joint's axis.
        transposed: the coordinate of a ball runs from child to parent.
    """

    parent: int
    move: str
    R: Array
    p: Array
    pitch: float
    joint: str
    axis: int
    transposed: bool

    @cached_property
    def rates(self) -> int:
        """Number of rates: 3 for a ball, else 1."""
        return 3 if self.move == BALL else 1

    @cached_property
    def turns(self) -> bool:
        """Whether it turns against its parent."""
        return self.move != SLIDE

    @cached_property
    def advance(self) -> float:
        """Velocity of the link origin along z per rate [m, or m/rad]; zero of turns and balls."""
        return {SLIDE: 1.0, SCREW: self.pitch}.get(self.move, 0.0)

    @cached_property
    def S_w(self) -> np.ndarray:
        """Angular velocity per rate, link axes, 3xk."""
        return np.eye(3) if self.move == BALL else np.array([[0.0], [0.0], [float(self.turns)]])

    @cached_property
    def S_v(self) -> np.ndarray:
        """Velocity of the link origin per rate, link axes, 3xk."""
        return np.zeros((3, 3)) if self.move == BALL else np.array([[0.0], [0.0], [self.advance]])


@dataclass(frozen=True, eq=False)
class Tree:
    """Links in an order in which parents come first, and the bodies they carry."""

    links: tuple[Link, ...]
    bodies: dict[str, Mount]

    @cached_property
    def columns(self) -> tuple[slice, ...]:
        """Slices of the tree's rate vector that hold the rates of each link."""
        ends = np.cumsum([0, *(link.rates for link in self.links)])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def rates(self) -> int:
        """Length of the rate vector."""
        return sum(link.rates for link in self.links)

    def link_of(self, column: int) -> int:
        """The link that a rate of the tree belongs to."""
        return next(i for i, c in enumerate(self.columns) if c.start <= column < c.stop)

    def body_on(self, link: int) -> str:
        """A body that a link carries."""
        return next(name for name, mount in self.bodies.items() if mount.link == link)

    def place_in_axis(self, link: int) -> int:
        """Which of the moves of its axis a link is: a plane has two, from parent to child."""
        own = self.links[link]
        same = (own.joint, own.axis)
        alike = [k for k, other in enumerate(self.links) if (other.joint, other.axis) == same]
        return (alike[::-1] if own.transposed else alike).index(link)

    def path(self, link: int) -> tuple[int, ...]:
        """Links from the given one down to the root, the given one first."""
        return self._paths[link]

    @cached_property
    def _paths(self) -> dict[int, tuple[int, ...]]:
        found: dict[int, tuple[int, ...]] = {ROOT: ()}
        for index, link in enumerate(self.links):  # parents come first
            found[index] = (index, *found[link.parent])
        return found

    @cached_property
    def moving_axes(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Of each link the axes that it moves by, and the column of each in the rate vector.

        A ball turns about all its axes, everything else about its z or along it.
        """
        numbers = (range(3) if link.move == BALL else (2,) for link in self.links)
        return tuple(
            tuple(zip(axes, range(columns.start, columns.stop), strict=True))
            for axes, columns in zip(numbers, self.columns, strict=True)
        )

    def mount(self, body: str, seat: Seat) -> Mount:
        """Where a frame of a body sits on its link."""
        return self.bodies[body].carrying(seat)


def grow(
    root_body: str,
    root: Seat,
    bodies: Sequence[str],
    joints: Sequence[Joint],
    motors: Sequence[str],
    seats: SeatsByJoint | None = None,
) -> tuple[Tree, tuple[Joint, ...]]:
    """Spanning tree over bodies, and the joints at which loops are cut.

    Joints sit where ``seats`` has them, or as described.

    Motors stay in the tree if they can, and where a loop must be cut, the joint with most freedoms
    is, for it leaves the fewest closure rows.  Bodies that no joint of the list reaches are
    attached to the root by a free move.
    """
    kept = _kept(root_body, joints, motors)
    seats = described_seats(kept) if seats is None else seats
    links: list[Link] = []
    placed = {root_body: Mount(ROOT, *root)}
    while len(placed) <= len(bodies):
        joint = next((j for j in kept if (j.parent in placed) != (j.child in placed)), None)
        if joint is None:
            loose = next(b for b in bodies if b not in placed)
            placed[loose] = _attach(links, placed[root_body], HERE, steps(FREE), "", 0.0, False)
            continue
        backwards = joint.child in placed
        here, there = (joint.child, joint.parent) if backwards else (joint.parent, joint.child)
        near, far = (seats[joint.name].on(joint, body) for body in (here, there))
        end = _attach(
            links,
            placed[here],
            near,
            steps(KINDS[joint.kind], backwards=backwards),
            joint.name,
            joint.pitch,
            backwards,
        )
        placed[there] = end.carrying(far.inverse)
    cut = tuple(j for j in joints if j not in kept)
    return Tree(tuple(links), placed), cut


def joint_chain(joint: Joint) -> Tree:
    """Moves of a joint by themselves: a tree on its frame on the parent."""
    links: list[Link] = []
    start = Mount(ROOT, np.eye(3), np.zeros(3))
    _attach(links, start, HERE, steps(KINDS[joint.kind]), joint.name, joint.pitch, False)
    return Tree(tuple(links), {})


def _attach(
    links: list[Link],
    on: Mount,
    seat: Seat,
    moves: Sequence[Step],
    joint: str,
    pitch: float,
    backwards: bool,
) -> Mount:
    """Hang a chain of moves on a mount; returns the frame behind the last one."""
    parent, (R, p) = on.link, Seat(on.R, on.p).carrying(seat)
    for step in moves:
        before = spatial.snap(R @ step.before), spatial.snap(p)
        links.append(Link(parent, step.move, *before, pitch, joint, step.axis, backwards))
        parent = len(links) - 1
        R, p = step.after, np.zeros(3)
    return Mount(parent, R, p)


def _kept(root: str, joints: Sequence[Joint], motors: Sequence[str]) -> list[Joint]:
    """Joints of the spanning tree, by Kruskal's rule, in the order of the description."""
    driven = {j.name for j in joints if set(j.axis_names) & set(motors)}
    cluster: dict[str, str] = {}

    def leader(body: str) -> str:
        while cluster.get(body, body) != body:
            body = cluster[body]
        return body

    kept = set()
    for joint in sorted(joints, key=lambda j: (j.name not in driven, j.freedoms)):
        a, b = leader(joint.parent), leader(joint.child)
        if a != b:
            cluster[a] = b
            kept.add(joint.name)
    return [j for j in joints if j.name in kept]
