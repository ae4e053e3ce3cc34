"""The optimisation over a spline, the squared rate of a path's clock by place.

With ``z(s)`` that square the clock's acceleration is ``z'/2``, and efforts are

    tau = A(s) z'/2 + B(s) z + F(s) sqrt(z) + C(s)

(inertia; centrifugal; viscous friction; gravity, loads and Coulomb friction).  So is the criterion.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.singularity.crossing.laws import gauss, run_through
from gough.singularity.crossing.surge import Surge
from gough.singularity.crossing.terms import Machine
from gough.states.state import State

_CASADI = threading.Lock()
"""Held while an optimisation runs: CasADi's expressions are not for threads."""

_SPANS, _DEGREE = 24, 4  # of the spline for z: efforts, which go with z', are then smooth
_FINEST = 3e-4  # share of the path between two knots: as near as efforts are limited
_ITERATIONS = 500
# Weight of the clock's roughness beside the goal, both by their size at the start: it decides
# between clocks that are equally good, and hardly changes the goal.
_SMOOTH = 1e-7
_SLOWEST, _FASTEST = 1e-3, 1e3  # z over that of a steady clock: rates from a thirtieth to thirty
_SOLVED = ("Solve_Succeeded", "Solved_To_Acceptable_Level")


class Lines(NamedTuple):
    """Efforts, or the criterion, at K places, by ``z'/2``, ``z``, ``sqrt(z)`` and 1."""

    gain: np.ndarray
    square: np.ndarray
    rate: np.ndarray
    rest: np.ndarray

    def at(self, z: np.ndarray, half: np.ndarray) -> np.ndarray:
        """Values by ``z`` and ``z'/2`` at the places ``(K,)``."""
        z, half = z[:, None], half[:, None]
        return np.asarray(self.gain * half + self.square * z + self.rate * np.sqrt(z) + self.rest)


def lines_of(evaluate: Callable[[State], np.ndarray], states: State) -> Lines:
    """Coefficients from four evaluations: they are exact, the model being of this form."""
    one, two, three = (evaluate(run_through(states, rate)) for rate in (1.0, 2.0, 3.0))
    gained = evaluate(run_through(states, 1.0, 1.0))
    square = (three - 2.0 * two + one) / 2.0
    rate = two - one - 3.0 * square
    return Lines(gained - one, square, rate, one - square - rate)


def criterion_lines(machine: Machine, place: float, free: np.ndarray, steady: float) -> Lines:
    """The criterion at a singular place, each free twist one row, of the size 1.

    Args:
        machine: robot and path.
        place: where.
        free: free twists ``(n, k)``.
        steady: usual ``z``, by which the terms are scaled.
    """

    def evaluate(states: State) -> np.ndarray:
        return np.asarray(free.T @ machine.at(place, states).w_r)[None]

    found = lines_of(evaluate, machine.motion(np.array([place])))
    weights = (steady / machine.motion.duration, steady, np.sqrt(steady), 1.0)
    terms = [np.abs(part) * weight for part, weight in zip(found, weights, strict=True)]
    size = np.maximum(np.max(terms, axis=0), 1e-300)
    return Lines(*(part / size for part in found))


class Asked(NamedTuple):
    """What is to be best, and within which limits, at places of the path.

    Attributes:
        shortest: least time; otherwise least efforts.
        duration: of the motion [s]; the most it may take if it is to be the shortest, or ``None``.
        s: the places ``(K,)``.
        lines: efforts there.
        speed: largest ``z`` there ``(K,)``.
        efforts: largest ones of the motors ``(m,)``.
        weights: by which efforts are squared ``(m,)``.
        steady: usual ``z``.
    """

    shortest: bool
    duration: float | None
    s: np.ndarray
    lines: Lines
    speed: np.ndarray
    efforts: np.ndarray
    weights: np.ndarray
    steady: float

    def worth(self, surge: Surge) -> tuple[float, float]:
        """Largest use of a limit (at least 1), and cost, of a clock: both small if it is good."""
        z, half = surge.z(self.s), 0.5 * surge.slope(self.s)
        tau, seconds = self.lines.at(z, half), surge.clock()[1]
        used = max(float((np.abs(tau) / self.efforts).max()), float((z / self.speed).max()))
        if self.shortest and self.duration is not None:
            used = max(used, seconds / self.duration)
        squares = ((tau * self.weights) ** 2).sum(axis=1) / np.sqrt(z)
        cost = seconds if self.shortest else float(np.trapezoid(squares, self.s))
        over = max(used, 1.0)
        return (over, cost) if np.isfinite([over, cost]).all() else (np.inf, np.inf)


class Problem:
    """The optimisation from one start.

    Args:
        duration: the last place of the path.
        places: singular ones.
        criteria: the criterion there.
        start: a clock that meets it.
    """

    def __init__(
        self, duration: float, places: Sequence[float], criteria: Sequence[Lines], start: Surge
    ) -> None:
        self.duration, self.places, self.criteria = duration, places, criteria
        self.edges = _edges(duration, places, start.width)
        self.knots = np.concatenate([[0.0] * _DEGREE, self.edges, [duration] * _DEGREE])
        self.count = len(self.knots) - _DEGREE - 1
        middle = np.array([self.knots[i + 1 : i + 1 + _DEGREE].mean() for i in range(self.count)])
        self.start = np.linalg.solve(self._rows(middle), start.z(middle))

    def solve(self, asked: Asked) -> tuple[Any, str]:
        """The spline ``z``; or ``None``, and why."""
        with _CASADI:
            return self._solve(asked)

    def _solve(self, asked: Asked) -> tuple[Any, str]:
        import casadi as ca  # noqa: PLC0415  heavy: loaded on first use
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        x, steady = ca.MX.sym("x", self.count), asked.steady

        def at(s: np.ndarray) -> tuple[Any, Any, Any]:
            z = ca.DM(self._rows(s) * steady) @ x
            return z, ca.DM(self._rows(s, 1) * 0.5 * steady) @ x, ca.sqrt(z)

        def values(lines: Lines, s: np.ndarray) -> list[Any]:
            z, half, root = at(s)
            columns = zip(*(part.T for part in lines), strict=True)
            return [
                ca.DM(a) * half + ca.DM(b) * z + ca.DM(f) * root + ca.DM(c)
                for a, b, f, c in columns
            ]

        rows, low, high = [], [], []

        def hold(one: Any, least: float, most: float) -> None:
            rows.append(one)
            low.extend([least] * one.shape[0])
            high.extend([most] * one.shape[0])

        tau = values(asked.lines, asked.s)
        for one, most in zip(tau, asked.efforts, strict=True):
            if np.isfinite(most):
                hold(one / most, -1.0, 1.0)
        slow = np.isfinite(asked.speed)
        if slow.any():
            hold(at(asked.s[slow])[0] / ca.DM(asked.speed[slow]), 0.0, 1.0)
        for place, lines in zip(self.places, self.criteria, strict=True):
            for one in values(lines, np.array([place])):
                hold(one, 0.0, 0.0)
        nodes, weights = (x.ravel() for x in gauss(self.edges[:-1], self.edges[1:], 10))
        time = ca.sum1(ca.DM(weights) / at(nodes)[2])
        if asked.duration is not None:
            hold(time / asked.duration, 0.0 if asked.shortest else 1.0, 1.0)
        goal = time
        if not asked.shortest:
            share, root = ca.DM(np.gradient(asked.s)), at(asked.s)[2]
            goal = sum(
                ca.sum1(share * (one * weight) ** 2 / root)
                for one, weight in zip(tau, asked.weights, strict=True)
            )
        rough = ca.sumsqr(
            ca.DM(
                self._rows(nodes, 2) * self.duration**2 * np.sqrt(weights / self.duration)[:, None]
            )
            @ x
        )
        least, most = min(_SLOWEST, 1e-2 * float(self._first(steady).min())), _FASTEST
        first = np.clip(self._first(steady), least, most)
        # both over their size at the start, so that neither units nor the duration count
        goal_0, rough_0 = (float(each) for each in ca.Function("sizes", [x], [goal, rough])(first))
        cost = goal / goal_0 + _SMOOTH * rough / (1.0 + rough_0)
        problem = {"x": x, "f": cost, "g": ca.vertcat(*rows)}
        quiet: dict[str, Any] = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False}
        options = quiet | {"ipopt.max_iter": _ITERATIONS, "ipopt.tol": 1e-9}
        solver = ca.nlpsol("law", "ipopt", problem, options)
        found = solver(x0=first, lbx=least, ubx=most, lbg=low, ubg=high)
        status = str(solver.stats()["return_status"])
        if status not in _SOLVED:
            return None, f"IPOPT: {status.replace('_', ' ').lower()}"
        self.start = np.asarray(found["x"]).ravel() * steady
        return BSpline(self.knots, self.start, _DEGREE), ""

    def _first(self, steady: float) -> np.ndarray:
        """Coefficients to start from; a spline with positive ones is positive."""
        x = self.start / steady
        return np.asarray(np.maximum(x, 1e-2 * np.median(np.abs(x))))

    def _rows(self, s: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Values of the basis at places."""
        from scipy.interpolate import BSpline  # noqa: PLC0415  heavy: loaded on first use

        basis = BSpline(self.knots, np.eye(self.count), _DEGREE)
        return np.asarray(basis(s, nu=derivative) if derivative else basis(s))


def _edges(duration: float, places: Sequence[float], widths: Sequence[float]) -> np.ndarray:
    """Where pieces of the spline meet: evenly, and closer towards a place with a narrow surge."""
    span = duration / _SPANS
    found = np.linspace(0.0, duration, _SPANS + 1)
    for place, width in zip(places, widths, strict=True):
        finest = max(0.5 * width, _FINEST * duration)
        if finest >= span:
            continue
        steps = finest * 2.0 ** np.arange(int(np.ceil(np.log2(span / finest))) + 1)
        near = np.concatenate([place - steps[::-1], [place], place + steps])
        near = near[(near > 0.25 * finest) & (near < duration - 0.25 * finest)]
        # even knots are dropped where they would be too near to the others
        gap = np.abs(found[:, None] - near).min(axis=1)
        inside = (found > near[0]) & (found < near[-1]) | (gap < 0.3 * span)
        inside[[0, -1]] = False
        found = np.concatenate([found[~inside], near])
    return np.unique(found)
