"""One chain of joints from the base to the platform, its motors locked, in many postures at once.

A pose that the whole machine can have is one that each of its chains can have alone.  Poses are in
the robot's own units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gough.base.spatial import pose
from gough.base.turns import rotations
from gough.mechanism.topology.moves import steps
from gough.modes.groups import Group, rotation_between
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import BALL, KINDS, SCREW, SLIDE

_MOST_CHAINS = 64  # paths through a graph grow exponentially; beyond, modes are searched
_MOST_STEPS = 40  # of Newton's method from a random posture; those that need more are left out
_INSIDE = 1e-13  # distance of a sample from its group, natural units: rounding over a long chain


@dataclass(frozen=True, eq=False)
class Move:
    """A move behind a fixed displacement.

    Attributes:
        before: displacement, 4x4.
        what: turn, slide, screw or ball.
        pitch: advance of a screw.
        motor: index of the motor that holds it; -1 if it moves freely.
    """

    before: np.ndarray
    what: str
    pitch: float
    motor: int

    @property
    def freedoms(self) -> int:
        """How many coordinates are free."""
        return 0 if self.motor >= 0 else (3 if self.what == BALL else 1)


@dataclass(frozen=True, eq=False)
class NonRotatingBody:
    """A body on the way that never turns, like the halves of a nacelle on parallelograms.

    Attributes:
        after: how many moves lie before it.
        behind: rotation from the last of them to the body.
        R: orientation of the body in the base.
    """

    after: int
    behind: np.ndarray
    R: np.ndarray


@dataclass(frozen=True, eq=False)
class Chain:
    """Moves from base to platform.

    Attributes:
        moves: in order.
        last: displacement from the last move to the platform's frame.
        still: bodies that never turn.
        length: the robot's [m].
    """

    moves: tuple[Move, ...]
    last: np.ndarray
    still: tuple[NonRotatingBody, ...]
    length: float

    def sample(
        self, q_a: np.ndarray, group: Group, count: int, rng: np.random.Generator
    ) -> np.ndarray:
        """Random platform poses in the group that the chain can have ``(N, 4, 4)``, N <= count."""
        values = [self._random(move, q_a, count, rng) for move in self.moves]
        for _ in range(_MOST_STEPS):
            _, off, rows = self._outside(values, group)
            if not off.shape[1] or np.abs(off).max(initial=0.0) < _INSIDE:
                break
            step = (np.linalg.pinv(rows, rcond=1e-9) @ off[:, :, None])[:, :, 0]
            longest = np.abs(step).max(axis=1, initial=1e-300)
            # no joint turns by more than 0.8 rad at once: beyond, the tangent is no guide
            step = step * np.minimum(1.0, 0.8 / longest)[:, None]
            values = self._moved(values, step)
        T, off, _ = self._outside(values, group)
        return np.asarray(T[np.abs(off).max(axis=1, initial=0.0) < 10.0 * _INSIDE])

    def _outside(
        self, values: list[np.ndarray], group: Group
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Poses; their distances from the group, of still bodies too; and the Jacobian of these."""
        T, J, frames = self._forward(values)
        misses, rows = [group.miss(T)], [group.rows(T) @ J]
        for body in self.still:
            R = frames[body.after][:, :3, :3] @ body.behind
            misses.append(rotation_between(R, body.R))
            before = sum(move.freedoms for move in self.moves[: body.after])
            turning = J[:, 3:].copy()
            turning[:, :, before:] = 0.0
            rows.append(turning)
        return T, np.concatenate(misses, axis=1), np.concatenate(rows, axis=1)

    def _random(
        self, move: Move, q_a: np.ndarray, count: int, rng: np.random.Generator
    ) -> np.ndarray:
        if move.motor >= 0:
            scale = self.length if move.what == SLIDE else 1.0
            return np.full(count, q_a[move.motor] / scale)
        if move.what == BALL:
            return random_rotations(count, rng)
        reach = 1.0 if move.what == SLIDE else np.pi
        return rng.uniform(-reach, reach, count)

    def _forward(self, values: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Poses, twists by each free coordinate ``(N, 6, k)``, and frames behind the moves."""
        count = len(values[0]) if values else 1
        T = np.broadcast_to(np.eye(4), (count, 4, 4))
        columns, frames = [], [T]
        for move, value in zip(self.moves, values, strict=True):
            T = T @ move.before
            if not move.motor >= 0:
                columns += [(T, axis, move) for axis in ((0, 1, 2) if move.what == BALL else (2,))]
            T = T @ _displacement(move, value)
            frames.append(T)
        T = T @ self.last
        J = np.zeros((count, 6, len(columns)))
        for k, (at, axis, move) in enumerate(columns):
            z = at[:, :3, axis]
            if move.what == SLIDE:
                J[:, :3, k] = z
                continue
            J[:, 3:, k] = z
            J[:, :3, k] = np.cross(z, T[:, :3, 3] - at[:, :3, 3]) + move.pitch * z
        return T, J, frames

    def _moved(self, values: list[np.ndarray], step: np.ndarray) -> list[np.ndarray]:
        found, start = [], 0
        for move, value in zip(self.moves, values, strict=True):
            own = step[:, start : start + move.freedoms]
            start += move.freedoms
            if move.motor >= 0:
                found.append(value)
            elif move.what == BALL:
                found.append(rotations(own) @ value)
            else:
                found.append(value + own[:, 0])
        return found


def chains(
    robot: Robot, length: float, origin: np.ndarray, still: Mapping[str, np.ndarray]
) -> list[Chain]:
    """Chains of joints from the base to the platform; none if there are more than 64.

    Args:
        robot: the machine.
        length: its size [m].
        origin: point of the base from which positions are counted [m].
        still: orientations of bodies that never turn.
    """
    found = []
    for path in _paths(robot):
        found.append(_chain(robot, path, length, origin, still))
        if len(found) > _MOST_CHAINS:
            return []
    return found


def _paths(robot: Robot) -> Iterator[tuple[tuple[Joint, str], ...]]:
    """Joints of every simple path from base to platform, each with the body it starts from."""

    def go(
        body: str, seen: frozenset[str], path: tuple[tuple[Joint, str], ...]
    ) -> Iterator[tuple[tuple[Joint, str], ...]]:
        if body == robot.platform:
            yield path
            return
        for joint in robot.joints:
            if body not in (joint.parent, joint.child):
                continue
            there = joint.child if joint.parent == body else joint.parent
            if there not in seen:
                yield from go(there, seen | {there}, (*path, (joint, body)))

    yield from go(robot.base, frozenset([robot.base]), ())


def _chain(
    robot: Robot,
    path: tuple[tuple[Joint, str], ...],
    length: float,
    origin: np.ndarray,
    still: Mapping[str, np.ndarray],
) -> Chain:
    moves: list[Move] = []
    stops: list[NonRotatingBody] = []
    fixed = np.eye(4)
    fixed[:3, 3] = -origin
    for joint, here in path:
        backwards = joint.parent != here
        near, far = joint.parent_frame.matrix, joint.child_frame.matrix
        if backwards:
            near, far = far, near
        fixed = fixed @ near
        for step in steps(KINDS[joint.kind], backwards=backwards):
            fixed = fixed @ pose(step.before, np.zeros(3))
            name = joint.axis_names[step.axis]
            motor = robot.motors.index(name) if name in robot.motors else -1
            pitch = joint.pitch / length if step.move == SCREW else 0.0
            moves.append(Move(_scaled(fixed, length), step.move, pitch, motor))
            fixed = pose(step.after, np.zeros(3))
        fixed = fixed @ np.linalg.inv(far)
        there = joint.parent if backwards else joint.child
        if there in still and there != robot.platform:
            stops.append(NonRotatingBody(len(moves), fixed[:3, :3].copy(), still[there]))
    last = _scaled(fixed @ robot.platform_frame.matrix, length)
    return Chain(tuple(moves), last, tuple(stops), length)


def _scaled(T: np.ndarray, length: float) -> np.ndarray:
    found = T.copy()
    found[:3, 3] /= length
    return found


def _displacement(move: Move, value: np.ndarray) -> np.ndarray:
    T = np.zeros((len(value), 4, 4))
    T[:] = np.eye(4)
    if move.what == BALL:
        T[:, :3, :3] = value
    elif move.what == SLIDE:
        T[:, 2, 3] = value
    else:
        c, s = np.cos(value), np.sin(value)
        T[:, 0, 0], T[:, 0, 1], T[:, 1, 0], T[:, 1, 1] = c, -s, s, c
        T[:, 2, 3] = move.pitch * value
    return T


def random_rotations(count: int, rng: np.random.Generator) -> np.ndarray:
    """Rotations, evenly spread ``(N, 3, 3)``."""
    return quaternion_rotations(rng.normal(size=(count, 4)))


def quaternion_rotations(x: np.ndarray) -> np.ndarray:
    """Rotations of quaternions of any length, scalar first ``(N, 3, 3)``."""
    w, v = x[:, 0], x[:, 1:]
    size = (x * x).sum(axis=1)
    zero = np.zeros(len(x))
    K = np.stack([zero, -v[:, 2], v[:, 1], v[:, 2], zero, -v[:, 0], -v[:, 1], v[:, 0], zero], -1)
    R = (w * w - (v * v).sum(axis=1))[:, None, None] * np.eye(3)
    R = R + 2.0 * v[:, :, None] * v[:, None, :] + 2.0 * w[:, None, None] * K.reshape(-1, 3, 3)
    return np.asarray(R / size[:, None, None])
