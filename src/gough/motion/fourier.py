"""Fourier series about a pose: periodic motions of every freedom at once."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.base.batch import as_array, check_finite
from gough.errors import InputError
from gough.motion import arguments
from gough.motion.jets import Jet
from gough.motion.laws import window
from gough.motion.motion import Motion, made
from gough.motion.periodic import swelling
from gough.motion.remembered import remembered
from gough.motion.space import Space, space_of
from gough.robot import Robot


@remembered
def fourier(
    robot: Robot,
    center: Any = None,
    *,
    sines: Any,
    cosines: Any = None,
    duration: float,
    frequency: float | None = None,
    ramp: float | None = None,
) -> Motion:
    """A sum of sines and cosines of every freedom about a pose, at multiples of one frequency.

    They swell from nothing and die down again: the motion begins and ends at rest in the centre.

    Args:
        robot: the machine.
        center: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        sines: coefficients of the sines ``(harmonics, n)`` [m, rad], one row a multiple of the
            frequency, one column a freedom.
        cosines: those of the cosines, the same; none if not given.
        duration: [s].
        frequency: the first one [Hz]; one period a duration if not given.
        ramp: how long they swell and die down [s]; a tenth of the duration if not given; 0: they
            begin and end with their full amplitude, in motion.
    """
    space = space_of(robot)
    seconds = arguments.duration(duration)
    a = _coefficients(space, sines, "sines")
    b = 0.0 * a if cosines is None else _coefficients(space, cosines, "cosines")
    if a.shape != b.shape:
        raise InputError(
            f"sines have {len(a)} harmonics, cosines {len(b)}: expected as many",
            argument="cosines",
        )
    lowest = 1.0 / seconds if frequency is None else number(frequency, "frequency", positive=True)
    curve = partial(series, a, b, lowest, seconds, swelling(ramp, seconds))
    return made(space, seconds, "Fourier series", space.point(center, "center"), curve)


def series(
    sines: np.ndarray,
    cosines: np.ndarray,
    frequency: float,
    seconds: float,
    swell: float,
    t: np.ndarray,
) -> Jet:
    """Displacements ``(K, n)`` with their derivatives at times ``(K,)``."""
    turning = 2.0 * np.pi * frequency * np.arange(1, len(sines) + 1)
    s, c = np.sin(np.multiply.outer(t, turning)), np.cos(np.multiply.outer(t, turning))
    waves = Jet(
        s @ sines + c @ cosines,
        (c * turning) @ sines - (s * turning) @ cosines,
        -(s * turning**2) @ sines - (c * turning**2) @ cosines,
    )
    return Jet(*(part[:, None] for part in window(t, seconds, swell))) * waves


def _coefficients(space: Space, value: Any, name: str) -> np.ndarray:
    n = len(space.free)
    array = as_array(value, (n,), name)
    if array.ndim != 2 or not len(array):
        raise InputError(
            f"{name} has shape {array.shape}, expected (harmonics, {n}): a column for each of "
            f"{', '.join(space.assembly.freedoms)}",
            argument=name,
        )
    check_finite(array, name)
    return array
