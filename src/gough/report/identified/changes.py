"""Parameters beside their description: how far each has moved, and how surely.

A dot is the change in percent of the description, its bar two standard deviations.  What cannot
stand on such an axis is written: parameters that are described as zero, that have changed by more
than the axis holds, or that the logs do not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.dynamics.shared.standard import MASS, OFFSET, named_parameters, own_figures
from gough.identification.result import Identification
from gough.report.drawing.style import INK
from gough.report.figures import number
from gough.report.identified.units import written
from gough.report.style import MOTORS, MUTED, WIDTH, blank, legend_above, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMAS = 2.0
"""Standard deviations of a bar, and from which a change is sure."""

UNCERTAIN = 0.3
"""Standard deviation beside the parameter, from which it is uncertain."""

SURE, SAME, UNSURE, HIDDEN = "changed", "no sure change", "uncertain", "not shown"
"""What is known of a parameter."""

_LOOKS: dict[str, dict[str, Any]] = {
    SURE: {"color": MOTORS[0], "mfc": MOTORS[0]},
    SAME: {"color": MOTORS[1], "mfc": MOTORS[1]},
    UNSURE: {"color": MUTED, "mfc": "none"},
}
_ZERO = 1e-9  # of the largest parameter of the same unit: described as zero
_LEAST, _MOST = 0.1, 1.5  # of the description: half the width of the axis
_COVERED, _ROOM = 0.9, 1.1  # share of the sure changes that the axis holds, and room beside them
_HEAD, _ROW, _FOOT = 0.45, 0.165, 0.45  # heights [inch]
_COLUMNS = ((14, 1), (60, 2))  # so many rows stand in so many columns; more in three
_LETTERS = {1: 40, 2: 24, 3: 18}  # of a name, by columns
_SMALL = 7.0  # letters [pt]


class Row(NamedTuple):
    """A parameter.

    Attributes:
        name: of it.
        unit: of its numbers.
        described: by the description.
        value: identified; ``sigma``: its standard deviation.
        state: what is known: ``SURE``, ``SAME``, ``UNSURE`` or ``HIDDEN``.
        robot: value that the new robot has; NaN if there is none, or no other.
    """

    name: str
    unit: str
    described: float
    value: float
    sigma: float
    state: str
    robot: float = np.nan


def base_rows(identification: Identification) -> list[Row]:
    """The base parameters, by their leading ones."""
    found, base = [], identification.base
    have = base.matrix @ identification.chi
    for k, (name, unit) in enumerate(zip(base.leading, base.units, strict=True)):
        value, sigma = float(identification.values[k]), float(identification.sigma[k])
        described = float(identification.described[k])
        state = _state(value - described, sigma)
        if name in identification.unexcited:
            state = HIDDEN
        elif name in identification.uncertain:
            state = UNSURE
        robot = float(have[k]) if identification.robot is not None else np.nan
        found.append(Row(name, written(unit), described, value, sigma, state, robot))
    return found


def standard_rows(identification: Identification) -> tuple[list[Row], list[Row]]:
    """Masses of bodies, and all parameters of axes but offsets; empty without a new robot."""
    robot = identification.base.robot
    every = named_parameters(robot, identification.names)
    before = own_figures(robot, every)
    masses: list[Row] = []
    axes: list[Row] = []
    if identification.robot is None:
        return masses, axes
    numbers = (before.tolist(), identification.chi.tolist(), identification.chi_sigma.tolist())
    for each, described, value, sigma in zip(every, *numbers, strict=True):
        if each.figure == OFFSET or (each.of_body and each.figure != MASS):
            continue
        unsure = sigma > UNCERTAIN * max(abs(value), abs(described))
        state = UNSURE if unsure else _state(value - described, sigma)
        name = each.part if each.of_body else each.name
        row = Row(name, written(each.unit), described, value, sigma, state)
        (masses if each.of_body else axes).append(row)
    return masses, axes


def _state(change: float, sigma: float) -> str:
    return SURE if abs(change) > SIGMAS * sigma else SAME


def figure(panels: Sequence[tuple[str, Sequence[Row]]], *, numbers: bool = False) -> Figure:
    """Panels beside each other with a row a parameter.

    Args:
        panels: a title and rows of each.
        numbers: whether both values are written beside each row.
    """
    most = max(len(rows) for _, rows in panels)
    drawn = blank(WIDTH, _HEAD + _FOOT + _ROW * (most + 1), "constrained")
    engine: Any = drawn.get_layout_engine()
    engine.set(w_pad=0.06, h_pad=0.03)
    grid = drawn.subplots(1, len(panels), squeeze=False)[0]
    every = [row for _, rows in panels for row in rows]
    limit = _limit(every)
    for axes, (title, rows) in zip(grid, panels, strict=True):
        _panel(axes, rows, _zeros(rows, every), limit, _LETTERS[min(len(panels), 3)])
        # rows of all panels are equally high
        axes.set(ylim=(most - 0.4, -0.6), xlim=(-100.0 * limit, 100.0 * limit))
        axes.set_xlabel("change [%]")
        axes.set_title(title)
        if numbers:
            _write_numbers(axes, rows)
    _name_looks(grid[0], every)
    legend_above(drawn, grid[0])
    return drawn


def split(rows: Sequence[Row]) -> list[tuple[str, Sequence[Row]]]:
    """Rows in panels that fit beside each other."""
    count = next((columns for most, columns in _COLUMNS if len(rows) <= most), 3)
    long = -(-len(rows) // count)
    return [("", rows[k : k + long]) for k in range(0, len(rows), long)]


def _limit(rows: Sequence[Row]) -> float:
    """Half the width of the axis, as a share of the description."""
    zero = _zeros(rows, rows)
    ends = [
        (abs(row.value - row.described) + SIGMAS * row.sigma) / abs(row.described)
        for row, nothing in zip(rows, zero, strict=True)
        if row.state in (SURE, SAME) and not nothing
    ]
    return float(np.clip(_ROOM * np.quantile(ends, _COVERED), _LEAST, _MOST)) if ends else 1.0


def _zeros(rows: Sequence[Row], every: Sequence[Row]) -> list[bool]:
    """Which parameters are described as zero."""
    largest: dict[str, float] = {}
    for row in every:
        largest[row.unit] = max(largest.get(row.unit, 0.0), abs(row.described), abs(row.value))
    return [abs(row.described) <= _ZERO * largest[row.unit] for row in rows]


def _panel(
    axes: Any, rows: Sequence[Row], zero: Sequence[bool], limit: float, letters: int
) -> None:
    axes.axvline(0.0, color=MUTED, lw=0.9, zorder=1.2)
    for k, (row, nothing) in enumerate(zip(rows, zero, strict=True)):
        if row.state == HIDDEN:
            _write(axes, k, HIDDEN, MUTED, right=True)
        elif nothing:
            said = f"0 → {number(row.value)} ± {number(row.sigma, digits=2)} {row.unit}"
            _write(axes, k, said, _LOOKS[row.state]["color"], right=True)
        else:
            _dot(axes, k, row, limit)
    names = [shortened(row.name, letters) for row in rows]
    axes.set_yticks(range(len(rows)), names, fontsize=_SMALL)
    axes.tick_params(axis="y", length=0.0)
    axes.grid(visible=True, axis="y", lw=0.5)


def _dot(axes: Any, k: int, row: Row, limit: float) -> None:
    change = (row.value - row.described) / abs(row.described)
    half = SIGMAS * row.sigma / abs(row.described)
    put = (row.robot - row.described) / abs(row.described)
    look = _LOOKS[row.state]
    if abs(change) <= limit:
        ends = np.clip([change - half, change + half], -2.0 * limit, 2.0 * limit)
        axes.plot(100.0 * ends, [k, k], color=look["color"], lw=1.3, solid_capstyle="butt")
        axes.plot(100.0 * change, k, "o", ms=4.0, mew=1.0, mec=look["color"], **look)
    elif row.state == UNSURE:
        _write(axes, k, UNSURE, MUTED, right=not put > 0.0)
    else:
        sign = "+" if change > 0.0 else ""
        said = f"{sign}{number(100.0 * change)} ± {number(100.0 * half / SIGMAS)} %"
        said = f"{said} ▸" if change > 0.0 else f"◂ {said}"
        _write(axes, k, said, look["color"], right=change > 0.0)
    if np.isfinite(put):
        axes.plot(100.0 * put, k, "|", color=INK, ms=7.0, mew=1.2, zorder=3.0)


def _write(axes: Any, k: int, said: str, colour: str, *, right: bool) -> None:
    """Words in a row, at an edge of the panel."""
    axes.text(
        0.98 if right else 0.02,
        k,
        said,
        transform=axes.get_yaxis_transform(),
        ha="right" if right else "left",
        va="center_baseline",
        fontsize=_SMALL,
        color=colour,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        zorder=2.5,
    )


def _write_numbers(axes: Any, rows: Sequence[Row]) -> None:
    """Both values at the right of each row."""
    for k, row in enumerate(rows):
        said = f"{number(row.described)} → {number(row.value)} ± {number(row.sigma, digits=2)}"
        axes.annotate(
            f"{said} {row.unit}",
            (1.03, k),
            xycoords=axes.get_yaxis_transform(),
            ha="left",
            va="center_baseline",
            fontsize=_SMALL,
            annotation_clip=False,
        )


def _name_looks(axes: Any, rows: Sequence[Row]) -> None:
    """Names of the looks that are there, for the legend."""
    for state, look in _LOOKS.items():
        if any(row.state == state for row in rows):
            axes.plot([], [], "-o", ms=4.0, lw=1.3, mec=look["color"], label=state, **look)
    if any(np.isfinite(row.robot) for row in rows):
        axes.plot([], [], "|", color=INK, ms=7.0, mew=1.2, label="new robot")
