"""What to measure before anything has been measured: poses that tell most, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import check_known, number, whole, words
from gough.base.batch import as_array, check_finite
from gough.base.english import counted, listed
from gough.base.progress import Progress, reporter
from gough.calibration.bench import Bench, Seen
from gough.calibration.calibrate import frame_of, placed_entries, that_matter
from gough.calibration.data import Data
from gough.calibration.design import Proposal, greedy, started
from gough.calibration.fit import Fitted, Problem
from gough.calibration.geometry import Layout
from gough.calibration.imagined import Kind, imagined
from gough.calibration.kinds import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.knowledge import Knowledge, observability
from gough.calibration.loops import seated_loops
from gough.calibration.measured import Measurements
from gough.calibration.parameters import TOLERANCE, find_free
from gough.calibration.places import SPAN, Stroke, find_stroke, home_at, places
from gough.calibration.plan_result import Expected, MeasurementPlan
from gough.calibration.plan_table import UNITS
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import assembled
from gough.modes.closing import Machines
from gough.modes.driven import check_motors
from gough.robot import Robot

KINDS: dict[str, type[Measurements]] = {
    "poses": Poses,
    "positions": Positions,
    "orientations": Orientations,
    "heights": Heights,
    "distances": Distances,
    "lengths": Lengths,
    "encoders": Encoders,
}
"""Kinds of measurements by name."""

_EACH, _LEAST, _MOST = 8, 200, 600
"""Places that are considered for each one that is asked for, and how many in all."""


def measurement_plan(
    robot: Robot,
    kind: str | Sequence[str] = "poses",
    count: int = 30,
    free: Any = None,
    prior: Any = "manufacturing",
    noise: Any = None,
    *,
    device: Any = None,
    tool: Any = None,
    axis: str | None = None,
    anchor: Any = None,
    stroke: Any = None,
    height: float | None = None,
    radius: float | None = None,
    progress: Progress | None = None,
) -> MeasurementPlan:
    """Which poses to measure for a calibration, and how well its parameters will then be known.

    Places are drawn all over the stroke of the motors; those beyond a limit of any joint or near a
    singularity are left out.  Of the rest each step takes the one that shrinks the covariance of
    the parameters most (D-optimal, one after the other), so that a plan may be ended at any step.

    Args:
        robot: the machine as described.
        kind: what is measured: ``"poses"``, ``"positions"``, ``"orientations"``, ``"heights"``,
            ``"distances"``, ``"lengths"`` or ``"encoders"``; or several of them.
        count: how many measurements.
        free: parameters, as for :func:`gough.calibrate`.
        prior: how far they may be off, as there.
        noise: standard deviations of lengths [m] and angles [rad] that are measured; by default a
            tenth of the tolerances of manufacturing.
        device: frame of the measuring device in the base, 4x4 or Frame.
        tool: frame of what is measured on the platform, 4x4 or Frame.
        axis: joint axis without motor that is read, for ``"encoders"``.
        anchor: fixed point in the device's frame ``(3,)`` [m], for ``"lengths"``.
        stroke: lowest and highest position of the motors [rad or m]: a pair for all, one a motor
            ``(n, 2)``, or pairs by name.  By default the limits of the motors; for motors without
            limits 0.25 rad, or a quarter of the robot's length, to both sides of home.
        height: of the tool over the plane z = 0 of the device [m], for heights and distances that
            are measured on a plane, such as a bed; if it is not given, anywhere.
        radius: how far the tool may be from the base's z axis [m], where a bed is round; if it is
            not given, anywhere.
        progress: called with the share that is done, 0 to 1.

    Returns:
        A :class:`gough.MeasurementPlan`.

    Raises:
        InputError: arguments that do not fit the robot, or a stroke without a place to measure at.
    """
    assembly = assembled(robot)
    check_motors(assembly)
    report, steps = reporter(progress), _count(count)
    home = np.array([[assembly.home_values[name] for name in robot.motors]])
    likes = _likes(robot, kind, axis, anchor, home)
    read = [each.axis for each in likes if isinstance(each, Encoders)]
    frames = frame_of(device, "device"), frame_of(tool, "tool")
    bench = Bench(Layout(robot), seated_loops(assembly, read), home, *frames)
    g = bench.layout.nominal
    level = None if height is None else number(height, "height")
    bed = None if radius is None else number(radius, "radius", positive=True)
    _stroke(bench, stroke)
    tolerances = (TOLERANCE * assembly.length, TOLERANCE)
    _check(bench, likes, (free, prior, noise), tolerances)
    tried = int(np.clip(_EACH * steps, _LEAST, _MOST))
    parts = []
    assumed: tuple[str, ...] = ()
    for like in likes:
        flat = level if isinstance(like, type) and like in (Heights, Distances) else None
        within = _stroke(home_at(bench, g, flat), stroke)
        assumed = within.assumed
        where, seen = places(bench, g, tried, stroke=within, height=flat, radius=bed)
        if len(where.readings) < 2:
            raise _nowhere(robot, within, flat, bed)
        parts.append((seen, *imagined(like, where, seen, lambda _unit: np.nan)))
        report(0.4 * len(parts) / len(likes))
    data = Data.of(robot, [found for _, found, _ in parts], noise, tolerances)
    problem = _problem(bench, data, [(seen, at.reshape(-1)) for seen, _, at in parts], free, prior)
    report(0.6)
    p = problem.free.nominal
    rows = problem.rows(p)
    B = _rows(problem, rows.by)
    nothing = Knowledge(
        B[0, :0], rows.open_by * problem.free.prior, problem.free.prior, prior is not None
    )
    C, T = started(nothing), problem.tool(p)
    spread = np.einsum("sin,nm,sim->si", T, C, T, optimize=True)
    known, chosen = [spread], []
    for each in greedy(C, B, steps):
        chosen.append((each.which, each.gain))
        spread = spread - ((T @ each.change) ** 2).sum(axis=2)
        known.append(spread)
        report(0.6 + 0.3 * len(chosen) / steps)
    return _plan(problem, chosen, np.array(known), _findings(noise, assumed))


def _count(count: Any) -> int:
    found = whole(count, "count", least=1)
    if found > _MOST:
        raise InputError(f"count: at most {_MOST} measurements are planned", argument="count")
    return found


def _likes(robot: Robot, kind: Any, axis: str | None, anchor: Any, home: np.ndarray) -> list[Kind]:
    """Kinds that a call asks for, those with figures of their own as one measurement at home."""
    names = [kind] if isinstance(kind, str) else words(kind, "kind")
    if not names:
        raise InputError("kind: nothing is measured", argument="kind")
    for name in names:
        check_known(name, KINDS, "kind: there is no kind", "kind")
    for name, value, needed in (("axis", axis, "encoders"), ("anchor", anchor, "lengths")):
        if (value is not None) != (needed in names):
            what = "is not given" if value is None else f"is given without {needed!r}"
            raise InputError(f"{name} {what}: kind is {listed(map(repr, names))}", argument=name)
    found: list[Kind] = []
    for name in dict.fromkeys(names):
        if name == "encoders":
            check_known(axis, robot.axis_names, f"{robot.name} has no axis", "axis")
            slides = Layout(robot).motor_unit(str(axis)) == "m"
            found.append(Encoders(home, str(axis), [0.0], slides=slides))
        elif name == "lengths":
            point = as_array(anchor, (3,), "anchor")
            check_finite(point, "anchor")
            found.append(Lengths(home, point, [1.0]))
        else:
            found.append(KINDS[name])
    return found


def _check(
    bench: Bench, likes: Sequence[Kind], given: Sequence[Any], tolerances: tuple[float, float]
) -> None:
    """Refuse what cannot be free, or noise that is none, before places are looked for."""
    free, prior, noise = given
    g = bench.layout.nominal
    twice = bench.at(np.repeat(bench.readings, 2, axis=0))
    seen = twice.seen(g, bench.loops.home(2))
    sets = [imagined(each, twice, seen, lambda _unit: np.nan).measurements for each in likes]
    data = Data.of(bench.layout.robot, sets, noise, tolerances)
    find_free(
        bench.layout,
        bench.loops.assembly.length,
        free,
        prior,
        *placed_entries(data, tool_is_known=False),
    )


def _stroke(bench: Bench, given: Any) -> Stroke:
    """Where motors may be."""
    motors = bench.layout.robot.motors
    own = find_stroke(bench, SPAN)
    if given is None:
        return own
    if isinstance(given, Mapping):
        for name in given:
            check_known(name, motors, "stroke: there is no motor", "stroke")
        pairs = {name: _pair(pair, f"stroke[{name!r}]") for name, pair in given.items()}
    else:
        array = as_array(given, (2,), "stroke")
        if array.shape not in ((2,), (len(motors), 2)):
            raise InputError(
                f"stroke has shape {array.shape}, expected lowest and highest positions: (2,), or "
                f"one pair a motor, {(len(motors), 2)}",
                argument="stroke",
            )
        rows = np.broadcast_to(array, (len(motors), 2))
        pairs = {name: _pair(row, "stroke") for name, row in zip(motors, rows, strict=True)}
    low, high = own.low.copy(), own.high.copy()
    for name, (least, most) in pairs.items():
        k = motors.index(name)
        low[k], high[k] = least, most
    return Stroke(low, high, tuple(name for name in own.assumed if name not in pairs))


def _pair(given: Any, name: str) -> tuple[float, float]:
    pair = as_array(given, (2,), name)
    if pair.shape != (2,) or not np.isfinite(pair).all() or not pair[0] < pair[1]:
        raise InputError(
            f"{name} is {shown(given)}, expected the lowest and the highest position",
            argument="stroke",
        )
    return float(pair[0]), float(pair[1])


def _nowhere(
    robot: Robot, stroke: Stroke, height: float | None, radius: float | None
) -> InputError:
    layout = Layout(robot)
    shown_in = {
        name: UNITS["length" if layout.motor_unit(name) == "m" else "angle"]
        for name in robot.motors
    }
    spans = ", ".join(
        f"{name} {shown_in[name][1] * low:.4g} to {shown_in[name][1] * high:.4g} "
        f"{shown_in[name][0]}"
        for name, low, high in zip(robot.motors, stroke.low, stroke.high, strict=True)
    )
    plane = "" if height is None else f" with its tool at a height of {height:g} m"
    if radius is not None:
        plane += f" within {radius:g} m of the base's z axis"
    return InputError(
        f"{robot.name}: no place to measure at was found{plane}; motors within {spans}",
        hint="Give another stroke or height; states beyond limits of joints, near singularities or "
        "in another working mode than home's are left out.",
        argument="stroke" if height is None else "height",
    )


def _problem(
    bench: Bench, data: Data, parts: Sequence[tuple[Seen, np.ndarray]], free: Any, prior: Any
) -> Problem:
    """What is free, at all places, all kinds together."""
    layout, length = bench.layout, bench.loops.assembly.length
    chosen, usual = find_free(
        layout, length, free, prior, *placed_entries(data, tool_is_known=False)
    )
    problem = Problem(bench.at(data.readings), chosen, data, prior is not None)
    columns = [
        (*seen.machines.select(at), seen.closed[at], seen.T_dt[at], seen.T_0t[at])
        for seen, at in parts
    ]
    T, coordinates, *rest = (np.concatenate(each) for each in zip(*columns, strict=True))
    problem.start_at(Seen(Machines(T, coordinates), *rest))
    return that_matter(problem) if usual else problem


def _rows(problem: Problem, by: np.ndarray) -> np.ndarray:
    """Derivatives in natural units ``(K, 6, n)``, one block a measurement; others are zero."""
    data = problem.data
    found = np.zeros((data.count, 6, by.shape[1]))
    places_of = np.arange(len(by)) - np.searchsorted(data.owners, data.owners)
    found[data.owners, places_of] = by / data.deviations[:, None] * problem.free.prior
    return found


def _plan(
    problem: Problem,
    chosen: list[tuple[int, float]],
    known: np.ndarray,
    findings: Sequence[str],
) -> MeasurementPlan:
    data, robot = problem.data, problem.bench.layout.robot
    seen = problem.seen(problem.free.nominal)
    sets = [each for each in data.sets for _ in range(len(each))]
    steps = []
    for k, gain in chosen:
        states = data.states_of(k)
        steps.append(Proposal(sets[k].kind, data.readings[states], seen.T_dt[states], gain))
    mask = np.zeros(data.count, dtype=bool)
    mask[[k for k, _ in chosen]] = True
    done = problem.chosen(mask)
    p = done.free.nominal
    rows = done.rows(p)
    fitted = Fitted(p, done.seen(p), rows, 0, 0.0, np.ones(len(rows.off)))
    worth, free = Knowledge.of(done, fitted), done.free
    mean = known.mean(axis=1)
    units = {row.unit: float(std) for row, std in zip(data.rows, data.deviations, strict=True)}
    prior = free.prior if problem.with_prior else np.full(len(free.prior), np.inf)
    return MeasurementPlan(
        robot=robot,
        steps=tuple(steps),
        sets=tuple(data.sets),
        noise=(units.get("m", np.nan), units.get("rad", np.nan)),
        position=np.sqrt(np.clip(mean[:, :3].sum(axis=1), 0.0, None)),
        angle=np.sqrt(np.clip(mean[:, 3:].sum(axis=1), 0.0, None)),
        parameters=tuple(
            Expected(each.name, each.unit, each.nominal, float(before), float(std), float(said))
            for each, before, std, said in zip(
                free.parameters, prior, worth.std, worth.said, strict=True
            )
        ),
        observability=observability(done, fitted),
        considered=data.count,
        findings=tuple(findings),
    )


def _findings(noise: Any, assumed: Sequence[str]) -> list[str]:
    found = []
    if noise is None:
        found.append(
            "Noise was not given: a tenth of the tolerances of manufacturing is taken for it."
        )
    if assumed:
        said = counted(len(assumed), "motor has", "motors have")
        found.append(
            f"{said} no limits ({listed(assumed)}): the stroke is assumed around home; say it if "
            "the machine reaches further, or not as far."
        )
    return found
