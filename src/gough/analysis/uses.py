"""How much a motion uses of what the motors can give on their shafts, by their data.

Torque is compared with the curve at the speed of the same instant, its root mean square over the
motion and the torque that holds the robot at rest with the continuous torque, speed with the top
speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gough.dynamics.answers.motor_limits import MotorLimits

ROUNDING = 1e-9
"""A limit is passed where it is exceeded by more than this share: a motion planned to it is not."""

SAMPLED = 1e-3
"""The same for a root mean square: torques may jump between the samples that it is found from."""


class Use(NamedTuple):
    """How much of one of its limits a motor uses, on its shaft.

    Attributes:
        kind: ``"motor_peak"``, ``"motor_speed"``, ``"motor_rms"`` or ``"motor_holding"``.
        value: torque or speed where the use is largest; the root mean square of the whole motion.
        limit: what it is compared with; for the peak, the curve at the speed of that instant.
        share: ``value / limit``; infinite where the curve leaves no torque.
        unit: of value and limit: N m or rad/s, of a linear motor N or m/s.
        speed: of the shaft in that instant, unsigned [rad/s or m/s].
        time: of the largest use [s]; of the root mean square the start of the motion.
        first: when the limit is first exceeded, between samples by a straight line [s]; ``None``
            if it is kept.
    """

    kind: str
    value: float
    limit: float
    share: float
    unit: str
    speed: float
    time: float
    first: float | None

    @property
    def factor(self) -> float:
        """Safety factor: how many times over the motor could give it."""
        return 1.0 / self.share if self.share else np.inf


class OnShaft(NamedTuple):
    """One motor over K samples, on its shaft.

    Attributes:
        t: times ``(K,)`` [s].
        torque, speed: ``(K,)``.
        held: torque that holds the robot at rest in the poses of the samples ``(K,)``; not numbers
            if not known.
        rms: root mean square of the torque.
        mean_speed: mean magnitude of the speed.
        units: of torque and speed.
    """

    t: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    held: np.ndarray
    rms: float
    mean_speed: float
    units: tuple[str, str]


def uses(limits: MotorLimits, i: int, one: OnShaft) -> Iterator[Use]:
    """Uses of motor ``i``, of those limits that are known."""
    effort, speed = one.units
    pace = np.abs(one.speed)
    top, continuous = float(limits.top_speed[i]), float(limits.continuous[i])
    if np.isfinite(limits.peak[i]):
        curve = limits.motors[i].torque_at(pace)
        # beyond the top speed there is no torque to compare with: the speed itself is judged
        torque = np.where(pace > top * (1.0 + ROUNDING), np.nan, one.torque)
        curve = np.where(pace > top, limits.motors[i].torque_at(top), curve)
        yield from _over_time("motor_peak", one, torque, curve, effort)
    if np.isfinite(continuous):
        if np.isfinite(one.rms):
            share, start = one.rms / continuous, float(one.t[0])
            first = start if share > 1.0 + SAMPLED else None
            yield Use(
                *("motor_rms", one.rms, continuous, share, effort),
                *(one.mean_speed, start, first),
            )
        still = one._replace(speed=np.zeros(pace.shape))
        lasting = np.full(pace.shape, min(continuous, float(limits.motors[i].torque_at(0.0))))
        yield from _over_time("motor_holding", still, one.held, lasting, effort)
    if np.isfinite(top):
        yield from _over_time("motor_speed", one, one.speed, np.full(pace.shape, top), speed)


def _over_time(
    kind: str, one: OnShaft, values: np.ndarray, limits: np.ndarray, unit: str
) -> Iterator[Use]:
    """A figure of every sample against its limit in that sample; nothing if none is known."""
    size = np.abs(values)
    if not np.isfinite(size).any():
        return
    most = float(np.nanmax(limits))
    slack = ROUNDING * most
    with np.errstate(divide="ignore", invalid="ignore"):
        # where the curve ends at zero, no torque is no use of it
        share = np.where(size > slack, size / limits, size / most)
    k = int(np.nanargmax(share))
    yield Use(
        kind,
        float(size[k]),
        float(limits[k]),
        float(share[k]),
        unit,
        float(np.abs(one.speed[k])),
        float(one.t[k]),
        first_time(one.t, size - limits - slack),
    )


def first_time(t: np.ndarray, excess: np.ndarray) -> float | None:
    """When a figure first is above zero, by a straight line between samples."""
    above = np.flatnonzero(excess > 0.0)
    if not len(above):
        return None
    k = int(above[0])
    if k == 0 or not np.isfinite(excess[k - 1]):
        return float(t[k])
    share = -excess[k - 1] / (excess[k] - excess[k - 1])
    return float(t[k - 1] + share * (t[k] - t[k - 1]))
