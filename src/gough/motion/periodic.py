"""Circles, Lissajous figures and sine sweeps about a pose."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from gough.base.arguments import nearest, number
from gough.base.batch import as_array
from gough.errors import InputError, shown
from gough.motion import arguments
from gough.motion.jets import Jet, shifted, sine
from gough.motion.laws import REST_TO_REST, Law, time_law, window
from gough.motion.motion import Motion, made
from gough.motion.remembered import remembered
from gough.motion.space import Space, axes_of, space_of
from gough.robot import Robot

_RAMP = 0.1  # share of the duration in which a figure swells, and in which it dies down


@remembered
def circle(
    robot: Robot,
    center: Any = None,
    *,
    radius: float,
    duration: float,
    turns: float = 1.0,
    plane: Any = None,
    phase: float = 0.0,
    law: str = "quintic",
) -> Motion:
    """A circle about a pose; the motion begins on it.

    Args:
        robot: the machine.
        center: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        radius: [m], or [rad] for a plane of rotations.
        duration: of all turns [s].
        turns: how many; negative ones go the other way round.
        plane: the names of two freedoms, ``("x", "y")`` or ``("rx", "ry")``, the circle going from
            the first towards the second; or the plane's normal, three numbers, about which it goes.
            If not given: the first two freedoms of a kind.
        phase: where it begins [rad].
        law: ``"quintic"`` or ``"septic"`` from rest to rest; ``"cruise"``: constant speed between
            smooth ramps; ``"constant"``: constant speed, already at the beginning.
    """
    space = space_of(robot)
    first, second = _plane(space, plane)
    size = number(radius, "radius", positive=True)
    whole = 2.0 * np.pi * number(turns, "turns")
    ahead = number(phase, "phase")
    seconds = arguments.duration(duration)
    share = time_law(law, seconds, (*REST_TO_REST, "constant"))
    curve = partial(_round, share, whole, ahead, size * first, size * second)
    return made(space, seconds, "circle", space.point(center, "center"), curve)


def _round(
    share: Law, whole: float, ahead: float, first: np.ndarray, second: np.ndarray, t: np.ndarray
) -> Jet:
    angle = shifted(share(t) * whole, ahead)
    x, y = sine(shifted(angle, np.pi / 2.0)), sine(angle)
    return x.along(first).plus(y.along(second))


@remembered
def lissajous(
    robot: Robot,
    center: Any = None,
    *,
    amplitude: Any,
    frequency: Any,
    duration: float,
    phase: Any = 0.0,
    ramp: float | None = None,
) -> Motion:
    """Sines of the freedoms about a pose, each with its own frequency.

    They swell from nothing and die down again: the motion begins and ends at rest in the centre.

    Args:
        robot: the machine.
        center: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        amplitude: of each freedom [m, rad]: ``{"x": 0.05, "rz": 0.1}``, an array ``(n,)``, or one
            number for all.
        frequency: of each freedom [Hz], the same.
        duration: [s].
        phase: of each freedom at the beginning [rad], the same.
        ramp: how long they swell and die down [s]; a tenth of the duration if not given; 0: they
            begin and end with their full amplitude, in motion.
    """
    space = space_of(robot)
    seconds = arguments.duration(duration)
    size = arguments.by_freedom(space, amplitude, "amplitude")
    turning = 2.0 * np.pi * arguments.by_freedom(space, frequency, "frequency")
    ahead = arguments.by_freedom(space, phase, "phase")
    running = partial(_steadily, turning)
    curve = partial(_waves, running, size, ahead, seconds, swelling(ramp, seconds))
    return made(space, seconds, "Lissajous figure", space.point(center, "center"), curve)


def _steadily(turning: np.ndarray, t: np.ndarray) -> Jet:
    """The phase of each freedom at its own frequency [rad]."""
    still = np.zeros((len(t), len(turning)))
    return Jet(t[:, None] * turning, still + turning, still)


def _waves(
    running: Law, size: np.ndarray, ahead: np.ndarray, seconds: float, swell: float, t: np.ndarray
) -> Jet:
    """Sines of phases that run with time, which swell and die down."""
    return _column(window(t, seconds, swell)) * (sine(shifted(running(t), ahead)) * size)


@remembered
def sine_sweep(
    robot: Robot,
    center: Any = None,
    *,
    amplitude: Any,
    frequencies: tuple[float, float],
    duration: float,
    spacing: str = "exponential",
    phase: Any = 0.0,
    ramp: float | None = None,
) -> Motion:
    """A sine whose frequency runs from one value to another, on one or several freedoms.

    Args:
        robot: the machine.
        center: home if ``None``; freedoms ``(n,)``, or a matrix ``(4, 4)``.
        amplitude: of each freedom [m, rad]: ``{"z": 0.002}``, an array ``(n,)``, or one number.
        frequencies: at the beginning and at the end [Hz].
        duration: [s].
        spacing: ``"exponential"``: every octave takes as long; ``"linear"``: every hertz.
        phase: of each freedom [rad], the same form as ``amplitude``.
        ramp: how long it swells and dies down [s]; a tenth of the duration if not given.
    """
    space = space_of(robot)
    seconds = arguments.duration(duration)
    size = arguments.by_freedom(space, amplitude, "amplitude")
    ahead = arguments.by_freedom(space, phase, "phase")
    low, high = _pair(frequencies)
    swell = swelling(ramp, seconds)
    if not isinstance(spacing, str) or spacing not in ("exponential", "linear"):
        raise InputError(
            f"unknown spacing {shown(spacing)}",
            hint=nearest(spacing, ("exponential", "linear")),
            argument="spacing",
        )
    # so little an exponential is a straight line, and its formula is 0/0
    even = spacing == "linear" or abs(np.log(high / low)) < 1e-9
    running = partial(_evenly if even else _by_octaves, low, high, seconds)
    curve = partial(_waves, running, size, ahead, seconds, swell)
    return made(space, seconds, "sine sweep", space.point(center, "center"), curve)


def _evenly(low: float, high: float, seconds: float, t: np.ndarray) -> Jet:
    """The phase of a sweep by hertz [rad]."""
    slope = (high - low) / seconds
    parts = (low + slope * t / 2.0) * t, low + slope * t, np.full_like(t, slope)
    return _column(Jet(*(2.0 * np.pi * part for part in parts)))


def _by_octaves(low: float, high: float, seconds: float, t: np.ndarray) -> Jet:
    """The phase of a sweep by octaves [rad]."""
    growth = np.log(high / low) / seconds
    now = low * np.exp(growth * t)
    parts = (now - low) / growth, now, growth * now
    return _column(Jet(*(2.0 * np.pi * part for part in parts)))


def _column(jet: Jet) -> Jet:
    return Jet(*(part[:, None] for part in jet))


def swelling(ramp: float | None, duration: float) -> float:
    """How long a figure swells and dies down [s], from an argument ``ramp``."""
    if ramp is None:
        return _RAMP * duration
    found = number(ramp, "ramp", nonnegative=True) and arguments.duration(ramp, "ramp")
    if found > duration / 2.0:
        raise InputError(
            f"ramp is {found:g} s, more than half of the {duration:g} s that the motion takes",
            argument="ramp",
        )
    return found


def _pair(frequencies: Any) -> tuple[float, float]:
    if axes_of(frequencies) != 1 or len(frequencies) != 2:
        raise InputError(
            f"frequencies: expected two numbers, got {shown(frequencies)}", argument="frequencies"
        )
    low, high = (number(f, f"frequencies[{i}]", positive=True) for i, f in enumerate(frequencies))
    return low, high


def _plane(space: Space, plane: Any) -> tuple[np.ndarray, np.ndarray]:
    """Two displacements of length 1 that span the plane, the second ahead of the first."""
    names = space.assembly.freedoms
    if plane is None:
        of_a_kind = [[n for n in names if (len(n) == 2) == turning] for turning in (False, True)]
        plane = next((some[:2] for some in of_a_kind if len(some) > 1), None)
        if plane is None:
            raise InputError(
                f"{space.assembly.robot.name} has no two freedoms of a kind for a circle",
                hint=f"Its freedoms are {', '.join(names)}.",
                argument="plane",
            )
    if axes_of(plane) == 1 and len(plane) == 2 and all(isinstance(name, str) for name in plane):
        first, second = (arguments.by_freedom(space, {name: 1.0}, "plane") for name in plane)
        if len({len(name) for name in plane}) > 1 or plane[0] == plane[1]:
            raise InputError(
                f"a circle of {plane[0]} and {plane[1]} is none",
                argument="plane",
                hint="Choose two translations or two rotations.",
            )
        return first, second
    three = axes_of(plane) == 1 and len(plane) == 3
    normal = as_array(plane, (3,), "plane") if three else np.zeros(3)
    if not np.isfinite(normal).all() or not np.linalg.norm(normal) > 0.0:
        raise InputError(
            f"plane is {shown(plane)}, expected two freedoms or a normal of three numbers",
            argument="plane",
        )
    # the first direction is near x, or near y for a plane across x
    normal = normal / np.linalg.norm(normal)
    across = np.cross(normal, np.eye(3)[0])
    if np.linalg.norm(across) < 0.5:
        across = np.cross(normal, np.eye(3)[1])
    across = across / np.linalg.norm(across)
    along = np.cross(across, normal)
    return (arguments.direction(space, along, "plane"), arguments.direction(space, across, "plane"))
