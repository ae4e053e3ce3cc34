"""Idle freedoms: motions of legs or hub that the platform does not feel, and their locks.

The bar between two ball joints may spin about its axis, the rod of a cylindrical strut about its
own.  The spin is frozen by the row ``x . omega = 0``, which is exact for a body of revolution with
its mass centre on the axis: nothing drives such a spin.  Where joints drag it along,
``idle: drags``, it has the least rates in them that there can be: ``x . omega`` is the mean of that
of the bodies behind them, for the joints' rates along the spin are ``x . (omega - omega_b)``.  Of
three hinges in the place of a ball the rates are others, see
:mod:`gough.mechanism.closure.drags`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gough.mechanism.closure.axes import AxisPlace, axis_rows
from gough.mechanism.closure.dense import rate_scales, row_scales, split
from gough.mechanism.closure.drags import Pivot
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import Lock, Locks, lock_row
from gough.mechanism.closure.recursion import Pose, look_back
from gough.mechanism.mobility.hinge_rows import HingeRow, hinge_rows, pivots
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import ROOT, Mount, Tree
from gough.robot import Robot
from gough.robot.joint import DRAGS, LOCKED, Joint
from gough.robot.joint_kinds import PLANE, SLIDE

HUB = "hub"
"""Name of the hub among the legs of idle freedoms."""

_CLEAN = 1e-10  # entries of unit null vectors that are rounding: loops are closed to 1e-11
_ALONG = 1e-6  # of unit spins: how much a body in a dragged spin may turn otherwise
_MOVES = 1e-6  # rate in a unit null vector that is motion: far above the 1e-10 of rounding
_NEW = 1e-3  # part of a unit row that those taken do not have; less would make locks dependent


@dataclass(frozen=True, eq=False)
class IdleFreedom:
    """A motion the platform does not feel.

    Attributes:
        leg: name of the leg, or ``hub``.
        bodies: bodies that move in it.
        spin: body axis of a rotation, in axes of the first body; ``None`` for a translation.
        between: bodies between three hinges in the place of a ball, which turn otherwise with it.
    """

    leg: str
    bodies: tuple[str, ...]
    spin: tuple[float, float, float] | None
    between: tuple[str, ...] = ()

    def __str__(self) -> str:
        whose = "its own axis" if len(self.bodies) == 1 else "their common axis"
        what = f"spin about {whose}" if self.spin is not None else "slide idly"
        return f"{' and '.join(self.bodies)} may {what} without the platform noticing"


def null_basis(matrix: np.ndarray, nullity: int) -> np.ndarray:
    """Null vectors, reduced so that each has one coordinate that the others have not."""
    if nullity == 0 or matrix.shape[1] == 0:
        return np.zeros((matrix.shape[1], 0))
    basis = np.linalg.svd(matrix, full_matrices=True)[2][-nullity:].T.copy()
    own: list[int] = []
    reduced = basis.copy()
    for k in range(nullity):
        rest = [i for i in range(len(reduced)) if i not in own]
        i, j = divmod(int(np.argmax(np.abs(reduced[rest][:, k:]))), nullity - k)
        reduced[:, [k, k + j]] = reduced[:, [k + j, k]]
        row = rest[i]
        own.append(row)
        reduced[:, k] /= reduced[row, k]
        for other in range(nullity):
            if other != k:
                reduced[:, other] -= reduced[row, other] * reduced[:, k]
    reduced[np.abs(reduced) < _CLEAN] = 0.0
    return reduced


def choose_locks(
    robot: Robot,
    at: Equations,
    group: int,
    null: np.ndarray,
    dragging: Sequence[Joint] = (),
    rows: Sequence[HingeRow] = (),
    held: Sequence[tuple[str, int]] = (),
) -> list[Lock]:
    """One row for each null vector, over the rates of a leg, or of the hub: ``group`` -1.

    What a motor holds, and what hangs loose at the end of a chain, keeps its joint still; a body
    between two joints is dragged along by those that do so, or keeps from spinning in space; where
    nothing turns, a coordinate is kept: of a slide that is to be ``held``, if there is one.
    """
    tree = at.topology.trees[group + 1]
    poses = at.hub_poses if group < 0 else at.leg_poses[group]
    locks: list[Lock] = []
    taken = np.zeros((0, null.shape[1]))
    for column in _joints_to_keep(robot, tree, poses, null):
        if _left(null[column], taken) > _NEW:
            locks.append(Lock(-1, None, column))
            taken = np.vstack([taken, null[column]])
    turns = {
        body: _turn(tree, poses, mount, null)
        for body, mount in (tree.bodies.items() if dragging and null.shape[1] else ())
        if mount.link != ROOT
    }
    for k in range(null.shape[1]) if dragging else ():
        lock = _dragged(at, group, {b: W[:, k] for b, W in turns.items()}, dragging, rows)
        row = np.zeros(null.shape[1]) if lock is None else lock_row(at, group, lock) @ null
        if lock is not None and _left(row, taken) > _NEW:
            locks.append(lock)
            taken = np.vstack([taken, row])
    spins = _spins(tree, poses, null)
    # what each candidate adds to the rows taken, less what every further row takes away from it
    rows_left = np.vstack([*(row for _, _, row in spins), null])
    if len(taken):
        rows_left = rows_left - np.linalg.lstsq(taken.T, rows_left.T, rcond=None)[0].T @ taken
    while len(locks) < null.shape[1]:
        left = np.linalg.norm(rows_left[: len(spins)], axis=1)
        best = float(left.max(initial=0.0))
        if best > _NEW:
            chosen = int(np.argmax(left > 0.5 * best))
            locks.append(Lock(spins[chosen][0], spins[chosen][1], -1))
        else:
            sizes = np.linalg.norm(rows_left[len(spins) :], axis=1)
            slides = [k for k in slide_columns(tree, held) if sizes[k] > _NEW]
            # the first one that moves, not the fastest: two may be as fast as each other
            most = 0.5 * max((sizes[k] for k in slides), default=np.inf)
            column = next((k for k in slides if sizes[k] > most), int(np.argmax(sizes)))
            chosen = len(spins) + column
            locks.append(Lock(-1, None, column))
        rows_left = _perpendicular(rows_left, rows_left[chosen])
    return locks


def dragging_joints(robot: Robot, topology: Topology, hub_spins: bool) -> list[Joint]:
    """Joints that drag idle spins along.

    Rows of the hub cannot have bodies of legs in them: if something on the hub spins idly, joints
    between both do not count.
    """
    found = [joint for joint in robot.joints if joint.idle == DRAGS]
    hub = topology.hub.bodies
    return [j for j in found if not hub_spins or (j.parent in hub) == (j.child in hub)]


def _dragged(
    at: Equations,
    group: int,
    turns: Mapping[str, np.ndarray],
    dragging: Sequence[Joint],
    rows: Sequence[HingeRow],
) -> Lock | None:
    """The row of bodies that spin together about one axis, and are dragged along.

    Only where each dragging joint turns about that axis, as balls do and three hinges in the place
    of one; of others, as a universal joint askew, nothing is known in other postures.  ``turns``
    are the angular velocities of bodies in a null vector, root axes.
    """
    tree = at.topology.trees[group + 1]
    poses = at.hub_poses if group < 0 else at.leg_poses[group]
    between = {body for row in rows for body in row.between}
    spins = {
        body: W for body, W in turns.items() if body not in between and np.linalg.norm(W) > _MOVES
    }
    if not spins:
        return None
    first = next(iter(spins))
    x = spins[first]
    if any(np.linalg.norm(W - x) > _ALONG * np.linalg.norm(x) for W in spins.values()):
        return None
    outside: list[tuple[str, tuple[Pivot, ...]]] = []
    in_rows = {joint.name for row in rows for joint in row.joints}
    for joint in dragging:
        inner = [end for end in (joint.parent, joint.child) if end in spins]
        if len(inner) == 1 and joint.name not in in_rows:
            outside.append((joint.child if joint.parent in spins else joint.parent, ()))
    for row in rows:
        pulled = [joint for joint in row.joints if joint.idle == DRAGS]
        whole = row.is_of(at.topology, group) and {*pulled} <= {*dragging}
        if whole and pulled and len({*row.ends} & {*spins}) == 1:
            way = row if row.ends[1] in spins else row.reversed()
            outside.append((way.ends[0], pivots(at, group, way)))
    if not outside:
        return None
    mount = tree.bodies[first]
    view = look_back(tree, poses, Mount(mount.link, np.eye(3), np.zeros(3)))
    axis = view.R_f0 @ x / np.linalg.norm(x)
    axis[np.abs(axis) < _CLEAN] = 0.0
    beside, through = zip(*outside, strict=True)
    unit = axis / np.linalg.norm(axis)
    return Lock(mount.link, unit, -1, beside, through if any(through) else ())


def _turn(tree: Tree, poses: Sequence[Pose], mount: Mount, null: np.ndarray) -> np.ndarray:
    """Angular velocities of a body in null vectors, root axes, one a column."""
    view = look_back(tree, poses, mount)
    return np.asarray(view.R_f0.T @ view.w @ null)


def _joints_to_keep(robot: Robot, tree: Tree, poses: Sequence[Pose], null: np.ndarray) -> list[int]:
    """Rates of idle motors, then of bodies that hang on one joint only."""
    motors, loose = [], []
    for link, columns in zip(tree.links, tree.columns, strict=True):
        if not link.joint:
            continue
        name = robot.joint(link.joint).axis_names[link.axis]
        if name in robot.motors and np.abs(null[columns]).max(initial=0.0) > _MOVES:
            motors.append(columns.start)
    degree = Counter(end for j in robot.joints for end in (j.parent, j.child))
    for body, mount in tree.bodies.items():
        moves = np.abs(look_back(tree, poses, mount).w @ null).max(initial=0.0) > _MOVES
        if degree[body] == 1 and mount.link >= 0 and moves:
            last = tree.links[mount.link].joint
            for link, columns in zip(tree.links, tree.columns, strict=True):
                if link.joint == last:
                    loose += list(range(columns.start, columns.stop))
    return motors + loose


def slide_columns(tree: Tree, slides: Sequence[tuple[str, int]]) -> list[int]:
    """Columns of slides that a tree has, in the order of their joints and axes."""
    found = {
        (link.joint, link.axis): columns.start
        for link, columns in zip(tree.links, tree.columns, strict=True)
        if link.move == SLIDE
    }
    return [found[slide] for slide in slides if slide in found]


def kept_slides(trees: Sequence[Tree], locks: Locks) -> list[tuple[str, int]]:
    """Slides whose coordinates are kept, by joint and axis."""
    links = [
        tree.links[tree.link_of(lock.column)]
        for tree, own in zip(trees, locks.trees, strict=True)
        for lock in own
        if lock.axis is None
    ]
    return [(link.joint, link.axis) for link in links if link.move == SLIDE]


def _spins(
    tree: Tree, poses: Sequence[Pose], null: np.ndarray
) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Links that null vectors turn: link, its axis, and what each null vector does about it."""
    found = []
    for link in sorted({m.link for m in tree.bodies.values() if m.link >= 0}):
        W = look_back(tree, poses, Mount(link, np.eye(3), np.zeros(3))).w @ null
        for k in range(null.shape[1]):
            size = float(np.linalg.norm(W[:, k]))
            if size > _MOVES:
                axis = W[:, k] / size
                axis[np.abs(axis) < _CLEAN] = 0.0
                axis = axis / np.linalg.norm(axis)
                found.append((link, axis, axis @ W))
    return found


def _perpendicular(rows: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Rows without what they have of one of them; twice, for rounding."""
    size = float(np.linalg.norm(along))
    unit = along / size if size else along
    for _ in range(2):
        rows = rows - np.outer(rows @ unit, unit)
    return rows


def _left(row: np.ndarray, taken: np.ndarray) -> float:
    """Length of what a row adds to those taken."""
    if not len(taken):
        return float(np.linalg.norm(row))
    coefficients = np.linalg.lstsq(taken.T, row, rcond=None)[0]
    return float(np.linalg.norm(row - coefficients @ taken))


def describe(
    name: str,
    tree: Tree,
    poses: Sequence[Pose],
    null: np.ndarray,
    length: float,
    rows: Sequence[HingeRow] = (),
) -> list[IdleFreedom]:
    """What the null vectors of a tree mean, in names."""
    found = []
    inside = {body for row in rows for body in row.between}
    views = {body: look_back(tree, poses, mount) for body, mount in tree.bodies.items()}
    for k in range(null.shape[1]):
        moving, axis = [], None
        for body, view in views.items():
            w, v = view.w @ null[:, k], view.v @ null[:, k]
            if np.linalg.norm(w) > _MOVES:
                moving.append(body)
                if axis is None and body not in inside:
                    unit = w / np.linalg.norm(w)
                    axis = (float(unit[0]), float(unit[1]), float(unit[2]))
            elif np.linalg.norm(v) > _MOVES * length:
                moving.append(body)
        spinning = [body for body in moving if body not in inside] or moving
        near = [row for row in rows if {*row.ends} & {*spinning}]
        between = tuple(body for row in near for body in row.between if body not in spinning)
        found.append(IdleFreedom(name, tuple(spinning), axis, between))
    return found


def moved_axes(
    at: Equations,
    axes: Mapping[str, AxisPlace],
    names: Iterable[str],
    null: np.ndarray,
    length: float,
) -> tuple[str, ...]:
    """Axes that move in any of some motions with the platform held.

    Args:
        at: the state.
        axes: where the axes are found.
        names: of the axes that are checked.
        null: motions, one column each over the rates of the hub's links, then of each leg's,
            natural units.
        length: natural length [m].
    """
    topology = at.topology
    scales = rate_scales(topology, length)
    starts = np.cumsum([0, *(tree.rates for tree in topology.trees)])
    found = []
    for name in names:
        rows = axis_rows(at, axes[name])
        start = int(starts[axes[name].tree + 1])
        for on_tree, z in zip(rows.tree, rows.z, strict=True):
            row = np.zeros(len(null))
            row[: topology.hub.rates] = z[6:]
            row[start : start + len(on_tree)] += on_tree
            unit = length if axes[name].what in (SLIDE, PLANE) else 1.0
            if np.abs((row * scales / unit) @ null).max(initial=0.0) > _MOVES:
                found.append(name)
                break
    return tuple(found)


def find_locks(
    robot: Robot,
    at: Equations,
    leg_nullity: Sequence[int],
    all_rows: np.ndarray,
    nullity: int,
    length: float,
) -> tuple[Locks, tuple[IdleFreedom, ...]]:
    """Locks of every idle freedom, after those of joints that are held.

    Args:
        robot: the description.
        at: a generic assembled state, with no locks but those of joints that are held.
        leg_nullity: idle freedoms of each leg by itself.
        all_rows: the joint columns of all closure rows, per rate.
        nullity: idle freedoms in all.
        length: natural unit of lengths [m].
    """
    units, start = row_scales(at, length), at.hub_block.E.shape[0]
    left = nullity - sum(leg_nullity)
    dragging = dragging_joints(robot, at.topology, left > 0)
    rows = hinge_rows(robot, length) if nullity else []
    held = [
        (joint.name, axis)
        for joint in robot.joints
        if joint.idle == LOCKED
        for axis in range(len(joint.axis_names))
    ]
    legs: list[tuple[Lock, ...]] = []
    freedoms: list[IdleFreedom] = []
    for leg, poses, block, k in zip(
        at.topology.legs, at.leg_poses, at.leg_blocks, leg_nullity, strict=True
    ):
        own = units[start : start + block.E.shape[0], None]
        start += block.E.shape[0]
        null = null_basis(block.E / own, k)
        kept = at.locks.legs[len(legs)]
        legs.append((*kept, *choose_locks(robot, at, len(legs), null, dragging, rows, held)))
        freedoms += describe(leg.name, leg.tree, poses, null, length, rows)
    hub = at.locks.hub
    if left > 0:
        hub_rates = at.topology.hub.rates
        everything = np.linalg.svd(all_rows, full_matrices=True)[2][-nullity:]
        onto_hub = np.array([split(at.topology, u).hub for u in everything]).T
        U, _, _ = np.linalg.svd(onto_hub.reshape(hub_rates, -1))
        null = null_basis(U[:, left:].T, left)
        hub = (*hub, *choose_locks(robot, at, -1, null, dragging, rows, held))
        freedoms += describe(HUB, at.topology.hub, at.hub_poses, null, length, rows)
    return Locks(hub, tuple(legs)), tuple(freedoms)
