"""Coulomb friction of a run: over which speeds it is smoothed, and what that leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from gough.dynamics.loading import check_speed
from gough.dynamics.smoothing import smoothing_speeds
from gough.errors import GoughError
from gough.kernels.functions import inverse_velocity
from gough.robot import Robot
from gough.robot.joint import SKATE, SLIDE
from gough.simulation.drive import Drive
from gough.simulation.result import Simulation

_SAMPLES, _SLOWEST, _ABOVE = 200, 0.1, 5.0
"""Samples of a reference; share of its way that a motor may make slower than what is seen of it,
and how many times as large as the smoothing that speed shall be."""

_MOST_PARTS = 10
"""Shorter than this part of the step wished for none is made."""

_TOO_MUCH = 0.1
"""Share of its loss that Coulomb friction may miss."""

_MATTERS = 0.01
"""Share of the energy in play below which friction that is missed does not matter."""

_ROUNDING = 0.01
"""Share of an energy that is nothing for a machine."""


class Friction(NamedTuple):
    """How a run smooths Coulomb friction.

    Attributes:
        speeds: by the name of the axis [rad/s or m/s], of those that have some.
        parts: steps that are made for one that was wished for, so that such speeds are followed.
        chosen: whether they were chosen here, and not by the user.
    """

    speeds: dict[str, float]
    parts: int
    chosen: bool


def smoothed_friction(
    robot: Robot,
    coulomb: Mapping[str, float],
    smoothing: Any,
    drive: Drive,
    step: float,
    t_end: float,
) -> Friction:
    """Speeds that smooth Coulomb friction: the user's, or the smallest that steps can follow.

    Where a controller's motion is so slow that these are too large, steps are divided.
    """
    if smoothing is not None:
        return Friction(dict.fromkeys(coulomb, check_speed(smoothing)), 1, chosen=False)
    h = min(step, drive.period or step)
    speeds = smoothing_speeds(robot.assembly, coulomb, h)
    wanted = _slow_speeds(robot, drive.reference, t_end) if coulomb else {}
    ratios = [speeds[n] * _ABOVE / v for n, v in wanted.items() if n in speeds and v > 0.0]
    parts = min(_MOST_PARTS, ceil(max(ratios, default=1.0) - 1e-9))
    if parts > 1:
        speeds = smoothing_speeds(robot.assembly, coulomb, h / parts)
    return Friction(speeds, max(parts, 1), chosen=True)


def _slow_speeds(robot: Robot, reference: Any, t_end: float) -> dict[str, float]:
    """Rates below which motors make a small share of their way along a motion; none if unknown."""
    if not callable(reference):
        return {}
    try:
        T, V, _ = reference(np.linspace(0.0, t_end, _SAMPLES))
        rates = np.abs(inverse_velocity(robot, T, V, engine="compiled"))
    except GoughError:
        return {}  # the controller says what is wrong with it
    found = {}
    for name, rate in zip(robot.motors, rates.T, strict=True):
        slow_first = np.sort(rate)
        way = np.cumsum(slow_first)
        found[name] = float(slow_first[np.searchsorted(way, _SLOWEST * way[-1])])
    return found


def slow_friction(found: Simulation, small: float, step: float, *, chosen: bool) -> Iterator[str]:
    """Say it where Coulomb friction took far less than it should.

    Args:
        found: the run.
        small: energy that is nothing for this machine [J].
        step: longest step [s].
        chosen: whether the step has chosen the speeds, and not the user.
    """
    if not any(found.smoothing.values()):
        return
    loss, missed = (_last(x) for x in (found.loss, found.missed_loss))
    kinetic = np.nan_to_num(found.kinetic).reshape(-1, len(found.t)).max(axis=1)
    play = kinetic + np.abs(_last(found.work)) + loss + missed
    matters = missed > np.maximum(_MATTERS * play, _ROUNDING * small)
    bad = matters & (missed > _TOO_MUCH * (loss + missed))
    if not bad.any():
        return
    share = np.where(bad, missed / np.maximum(loss + missed, 1e-300), 0.0)
    worst = int(share.argmax())
    told = f"{found.robot.name}: friction took {loss[worst]:.3g} J, "
    told += f"{100.0 * share[worst]:.0f} % less than Coulomb friction should"
    if share.size > 1:
        told = f"{told}, in the worst of {share.size} machines"
    name, speed = max(found.smoothing.items(), key=lambda item: item[1])
    unit = "m/s" if found.robot.assembly.axes[name].what in (SLIDE, SKATE) else "rad/s"
    better = (
        f"a shorter step than {step:.3g} s allows smaller ones"
        if chosen
        else "give a smaller smoothing"
    )
    yield (
        f"{told}: axes moved about as slowly as the speeds over which it is smoothed, "
        f"{speed:.2g} {unit} at {name!r}, or crept where they should stick; {better}"
    )


def _last(array: np.ndarray) -> np.ndarray:
    """The last numbers of each machine."""
    flat = array.reshape(-1, array.shape[-1])
    known = np.isfinite(flat).sum(axis=1)
    return np.array([row[max(k - 1, 0)] for row, k in zip(flat, known, strict=True)])
