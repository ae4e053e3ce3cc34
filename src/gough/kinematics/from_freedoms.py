"""A robot's own coordinates as the state of a program: pose, twist and twist rate from them.

Coordinates of the platform that are no freedoms are constants, or the legs decide them: the angle
of a five-bar's link, the parasitic motions of a 3-RPS.  The latter are found by a fixed number of
Newton's steps on a straight way from home.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.conditions import Refusing
from gough.base.linalg import least_squares
from gough.base.once import known_of
from gough.base.spatial import Array, collect, cross, snap
from gough.base.stop_gradient import differentiated, held
from gough.errors import TraceError
from gough.geometry.constant_entries import SAME, constant_coordinates
from gough.geometry.joints_from_pose import closing, unsettled
from gough.kinematics.conditions import ConvergedSteps, WithinHalfTurn
from gough.kinematics.consistency import natural_square
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly

STRIDES, STEPS = 2, 4
"""Strides from home, and Newton's steps in each: what one stride leaves open, the next closes."""


def motion_from_freedoms(
    assembly: Assembly, rules: Refusing, x: Array, xd: Array, xdd: Array, *xddd: Array
) -> tuple[Array, ...]:
    """Pose, twist and twist rate from the robot's freedoms, and the next rate if one is given."""
    own, rest, chart = constant_coordinates(assembly), np.zeros(6), assembly.chart
    if own is None:
        return _by_closing(assembly, rules, x, xd, xdd, *xddd)
    y, yd, ydd, *yddd = (
        _placed(assembly, values, start)
        for values, start in zip((x, xd, xdd, *xddd), (own, rest, rest, rest), strict=False)
    )
    J = chart.rates(y)
    T, V, Vdot = chart.pose(y), J @ yd, J @ ydd + chart.bias(y, yd)
    later = [J @ each + chart.jerk_bias(y, yd, ydd) for each in yddd]
    rules.require(WithinHalfTurn(assembly, y))
    return (T, V, Vdot, *later)


def _by_closing(
    assembly: Assembly, rules: Refusing, x: Array, xd: Array, xdd: Array, *xddd: Array
) -> tuple[Array, ...]:
    """The same where the legs decide some coordinates."""
    if xddd:
        raise TraceError("the legs decide part of its pose")
    chart = assembly.chart
    y, steps = _closed(assembly, x)
    along = Along(assembly, y)
    V = along.twist(xd)
    yd = along.back @ V
    drift = Kinematics(assembly, along.solution, V, rules=rules).Vdot
    Vdot = along.twist(xdd, drift - chart.bias(y, yd)) + drift
    rules.require(WithinHalfTurn(assembly, y))
    rules.require(ConvergedSteps(_sizes(assembly, steps)))
    return chart.pose(y), V, Vdot


class Along:
    """Twists that rates of the freedoms mean, at coordinates y; loops may be open.

    Args:
        assembly: the robot.
        y: six coordinates of the platform.
        solution: the machine there; with joints as the pose alone decides them, if not given.
    """

    def __init__(self, assembly: Assembly, y: Array, solution: Solution | None = None) -> None:
        self.y, self.free = y, list(assembly.free)
        if solution is None:
            solution = unsettled(assembly, assembly.chart.pose(y))
        self.solution = solution
        self.back = _inverse(assembly.chart.rates(y))
        self.rates = self.back[self.free] @ self.solution.Psi

    def twist(self, xd: Array, carried: Array | None = None) -> Array:
        """``Psi V_r`` with ``(J^-1 (Psi V_r + carried))_free = xd``."""
        return self.solution.Psi @ self.reduced(xd, carried)

    def reduced(self, xd: Array, carried: Array | None = None) -> Array:
        """``V_r`` with ``(J^-1 (Psi V_r + carried))_free = xd``."""
        wanted = xd if carried is None else xd - self.back[self.free] @ carried
        return least_squares(self.rates, wanted)


def _closed(assembly: Assembly, x: Array) -> tuple[Array, list[list[Array]]]:
    """All six coordinates where the loops close, and the steps that led there, stride by stride.

    In a program with derivatives one more step follows, and they are taken through that one alone.
    """
    start = assembly.chart.coordinates(np.asarray(assembly.start[0]))
    home = np.array([start[i] for i in assembly.free])
    known = _dependent(assembly)
    y: Array = snap(start)
    strides: list[list[Array]] = []
    for stride in range(1, STRIDES + 1):
        share = stride / STRIDES
        part = x if stride == STRIDES else home * (1.0 - share) + x * share
        steps: list[Array] = []
        for _ in range(STEPS):
            y, step = _step(assembly, _placed(assembly, part, y), known)
            steps.append(step)
        strides.append(steps)
    if differentiated([y]):
        y, step = _step(assembly, _placed(assembly, x, held(y)), known)
        strides[-1].append(step)
    return y, strides


def _step(assembly: Assembly, y: Array, dependent: Sequence[int]) -> tuple[Array, Array]:
    """One Newton step of the coordinates that the legs decide, the freedoms held."""
    along = Along(assembly, y)
    gap = closing(along.solution)
    change = along.back @ (along.twist(np.zeros(len(along.free)), gap) + gap)
    step = collect([change[i] if i in dependent else 0.0 for i in range(6)])
    return y + step, step


@known_of(Assembly)
def _dependent(assembly: Assembly) -> list[int]:
    """Coordinates that the legs decide and that are not the same everywhere."""
    poses = [assembly.start, *assembly.samples]
    y = np.array([assembly.chart.coordinates(np.asarray(T)) for T, _ in poses])
    spread = np.ptp(y, axis=0) / assembly.scales.twist
    return [i for i in range(6) if i not in assembly.free and spread[i] >= SAME]


def _placed(assembly: Assembly, values: Array, others: Array) -> Array:
    """Six coordinates, or their rates, out of those of the freedoms and the others."""
    found: list[Array] = [others[i] for i in range(6)]
    for i, place in enumerate(assembly.free):
        found[place] = values[i]
    return collect(found)


def _inverse(J: Array) -> Array:
    """Inverse of the chart's matrix: turns alone are not the identity."""
    x, y, z = (J[3:, 3 + k] for k in range(3))
    rows = collect([cross(y, z), cross(z, x), cross(x, y)])
    turning = rows / (x @ rows[0])
    return np.concatenate(
        [np.eye(6)[:3], np.concatenate([np.zeros((3, 3)), turning], axis=1)], axis=0
    )


def _sizes(
    assembly: Assembly, strides: Sequence[Sequence[Array]]
) -> list[list[tuple[Array, Array]]]:
    """Squares of the steps, stride by stride: of the turn [rad^2], and of all in natural units."""
    length = assembly.length
    return [
        [(step[3:] @ step[3:], natural_square(step, length)) for step in steps] for steps in strides
    ]
