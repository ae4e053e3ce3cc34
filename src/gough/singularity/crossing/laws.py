"""Time laws that meet positions, rates and accelerations at given instants, and motions by them.

A law is the clock of a path: its position ``s`` as a function of time.  Three conditions at the
start, three at the end and three at every crossing make one polynomial; for a single crossing it
is the one of degree eight.  Where it would run backwards, pieces of degree seven take its place,
continuous up to the jerk.  Or the squared rate of the clock is a function of the place,
``ds/dt = sqrt(z(s))``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from gough.motion import Motion
from gough.motion.jets import Jet
from gough.motion.laws import Law
from gough.states.state import State

Curve = Callable[[np.ndarray], np.ndarray]
"""Values by place."""

_CELLS = 400  # of a path, integrated by Gauss's rule of 12 points each: exact to rounding
_rule = cache(np.polynomial.legendre.leggauss)


class Knot(NamedTuple):
    """An instant at which a law has a given position, rate and acceleration."""

    t: float
    s: float
    rate: float
    acceleration: float


def retimed(path: Motion, law: Law, duration: float, label: str, beyond: float = 0.0) -> Motion:
    """A motion along the path of another, by a law of its clock; its derivatives are exact.

    Args:
        path: the motion whose path is followed.
        law: its clock: place on the path as a function of time.
        duration: of the new motion [s].
        label: in words.
        beyond: how far the path may be followed beyond its ends [s]: laws overshoot by rounding, or
            by a little where a polynomial comes to rest.
    """
    return Motion(path.robot, duration, label, partial(_by_clock, path, law, beyond))


def _by_clock(path: Motion, law: Law, beyond: float, t: np.ndarray) -> State:
    s, sd, sdd = law(t)
    return run_through(path.evaluate(np.clip(s, -beyond, path.duration + beyond)), sd, sdd)


def run_through(states: State, rate: Any, gain: Any = 0.0) -> State:
    """States of a path ``(K,)`` whose clock does not run evenly there.

    Derivatives are exact: ``V = V(s) sd`` and ``Vdot = V(s) sdd + Vdot(s) sd^2``.

    Args:
        states: of the path, its clock running evenly.
        rate: ``sd``, one number or ``(K,)``.
        gain: ``sdd``, likewise.
    """
    rate, gain = (np.reshape(each, (-1, 1)) for each in (rate, gain))
    return State(states.T_0p, states.V_0p * rate, states.Vdot_0p * rate**2 + states.V_0p * gain)


def one_polynomial(knots: Sequence[Knot]) -> Law:
    """The polynomial of least degree through all knots: degree eight for three of them."""
    start, span = knots[0].t, knots[-1].t - knots[0].t
    x = [2.0 * (knot.t - start) / span - 1.0 for knot in knots]
    count = 3 * len(knots)
    basis = [np.polynomial.chebyshev.Chebyshev.basis(k) for k in range(count)]
    rows = [[b.deriv(d)(at) if d else b(at) for b in basis] for at in x for d in range(3)]
    scale = span / 2.0
    right = [value for k in knots for value in (k.s, k.rate * scale, k.acceleration * scale**2)]
    s = np.polynomial.chebyshev.Chebyshev(np.linalg.solve(rows, right))
    return partial(_on_chebyshev, (s, s.deriv(), s.deriv(2)), start, span)


def _on_chebyshev(levels: Sequence[Any], start: float, span: float, t: np.ndarray) -> Jet:
    u, scale = 2.0 * (t - start) / span - 1.0, span / 2.0
    s, sd, sdd = (level(u) for level in levels)
    return Jet(s, sd / scale, sdd / scale**2)


def pieces(knots: Sequence[Knot]) -> Law:
    """Polynomials of degree seven from knot to knot, their jerks the ones of least total snap."""
    from scipy.interpolate import BPoly  # noqa: PLC0415  heavy: loaded on first use

    t = np.array([knot.t for knot in knots])

    def made(jerks: np.ndarray) -> BPoly:
        values = [[k.s, k.rate, k.acceleration, j] for k, j in zip(knots, jerks, strict=True)]
        return BPoly.from_derivatives(t, values)

    # the snap is affine in the jerks: least squares of it, at instants close to each other
    looked, weights = gauss(t[:-1], t[1:], 8)

    def snap(jerks: np.ndarray) -> np.ndarray:
        return np.asarray(made(jerks).derivative(4)(looked) * np.sqrt(weights)).ravel()

    none = snap(np.zeros(len(t)))
    columns = np.array([snap(one) - none for one in np.eye(len(t))]).T
    best = made(np.linalg.lstsq(columns, -none, rcond=None)[0])
    return partial(_on_pieces, (best, best.derivative(), best.derivative(2)))


def _on_pieces(levels: Sequence[Any], t: np.ndarray) -> Jet:
    return Jet(*(level(t) for level in levels))


def runs_on(law: Law, start: float, end: float, slack: float) -> bool:
    """Whether a clock runs forward all the time; back by a share ``slack`` of its fastest rate."""
    t = np.linspace(start, end, 1001)
    rate = law(t).rate
    return bool(rate.min() >= -slack * np.abs(rate).max())


def clock(z: Curve, slope: Curve, end: float, edges: np.ndarray | None = None) -> tuple[Law, float]:
    """Law and duration [s] of a clock from place 0 to ``end``.

    Args:
        z: its squared rate by place, positive.
        slope: derivative of ``z``.
        end: the last place.
        edges: between which ``z`` is smooth and does not change much; even ones if not given.

    Rate and acceleration, ``sqrt(z)`` and ``z'/2``, are exact at the place; the place at a time is
    found by Newton's method on an integral that is good to rounding.
    """
    even = np.linspace(0.0, end, _CELLS + 1)
    cells = even if edges is None else np.unique(np.concatenate([even, edges]))
    at = np.concatenate([[0.0], np.cumsum(_passing(z, cells[:-1], cells[1:]))])
    return partial(_law, z, slope, end, cells, at), float(at[-1])


def _law(
    z: Curve, slope: Curve, end: float, cells: np.ndarray, at: np.ndarray, t: np.ndarray
) -> Jet:
    """The clock at times; it is at the edges of ``cells`` at the times ``at``."""
    time = np.clip(t, 0.0, at[-1])
    cell = np.clip(np.searchsorted(at, time, side="right") - 1, 0, len(cells) - 2)
    share = (time - at[cell]) / (at[cell + 1] - at[cell])
    s = cells[cell] + share * (cells[cell + 1] - cells[cell])
    for _ in range(4):
        late = at[cell] + _passing(z, cells[cell], s) - time
        s = np.clip(s - late * np.sqrt(z(s)), 0.0, end)
    return Jet(s, np.sqrt(z(s)), 0.5 * slope(s))


def _passing(z: Curve, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Time from one place to another, by Gauss's rule."""
    s, weights = gauss(low, high, 12)
    return np.asarray((weights / np.sqrt(z(s))).sum(axis=-1))


def gauss(low: np.ndarray, high: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of Gauss's rule from each of K places to another, ``(K, count)``."""
    nodes, weights = _rule(count)
    half = 0.5 * (high - low)[..., None]
    return low[..., None] + half * (1.0 + nodes), half * weights
