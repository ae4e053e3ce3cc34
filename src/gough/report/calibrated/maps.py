"""Maps of residuals before and after calibration, in the frame of the measuring device.

Positions are arrows, magnified; heights, angles and readings are dots, distances lines, in colours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.report.calibrated.measured import Kind, readable
from gough.report.drawing.style import INK, round_length
from gough.report.style import MOTORS, MUTED, WARN, WIDTH, blank

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ARROW = 0.16
"""Length of a large arrow, as a share of what the points cover."""

_FLAT = 0.02  # of the largest span: points that spread less lie in a plane
_LEAST = 0.25  # of the larger side: a panel is not flatter
_CLEARER = 2.0  # times as large: arrows that deserve a panel of their own
_MOST = 0.95  # share of the values that the colours cover
_TALL = 3.4  # of a panel [inch]


class View(NamedTuple):
    """A view along an axis: which components go to the right and up."""

    name: str
    right: int
    up: int


TOP, FRONT, SIDE = View("from above", 0, 1), View("from the front", 0, 2), View("side", 1, 2)


def views(points: np.ndarray, *, spatial: bool = True) -> list[View]:
    """Views that show points ``(K, 3)``: from above, and from the front where they differ in z."""
    spans = np.ptp(points, axis=0)
    flat = spans <= _FLAT * spans.max()
    found = [TOP] if not (flat[0] or flat[1]) else []
    if spatial and not flat[2]:
        found.append(SIDE if flat[0] else FRONT)
    return found or [TOP]


def displacements(one: Kind) -> Figure:
    """Arrows from where the tool was predicted to where it was measured, before and after."""
    axes_of = [("x", "y", "z").index(one.names[i]) for i in one.chosen(("x", "y", "z"))]
    before, after = (np.nan_to_num(off[:, :3]) for off in (one.before, one.after))
    points = one.ends[:, -1]
    held = (one.held[0], *(np.nan_to_num(off[:, :3]) for off in one.held[1:]))
    everything = np.concatenate([points, held[0]])
    extent = float(np.ptp(everything, axis=0).max()) or 1.0
    columns = _columns(before, after, held, extent)
    shown = views(everything, spatial=2 in axes_of)
    figure, grid = _grid(everything, shown, len(columns))
    for row, view in zip(grid, shown, strict=True):
        for axes, (title, size, off, spare) in zip(row, columns, strict=True):
            for at, arrows, colour in ((points, off, MOTORS[1]), (held[0], spare, MOTORS[0])):
                _arrows(axes, view, at, size * arrows, colour)
            _rings(axes, view, points[one.strange])
            axes.set_title(title if row is grid[0] else "")
    if len(held[0]):
        _legend(figure, {"used": MOTORS[1], "held back": MOTORS[0]})
    return figure


def _columns(
    before: np.ndarray, after: np.ndarray, held: tuple[np.ndarray, ...], extent: float
) -> list[tuple[str, float, np.ndarray, np.ndarray]]:
    """Title, magnification and arrows of each column."""
    large, larger = (magnification(off, extent) for off in (before, after))
    found = [
        (f"before, {large:,.0f} times", large, before, held[1]),
        (f"after, {large:,.0f} times", large, after, held[2]),
    ]
    if larger >= _CLEARER * large:
        found.append((f"after, {larger:,.0f} times", larger, after, held[2]))
    return found


def magnification(off: np.ndarray, extent: float) -> float:
    """A round factor that makes large arrows ``(K, 3)`` well seen."""
    size = float(np.quantile(np.linalg.norm(off, axis=1), 0.95)) if len(off) else 0.0
    return max(round_length(ARROW * extent / size), 1.0) if size > 0.0 else 1.0


def _arrows(axes: Any, view: View, points: np.ndarray, arrows: np.ndarray, colour: str) -> None:
    if not len(points):
        return
    at, way = (1e3 * each[:, [view.right, view.up]] for each in (points, arrows))
    axes.plot(*at.T, ".", color=MUTED, ms=3.0, zorder=1.5)
    axes.quiver(
        *at.T,
        *way.T,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        color=colour,
        width=0.006,
        headwidth=3.4,
        headlength=4.2,
        minlength=0.0,
        zorder=2.0,
    )


def _rings(axes: Any, view: View, points: np.ndarray) -> None:
    """Red rings around outliers ``(K, 3)``."""
    at = 1e3 * points[:, [view.right, view.up]]
    axes.plot(*at.T, "o", mfc="none", mec=WARN, mew=1.4, ms=11.0, zorder=3.0)


def coloured(one: Kind, columns: list[int]) -> Figure:
    """One number a measurement in colours, before and after.

    Args:
        one: measurements of a kind.
        columns: of its numbers; of several, the size of the vector they make.
    """
    values = [off[:, columns] for off in (one.before, one.after)]
    signed = len(columns) == 1
    values = [v[:, 0] if signed else np.sqrt((v**2).sum(axis=1)) for v in values]
    flat = one.ends.reshape(-1, 3)
    # heights are seen from above, whatever the bed
    view = views(flat, spatial=one.kind != "height")[0]
    figure, [row] = _grid(flat, [view], 2, colours=True)
    for axes, v, title in zip(row, values, ("before", "after"), strict=True):
        factor, unit = readable(v, one.units[columns[0]])
        drawn = _items(axes, view, one.ends, factor * v, signed)
        _rings(axes, view, one.ends[one.strange].mean(axis=1))
        beyond = "both" if signed else "max"
        more = float(np.nanmax(np.abs(factor * v))) > drawn.get_clim()[1]
        bar = figure.colorbar(
            drawn, ax=axes, pad=0.02, shrink=0.9, aspect=18, extend=beyond if more else "neither"
        )
        bar.outline.set_visible(False)
        bar.set_label(unit)  # what it is stands below the figure: a low panel has no room
        largest = float(np.nanmax(np.abs(factor * v)))
        axes.set_title(f"{title}, up to {largest:.3g} {unit}")
    return figure


def _items(axes: Any, view: View, ends: np.ndarray, values: np.ndarray, signed: bool) -> Any:
    """Dots or lines in colours; a strange one does not make all others look alike."""
    from matplotlib.collections import LineCollection  # noqa: PLC0415  heavy: on first use

    known = np.isfinite(values)
    most = float(np.quantile(np.abs(values[known]), _MOST)) if known.any() else 1.0
    most = most or 1.0
    looks: dict[str, Any] = {"cmap": "coolwarm" if signed else "viridis", "zorder": 2.0}
    seen = 1e3 * ends[known][..., [view.right, view.up]]
    if ends.shape[1] == 1:
        drawn = axes.scatter(
            *seen[:, 0].T, c=values[known], s=34.0, edgecolors=INK, linewidths=0.4, **looks
        )
    else:
        drawn = LineCollection([*seen], array=values[known], lw=2.2, **looks)
        axes.add_collection(drawn)
        axes.plot(*seen.reshape(-1, 2).T, ".", color=INK, ms=4.0, zorder=2.5)
    drawn.set_clim(-most if signed else 0.0, most)
    return drawn


def _grid(
    points: np.ndarray, shown: list[View], columns: int, *, colours: bool = False
) -> tuple[Figure, list[list[Any]]]:
    """A figure with a row for each view, all panels of a column alike, in millimetres."""
    low, high = 1e3 * points.min(axis=0), 1e3 * points.max(axis=0)
    middle, span = (low + high) / 2.0, (high - low) * 1.3
    span = np.maximum(span, _LEAST * span.max())
    wide = (WIDTH - 0.9 - columns * (1.15 if colours else 0.3)) / columns
    heights = [min(wide * span[v.up] / span[v.right], _TALL) for v in shown]
    figure = blank(WIDTH, sum(heights) + 0.55 * len(shown) + 0.5, "compressed")
    grid = figure.subplots(len(shown), columns, squeeze=False, height_ratios=heights)
    for row, view in zip(grid, shown, strict=True):
        for k, axes in enumerate(row):
            axes.set_aspect("equal")
            for which, i in (("x", view.right), ("y", view.up)):
                axes.set(**{f"{which}lim": (middle[i] - span[i] / 2.0, middle[i] + span[i] / 2.0)})
            axes.set_xlabel(f"{'xyz'[view.right]} [mm]")
            if k == 0:
                axes.set_ylabel(f"{'xyz'[view.up]} [mm]")
            axes.locator_params(nbins=5)
    return figure, [list(row) for row in grid]


def _legend(figure: Figure, colours: dict[str, str]) -> None:
    from matplotlib.lines import Line2D  # noqa: PLC0415  heavy: on first use

    handles = [Line2D([], [], color=c, lw=2.0, label=name) for name, c in colours.items()]
    figure.legend(handles=handles, loc="outside upper right", ncols=len(handles))
