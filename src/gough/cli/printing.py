"""Facts for the eye and for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gough.cli.units import SI, Units
from gough.errors import visible

if TYPE_CHECKING:
    from rich.console import Console

    from gough.robot import Robot


def say(text: object = "", *, err: bool = False) -> None:
    """A line on stdout or stderr, made visible."""
    typer.echo(visible(str(text)), err=err)


def print_json(data: Any) -> None:
    """Plain data on stdout; what is not finite is null, which JSON has and NaN it has not."""
    from gough.base.english import plain

    typer.echo(json.dumps(plain(data), indent=2, allow_nan=False))


def _console() -> Console:
    """Stdout; a pipe is as wide as a table needs, so that no cell is broken."""
    from rich.console import Console

    console = Console()
    return console if console.is_terminal else Console(width=160)


def print_facts(lines: Iterable[tuple[str, str]]) -> None:
    """Headings and facts, one a line."""
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for heading, fact in lines:
        style = "yellow" if heading in ("remark", "warning", "violation") else ""
        table.add_row(Text(visible(heading)), Text(visible(fact), style=style))
    _console().print(table)


def print_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table with a head; numbers are aligned to the right, with four digits.

    Below a head with a unit, rounding is 0: 1e-16 m says nothing but 0.
    """
    from rich.table import Table
    from rich.text import Text

    rows = [*rows]
    sizes = _sizes(head, rows)
    cells = [[_shown(cell, size) for cell, size in zip(row, sizes, strict=True)] for row in rows]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(head):
        numeric = bool(cells) and all(row[i][1] for row in cells)
        table.add_column(
            Text(visible(name)), justify="right" if numeric else "left", overflow="fold"
        )
    for row in cells:
        table.add_row(*(Text(visible(text)) for text, _ in row))
    _console().print(table)


def _sizes(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[float]:
    """Largest figure below all heads with the same unit, 1 or more; 0 below one without a unit."""
    units = [name[name.index("[") :] if "[" in name else "" for name in head]
    sizes = dict.fromkeys(units, 1.0)
    for row in rows:
        for unit, cell in zip(units, row, strict=True):
            if isinstance(cell, (int, float)) and math.isfinite(cell):
                sizes[unit] = max(sizes[unit], abs(cell))
    return [sizes[unit] if unit else 0.0 for unit in units]


def _shown(cell: Any, size: float) -> tuple[str, bool]:
    from gough.base.english import clean

    if isinstance(cell, (bool, str)):
        return str(cell), False
    if cell is None or not math.isfinite(cell):
        return "-", True
    return f"{clean(cell, size):.4g}", True


def print_sizing(robot: Robot, sizing: Sequence[Any], units: Units = SI) -> None:
    """Figures of the motors, at their axes and, if there are transmissions, on their shafts."""
    geared = any(robot.axis(one.name).transmission is not None for one in sizing)
    sides = {"axis": "at the axis", "motor": "at the motor"} if geared else {"axis": "motor"}
    for side, title in sides.items():
        tables: dict[tuple[str, str], list[Sequence[Any]]] = {}
        for one in sizing:
            f = getattr(one, side)
            use = one.effort_use if side == "axis" else None
            speed, factor = units.of(f.speed_unit)
            row = [one.name, f.peak, f.rms, f.holding, factor * f.speed, factor * f.mean_speed]
            row += [f.power, f.mean_power, f.regenerated]
            row += ["" if use is None else f"{100.0 * use:.0f} %"]
            tables.setdefault((f.effort_unit, speed), []).append(row)
        for (effort, speed), rows in tables.items():
            head = [title, f"peak [{effort}]", f"RMS [{effort}]", f"hold [{effort}]"]
            head += [f"speed [{speed}]", f"mean [{speed}]", "power [W]", "mean [W]", "back [J]"]
            head += ["of limit"] if any(row[-1] for row in rows) else []
            print_table(head, [row[: len(head)] for row in rows])
    print_uses(sizing, units)


def print_uses(sizing: Sequence[Any], units: Units = SI) -> None:
    """How much of the motors' own data is used, on their shafts; nothing where none are known."""
    tables: dict[str, list[Sequence[Any]]] = {}
    for one in sizing:
        if not one.uses:
            continue
        peak, rms, held, top = (one.use(kind) for kind in _USES)
        speed, factor = units.of(one.motor.speed_unit)
        row = [one.name, _share(peak), None if peak is None else factor * peak.speed]
        tables.setdefault(speed, []).append([*row, *(_share(use) for use in (rms, held, top))])
    for speed, rows in tables.items():
        head = ["use of the motor", "peak at its speed", f"which is [{speed}]", "RMS of continuous"]
        print_table([*head, "holding of continuous", "top speed"], rows)


_USES = ("motor_peak", "motor_rms", "motor_holding", "motor_speed")


def _share(use: Any) -> str:
    return "-" if use is None else f"{100.0 * use.share:.0f} %"


def print_result(
    found: Any,
    *,
    as_json: bool,
    files: dict[str, Path] | None = None,
    show: Callable[[], None] = lambda: None,
    **more: Any,
) -> None:
    """A result in lines, or as data.

    Args:
        found: the result.
        as_json: whether it is printed as data.
        files: that were written, if the command writes any.
        show: prints what follows the lines.
        more: data that are added to the result's own.
    """
    if as_json:
        print_json({**found.to_dict(), **more, **({} if files is None else {"files": files})})
        return
    print_facts(found.lines())
    show()
    print_places(files or {})


def print_places(written: dict[str, Path]) -> None:
    """Files that were written, by what they hold; one a line, not broken."""
    if written:
        say()
    width = max(map(len, written), default=0)
    for name, place in written.items():
        say(f"{name:<{width}}  {place}")
