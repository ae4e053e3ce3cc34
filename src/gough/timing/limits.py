"""What is allowed along a path: motors on their shafts and axes, platform, all in one place.

At a place with squared rate ``x`` the accelerations ``u`` of the clock that keep all limits are an
interval.  With a gear that loses power the torque on the shaft is a convex function of ``u`` in the
direction of the motion, of two straight pieces: a motor that drives gives more than one that
brakes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from gough.dynamics.answers.motor_limits import MotorLimits
from gough.dynamics.answers.motor_side import motor_side
from gough.errors import EffortsInfeasible
from gough.robot import Robot
from gough.timing.rows import Rows

MOTOR_KINDS = ("torque", "effort", "speed", "acceleration")
PLATFORM_KINDS = ("speed", "acceleration", "turning speed", "turning acceleration")


class Wanted(NamedTuple):
    """Limits beside those of the robot's description; infinite where there are none.

    Attributes:
        motors: accelerations of the motors' axes ``(m,)`` [rad/s^2 or m/s^2].
        speed, acceleration: of the platform's origin [m/s, m/s^2].
        turning_speed, turning_acceleration: of the platform [rad/s, rad/s^2].
    """

    motors: np.ndarray
    speed: float
    acceleration: float
    turning_speed: float
    turning_acceleration: float


class Kinds(NamedTuple):
    """Which kinds of limits on accelerations there are.

    Attributes:
        torque: of shafts.
        losses: whether a gear loses power.
        effort: of axes.
        acceleration: of axes.
        platform: limits of the platform, and the part of a twist rate that each is for.
    """

    torque: bool
    losses: bool
    effort: bool
    acceleration: bool
    platform: tuple[tuple[float, slice], ...]


class Limits:
    """All limits of a robot on a path.

    Args:
        robot: the machine.
        motors: limits of its motors.
        wanted: limits beside them.

    Attributes:
        by_speed: whether the torque of a motor depends on its speed.

    Raises:
        EffortsInfeasible: a motor has no torque at standstill; names it.
    """

    def __init__(self, robot: Robot, motors: MotorLimits, wanted: Wanted) -> None:
        self.robot, self.motors, self.wanted = robot, motors, wanted
        self.by_speed = any(motor.curve is not None for motor in motors.motors)
        _check_standstill(robot, motors)
        # a speed that is at its limit but for rounding still has its torque
        self._top = np.where(np.isfinite(motors.top_speed), motors.top_speed, np.inf)
        platform = (
            (wanted.acceleration, slice(3)),
            (wanted.turning_acceleration, slice(3, 6)),
        )
        self.kinds = Kinds(
            torque=bool(np.isfinite(motors.peak).any()),
            losses=bool((motors.efficiency < 1.0).any()),
            effort=bool(np.isfinite(motors.effort).any()),
            acceleration=bool(np.isfinite(wanted.motors).any()),
            platform=tuple((limit, part) for limit, part in platform if np.isfinite(limit)),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all limits, in the order of :meth:`shares`."""
        own = [f"{name} {kind}" for kind in MOTOR_KINDS for name in self.robot.motors]
        return (*own, *(f"platform {kind}" for kind in PLATFORM_KINDS))

    def tightened(self, share: float) -> Limits:
        """All limits multiplied by a share."""
        motors = self.motors
        curves = tuple(
            replace(
                motor,
                peak=None if motor.peak is None else motor.peak * share,
                continuous=None,
                curve=None
                if motor.curve is None
                else tuple((speed, torque * share) for speed, torque in motor.curve),
            )
            for motor in motors.motors
        )
        less = motors._replace(
            motors=curves,
            peak=motors.peak * share,
            top_speed=motors.top_speed * share,
            effort=motors.effort * share,
            speed=motors.speed * share,
        )
        wanted = self.wanted
        platform = [limit * share for limit in wanted[1:]]
        return Limits(self.robot, less, Wanted(wanted.motors * share, *platform))

    def slopes(self, rows: Rows) -> np.ndarray:
        """Signs to watch ``(..., L)``: directions of motors, and what ``u`` does to each limit."""
        found = [rows.q1, rows.gain]
        if self.kinds.losses:
            own, efficiency = self.motors.rotor * rows.q1, self.motors.efficiency
            found += [(rows.gain - own) * efficiency**k + own for k in (-1.0, 1.0)]
        return np.concatenate(found, axis=-1)

    def torque(self, speed: np.ndarray) -> np.ndarray:
        """Largest torques of the shafts at their speeds ``(..., m)``."""
        if not self.by_speed:
            return np.broadcast_to(self.motors.peak, speed.shape)
        return self.motors.torque_at(np.minimum(np.abs(speed), self._top))

    def most(self, rows: Rows) -> np.ndarray:
        """Largest ``x`` by limits of speeds."""
        wanted = self.wanted
        parts = [_quotient(self.motors.axis_speed, np.abs(rows.q1)).min(axis=-1)]
        parts += [
            _quotient(limit, np.linalg.norm(rows.p1[..., part], axis=-1))
            for limit, part in ((wanted.speed, slice(3)), (wanted.turning_speed, slice(3, 6)))
        ]
        return np.asarray(np.minimum.reduce(parts) ** 2)

    def interval(self, rows: Rows, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest ``u`` at places, and values of ``x``; see :meth:`Allowed.interval`."""
        return self.allowed(rows).interval(x)

    def allowed(self, rows: Rows) -> Allowed:
        """What does not depend on ``x``, worked out once."""
        limits = self.motors
        own, own_off = limits.rotor * rows.q1, limits.rotor * rows.q2
        bends = self.kinds.losses & (rows.way != 0.0)
        way = np.where(rows.way == 0.0, 1.0, rows.way)[..., None, :]
        kept = np.stack([np.where(bends, limits.efficiency**k, 1.0) for k in (-1.0, 1.0)], axis=-2)
        slopes = way * ((rows.gain - own)[..., None, :] * kept + own[..., None, :])
        with np.errstate(divide="ignore"):
            inverse = 1.0 / slopes
        return Allowed(
            limits=self,
            rows=rows,
            speed=np.abs(rows.q1) * limits.ratio,
            kept=way * kept,
            left=way * own_off[..., None, :] * (1.0 - kept),
            slopes=slopes,
            inverse=inverse,
            rising=(slopes > 0.0).all(axis=-2),
            one_way=((slopes > 0.0).all(axis=-2) | (slopes < 0.0).all(axis=-2)).all(axis=-1),
        )

    def shares(self, rows: Rows, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        """How far each limit is used ``(..., L)``: 1 is at the limit; see :attr:`names`."""
        limits, wanted = self.motors, self.wanted
        tau, qd, qdd = rows.tau(x, u), rows.qd(x), rows.qdd(x, u)
        side = motor_side(self.robot, tau, qd, qdd)
        speed = rows.p1 * np.sqrt(x)[..., None]
        acceleration = rows.p1 * u[..., None] + rows.p2 * x[..., None]
        platform = [
            np.linalg.norm(value[..., part], axis=-1) / limit
            for part, pair in (
                (slice(3), ((speed, wanted.speed), (acceleration, wanted.acceleration))),
                (
                    slice(3, 6),
                    ((speed, wanted.turning_speed), (acceleration, wanted.turning_acceleration)),
                ),
            )
            for value, limit in pair
        ]
        return np.concatenate(
            [
                _quotient(np.abs(side.torque), self.torque(side.speed)),
                np.abs(tau) / limits.effort,
                np.abs(qd) / limits.axis_speed,
                np.abs(qdd) / wanted.motors,
                np.stack(platform, axis=-1),
            ],
            axis=-1,
        )


def _check_standstill(robot: Robot, motors: MotorLimits) -> None:
    """Refuse motors that have no torque where they rest or turn back."""
    torque = motors.torque_at(np.zeros(len(robot.motors)))
    weak = tuple(name for name, most in zip(robot.motors, torque, strict=True) if most <= 0.0)
    if weak:
        raise EffortsInfeasible(
            f"{robot.name}: by its curve motor {weak[0]} has no torque at standstill: it cannot "
            "start the robot, nor turn back",
            hint=f"Give the curve of {weak[0]} a torque at speed 0: that of the stalled motor.",
            motors=weak,
        )


@dataclass(frozen=True, eq=False)
class Allowed:
    """Limits at places of a path, ready for many values of ``x``.

    In the direction of the motion the torque on a shaft is ``max_k(slope_k u + off_k)``: with
    ``k = 0`` the motor drives, with ``k = 1`` it brakes.  Without losses both are the same.

    Attributes:
        limits: all limits.
        rows: coefficients at the places ``(..., m)``.
        speed: of the shafts at a rate of 1.
        kept: what a gear makes of an effort, in the direction of the motion ``(..., 2, m)``.
        left: what the rotor's acceleration adds, by ``x``.
        slopes, inverse: of the torque by ``u``, and one over it.
        rising: whether more ``u`` takes more torque in the direction of the motion.
        one_way: whether all motors' torques either rise or fall, driving and braking ``(...)``.
    """

    limits: Limits
    rows: Rows
    speed: np.ndarray
    kept: np.ndarray
    left: np.ndarray
    slopes: np.ndarray
    inverse: np.ndarray
    rising: np.ndarray
    one_way: np.ndarray

    def at(self, index: Any) -> Allowed:
        """Some of the places."""
        return Allowed(
            self.limits,
            self.rows.at(index),
            self.speed[index],
            self.kept[index],
            self.left[index],
            self.slopes[index],
            self.inverse[index],
            self.rising[index],
            self.one_way[index],
        )

    def interval(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least and largest ``u`` at values of ``x``, which have the places' shape, or any at one.

        Where no ``u`` keeps the limits, the least is above the largest.
        """
        rows, limits = self.rows, self.limits
        kinds, motors, wanted = limits.kinds, limits.motors, limits.wanted
        root, square = np.sqrt(x)[..., None], x[..., None]
        off = rows.square * square + rows.rate * root + rows.rest
        spans = []
        if kinds.torque:
            torque = limits.torque(self.speed * root) * motors.ratio
            spans.append(self._on_shafts(off, square, torque))
        if kinds.effort:
            spans.append(_between(rows.gain, off, motors.effort))
        if kinds.acceleration:
            spans.append(_between(rows.q1, rows.q2 * square, wanted.motors))
        spans = [(span[0].max(axis=-1), span[1].min(axis=-1)) for span in spans]
        for limit, part in kinds.platform:
            spans.append(_within(rows.p1[..., part], rows.p2[..., part], x, limit))
        low, high = spans[0] if spans else (np.full(x.shape, -np.inf), np.full(x.shape, np.inf))
        for least, most in spans[1:]:
            low, high = np.maximum(low, least), np.minimum(high, most)
        return low, high

    def _on_shafts(
        self, off: np.ndarray, square: np.ndarray, torque: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """By torques on shafts, behind gears that lose power."""
        plain = bool(self.one_way.all())
        if plain and not self.limits.kinds.losses:
            inverse = self.inverse[..., 0, :]  # in the direction of the motion, as ``kept`` is
            middle, half = -self.kept[..., 0, :] * off * inverse, torque * np.abs(inverse)
            return middle - half, middle + half
        offs = self.kept * off[..., None, :] + self.left * square[..., None, :]
        torque = torque[..., None, :]
        if not plain:
            return _bent(self.slopes, offs, torque)
        top, bottom = (torque - offs) * self.inverse, (-torque - offs) * self.inverse
        (top_1, top_2), (low_1, low_2) = ((x[..., 0, :], x[..., 1, :]) for x in (top, bottom))
        low = np.where(self.rising, np.minimum(low_1, low_2), np.maximum(top_1, top_2))
        return low, np.where(self.rising, np.minimum(top_1, top_2), np.maximum(low_1, low_2))


def _bent(
    slopes: np.ndarray, offs: np.ndarray, torque: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where ``-torque <= max_k(slope_k u + off_k) <= torque``, slopes of any sign."""
    slopes = np.broadcast_to(slopes, offs.shape)
    up, down, level = slopes > 0.0, slopes < 0.0, slopes == 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        top, bottom = (torque - offs) / slopes, (-torque - offs) / slopes
    high = np.where(up, top, np.inf).min(axis=-2)
    low = np.where(down, top, -np.inf).max(axis=-2)
    low = np.where((level & (offs > torque)).any(axis=-2), np.inf, low)
    # reached from above or from below: between the two nothing is allowed
    above = np.where(up, bottom, np.inf).min(axis=-2)
    below = np.where(down, bottom, -np.inf).max(axis=-2)
    free = (level & (offs >= -torque)).any(axis=-2) | (above <= below)
    rises, falls = up.any(axis=-2), down.any(axis=-2)
    # The rotor's inertia may outweigh what passes the gear, and the middle be forbidden.  The
    # upper end is kept then, so that no limit is ever passed.
    low = np.where(~free & rises, np.maximum(low, above), low)
    high = np.where(~free & ~rises & falls, np.minimum(high, below), high)
    return np.where(~free & ~rises & ~falls, np.inf, low), high


def _quotient(value: np.ndarray | float, by: np.ndarray) -> np.ndarray:
    """A quotient, infinite where it is divided by nothing, and 0 of nothing."""
    value, by = np.broadcast_arrays(np.asarray(value, dtype=float), by)
    empty = np.where(value > 0.0, np.inf, 0.0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.divide(value, by, out=empty, where=by > 0.0))


def _between(
    slope: np.ndarray, off: np.ndarray, bound: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where ``|slope u + off| <= bound``."""
    if slope.all():  # what is not limited has an infinite bound
        middle, half = -off / slope, bound / np.abs(slope)
        return middle - half, middle + half
    with np.errstate(divide="ignore", invalid="ignore"):
        middle, half = -off / slope, bound / np.abs(slope)
        low, high = middle - half, middle + half
    empty = np.where(np.abs(off) <= bound, -np.inf, np.inf)
    level = slope == 0.0
    free = np.isinf(bound)
    low = np.where(free, -np.inf, np.where(level, empty, low))
    return low, np.where(free, np.inf, np.where(level, -empty, high))


def _within(
    one: np.ndarray, two: np.ndarray, x: np.ndarray, limit: float
) -> tuple[np.ndarray, np.ndarray]:
    """Where ``|one u + two x| <= limit``, vectors of three."""
    a, b, c = (np.einsum("...i,...i", p, q) for p, q in ((one, one), (one, two), (two, two)))
    square = (b * x) ** 2 - a * (c * x**2 - limit**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(square)
        low, high = (-b * x - root) / a, (-b * x + root) / a
    fits = c * x**2 <= limit**2
    level = a == 0.0
    low = np.where(level, np.where(fits, -np.inf, np.inf), np.where(square < 0.0, np.inf, low))
    high = np.where(level, np.where(fits, np.inf, -np.inf), np.where(square < 0.0, -np.inf, high))
    return low, high
