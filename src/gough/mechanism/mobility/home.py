"""Home: from the rough posture of a description to an assembled one."""

from __future__ import annotations

import math

import numpy as np

from gough.base import spatial
from gough.errors import NotAssembled
from gough.mechanism.closure.coordinates import Configuration, axis_coordinates, neutral
from gough.mechanism.closure.couplings import coupling_gaps
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.gaps import Gap, gap_of, gaps
from gough.mechanism.closure.locks import Locks, described_locks
from gough.mechanism.closure.recursion import relative_poses
from gough.mechanism.closure.rows import UNITS, LoopJoint, is_flipped, residual
from gough.mechanism.mobility.newton import CLOSED, NOTHING, Closed, newton
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import HERE, ROOT, Tree, grow
from gough.robot import Joint, Robot
from gough.robot.robot import COARSEST

# Joints that are nearer to each other than _POINT times the drawn size meet in one point: figures
# are typed more coarsely.  _ROUNDING [m] is the floor where nothing is drawn at all.
_POINT, _ROUNDING = 1e-9, 1e-15

# A joint that is open by less than a hundredth of the drawing is meant to fit: figures typed with
# three digits miss by a thousandth, a joint that is not drawn in place by much more.
_DRAWN = 1e-2


def rough_poses(robot: Robot) -> dict[str, np.ndarray]:
    """Pose of every body as the description has it: given, or worked out from joint values.

    Without any home, a machine that is drawn in base coordinates is taken as drawn.
    """
    if _stands_as_drawn(robot):
        return {name: np.eye(4) for name in (robot.base, *(b.name for b in robot.bodies))}
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


def _stands_as_drawn(robot: Robot) -> bool:
    """Whether all joints nearly close when every body frame coincides with the base."""
    if _has_home(robot):
        return False
    points = [np.array(j.parent_frame.position) for j in robot.joints]
    size = max(float(np.linalg.norm(p - points[0])) for p in points) or 1.0
    for joint in robot.joints:
        scales = [size if unit == "m" else 1.0 for unit in UNITS[joint.kind]]
        drawn = _as_drawn(joint)
        whole = np.abs(np.array(residual(drawn)) / scales).max(initial=0.0) < _DRAWN
        if not whole or is_flipped(drawn):
            return False
    return True


def _has_home(robot: Robot) -> bool:
    """Whether a posture is given; where locked joints are held is none."""
    return bool(robot.home.bodies) or any(n in robot.axis_names for n in robot.home.joints)


def _as_drawn(joint: Joint) -> LoopJoint:
    """Pose of a joint's frames in each other when both body frames coincide with the base."""
    T = np.linalg.inv(joint.parent_frame.matrix) @ joint.child_frame.matrix
    return LoopJoint(joint.kind, joint.pitch, True, T[:3, :3], T[:3, 3])


def _open_as_drawn(robot: Robot) -> Gap | None:
    """The widest open joint of a machine that is drawn in base coordinates but for a few joints."""
    if _has_home(robot):
        return None
    found = [gap_of("", joint.name, _as_drawn(joint)) for joint in robot.joints]
    whole = [gap for gap in found if gap.length < _DRAWN and gap.angle < _DRAWN]
    # most joints fit: the drawing is meant in base coordinates
    return max(found, key=lambda gap: gap.size(1.0)) if 2 * len(whole) > len(found) else None


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
                coordinates += axis_coordinates("", 0.0, T[:3, :3], T[:3, 3])
            continue
        joint = robot.joint(link.joint)
        T_A = poses[joint.parent] @ joint.parent_frame.matrix
        T = np.linalg.inv(T_A) @ poses[joint.child] @ joint.child_frame.matrix
        found = axis_coordinates(joint.kind, joint.pitch, T[:3, :3], T[:3, 3])
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
    configuration = rough_configuration(robot, topology, poses)
    rough = poses[robot.platform] @ robot.platform_frame.matrix
    T_0p, closed, error = close(topology, rough, configuration, length)
    at = Equations(topology, described_locks(topology), T_0p, closed)
    flipped = [c.joint.name for closed in at.closed for c, m in closed if is_flipped(m)]
    if error <= CLOSED and not flipped:
        return T_0p, closed
    before = Equations(topology, described_locks(topology), rough, configuration)
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


def characteristic_length(robot: Robot, poses: dict[str, np.ndarray]) -> float:
    """Size of the robot [m]: largest distance of a joint from the middle of all joints.

    A machine whose joints meet in one point is as large as its platform's frame is far from there,
    or else as what is drawn of its bodies.
    """
    points = []
    for joint in robot.joints:
        points.append((poses[joint.parent] @ joint.parent_frame.matrix)[:3, 3])
        points.append((poses[joint.child] @ joint.child_frame.matrix)[:3, 3])
    middle = np.mean(points, axis=0)
    size = float(np.linalg.norm(np.array(points) - middle, axis=1).max())
    drawn = _drawn_size(robot, poses)
    point = max(_POINT, robot.precision) * drawn + _ROUNDING
    if size < point:
        origin = (poses[robot.platform] @ robot.platform_frame.matrix)[:3, 3]
        size = float(np.linalg.norm(origin - middle))
    if size > point:
        return size
    return drawn if drawn > _ROUNDING else 1.0


def _drawn_size(robot: Robot, poses: dict[str, np.ndarray]) -> float:
    """Largest length of a description [m]: what its figures are rounded beside."""
    frames = [frame for j in robot.joints for frame in (j.parent_frame, j.child_frame)]
    points = np.array(
        [
            *(body.center for body in robot.bodies),
            *(frame.position for frame in (robot.platform_frame, *frames)),
            *(T[:3, 3] for T in poses.values()),
        ]
    )
    return float(np.abs(points).max())
