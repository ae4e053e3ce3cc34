"""Recursions over a tree: poses, Jacobian columns, velocities and accelerations.

Vectors are carried in link axes, so that structural zeros of the geometry survive in a trace.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, collect, cross
from gough.mechanism.topology.tree import ROOT, Mount, Tree
from gough.robot.joint_kinds import SCREW, SLIDE, TURN


class Pose(NamedTuple):
    """Rotation and position of one frame in another."""

    R: Array
    p: Array


class View(NamedTuple):
    """Pose and Jacobian of a frame on a tree, all in the frame's own axes.

    Attributes:
        R_f0: root axes seen from the frame.
        r: vector from the root's origin to the frame's.
        v: velocity of its origin per rate of the tree, 3xn.
        w: angular velocity per rate of the tree, 3xn.
    """

    R_f0: Array
    r: Array
    v: Array
    w: Array


class Motion(NamedTuple):
    """Velocity and classical acceleration of a frame's origin, and angular, in one set of axes."""

    v: Array
    w: Array
    a: Array
    wd: Array


STILL = Motion(np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3))


def relative_poses(tree: Tree, coordinates: Sequence[Array]) -> list[Pose]:
    """Pose of every link in its parent."""
    poses = []
    for link, at in zip(tree.links, coordinates, strict=True):
        if link.move == TURN:
            poses.append(Pose(spatial.turn_z(link.R, *at.tolist()), link.p))
        elif link.move == SLIDE:
            poses.append(Pose(link.R, link.p + link.R[:, 2] * at[0]))
        elif link.move == SCREW:
            R = spatial.turn_z(link.R, np.cos(at[0]), np.sin(at[0]))
            poses.append(Pose(R, link.p + link.R[:, 2] * (link.pitch * at[0])))
        else:
            poses.append(Pose(link.R @ at, link.p))
    return poses


def root_poses(tree: Tree, poses: Sequence[Pose], root: Pose) -> list[Pose]:
    """Pose of every link in the frame in which the root is given."""
    placed: list[Pose] = []
    for link, (R, p) in zip(tree.links, poses, strict=True):
        at = root if link.parent == ROOT else placed[link.parent]
        placed.append(Pose(at.R @ R, at.p + at.R @ p))
    return placed


def look_back(tree: Tree, poses: Sequence[Pose], mount: Mount) -> View:
    """Pose and Jacobian of a frame on the tree, in the frame's own axes.

    The columns are ``a x r`` and ``a`` for a turn about ``a``, ``a`` and 0 for a slide, [BK] (26).
    """
    R, r = mount.R.T, mount.R.T @ mount.p
    v_columns = [np.zeros(3)] * tree.rates
    w_columns = v_columns.copy()
    for index in tree.path(mount.link):
        link, pose = tree.links[index], poses[index]
        for k, column in tree.moving_axes[index]:
            a = R[:, k]
            if link.turns:
                v_columns[column], w_columns[column] = cross(a, r), a
            if link.advance:
                v_columns[column] = v_columns[column] + a * link.advance
        R = R @ pose.R.T
        r = r + R @ pose.p
    if not tree.rates:
        return View(R, r, np.zeros((3, 0)), np.zeros((3, 0)))
    return View(R, r, collect(v_columns).T, collect(w_columns).T)


def motions(
    tree: Tree, poses: Sequence[Pose], rates: Array, accelerations: Array, root: Motion
) -> list[Motion]:
    """Velocity and acceleration of every link, in its own axes, from those of the root.

    The forward recursion of Newton and Euler; ``root`` is in root axes.
    """
    found: list[Motion] = []
    for link, (R, p), columns in zip(tree.links, poses, tree.columns, strict=True):
        base = root if link.parent == ROOT else found[link.parent]
        to_link = R.T
        v, w_parent, a, wd = (to_link @ x for x in carry(base, p))
        w = w_parent
        if link.turns:
            w_rel = link.S_w @ rates[columns]
            wd = wd + cross(w_parent, w_rel) + link.S_w @ accelerations[columns]
            w = w_parent + w_rel
        if link.advance:
            v_rel = link.S_v @ rates[columns]
            a = a + 2.0 * cross(w_parent, v_rel) + link.S_v @ accelerations[columns]
            v = v + v_rel
        found.append(Motion(v, w, a, wd))
    return found


def carry(motion: Motion, p: Array) -> Motion:
    """Motion of the point ``p`` of the same body, same axes."""
    v, w, a, wd = motion
    return Motion(v + cross(w, p), w, a + spreading(motion) @ p, wd)


def carried(ground: Motion, motion: Motion, p: Array) -> Motion:
    """Motion in space of what is at ``p`` and moves relative to a ground that moves; its axes.

    The accelerations of the ground's own point there, of Coriolis, and relative to the ground.
    """
    at = carry(ground, p)
    return Motion(
        at.v + motion.v,
        at.w + motion.w,
        at.a + motion.a + cross(ground.w, motion.v) * 2.0,
        at.wd + motion.wd + cross(ground.w, motion.w),
    )


def relative(ground: Motion, motion: Motion, p: Array) -> Motion:
    """Motion relative to a moving ground of what moves in space at ``p``: undoes ``carried``."""
    at = carry(ground, p)
    v, w = motion.v - at.v, motion.w - at.w
    a = motion.a - at.a - cross(ground.w, v) * 2.0
    return Motion(v, w, a, motion.wd - at.wd - cross(ground.w, w))


def carrier(motion: Motion, own: Motion, p: Array) -> Motion:
    """Motion in space of a ground on which something at ``p`` has a motion of its own.

    The other way to undo ``carried``: what moves on the ground is known in space.
    """
    w = motion.w - own.w
    wd = motion.wd - own.wd - cross(w, own.w)
    v = motion.v - own.v - cross(w, p)
    turning = Motion(v, w, motion.a, wd)
    a = motion.a - own.a - cross(w, own.v) * 2.0 - spreading(turning) @ p
    return Motion(v, w, a, wd)


def spreading(motion: Motion) -> Array:
    """``U p`` is the acceleration of a point p against the origin: ``wd x p + w x (w x p)``.

    One matrix serves every point of the body.
    """
    (x, y, z), (a, b, c) = motion.w.tolist(), motion.wd.tolist()  # scalars: faster than slices
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    rows = [-(yy + zz), xy - c, xz + b, xy + c, -(xx + zz), yz - a, xz - b, yz + a, -(xx + yy)]
    return collect(rows).reshape(3, 3)


class Twists(NamedTuple):
    """Velocities of a frame's origin and angular velocities, in one set of axes, 3xk: k motions."""

    v: Array
    w: Array


def twists(tree: Tree, poses: Sequence[Pose], rates: Array, root: Twists) -> list[Twists]:
    """Twists of every link, in its own axes, in motions whose rates are columns ``(n, k)``."""
    found: list[Twists] = []
    for link, (R, p), columns in zip(tree.links, poses, tree.columns, strict=True):
        base = root if link.parent == ROOT else found[link.parent]
        v, w = R.T @ (base.v + cross(base.w, p)), R.T @ base.w
        if link.turns:
            w = w + link.S_w @ rates[columns]
        if link.advance:
            v = v + link.S_v @ rates[columns]
        found.append(Twists(v, w))
    return found


def mounted(links: Sequence[Twists], root: Twists, mount: Mount) -> Twists:
    """Twists of a frame on a tree, in the frame's axes."""
    v, w = root if mount.link == ROOT else links[mount.link]
    return Twists(mount.R.T @ (v + cross(w, mount.p)), mount.R.T @ w)


def at_mount(links: Sequence[Motion], root: Motion, mount: Mount) -> Motion:
    """Motion of a frame on a tree, in the frame's axes."""
    moving = carry(root if mount.link == ROOT else links[mount.link], mount.p)
    return Motion(*(mount.R.T @ x for x in moving))


def turned(R: Array, motion: Motion) -> Motion:
    """The same motion in other axes."""
    return Motion(*(R @ x for x in motion))


def frame_pose(placed: Sequence[Pose], root: Pose, mount: Mount) -> Pose:
    """Pose of a frame on a tree whose links are placed."""
    at = root if mount.link == ROOT else placed[mount.link]
    return Pose(at.R @ mount.R, at.p + at.R @ mount.p)
