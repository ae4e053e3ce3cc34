"""Passive joints of legs: friction, springs and limits, whose positions count from home.

A builder knows the coordinates of passive joints at home, its user hardly does: limits of
-0.5 to 0.5 rad are half a radian to either side of where the joint stands at home.  The tilt of a
ball is the angle between its link and the direction that the link has at home, seen from the body
at the other end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.arguments import check_known
from gough.base.spatial import snap
from gough.build import checks
from gough.build.strings import Letter
from gough.errors import InputError, shown
from gough.robot import Axis, Frame, Joint, Robot
from gough.robot.frame import rotation_from_axes
from gough.robot.joint_kinds import KINDS


@dataclass(frozen=True)
class Passive:
    """What is known of a passive joint.

    Args:
        axes: friction, spring and limits of its axes; positions count from home.
        link: ``"parent"`` or ``"child"``: the body that a ball tilts with.
        along: direction of the link in that body's axes; default z of the joint's frame on it.
    """

    axes: tuple[Axis, ...]
    link: str
    along: tuple[float, float, float] | None = None

    @property
    def counts_from_home(self) -> bool:
        """Whether something of it depends on where the joint stands at home."""
        return any(axis.limits.position is not None or axis.spring for axis in self.axes)


def checked_passive(given: Any) -> dict[str, tuple[Axis, ...]]:
    """Axes of passive joints by the role of the joint, as a leg is given them."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"passive: expected axes by the role of the joint, got {shown(given)}",
            hint="For instance passive={'u': gough.Axis(viscous=0.01)}.",
            argument="passive",
        )
    found = {}
    for role, axes in given.items():
        several = tuple(axes) if isinstance(axes, (tuple, list)) else (axes,)
        for axis in several:
            checks.motor(axis, f"passive[{shown(role)}]")
            if axis.motor or axis.transmission or axis.rotor_inertia:
                raise InputError(
                    f"passive[{shown(role)}]: a passive joint has no motor, rotor or transmission",
                    hint="The actuated joint of a leg is its 'motor'.",
                    argument="passive",
                )
        found[str(role)] = several
    return found


def find_passive(
    given: Any,
    joints: Sequence[Joint],
    letters: Sequence[Letter],
    leg: str | int,
    along: tuple[float, float, float] | None,
) -> dict[str, Passive]:
    """Which joints of a chain are meant by roles: their names without the name of the leg.

    Args:
        given: axes by role, or by the name of the joint.
        joints: of the chain.
        letters: of its joint string.
        leg: what the leg is called.
        along: direction of its links in their own axes, for the tilt of balls.
    """
    found: dict[str, Passive] = {}
    roles = {}
    for joint, letter in zip(joints, letters, strict=True):
        if len(letter.motors) < len(KINDS[joint.kind].axes):
            roles[joint.name] = role_of(joint.name, leg)
    axes = checked_passive(given)
    for role in axes:
        known = [*dict.fromkeys([*roles.values(), *roles])]
        check_known(role, known, f"leg {leg} has no passive joint", "passive")
    for joint in joints:
        own = axes.get(joint.name, axes.get(roles.get(joint.name, "")))
        if own is None or joint.name not in roles:
            continue
        count = len(KINDS[joint.kind].axes)
        several = own * count if len(own) == 1 else own
        if len(several) != count:
            raise InputError(
                f"passive: {joint.name} has {count} axes, {len(own)} are given",
                hint="One gough.Axis counts for all axes of the joint.",
                argument="passive",
            )
        link = "parent" if joint is joints[-1] else "child"
        found[joint.name] = Passive(several, link, along)
    return found


def role_of(name: str, leg: str | int) -> str:
    """The name of a joint without that of its leg: ``u`` of ``u1``, ``u1a`` and ``u1b``."""
    match = re.fullmatch(rf"(.+?){re.escape(str(leg))}[a-z]?", name)
    return match[1] if match else name


def with_passive(robot: Robot, passive: Mapping[str, Passive]) -> Robot:
    """The robot with what is known of its passive joints, counted from its home.

    Args:
        robot: whose passive joints are plain.
        passive: by the name of the joint.
    """
    if not passive:
        return robot
    values: Mapping[str, float] = {}
    poses: dict[str, np.ndarray] = {robot.base: np.eye(3)}
    if any(each.counts_from_home for each in passive.values()):
        assembly = robot.assembly
        values = assembly.home_values
        poses |= {name: T.R for name, T in assembly.equations(*assembly.start).body_poses.items()}
    joints = [
        _settled(joint, passive[joint.name], robot.motors, values, poses)
        if joint.name in passive
        else joint
        for joint in robot.joints
    ]
    return replace(robot, joints=tuple(joints))


def _settled(
    joint: Joint,
    known: Passive,
    motors: Sequence[str],
    values: Mapping[str, float],
    poses: Mapping[str, np.ndarray],
) -> Joint:
    axes = list(joint.axes)
    for i, (name, axis) in enumerate(zip(joint.axis_names, known.axes, strict=True)):
        if name in motors:
            continue
        if axes[i] != Axis():
            raise InputError(
                f"{name}: its axis is given twice, as 'passive' and otherwise",
                hint="Keep one of them.",
                argument="passive",
            )
        axes[i] = _moved(axis, values[name]) if name in values else axis
    joint = replace(joint, axes=tuple(axes))
    if joint.kind != "spherical" or known.axes[0].limits.position is None:
        return joint
    return _aimed(joint, known, poses)


def _moved(axis: Axis, by: float) -> Axis:
    """An axis whose positions were counted from home, counted as the joint does."""
    limits, spring = axis.limits, axis.spring
    if limits.position is not None:
        low, high = limits.position
        limits = replace(limits, position=(by + low, by + high))
    if spring is not None:
        spring = replace(spring, rest=by + spring.rest)
    return replace(axis, limits=limits, spring=spring)


def _aimed(joint: Joint, known: Passive, poses: Mapping[str, np.ndarray]) -> Joint:
    """A ball whose frames coincide at home, z along the link: its tilt is zero there."""
    frames: dict[str, Frame] = {"parent": joint.parent_frame, "child": joint.child_frame}
    bodies = {"parent": joint.parent, "child": joint.child}
    other = "child" if known.link == "parent" else "parent"
    on_link = frames[known.link]
    if known.along is not None:
        on_link = replace(on_link, rotation=rotation_from_axes(np.array(known.along)).tolist())
    R_0f = poses[bodies[known.link]] @ np.array(on_link.rotation)
    R_of = snap(poses[bodies[other]].T @ R_0f)
    ends = {known.link: on_link, other: replace(frames[other], rotation=R_of.tolist())}
    return replace(joint, parent_frame=ends["parent"], child_frame=ends["child"])
