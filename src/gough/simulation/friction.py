"""Coulomb friction of a run: the speeds over which it is smoothed, and the loss that it misses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gough.base.options import options
from gough.dynamics.answers.smoothing import largest_speeds, machine_speeds
from gough.errors import GoughError
from gough.functions.kinematics import motor_rates
from gough.robot import Robot
from gough.robot.joint_kinds import PLANE, SLIDE
from gough.simulation.drive import Drive
from gough.simulation.result import Simulation

_SAMPLES, _SLOWEST, _ABOVE = 200, 0.1, 5.0
"""Samples of a reference; share of its way that a motor may make below its slow speed; and how many
times the smoothing speed the slow speed must be: friction is then right to two per cent."""

_MOST_PARTS = 10
"""Most parts into which a step is divided for friction: the run takes as many times as long."""

_TOO_MUCH = 0.1
"""Share of its loss that Coulomb friction may miss without a warning."""

_MATTERS = 0.01
"""Share of kinetic energy and works below which missed friction does not matter."""

_ROUNDING = 0.01
"""Share of the machine's negligible energy below which missed friction does not matter."""


class Friction(NamedTuple):
    """Smoothing of Coulomb friction in a run.

    Attributes:
        speeds: of each machine and axis ``(N, axes)`` [rad/s or m/s]; not a number where there is
            no Coulomb friction.
        parts: steps that are made for each requested one, so that such speeds are followed.
        chosen: whether they were chosen here, and not by the user.
    """

    speeds: np.ndarray
    parts: int
    chosen: bool

    @property
    def given(self) -> np.ndarray:
        """Speeds as kernels take them ``(N, axes)``."""
        return np.asarray(np.nan_to_num(self.speeds))


def smoothed_friction(
    robot: Robot,
    coulomb: np.ndarray,
    smoothing: float | None,
    drive: Drive,
    step: float,
    t_end: float,
) -> Friction:
    """Speeds that smooth Coulomb friction: the user's, or the smallest that steps can follow.

    Where a controller's motion is so slow that these are too large, steps are divided.  Every
    machine has the speeds that it would have alone, however many steps the others ask for.

    Args:
        robot: the machine.
        coulomb: friction of each machine and axis ``(N, axes)`` [N m or N].
        smoothing: the user's speed, or ``None``.
        drive: what drives the machines.
        step: longest step [s].
        t_end: how long the run is [s].
    """
    none = coulomb == 0.0
    if smoothing is not None:
        return Friction(np.where(none, np.nan, smoothing), 1, chosen=False)
    h = min(step, drive.period or step)
    speeds = machine_speeds(robot.assembly, coulomb, h)
    wanted = {} if none.all() else _slow_speeds(robot, drive.reference, t_end)
    ratios = [
        speeds[:, robot.axis_names.index(name)] * _ABOVE / v
        for name, v in wanted.items()
        if v > 0.0
    ]
    most = np.max([np.ones(len(speeds)), *ratios], axis=0)
    parts = np.minimum(_MOST_PARTS, np.ceil(most - 1e-9))
    if (parts > 1).any():
        speeds = machine_speeds(robot.assembly, coulomb, h / parts)
    return Friction(np.where(none, np.nan, speeds), int(parts.max()), chosen=True)


def _slow_speeds(robot: Robot, reference: Any, t_end: float) -> dict[str, float]:
    """Rates below which motors make a tenth of their way along a motion; none if unknown."""
    if not callable(reference):
        return {}
    try:
        with options(engine="compiled"):
            rates = np.abs(motor_rates(robot, reference(np.linspace(0.0, t_end, _SAMPLES))))
    except GoughError:
        return {}  # the controller says what is wrong with it
    found = {}
    for name, rate in zip(robot.motors, rates.T, strict=True):
        slow_first = np.sort(rate)
        way = np.cumsum(slow_first)
        found[name] = float(slow_first[np.searchsorted(way, _SLOWEST * way[-1])])
    return found


def slow_friction(found: Simulation, small: float, step: float, *, chosen: bool) -> Iterator[str]:
    """Sentences about runs in which smoothed friction took far less than Coulomb friction would.

    Args:
        found: the run.
        small: negligible energy of this machine [J].
        step: longest step [s].
        chosen: whether the speeds follow from the step, and were not given by the user.
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
    sentence = f"{found.robot.name}: friction took {loss[worst]:.3g} J, "
    sentence += f"{100.0 * share[worst]:.0f} % less than Coulomb friction should"
    if share.size > 1:
        sentence = f"{sentence}, in the worst of {share.size} machines"
    own = found.smoothing_speeds.reshape(share.size, -1)[worst]
    name, speed = max(largest_speeds(found.robot, own).items(), key=lambda item: item[1])
    unit = "m/s" if found.robot.assembly.axes[name].what in (SLIDE, PLANE) else "rad/s"
    better = (
        f"a shorter step than {step:.3g} s allows smaller ones"
        if chosen
        else "give a smaller smoothing"
    )
    yield (
        f"{sentence}: axes moved about as slowly as the speeds over which it is smoothed, "
        f"{speed:.2g} {unit} at {name!r}, or crept where they should stick; {better}"
    )


def _last(array: np.ndarray) -> np.ndarray:
    """The last numbers of each machine."""
    flat = array.reshape(-1, array.shape[-1])
    known = np.isfinite(flat).sum(axis=1)
    return np.array([row[max(k - 1, 0)] for row, k in zip(flat, known, strict=True)])
