"""Time laws along a path that meet the criterion at its singular places, one after the other.

First polynomials, then a clock that surges: see :mod:`gough.singularity.crossing.laws` and
``surge``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import as_array
from gough.errors import InputError, shown
from gough.motion import Motion
from gough.motion.laws import Law
from gough.singularity.crossing.demand import Demand, wanted_rates
from gough.singularity.crossing.laws import (
    Knot,
    one_polynomial,
    pieces,
    retimed,
    run_through,
    runs_on,
)
from gough.singularity.crossing.surge import Surge, lasting
from gough.singularity.crossing.terms import Machine

BACK = 1e-5
"""Share of its fastest rate at which a polynomial may run back where it comes to rest.

The path is continued a little beyond its ends for it.
"""

_FACTORS = (1.0, 0.8, 1.25, 0.6, 1.6, 0.4, 2.0, 0.25, 3.0)
"""Crossing speeds that are tried, over that of the usual law; the first law that runs forward wins.
"""

_POWERS = (1.0, 0.8, 1.25, 0.6, 1.6, 0.4, 2.5)
"""Powers to which the share of the time at which a singular pose is passed is raised, in order."""

_SURGES = ((1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0), (0.5, 0.25))
"""Crossing speeds of clocks that surge, upwards and downwards, as long as efforts get smaller."""

_FASTEST = 200.0  # largest crossing speed of a surge over the usual one, and inverse of the least
_LOOKED = 101  # places at which efforts of surges are compared
_BACKWARDS = 1e-9  # as BACK, of a path that ends where it ends: rounding only
_QUOTIENT = 1e-2  # of a surge's width beside its place: nearer, efforts are a quotient of zeros


class Path(NamedTuple):
    """A geometric path with the clock by which it is usually run through.

    Attributes:
        motion: the path, its clock running evenly.
        usual: the law by which it is run through without singularities, 0 to the duration.
        rest: the rate of the clock at both ends: 0 where the law must bring the path to rest.
        duration: of the usual law [s].
        beyond: how far the path is defined beyond its ends [s].
    """

    motion: Motion
    usual: Law
    rest: float
    duration: float
    beyond: float = 0.0


def by_polynomial(
    machine: Machine, path: Path, demands: Sequence[Demand], times: Any, speeds: Any, label: str
) -> Motion | None:
    """The first polynomial law that runs forward; ``None`` if none of those that are tried does."""
    ends = [
        Knot(0.0, 0.0, path.rest, 0.0),
        Knot(path.duration, path.motion.duration, path.rest, 0.0),
    ]
    places = [one.place for one in demands]
    usual = _instants(path, places, times)
    rates = [float(path.usual(np.array([each])).rate[0]) for each in usual]
    factors: Sequence[float] = _FACTORS
    if speeds is not None:
        rates, factors = wanted_rates(machine, places, speeds), (1.0,)
    for power, factor in product(_POWERS if times is None else (1.0,), factors):
        t = path.duration * (usual / path.duration) ** power
        inner = [
            Knot(at, one.place, rate * factor, one.acceleration(rate * factor))
            for at, rate, one in zip(t, rates, demands, strict=True)
        ]
        for make in (one_polynomial, pieces):
            law = make([ends[0], *inner, ends[1]])
            if runs_on(law, 0.0, path.duration, BACK if path.beyond else _BACKWARDS):
                return retimed(path.motion, law, path.duration, label, path.beyond)
    return None


def by_surge(
    machine: Machine, path: Path, demands: Sequence[Demand], speeds: Any, label: str
) -> Motion | None:
    """The law of a clock that surges, in the path's duration; ``None`` if there is none."""
    places = [one.place for one in demands]
    motion = retimed(path.motion, path.usual, path.duration, label, path.beyond)
    at = [_when(path, place) for place in places]
    usual = [tuple(float(each[0]) for each in path.usual(np.array([t]))) for t in at]

    def need(i: int, rate: float) -> float:
        _, r, a = usual[i]
        return (demands[i].acceleration(r * rate) - a * rate**2) / r

    exact = speeds is not None
    ways = [[[factor] * len(places) for factor in way] for way in _SURGES]
    if exact:
        wanted = wanted_rates(machine, places, speeds)
        ways = [[[rate / r for rate, (_, r, _) in zip(wanted, usual, strict=True)]]]

    def make(level: float, rates: Sequence[float]) -> Surge:
        held = path.rest > 0.0
        return Surge(path.duration, at, need, rates, level=level, held=held, exact=exact)

    best: Surge | None = None
    least = np.inf
    for way in ways:
        for rates in way:
            if not all(1.0 / _FASTEST < rate < _FASTEST for rate in rates):
                continue
            found = lasting(path.duration, partial(make, rates=rates))
            if found is None:
                continue
            size = _size(machine, motion, found)
            if size >= least:
                break
            best, least = found, size
    return None if best is None else retimed(motion, best.clock()[0], path.duration, label)


def _size(machine: Machine, motion: Motion, surge: Surge) -> float:
    """Norm of the motors' largest efforts when the clock of a motion surges, natural units."""
    u = np.unique(np.concatenate([np.linspace(0.0, surge.end, _LOOKED), surge.edges()]))
    for place, width in zip(surge.places, surge.width, strict=True):
        u = u[np.abs(u - place) > _QUOTIENT * width]
    rate, gain = np.sqrt(surge.z(u)), 0.5 * surge.slope(u)
    tau = machine.efforts(u, run_through(motion(u), rate, gain))
    peaks = np.abs(tau).max(axis=0) * machine.assembly.scales.motors
    return float(np.linalg.norm(peaks))


def _instants(path: Path, places: Sequence[float], times: Any) -> np.ndarray:
    """Times at which singular places are passed [s]: as given, or by the usual law."""
    if times is None:
        return np.array([_when(path, place) for place in places])
    found = np.atleast_1d(np.asarray(as_array(times, (), "times")))
    whole = np.concatenate([[0.0], found.ravel(), [path.duration]])
    if found.ndim != 1 or len(found) != len(places) or not (np.diff(whole) > 0.0).all():
        raise InputError(
            f"times is {shown(times)}, expected {len(places)} rising times within "
            f"{path.duration:g} s: the path meets so many singular poses",
            argument="times",
        )
    return found


def _when(path: Path, place: float) -> float:
    """The time at which the usual law is at a place [s]."""
    from scipy.optimize import brentq  # noqa: PLC0415  heavy: loaded on first use

    def ahead(t: float) -> float:
        return float(path.usual(np.array([t])).value[0]) - place

    return float(brentq(ahead, 0.0, path.duration, xtol=1e-15 * path.duration, rtol=1e-15))
