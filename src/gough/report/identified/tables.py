"""Tables of an identification: what went in, efforts, base parameters, bodies, axes, drives."""

from __future__ import annotations

import numpy as np

from gough.base.english import counted, listed, percent
from gough.dynamics.shared.standard import (
    COULOMB,
    MASS,
    OFFSET,
    PRELOAD,
    ROTOR,
    STIFFNESS,
    VISCOUS,
    effort_units,
    named_parameters,
    own_figures,
)
from gough.identification.result import Identification, Prediction
from gough.report.blocks import Block, facts, vector
from gough.report.figures import number
from gough.report.identified.changes import HIDDEN, UNSURE, base_rows
from gough.report.identified.gallery import runs
from gough.report.identified.units import written
from gough.robot import Body

MANY = 40
"""Rows from which a table is folded."""

_WORDS = {
    ROTOR: "rotor",
    VISCOUS: "viscous friction",
    COULOMB: "Coulomb friction",
    OFFSET: "offset of the effort",
    STIFFNESS: "stiffness of the spring",
    PRELOAD: "stiffness times rest position of the spring",
}
"""Parameters of axes in words."""

_ERRORS = ("error", "explained", "as described")

_DIGITS = 5  # of parameters in tables


def went_in(identification: Identification) -> list[Block]:
    """Tables of what an identification was computed from."""
    base = identification.base
    robot = base.robot
    by = identification.method == "instrumental"
    machine = [
        ("robot", robot.name + (f": {robot.label}" if robot.label else "")),
        ("motors", ", ".join(robot.motors)),
        ("parameters", _asked(identification)),
        ("legs taken as equal", "; ".join(listed(legs) for legs in base.legs)),
        ("method", "instrumental variables" if by else "least squares, weighted by noise"),
        (
            "delay of efforts behind positions",
            f"{number(1e3 * identification.delay)} ms, corrected" if identification.delay else "",
        ),
    ]
    heads = (
        "run",
        "used",
        "left out at each end",
        "recorded at",
        "positions filtered at",
        "efforts filtered at",
        "kept",
        "samples kept",
        "near standstill",
    )
    rows = [_run(name.removeprefix("the "), run) for _, name, run in runs(identification)]
    note = (
        "Filters are of fourth order and run forwards and backwards, which shifts nothing in time. "
        "Efforts of known loads, and of parameters that were not asked for, are taken off first."
    )
    return [facts("", machine), Block("", heads, rows, note)]


def _asked(identification: Identification) -> str:
    """How many parameters of each kind were asked for."""
    counts: dict[str, int] = {}
    for each in named_parameters(identification.base.robot, identification.names):
        what = "of bodies" if each.of_body else f"× {_WORDS[each.figure]}"
        counts[what] = counts.get(what, 0) + 1
    said = ", ".join(f"{count} {what}" for what, count in counts.items())
    total = counted(len(identification.names), "parameter")
    return f"{total}, which make {counted(identification.base.number, 'base parameter')}: {said}"


def _run(name: str, run: Prediction) -> tuple[str, ...]:
    f = run.filters
    return (
        name,
        f"{number(float(run.t[-1] - run.t[0]))} s",
        f"{number((f.ends + f.tail) / f.rate)} s",
        f"{number(f.rate)} Hz",
        f"{number(f.cutoff)} Hz" if np.isfinite(f.cutoff) else "not filtered",
        f"{number(f.band)} Hz" if np.isfinite(f.band) else "not filtered",
        "all samples" if f.keep == 1 else f"one of {f.keep}",
        str(len(run.t)),
        percent(float(1.0 - run.used.mean())),
    )


def errors(identification: Identification) -> list[Block]:
    """Errors of every motor, run by run."""
    units = effort_units(identification.base.robot)
    share = "% of efforts"
    heads = ("motor", "efforts", "noise", "error", *(f"{what}, {share}" for what in _ERRORS))
    found = []
    for key, name, run in runs(identification):
        sizes = run.error / np.maximum(run.relative, 1e-300)
        numbers = (identification.noise, run.error, run.relative, run.expected, run.before)
        rows: list[tuple[str, ...]] = [
            (
                motor,
                f"{number(size, full=True)} {unit}",
                f"{number(noise, full=True)} {unit}",
                f"{number(error, full=True)} {unit}",
                percent(relative),
                percent(expected / max(size, 1e-300)),
                percent(before),
            )
            for motor, unit, size, noise, error, relative, expected, before in zip(
                run.motors, units, sizes, *numbers, strict=True
            )
        ]
        what = "predicted, not fitted" if key == "efforts_validation" else "fitted"
        found.append(Block(f"{name.removeprefix('the ').capitalize()}, {what}", heads, rows))
    note = (
        "Root mean squares of samples in which the motor moves; noise is that of the efforts after "
        "the filter. Explained: the error that noise and uncertain parameters explain; as "
        "described: the error of the description."
    )
    return [*found[:-1], found[-1]._replace(note=note)]


def base_parameters(identification: Identification) -> Block:
    """Every base parameter: its sum, values and standard deviations."""
    heads = (
        "base parameter",
        "unit",
        "described",
        "value",
        "standard deviation",
        "instrumental",
        "apart",
        "remark",
    )
    rows: list[tuple[str, ...]] = []
    numbers = (identification.base.groupings, identification.instrumental)
    for row, grouping, other, apart in zip(
        base_rows(identification), *numbers, identification.disagreement, strict=True
    ):
        hidden = row.state == HIDDEN
        rows.append(
            (
                grouping.replace(" - ", " \N{MINUS SIGN} "),
                row.unit,
                number(row.described, digits=_DIGITS),
                number(row.value, digits=_DIGITS),
                number(row.sigma, digits=2) if np.isfinite(row.sigma) else "infinite",
                "" if hidden else number(other, digits=_DIGITS),
                "" if hidden else f"{apart:.1f}",
                row.state if row.state in (HIDDEN, UNSURE) else "",
            )
        )
    note = (
        "Efforts depend on these sums of parameters only. m: mass; mx, my, mz: mass times centre "
        "of mass; Ixx, ...: inertia about the origin of the body's frame. Instrumental: the same "
        "by instrumental variables, which noise of the positions does not shift; apart: how far, "
        "in their standard deviations."
    )
    return Block("", heads, rows, note)


def bodies(identification: Identification) -> Block | None:
    """Bodies of the new robot beside those of the description; none if none was to be found."""
    new, old = identification.robot, identification.base.robot
    if new is None:
        return None
    asked = {each.part for each in named_parameters(old, identification.names) if each.of_body}
    sigma = dict(zip(identification.names, identification.chi_sigma, strict=True))
    rows: list[tuple[str, ...]] = []
    for before, after in zip(old.bodies, new.bodies, strict=True):
        if before.name not in asked:
            continue
        std = sigma.get(f"{before.name}.{MASS}")
        rows.append((before.name, "described", *_body(before), ""))
        known = "" if std is None else f"{number(float(std), digits=2)} kg"
        rows.append(("", "identified", *_body(after), known))
    heads = (
        "body",
        "",
        "mass",
        "centre of mass [m]",
        "principal moments of inertia [kg m²]",
        "standard deviation of the mass",
    )
    note = (
        "Centres are in the body's own axes, moments about the centre of mass. Of all bodies that "
        "can exist and explain the logs these are nearest to the description; standard deviations "
        "are of logs and description together, which is taken to be right to its own size."
    )
    return Block("", heads, rows, note, left=2) if rows else None


def _body(body: Body) -> tuple[str, ...]:
    moments = np.linalg.eigvalsh(np.array(body.inertia))[::-1]
    return f"{number(body.mass, digits=4)} kg", _few(body.center), _few(moments)


def _few(values: np.ndarray | tuple[float, ...]) -> str:
    """A vector with three digits, small ones left out."""
    return vector([float(f"{value:.3g}") for value in values])


def axes(identification: Identification) -> Block | None:
    """Friction, rotors, springs and offsets of axes, described and identified."""
    if identification.robot is None:
        return None
    robot = identification.base.robot
    every = named_parameters(robot, identification.names)
    numbers = (own_figures(robot, every), identification.chi, identification.chi_sigma)
    rows: list[tuple[str, ...]] = [
        (
            each.part,
            _WORDS[each.figure],
            number(before, digits=4),
            number(after, digits=4),
            number(std, digits=2),
            written(each.unit),
        )
        for each, before, after, std in zip(every, *numbers, strict=True)
        if not each.of_body
    ]
    heads = ("axis", "parameter", "described", "identified", "standard deviation", "unit")
    note = "Rotors count at the axis, behind their transmission."
    if any(each.figure == OFFSET for each in every):
        note += " Offsets belong to the amplifiers: the new robot does not have them."
    return Block("", heads, rows, note, left=2) if rows else None


def gains(identification: Identification) -> Block | None:
    """Gains of the drives, if they were found."""
    found = identification.gains
    if found is None:
        return None
    rows: list[tuple[str, ...]] = [
        (
            motor,
            f"{number(gain, digits=_DIGITS)} {unit}",
            f"{number(std, digits=2)} {unit}",
            percent(float(std / abs(gain))),
            f"{number(rms)} A",
        )
        for motor, gain, std, unit, rms in zip(
            found.motors, found.gains, found.std, found.units, found.rms, strict=True
        )
    ]
    heads = (
        "motor",
        "gain",
        "standard deviation",
        "relative to the gain",
        "residual of the current",
    )
    note = (
        "Effort at the axis per ampere, from logs with and without a weighed payload; below zero "
        "where current and axis count in opposite directions."
    )
    return Block("", heads, rows, note)
