"""Efforts of a run over time: measured, predicted, as described; what is left, and why."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.identification.result import Prediction
from gough.report.drawing.style import INK
from gough.report.style import (
    GRID,
    MOTORS,
    MUTED,
    WIDTH,
    blank,
    legend_above,
    time_axis,
    zero_line,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 6
"""Motors of a sheet."""

SIGMAS = 2.0
"""Standard deviations of the band around zero."""

_HEAD, _PANEL = 0.55, 2.5  # height of the legend, of a motor's two panels [inch]
_WIDE = 3  # motors, at most, whose panels are as wide as the sheet
_RATIOS = (1.8, 1.0)  # of the heights of efforts and residual
_PERIODS = 25.0  # of the motion: more do not show on a sheet
_ROOM = 1.1  # of a panel beside what is in it


def sheets(count: int) -> list[range]:
    """Motors of each sheet, by number: as few sheets as needed, equally full."""
    number = -(-count // MOST)
    ends = [round(k * count / number) for k in range(number + 1)]
    return [range(a, b) for a, b in pairwise(ends)]


def stretch(run: Prediction) -> slice | None:
    """Samples around the largest residual, if the whole run is too long to be read; else none."""
    f = run.filters
    # the motion's own frequency is below a fifth of the cut-off, and below half the band
    motion = min(f.cutoff / 5.0, f.band / 2.0)
    step = float(np.median(np.diff(run.t))) if len(run.t) > 1 else 1.0
    samples = _PERIODS / (motion * step) if np.isfinite(motion) else np.inf
    if not samples < 0.5 * len(run.t):
        return None
    size = np.abs(run.residuals / np.maximum(run.error, 1e-300)).max(axis=1)
    wide = int(samples)
    first = int(np.clip(int(np.argmax(size)) - wide // 2, 0, len(size) - wide))
    return slice(first, first + wide)


def figure(
    run: Prediction, units: Sequence[str], which: Sequence[int], part: slice | None = None
) -> Figure:
    """Two panels a motor: efforts, and below what is left of them.

    Args:
        run: a run.
        units: of the efforts of all motors.
        which: motors, by number.
        part: samples, all if not given.
    """
    columns = 1 if len(which) <= _WIDE else 2
    part = slice(None) if part is None else part
    rows = -(-len(which) // columns)
    drawn = blank(WIDTH, _HEAD + _PANEL * rows, "constrained")
    engine: Any = drawn.get_layout_engine()
    engine.set(w_pad=0.08, h_pad=0.05)
    grid = drawn.subplots(
        2 * rows, columns, squeeze=False, sharex=True, height_ratios=_RATIOS * rows
    )
    for k, motor in enumerate(which):
        row, column = divmod(k, columns)
        above, below = grid[2 * row, column], grid[2 * row + 1, column]
        _draw(above, below, run, motor, units[motor], part)
        time_axis(below, run.t[part], named=row == rows - 1)
        below.tick_params(labelbottom=row == rows - 1)
    for k in range(len(which), rows * columns):
        for axes in grid[2 * (k // columns) : 2 * (k // columns) + 2, k % columns]:
            axes.set_visible(False)
    if not run.used[part, which[0] : which[-1] + 1].all():
        grid[1, 0].axvspan(run.t[0], run.t[0], color=GRID, lw=0.0, label="near standstill")
    legend_above(drawn, grid[0, 0], grid[1, 0])
    drawn.align_ylabels()
    return drawn


def _draw(above: Any, below: Any, run: Prediction, motor: int, unit: str, part: slice) -> None:
    t, used = run.t[part], run.used[part, motor]
    for axes in (above, below):
        _shade(axes, t, ~used)
    above.plot(t, run.measured[part, motor], color=INK, lw=2.0, label="measured")
    above.plot(t, run.predicted[part, motor], color=MOTORS[0], lw=1.0, label="predicted")
    look = {"color": MUTED, "lw": 1.0, "ls": (0, (4, 2)), "zorder": 1.8}
    above.plot(t, run.described[part, motor], label="as described", **look)
    above.set_title(run.motors[motor])
    above.set_ylabel(f"effort [{unit}]")
    above.margins(y=0.06)
    left, band = run.residuals[part, motor], SIGMAS * float(run.expected[motor])
    zero_line(below)
    below.plot(t, left, color=MOTORS[1], lw=1.0, label="measured less predicted")
    below.axhspan(-band, band, color=MOTORS[2], alpha=0.25, lw=0.0, label="2 standard deviations")
    most = _ROOM * max(float(np.abs(left).max()), band) or 1.0
    below.set(ylim=(-most, most), ylabel=f"residual [{unit}]")


def _shade(axes: Any, t: np.ndarray, still: np.ndarray) -> None:
    """Grey where a motor is near standstill, each sample as wide as a step."""
    half = 0.5 * float(np.median(np.diff(t))) if len(t) > 1 else 0.5
    edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(int)))
    spans = [
        (t[a] - half, t[b - 1] - t[a] + 2.0 * half)
        for a, b in zip(edges[::2], edges[1::2], strict=True)
    ]
    look = {"color": GRID, "lw": 0.0, "zorder": 0.5}
    axes.broken_barh(spans, (0.0, 1.0), transform=axes.get_xaxis_transform(), **look)
