"""What a motor can give, drawn over speed: its peak curve, its top speed, its continuous torque."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gough.analysis.uses import ROUNDING
from gough.report.style import MUTED, WARN
from gough.robot.motor import Motor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAR = 2.5
"""A limit further away than this many times the largest figure would flatten the curves."""

_PEAK, _LASTING = (0, (5, 3)), (0, (1, 2))


def draw_envelope(axes: Axes, motor: Motor | None, speed: np.ndarray, torque: np.ndarray) -> None:
    """The envelope of a motor around its torques over speeds ``(K,)``; what is outside in red.

    Args:
        axes: to draw in.
        motor: its data, if there are any.
        speed: of the shaft.
        torque: on the shaft.
    """
    fastest, hardest = (_largest(x) for x in (speed, torque))
    if motor is None:
        return
    top = FAR * fastest if motor.top_speed is None else motor.top_speed
    wide, high = 1.15 * fastest, 1.15 * hardest
    if motor.largest is not None:
        speeds, torques = peak_curve(motor, top)
        for sign in (1.0, -1.0):
            name = "peak torque at that speed" if sign > 0.0 else "_"
            axes.plot(speeds, sign * torques, label=name, color=MUTED, ls=_PEAK, lw=1.1)
        high = max(high, min(1.1 * motor.largest, FAR * hardest))
        _mark_outside(axes, motor, speed, torque)
    if motor.top_speed is not None:
        wide = max(wide, min(1.1 * top, FAR * fastest))
        ends = motor.torque_at(top) if motor.largest is not None else high
        for sign in (1.0, -1.0):
            axes.plot([sign * top] * 2, [-ends, ends], color=MUTED, ls=_PEAK, lw=1.1)
    if motor.continuous is not None:
        for sign in (1.0, -1.0):
            name = "continuous torque" if sign > 0.0 else "_"
            level = [sign * motor.continuous] * 2
            axes.plot([-top, top], level, label=name, color=MUTED, ls=_LASTING, lw=1.3)
        high = max(high, min(1.1 * motor.continuous, FAR * hardest))
    if wide > 0.0 and high > 0.0:
        axes.set(xlim=(-wide, wide), ylim=(-high, high))


def peak_curve(motor: Motor, top: float) -> tuple[np.ndarray, np.ndarray]:
    """Speeds from ``-top`` to ``top`` and the largest torques there, at the corners."""
    corners = [speed for speed, _ in motor.curve or ()] + [0.0, top]
    speeds = np.unique([sign * speed for speed in corners for sign in (-1.0, 1.0)])
    return speeds, np.asarray(motor.torque_at(speeds))


def _mark_outside(axes: Axes, motor: Motor, speed: np.ndarray, torque: np.ndarray) -> None:
    """Torques above the curve in red."""
    outside = np.abs(torque) > motor.torque_at(speed) * (1.0 + ROUNDING)
    if outside.any():
        shown = np.where(outside, torque, np.nan)
        axes.plot(speed, shown, color=WARN, lw=2.4, marker=".", ms=3.0, label="beyond the motor")


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
