"""Joints of a robot that are held at home, as by a brake, although the platform may feel them.

A locked joint is a fixed one whose frames meet as they stand at home, so every room below takes it
as what it is.  What it is without its brake stays with it, :class:`gough.robot.joint.Held`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.joint import Joint
from gough.robot.joint_kinds import SLIDE, TURN
from gough.robot.names import check_distinct, joint_of

Values = Mapping[str, float]


def settled(
    joints: Sequence[Joint],
    locked: Sequence[str],
    home: Values,
    at_home: Callable[[Sequence[Joint]], Values],
) -> tuple[tuple[Joint, ...], dict[str, float]]:
    """Joints of which the locked ones are held, and coordinates of home with theirs among them.

    Args:
        joints: of the robot; some may be held already, and are released if they are not locked.
        locked: names of those to hold.
        home: coordinates that home has been given, by axis name [rad or m].
        at_home: coordinates of all turns and slides of a machine with other joints, assembled.
    """
    check_distinct(locked, "locked")
    known = {joint.name: joint.released for joint in joints}
    for i, name in enumerate(locked):
        if name not in known:
            raise DescriptionError(
                f"unknown joint {shown(name)}", path=f"locked[{i}]", hint=nearest(name, known)
            )
        _check_lockable(known[name], f"locked[{i}]")
    values: dict[str, float] = {}
    for joint in joints:
        if joint.held is not None:
            at = zip(joint.released.axis_names, joint.held.at, strict=True)
            values |= {name: home.get(name, q) for name, q in at}
    free = [joint if joint.name in locked else joint.released for joint in joints]
    held = [_held(joint, {**home, **values}) if joint.name in locked else joint for joint in free]
    if any(joint.name in locked and joint.held is None for joint in held):
        found = at_home(held)
        held = [_held(j, found) if j.name in locked and j.held is None else j for j in held]
    for joint in held:
        if joint.held is not None:
            values |= dict(zip(joint.held.joint.axis_names, joint.held.at, strict=True))
    return tuple(held), {**home, **values}


def check_not_driven(motors: Sequence[str], locked: Sequence[str]) -> None:
    """Refuse a motor on a joint that is held."""
    for i, name in enumerate(motors):
        if joint_of(name) in locked:
            left = [motor for motor in motors if joint_of(motor) not in locked]
            raise DescriptionError(
                f"{name!r} belongs to a joint that is locked",
                path=f"motors[{i}]",
                hint=f"A motor moves its joint, or a brake holds it: motors: [{', '.join(left)}].",
            )


def held_axes(joints: Sequence[Joint]) -> list[str]:
    """Names of the axes of all joints that are held."""
    return [name for joint in joints if joint.held for name in joint.held.joint.axis_names]


def _check_lockable(joint: Joint, path: str) -> None:
    """Refuse a joint that has nothing to hold, or no coordinates to be held at."""
    axes = joint.axis_kinds.values()
    if not axes:
        raise DescriptionError(f"{joint.name!r} is fixed already", path=path)
    if not all(what in (TURN, SLIDE) for what in axes):
        raise DescriptionError(
            f"{joint.name!r} is {joint.kind}: it has no coordinates to be held at",
            path=path,
            hint="Only turns and slides can be locked; describe it as a fixed joint instead.",
        )


def _held(joint: Joint, values: Values) -> Joint:
    """A joint held at its coordinates; as it is if they are not known, or it is held there."""
    own = joint.released
    if any(name not in values for name in own.axis_names):
        return joint
    at = tuple(values[name] for name in own.axis_names)
    return joint if joint.held and joint.held.at == at else own.held_at(at)
