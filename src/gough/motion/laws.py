"""Time laws: how a path is run through, from 0 to 1 in a given time.

All of them are polynomials, so their derivatives are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from gough.base.arguments import nearest
from gough.errors import InputError, shown
from gough.motion.jets import Jet

Law = Callable[[np.ndarray], Jet]
"""The share of the path, with its time derivatives, at times (K,) [s]."""

# s(u) by rising powers of u = t / duration
_POLYNOMIALS = {
    "quintic": np.polynomial.Polynomial([0, 0, 0, 10, -15, 6]),
    "septic": np.polynomial.Polynomial([0, 0, 0, 0, 35, -84, 70, -20]),
    "constant": np.polynomial.Polynomial([0, 1]),
}
_LEVELS = {name: (s, s.deriv(), s.deriv(2)) for name, s in _POLYNOMIALS.items()}
_RAMP = 0.2  # share of the duration in which "cruise" gains speed, and in which it loses it

REST_TO_REST = ("quintic", "septic", "cruise")
"""Laws that begin and end at rest, without acceleration."""


def time_law(name: str, duration: float, known: tuple[str, ...] = REST_TO_REST) -> Law:
    """A law by its name.

    Args:
        name: ``"quintic"``: velocity and acceleration are zero at both ends; ``"septic"``, degree
            7: jerk as well; ``"cruise"``: constant speed but for a fifth of the duration at either
            end; ``"constant"``: constant speed throughout.
        duration: of the whole path [s].
        known: names to choose from.
    """
    if not isinstance(name, str) or name not in known:
        raise InputError(
            f"unknown time law {shown(name)}", hint=nearest(name, known), argument="law"
        )
    if name == "cruise":
        return partial(_cruising, duration, _RAMP)
    return partial(_on_polynomial, name, duration)


def _on_polynomial(name: str, duration: float, t: np.ndarray) -> Jet:
    """A single polynomial over the whole duration."""
    s, sd, sdd = _LEVELS[name]
    u = t / duration
    return Jet(s(u), sd(u) / duration, sdd(u) / duration**2)


def _cruising(duration: float, ramp: float, t: np.ndarray) -> Jet:
    """Constant speed between smooth ramps, each ``ramp`` of the duration.

    On a ramp the speed is the smooth step ``u^2 (3 - 2 u)``: the acceleration is continuous.
    """
    u = t / duration
    late = u > 0.5
    first = _rising(ramp, np.where(late, 1.0 - u, u))
    s = np.where(late, 1.0 - first.value, first.value)
    sdd = np.where(late, -first.acceleration, first.acceleration)
    return Jet(s, first.rate / duration, sdd / duration**2)


def _rising(ramp: float, u: np.ndarray) -> Jet:
    """The first half of it, by the share of time."""
    speed = 1.0 / (1.0 - ramp)  # of s per unit of t/duration: the ramps lose half of their time
    r = np.minimum(u / ramp, 1.0)
    on_ramp = speed * ramp * r**3 * (1.0 - r / 2.0)
    beyond = speed * (np.maximum(u, ramp) - ramp)
    return Jet(on_ramp + beyond, speed * r**2 * (3.0 - 2.0 * r), speed / ramp * 6.0 * r * (1.0 - r))


def step(t: np.ndarray, begin: float, duration: float, name: str = "quintic") -> Jet:
    """0 before ``begin``, 1 from ``begin + duration`` on, a rest-to-rest law in between."""
    inside = (t > begin) & (t < begin + duration)
    found = time_law(name, duration)(np.clip(t - begin, 0.0, duration))
    return Jet(
        found.value, np.where(inside, found.rate, 0.0), np.where(inside, found.acceleration, 0.0)
    )


def window(t: np.ndarray, duration: float, ramp: float) -> Jet:
    """Rises from 0 to 1 within ``ramp`` at the beginning, and falls again at the end."""
    if ramp == 0.0:
        return Jet(np.ones_like(t), np.zeros_like(t), np.zeros_like(t))
    return step(t, 0.0, ramp).plus(step(t, duration - ramp, ramp) * -1.0)
