"""``gough.motion.fastest``: the least time along a path, by peaks and by heating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import check_known, number, switch, whole
from gough.base.batch import as_array
from gough.dynamics.answers.motor_limits import motor_limits, without_rotors
from gough.dynamics.answers.motor_side import motor_side
from gough.dynamics.shared.load_arguments import check_loads
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.dynamics.shared.sharing import EffortSharing
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion.motion import Motion, of_robot
from gough.motion.strokes import point_to_point
from gough.robot import Robot
from gough.singularity.crossing.plan import spline_through
from gough.timing.carried import loads_by_stroke, retimed
from gough.timing.course import Leg, begins, motion_along
from gough.timing.heating import Heating, Stay
from gough.timing.limits import Limits, Wanted
from gough.timing.path import Path, Stretch, path_of
from gough.timing.result import Fastest, GridPoints
from gough.timing.rounding import rounded
from gough.timing.rows import Loaded
from gough.timing.solve import solve

_FINEST = 4000  # cells of a stroke to begin with


def fastest(
    robot: Robot,
    path: Any,
    *,
    loads: Loads | LoadSchedule | None = None,
    share: EffortSharing | None = None,
    jerk: float | None = None,
    motor_acceleration: Any = None,
    speed: float | None = None,
    acceleration: float | None = None,
    turning_speed: float | None = None,
    turning_acceleration: float | None = None,
    dwell: float | None = None,
    repeated: bool | None = None,
    grid: int = 150,
) -> Fastest:
    """Least time along a path: motors at their limits, and how fast they can go for ever.

    The geometry of the path is kept, its timing is thrown away, but for rests: where the motion
    rests, the fastest one comes to rest as well, and stays as long.  Limits are those of the
    robot's motors and axes: torque over speed on the shafts, losses of gears in the direction of
    the power, speeds, efforts; and those that are given here.  At every grid point one of them is
    reached, within a thousandth, and none is passed between; where less is reached, the answer
    says how much.

    By heating, the same law is slowed evenly until the root mean square of every shaft's torque,
    over the whole cycle with its rests, is within the motor's continuous torque.  A motor that
    cannot hold the robot with its continuous torque where the motion rests is named.

    Args:
        robot: the machine, with data of its motors, or limits of their axes.
        path: a :class:`gough.motion.Motion`; or two poses or more, each ``None`` (home), freedoms
            ``(n,)`` or a matrix ``(4, 4)``: a straight stroke, or a spline through them.
        loads: :class:`gough.Loads`, or a :class:`gough.LoadSchedule` in the time of the motion,
            whose loads change where it rests; no smoothing.
        share: how more motors than freedoms share the work: weights alone.
        jerk: largest third derivative of the way along the path [m/s^3; rad/s^3 for a path that
            only turns].  The law is then averaged over the least time that keeps it, and slowed
            where that passes a limit: a little slower than the fastest law of this jerk.
        motor_acceleration: largest accelerations of the motors' axes [rad/s^2, m/s^2]: one number,
            one for each motor, or a mapping by name.
        speed: largest speed of the platform's origin [m/s].
        acceleration: largest acceleration of the platform's origin [m/s^2].
        turning_speed: largest angular velocity of the platform [rad/s].
        turning_acceleration: largest angular acceleration of the platform [rad/s^2].
        dwell: how long every rest after a stroke lasts [s]; as the motion has it if not given.  A
            path that is run round after round has none.
        repeated: whether a closed path is run round after round without a rest; if not given, as
            the motion is: one that begins in motion, where and as it ends, is.
        grid: cells of each stroke to begin with; they are cut where limits would be passed.

    Returns:
        A :class:`gough.timing.Fastest`: the motion by peaks, the motion by heating, cycles a
        minute, what limits where.

    Raises:
        InputError: nothing limits the motion, or an argument is not what it should be.
        EffortsInfeasible: a motor cannot even hold the robot on the path.
        UnreachablePose, SingularPose: a pose of the path cannot be.
    """
    assembly = assembled(robot)
    motion = _motion(assembly, path)
    wanted = _wanted(
        robot, motor_acceleration, speed, acceleration, turning_speed, turning_acceleration
    )
    bound = None if jerk is None else number(jerk, "jerk", positive=True)
    count = whole(grid, "grid", least=10)
    if count > _FINEST:
        raise InputError(
            f"grid is {shown(grid)}, expected at most {_FINEST} cells", argument="grid"
        )
    # whatever can be refused without the path is, before it is looked at
    check_loads(assembly, loads)
    if repeated is not None:
        switch(repeated, "repeated")
    seconds = None if dwell is None else number(dwell, "dwell", nonnegative=True)
    way = path_of(motion)
    loaded = [Loaded(assembly, each, share) for each in loads_by_stroke(loads, way)]
    shafts = robot if loaded[0].loads.rotors else without_rotors(robot)
    limits = Limits(shafts, motor_limits(shafts), wanted)
    round_and_round = _turns(way, repeated)
    stays = _stays(way, seconds, round_and_round)
    solved = [
        solve(each, limits, stretch, count, rest=not round_and_round)
        for each, stretch in zip(loaded, way.stretches, strict=True)
    ]
    legs = [Leg(each.stretch, each.clock) for each in solved]
    runs = [each.run for each in solved]
    shown_at = [(each.clock.t, each.share) for each in solved]
    if bound is not None:
        calm = [
            rounded(acting, limits, each, bound)
            for acting, each in zip(loaded, solved, strict=True)
        ]
        legs = [Leg(each.stretch, one.law) for each, one in zip(solved, calm, strict=True)]
        runs = [one.run for one in calm]
        shown_at = [one.shown(limits) for one in calm]
    strokes = list(zip(loaded, way.stretches, strict=True))
    clocks = [each.clock for each in solved]
    heating = Heating(shafts, runs, _held(loaded, way, stays))
    factor = heating.least(limits)
    label = f"{motion.label}, as fast as can be"
    cool, cool_loads = None, None
    if factor is not None and np.isfinite(limits.motors.continuous).any():
        slow = [leg.slower(factor) for leg in legs]
        cool = motion_along(robot, slow, stays, f"{label}, within continuous torques")
        cool_loads = retimed(loads, way, slow, stays)
    return Fastest(
        robot=robot,
        label=motion.label,
        motion=motion_along(robot, legs, stays, label),
        cool_motion=cool,
        loads=retimed(loads, way, legs, stays),
        cool_loads=cool_loads,
        factor=factor,
        closed=way.closed,
        length=sum(stretch.length for stretch in way.stretches),
        unit=way.unit,
        jerk=bound,
        grid=_grid(limits, legs, shown_at, begins(legs, stays)),
        continuous=limits.motors.continuous,
        rms=heating.rms(1.0),
        cool_rms=heating.rms(1e3 if factor is None else factor),
        held=_most_held(loaded, way, round_and_round),
        held_on_way=np.max(
            [_torque(*each, clock.s) for each, clock in zip(strokes, clocks, strict=True)], axis=0
        ),
    )


def _motion(assembly: Assembly, path: Any) -> Motion:
    """A path argument as a motion, whose timing does not matter."""
    if isinstance(path, Motion):
        return of_robot(path, assembly.robot)
    if isinstance(path, np.ndarray) and path.ndim in (2, 3):
        path = list(path)
    if not isinstance(path, (list, tuple)) or len(path) < 2:
        raise InputError(
            f"path is {shown(path)}, expected a motion, or two poses or more", argument="path"
        )
    if len(path) == 2:
        return point_to_point(assembly.robot, *path, duration=1.0)
    return spline_through(assembly, path, 1.0)


def _wanted(robot: Robot, motors: Any, *platform: float | None) -> Wanted:
    """Limits that are given with the call."""
    names = ("speed", "acceleration", "turning_speed", "turning_acceleration")
    given = [
        np.inf if value is None else number(value, name, positive=True)
        for name, value in zip(names, platform, strict=True)
    ]
    return Wanted(_by_motor(robot, motors), *given)


def _by_motor(robot: Robot, value: Any) -> np.ndarray:
    """One positive number for each motor, infinite where nothing is said."""
    name, motors = "motor_acceleration", robot.motors
    if value is None:
        return np.full(len(motors), np.inf)
    if isinstance(value, Mapping):
        for key in value:
            check_known(key, motors, f"{name}: no motor", name)
        given = {key: number(each, f"{name}.{key}", positive=True) for key, each in value.items()}
        return np.array([given.get(motor, np.inf) for motor in motors])
    if not isinstance(value, (list, tuple)) and np.ndim(value) == 0:
        return np.full(len(motors), number(value, name, positive=True))
    array = as_array(value, (len(motors),), name)
    if array.ndim != 1 or not (array > 0.0).all():
        raise InputError(
            f"{name} is {shown(value)}, expected a positive number for each of {', '.join(motors)}",
            argument=name,
        )
    return np.asarray(array, dtype=float)


def _turns(way: Path, repeated: bool | None) -> bool:
    """Whether the path is run round after round."""
    if repeated is None:
        return way.round and all(way.stretches[0].moving)
    if repeated and not way.round:
        raise InputError(
            "repeated: the path does not end where and as it begins, so it cannot be run round "
            "after round without a rest",
            hint="gough.motion.circle is such a path.",
            argument="repeated",
        )
    return bool(repeated)


def _stays(way: Path, seconds: float | None, turning: bool) -> list[float]:
    """Rests before the first stretch, between stretches and after the last [s]."""
    if turning and seconds:
        raise InputError(
            f"dwell is {shown(seconds)}, and the path is run round after round without a rest",
            hint="With repeated=False it starts and ends at rest, and dwells there.",
            argument="dwell",
        )
    if turning:
        return [0.0, 0.0]
    if seconds is None:
        return list(way.stays)
    return [0.0] + [seconds] * len(way.stretches)


def _held(loaded: Sequence[Loaded], way: Path, stays: Sequence[float]) -> list[Stay]:
    """Rests with the torques that hold the robot there; of loads that change then, the larger."""
    strokes = list(zip(loaded, way.stretches, strict=True))
    after = [(acting, stretch, np.array([stretch.length])) for acting, stretch in strokes]
    before = [(acting, stretch, np.zeros(1)) for acting, stretch in strokes]
    found = []
    for k, seconds in enumerate(stays):
        if seconds > 0.0:
            beside = [*after[k - 1 : k], *before[k : k + 1]] if k else before[:1]
            torques = [_torque(*each) for each in beside]
            found.append(Stay(seconds, np.max(torques, axis=0)))
    return found


def _most_held(loaded: Sequence[Loaded], way: Path, turning: bool) -> np.ndarray:
    """Largest torques on the shafts that hold the robot where the motion rests ``(m,)``."""
    if turning:
        return np.zeros(len(loaded[0].assembly.robot.motors))
    strokes = zip(loaded, way.stretches, strict=True)
    ends = [_torque(acting, each, np.array([0.0, each.length])) for acting, each in strokes]
    return np.asarray(np.max(ends, axis=0))


def _torque(loaded: Loaded, stretch: Stretch, s: np.ndarray) -> np.ndarray:
    """Largest torques on the shafts that hold the robot at places ``(m,)``."""
    tau = loaded.holding(stretch, s)
    torque = motor_side(loaded.assembly.robot, tau, 0.0 * tau, 0.0 * tau).torque
    return np.asarray(np.abs(torque).max(axis=0))


def _grid(
    limits: Limits,
    legs: Sequence[Leg],
    shown_at: Sequence[tuple[np.ndarray, np.ndarray]],
    at: np.ndarray,
) -> GridPoints:
    """Grid points of all strokes one after the other, and what limits there."""
    parts, length = [], 0.0
    for leg, (t, used), begin in zip(legs, shown_at, at, strict=False):
        s, v, u = leg.law(t)
        parts.append((begin + t, length + s, v, u, used))
        length += leg.stretch.length
    t, s, v, u, used = (np.concatenate(each) for each in zip(*parts, strict=True))
    return GridPoints(t, s, v, u, used, limits.names)
