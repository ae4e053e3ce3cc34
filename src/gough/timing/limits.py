"""What is allowed along a path: motors on their shafts and axes, platform, all in one place.

At a place with squared rate ``x`` the accelerations ``u`` of the clock that keep all limits are an
interval.  With a gear that loses power the torque on the shaft is a convex function of ``u`` in the
direction of the motion, of two straight pieces: a motor that drives gives more than one that
brakes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.dynamics.answers.motor_limits import MotorLimits
from gough.dynamics.answers.motor_side import motor_side
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


class Limits:
    """All limits of a robot on a path.

    Args:
        robot: the machine.
        motors: limits of its motors.
        wanted: limits beside them.
    """

    def __init__(self, robot: Robot, motors: MotorLimits, wanted: Wanted) -> None:
        self.robot, self.motors, self.wanted = robot, motors, wanted
        self._constant = all(motor.curve is None for motor in motors.motors)
        # a speed that is at its limit but for rounding still has its torque
        self._top = np.where(np.isfinite(motors.top_speed), motors.top_speed, np.inf)
        self._lossy = bool((motors.efficiency < 1.0).any())

    @property
    def names(self) -> list[str]:
        """Names of all limits, in the order of :meth:`shares`."""
        own = [f"{name} {kind}" for kind in MOTOR_KINDS for name in self.robot.motors]
        return own + [f"platform {kind}" for kind in PLATFORM_KINDS]

    def slopes(self, rows: Rows) -> np.ndarray:
        """Signs to watch ``(..., L)``: directions of motors, and what ``u`` does to each limit."""
        found = [rows.q1, rows.gain]
        if self._lossy:
            own, efficiency = self.motors.rotor * rows.q1, self.motors.efficiency
            found += [(rows.gain - own) * efficiency**k + own for k in (-1.0, 1.0)]
        return np.concatenate(found, axis=-1)

    def torque(self, speed: np.ndarray) -> np.ndarray:
        """Largest torques of the shafts at their speeds ``(..., m)``."""
        if self._constant:
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
        """Least and largest ``u`` at places, or at one place, and values of ``x``.

        Where no ``u`` keeps the limits, the least is above the largest.
        """
        limits, wanted = self.motors, self.wanted
        off, ratio = rows.off(x), limits.ratio
        torque = self.torque(ratio * rows.qd(x)) * ratio
        bound = np.minimum(torque, limits.effort) if not self._lossy else limits.effort
        spans = [_between(rows.gain, off, bound)]
        if self._lossy:
            spans.append(self._on_shafts(rows, x, off, torque))
        if np.isfinite(wanted.motors).any():
            spans.append(_between(rows.q1, rows.q2 * x[..., None], wanted.motors))
        low = np.max([span[0].max(axis=-1) for span in spans], axis=0)
        high = np.min([span[1].min(axis=-1) for span in spans], axis=0)
        for limit, part in (
            (wanted.acceleration, slice(3)),
            (wanted.turning_acceleration, slice(3, 6)),
        ):
            if np.isfinite(limit):
                a, b = _within(rows.p1[..., part], rows.p2[..., part], x, limit)
                low, high = np.maximum(low, a), np.minimum(high, b)
        return low, high

    def _on_shafts(
        self, rows: Rows, x: np.ndarray, off: np.ndarray, torque: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The same by torques on shafts, behind gears that lose power.

        In the direction of the motion the torque is ``max_k(slope_k u + off_k)``.
        """
        rotor, efficiency = self.motors.rotor, self.motors.efficiency
        direction = np.sign(rows.q1)
        own, own_off = rotor * rows.q1, rotor * rows.q2 * x[..., None]
        still = direction == 0.0
        way = np.where(still, 1.0, direction)
        passed, passed_off = rows.gain - own, off - own_off
        slopes, offs = [], []
        for power in (-1.0, 1.0):
            kept = np.where(still, 1.0, efficiency**power)
            slopes.append(way * (passed * kept + own) + 0.0 * off)
            offs.append(way * (passed_off * kept + own_off))
        low, high = np.full(off.shape, -np.inf), np.full(off.shape, np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            crossings = []
            for slope, each in zip(slopes, offs, strict=True):
                up = (torque - each) / slope
                high = np.where(slope > 0.0, np.minimum(high, up), high)
                low = np.where(slope < 0.0, np.maximum(low, up), low)
                low = np.where((slope == 0.0) & (each > torque), np.inf, low)
                crossings.append((-torque - each) / slope)
            one, two = crossings
            rising, falling = (
                (slopes[0] > 0.0) & (slopes[1] > 0.0),
                (slopes[0] < 0.0) & (slopes[1] < 0.0),
            )
            low = np.where(rising, np.maximum(low, np.minimum(one, two)), low)
            high = np.where(falling, np.minimum(high, np.maximum(one, two)), high)
            # The rotor's inertia alone outweighs what passes the gear: both ends are allowed, the
            # middle is not.  The upper end is kept, so that no limit is ever passed.
            mixed = ~rising & ~falling
            up = np.where(slopes[0] > 0.0, one, np.where(slopes[1] > 0.0, two, -np.inf))
            down = np.where(slopes[0] < 0.0, one, np.where(slopes[1] < 0.0, two, np.inf))
            flat = (slopes[0] == 0.0) & (slopes[1] == 0.0)
            low = np.where(mixed & ~flat & (up > down), np.maximum(low, up), low)
            short = flat & (np.maximum(*offs) < -torque)
            low = np.where(short, np.inf, low)
        return low, high

    def shares(self, rows: Rows, x: np.ndarray, u: np.ndarray) -> np.ndarray:
        """How far each limit is used ``(..., L)``: 1 is at the limit; see :attr:`names`."""
        limits, wanted = self.motors, self.wanted
        tau, qd, qdd = rows.tau(x, u), rows.qd(x), rows.qdd(x, u)
        side = motor_side(self.robot, tau, qd, qdd)
        speed, acceleration = rows.p1 * np.sqrt(x)[..., None], None
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


def _quotient(value: np.ndarray | float, by: np.ndarray) -> np.ndarray:
    """A quotient, infinite where it is divided by nothing, and 0 of nothing."""
    value, by = np.broadcast_arrays(np.asarray(value, dtype=float), by)
    empty = np.where(value > 0.0, np.inf, 0.0)
    with np.errstate(invalid="ignore"):
        return np.divide(value, by, out=empty, where=by > 0.0)


def _between(
    slope: np.ndarray, off: np.ndarray, bound: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where ``|slope u + off| <= bound``."""
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
