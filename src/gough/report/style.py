"""How figures of reports look: one quiet style, colours that a page may change to dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gough.errors import GoughError
from gough.report.drawing.style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MUTED, GRID, WARN = "#66727f", "#e2e7ec", "#c62f2f"
"""Words beside a curve and limits; grid lines; what is wrong."""

MOTORS = ("#d9731a", "#1f5fa8", "#5a9e6f", "#a8457f", "#3a9fb3", "#8c7a2e")
"""Colours of motors; a seventh begins again, dashed."""

DASHES = ("-", "--", ":", "-.")

_OVER = ((0.0, (4.0, 4.0)), (3.0, (2.0, 6.0)), (0.0, (1.0, 1.0)))
"""Dashes of curves on top of others; those of the second lie in the gaps of the first."""

PLANNED: dict[str, Any] = {"color": INK, "ls": (0, (4, 2)), "lw": 1.0}
"""Look of what was planned, beside what was simulated."""

_LINE = 0.01  # width of a line as a share of a panel's height
_SHARED = 0.25  # share of the time from which two curves hide each other

NAME = 28
"""Letters of a name in a legend."""

_LETTER, _HANDLE, _ROW = 0.075, 0.75, 0.19  # of a legend: letter, line and gap, height [inch]

WIDTH = 8.6
"""Of a figure that fills the page [inch]."""

_SETTINGS: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.size": 9.0,
    "text.color": INK,
    "text.parse_math": False,  # names and units are words
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.8,
    "axes.titlesize": 9.0,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "axes.formatter.useoffset": False,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 2.4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.fonttype": "none",
    "svg.hashsalt": "gough",
    "path.simplify": True,
}


@contextmanager
def quiet_style() -> Iterator[None]:
    """The style of reports, for as long as figures are made and saved."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  heavy: loaded on first use
    except ImportError as err:
        raise GoughError(
            "a report needs matplotlib, which is not installed",
            hint="pip install matplotlib",
            package="matplotlib",
        ) from err
    with mpl.rc_context():
        mpl.rcdefaults()  # reports look the same whatever style a user has set
        mpl.rcParams.update(_SETTINGS)
        yield


def blank(width: float, height: float, layout: Literal["constrained", "compressed"]) -> Figure:
    """A new figure without axes; its sides in inches."""
    from matplotlib.figure import Figure  # noqa: PLC0415  heavy: loaded on first use

    return Figure(figsize=(width, height), layout=layout)


def sheet(height: float, rows: int = 1, columns: int = 1, **options: Any) -> tuple[Figure, Any]:
    """A new figure as wide as the page, and its axes ``(rows, columns)``."""
    figure = blank(WIDTH, height, "constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.08, h_pad=0.05)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, axes


def panels(count: int, columns: int, head: float, row: float, **options: Any) -> tuple[Figure, Any]:
    """A new figure with so many panels, in rows, and their axes.

    Args:
        count: how many panels.
        columns: how many of them are in a row.
        head: height of the space above them [inch].
        row: height of a row [inch].
        options: of ``Figure.subplots``.
    """
    rows = -(-count // columns)
    figure, grid = sheet(head + row * rows, rows, columns, **options)
    cells = list(grid.flat)
    for axes in cells[count:]:
        axes.set_visible(False)
    return figure, cells[:count]


def zero_line(axes: Axes) -> None:
    """Where a figure is zero."""
    axes.axhline(0.0, color=MUTED, lw=0.8)


def motor_look(index: int) -> dict[str, Any]:
    """Colour and dashes of a motor's curve."""
    return {
        "color": MOTORS[index % len(MOTORS)],
        "ls": DASHES[index // len(MOTORS) % len(DASHES)],
    }


def curve_looks(curves: np.ndarray, which: Sequence[int]) -> list[dict[str, Any]]:
    """Looks of motors' curves ``(K, len(which))``; one that lies on an earlier one is dashed.

    So both are seen.  Curves count as one where they differ by less than a line's width.
    """
    found: list[dict[str, Any]] = []
    width = _LINE * float(np.ptp(curves[np.isfinite(curves)])) if np.isfinite(curves).any() else 0.0
    for k, motor in enumerate(which):
        near = np.abs(curves[:, :k] - curves[:, k : k + 1]) <= width
        below = int((near.mean(axis=0) > _SHARED).sum())
        dashed = {"ls": _OVER[min(below, len(_OVER)) - 1]} if below else {}
        found.append(motor_look(motor) | dashed)
    return found


def plot_curves(
    axes: Axes, t: Any, curves: np.ndarray, names: Sequence[str], which: Sequence[int] | None = None
) -> None:
    """Curves over time ``(K, k)`` in the looks of motors; ``which`` of all that have names."""
    which = range(len(names)) if which is None else which
    for i, curve, look in zip(which, curves.T, curve_looks(curves, which), strict=True):
        axes.plot(t, curve, label=names[i], **look)


def plot_beside(axes: Axes, motor: int, plan: Any, simulated: Any = None) -> None:
    """Effort of a motor: simulated, if there is a simulation, and planned, dashed, over it."""
    if simulated is not None:
        axes.plot(simulated.t, simulated.tau[:, motor], **motor_look(motor) | {"ls": "-"})
    axes.plot(plan.t, plan.tau[:, motor], **PLANNED)


def legend_above(figure: Figure, *axes: Axes) -> None:
    """Names of curves above all axes, in as many columns as fit; the figure grows with rows.

    Args:
        figure: the figure.
        *axes: whose curves are named; one name is written once.
    """
    found: dict[str, Any] = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if not found:
        return
    names = [shortened(name, NAME) for name in found]
    widths, room = [_HANDLE + _LETTER * len(name) for name in names], figure.get_figwidth()
    columns = max(min(len(names), int(room / max(widths)), 6), 1)
    if len(names) <= 6 and sum(widths) < room:  # in one row each has its own width
        columns = len(names)
    rows = -(-len(names) // columns)
    figure.set_figheight(figure.get_figheight() + _ROW * (rows - 1))
    figure.legend(found.values(), names, loc="outside upper center", ncols=columns)


def shortened(name: str, most: int) -> str:
    """A name of at most so many letters, its middle left out: ends tell names apart."""
    if len(name) <= most:
        return name
    head = (most - 1) // 3
    return f"{name[:head]}…{name[len(name) - (most - 1 - head) :]}"


def time_axis(axes: Axes, t: Any, *, named: bool = True) -> None:
    """From the first time to the last."""
    axes.set(xlim=(float(t[0]), float(t[-1])), xlabel="time [s]" if named else "")


def mark_times(axes: Axes, times: Any) -> None:
    """A thin line where something is wrong."""
    for time in times:
        axes.axvline(float(time), color=WARN, lw=0.9, ls=(0, (4, 3)), zorder=1.5)
