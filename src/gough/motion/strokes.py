"""From one pose straight to another, from rest to rest."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any

import numpy as np

from gough.errors import InputError, shown
from gough.motion import arguments
from gough.motion.jets import Jet
from gough.motion.laws import Law, time_law
from gough.motion.motion import Motion, made
from gough.motion.remembered import remembered
from gough.motion.space import Space, space_of
from gough.robot import Robot

_LOOSE = 1e5  # limits, in units in which one is 1, beyond which they do not change the motion
_SMALLEST = 1e-9  # limit [m/s, rad/s and their rates]: below, a motion takes years
_ENDLESS = 1e12  # limit over way [1/s]: beyond, the limited freedoms move by rounding only


@remembered
def point_to_point(
    robot: Robot, start: Any, end: Any, *, duration: float, law: str = "quintic"
) -> Motion:
    """Straight from one pose to another; rotations about a fixed axis, the short way.

    Args:
        robot: the machine.
        start: home if ``None``; freedoms ``(n,)`` in the order of ``robot.freedoms``, or a matrix
            ``(4, 4)``.
        end: the same; of a matrix, the angle nearest the start.
        duration: [s].
        law: ``"quintic"``, ``"septic"`` (degree 7, also without jerk at the ends), or ``"cruise"``
            (constant speed but for the first and last fifth).
    """
    space, seconds = space_of(robot), arguments.duration(duration)
    share = time_law(law, seconds)
    reference, goal = space.points((start, end), ("start", "end"))
    way = space.displacement(reference, goal)
    label = f"{law} stroke"
    return made(space, seconds, label, reference, partial(_straight, share, way))


@remembered
def jerk_limited(
    robot: Robot, start: Any, end: Any, *, velocity: Any, acceleration: Any, jerk: Any
) -> Motion:
    """Straight from one pose to another as fast as limits allow, by ruckig.

    The acceleration is continuous; the jerk is not: it jumps between its limits and zero.

    Args:
        robot: the machine.
        start: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        end: the same.
        velocity: a number limits the speed of the origin [m/s] and of turning [rad/s]; an array
            ``(n,)`` or a mapping by name limits each freedom.
        acceleration: the same for accelerations [m/s^2, rad/s^2].
        jerk: the same for their rates [m/s^3, rad/s^3].
    """
    space = space_of(robot)
    reference, goal = space.points((start, end), ("start", "end"))
    way = space.displacement(reference, goal)
    if not way.any():
        raise InputError(
            "start and end are the same pose",
            hint="motion.hold(robot, pose, duration) rests there.",
        )
    limits = [
        _along(space, way, value, name)
        for name, value in (("velocity", velocity), ("acceleration", acceleration), ("jerk", jerk))
    ]
    share, seconds = _fastest(*limits)
    duration = arguments.duration(seconds)
    label = "jerk-limited stroke"
    return made(space, duration, label, reference, partial(_straight, share, way))


def _straight(share: Law, way: np.ndarray, t: np.ndarray) -> Jet:
    return share(t).along(way)


def _along(space: Space, way: np.ndarray, value: Any, name: str) -> float:
    """A limit as one on the share of the way [1/s, 1/s^2, 1/s^3]."""
    single = isinstance(value, Real)
    limits = arguments.by_freedom(space, value, name, missing=np.inf)
    if (limits < _SMALLEST).any():
        raise InputError(
            f"{name} is {shown(value)}, expected positive limits, at least {_SMALLEST:g}",
            argument=name,
        )
    if not single:
        share = float((limits / np.maximum(np.abs(way), 1e-300)).min())
        if share > _ENDLESS:
            raise InputError(
                f"{name} limits no freedom that moves",
                hint=f"The freedoms are {', '.join(space.assembly.freedoms)}.",
                argument=name,
            )
        return share
    longest = max(float(np.linalg.norm(way[which])) for which in (space.turns, ~space.turns))
    return float(limits[0] / longest)


def _fastest(velocity: float, acceleration: float, jerk: float) -> tuple[Law, float]:
    """The fastest way from 0 to 1, at rest at both ends: law and duration."""
    # only its offline calculation from one state to another: waypoints would call a server
    from ruckig import (  # noqa: PLC0415  heavy: loaded on first use
        InputParameter,
        Result,
        Ruckig,
        Trajectory,
    )

    # in a unit of time in which one limit is 1 and the others are not less
    unit = max(1.0 / velocity, acceleration**-0.5, jerk ** (-1.0 / 3.0))
    request = InputParameter(1)
    request.current_position, request.target_position = [0.0], [1.0]
    request.max_velocity = [min(velocity * unit, _LOOSE)]
    request.max_acceleration = [min(acceleration * unit**2, _LOOSE)]
    request.max_jerk = [min(jerk * unit**3, _LOOSE)]
    found = Trajectory(1)
    if Ruckig(1).calculate(request, found) not in (Result.Working, Result.Finished):
        raise InputError("ruckig finds no motion within the limits")
    profile = found.profiles[0][0]
    begin = np.concatenate([[0.0], np.cumsum(profile.t)])
    levels = [np.array(each) for each in (profile.p, profile.v, profile.a, profile.j)]
    return partial(_in_phases, begin, levels, unit), float(begin[-1] * unit)


def _in_phases(begin: np.ndarray, levels: list[np.ndarray], unit: float, t: np.ndarray) -> Jet:
    """Phases of constant jerk: position, rate, acceleration and jerk where each begins."""
    u = np.clip(t / unit, 0.0, begin[-1])
    k = np.clip(np.searchsorted(begin, u, side="right") - 1, 0, len(begin) - 2)
    p, v, a, j = (level[k] for level in levels)
    du = u - begin[k]
    return Jet(
        p + du * (v + du * (a / 2.0 + du * j / 6.0)),
        (v + du * (a + du * j / 2.0)) / unit,
        (a + du * j) / unit**2,
    )
