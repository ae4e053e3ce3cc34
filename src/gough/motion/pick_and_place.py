"""The cycle that Delta robots are measured by: up, across, down, and back the same way."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.errors import InputError
from gough.motion import arguments
from gough.motion.jets import Jet
from gough.motion.laws import step, time_law
from gough.motion.motion import Motion, made
from gough.motion.remembered import remembered
from gough.motion.space import Point, Space, space_of
from gough.robot import Robot

USUAL_CYCLE = 0.5
"""Time of a cycle [s] where nothing is said of its pace: 120 picks a minute."""

_FINE = 20_001  # samples of the shape among which its largest acceleration is sought


@remembered
def pick_and_place(
    robot: Robot,
    start: Any = None,
    *,
    cycle: float | None = None,
    acceleration: float | None = None,
    height: float = 0.025,
    stroke: float = 0.305,
    along: Any = None,
    up: Any = None,
    turn: float = 0.0,
    blend: float = 0.5,
    dwell: float = 0.0,
    cycles: int = 1,
    law: str = "quintic",
) -> Motion:
    """Up, across and down, and the same way back; by default 25-305-25 mm, the "Adept cycle".

    Each of up, across and down is one time law; their times are such that alone they would take
    the same largest acceleration.  With ``blend`` the next begins before the one before it ends,
    so corners are rounded.

    Args:
        robot: the machine.
        start: pose where things are picked up; freedoms ``(n,)`` or a matrix ``(4, 4)``.  If
            ``None``, half a stroke before home, so that home is in the middle.
        cycle: time of a whole cycle, there and back, with both dwells [s]: 0.5 s if neither it nor
            the acceleration is given; or
        acceleration: largest acceleration of the origin [m/s^2].
        height: of the lift [m].
        stroke: distance across [m].
        along: direction across, three numbers; x if not given.
        up: direction of the lift; z if not given, y for a robot in the plane.
        turn: rotation about z on the way across [rad], undone on the way back.
        blend: share of the lift during which the robot moves across already, and of the descent;
            0: corners are sharp, and the robot stops in them.
        dwell: rest after either stroke [s].
        cycles: how many.
        law: ``"quintic"``, ``"septic"`` or ``"cruise"``.
    """
    space = space_of(robot)
    high = number(height, "height", positive=True)
    wide = number(stroke, "stroke", positive=True)
    lift = high * _direction(space, up, "up", "zy")
    across = wide * _direction(space, along, "along", "xy")
    reference = _start(space, start, across)
    if number(turn, "turn"):
        across = across + arguments.by_freedom(space, {"rz": turn}, "turn")
    # the largest acceleration of a law is a number times way / time^2
    shape = _Shape(lift, across, np.sqrt(high), np.sqrt(wide), _blend(blend), law)
    rest = number(dwell, "dwell", nonnegative=True)
    seconds = _stroke_time(shape, space, cycle, acceleration, rest)
    one_way = seconds + rest
    curve = partial(_there_and_back, shape, seconds, one_way)
    duration = 2.0 * one_way * _count(cycles)
    return made(space, duration, "pick and place", reference, curve, look=seconds)


class _Shape:
    """One way of the cycle in the time 1."""

    def __init__(
        self,
        lift: np.ndarray,
        across: np.ndarray,
        lifting: float,
        crossing: float,
        blend: float,
        name: str,
    ) -> None:
        time_law(name, 1.0)  # an unknown one is refused before anything else is worked out
        self.lift, self.across, self.name = lift, across, name
        # up must be done before down begins, however short the way across
        crossing = max(crossing, 2.0 * blend * lifting)
        whole = crossing + 2.0 * (1.0 - blend) * lifting
        self.lifting, self.crossing = lifting / whole, crossing / whole

    def at(self, u: np.ndarray, seconds: float = 1.0) -> Jet:
        """Displacements at shares of the time."""
        up = step(u, 0.0, self.lifting, self.name)
        down = step(u, 1.0 - self.lifting, self.lifting, self.name)
        over = step(u, (1.0 - self.crossing) / 2.0, self.crossing, self.name)
        path = over.along(self.across).plus(up.plus(down * -1.0).along(self.lift))
        return Jet(path.value, path.rate / seconds, path.acceleration / seconds**2)


def _there_and_back(shape: _Shape, seconds: float, one_way: float, t: np.ndarray) -> Jet:
    now = t % (2.0 * one_way)
    returning = now > one_way
    u = np.minimum(np.where(returning, now - one_way, now) / seconds, 1.0)
    path = shape.at(np.where(returning, 1.0 - u, u), seconds)
    return path._replace(rate=np.where(returning[:, None], -path.rate, path.rate))


def _stroke_time(
    shape: _Shape, space: Space, cycle: float | None, acceleration: float | None, dwell: float
) -> float:
    if cycle is None and acceleration is None:
        cycle = USUAL_CYCLE
    if cycle is not None and acceleration is not None:
        raise InputError(
            "give one of cycle [s] and acceleration [m/s^2]",
            hint="The other follows from it.",
            argument="cycle",
        )
    if cycle is not None:
        seconds = arguments.duration(cycle, "cycle") / 2.0 - dwell
        if seconds < arguments.SHORTEST:
            raise InputError(
                f"two dwells of {dwell:g} s leave nothing of a cycle of {cycle:g} s",
                argument="dwell",
            )
        return seconds
    most = number(acceleration, "acceleration", positive=True)
    found = shape.at(np.linspace(0.0, 1.0, _FINE)).acceleration[:, ~space.turns]
    return arguments.duration(np.sqrt(np.linalg.norm(found, axis=1).max() / most), "a stroke")


def _direction(space: Space, vector: Any, name: str, usual: str) -> np.ndarray:
    """A unit displacement; of the usual ones the first that the robot has."""
    if vector is not None:
        return arguments.direction(space, vector, name)
    for axis in usual:
        if axis in space.assembly.freedoms:
            return arguments.by_freedom(space, {axis: 1.0}, name)
    raise InputError(
        f"{space.assembly.robot.name} moves along neither {' nor '.join(usual)}",
        hint=f"Its freedoms are {', '.join(space.assembly.freedoms)}.",
        argument=name,
    )


def _start(space: Space, start: Any, across: np.ndarray) -> Point:
    """Where things are picked up; half a stroke before home if nothing else is said."""
    if start is not None:
        return space.point(start, "start")
    return space.point(space.point(None, "start").x - across / 2.0, "start")


def _blend(blend: Any) -> float:
    share = number(blend, "blend", nonnegative=True)
    if share > 1.0:
        raise InputError(
            f"blend is {share:g}, expected a share of the lift from 0 to 1", argument="blend"
        )
    return share


def _count(cycles: Any) -> int:
    count = number(cycles, "cycles", positive=True)
    if count != int(count):
        raise InputError(f"cycles is {count:g}, expected a whole number", argument="cycles")
    return int(count)
