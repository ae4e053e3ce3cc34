"""Where joints sit on their bodies, decided once at home.

A joint is drawn where its frames meet.  Two kinds of machine need more thought: in a spherical
robot all joints meet in one point and are moved out along their axes; a slide has two frames that
move apart, and becomes a telescope or a carriage on a rail.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.report.drawing.places import Places
from gough.report.drawing.shapes import foot, off
from gough.robot import Joint, Robot
from gough.robot.joint_kinds import KINDS

# Gap between the shells on which the joints of a spherical robot are drawn, as a share of its size.
_SHELL = 0.14


@dataclass(frozen=True, eq=False)
class Slide:
    """How a sliding joint is drawn; points in base axes at home.

    Attributes:
        joint: the joint.
        outer: body of the tube, or of the rail.
        inner: body of the rod, or of the carriage.
        start: where the tube begins, or the carriage is.
        end: where the rod ends; ``None`` for a rail.
    """

    joint: Joint
    outer: str
    inner: str
    start: np.ndarray
    end: np.ndarray | None


def around(robot: Robot) -> dict[str, list[Joint]]:
    """Joints of every body, the base among them."""
    found: dict[str, list[Joint]] = {robot.base: [], **{b.name: [] for b in robot.bodies}}
    for joint in robot.joints:
        found[joint.parent].append(joint)
        found[joint.child].append(joint)
    return found


def steps_from_base(robot: Robot) -> dict[str, int]:
    """Number of joints between the base and every body."""
    joints = around(robot)
    steps, frontier = {robot.base: 0}, [robot.base]
    for here in frontier:
        for joint in joints[here]:
            other = joint.child if joint.parent == here else joint.parent
            if other not in steps:
                steps[other] = steps[here] + 1
                frontier.append(other)
    return steps


def centre_of(assembly: Assembly, home: Places) -> np.ndarray | None:
    """The point in which all axes of a spherical robot meet."""
    joints = assembly.robot.joints
    if len(joints) < 3 or any(j.kind not in ("revolute", "fixed") for j in joints):
        return None
    frames = [home.parents[j.name] for j in joints if j.kind == "revolute"]
    normals = [np.eye(3) - np.outer(T[:3, 2], T[:3, 2]) for T in frames]
    matrix = np.sum(normals, axis=0)
    if np.linalg.eigvalsh(matrix)[0] < 1e-6:  # parallel axes
        return None
    right = np.sum([N @ T[:3, 3] for N, T in zip(normals, frames, strict=True)], axis=0)
    centre = np.linalg.solve(matrix, right)
    far = max(off(centre, T[:3, 3], T[:3, 2]) for T in frames)
    return centre if far < 1e-6 * assembly.length else None


def joint_points(
    assembly: Assembly, home: Places, centre: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Where joints are drawn at home; of a slide, its frame on the child.

    Joints of a spherical robot may sit anywhere on their axes: they are put on shells around the
    centre, those on the base outermost, on that side which is near their neighbours and free.
    """
    joints = assembly.robot.joints
    points = {j.name: home.children[j.name][:3, 3] for j in joints}
    if centre is None:
        return points
    outer = max(float(np.linalg.norm(p - centre)) for p in points.values())
    radius = outer if outer > 0.05 * assembly.length else assembly.length
    steps = steps_from_base(assembly.robot)
    depths = {j.name: min(steps[j.parent], steps[j.child]) for j in joints}
    sides: dict[str, np.ndarray] = {}
    for joint in sorted(joints, key=lambda j: depths[j.name]):
        axis, depth = home.parents[joint.name][:3, 2], depths[joint.name]
        ends = {joint.parent, joint.child} - {assembly.robot.base}
        near = [j.name for j in joints if j.name in sides and ends & {j.parent, j.child}]

        def cost(side: np.ndarray, depth: int = depth, near: list[str] = near) -> float:
            far = -sum(float(side @ sides[name]) for name in near)
            taken = [abs(depth - depths[n]) for n, s in sides.items() if side @ s > 0.9]
            return far + sum(10.0 / (1.0 + gap) for gap in taken)

        sides[joint.name] = -axis if cost(-axis) < cost(axis) - 1e-6 else axis
    return {
        name: centre + radius * max(1.0 - _SHELL * depths[name], 0.4) * side
        for name, side in sides.items()
    }


def slides(assembly: Assembly, home: Places) -> list[Slide]:
    """How every sliding joint is drawn."""
    joints = assembly.robot.joints
    return [_slide(assembly, home, joint) for joint in joints if KINDS[joint.kind].travel == (2,)]


def _slide(assembly: Assembly, home: Places, joint: Joint) -> Slide:
    robot, hub = assembly.robot, set(assembly.topology.hub.bodies)
    steps, joints = steps_from_base(robot), around(robot)
    outer, inner = sorted((joint.parent, joint.child), key=lambda body: steps[body])
    T_A = home.parents[joint.name]
    origin, axis = T_A[:3, 3], T_A[:3, 2]
    # a joint this far from the axis still looks like the end of a telescope
    tolerance = 0.12 * assembly.length

    def others(body: str) -> list[tuple[Joint, np.ndarray]]:
        return [(j, _on(home, j, body)) for j in joints[body] if j.name != joint.name]

    def along(body: str) -> list[tuple[Joint, float]]:
        return [
            (j, foot(p, origin, axis)) for j, p in others(body) if off(p, origin, axis) < tolerance
        ]

    near, far = along(outer), along(inner)
    if outer == robot.base:
        # a ram is drawn at its frame on the base, and pushes the platform itself
        pushes = any({j.parent, j.child} & hub - {inner} for j, _ in far)
        own = foot(_on(home, joint, outer), origin, axis)
        near = [(joint, own)] if pushes and inner not in hub else []
    start, end = max(
        ((p, q) for _, p in near for _, q in far), key=lambda pq: abs(pq[1] - pq[0]), default=(0, 0)
    )
    if abs(end - start) > 0.1 * assembly.length:
        return Slide(joint, outer, inner, origin + start * axis, origin + end * axis)
    if near and not far:
        outer, inner = inner, outer
    held = [p for _, p in others(inner)] or [_on(home, joint, inner)]
    place = foot(np.mean(held, axis=0), origin, axis)
    return Slide(joint, outer, inner, origin + place * axis, None)


def _on(home: Places, joint: Joint, body: str) -> np.ndarray:
    frames = home.parents if joint.parent == body else home.children
    return frames[joint.name][:3, 3]
