"""What residuals hold: their spectra, and how they depend on the speed of the motor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.dynamics.shared.standard import effort_units, speed_units
from gough.identification.findings import spectrum
from gough.identification.result import Identification
from gough.report.drawing.style import INK
from gough.report.figures import number
from gough.report.identified.efforts import SIGMAS
from gough.report.style import MOTORS, MUTED, legend_above, sheet, zero_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEAD, _ROW = 0.7, 1.75  # height of the legend and of a row [inch]
_DOTS = 300  # of a run in a panel
_BINS = 12  # of speeds, equally full
_FEW = 5  # samples of a bin, at least
_BEYOND = 1.3  # times the filter's band: nothing is left there


def figure(identification: Identification, which: Sequence[int]) -> Figure:
    """A row a motor: left the spectrum of its residual, right the residual over its speed."""
    robot = identification.base.robot
    efforts, speeds = effort_units(robot), speed_units(robot)
    drawn, grid = sheet(_HEAD + _ROW * len(which), len(which), 2)
    for (left, right), k in zip(grid, which, strict=True):
        _spectra(left, identification, k)
        _over_speed(right, identification, k)
        left.set_title(robot.motors[k])
        left.set_ylabel(f"amplitude [{efforts[k]}]")
        right.set_ylabel(f"residual [{efforts[k]}]")
        last = k == which[-1]
        left.set_xlabel("frequency [Hz]" if last else "")
        same = len(set(speeds)) == 1
        right.set_xlabel(f"speed of the motor [{speeds[k]}]" if last or not same else "")
    legend_above(drawn, grid[0, 1], grid[0, 0])
    drawn.align_ylabels()
    return drawn


def _runs(identification: Identification) -> list[tuple[str, str, Any]]:
    """Name, colour and run of what was fitted and of what was predicted."""
    found = [("fit", MOTORS[1], run) for run in identification.fit]
    if identification.validation is not None:
        found.append(("validation", MOTORS[0], identification.validation))
    return found


def _spectra(axes: Any, identification: Identification, motor: int) -> None:
    strongest, most = None, 0.0
    for name, colour, run in _runs(identification):
        line = spectrum(run, motor)
        axes.plot(line.f, line.amplitude, color=colour, lw=1.1, label=name)
        end = min(float(line.f[-1]), _BEYOND * run.filters.band)
        axes.set_xlim(0.0, max(end, axes.get_xlim()[1] if strongest else 0.0))
        most = max(most, float(line.amplitude.max()))
        # as findings have it: of what was fitted
        if name == "fit" and (strongest is None or line.share > strongest.share):
            strongest = line
    axes.set_ylim(0.0, 1.35 * most or 1.0)
    if strongest is not None:
        said = f"fit: {100.0 * strongest.share:.0f} % of the power at {number(strongest.top)} Hz"
        axes.annotate(
            said,
            (0.98, 0.97),
            xycoords="axes fraction",
            ha="right",
            va="top",
            fontsize=8.0,
            color=MUTED,
        )


def _over_speed(axes: Any, identification: Identification, motor: int) -> None:
    band = SIGMAS * float(np.mean([run.expected[motor] for run in identification.fit]))
    axes.axhspan(-band, band, color=MOTORS[2], alpha=0.25, lw=0.0, label="2 standard deviations")
    zero_line(axes)
    rates, left = [], []
    for name, colour, run in _runs(identification):
        used = run.used[:, motor]
        rate, off = run.rates[:, motor], run.residuals[:, motor]
        for chosen, look in ((used, {"mfc": colour}), (~used, {"mfc": "none"})):
            some = np.flatnonzero(chosen)
            some = some[:: max(1, -(-len(some) // _DOTS))]
            axes.plot(rate[some], off[some], "o", ms=2.6, mew=0.6, mec=colour, alpha=0.75, **look)
        axes.plot([], [], "o", ms=3.5, color=colour, label=name)
        rates.append(rate)
        left.append(off)
    rate, off = np.concatenate(rates), np.concatenate(left)
    if len(rate) >= _BINS * _FEW:
        parts = np.array_split(np.argsort(rate), _BINS)
        means = np.array([[rate[part].mean(), off[part].mean()] for part in parts])
        axes.plot(*means.T, "-", color=INK, lw=1.4, marker="s", ms=2.6, label="mean")
    axes.margins(x=0.03)
    largest = 1.1 * max(float(np.abs(off).max()), band) or 1.0
    axes.set_ylim(-largest, largest)
