"""Residuals over standard deviations: a histogram, and every measurement, outliers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.calibration.result import Calibration, Residuals
from gough.report.drawing.style import INK
from gough.report.style import MOTORS, MUTED, WARN, sheet, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 5.0  # standard deviations that the histogram shows; the outermost bars hold all beyond
_BARS = 21
_NAMED = 3  # outliers that have a name in the legend
_FAR = 40.0  # times the median: only a logarithmic scale shows both


def spread(calibration: Calibration) -> Figure:
    """A histogram of residuals over standard deviations, and all measurements in order."""
    figure, [[left, right]] = sheet(3.1, 1, 2, width_ratios=(2.0, 3.0))
    _histogram(left, calibration.residuals)
    _measurements(right, calibration)
    return figure


def _histogram(axes: Any, r: Residuals) -> None:
    x = np.clip(r.after / r.std, -_WIDE, _WIDE)
    edges = np.linspace(-_WIDE, _WIDE, _BARS + 1)
    counts, _ = np.histogram(x, edges)
    axes.bar(edges[:-1], counts, np.diff(edges), align="edge", color=MOTORS[1], alpha=0.55)
    t = np.linspace(-_WIDE, _WIDE, 121)
    bell = len(x) * (edges[1] - edges[0]) * np.exp(-0.5 * t**2) / np.sqrt(2.0 * np.pi)
    axes.plot(t, bell, color=INK, lw=1.2, label="normal distribution")
    axes.set(xlabel="residual after / standard deviation", ylabel="numbers", xlim=(-_WIDE, _WIDE))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.0)


def sizes(values: np.ndarray, r: Residuals) -> tuple[list[str], np.ndarray]:
    """Labels of measurements, and the root mean square over standard deviations of each."""
    places: dict[int, list[int]] = {}
    for k, row in enumerate(r.rows):
        places.setdefault(row.measurement, []).append(k)
    x = values / r.std
    found = [float(np.sqrt(np.mean(x[rows] ** 2))) for rows in places.values()]
    return [r.rows[rows[0]].label for rows in places.values()], np.array(found)


def _measurements(axes: Any, calibration: Calibration) -> None:
    r, held = calibration.residuals, calibration.held_back
    labels, after = sizes(r.after, r)
    _, others = sizes(r.left_out, r)
    at = np.arange(1, len(labels) + 1)
    axes.bar(at, after, 0.8, color=MOTORS[1], alpha=0.55, label="after")
    axes.plot(at, others, "_", color=INK, ms=5.0, mew=1.1, label="predicted by the others")
    if held is not None and held.std.min(initial=np.inf) > 0.0:
        _, spare = sizes(held.after, held)
        more = np.arange(len(labels) + 2, len(labels) + 2 + len(spare))
        axes.bar(more, spare, 0.8, color=MOTORS[0], alpha=0.7, label="held back")
    found = [each for each in calibration.outliers if each.label in labels]
    for each in found[:_NAMED]:
        k = labels.index(each.label)
        name = f"{shortened(each.label, 18)}: outlier"
        axes.bar(at[k], after[k], 0.8, color=WARN, label=name)
    for each in found[_NAMED:]:
        k = labels.index(each.label)
        axes.bar(at[k], after[k], 0.8, color=WARN)
    axes.axhline(1.0, color=MUTED, lw=0.8)
    largest = float(np.nanmax(np.concatenate([after, others[np.isfinite(others)]])))
    if largest > _FAR * float(np.median(after)):
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(lambda *_: "")
    axes.set(xlabel="measurement", ylabel="size / standard deviation")
    handles, names = axes.get_legend_handles_labels()
    order = sorted(range(len(names)), key=lambda k: ("after", *names).index(names[k]))
    axes.legend(
        [handles[k] for k in order],
        [names[k] for k in order],
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.0,
        ncols=2,
    )
