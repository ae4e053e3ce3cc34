"""From independent coordinates to the full, consistent state of the platform.

The freedoms are coordinates among ``x y z rx ry rz``: the position of the platform origin [m] and
the rotation vector of its orientation [rad], see :mod:`gough.mechanism.mobility.chart`.  Those that
the legs decide (the parasitic motions of a 3-RPS, the angle of a five-bar's link) are found by
closing the loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from gough.base.batch import check_finite
from gough.base.dual import moving, slopes
from gough.base.spatial import Array, collect
from gough.errors import InputError, UnreachablePose
from gough.geometry.branch import continues
from gough.geometry.failure import widest_gap
from gough.geometry.newton import AssembledState, close_on_branch, led
from gough.geometry.walk import at_once
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import platform_scales
from gough.mechanism.closure.later import moment_later
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import CLOSED, Closed, freedoms_held

_SMALLEST_STRIDE = 1e-4  # share of the way (of 1 rad, if it turns further) at which it is refused
_LARGEST_TURN = 1.0  # of the platform in one stride [rad]: half a turn would have two directions
_MOST_TURN = 4.0 * np.pi  # from home [rad]; more is likely to be degrees


def of_freedoms(
    assembly: Assembly, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray, *xddd: np.ndarray
) -> list[np.ndarray]:
    """Pose, twist and twist rate of one state, and the rate of that if third derivatives are given.

    Args:
        assembly: the robot.
        x: freedoms ``(n,)`` [m, rad].
        xd: their time derivatives.
        xdd: their second time derivatives.
        *xddd: their third time derivatives.

    Equations:
        [BK] (1), (18), [KI] (9), (13).
    """
    for name, a in zip(("x", "xd", "xdd", "xddd"), (x, xd, xdd, *xddd), strict=False):
        check_finite(a, name)
    chart = assembly.chart
    y, configuration = reach(assembly, x)
    T_0p = chart.pose(y)
    solution = assembly.solution(assembly.equations(T_0p, configuration))
    complete = partial(_complete, assembly, solution, chart.rates(y))
    yd, V = complete(xd, np.zeros(6), solution.platform_rows()[1])
    rates = solution.rates(V)
    _, b = solution.platform_rows(_biases(solution, V, rates))
    ydd, Vdot = complete(xdd, chart.bias(y, yd), b)
    found = [T_0p, V, Vdot]
    for given in xddd:
        side = _jerk_side(moment_later(solution, V, rates), V, Vdot)
        found.append(complete(given, chart.jerk_bias(y, yd, ydd), side)[1])
    return found


def _biases(solution: Solution, V: Array, rates: Rates) -> RightSide:
    return RightSide(*solution.equations.biases(V, rates.hub, rates.legs))


def _jerk_side(later: Solution, V: np.ndarray, Vdot: np.ndarray) -> np.ndarray:
    """Right side of ``B Vddot = bdot - Bdot Vdot``, the derivative of ``B Vdot = b``."""
    V_later = moving(V, Vdot)
    B, b = later.platform_rows(_biases(later, V_later, later.rates(V_later)))
    return np.asarray(slopes(collect(b) - B @ moving(Vdot, np.zeros(6))))


def _complete(
    assembly: Assembly,
    solution: Solution,
    J: np.ndarray,
    given: np.ndarray,
    carried: np.ndarray,
    b: Sequence[Any] | np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """All six coordinate rates y from the given ones, and the twist ``V = J y + carried``.

    The legs demand ``B V = b``; or the same of derivatives of the twist.
    """
    B, _ = solution.platform_rows()
    free, dependent = list(assembly.free), list(solution.dependent)
    full = np.zeros(6)
    full[free] = given
    if dependent:
        rows = 1.0 / platform_scales(solution, assembly.length)
        units = np.where(np.array(dependent) < 3, assembly.length, 1.0)
        right = (np.asarray(b, dtype=float) - B @ (J @ full + carried)) * rows
        natural = (B @ J[:, dependent]) * rows[:, None] * units
        full[dependent] = np.linalg.lstsq(natural, right, rcond=1e-12)[0] * units
    return full, J @ full + carried


def reach(assembly: Assembly, x: np.ndarray) -> tuple[np.ndarray, Configuration]:
    """Close the loops with the independent coordinates held.

    By the closed form where the other coordinates do not depend on them; otherwise the machine is
    moved there from home, in steps that Newton's method can take.

    Returns:
        All six coordinates of the platform ``(6,)`` [m, rad], and the coordinates of every link.
    """
    chart, free = assembly.chart, list(assembly.free)
    held = freedoms_held(chart, free)
    T_start, configuration = assembly.start
    y = chart.coordinates(T_start)
    start, way = y[free].copy(), x - y[free]
    # the rotation vector is followed all the way: 7 rad is not 0.717 rad
    turn = float(np.abs(way[[i > 2 for i in free]]).max(initial=0.0))
    if turn > _MOST_TURN:
        raise InputError(
            f"a rotation of {turn:.4g} rad from home", hint="Likely: degrees; gough takes radians."
        )
    wanted = y.copy()
    wanted[free] = x
    known = at_once(assembly, chart.pose(wanted)) if turn < np.pi else None
    # what depends on the freedoms stays where it is at the start, and all loops close
    if known is not None and assembly.closure_error(known) <= CLOSED:
        return wanted, known.configuration
    longest = _LARGEST_TURN / max(turn, 1e-9)

    def posed(place: Closed) -> AssembledState:
        return AssembledState(chart.pose(place.y), place.configuration)

    def attempt(share: float, here: Closed) -> Closed | None:
        y = here.y.copy()
        y[free] = start + share * way
        there = close_on_branch(assembly, held, y, here.configuration)
        follows = there is not None and continues(assembly, posed(here), posed(there))
        return there if follows else None

    smallest = _SMALLEST_STRIDE * min(1.0, longest)
    there, done = led(Closed(y, configuration), attempt, longest, smallest)
    if done < 1.0:
        there.y[free] = start + min(1.0, done + smallest) * way
        raise _unreachable(assembly, *there[:2], done)
    return there.y, there.configuration


def _unreachable(
    assembly: Assembly, full: np.ndarray, configuration: Configuration, done: float
) -> UnreachablePose:
    worst = widest_gap(assembly, assembly.chart.pose(full), configuration)
    return UnreachablePose(
        f"{assembly.robot.name}: the freedoms cannot be reached: from home they get "
        f"{100 * done:.1f} % of the way, then joint {worst.joint!r} of leg {worst.leg!r} gives out",
        hint="Likely: outside the workspace, a singularity on the way, or degrees or millimetres "
        "(gough is SI only).",
        leg=worst.leg,
        joint=worst.joint,
        missing=worst.length,
        share=done,
    )
