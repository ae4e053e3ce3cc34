"""Where measuring device and tool are, from what was measured; and whether its unit can be right.

The machine stays as described: only the two frames are moved, by least squares.  A device that
stands somewhere else is looked for from many orientations.
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from gough.base.spatial import pose
from gough.calibration.bench import Bench, Seen
from gough.calibration.data import Data
from gough.calibration.fit import Problem
from gough.calibration.geometry import displaced
from gough.calibration.kinds import Distances, Heights, Lengths, Poses, Positions
from gough.errors import InputError, UnreachablePose

_FAR = 20.0
"""A device that is off by more tolerances than this is looked for; nearer, the fit finds it."""

_OTHER_UNIT = 8.0
"""Lengths that are larger or smaller by more are of another unit: inches are 25 times as long."""


_STEPS = 40  # of least squares for two frames
_TRIED = 12  # measurements that are compared with exchanged readings
_BETTER = 0.1  # of the misfit is left with exchanged readings: no geometry explains that by chance


class Placed(NamedTuple):
    """Frames of device and tool that suit the machine as described.

    Attributes:
        p: values of all parameters.
        cost: what is left, each number over its standard deviation.
        off: measured less predicted numbers ``(m,)`` [m or rad].
    """

    p: np.ndarray
    cost: float
    off: np.ndarray


def placed(problem: Problem) -> Placed:
    """Device and tool where measurements have them, as far as they are free."""
    free, start = problem.free, problem.evaluated(problem.free.nominal)
    bench, data, p = problem.bench, problem.data, problem.free.nominal
    own = [k for k, each in enumerate(free.parameters) if each.is_placed]
    still = np.zeros((len(bench.readings), 6, bench.layout.size))
    hold = problem.hold[own]
    frames = slice(bench.layout.device.start, bench.layout.size)  # device and tool stand last
    unmoved = {name: each[..., frames] for name, each in start.slopes.axes_by.items()}

    def at(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = p.copy()
        values[own] = x
        g = free.geometry(values)
        seen = bench.seen(g, start.seen.machines, start.seen.closed)
        slopes = start.slopes._replace(
            tool=bench.tool_slopes(g, seen, still)[..., frames], axes_by=unmoved
        )
        off, by = data.compared(seen, slopes)
        return off, by @ free.slopes(values)[frames][:, own]

    def rows(x: np.ndarray) -> np.ndarray:
        return np.concatenate([at(x)[0] / data.deviations, (p[own] - x) * hold])

    def slopes_of(x: np.ndarray) -> np.ndarray:
        return np.vstack([-at(x)[1] / data.deviations[:, None], -np.diag(hold)])

    if not own:
        off = at(p[own])[0]
        return Placed(p, float((off / data.deviations) @ (off / data.deviations)), off)
    found = least_squares(rows, p[own], slopes_of, x_scale=free.prior[own], max_nfev=_STEPS)
    values = p.copy()
    values[own] = found.x
    return Placed(values, float(found.cost), at(found.x)[0])


def registered(problem: Problem, tolerances: tuple[float, float]) -> Problem:
    """The problem with its device about where measurements have it.

    Args:
        problem: what is measured and free, the device among it.
        tolerances: of positions [m] and directions [rad].
    """
    best, bench = placed(problem), problem.bench
    sizes = np.array([tolerances[row.unit == "rad"] for row in problem.data.rows])
    if np.median(np.abs(best.off) / sizes) < _FAR:
        return problem
    chosen = problem
    for R in _orientations():
        T_0d = _under(problem, R @ bench.T_0d[:3, :3])
        tried = _with_device(problem, T_0d)
        found = placed(tried)
        if found.cost < best.cost:
            best, chosen = found, tried
    if chosen is problem:
        return problem
    g = chosen.free.geometry(best.p)
    return _with_device(problem, displaced(chosen.bench.T_0d, g[bench.layout.device]))


def check_order(problem: Problem, tolerances: tuple[float, float], *, device: bool) -> None:
    """Refuse readings of two motors that are exchanged, before a fit of many steps tries them.

    Args:
        problem: what is measured and free.
        tolerances: of positions [m] and directions [rad].
        device: whether it may stand elsewhere.

    Raises:
        InputError: exchanged, the readings suit the machine as described, and as they are they do
            not, wherever the device stands.
    """
    data, motors = problem.data, problem.bench.layout.robot.motors
    some = np.zeros(data.count, dtype=bool)
    some[np.linspace(0, data.count - 1, min(data.count, _TRIED)).astype(int)] = True
    first = problem.chosen(some)
    few = registered(first, tolerances) if device else first
    sizes = np.array([tolerances[row.unit == "rad"] for row in few.data.rows])
    misfit = float(np.linalg.norm(placed(few).off / sizes)) / np.sqrt(len(sizes))
    if misfit < _FAR:
        return
    for pair in combinations(range(len(motors)), 2):
        readings = first.bench.readings.copy()
        readings[:, pair] = readings[:, pair[::-1]]
        other = Problem(first.bench.at(readings), first.free, first.data, first.with_prior)
        try:
            better = float(np.linalg.norm(placed(other).off / sizes)) / np.sqrt(len(sizes))
        except UnreachablePose:
            continue
        if better < _BETTER * misfit:
            one, two = (motors[k] for k in pair)
            raise InputError(
                f"measurements: readings of {one} and {two} are exchanged: as they are, the "
                f"machine is {misfit:.3g} tolerances off what was measured, exchanged {better:.2g}",
                hint="Exchange the two columns, or name them by their motors.",
                argument="measurements",
            )


def _orientations() -> list[np.ndarray]:
    """The rotations of a cube: every orientation is within 63 degrees of one of them."""
    found = []
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            R = np.diag(signs)[:, order]
            if np.linalg.det(R) > 0.0:
                found.append(R)
    return found


def _under(problem: Problem, R_0d: np.ndarray) -> np.ndarray:
    """A device of some orientation, put where points that were measured have it on average."""
    there, here, state = [], [], 0
    for each in problem.data.sets:
        K, s, _ = each.motors.shape
        if isinstance(each, (Poses, Positions)):
            there.append(np.nan_to_num(each.values[:, :3]))
            here.append(problem.first.T_0t[state : state + K * s, :3, 3])
        state += K * s
    if not there:
        return pose(R_0d, problem.bench.T_0d[:3, 3])
    mean = np.concatenate(here).mean(axis=0) - R_0d @ np.concatenate(there).mean(axis=0)
    return pose(R_0d, mean)


def _with_device(problem: Problem, T_0d: np.ndarray) -> Problem:
    """The problem with its device elsewhere; the machines stay as they are."""
    seen, bench = problem.first, problem.bench
    moved = Bench(bench.layout, bench.loops, bench.readings, T_0d, bench.T_pt)
    found = Problem(moved, problem.free, problem.data, problem.with_prior)
    found.start_at(Seen(seen.machines, seen.closed, np.linalg.inv(T_0d) @ seen.T_0t, seen.T_0t))
    return found


def check_sizes(data: Data, seen: Seen, length: float, tolerance: float) -> None:
    """Refuse lengths that are of another unit than the robot's.

    Points that hardly move, by so many tolerances [m], have no size to speak of.

    Raises:
        InputError: measured points or distances are far larger or smaller than predicted ones.
    """
    state = 0
    for each in data.sets:
        K, s, _ = each.motors.shape
        T = seen.T_dt[state : state + K * s].reshape(K, s, 4, 4)
        state += K * s
        if isinstance(each, Distances):
            measured = np.abs(each.values[:, 0])
            predicted = np.linalg.norm(T[:, 1, :3, 3] - T[:, 0, :3, 3], axis=1)
        elif isinstance(each, (Poses, Positions)) and K > 2:
            known = np.isfinite(each.values[:, :3]).all(axis=0)
            measured, predicted = (
                np.linalg.norm(p[:, known] - p[:, known].mean(axis=0), axis=1)
                for p in (each.values[:, :3], T[:, 0, :3, 3])
            )
        elif isinstance(each, Lengths):
            measured = np.abs(each.values[:, 0])
            predicted = np.linalg.norm(T[:, 0, :3, 3] - each.anchor, axis=1)
        elif isinstance(each, Heights):  # a bed may be level: only what cannot be is refused
            measured = np.abs(each.values[:, 0])
            predicted = np.abs(T[:, 0, 2, 3]) + length
            measured = np.where(measured > predicted, measured, predicted)
        else:
            continue
        good = np.isfinite(measured) & (predicted > 0.0)
        sizes = [
            float(np.median(each[good])) if good.any() else 0.0 for each in (measured, predicted)
        ]
        if max(sizes) < _FAR * tolerance or not min(sizes):
            continue
        ratio = sizes[0] / sizes[1]
        if not 1.0 / _OTHER_UNIT < ratio < _OTHER_UNIT:
            raise InputError(
                f"measurements: {each.kind}s of {each.labels[0]} and others are {ratio:.3g} times "
                "as large as this robot makes them",
                hint="Lengths are in metres, angles in radians; motors too. Or the readings belong "
                "to another robot.",
                argument="measurements",
            )
