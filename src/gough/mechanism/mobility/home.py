"""Home: from the rough posture of a description to an assembled one."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.errors import NotAssembled
from gough.mechanism.closure.coordinates import Configuration, neutral
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.dense import natural_gaps
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.gaps import Gap, gap_of, gaps
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.closure.recursion import relative_poses
from gough.mechanism.closure.rows import LoopJoint, is_flipped
from gough.mechanism.mobility.newton import CLOSED, NOTHING, Closed, newton
from gough.mechanism.mobility.scales import characteristic_length
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.topology import Topology, find_topology
from gough.mechanism.topology.tree import HERE, ROOT, Tree, grow
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import FREE, KINDS
from gough.robot.robot import COARSEST

# A joint that is open by less than a hundredth of the drawing is meant to fit: figures typed with
# three digits miss by a thousandth, a joint that is not drawn in place by much more.  Up to a tenth
# the drawing is still meant, if the loops close from there: joints of a machine that was measured
# sit some mm elsewhere.  Frames on links, which are not drawn in the base, miss by whole links.
# Beyond, a drawing that fits better than coordinates of zero is only spoken of.
_DRAWN, _NEARLY_DRAWN, _PERHAPS_DRAWN = 1e-2, 1e-1, 0.5

# Closing joints that are open by a little moves a machine of condition 100 by up to 8 times that
# (of 150 drawn at random), and one that jumps to another assembly mode by its own size.  What moves
# by less than a hundredth of the machine is where it was described, for whoever looks at it.
_FARTHER, _NEARBY = 10.0, 1e-2

# Loops of a description with a precision that stay open by more, times that, do not close.
OPEN = 100.0


class HomeShift(NamedTuple):
    """How far home is from the posture that a description has of it.

    Attributes:
        gap: the joint that is open widest in that posture.
        open_by: how far it is open, natural units.
        joint: the joint that moved farthest until the loops closed.
        moved: how far it did, natural units.
        posture: what that posture is called.
        is_start: whether home was closed from there.
    """

    gap: Gap
    open_by: float
    joint: str
    moved: float
    posture: str = ""
    is_start: bool = True

    @property
    def is_far(self) -> bool:
        """Whether joints moved much farther than they were open."""
        return self.moved > max((_FARTHER if self.is_start else 1.0) * self.open_by, _NEARBY)


def rough_poses(robot: Robot) -> dict[str, np.ndarray]:
    """Pose of every body as the description has it: given, or worked out from joint values.

    Without any home, a machine that is drawn in base coordinates is taken as drawn.
    """
    if _stands_as_drawn(robot):
        return _drawn_poses(robot)
    placed = {robot.base: np.eye(4)}
    placed |= {name: frame.matrix for name, frame in robot.home.bodies.items()}
    pending = list(robot.joints)
    while len(placed) <= len(robot.bodies):
        joint = next(j for j in pending if (j.parent in placed) != (j.child in placed))
        pending.remove(joint)
        here, there = joint.parent, joint.child
        if here not in placed:
            here, there = there, here
        placed[there] = placed[here] @ _step_across(joint, robot, here)
    return placed


def _drawn_poses(robot: Robot) -> dict[str, np.ndarray]:
    """Poses of bodies that are drawn in base coordinates: every frame coincides with the base."""
    return {name: np.eye(4) for name in (robot.base, *(b.name for b in robot.bodies))}


def _stands_as_drawn(robot: Robot) -> bool:
    """Whether no home is given, and the machine is drawn in base coordinates.

    Then all joints nearly fit where every body frame coincides with the base; or they are open by
    some more, and the loops close from there: a closure near the drawing is meant.
    """
    if _has_home(robot):
        return False
    poses, size = _drawn_poses(robot), _drawn_extent(robot)
    worst = _widest(robot, poses, size)
    if worst > _NEARLY_DRAWN or any(is_flipped(_between(j, poses)) for j in robot.joints):
        return False
    return worst < _DRAWN or _closes_from(robot, poses)


def _closes_from(robot: Robot, poses: dict[str, np.ndarray]) -> bool:
    """Whether the loops close from rough poses of the bodies, to the precision of the figures."""
    topology, length = find_topology(robot), characteristic_length(robot, poses)
    found = _nearest_closure(robot, topology, length, poses, robot.precision)
    open_by = max(CLOSED, OPEN * robot.precision)
    return found.error <= open_by and not _flipped_joints(topology, found)


def _nearest_closure(
    robot: Robot,
    topology: Topology,
    length: float,
    poses: dict[str, np.ndarray],
    precision: float = 0.0,
) -> Closed:
    """Loops closed from rough poses, as near to them as Newton's steps lead.

    While the loops of an over-constrained machine are open, rows that say nothing new at a closure
    seem to: their singular values are about as small as the loops are open, and steps that obey
    them lead far away.  So where loops close far away only, or not at all, they are closed again
    with what is that small left out; the nearer closure wins.
    """
    start = _rough_state(robot, topology, poses)

    def close_above(least: float) -> tuple[Closed, float]:
        """A closure, and how far away it is if it is not near; infinitely if it is none."""
        found = newton(topology, length, NOTHING, start, trust=False, least=least or None)
        if found.error > max(CLOSED, OPEN * precision) or _flipped_joints(topology, found):
            return found, np.inf
        shift = _shift_between(robot, poses, _equations(topology, found), length)
        return found, shift.moved if shift.is_far else 0.0

    found, far = close_above(precision)
    open_by = float(np.abs(natural_gaps(_equations(topology, start), length)).max(initial=0.0))
    if far and precision < open_by < _NEARLY_DRAWN:
        nearer, moved = close_above(open_by)
        found = nearer if moved < far else found
    return found


def _rough_state(robot: Robot, topology: Topology, poses: dict[str, np.ndarray]) -> Closed:
    """Platform and joints, read off the poses of the bodies."""
    T_0p = poses[robot.platform] @ robot.platform_frame.matrix
    return Closed(T_0p, rough_configuration(robot, topology, poses))


def _equations(topology: Topology, at: Closed) -> Equations:
    """Closure equations of a state, idle freedoms left free."""
    return Equations(topology, described_locks(topology), at.y, at.configuration)


def _flipped_joints(topology: Topology, at: Closed) -> list[str]:
    """Joints that are closed with their axes opposed."""
    pairs = (pair for closed in _equations(topology, at).closed for pair in closed)
    return [closing.joint.name for closing, m in pairs if is_flipped(m)]


def home_shift(robot: Robot, home: Equations, length: float) -> HomeShift:
    """How far home is from the posture that the description has of it.

    Args:
        robot: the description.
        home: closure equations at home.
        length: size of the robot [m].
    """
    poses = rough_poses(robot)
    if _has_home(robot):
        return _shift_between(robot, poses, home, length)._replace(posture="as given")
    drawn, is_start = _drawn_poses(robot), _stands_as_drawn(robot)
    fits = min(_widest(robot, poses, length), _PERHAPS_DRAWN)
    # also where home was closed from coordinates of zero, and the drawing fits better than they do
    if is_start or _widest(robot, drawn, length) < fits:
        found = _shift_between(robot, drawn, home, length)
        return found._replace(posture="as drawn", is_start=is_start)
    found = _shift_between(robot, poses, home, length)
    return found._replace(posture="with all coordinates zero")


def _shift_between(
    robot: Robot, poses: dict[str, np.ndarray], closed: Equations, length: float
) -> HomeShift:
    """How far a closed state is from rough poses of the bodies."""
    there = {name: spatial.pose(T.R, T.p) for name, T in closed.body_poses.items()}
    moved = {}
    for joint in robot.joints:
        ends = ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame))
        shifts = [
            ((there[body] - poses[body]) @ frame.matrix)[:3, 3]
            for body, frame in ends
            if body != robot.base
        ]
        moved[joint.name] = max(float(np.linalg.norm(shift)) for shift in shifts) / length
    farthest = max(moved, key=lambda name: moved[name])
    gap = max(_open_joints(robot, poses), key=lambda gap: gap.size(length))
    return HomeShift(gap, gap.size(length), farthest, moved[farthest])


def _widest(robot: Robot, poses: dict[str, np.ndarray], length: float) -> float:
    """The widest opening of a joint, natural units."""
    return max(gap.size(length) for gap in _open_joints(robot, poses))


def _drawn_extent(robot: Robot) -> float:
    """Largest distance from the first joint [m]: of joints, platform and centres of mass."""
    points = [joint.parent_frame.position for joint in robot.joints]
    points += [robot.platform_frame.position, *(body.center for body in robot.bodies)]
    return float(np.linalg.norm(np.array(points) - points[0], axis=1).max()) or 1.0


def _open_joints(robot: Robot, poses: dict[str, np.ndarray]) -> list[Gap]:
    """How far every joint is open, bodies being where poses say."""
    return [gap_of("", joint.name, _between(joint, poses)) for joint in robot.joints]


def _between(joint: Joint, poses: dict[str, np.ndarray]) -> LoopJoint:
    """Pose of a joint's frames in each other, bodies being where poses say."""
    T_A = poses[joint.parent] @ joint.parent_frame.matrix
    T = np.linalg.inv(T_A) @ poses[joint.child] @ joint.child_frame.matrix
    return LoopJoint(KINDS[joint.kind], joint.pitch, True, T[:3, :3], T[:3, 3])


def _has_home(robot: Robot) -> bool:
    """Whether a posture is given; where locked joints are held is none."""
    return bool(robot.home.bodies) or any(n in robot.axis_names for n in robot.home.joints)


def _open_as_drawn(robot: Robot) -> Gap | None:
    """The widest open joint of a machine that is drawn in base coordinates but for a few joints."""
    if _has_home(robot):
        return None
    found, size = _open_joints(robot, _drawn_poses(robot)), _drawn_extent(robot)
    whole = [gap for gap in found if gap.size(size) < _DRAWN]
    # most joints fit: the drawing is meant in base coordinates
    return max(found, key=lambda gap: gap.size(size)) if 2 * len(whole) > len(found) else None


def _loop(topology: Topology, joint: str) -> list[str]:
    """Joints of the leg that a joint belongs to."""
    for leg in topology.legs:
        names = [link.joint for link in leg.tree.links] + [c.joint.name for c in leg.closings]
        if joint in names:
            return list(dict.fromkeys(names))
    return [joint]


def _step_across(joint: Joint, robot: Robot, here: str) -> np.ndarray:
    """Pose of a joint's other body, from the joint values of home."""
    there = joint.child if joint.parent == here else joint.parent
    tree, _ = grow(here, HERE, [there], [joint], ())
    values = {n: robot.home.joints.get(n, 0.0) for n in joint.axis_names}
    coordinates = []
    for link in tree.links:
        at = neutral(link)
        q = values[joint.axis_names[link.axis]]
        if link.move == "turn":
            at = np.array([np.cos(q), np.sin(q)])
        elif link.move in ("slide", "screw") and joint.kind != "planar_contact":
            at = np.array([q])
        coordinates.append(at)
    T = np.eye(4)
    for R, p in relative_poses(tree, coordinates):
        T = T @ spatial.pose(R, p)
    on = tree.bodies[there]
    return np.asarray(T @ spatial.pose(on.R, on.p))


def rough_configuration(
    robot: Robot, topology: Topology, poses: dict[str, np.ndarray]
) -> Configuration:
    """Coordinates of every link, read off the poses of the bodies."""
    return Configuration.of(_read(robot, tree, poses) for tree in topology.trees)


def _read(robot: Robot, tree: Tree, poses: dict[str, np.ndarray]) -> list[np.ndarray]:
    coordinates: list[np.ndarray] = []
    for k, link in enumerate(tree.links):
        if k and link.joint and link.joint == tree.links[k - 1].joint:
            continue
        if not link.joint:
            if link.parent == ROOT:  # a free body: its pose seen from the platform
                name = next(n for n, m in tree.bodies.items() if m.link == k + 3)
                T = np.linalg.inv(poses[robot.platform]) @ poses[name]
                coordinates += FREE.coordinates(T[:3, :3], T[:3, 3])
            continue
        joint = robot.joint(link.joint)
        m = _between(joint, poses)
        found = m.kind.coordinates(m.R, m.p, m.pitch)
        if link.transposed:
            found = [at.T if at.ndim == 2 else at for at in reversed(found)]
        coordinates += found
    return coordinates


def close(
    topology: Topology,
    T_0p: np.ndarray,
    configuration: Configuration,
    length: float,
    locks: Locks | None = None,
    enough: float = 0.0,
) -> tuple[np.ndarray, Configuration, float]:
    """The nearest assembled posture: platform and joints move as little as they can.

    What is open by less than ``enough``, natural units, is not closed any further.

    Returns:
        Platform pose, configuration, and the residual left in natural units.
    """
    start = Closed(T_0p, configuration)
    return newton(topology, length, NOTHING, start, trust=False, locks=locks, enough=enough)


def close_home(
    robot: Robot, topology: Topology, length: float, poses: dict[str, np.ndarray]
) -> tuple[np.ndarray, Configuration]:
    """Assembled home of a robot, or the reason why there is none."""
    found = _nearest_closure(robot, topology, length, poses)
    flipped, error = _flipped_joints(topology, found), found.error
    if error <= CLOSED and not flipped:
        return found.y, found.configuration
    before = _equations(topology, _rough_state(robot, topology, poses))
    worst = max(gaps(before), key=lambda gap: gap.size(length))
    joint, what = worst.joint, f"joint {worst.joint!r} is open by {worst}, too far to be closed"
    drawn = _open_as_drawn(robot)
    if drawn is not None:
        joint, what = drawn.joint, f"as drawn, joint {drawn.joint!r} is open by {drawn}"
    missed = _missed(before, length)
    if missed is not None and missed[1] > worst.size(length) and drawn is None:
        coupling, joint = missed[0].coupling, missed[0].terms[0].joint.name
        what = f"coupling {coupling.name!r}, {coupling.relation}, fits no posture of the others"
    if flipped:
        joint, what = flipped[0], f"joint {flipped[0]!r} closes only with its axes opposed"
    raise NotAssembled(
        f"{robot.name}: home does not close: {what}",
        hint=(
            f"Likely: a frame of a joint in that loop ({', '.join(_loop(topology, joint))}) or a "
            "pose in home is wrong, or a length is in mm (gough is SI only)." + _few_digits(error)
        ),
        joint=joint,
        gap=worst.length,
        angle=worst.angle,
    )


def _missed(at: Equations, length: float) -> tuple[Coupled, float] | None:
    """The coupling that is farthest from being met, and how far, natural units."""
    coupled = [each for group in at.topology.couplings for each in group]
    sizes = [abs(float(gap)) for gap in coupling_gaps(at, length)]
    return max(zip(coupled, sizes, strict=True), key=lambda pair: pair[1], default=None)


def _few_digits(error: float) -> str:
    """What to do about loops that nearly close, as those of figures with few digits do."""
    needed = coarser(error)
    if not needed:
        return ""
    return (
        f" The loops close to {error:.1g} of the machine's size: if the figures have few digits, "
        f"declare it, precision {needed:g}."
    )


def coarser(error: float) -> float:
    """A precision that loops which are open so far may close with; 0 if it says nothing any more.

    A power of ten, 1e-5 for the six digits of exporters or more: frames move as far as loops are
    open, or a few times that.
    """
    found = 10.0 ** max(-5, math.ceil(math.log10(max(2.0 * error, 1e-300))))
    return found if found <= COARSEST else 0.0
