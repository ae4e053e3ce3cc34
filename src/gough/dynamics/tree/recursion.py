"""Newton and Euler in spatial vectors and body coordinates, as multibody programs have them.

A twist ``[w; v]`` is in axes of its link, v being the velocity of the link's point at the origin of
its frame.  Its spatial acceleration has no Coriolis terms: it adds up along a chain, and goes from
frame to frame, as twists do; velocities enter by one product a joint.  Bodies count one by one, as
described, about their mass centres.  `legs` has a recursion of its own, and shares none of this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gough.base.spatial import Array, collect, cross, snap, symbolic
from gough.dynamics.shared.masses import CentralMass
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.tree import ROOT, Mount, Tree


class Spatial(NamedTuple):
    """Twist or spatial acceleration, or columns of them: angular part, linear part."""

    w: Array
    v: Array

    def __add__(self, other: Spatial) -> Spatial:  # type: ignore[override]
        return Spatial(self.w + other.w, self.v + other.v)

    def __sub__(self, other: Spatial) -> Spatial:
        return Spatial(self.w - other.w, self.v - other.v)

    def product(self, other: Spatial) -> Spatial:
        """Rate of a motion vector that is fixed in a body with this twist."""
        return Spatial(cross(self.w, other.w), cross(self.w, other.v) + cross(self.v, other.w))

    def seen_from(self, R: Array, p: Array) -> Spatial:
        """The same in a frame whose axes and origin in this one are R and p."""
        return Spatial(R.T @ self.w, R.T @ (self.v + cross(self.w, p)))


AT_REST = Spatial(np.zeros(3), np.zeros(3))


class Wrench(NamedTuple):
    """Moment about the origin of a frame, and force, in its axes."""

    n: Array
    f: Array

    def __add__(self, other: Wrench) -> Wrench:  # type: ignore[override]
        return Wrench(self.n + other.n, self.f + other.f)

    def seen_from(self, R: Array, p: Array) -> Wrench:
        """The same in a frame in which this one has the axes R and the origin p."""
        f = R @ self.f
        return Wrench(R @ self.n + cross(p, f), f)


def link_twists(
    tree: Tree,
    poses: Sequence[Pose],
    rates: Array,
    root: Spatial = AT_REST,
    known: Mapping[int, Spatial] | None = None,
) -> list[Spatial]:
    """Twists of all links; those of some may be known without rates."""
    links: list[Spatial] = []
    for k, (link, (R, p), columns) in enumerate(zip(tree.links, poses, tree.columns, strict=True)):
        if known and k in known:
            links.append(known[k])
            continue
        parent = root if link.parent == ROOT else links[link.parent]
        own = Spatial(link.S_w @ rates[columns], link.S_v @ rates[columns])
        links.append(parent.seen_from(R, p) + own)
    return links


def link_accelerations(
    tree: Tree,
    poses: Sequence[Pose],
    twists: Sequence[Spatial],
    rates: Array,
    accelerations: Array,
    root: Spatial = AT_REST,
    known: Mapping[int, Spatial] | None = None,
) -> list[Spatial]:
    """Spatial accelerations of all links: ``a = X a_parent + S qdd + v x S qd``."""
    links: list[Spatial] = []
    for link, (R, p), twist, columns in zip(tree.links, poses, twists, tree.columns, strict=True):
        if known and len(links) in known:
            links.append(known[len(links)])
            continue
        parent = root if link.parent == ROOT else links[link.parent]
        qd, qdd = rates[columns], accelerations[columns]
        turning = twist.product(Spatial(link.S_w @ qd, link.S_v @ qd))
        links.append(parent.seen_from(R, p) + turning + Spatial(link.S_w @ qdd, link.S_v @ qdd))
    return links


def at_frame(links: Sequence[Spatial], mount: Mount) -> Spatial:
    """Twist or acceleration of a frame on a tree whose root is at rest, in the frame's axes."""
    return (AT_REST if mount.link == ROOT else links[mount.link]).seen_from(mount.R, mount.p)


class FrameColumns(NamedTuple):
    """How a frame follows from the rates of its tree.

    Attributes:
        R_f0: base axes seen from the frame.
        twist: twist of the frame per rate, in its own axes, 3xn each.
    """

    R_f0: Array
    twist: Spatial


def frame_columns(tree: Tree, poses: Sequence[Pose], mount: Mount) -> FrameColumns:
    """Joint axes as screws that a frame sees, from the frame down to the base."""
    R, r = mount.R.T, mount.R.T @ mount.p
    w = [np.zeros(3)] * tree.rates
    v = w.copy()
    for k in tree.path(mount.link):
        link = tree.links[k]
        for axis, column in tree.moving_axes[k]:
            z = R[:, axis]
            if link.turns:
                w[column], v[column] = z, cross(z, r)
            if link.advance:
                v[column] = v[column] + z * link.advance
        R = R @ poses[k].R.T
        r = r + R @ poses[k].p
    if not tree.rates:
        return FrameColumns(R, Spatial(np.zeros((3, 0)), np.zeros((3, 0))))
    return FrameColumns(R, Spatial(collect(w).T, collect(v).T))


class LinkBody(NamedTuple):
    """A body on a link: mass, mass centre, and inertia about it, in link axes."""

    link: int
    m: Array
    c: Array
    I: Array  # noqa: E741  the papers' name

    def wrench(self, links: Sequence[Spatial], accelerations: Sequence[Spatial]) -> Wrench:
        """What moves it, about the link's origin: ``I a + v x* I v``, in blocks at its centre."""
        (w, v), (wd, vd) = links[self.link], accelerations[self.link]
        f = (vd + cross(wd, self.c) + cross(w, v + cross(w, self.c))) * self.m
        n = self.I @ wd + cross(w, self.I @ w)
        return Wrench(n + cross(self.c, f), f)


def bodies_on_links(tree: Tree, masses: Sequence[CentralMass]) -> list[LinkBody]:
    """Bodies that a tree moves, each by itself."""
    found = []
    for name, m, c, inertia in masses:
        mount = tree.bodies[name]
        if mount.link != ROOT:  # on the base nothing moves it
            I_c = mount.R @ inertia @ mount.R.T
            if not symbolic(I_c):  # freed of dust of its own size: zeros fold away in a trace
                size = float(np.abs(I_c).max()) or 1.0
                I_c = snap(I_c / size) * size
            found.append(LinkBody(mount.link, m, mount.p + mount.R @ c, I_c))
    return found


T = TypeVar("T", "Wrench", "CompositeInertia")


def add_at(table: dict[int, T], link: int, more: T) -> None:
    """Add to what a link has; on the root nothing counts."""
    if link != ROOT:
        table[link] = table[link] + more if link in table else more


def joint_efforts(tree: Tree, poses: Sequence[Pose], wrenches: Mapping[int, Wrench]) -> Array:
    """Efforts of all rates under which links take these wrenches, from the last links down."""
    taken = dict(wrenches)
    efforts: list[Array] = [0.0] * tree.rates
    for k in reversed(range(len(tree.links))):
        if k not in taken:
            continue
        link, wrench = tree.links[k], taken[k]
        for i, column in enumerate(range(tree.columns[k].start, tree.columns[k].stop)):
            efforts[column] = link.S_w[:, i] @ wrench.n + link.S_v[:, i] @ wrench.f
        add_at(taken, link.parent, wrench.seen_from(*poses[k]))
    return collect(efforts)


class CompositeInertia(NamedTuple):
    """Mass, first moment and inertia about the origin of what moves as one body, link axes."""

    m: Array
    s: Array
    I: Array  # noqa: E741  the papers' name

    def __add__(self, other: CompositeInertia) -> CompositeInertia:  # type: ignore[override]
        return CompositeInertia(self.m + other.m, self.s + other.s, self.I + other.I)

    def seen_from(self, R: Array, p: Array) -> CompositeInertia:
        """The same in a frame in which this one has the axes R and the origin p."""
        s = R @ self.s
        mixed = np.outer(p, s + p * (self.m * 0.5))
        mixed = mixed + mixed.T  # p s^T + s p^T + m p p^T
        about = np.eye(3) * (mixed[0, 0] + mixed[1, 1] + mixed[2, 2]) - mixed
        return CompositeInertia(self.m, s + p * self.m, R @ self.I @ R.T + about)

    def wrench(self, acceleration: Spatial) -> Wrench:
        """What a unit acceleration from rest takes."""
        w, v = acceleration
        return Wrench(self.I @ w + cross(self.s, v), v * self.m + cross(w, self.s))


def inertia_matrix(tree: Tree, poses: Sequence[Pose], bodies: Sequence[LinkBody]) -> Array:
    """``A_tr`` by composite bodies: each joint moves what hangs on it, as one body."""
    composite: dict[int, CompositeInertia] = {}
    for body in bodies:
        arms = np.eye(3) * (body.c @ body.c) - np.outer(body.c, body.c)
        own = CompositeInertia(body.m, body.c * body.m, body.I + arms * body.m)
        add_at(composite, body.link, own)
    A: list[list[Any]] = [[0.0] * tree.rates for _ in range(tree.rates)]
    for k in reversed(range(len(tree.links))):
        if k not in composite:
            continue
        for i, column in enumerate(range(tree.columns[k].start, tree.columns[k].stop)):
            unit = Spatial(tree.links[k].S_w[:, i], tree.links[k].S_v[:, i])
            wrench = composite[k].wrench(unit)
            for j in tree.path(k):
                link = tree.links[j]
                for other, row in enumerate(range(tree.columns[j].start, tree.columns[j].stop)):
                    effort = link.S_w[:, other] @ wrench.n + link.S_v[:, other] @ wrench.f
                    A[row][column] = A[column][row] = effort
                wrench = wrench.seen_from(*poses[j])
        add_at(composite, tree.links[k].parent, composite[k].seen_from(*poses[k]))
    return collect([collect(row) for row in A], empty=(0, 0))
