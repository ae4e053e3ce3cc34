"""How far freedoms and motors go: the ends of the sliders of a page."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.errors import GoughError
from gough.evaluation.loops.closing import Closer, States
from gough.functions.kinematics import inverse_kinematics
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.singularity.workspace.walking import Walker

FARTHEST, FARTHEST_TURN = 1.0, 2.5
"""Longest ways that are looked at: a length of the robot, or 143 degrees."""

BEYOND = 0.08
"""What sliders have beyond what is free, as a share of it: what stops a robot is to be seen."""

_TOLERANCE = 0.01  # a share of the way: sliders go beyond it anyway
_USUAL = 0.2  # where nothing is known: a share of the length, or radians


class Ranges(NamedTuple):
    """Where sliders end.

    Attributes:
        freedoms: lowest and highest of each freedom ``(n, 2)`` [m, rad].
        motors: of each motor ``(m, 2)`` [m, rad].
        ends: states at the ends of the freedoms' ways from home.
    """

    freedoms: np.ndarray
    motors: np.ndarray
    ends: States | None


def find_ranges(assembly: Assembly) -> Ranges:
    """How far every freedom goes from home alone, and the motors with it."""
    n = assembly.mobility
    home = assembly.chart.coordinates(np.asarray(assembly.start[0]))[list(assembly.free)]
    usual = _USUAL * assembly.scales.freedoms
    freedoms, ends = np.column_stack([home - usual, home + usual]), None
    try:
        closer = Closer(assembly)
        walker = _walker(closer)
        turns = [place > 2 for place in assembly.free]
        far = np.where(turns, FARTHEST_TURN, FARTHEST) * assembly.scales.freedoms
        ways = np.concatenate([np.diag(-far), np.diag(far)])
        begin = closer.home.repeated(2 * n)
        found = walker.walked(begin, home + ways, _TOLERANCE)
        reached = np.diagonal(found.last.y[:, list(assembly.free)].reshape(2, n, n), 0, 1, 2)
        freedoms, ends = reached.T, found.last
    except GoughError:
        pass  # home is singular: sliders have the usual ends, and the page says what stops it
    freedoms = _widened(freedoms, BEYOND)
    return Ranges(freedoms, _of_motors(assembly, ends), ends)


def _walker(closer: Closer) -> Walker:
    try:
        return Walker(closer)
    except GoughError:  # home is beyond a limit
        return Walker(closer, limits=False)


def _of_motors(assembly: Assembly, ends: States | None) -> np.ndarray:
    """Limits of the motors where they have some; else where the ends of the freedoms lead them."""
    robot, scales = assembly.robot, assembly.scales
    q = np.array([[assembly.home_values[name] for name in robot.motors]])
    met = [q]
    if ends is not None and len(robot.motors) and not robot.serial_axes:
        poses = Closer(assembly).poses(ends.y)
        met.append(inverse_kinematics(assembly.robot, poses, on_error="nan"))
    met_all = np.concatenate(met)
    low, high = np.nanmin(met_all, axis=0), np.nanmax(met_all, axis=0)
    usual = _USUAL * scales.motors
    found = _widened(
        np.column_stack([np.minimum(low, q[0] - usual), np.maximum(high, q[0] + usual)]), BEYOND
    )
    for k, name in enumerate(robot.motors):
        limits = robot.axis(name).limits.position
        if limits is not None:
            stroke = np.array([limits])
            if is_turn(assembly.axes[name]):  # a limit of many turns says nothing
                stroke = np.clip(stroke, q[0, k] - 2.0 * np.pi, q[0, k] + 2.0 * np.pi)
            found[k] = _widened(stroke, BEYOND)[0]
    return found


def _widened(pairs: np.ndarray, share: float) -> np.ndarray:
    """Ranges that are longer by a share at both ends."""
    more = share * np.diff(pairs, axis=1)
    return np.concatenate([pairs[:, :1] - more, pairs[:, 1:] + more], axis=1)
