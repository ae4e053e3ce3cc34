"""``gough.plan_crossing``: a path re-timed so that it can be driven through its singularities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from gough.base.arguments import one_of
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import check_motors
from gough.errors import InputError, shown
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.motion import Motion, arguments, through
from gough.motion.jets import Jet
from gough.motion.laws import time_law
from gough.motion.motion import made, of_robot
from gough.motion.space import Point, space_of
from gough.robot import Robot
from gough.singularity.crossing.demand import Demand, check_crossed, singular_instants
from gough.singularity.crossing.optimise import limits_of, optimised
from gough.singularity.crossing.terms import Machine
from gough.singularity.crossing.timing import BACK, Path, by_polynomial, by_surge

_DURATIONS = (1.0, 0.7, 1.4, 0.5, 2.0, 0.35, 0.25)
"""Durations that are tried for a motion, by its own, until one does."""


def plan_crossing(
    robot: Robot,
    path: Any,
    *,
    duration: float | None = None,
    times: Any = None,
    speeds: Any = None,
    optimise: str | None = None,
    efforts: Any = None,
    motor_speeds: Any = None,
    origin_speed: float | None = None,
    loads: Loads | None = None,
) -> Motion:
    """Re-time a path so that it passes its Type 2 singularities with bounded efforts.

    The path stays as it is; its time law is chosen.  At every singular pose position, speed and the
    acceleration that the criterion needs are prescribed: with one of them a polynomial of degree
    eight.  Where no polynomial runs forward, a clock that surges at the singular poses takes its
    place, in the same duration.  With ``optimise`` the law is a spline that IPOPT finds.

    Args:
        robot: the machine, with as many motors as freedoms or more; in another working mode
            :meth:`gough.Robot.rehomed` there.
        path: a :class:`gough.motion.Motion`, whose clock is re-timed; or two poses or more, each
            ``None`` (home), freedoms ``(n,)`` or a matrix ``(4, 4)``, or an array of them: a
            straight stroke, or a spline through them, from rest to rest.
        duration: of the whole motion [s]; by default that of a given motion, and if no law keeps
            it, another one, which the label states.  With ``optimise="time"`` the longest duration
            allowed; none is needed.
        times: when the singular poses are passed [s], in order; as the usual law has it if not
            given.
        speeds: how fast the platform's origin passes them [m/s], or where it only turns [rad/s];
            as the usual law has it if not given, or another one where that would run backwards.
        optimise: ``"time"``: the shortest motion; ``"effort"``: the least sum of squared efforts
            in the given duration, by their limits if all motors have one.
        efforts: largest efforts [N or N m], a number or ``(m,)``; the robot's own limits if not
            given.  For ``optimise``.
        motor_speeds: largest rates of the motors, likewise.  For ``optimise``.
        origin_speed: largest speed of the platform's origin [m/s].  For ``optimise``.
        loads: :class:`gough.Loads`, the same all the time; no smoothing for ``optimise``.

    Returns:
        A motion, for :func:`gough.crossing`, :func:`gough.simulate` and everything else.

    Raises:
        SingularPose: no time law passes: the path touches the singularity, starts or ends on it,
            its direction has no inertia along the free twist, or several twists are free at once.
        InputError: times or speeds make no sense; or no clock that runs forward and meets them was
            found.
        EffortsInfeasible: the optimiser finds no law within the limits.
    """
    assembly = assembled_by_pose(robot)
    check_motors(assembly)
    if optimise is not None:
        one_of(optimise, "optimise", ("time", "effort"))
    laws = {"times": times, "speeds": speeds}
    limits = {"efforts": efforts, "motor_speeds": motor_speeds, "origin_speed": origin_speed}
    for name, value in (laws if optimise else limits).items():
        if value is not None:
            raise InputError(
                f"{name} does not go with optimise={shown(optimise)}",
                hint="times and speeds tell a polynomial what to do, limits are for the optimiser.",
                argument=name,
            )
    given = _path(assembly, path, duration, optimise)
    machine = Machine(assembly, given.motion, loads)
    places = singular_instants(machine)
    check_crossed(machine, places)
    demands = [Demand(machine, place) for place in places]
    if optimise is not None:
        return optimised(
            machine, demands, optimise, duration, limits_of(machine, optimise, **limits)
        )
    return _polynomial_or_surge(machine, path, given, demands, duration, times, speeds)


def _polynomial_or_surge(
    machine: Machine,
    path: Any,
    given: Path,
    demands: Sequence[Demand],
    duration: float | None,
    times: Any,
    speeds: Any,
) -> Motion:
    """The first law that runs forward, in the given duration if one of its laws does."""
    paths = [given]
    if isinstance(path, Motion) and duration is None and times is None:
        paths = [_even(path, path.duration * factor) for factor in _DURATIONS]
    for one in paths:
        label = f"{one.motion.label}, {retiming(len(demands))}"
        if one.duration != given.duration:
            label += f", in {one.duration:.4g} s instead of {given.duration:.4g} s"
        found = by_polynomial(machine, one, demands, times, speeds, label)
        if found is None and times is None:
            found = by_surge(machine, one, demands, speeds, label)
        if found is not None:
            return found
    tried = ", ".join(f"{one.duration:.4g}" for one in paths)
    raise InputError(
        f"{machine.assembly.robot.name}: no clock that runs forward and meets the criterion on "
        f"this path was found, in {tried} s",
        hint="gough.crossing tells the acceleration that is needed: give other times or speeds or "
        "none, a longer or shorter duration, or optimise='time'.",
        argument="times" if times is not None else "duration" if speeds is None else "speeds",
    )


def _path(assembly: Assembly, path: Any, duration: float | None, optimise: str | None) -> Path:
    """Read a path argument: a motion, or poses."""
    seconds = None if duration is None else arguments.duration(duration)
    if isinstance(path, Motion):
        path = of_robot(path, assembly.robot)
        return _even(path, path.duration if seconds is None else seconds)
    if isinstance(path, np.ndarray) and path.ndim in (2, 3):
        path = list(path)
    if not isinstance(path, (list, tuple)) or len(path) < 2:
        raise InputError(
            f"path is {shown(path)}, expected a motion, or two poses or more", argument="path"
        )
    if seconds is None:
        if optimise != "time":
            raise InputError("a path of poses needs a duration [s]", argument="duration")
        seconds = 1.0
    if len(path) > 2 or optimise is not None:
        return _path(assembly, spline_through(assembly, path, seconds), duration, optimise)
    points, steps, _ = _legs(assembly, path)
    space = space_of(assembly.robot)
    straight = made(space, 1.0, "straight path", points[0], partial(_line, steps[0]))
    return Path(straight, time_law("quintic", seconds), 0.0, seconds, BACK)


def spline_through(assembly: Assembly, poses: Sequence[Any], seconds: float) -> Motion:
    """A spline through poses, from rest to rest, which takes times by their distances."""
    lengths = _legs(assembly, poses)[2]
    at = seconds * np.concatenate([[0.0], np.cumsum(lengths)]) / sum(lengths)
    return through(assembly.robot, list(poses), at)


def _legs(
    assembly: Assembly, poses: Sequence[Any]
) -> tuple[list[Point], list[np.ndarray], list[float]]:
    """Poses of a path, displacements from each to the next, and their natural lengths."""
    space = space_of(assembly.robot)
    points = space.points(poses, [f"path[{k}]" for k in range(len(poses))])
    steps = [space.displacement(a, b) for a, b in pairwise(points)]
    lengths = [float(np.linalg.norm(step / assembly.scales.freedoms)) for step in steps]
    if min(lengths) <= 0.0:
        raise InputError("two poses of the path that follow each other are equal", argument="path")
    return points, steps, lengths


def _even(motion: Motion, duration: float) -> Path:
    """A motion whose clock runs evenly, in a time that may be another than its own."""
    rate = motion.duration / duration
    return Path(motion, partial(_evenly, rate), rate, duration)


def _evenly(rate: float, t: np.ndarray) -> Jet:
    return Jet(t * rate, np.full_like(t, rate), np.zeros_like(t))


def _line(step: np.ndarray, t: np.ndarray) -> Jet:
    return _evenly(1.0, t).along(step)


def retiming(count: int) -> str:
    """Label of a re-timed path with so many singular poses."""
    if count == 0:
        return "which meets no singular pose"
    return f"re-timed to pass {'one singular pose' if count == 1 else f'{count} singular poses'}"
