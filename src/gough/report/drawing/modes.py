"""``gough.draw_modes``: every way to assemble a machine, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import switch, whole
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import assembled
from gough.modes.mode import Mode, Modes
from gough.report.drawing.figure import (
    add_scale,
    assembled_scenes,
    check_title,
    check_view,
    new_figure,
    paint,
)
from gough.report.drawing.style import INK, Filled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The side of a panel if there are few and if there are many, and the widest picture [inch].
_LARGE, _SMALL, _WIDEST = 3.2, 1.6, 12.8

# The height of a line and the width of a letter [inch]; lines over a panel.
_LINE, _LETTER, _LINES = 0.17, 0.09, 2.4

# Panels this small have small letters.
_TIGHT = 2.0

# Width over height of a picture of many panels.
_WIDE = 1.5


def draw_modes(
    modes: Modes,
    *,
    most: int = 40,
    columns: int | None = None,
    frames: bool = True,
    view: tuple[float, float] | None = None,
    title: str | None = None,
) -> Figure:
    """Draw assembly modes side by side, all from the same view and in the same scale.

    Every panel has the name of its mode and the condition number of its motors' Jacobian, which
    grows without bound where modes meet (Type 2).

    Args:
        modes: what ``gough.forward_kinematics(robot, q_a)`` found.
        most: most panels; the first modes are the ones nearest home.
        columns: panels in a row; as the picture looks best if not given.
        frames: whether to draw the frames of base and platform (x red, y green, z blue).
        view: elevation and azimuth from which a robot in space is seen [deg].
        title: a line above all; robot and number of modes if not given, empty for none.

    Returns:
        The matplotlib figure.

    Raises:
        InputError: there is no mode to draw, or arguments do not fit.
    """
    if not isinstance(modes, Modes):
        raise InputError(
            f"modes: expected assembly modes, got {shown(modes)}",
            hint="forward_kinematics(robot, q_a) finds them.",
            argument="modes",
        )
    most = whole(most, "most", least=1)
    if columns is not None:
        columns = whole(columns, "columns", least=1)
    check_view(view)
    frames = switch(frames, "frames")
    heading = _heading(modes, most) if title is None else title
    check_title(heading)
    if not len(modes):
        raise InputError(
            f"{modes.robot.name}: no assembly mode: there is nothing to draw", argument="modes"
        )
    drawn = modes[:most]
    assembly = assembled(modes.robot)
    found = assembled_scenes(assembly, [assembly.equations(*mode.branch) for mode in drawn])
    figure = new_figure(_LARGE, _LARGE)
    projection = "3d" if found[0].plane is None else None
    panels = [figure.add_axes((0.0, 0.0, 1.0, 1.0), projection=projection) for _ in found]
    for axes in panels:
        axes.patch.set_visible(False)  # neighbours overlap: axes in space are square
    options: dict[str, Any] = {"frames": frames, "names": False, "scale": True, "view": view}
    filled = paint(panels, [[scene] for scene in found], **options)
    across = _columns(len(found), filled) if columns is None else min(columns, len(found))
    _lay_out(panels, across, filled, heading, drawn)
    add_scale(panels[(len(found) - 1) // across * across], found[0], own=True)
    return figure


def _heading(modes: Modes, most: int) -> str:
    total = len(modes)
    count = "1 assembly mode" if total == 1 else f"{total} assembly modes"
    if modes.is_search:
        count += " found by search"
    if most < total:
        count += f", the first {most} of them"
    return f"{modes.robot.name}: {count}"


def _lay_out(
    panels: Sequence[Any], across: int, filled: Filled, heading: str, modes: Sequence[Mode]
) -> None:
    """Put panels in rows, from the upper left, with their names, and size the figure for them."""
    figure, count = panels[0].figure, len(panels)
    rows = -(-count // across)
    # few panels may be large; a row is never wider than the widest picture
    side = min(max(_LARGE * (4.0 / max(count, 4)) ** 0.35, _SMALL), _WIDEST / across)
    cell = np.maximum(side * (filled.shares + 0.04), (1.05, 0.3 * side))
    text = _LINES * _LINE * (1.0 if side > _TIGHT else 0.8)
    above = 2.0 * _LINE if heading else 0.0
    below = 1.5 * _LINE if panels[0].name == "3d" else 0.0
    # a single panel may be narrower than what is written above it
    width = max(across * cell[0], _LETTER * len(heading))
    height = rows * (cell[1] + text) + above + below
    figure.set_size_inches(width, height)
    if heading:
        figure.text(0.5, 1.0 - 0.9 * _LINE / height, heading, ha="center", va="center", color=INK)
    w, h = (side, side) if panels[0].name == "3d" else cell
    for k, (axes, mode) in enumerate(zip(panels, modes, strict=True)):
        row, column = divmod(k, across)
        x = (width - across * cell[0]) / 2.0 + (column + 0.5) * cell[0]
        top = height - above - row * (cell[1] + text)
        y = top - text - cell[1] / 2.0
        left, bottom = x - filled.centre[0] * w, y - filled.centre[1] * h
        axes.set_position((left / width, bottom / height, w / width, h / height))
        _name(figure, mode, (x / width, (top - 0.1 * text) / height), side)


def _columns(count: int, filled: Filled) -> int:
    """Panels in a row: up to four in one, then as many as make a picture that is wide.

    Of the numbers near that, one that leaves the last row full, or nearly.
    """
    if count <= 4:
        return count
    width, height = filled.shares
    ideal = min((_WIDE * count * height / width) ** 0.5, count)
    choices = range(max(2, round(0.75 * ideal)), min(round(1.3 * ideal), count) + 1)
    return min(choices, key=lambda n: (-count % n, abs(n - ideal)))


def _name(figure: Figure, mode: Mode, at: tuple[float, float], side: float) -> None:
    size = 9.0 if side > _TIGHT else 7.0
    condition = (
        "singular"
        if not np.isfinite(mode.condition)
        else f"condition {float(f'{mode.condition:.3g}'):g}"
    )
    options: dict[str, Any] = {"ha": "center", "va": "top", "color": INK, "linespacing": 1.1}
    figure.text(*at, f"{mode.name}\n{condition}", fontsize=size, **options)
