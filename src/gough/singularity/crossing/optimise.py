"""The best time law through singularities, by IPOPT.

The squared rate of the path's clock is a spline of the place, its knots close to each other where a
singular place asks for a surge.  IPOPT starts from a clock that meets the criterion already, the
best of a few; see :mod:`gough.singularity.crossing.surge`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import number
from gough.base.batch import as_array
from gough.errors import EffortsInfeasible, InputError, shown
from gough.functions.kinematics import motor_rates
from gough.motion import Motion
from gough.singularity.crossing.demand import Demand
from gough.singularity.crossing.laws import clock, retimed, run_through
from gough.singularity.crossing.problem import Asked, Problem, criterion_lines, lines_of
from gough.singularity.crossing.surge import Surge, lasting
from gough.singularity.crossing.terms import Machine
from gough.states.state import State

_GRID = 161  # places at which efforts are limited: about seven in every span of the spline
# Near a singular place efforts change quickly.  Even places nearer than _CROWDED to it, as shares
# of the path, are replaced by these, at which efforts are limited too; nearer still they are a
# quotient of two small numbers.
_BESIDE = np.geomspace(3e-4, 1e-2, 6)
_CROWDED = 2e-3
_LIMIT_ITSELF = 1e-5  # share of the path beside a singular place that the check leaves out
_ROUNDS = 6  # of tightening limits exceeded between places, and of correcting the duration
_STARTS = 3  # from which IPOPT may start
_CLOSER = 24  # places in every span of the spline at which limits are checked afterwards
_SLACK = 1e-3  # share by which limits may be exceeded in the end
_PUNCTUAL = 1e-7  # share by which a given duration may be missed
_FACTORS = (1.0, 2.0, 4.0, 8.0, 16.0, 0.5)  # crossing speeds of clocks to start from
_LEVELS = np.linspace(2.0, -8.0, 21)  # their log z, by the steady one, where time is free


class Limits(NamedTuple):
    """What a motion may use: efforts and speeds of the motors ``(m,)``, the origin's [m/s].

    Infinite where nothing is limited.
    """

    efforts: np.ndarray
    motor_speeds: np.ndarray
    origin_speed: float


def optimised(
    machine: Machine, demands: Sequence[Demand], best: str, duration: float | None, limits: Limits
) -> Motion:
    """The best motion along the path of a machine's motion, through its singular places.

    Args:
        machine: robot and path.
        demands: accelerations of the clock that the criterion needs at the singular places.
        best: ``"time"`` or ``"effort"``.
        duration: of the motion [s], or ``None``; the most it may take, for ``"time"``.
        limits: of efforts and speeds.
    """
    path, places = machine.motion, [one.place for one in demands]
    s = _grid(path.duration, places)
    states = path(s)
    lines = lines_of(lambda each: machine.efforts(s, each), states)
    speed = _speeds(machine, states, limits)
    shortest = best == "time"
    seconds = duration if shortest else duration or path.duration
    usual = np.median(np.abs(lines.square), axis=0)
    asked = Asked(
        shortest,
        seconds,
        s,
        lines,
        speed,
        limits.efforts,
        _weights(machine, limits.efforts),
        (path.duration / seconds) ** 2
        if seconds and not shortest
        else _steady(usual, limits, speed),
    )
    label = f"{path.label}, least {best}"
    starts = _starts(asked, path.duration, demands)
    status = "no clock to start from"
    for start in starts:
        criteria = [criterion_lines(machine, d.place, d.free, asked.steady) for d in demands]
        problem = Problem(path.duration, places, criteria, start)
        closely = _Closely(machine, places, problem.edges, limits)
        found, status = _refined(machine, asked, problem, closely, label)
        if found is not None:
            return found
    bound = f" in {duration:.6g} s" if duration is not None else ""
    raise EffortsInfeasible(
        f"{machine.assembly.robot.name}: no time law that passes the singular poses of the path "
        f"within the limits{bound} was found ({status})",
        hint="Give wider limits or a longer duration; gough.crossing says what the criterion asks "
        "for.",
        status=status,
    )


def _refined(
    machine: Machine, asked: Asked, problem: Problem, closely: _Closely, label: str
) -> tuple[Motion | None, str]:
    """A law that keeps the limits between the optimiser's places too, and its duration."""
    path, wanted = machine.motion, asked.duration
    for _ in range(_ROUNDS):
        spline, status = problem.solve(asked)
        if spline is None:
            return None, status
        slope = spline.derivative()
        law, seconds = clock(spline, slope, path.duration, problem.edges)
        used, fast = closely.excess(spline, slope)
        late = 1.0 if asked.shortest or wanted is None else seconds / wanted
        if max(used.max(), fast) <= 1.0 + _SLACK and abs(late - 1.0) < _PUNCTUAL:
            return retimed(path, law, seconds, label), ""
        asked = asked._replace(efforts=asked.efforts * _tighter(used))
        asked = asked._replace(speed=asked.speed * _tighter(np.array(fast)))
        if asked.duration is not None:
            asked = asked._replace(duration=asked.duration / late)
    most = 100.0 * max(float(used.max()), float(np.sqrt(fast)))
    return None, f"limits are used up by {most:.4g} % between its places"


def _tighter(used: np.ndarray) -> np.ndarray:
    """Factors by which limits that were exceeded between places are reduced."""
    return np.asarray(np.where(used > 1.0, (1.0 - 0.5 * _SLACK) / np.maximum(used, 1.0), 1.0))


def limits_of(
    machine: Machine, best: str, efforts: Any, motor_speeds: Any, origin_speed: Any
) -> Limits:
    """Limits as given; the robot's own where they are not."""
    robot = machine.assembly.robot
    if machine.loading.smoothing:
        raise InputError("optimise takes Coulomb friction as it is: smoothing must be 0")
    own = [robot.axis(name).limits for name in robot.motors]
    most = _each("efforts", efforts, [limit.effort for limit in own])
    speeds = _each("motor_speeds", motor_speeds, [limit.velocity for limit in own])
    origin = np.inf
    if origin_speed is not None:
        origin = number(origin_speed, "origin_speed", positive=True)
    if best == "time" and not np.isfinite([*most, *speeds, origin]).any():
        raise InputError(
            f"{robot.name} has no limits: the shortest motion takes no time at all",
            hint="Give efforts=, motor_speeds= or origin_speed=, or limits in the description.",
            argument="efforts",
        )
    return Limits(most, speeds, origin)


def _each(name: str, given: Any, own: Sequence[float | None]) -> np.ndarray:
    """One positive limit for every motor; infinite where there is none."""
    if given is None:
        return np.array([np.inf if each is None else each for each in own])
    array = as_array(given, (), name)
    if array.shape not in ((), (len(own),)) or not (array > 0.0).all():
        raise InputError(
            f"{name} is {shown(given)}, expected one number above zero or {len(own)}", argument=name
        )
    return np.broadcast_to(array, (len(own),)).copy()


def _weights(machine: Machine, largest: np.ndarray) -> np.ndarray:
    """By which efforts are squared: their limits, or natural units if one has none."""
    if np.isfinite(largest).all():
        return np.asarray(1.0 / largest)
    return np.asarray(machine.assembly.scales.motors)


def _grid(duration: float, places: Sequence[float]) -> np.ndarray:
    """Places at which efforts are held: evenly, and close to the singular ones on both sides."""
    s = np.linspace(0.0, duration, _GRID)
    for place in places:
        s = s[np.abs(s - place) > _CROWDED * duration]
    beside = [p + side * share * duration for p in places for share in _BESIDE for side in (-1, 1)]
    inside = [x for x in beside if 0.0 < x < duration]
    return np.unique(np.concatenate([s, inside]))


def _speeds(machine: Machine, states: State, limits: Limits) -> np.ndarray:
    """Largest ``z`` that speeds allow at places ``(K,)``."""
    most = np.full(len(states.V_0p), np.inf)
    with np.errstate(divide="ignore"):
        if np.isfinite(limits.origin_speed):
            most = (limits.origin_speed / np.linalg.norm(states.V_0p[:, :3], axis=1)) ** 2
        if np.isfinite(limits.motor_speeds).any():
            rates = motor_rates(machine.assembly.robot, states)
            most = np.minimum(most, ((limits.motor_speeds / np.abs(rates)) ** 2).min(axis=1))
    return most


def _steady(usual: np.ndarray, limits: Limits, speed: np.ndarray) -> float:
    """``z`` of a clock that runs evenly and uses the limits up.

    Coefficients near singular places say nothing of an even clock: the ``usual`` ones do.
    """
    by_effort = float((limits.efforts / np.maximum(usual, 1e-300)).min())
    found = min(by_effort, float(np.median(speed)))
    return found if np.isfinite(found) and found > 0.0 else 1.0


def _starts(asked: Asked, end: float, demands: Sequence[Demand]) -> list[Surge]:
    """Clocks that meet the criterion, those that keep the limits and are best first."""
    places = [one.place for one in demands]

    def need(i: int, rate: float) -> float:
        return demands[i].acceleration(rate)

    def make(level: float, factor: float, base: float = 0.0) -> Surge:
        return Surge(end, places, need, [factor] * len(places), level=base + level)

    usual, ranked = float(np.log(asked.steady)), []
    for factor in _FACTORS if places else (1.0,):
        if asked.shortest:
            surges = [make(usual + float(level), factor) for level in _LEVELS]
        else:
            one = lasting(asked.duration or end, partial(make, factor=factor, base=usual))
            surges = [] if one is None else [one]
        with np.errstate(all="ignore"):
            rated = [(*asked.worth(surge), surge) for surge in surges]
        ranked += sorted(rated, key=lambda each: each[:2])[:1]
    ranked.sort(key=lambda each: each[:2])
    return [surge for _, _, surge in ranked[:_STARTS]]


class _Closely:
    """Check of limits at places closer to each other than those of the optimiser."""

    def __init__(
        self, machine: Machine, places: Sequence[float], edges: np.ndarray, limits: Limits
    ) -> None:
        inner = np.linspace(0.0, 1.0, _CLOSER, endpoint=False)
        s = np.unique((edges[:-1, None] + np.diff(edges)[:, None] * inner).ravel())
        for place in places:
            s = s[np.abs(s - place) > _LIMIT_ITSELF * machine.motion.duration]
        self.machine, self.s, self.states, self.limits = machine, s, machine.motion(s), limits
        self.speed = _speeds(machine, self.states, limits)

    def excess(self, z: Any, slope: Any) -> tuple[np.ndarray, float]:
        """Largest efforts ``(m,)``, and the largest ``z`` for speeds, by their limits."""
        square, gain = z(self.s), 0.5 * slope(self.s)
        again = run_through(self.states, np.sqrt(square), gain)
        used = (np.abs(self.machine.efforts(self.s, again)) / self.limits.efforts).max(axis=0)
        return np.asarray(used), float((square / self.speed).max())
