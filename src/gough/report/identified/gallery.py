"""Which figures an identification has, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from gough.dynamics.shared.standard import effort_units
from gough.identification.result import Identification, Prediction
from gough.report.figures import number
from gough.report.gallery import Shown
from gough.report.identified import changes, efforts, residuals

_POINTS = 20_000
"""Points of curves from which a figure is pixels, so that the page stays small."""


def gallery(identification: Identification) -> Iterator[Shown]:
    """The figures, in reading order."""
    for key, name, run in runs(identification):
        yield from _of_run(identification, key, name, run)
    yield from _of_residuals(identification)
    rows = changes.base_rows(identification)
    caption = (
        "Base parameters, each by the name of its leading parameter: change in % of the "
        f"description, with a bar of {changes.SIGMAS:g} standard deviations. Orange ones have "
        "changed, blue ones may be as described, grey ones are uncertain: their standard deviation "
        f"is above {100.0 * changes.UNCERTAIN:.0f} % of them. Values are written where a parameter "
        "is described as zero, and changes where they are beyond the axis."
    )
    if identification.robot is not None:
        caption += (
            " Black ticks show the new robot: its bodies can exist, and stay near the description "
            "where the logs say little."
        )
    yield Shown("parameters", "parameters", caption, lambda: changes.figure(changes.split(rows)))
    masses, axes = changes.standard_rows(identification)
    panels = [
        (title, rows)
        for title, rows in (("masses of bodies", masses), ("parameters of axes", axes))
        if rows
    ]
    if panels:
        caption = (
            "Masses of the bodies, and friction, rotors and springs of the axes in the new robot: "
            "change in % of the description, both values, and one standard deviation of logs "
            f"and description together; bars are {changes.SIGMAS:g} standard "
            "deviations. The logs alone show sums of masses, not each of them: grey "
            "ones rest on the description."
        )
        yield Shown("standard", "standard", caption, partial(changes.figure, panels, numbers=True))


def runs(identification: Identification) -> Iterator[tuple[str, str, Prediction]]:
    """Key, name and prediction of every run."""
    several = len(identification.fit) > 1
    for k, run in enumerate(identification.fit, start=1):
        key = "efforts" if k == 1 else f"efforts_log_{k}"
        yield key, f"log {k}" if several else "the log", run
    if identification.validation is not None:
        yield "efforts_validation", "the validation run", identification.validation


def _of_run(
    identification: Identification, key: str, name: str, run: Prediction
) -> Iterator[Shown]:
    units, sheets = effort_units(identification.base.robot), efforts.sheets(len(run.motors))
    fitted = "was predicted, not fitted" if key == "efforts_validation" else "was fitted"
    caption = (
        f"Efforts of {name}, which {fitted}: measured, predicted by the identified machine, "
        "and by the machine as described; all pass the same filter. Below: measured less "
        f"predicted, beside {efforts.SIGMAS:g} standard deviations of what noise and "
        "uncertain parameters explain."
    )
    if not run.used.all():
        caption += " Grey: the motor is near standstill, and these samples do not count."
    part = efforts.stretch(run)
    for k, which in enumerate(sheets, start=1):
        own = key if k == 1 else f"{key}_sheet_{k}"
        many = 5 * len(run.t) * len(which) > _POINTS
        make = partial(efforts.figure, run, units, which)
        yield Shown(own, "efforts", caption, make, raster=many)
        if part is not None:
            t = run.t[part]
            closer = (
                f"The same from {number(t[0], digits=4)} s to {number(t[-1], digits=4)} s, around "
                "the largest residual."
            )
            make = partial(efforts.figure, run, units, which, part)
            yield Shown(f"{own}_closer", "efforts", closer, make)


def _of_residuals(identification: Identification) -> Iterator[Shown]:
    fit = identification.fit
    caption = (
        "What is left of the efforts. Left: its spectrum; a peak is a resonance or a ripple, as of "
        "gears or magnets. Right: over the speed of the motor; a mean that leaves zero is friction "
        "that the model does not have, a larger one at low speeds for example (Stribeck). Hollow: "
        "near standstill."
    )
    if np.isfinite(fit[0].filters.band):
        caption += (
            f" The filter takes away what is above {number(fit[0].filters.band)} Hz: a larger band "
            "shows resonances there."
        )
    for k, which in enumerate(efforts.sheets(len(fit[0].motors)), start=1):
        key = "residuals" if k == 1 else f"residuals_sheet_{k}"
        yield Shown(key, "residuals", caption, partial(residuals.figure, identification, which))
