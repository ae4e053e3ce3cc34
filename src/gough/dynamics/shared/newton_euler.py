"""The recursive Newton-Euler algorithm over a tree of links.

Gravity enters as an acceleration ``-g`` of the root, so that every body has ``a - g``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gough.base.spatial import Array, collect, cross
from gough.dynamics.shared.masses import Mass
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.recursion import STILL, Motion, Pose, motions, spreading, turned
from gough.mechanism.topology.tree import ROOT, Tree


def body_wrench(mass: Mass, motion: Motion) -> tuple[Array, Array]:
    """Force and moment about the origin that a motion takes.  [BK] (10), [KI] (12).

    ``I wd + w x (I w)`` is the axial vector of ``U J - (U J)^T``, with the matrix U that spreads
    accelerations over the body and the second moments J of its mass: half the multiplications.
    """
    a, U = motion.a, spreading(motion)
    f = a * mass.m + U @ mass.s
    X = U @ mass.J
    turning = collect([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]])
    return f, turning + cross(mass.s, a)


def body_wrenches(masses: Sequence[Mass], motion: Motion) -> tuple[Array, Array]:
    """The same of many bodies in one motion, 3xk each: what they have in common is found once."""
    a, U = motion.a, spreading(motion)
    m, s = np.array([mass.m for mass in masses]), np.array([mass.s for mass in masses]).T
    X = U @ np.array([mass.J for mass in masses])
    turning = [X[:, 2, 1] - X[:, 1, 2], X[:, 0, 2] - X[:, 2, 0], X[:, 1, 0] - X[:, 0, 1]]
    return np.multiply.outer(a, m) + U @ s, collect(turning) + cross(s, a)


def tree_efforts(
    tree: Tree,
    poses: Sequence[Pose],
    links: Sequence[Motion],
    root: Motion,
    masses: Mapping[int, Mass],
    pushes: Mapping[int, tuple[Array, Array]] | None = None,
) -> tuple[Array, Array, Array]:
    """Efforts of all rates of a tree, and force and moment on its root, root axes.

    The backward recursion: from the last links to the root.  ``pushes`` are force and moment that
    loads exert on links, link axes, about the origin.
    """
    pushed = pushes or {}
    forces = [np.zeros(3) for _ in tree.links]
    moments = [np.zeros(3) for _ in tree.links]
    root_force, root_moment = np.zeros(3), np.zeros(3)
    if ROOT in masses:
        root_force, root_moment = body_wrench(masses[ROOT], root)
    if ROOT in pushed:
        root_force, root_moment = root_force - pushed[ROOT][0], root_moment - pushed[ROOT][1]
    efforts: list[Array] = [0.0] * tree.rates
    for k in reversed(range(len(tree.links))):
        link, (R, p) = tree.links[k], poses[k]
        f, n = forces[k], moments[k]
        if k in masses:
            own_f, own_n = body_wrench(masses[k], links[k])
            f, n = f + own_f, n + own_n
        if k in pushed:
            f, n = f - pushed[k][0], n - pushed[k][1]
        for column, index in enumerate(range(tree.columns[k].start, tree.columns[k].stop)):
            efforts[index] = link.S_v[:, column] @ f + link.S_w[:, column] @ n
        f, n = R @ f, R @ n
        n = n + cross(p, f)
        if link.parent == ROOT:
            root_force, root_moment = root_force + f, root_moment + n
        else:
            forces[link.parent] = forces[link.parent] + f
            moments[link.parent] = moments[link.parent] + n
    return collect(efforts), root_force, root_moment


def tree_inertia(tree: Tree, poses: Sequence[Pose], masses: Mapping[int, Mass]) -> Array:
    """Inertia matrix of a tree on a fixed root: efforts of unit accelerations.

    A unit acceleration moves the link and all links that hang on it; their efforts act on every
    joint down to the root.
    """
    rows = [
        _efforts_of_unit(tree, poses, masses, k, column)
        for k, link in enumerate(tree.links)
        for column in range(link.rates)
    ]
    return collect(rows)  # symmetric: rows are columns


def _efforts_of_unit(
    tree: Tree, poses: Sequence[Pose], masses: Mapping[int, Mass], first: int, column: int
) -> Array:
    """Efforts of all rates of a tree at rest, one of which accelerates by one."""
    own = tree.links[first]
    moved = {first: (own.S_v[:, column], own.S_w[:, column])}  # a and wd, link axes
    for k in range(first + 1, len(tree.links)):
        if tree.links[k].parent in moved:
            (a, wd), (R, p) = moved[tree.links[k].parent], poses[k]
            moved[k] = (R.T @ (a + cross(wd, p)), R.T @ wd)
    efforts: list[Array] = [0.0] * tree.rates
    felt: dict[int, tuple[Array, Array]] = {}
    for k in sorted({*moved, *tree.path(first)}, reverse=True):
        f, n = felt.get(k, (np.zeros(3), np.zeros(3)))
        if k in moved and k in masses:
            (a, wd), (m, s, I) = moved[k], masses[k]  # noqa: E741
            f, n = f + a * m + cross(wd, s), n + I @ wd + cross(s, a)
        link, (R, p) = tree.links[k], poses[k]
        for i, index in enumerate(range(tree.columns[k].start, tree.columns[k].stop)):
            efforts[index] = link.S_v[:, i] @ f + link.S_w[:, i] @ n
        f, n = R @ f, R @ n
        n = n + cross(p, f)
        before = felt.get(link.parent)
        felt[link.parent] = (f, n) if before is None else (before[0] + f, before[1] + n)
    return collect(efforts)


def hub_inertia(at: Equations, masses: Mapping[int, Mass]) -> Array:
    """Inertia matrix of the hub in z: platform twist, base axes, and the hub's own rates."""
    hub, R = at.topology.hub, at.platform.R
    still, unit = np.zeros(hub.rates), np.eye(6 + hub.rates)
    rows = []
    for z in unit:
        root = turned(R.T, STILL._replace(a=z[:3], wd=z[3:6]))
        links = motions(hub, at.hub_poses, still, z[6:], root)
        tau, f, n = tree_efforts(hub, at.hub_poses, links, root, masses)
        rows.append(np.concatenate([R @ f, R @ n, tau]))
    return collect(rows)


def projected(M: Array, columns: Sequence[Array]) -> Array:
    """``K^T M K`` for the columns of K."""
    images = [M @ column for column in columns]
    rows = [collect([column @ image for image in images]) for column in columns]
    return collect(rows, empty=(0, 0))
