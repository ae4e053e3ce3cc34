"""Calibration: the geometry of a machine from what was measured on it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import numpy as np

from gough.base.arguments import number, one_of
from gough.base.batch import as_array, check_pose
from gough.base.english import counted
from gough.base.progress import Progress, reporter
from gough.calibration.bench import Bench
from gough.calibration.combinations import combinations
from gough.calibration.data import Data
from gough.calibration.design import Design
from gough.calibration.fit import PLAY, Loss, Problem
from gough.calibration.geometry import DEVICE, TOOL, Layout, displaced
from gough.calibration.knowledge import observability
from gough.calibration.loops import seated_loops
from gough.calibration.measured import Measurements
from gough.calibration.moved_robot import moved_robot
from gough.calibration.parameters import TOLERANCE, find_free
from gough.calibration.registration import check_order, check_sizes, registered
from gough.calibration.result import Calibration, Estimate, Residuals, outlier_words
from gough.calibration.solving import Solved, solve, without_outliers
from gough.calibration.worth import behaviour, notes, parasitic
from gough.errors import GoughError, GoughWarning, InputError, UnreachablePose
from gough.mechanism.mobility.assembly import assembled
from gough.modes.driven import check_motors
from gough.modes.from_motors import state_from_motors
from gough.robot import Frame, Robot

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
_COMPARED = 5  # states at which the calibrated robot is compared with the fit
_APART = 0.1  # of a tolerance: beyond, they differ
_SEED = 11  # any; of a crooked machine, at which parameters that matter are told from others


def calibrate(
    robot: Robot,
    measurements: Measurements | list[Measurements],
    free: Any = None,
    prior: Any = "manufacturing",
    noise: Any = None,
    *,
    device: Any = None,
    tool: Any = None,
    loss: Loss = "linear",
    outliers: Literal["warn", "drop", "keep"] = "warn",
    held_back: Any = 0.0,
    progress: Progress | None = None,
) -> Calibration:
    """The geometry of a machine from what was measured on it.

    Args:
        robot: the machine as described.
        measurements: objects of :mod:`gough.calibration`, of one kind or of several: full poses,
            positions, orientations, heights over a plane, distances between two states, lengths of
            a wire, readings of passive joints.
        free: what may differ from the description.  By default every position and direction of a
            joint's frame, gains of sliding motors, the frames of tool and measuring device.  Or
            names and patterns: ``u*.base.position``, ``p1.offset``, ``*.gain``, ``rod1.length``,
            ``tool``, ``device.direction``; or figures of the robot's maker, as in
            ``robot.parameters``: ``bar``, ``legs[1].phi``.
        prior: how far parameters may be off, as standard deviations.  ``"manufacturing"``: 0.5 mm
            and 0.5 mrad on a machine of 1 m; a factor of that; a pair, of positions [m] and
            directions [rad]; a dictionary by name or pattern; or ``None`` for plain least squares.
        noise: standard deviations of lengths [m] and angles [rad] that were measured, for those
            that come without; if it is not given either, it is found from the residuals.
            ``"scaled"``: those that came are weights only, their scale is found.
        device: frame of the measuring device in the base, 4x4 or Frame, as far as it is known.
        tool: frame of what is measured on the platform, 4x4 or Frame in the platform's frame, where
            that is not ``T_0p`` itself.
        loss: ``"linear"``; ``"soft_l1"``, ``"huber"`` or ``"cauchy"``: outliers count less.
        outliers: measurements that the others contradict are named in any case.  ``"warn"`` also
            warns, ``"drop"`` fits again without them, ``"keep"`` is silent.
        held_back: share of the measurements that is not used but predicted, or measurements that
            are.
        progress: called with the share that is done, 0 to 1.

    Returns:
        A :class:`gough.Calibration`.

    Raises:
        UnreachablePose: the machine cannot be assembled with its motors where they were read; the
            measurement is named.
        InputError: arguments that do not fit the robot.
    """
    assembly = assembled(robot)
    check_motors(assembly)
    one_of(loss, "loss", LOSSES)
    one_of(outliers, "outliers", ("warn", "drop", "keep"))
    scaled = isinstance(noise, str) and one_of(noise, "noise", ("scaled",)) == "scaled"
    report = _rising(reporter(progress))
    tolerances = (TOLERANCE * assembly.length, TOLERANCE)
    whole = Data.of(robot, measurements, noise, tolerances)
    data, spare = _divided(robot, whole, held_back, noise, tolerances)
    layout = Layout(robot)
    frames = frame_of(device, "device"), frame_of(tool, "tool")
    axes = dict.fromkeys([*whole.axes, *(() if spare is None else spare.axes)])
    bench = Bench(layout, seated_loops(assembly, tuple(axes)), data.readings, *frames)
    entries = placed_entries(data, tool_is_known=tool is not None)
    chosen, usual = find_free(layout, assembly.length, free, prior, *entries)
    problem = Problem(bench, chosen, data, prior is not None)
    check_sizes(data, problem.first, assembly.length, tolerances[0])
    elsewhere = device is None and any(each.is_device for each in chosen.parameters)
    check_order(problem, tolerances, device=elsewhere)
    if elsewhere:
        problem = registered(problem, tolerances)
    if usual:
        problem = that_matter(problem)
    solved = solve(problem, loss=loss, scaled=scaled, progress=lambda x: report(0.5 * x))
    strange, clean = without_outliers(
        problem, solved, loss=loss, scaled=scaled, progress=lambda x: report(0.5 + 0.2 * x)
    )
    if outliers == "drop":
        solved = clean
    elif strange and outliers == "warn":
        for each in strange:
            warnings.warn(outlier_words(each), GoughWarning, stacklevel=2)
    dropped = [each.label for each in strange] if outliers == "drop" else []
    report(0.7)
    design = Design(solved.problem, solved.fitted, solved.knowledge)
    visible = observability(solved.problem, solved.fitted)
    known, extra = behaviour(solved, design), parasitic(solved, design)
    report(0.85)
    g = solved.problem.free.geometry(solved.fitted.p)
    found = Calibration(
        nominal=robot,
        parameters=_estimates(solved),
        covariance=solved.knowledge.covariance,
        residuals=_residuals(solved),
        held_back=None if spare is None else _predicted(solved, spare),
        chi_square=solved.chi_square,
        cost=solved.fitted.cost * solved.scale**2,
        scale=solved.scale,
        noise_is_known=solved.noise_is_known,
        observability=visible,
        combinations=combinations(design, solved.knowledge, solved.problem.free.parameters),
        outliers=tuple(strange),
        dropped=tuple(dropped),
        behaviour=known,
        parasitic=extra,
        T_0d=solved.problem.bench.device(g),
        T_pt=displaced(frames[1], g[layout.tool]) if tool is not None else np.eye(4),
        gain=g[layout.gains],
        offset=g[layout.offsets],
        steps=solved.fitted.steps,
        findings=notes(solved, visible, known, extra, dropped),
        design=design,
        made=partial(_robot, solved, g, tool=tool is None),
    )
    report(1.0)
    return found


def _rising(report: Progress) -> Progress:
    """The same reports, none of which goes back."""
    most = 0.0

    def rising(share: float) -> None:
        nonlocal most
        most = max(most, share)
        report(most)

    return rising


def frame_of(given: Any, name: str) -> np.ndarray:
    """A frame of an argument as a matrix."""
    if given is None:
        return np.eye(4)
    T = given.matrix if isinstance(given, Frame) else as_array(given, (4, 4), name)
    if T.shape != (4, 4):
        raise InputError(f"{name} has shape {T.shape}, expected (4, 4)", argument=name)
    check_pose(T, name)
    return np.asarray(T, dtype=float)


def _divided(
    robot: Robot, data: Data, held_back: Any, noise: Any, tolerances: tuple[float, float]
) -> tuple[Data, Data | None]:
    """Measurements that are used, and those that are only predicted."""
    if isinstance(held_back, (Measurements, Sequence)) and not isinstance(held_back, str):
        return data, Data.of(robot, held_back, noise, tolerances, "held_back")
    share = number(held_back, "held_back", nonnegative=True)
    if share > 0.9:
        raise InputError(
            f"held_back is {share:g}, expected a share of the measurements up to 0.9",
            argument="held_back",
        )
    if not share:
        return data, None
    count = min(max(round(share * data.count), 1), data.count - 1)
    if not count:
        raise InputError("held_back: there is one measurement only", argument="held_back")
    spare = np.zeros(data.count, dtype=bool)
    spare[((np.arange(count) + 0.5) * data.count / count).astype(int)] = True
    return data.chosen(~spare), data.chosen(spare)


def placed_entries(data: Data, *, tool_is_known: bool) -> tuple[set[str], set[str]]:
    """Entries of the device that measurements depend on; those of device and tool nobody knows."""
    used, unknown = set(), set()
    for each in data.sets:
        if each.kind in ("pose", "position", "length"):
            own = {f"{DEVICE}.{what}.{a}" for what in ("position", "direction") for a in "xyz"}
        elif each.kind == "orientation":
            own = {f"{DEVICE}.direction.{a}" for a in "xyz"}
        elif each.kind == "height":
            own = {f"{DEVICE}.position.z", f"{DEVICE}.direction.x", f"{DEVICE}.direction.y"}
        else:
            own = set()
        used |= own
        if each.kind != "height":  # a plane is nearly where it is said to be
            unknown |= own
            if not tool_is_known:  # a reflector sits anywhere on a platform
                unknown |= {name.replace(DEVICE, TOOL) for name in own}
    return used, unknown


def that_matter(problem: Problem) -> Problem:
    """The problem without parameters that change nothing that is measured, nor close any loop."""
    free, rng = problem.free, np.random.default_rng(_SEED)
    sizes = np.zeros(len(free.parameters))
    for p in (free.nominal + 0.1 * free.prior * rng.normal(size=len(sizes)), free.nominal):
        try:
            rows = problem.rows(p)
        except GoughError:  # at the border of reach the machine may be too crooked
            continue
        by = rows.by / problem.data.deviations[:, None] * free.prior
        sizes = np.maximum(sizes, np.abs(by).max(axis=0))
        sizes = np.maximum(sizes, np.abs(rows.open_by * free.prior).max(axis=0, initial=0.0))
    kept = np.flatnonzero(sizes > 1e-6 * sizes.max(initial=0.0))
    if len(kept) == len(sizes):
        return problem
    found = Problem(problem.bench, free.chosen(kept.tolist()), problem.data, problem.with_prior)
    found.start_at(problem.first)
    return found


def _estimates(solved: Solved) -> tuple[Estimate, ...]:
    free, known = solved.problem.free, solved.knowledge
    prior = free.prior if solved.problem.with_prior else np.full(len(free.prior), np.inf)
    rows = zip(free.parameters, solved.fitted.p, known.std, prior, known.said, strict=True)
    return tuple(
        Estimate(
            each.name, each.unit, each.nominal, float(v), float(s), float(b), float(w), each.owner
        )
        for each, v, s, b, w in rows
    )


def _residuals(solved: Solved) -> Residuals:
    data = solved.problem.data
    first = np.array([data.states_of(k)[0] for k in data.owners])
    return Residuals(
        data.rows,
        data.deviations,
        solved.before.rows.off,
        solved.fitted.rows.off,
        solved.others.off,
        data.readings[first],
        solved.fitted.seen.T_dt[first, :3, 3],
    )


def _predicted(solved: Solved, spare: Data) -> Residuals:
    """Measurements that were not used, predicted."""
    spare = _with_found_noise(spare, solved)
    bench = solved.problem.bench.at(spare.readings)
    held = Problem(bench, solved.problem.free, spare, solved.problem.with_prior)
    before, after = (held.rows(p).off for p in (solved.before.p, solved.fitted.p))
    first = np.array([spare.states_of(k)[0] for k in spare.owners])
    points = held.seen(solved.fitted.p).T_dt[first, :3, 3]
    return Residuals(
        spare.rows, spare.deviations, before, after, after, spare.readings[first], points
    )


def _compare(solved: Solved, g: np.ndarray, robot: Robot) -> None:
    """Warn if the calibrated robot differs from the machine that was fitted; refuse it if it must.

    Raises:
        UnreachablePose: motors of the robot cannot be moved to where any of them was read.
    """
    bench, seen = solved.problem.bench, solved.fitted.seen
    compared = np.flatnonzero(seen.closed)[:_COMPARED]
    readings = bench.readings[compared] * g[bench.layout.gains]
    # the robot's platform frame may have been moved on its body
    frames = (bench.layout.robot.platform_frame.matrix, robot.platform_frame.matrix)
    fitted = seen.machines.T_0p[compared] @ np.linalg.inv(frames[0]) @ frames[1]
    T = state_from_motors(robot, readings, near=None, on_error="nan").T_0p
    off = np.linalg.norm(T[:, :3, 3] - fitted[:, :3, 3], axis=1)
    missed = np.isnan(off)
    if missed.all():
        raise UnreachablePose(
            f"{robot.name}: the calibrated robot cannot be compared with the fit: from its home, "
            f"none of {counted(len(off), 'state')} that were measured can be reached",
            hint="The parameters found are those of the machine, but its home is in another "
            "assembly mode, or too far away: give the robot a home among the measurements, "
            "robot.rehomed(T_0p), and calibrate again.",
        )
    if missed.any():
        warnings.warn(
            f"{robot.name}: of {counted(len(off), 'state')} that were measured, the calibrated "
            f"robot reaches {int((~missed).sum())} from its home",
            GoughWarning,
            stacklevel=4,
        )
    largest = float(off[~missed].max())
    if largest > _APART * TOLERANCE * robot.length:
        why = (
            ": its loops close exactly only with frames that are moved a little more (precision "
            f"{robot.precision:g})"
        )
        warnings.warn(
            f"{robot.name}: the calibrated robot differs from the fit by {largest * 1e3:.2g} mm"
            + (why if robot.precision else ""),
            GoughWarning,
            stacklevel=4,
        )


def _with_found_noise(spare: Data, solved: Solved) -> Data:
    """Measurements that were not used, with noise as it was found of others of their kind."""
    data = solved.problem.data
    found = spare.deviations * solved.scale
    for k, (row, guess) in enumerate(zip(spare.rows, spare.unknown, strict=True)):
        own = [
            std
            for each, std in zip(data.rows, data.deviations, strict=True)
            if (each.kind, each.unit) == (row.kind, row.unit)
        ]
        if guess and own:
            found[k] = float(np.median(own))
    return spare.with_deviations(found)


def _robot(solved: Solved, g: np.ndarray, *, tool: bool) -> Robot:
    """The calibrated machine, compared with the fit; of one made by figures alone, its maker's."""
    free = solved.problem.free
    layout = solved.problem.bench.layout
    over = solved.problem.bench.loops.is_over_constrained
    open_by = float(np.abs(solved.fitted.rows.open).max()) * PLAY if over else None
    if free.figures is None:
        found = moved_robot(layout, g, layout.robot, tool=tool, open_by=open_by)
    else:
        direct = free.columns.shape[1]
        found = free.figures.robot(solved.fitted.p[direct:])
        if not all(each.is_device for each in free.parameters[:direct]):
            own = g.copy()  # the maker has moved the platform's frame already
            own[layout.tool] -= free.figures.geometry(solved.fitted.p[direct:])[layout.tool]
            found = moved_robot(layout, own, found, tool=tool, open_by=open_by)
    _compare(solved, g, found)
    return found
