"""State variables of kinematic elements beyond their positions.  [OZ] (67)

Rates of directions, spins and lengths, first and second: what a camera on the legs observes, or
what a motion of the platform makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.elements.decomposition import Key


class Direction(NamedTuple):
    """First and second order state of an element: what its direction and its spin do.

    Attributes:
        xd, xdd: rates of the direction x.
        spin, spin_rate: ``omega . x`` and its derivative.
        w, wd: angular velocity and acceleration they make up.
    """

    xd: Array
    xdd: Array
    spin: Array
    spin_rate: Array
    w: Array
    wd: Array


class Length(NamedTuple):
    """First and second order state of a length."""

    rate: Array
    acceleration: Array


class Variables(NamedTuple):
    """State variables of all elements and lengths beyond their positions.  [OZ] (67)."""

    directions: Mapping[str, Direction]
    lengths: Mapping[Key, Length]

    @property
    def rates(self) -> dict[Key, Array]:
        """First order: rates of the motion basis."""
        found: dict[Key, Array] = {("x", k, 0): d.xd for k, d in self.directions.items()}
        found |= {("spin", k, 0): d.spin for k, d in self.directions.items()}
        return found | {key: length.rate for key, length in self.lengths.items()}


STILL = Direction(np.zeros(3), np.zeros(3), 0.0, 0.0, np.zeros(3), np.zeros(3))


def direction(
    x: Array, xd: Array, xdd: Array, spin: Array | None = None, spin_rate: Array = 0.0
) -> Direction:
    """State of an element from what can be observed of it; bars and telescopes do not spin.

    Equations:
        [OZ] (12)-(13): ``omega = x x xdot + thetadot x``.
    """
    w, wd = cross(x, xd), cross(x, xdd)
    if spin is None:
        return Direction(xd, xdd, 0.0, 0.0, w, wd)  # [OZ] (32)
    w = w + x * spin
    wd = wd + x * spin_rate + xd * spin
    return Direction(xd, xdd, spin, spin_rate, w, wd)


def turning(x: Array, w: Array, wd: Array) -> Direction:
    """State of an element whose angular velocity and acceleration are given."""
    xd = cross(w, x)
    return Direction(xd, cross(wd, x) + cross(w, xd), w @ x, wd @ x, w, wd)
