"""The machine that a description of few digits means: the nearest one whose loops close exactly.

A file with six digits describes axes that are nearly parallel or nearly meet.  An over-constrained
machine of such figures cannot move at all, strictly speaking.  Here the rank of its closure
equations is decided with the precision that the description declares, and the frames of all joints
are moved as little as they can so that the equations beyond that rank hold as well, in several
postures at once.  What is found is exact: nothing after this has to know of a precision.

At a posture, ``A u = D delta + r``: rates u of joints and platform, errors delta of the joints'
frames (a twist each), residuals r.  Rows that no u moves say what delta must do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base.once import known_of, tell_fact
from gough.base.spatial import cayley, moved, pose, skew, twist_scales
from gough.errors import NotAssembled
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import dense, move, row_scales, split
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.closure.rows import far_point, moved_to, near_point, rows
from gough.mechanism.mobility.home import OPEN, coarser, rough_configuration, rough_poses
from gough.mechanism.mobility.newton import CLOSED, NOTHING, Closed, newton
from gough.mechanism.mobility.scales import characteristic_length
from gough.mechanism.mobility.singular import rank
from gough.mechanism.topology.topology import find_topology
from gough.mechanism.topology.tree import Mount, Tree
from gough.robot import Frame, Robot

_POSTURES = 24  # tried at a time, and as many fresh ones to prove what they have shown
_ROUNDS = 5  # of fresh postures: the second proves what the first has shown, of the zoo's robots
_AMPLITUDE = 0.3  # of the postures around home, natural units: errors of axes show by their turns
_STEPS = 8  # in a round; errors are squared by each: from 1e-5, three are enough
_ROUNDING = 3e-14  # residuals of redundant rows, natural units: rounding of a chain of joints
# What is asked of frames is itself off by about as much as the loops are open: singular values
# below _NOISE times that, beside the largest, are nothing that is asked, and would move frames far.
_NOISE = 10.0
_FINEST = 1e-9  # and rounding is always there

_FARTHER = 3.0  # times the precision: frames that were moved farther after a round

State = tuple[np.ndarray, Configuration]


class Ideal(NamedTuple):
    """What was found of a description with a precision.

    Attributes:
        robot: the machine whose loops close exactly.
        open_by: how far redundant loops of the description are open, natural units.
        length: farthest that a joint's frame was moved [m].
        angle: farthest that one was turned [rad].
    """

    robot: Robot
    open_by: float
    length: float
    angle: float

    @property
    def sentence(self) -> str:
        """What was done, for a user."""
        if not self.length and not self.angle:
            return ""
        return (
            f"loops of the description close to {self.open_by:.1g} only: frames of joints were "
            f"moved by up to {self.length:.1g} m and {self.angle:.1g} rad, within the precision "
            "that it declares, so that all loops close exactly"
        )


@known_of(Robot)
def ideal(robot: Robot) -> Ideal:
    """The exact machine that a robot with a precision stands for; found once."""
    return _found(robot)


def _found(robot: Robot) -> Ideal:
    search = _Search(robot)
    known = search.postures()
    if not known:  # open by much more than is declared: assembling it says where
        return Ideal(robot, 0.0, 0.0, 0.0)
    before = search.open_by(known)
    if before > _ROUNDING:
        for _ in range(_ROUNDS):
            converges = search.fit(known)
            if not converges or search.far(robot) > _FARTHER * robot.precision:
                break  # frames do not come back: more postures only take longer to refuse it
            fresh = search.postures()
            if search.open_by(fresh) < CLOSED:
                break
            known = known + fresh
    found = Ideal(search.robot, before, *_largest(robot, search.robot))
    _check(robot, found, search.open_by(known), search.far(robot))
    tell_fact(search.robot, ideal, found)  # nothing is left to be moved
    return found


class _Search:
    """A machine whose frames are moved until its loops close."""

    def __init__(self, robot: Robot) -> None:
        self.robot, self.least = robot, robot.precision
        poses = rough_poses(robot)
        self.length = characteristic_length(robot, poses)
        self.topology = find_topology(robot)
        rough = poses[robot.platform] @ robot.platform_frame.matrix
        self.home = rough, rough_configuration(robot, self.topology, poses)
        self.rng = np.random.default_rng(1965)

    def postures(self) -> list[State]:
        """Home, and postures around it that close as well as the description allows."""
        self.home, error = self.closed(self.home)
        if error > OPEN * self.least:
            return []
        system = dense(self.equations(self.home), self.length)
        _, s, Vt = np.linalg.svd(system.rows)
        null = Vt[rank(s, self.least) :].T
        found = [self.home]
        for _ in range(_POSTURES if null.shape[1] else 0):
            step = null @ self.rng.normal(size=null.shape[1])
            step = step * (_AMPLITUDE / np.abs(step).max())
            n_u = len(step) - 6
            joints = split(self.topology, step[:n_u] * system.u_scale)
            T_0p = moved(self.home[0], step[n_u:] * system.V_scale)
            there, error = self.closed((T_0p, move(self.topology, self.home[1], joints)))
            if error < OPEN * self.least:
                found.append(there)
        return found

    def far(self, before: Robot) -> float:
        """Farthest that a frame was moved, as a share of the size, or turned [rad]."""
        length, angle = _largest(before, self.robot)
        return max(length / self.length, angle)

    def equations(self, state: State) -> Equations:
        """Closure equations of a posture."""
        return Equations(self.topology, described_locks(self.topology), *state)

    def closed(self, state: State) -> tuple[State, float]:
        """A posture closed as well as it can be, and what stays open, natural units."""
        start = Closed(*state)
        y, joints, error = newton(
            self.topology, self.length, NOTHING, start, trust=False, least=self.least
        )
        return (y, joints), error

    def open_by(self, samples: Sequence[State]) -> float:
        """What redundant rows miss, natural units."""
        missing = (self._beyond(self.equations(state))[1] for state in samples)
        return max((float(np.abs(each).max(initial=0.0)) for each in missing), default=0.0)

    def _beyond(self, at: Equations) -> tuple[np.ndarray, np.ndarray]:
        """Combinations of rows that no joint moves, and what they miss, natural units."""
        system = dense(at, self.length)
        U, s, _ = np.linalg.svd(system.rows)
        beyond = U[:, rank(s, self.least) :].T
        return beyond, beyond @ system.r

    def demands(self, samples: Sequence[State]) -> tuple[np.ndarray, np.ndarray]:
        """What the errors of all frames must do, natural units: rows over them, right sides."""
        units = np.tile(twist_scales(self.length), 2 * len(self.robot.joints))
        asked, missing = [np.zeros((0, len(units)))], [np.zeros(0)]
        for state in samples:
            at = self.equations(state)
            beyond, misses = self._beyond(at)
            D = _by_errors(self.robot, at) / row_scales(at, self.length)[:, None]
            asked.append(beyond @ (D * units))
            missing.append(misses)
        return np.vstack(asked), np.concatenate(missing)

    def fit(self, samples: list[State]) -> bool:
        """Move the frames until the loops close in some postures, which move along.

        Returns:
            Whether they do, or come nearer: errors that four steps have not halved stay.
        """
        first = np.inf
        for step in range(_STEPS):
            asked, missing = self.demands(samples)
            open_by = float(np.abs(missing).max(initial=0.0))
            if open_by < _ROUNDING:
                return True
            first = open_by if step == 0 else first
            if step >= _STEPS // 2 and open_by > 0.5 * first and open_by > CLOSED:
                return False
            weak = max(_FINEST, _NOISE * open_by)
            delta = np.linalg.lstsq(asked, missing, rcond=weak)[0].reshape(-1, 2, 6)
            self.robot = _moved(self.robot, delta * twist_scales(self.length))
            self.topology = find_topology(self.robot)
            samples[:] = [self.closed(sample)[0] for sample in samples]
        return True


def _by_errors(robot: Robot, at: Equations) -> np.ndarray:
    """Closure rows per error of every frame: of each joint on its parent, then on its child.

    An error is a twist of a frame against its body, in axes of the frame.
    """
    columns = {joint.name: 12 * k for k, joint in enumerate(robot.joints)}
    frames = {joint.name: at.frames(joint) for joint in robot.joints}
    blocks = []
    groups = zip(at.topology.trees, at.closed, at.topology.couplings, at.locks.trees, strict=True)
    for tree, closed, coupled, locks in groups:
        for c, m in closed:
            near, far = frames[c.joint.name] if c.near_is_parent else frames[c.joint.name][::-1]
            far_tree = at.topology.hub if c.far_on_hub else tree
            found = np.zeros((len(m.kind.rows), 12 * len(columns)))
            ends = (
                (near, c.near, tree, near_point(m), 1.0, not c.near_is_parent),
                (far, c.far, far_tree, far_point(m), -1.0, c.near_is_parent),
            )
            for end, mount, own, point, sign, on_child in ends:
                moving = [(c.joint.name, on_child, 1.0), *_carrying(own, mount, c.joint.name)]
                for name, of_child, share in moving:
                    v, w = _unit_errors(frames[name][of_child], end, near)
                    first = columns[name] + 6 * of_child
                    moves = np.array(rows(m, moved_to(point, v, w), w))
                    found[:, first : first + 6] += share * sign * moves
            blocks.append(found)
        blocks.append(np.zeros((len(coupled) + len(locks), 12 * len(columns))))
    return np.vstack(blocks)


def _carrying(tree: Tree, mount: Mount, closing: str) -> Iterator[tuple[str, bool, float]]:
    """Joints whose errors move a frame on a tree: on their child or not, along (1) or back (-1).

    Behind a joint everything moves with its near frame, and against its far frame.
    """
    seen = {closing}
    for index in tree.path(mount.link):
        link = tree.links[index]
        if link.joint and link.joint not in seen:
            seen.add(link.joint)
            for on_child in (False, True):
                yield link.joint, on_child, 1.0 if on_child == link.transposed else -1.0


def _unit_errors(frame: Pose, end: Pose, near: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of a frame's origin and angular velocity, near axes, for six unit twists of another.

    The twists are in axes of ``frame``, at its origin; one a column.
    """
    none = np.zeros((3, 3))
    v = np.hstack([frame.R, -skew(end.p - frame.p) @ frame.R])
    return near.R.T @ v, near.R.T @ np.hstack([none, frame.R])


def _moved(robot: Robot, delta: np.ndarray) -> Robot:
    """The robot with every frame displaced by a small twist, in axes of the frame."""
    joints = []
    for joint, (on_parent, on_child) in zip(robot.joints, delta, strict=True):
        joints.append(
            replace(
                joint,
                parent_frame=_displaced(joint.parent_frame, on_parent),
                child_frame=_displaced(joint.child_frame, on_child),
            )
        )
    return replace(robot, joints=tuple(joints))


def _displaced(frame: Frame, twist: np.ndarray) -> Frame:
    return Frame.from_matrix(frame.matrix @ pose(np.asarray(cayley(twist[3:])), twist[:3]))


def _largest(before: Robot, after: Robot) -> tuple[float, float]:
    """How far frames were moved, at most [m], and turned [rad]."""
    length, angle = 0.0, 0.0
    for old, new in zip(before.joints, after.joints, strict=True):
        for a, b in ((old.parent_frame, new.parent_frame), (old.child_frame, new.child_frame)):
            length = max(length, float(np.linalg.norm(np.subtract(a.position, b.position))))
            turned = np.subtract(a.rotation, b.rotation)  # |R - R'| is the sine of a small angle
            angle = max(angle, float(np.linalg.norm(turned)) / np.sqrt(2.0))
    return length, angle


def _check(robot: Robot, found: Ideal, open_by: float, far: float) -> None:
    """Refuse what does not close, or closes only with frames moved farther than is declared."""
    if open_by > CLOSED or far > robot.precision:
        needed = coarser(max(far, robot.precision))
        advice = f"Declare a coarser precision, {needed:g}, if the figures are that coarse; or a"
        raise NotAssembled(
            f"{robot.name}: redundant loops are open by {found.open_by:.2g} of the machine's size; "
            f"frames of joints moved by {found.length:.2g} m and turned by {found.angle:.2g} rad "
            f"leave {open_by:.2g}, and the precision allows {robot.precision:g}",
            hint=f"{advice if needed else 'A'} joint is wrong: gough.doctor names the loop that "
            "does not close.",
            gap=found.length,
            angle=found.angle,
            needed=needed,
        )
