"""A quantity over time with its first and second derivatives, carried through products exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Jet(NamedTuple):
    """A quantity and its time derivatives, at many times: axis 0 is time.

    Attributes:
        value: the quantity.
        rate: its time derivative.
        acceleration: its second time derivative.
    """

    value: np.ndarray
    rate: np.ndarray
    acceleration: np.ndarray

    def along(self, direction: np.ndarray) -> Jet:
        """A scalar of time (K,) times a constant vector (n,): (K, n)."""
        return Jet(*(part[:, None] * direction for part in self))

    def __mul__(self, other: object) -> Jet:
        """Product of two quantities, by the product rule; or with a constant."""
        if not isinstance(other, Jet):
            return Jet(*(np.asarray(part * other) for part in self))
        a, ad, add = self
        b, bd, bdd = other
        return Jet(a * b, ad * b + a * bd, add * b + 2.0 * ad * bd + a * bdd)

    def plus(self, other: Jet) -> Jet:
        """Sum of two quantities."""
        return Jet(*(a + b for a, b in zip(self, other, strict=True)))


Curve = Callable[[np.ndarray], Jet]
"""Displacements (K, n) with their derivatives, at times (K,) within the motion [s]."""


def sine(phase: Jet) -> Jet:
    """Sine of an angle that runs with time, by the chain rule."""
    s, c = np.sin(phase.value), np.cos(phase.value)
    return Jet(s, c * phase.rate, c * phase.acceleration - s * phase.rate**2)


def shifted(phase: Jet, angle: float | np.ndarray) -> Jet:
    """A phase that is ahead by an angle [rad]."""
    return Jet(phase.value + angle, phase.rate, phase.acceleration)
