"""A robot taken apart for formats that are trees: joints in the tree, joints that are cut.

A joint of the tree is a row of elementary moves, turns and slides along z and balls, from the body
nearer to the base to the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.robot.formats.home_poses import home_poses
from gough.robot.joint import DRAGS, Axis, Joint
from gough.robot.joint_kinds import BALL, KINDS, PLANE, SCREW, SLIDE, TURN, JointKind
from gough.robot.names import joint_of
from gough.robot.robot import Robot

_ALONG_X = spatial.pose(np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]]), np.zeros(3))  # z becomes x
_ALONG_Y = spatial.pose(np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]), np.zeros(3))
_ALONG = (_ALONG_X, _ALONG_Y, np.eye(4))
_FLIP = np.diag([1.0, -1.0, -1.0, 1.0])

_ADVANCE, _X, _Y = -1, -2, -3  # slides without a coordinate of their own
_WORDS = {_ADVANCE: "advance", _X: "x", _Y: "y"}


def _chain(kind: JointKind) -> tuple[list[tuple[str, int]], list[np.ndarray]]:
    """Moves along z with their axes, from A to B, and the constants before, between and after."""
    moves: list[tuple[str, int]] = []
    constants = [np.eye(4)]
    for move, number, after in kind.chain():
        shared = kind.axes[list(kind.groups)[number]] == PLANE
        constants[-1] = constants[-1] @ _ALONG[move.axis]
        moves.append(
            (TURN if move.what == SCREW else move.what, (_X, _Y)[move.axis] if shared else number)
        )
        constants.append(_ALONG[move.axis].T @ spatial.pose(after, np.zeros(3)))
        if move.what == SCREW:
            moves.append((SLIDE, _ADVANCE))
            constants.append(np.eye(4))
    return moves, constants


class Move(NamedTuple):
    """A turn or a slide along z, or a ball.

    Attributes:
        name: unique among all moves of a robot, fit for any format.
        what: turn, slide or ball.
        T: from the frame after the move before it to the frame that it moves in.
        axis: whose coordinate it is, by our name; empty if it has none of its own.
        figures: friction, rotor, limits and spring of that axis.
    """

    name: str
    what: str
    T: np.ndarray
    axis: str
    figures: Axis


@dataclass(frozen=True)
class Step:
    """A joint of the tree, walked from the body nearer to the base.

    Attributes:
        joint: the joint.
        near, far: bodies.
        moves: in order.
        T_last: from the frame after the last move to the far body.
        reversed: whether it is walked from the joint's child.
    """

    joint: Joint
    near: str
    far: str
    moves: tuple[Move, ...]
    T_last: np.ndarray
    reversed: bool

    @property
    def T(self) -> np.ndarray:
        """Pose of the far body in the near one, all moves at zero."""
        found = np.eye(4)
        for move in self.moves:
            found = found @ move.T
        return np.asarray(found @ self.T_last)


def step_of(joint: Joint, near: str) -> Step:
    """A joint as a row of moves, from one of its bodies to the other."""
    moves, constants = _chain(KINDS[joint.kind])
    constants[0] = joint.parent_frame.matrix @ constants[0]
    constants[-1] = constants[-1] @ np.linalg.inv(joint.child_frame.matrix)
    back = near != joint.parent
    if back:  # a turn by -q about z is a turn by q about the flipped axis
        constants = [np.linalg.inv(T) for T in reversed(constants)]
        moves = moves[::-1]
        for k, (what, _) in enumerate(moves):
            if what != BALL:
                constants[k] = constants[k] @ _FLIP
                constants[k + 1] = _FLIP @ constants[k + 1]
    found = []
    for k, (what, axis) in enumerate(moves):
        name = joint.axis_names[axis] if axis >= 0 else ""
        figures = joint.axes[axis] if axis >= 0 else Axis()
        word = _WORDS.get(axis) or joint.axis_names[axis].partition(".")[2] or "angle"
        plain = joint.name if len(moves) == 1 else f"{joint.name}_{word}"
        found.append(Move(plain, what, constants[k], name, figures))
    far = joint.child if near == joint.parent else joint.parent
    return Step(joint, near, far, tuple(found), constants[-1], back)


def must_stay(robot: Robot) -> set[str]:
    """Joints that something acts in: a motor, friction, a spring, a coupling, a limit."""
    busy = {joint_of(name) for name in robot.motors}
    busy |= {joint_of(name) for coupling in robot.couplings for name in coupling.axes}
    return busy | {j.name for j in robot.joints if any(axis != Axis() for axis in j.axes)}


def taken_apart(
    robot: Robot, cuttable: Collection[str], refuse: Callable[[Joint], None]
) -> tuple[list[Step], list[Joint]]:
    """Steps of a tree from the base outwards, and joints that are cut.

    Args:
        robot: the machine.
        cuttable: kinds of joints that the format can close loops with, those cut first at first.
        refuse: called with a joint that would have to be cut and cannot.
    """
    kinds, stay = list(cuttable), must_stay(robot)

    def rank(joint: Joint) -> float:
        if joint.name in stay or joint.kind not in kinds:
            return 0.0
        # joints of a file's tree drag idle spins along, those that close its loops do not
        return len(kinds) - kinds.index(joint.kind) - 0.5 * (joint.idle == DRAGS)

    group = {name: name for name in (robot.base, *(body.name for body in robot.bodies))}

    def root(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    tree, cut = [], []
    for joint in sorted(robot.joints, key=rank):
        a, b = root(joint.parent), root(joint.child)
        if a == b:
            if rank(joint) == 0:
                refuse(joint)
            cut.append(joint)
        else:
            group[a] = b
            tree.append(joint)
    return _outwards(robot, tree), sorted(cut, key=robot.joints.index)


def _outwards(robot: Robot, tree: list[Joint]) -> list[Step]:
    """Steps in the order of the robot's joints as far as can be, from the base outwards."""
    reached, found = {robot.base}, []
    waiting = sorted(tree, key=robot.joints.index)
    while waiting:
        joint = next(j for j in waiting if {j.parent, j.child} & reached)
        near = joint.parent if joint.parent in reached else joint.child
        found.append(step_of(joint, near))
        reached |= {joint.parent, joint.child}
        waiting.remove(joint)
    return found


def at_home(robot: Robot, steps: Sequence[Step]) -> dict[str, float | np.ndarray]:
    """Where every move stands at home, by its name: a number, or the rotation of a ball."""
    poses, values = home_poses(robot), robot.assembly.home_values
    places: dict[str, float | np.ndarray] = {}
    for step in steps:
        joint = step.joint
        T_A = poses[joint.parent] @ joint.parent_frame.matrix
        T_AB = np.linalg.inv(T_A) @ poses[joint.child] @ joint.child_frame.matrix
        slides = {
            f"{joint.name}_advance": joint.pitch * values.get(joint.name, 0.0),
            f"{joint.name}_x": float(T_AB[0, 3]),
            f"{joint.name}_y": float(T_AB[1, 3]),
        }
        for move in step.moves:
            if move.what == BALL:
                places[move.name] = T_AB[:3, :3].T if step.reversed else T_AB[:3, :3]
            else:
                places[move.name] = values[move.axis] if move.axis else slides[move.name]
    return places


def moved(what: str, value: float | np.ndarray) -> np.ndarray:
    """Pose after a move by a value."""
    if what == BALL:
        return spatial.pose(np.asarray(value), np.zeros(3))
    return KINDS["revolute" if what == TURN else "prismatic"].across(value)
