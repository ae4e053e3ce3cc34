"""Loops of a machine as cycles of elementary moves, and what is carried along them.

A loop is ``fixed move fixed move ... fixed``, from the base through a leg, a closing joint and the
hub to the platform, and back to the base by the pose; or round inside a leg or the hub.  Legs that
keep a link from turning give one loop more: base, three slides, link.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, collect
from gough.geometry.closed_form.machine import Machine
from gough.mechanism.closure.axes import HUB
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.recursion import Pose, relative_poses, root_poses
from gough.mechanism.closure.rows import LoopJoint
from gough.mechanism.topology.moves import Step, steps
from gough.mechanism.topology.topology import Closing
from gough.mechanism.topology.tree import Mount, Tree
from gough.robot.joint_kinds import BALL, FREE, KINDS, SLIDE, TURN

Key = tuple[str, int, int]
"""Whose coordinate a stage has: ("link", tree, link), or ("closing", loop, number).

("row", tree, link) is the ball in the place of three hinges, of which the link is the first.
"""

Values = Mapping[Key, Array]
"""Coordinates that are known."""

POINT, DIRECTION, PLANE = "point", "direction", "plane"


@dataclass(frozen=True, eq=False)
class Stage:
    """A fixed displacement followed by a move.

    Attributes:
        R, p: the fixed displacement.
        move: turn, slide, screw or ball.
        pitch: of a screw [m/rad].
        backwards: the move is gone through from child to parent.
        key: whose coordinate it has.
    """

    R: np.ndarray
    p: np.ndarray
    move: str
    pitch: float
    backwards: bool
    key: Key


@dataclass(frozen=True, eq=False)
class Loop:
    """A cycle of stages; ``end`` is the displacement behind the last one.

    Attributes:
        name: what it goes through, for people.
        stages: in order, from the base (or from the link on which an inner loop begins).
        end: fixed displacement that follows.
        by_pose: it ends in the platform frame, and the platform pose leads back to the base.
        closed: coordinates of its closing moves in every sample of the assembly.
    """

    name: str
    stages: tuple[Stage, ...]
    end: Pose
    by_pose: bool
    closed: tuple[Mapping[Key, np.ndarray], ...]


class Carried(NamedTuple):
    """A point, a direction, or a plane ``v . x = h``, in some frame."""

    kind: str
    v: Array
    h: Array


def displaced(R: Array, p: Array, f: Carried) -> Carried:
    """A feature seen from the frame in which its own frame stands at (R, p)."""
    v = R @ f.v
    if f.kind == POINT:
        return Carried(POINT, v + p, f.h)
    return Carried(f.kind, v, f.h + v @ p if f.kind == PLANE else f.h)


def undisplaced(R: Array, p: Array, f: Carried) -> Carried:
    """The inverse of :func:`displaced`."""
    if f.kind == POINT:
        return Carried(POINT, R.T @ (f.v - p), f.h)
    return Carried(f.kind, R.T @ f.v, f.h - f.v @ p if f.kind == PLANE else f.h)


def moved(stage: Stage, at: Array, f: Carried, *, undo: bool = False) -> Carried:
    """A feature behind a move, seen from before it (or, undone, the other way round).

    A direction passes a slide that is not known.
    """
    if stage.move == SLIDE and f.kind == DIRECTION:
        return f
    back = stage.backwards != undo
    if stage.move == BALL:
        return f._replace(v=(at.T if back else at) @ f.v)
    if stage.move == SLIDE:
        return _slid(f, -at[0] if back else at[0])
    c, s = (at[0], at[1]) if stage.move == TURN else (np.cos(at[0]), np.sin(at[0]))
    s = -s if back else s
    x, y, z = f.v[0], f.v[1], f.v[2]
    turned = f._replace(v=collect([c * x - s * y, s * x + c * y, z]))
    if stage.move == TURN:
        return turned
    return _slid(turned, (-at[0] if back else at[0]) * stage.pitch)


def _slid(f: Carried, by: Array) -> Carried:
    if f.kind == POINT:
        return f._replace(v=collect([f.v[0], f.v[1], f.v[2] + by]))
    return f._replace(h=f.h + f.v[2] * by) if f.kind == PLANE else f


def rightwards(
    loop: Loop, values: Values, T_0p: Array, behind: int, before: int, f: Carried
) -> Carried:
    """Carry a feature from the frame behind one stage on to the frame before another.

    Only fixed displacements and moves that are known lie between; for a direction, any slides.
    """
    i = behind
    while True:
        i += 1
        if i == len(loop.stages):
            f = undisplaced(loop.end.R, loop.end.p, f)
            if loop.by_pose:
                f = displaced(T_0p[:3, :3], T_0p[:3, 3], f)
            i = 0
        stage = loop.stages[i]
        f = undisplaced(stage.R, stage.p, f)
        if i == before:
            return f
        f = moved(stage, values.get(stage.key), f, undo=True)


def leftwards(
    loop: Loop, values: Values, T_0p: Array, before: int, behind: int, f: Carried
) -> Carried:
    """Carry a feature from the frame before one stage back to the frame behind another."""
    i = before
    while True:
        stage = loop.stages[i]
        f = displaced(stage.R, stage.p, f)
        i -= 1
        if i < 0:
            if loop.by_pose:
                f = undisplaced(T_0p[:3, :3], T_0p[:3, 3], f)
            f = displaced(loop.end.R, loop.end.p, f)
            i = len(loop.stages) - 1
        if i == behind:
            return f
        stage = loop.stages[i]
        f = moved(stage, values.get(stage.key), f)


def clean(figures: np.ndarray) -> np.ndarray:
    """Figures read off a sample, freed of their rounding."""
    whole = np.round(figures)
    return np.where(np.abs(figures - whole) < 1e-13, whole, figures)


def find_loops(assembly: Machine) -> tuple[Loop, ...]:
    """All loops that closing joints make, then those of links that never turn."""
    topology = assembly.topology
    samples = [assembly.equations(*sample) for sample in assembly.samples]
    found: list[Loop] = []
    for index, leg in enumerate(topology.legs):
        for c, closing in enumerate(leg.closings):
            far = (HUB, topology.hub) if closing.far_on_hub else (index, leg.tree)
            joints = [at.loop_joints[index][c] for at in samples]
            found.append(_loop(len(found), (index, leg.tree), closing, far, joints))
    for c, closing in enumerate(topology.hub_closings):
        hub = (HUB, topology.hub)
        joints = [at.hub_loop_joints[c] for at in samples]
        found.append(_loop(len(found), hub, closing, hub, joints))
    return (*found, *_steady(assembly, len(found)))


def _loop(
    number: int,
    near: tuple[int, Tree],
    closing: Closing,
    far: tuple[int, Tree],
    joints: Sequence[LoopJoint],
) -> Loop:
    name = f"joint {closing.joint.name!r}"
    between = steps(KINDS[closing.joint.kind], backwards=not closing.near_is_parent)
    there = _path(near[1], closing.near)
    back = _path(far[1], closing.far)
    if near[0] == far[0]:  # an inner loop begins where its two branches part
        while there and back and there[0] == back[0]:
            there, back = there[1:], back[1:]
    chain = _Chain(number)
    for link in there:
        chain.link(near, link)
    chain.fix(closing.near.R, closing.near.p)
    chain.joint(between, closing.joint.pitch)
    chain.fix(*_inverse(closing.far.R, closing.far.p))
    for link in reversed(back):
        chain.link(far, link, backwards=True)
    closed = [_moves(closing, joint) for joint in joints]
    return chain.loop(name, far[0] != near[0], closed)


def _moves(closing: Closing, m: LoopJoint) -> list[np.ndarray]:
    """Coordinates of the moves of a closing joint, from its near to its far frame."""
    if closing.near_is_parent:
        return m.kind.coordinates(m.R, m.p, m.pitch)
    found = m.kind.coordinates(m.R.T, -m.R.T @ m.p, m.pitch)
    return [at.T if at.shape == (3, 3) else at for at in reversed(found)]


def _path(tree: Tree, mount: Mount) -> tuple[int, ...]:
    return tree.path(mount.link)[::-1]


class _Chain:
    """Collects stages; what is fixed in between is multiplied out."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.stages: list[Stage] = []
        self.end = Pose(np.eye(3), np.zeros(3))

    def fix(self, R: np.ndarray, p: np.ndarray) -> None:
        self.end = Pose(spatial.snap(self.end.R @ R), spatial.snap(self.end.p + self.end.R @ p))

    def add(self, move: str, pitch: float, backwards: bool, key: Key) -> None:
        self.stages.append(Stage(*self.end, move, pitch, backwards, key))
        self.end = Pose(np.eye(3), np.zeros(3))

    def loop(self, name: str, by_pose: bool, closed: Sequence[Sequence[np.ndarray]]) -> Loop:
        keys = [stage.key for stage in self.stages if stage.key[0] == "closing"]
        values = tuple(dict(zip(keys, moves, strict=True)) for moves in closed)
        return Loop(name, tuple(self.stages), self.end, by_pose, values)

    def link(self, tree: tuple[int, Tree], index: int, *, backwards: bool = False) -> None:
        link = tree[1].links[index]
        key: Key = ("link", tree[0], index)
        if not backwards:
            self.fix(link.R, link.p)
        self.add(link.move, link.pitch, backwards, key)
        if backwards:
            self.fix(*_inverse(link.R, link.p))

    def joint(self, moves: Iterable[Step], pitch: float) -> None:
        for step in moves:
            self.fix(step.before, np.zeros(3))
            self.add(step.move, pitch, False, ("closing", self.number, len(self.stages)))
            self.fix(step.after, np.zeros(3))


def _inverse(R: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return R.T, -R.T @ p


def _steady(assembly: Machine, number: int) -> list[Loop]:
    """Loops of links that hang on turning ones and yet keep their orientation in the base.

    A Delta's travelling plate below a tool that turns, the halves of a nacelle: the legs hold
    them level.  It is read off the samples, and no formula rests on it that they do not confirm.
    """
    topology = assembly.topology
    trees = [(HUB, topology.hub), *((i, leg.tree) for i, leg in enumerate(topology.legs))]
    found: list[Loop] = []
    for index, tree in trees:
        samples = [_placed(index, tree, *sample) for sample in assembly.samples]
        for link in range(len(tree.links)):
            poses = [placed[link] for placed in samples]
            still = all(tree.links[i].move == SLIDE for i in tree.path(link))
            if not still and len(poses) > 1 and _is_steady(poses):
                found.append(_level(number + len(found), (index, tree), link, poses))
    return found


def _level(number: int, tree: tuple[int, Tree], link: int, poses: Sequence[Pose]) -> Loop:
    """The loop base, three slides, link; on the hub it goes on to the platform."""
    chain = _Chain(number)
    on_hub, R = tree[0] == HUB, clean(poses[0].R)
    if on_hub:
        chain.joint(steps(FREE)[:3], 0.0)
        chain.fix(R, np.zeros(3))
        for i in tree[1].path(link):
            chain.link(tree, i, backwards=True)
    else:
        for i in reversed(tree[1].path(link)):
            chain.link(tree, i)
        chain.fix(R.T, np.zeros(3))
        chain.joint(steps(FREE)[:3], 0.0)
    sign = 1.0 if on_hub else -1.0
    closed = [[sign * pose.p[:1], sign * pose.p[1:2], sign * pose.p[2:]] for pose in poses]
    return chain.loop(f"level link of joint {tree[1].links[link].joint!r}", on_hub, closed)


def _is_steady(poses: Sequence[Pose]) -> bool:
    # samples are closed to 1e-15; the bound leaves room for a badly conditioned leg
    return max(float(np.abs(pose.R - poses[0].R).max()) for pose in poses) < 1e-11


def _placed(index: int, tree: Tree, T_0p: np.ndarray, configuration: Configuration) -> list[Pose]:
    if index == HUB:
        at, root = configuration.hub, Pose(T_0p[:3, :3], T_0p[:3, 3])
    else:
        at, root = configuration.legs[index], Pose(np.eye(3), np.zeros(3))
    return root_poses(tree, relative_poses(tree, at), root)
