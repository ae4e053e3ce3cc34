"""Directions in time: a filter on the sphere with constant gains, for rates and for what is unseen.

A direction moves as ``xd = w x x`` with w across x; w and its rate are estimated.  Between images

    x <- exp(w dt + wd dt^2/2) x,    w <- w + wd dt,

and a new image that shows the leg turned by r from there corrects them by

    x <- exp(a r) x,    w <- w + b r / T,    wd <- wd + c r / T^2.

All three poles of the error are ``p = exp(-bandwidth T)``: a = 1 - p^3, b = 1.5 (1 - p)^2 (1 + p),
c = (1 - p)^3.  A leg that turns about a fixed axis with constant acceleration is followed without
error; under a constant jerk j the images are ahead of the prediction by ``j T^3 / (1 - p)^3``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import number, words
from gough.errors import InputError

_SETTLED = 1_000_000  # images after which gains are those of the bandwidth, whatever it is


class Observer:
    """Directions of legs, their rates and accelerations, from one image after the other.

    The first three images are taken as they are: one gives the direction, two its rate, three its
    acceleration.  Then gains fall to those of the bandwidth.

    Args:
        names: the legs.
        period: usual time between two images [s].
        bandwidth: how fast errors vanish, ``exp(-bandwidth t)`` [rad/s]; less is smoother.
        patience: how long a leg that is hidden is predicted before it counts as unseen [s]; as
            long as errors need to vanish, two by the bandwidth, if not given.

    Attributes:
        time: up to which everything is predicted [s].
        x, w, wd: directions, their angular rates and accelerations, base axes ``(k, 3)``.

    Raises:
        InputError: an argument makes no sense; names it.
    """

    def __init__(
        self,
        names: Sequence[str],
        period: float,
        bandwidth: float,
        *,
        patience: float | None = None,
    ) -> None:
        self.names = words(names, "names")
        self.period = number(period, "period", positive=True)
        self.bandwidth = number(bandwidth, "bandwidth", positive=True)
        self.patience = (
            2.0 / self.bandwidth
            if patience is None
            else number(patience, "patience", nonnegative=True)
        )
        k = len(self.names)
        self.time: float | None = None
        self.x, self.w, self.wd = np.zeros((k, 3)), np.zeros((k, 3)), np.zeros((k, 3))
        self._images = np.zeros(k, dtype=int)
        self._last = np.full(k, -np.inf)

    @property
    def gains(self) -> tuple[float, float, float]:
        """``a``, ``b`` and ``c``: of the direction, of its rate, of its acceleration."""
        p = float(np.exp(-self.bandwidth * self.period))
        return 1.0 - p**3, 1.5 * (1.0 - p) ** 2 * (1.0 + p), (1.0 - p) ** 3

    @property
    def known(self) -> np.ndarray:
        """Which legs are seen, or were not long ago ``(k,)``."""
        if self.time is None:
            return np.zeros(len(self.names), dtype=bool)
        recent = self.time - self._last <= self.patience + 1e-9 * self.period
        return np.asarray((self._images > 0) & recent)

    def predict(self, time: float, acceleration: Any = None) -> None:
        """Go on to an instant without an image.

        Args:
            time: the instant, not before the last one [s].
            acceleration: part of the angular accelerations ``(k, 3)`` that is known on the way, as
                that of a reference motion; ``wd`` is the rest then [rad/s^2].
        """
        time = number(time, "time")
        dt = 0.0 if self.time is None else time - self.time
        if dt < 0.0:
            raise InputError(
                f"time: {time:g} s is before the last instant, {self.time:g} s", argument="time"
            )
        self.x, self.w = self._ahead(dt, acceleration)
        self.wd = _across(self.wd, self.x)
        self.time = time

    def ahead(self, lead: float, acceleration: Any = None) -> tuple[np.ndarray, np.ndarray]:
        """Directions and their rates ``(k, 3)`` a time ahead, as one without images sees them."""
        x, w = self._ahead(number(lead, "lead", nonnegative=True), acceleration)
        return x, np.cross(w, x)

    def _ahead(self, dt: float, acceleration: Any) -> tuple[np.ndarray, np.ndarray]:
        wd = self.wd if acceleration is None else self.wd + acceleration
        x = turned(self.x, self.w * dt + 0.5 * wd * dt**2)
        return x, _across(self.w + wd * dt, x)

    def correct(self, seen: Mapping[str, np.ndarray], rates: Any = None) -> None:
        """Take in an image of the instant up to which everything is predicted.

        Args:
            seen: unit directions by name; legs without one go on as predicted.
            rates: angular rates ``(k, 3)`` that legs begin with which are seen for the first time,
                or again after long, with gains as usual; found from images if not given [rad/s].
        """
        if self.time is None:
            raise InputError("correct: predict(time) says first when the image is from")
        known = self.known
        for i, name in enumerate(self.names):
            if name not in seen:
                continue
            x = np.asarray(seen[name], dtype=float)
            if not known[i]:
                self.x[i], self.wd[i] = x, 0.0
                self.w[i] = 0.0 if rates is None else rates[i]
                self._images[i] = 1 if rates is None else _SETTLED
            else:
                self._correct(i, x)
                self._images[i] += 1
            self._last[i] = self.time

    def _correct(self, i: int, x: np.ndarray) -> None:
        first, usual = _first_gains(self._images[i]), self.gains
        a, b, c = first if first[0] > usual[0] else usual
        r = turn_between(self.x[i], x)
        x_new = turned(self.x[i][None], a * r[None])
        self.w[i] = _across(self.w[i] + (b / self.period) * r, x_new)[0]
        self.wd[i] = _across(self.wd[i] + (c / self.period**2) * r, x_new)[0]
        self.x[i] = x_new[0]


def _first_gains(n: int) -> tuple[float, float, float]:
    """Gains that fit a parabola to all of n + 1 images, or a line to two."""
    if n < 2:
        return 1.0, 1.0, 0.0
    of = (n + 1.0) * (n + 2.0) * (n + 3.0)
    return 3.0 * (3.0 * n * n + 3.0 * n + 2.0) / of, 18.0 * (2.0 * n + 1.0) / of, 60.0 / of


def turn_between(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The rotation vector that takes one unit vector to another the shortest way [rad]."""
    axis = np.cross(x, y)
    size = float(np.linalg.norm(axis))
    return axis * (float(np.arctan2(size, x @ y)) / size) if size > 0.0 else np.zeros(3)


def turned(x: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Unit vectors ``(k, 3)`` turned by rotation vectors across them."""
    by = _across(by, x)
    angle = np.linalg.norm(by, axis=1, keepdims=True)
    towards = np.cross(by, x) * np.sinc(angle / np.pi)
    found = x * np.cos(angle) + towards
    size = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.where(size > 0.0, size, 1.0))


def _across(v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The parts of vectors across unit vectors; no camera sees a turn about a leg's own axis."""
    return np.asarray(v - x * (v * x).sum(axis=1, keepdims=True))
