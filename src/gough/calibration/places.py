"""Places where a machine could be measured: states of its motors that it can have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.calibration.bench import Bench, Seen
from gough.calibration.geometry import displaced
from gough.calibration.reach import MARGIN, Reach
from gough.modes.closing import Machines

SPAN = 0.25
"""Half a stroke that nobody says, natural units: 0.25 rad, or a quarter of the robot's length."""

_SEED = 7  # any; the same call proposes the same places
_NEARER = (1.0, 1.0, 0.8, 0.6, 0.45, 0.3, 0.2)
"""Shares of the stroke around home, tried until enough places are found."""

_FEWER = 0.25  # of the places wanted may be missing

_ROUNDS = 8  # of Newton's steps onto a plane
_LONGEST = 0.3  # of these, natural units
_ON = 1e-6  # of a length: how far from a plane a tool may be that stands on it


class Stroke(NamedTuple):
    """Where motors can be ``(n,)`` [rad or m], as their controller reads them.

    Attributes:
        low: the lowest readings.
        high: the highest.
        assumed: names of motors whose stroke nobody says.
    """

    low: np.ndarray
    high: np.ndarray
    assumed: tuple[str, ...]


def find_stroke(bench: Bench, least: float = 0.05) -> Stroke:
    """Limits of the motors with a margin; without limits what was measured, half as much again.

    Args:
        bench: the machine at measured states.
        least: half a stroke that is assumed at least, natural units.
    """
    robot, scales = bench.layout.robot, bench.loops.assembly.scales.motors
    low, high = bench.readings.min(axis=0), bench.readings.max(axis=0)
    half = np.maximum(0.75 * (high - low), least * scales)
    low, high = (low + high) / 2.0 - half, (low + high) / 2.0 + half
    assumed = []
    for k, name in enumerate(robot.motors):
        bounds = robot.axis(name).limits.position
        if bounds is None or not np.isfinite(bounds[1] - bounds[0]):
            assumed.append(name)
            continue
        margin = MARGIN * (bounds[1] - bounds[0])
        low[k], high[k] = bounds[0] + margin, bounds[1] - margin
    return Stroke(low, high, tuple(assumed))


def places(
    bench: Bench,
    g: np.ndarray,
    count: int,
    *,
    stroke: Stroke | None = None,
    height: float | None = None,
    radius: float | None = None,
) -> tuple[Bench, Seen]:
    """States all over the stroke of the motors that the machine can have.

    Those are left out that pass a limit of any axis, the cone of a ball included, that are near a
    singularity, or that the machine cannot reach from home in its working mode.  Where the stroke
    is full of such states, more are sought nearer to home.

    Args:
        bench: the machine at measured states.
        g: its geometry.
        count: how many to try, and to find at most.
        stroke: of the motors; by default their limits.
        height: of the tool over the plane z = 0 of the device [m], where all of them have it.
        radius: how far the tool may be from the base's z axis [m], on a round bed.
    """
    rng, reach = np.random.default_rng(_SEED), Reach(bench.loops)
    low, high, _ = find_stroke(bench) if stroke is None else stroke
    middle = np.clip(home_at(bench, g, height).readings, low, high)
    found: list[tuple[np.ndarray, Machines]] = []
    missing = count
    for share in _NEARER:
        q = middle + share * (rng.uniform(low, high, (count, len(low))) - middle)
        q, machines, good = _standing(bench, g, reach, q, height)
        good &= ((q >= low) & (q <= high)).all(axis=1)
        if radius is not None:
            at = (machines.T_0p @ displaced(bench.T_pt, g[bench.layout.tool]))[:, :2, 3]
            good &= np.hypot(at[:, 0], at[:, 1]) <= radius
        kept = np.flatnonzero(good)[:missing]
        found.append((q[kept], machines.select(kept)))
        missing -= len(kept)
        if missing <= _FEWER * count:
            break
    readings = np.concatenate([q for q, _ in found])
    states = Machines(*(np.concatenate(part) for part in zip(*(m for _, m in found), strict=True)))
    there = bench.at(readings)
    return there, there.seen(g, states)


def home_at(bench: Bench, g: np.ndarray, height: float | None) -> Bench:
    """The machine at home; with a height, lowered to it where it can be."""
    layout, loops = bench.layout, bench.loops
    home = loops.assembly.home_values
    q = np.array([[home[name] for name in layout.robot.motors]])
    if height is not None:
        there, _, good = _lowered(bench, g, Reach(loops), (q, loops.home(1)), height)
        q = there if good.all() else q
    return bench.at((q - g[layout.offsets]) / g[layout.gains])


def _standing(
    bench: Bench, g: np.ndarray, reach: Reach, readings: np.ndarray, height: float | None
) -> tuple[np.ndarray, Machines, np.ndarray]:
    """Readings moved onto a plane if one is given, their states, and which of them are allowed."""
    layout, seats = bench.layout, bench.layout.seats_of(g)
    gains, offsets = g[layout.gains], g[layout.offsets]
    q = readings * gains + offsets
    machines, good = reach.loops.led(reach.loops.home(len(q)), q, seats, same_mode=True)
    if height is not None:
        q, machines, there = _lowered(bench, g, reach, (q, machines), height)
        good &= there
    ok = np.flatnonzero(good)
    some = machines.select(ok)
    good[ok] = reach.inside(some, seats) & reach.regular(some, q[ok], seats)
    return (q - offsets) / gains, machines, good


def _lowered(
    bench: Bench,
    g: np.ndarray,
    reach: Reach,
    start: tuple[np.ndarray, Machines],
    height: float,
) -> tuple[np.ndarray, Machines, np.ndarray]:
    """Motors moved the shortest way that brings the tool to a height over the device's plane."""
    layout, scales = bench.layout, reach.assembly.scales.motors
    seats, T_0d = layout.seats_of(g), bench.device(g)
    T_pt = displaced(bench.T_pt, g[layout.tool])
    q, machines = start
    closed = np.ones(len(q), dtype=bool)
    for _ in range(_ROUNDS):
        at = (machines.T_0p @ T_pt)[:, :3, 3]
        off = (at - T_0d[:3, 3]) @ T_0d[:3, 2] - height
        if np.abs(off).max(initial=0.0) < 1e-3 * _ON * reach.assembly.length:
            break
        V = reach.platform(machines, q, seats)
        arm = at - machines.T_0p[:, :3, 3]
        moved = V[:, :3] + np.cross(V[:, 3:], arm[:, :, None], axis=1)
        slope = (T_0d[:3, 2] @ moved) * scales
        step = -off[:, None] * slope / np.maximum((slope**2).sum(axis=1), 1e-12)[:, None]
        step *= np.minimum(1.0, _LONGEST / np.maximum(np.abs(step).max(axis=1), 1e-12))[:, None]
        q = q + step * scales
        machines, closed = reach.loops.closed(machines, q, seats)
    at = (machines.T_0p @ T_pt)[:, :3, 3]
    off = (at - T_0d[:3, 3]) @ T_0d[:3, 2] - height
    return q, machines, closed & (np.abs(off) < _ON * reach.assembly.length)
