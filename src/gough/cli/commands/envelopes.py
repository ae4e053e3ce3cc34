"""``gough envelope``: how far each freedom of a robot goes from home, as a data sheet states it."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from gough.cli.app import app
from gough.cli.files import check_files
from gough.cli.printing import print_facts, print_places, print_result, print_table
from gough.cli.progress import progress_bar
from gough.cli.units import UnitsWord, find_units
from gough.cli.words import AsJson, Force, RobotWord, TablePath, find_robot

_FACTS = ("robot", "home", "box", "searched")  # lines that tables do not hold
_HEAD = [
    *("freedom", "unit", "alone -", "alone +", "combined -", "combined +"),
    *("together -", "together +", "velocity [/s]", "acceleration [/s²]"),
]


@app.command()
def envelope(
    robot: RobotWord,
    limits: Annotated[bool, typer.Option(help="Whether limits of joints count.")] = True,
    starts: Annotated[
        int, typer.Option(metavar="N", help="Searches for each side of a freedom, in combination.")
    ] = 8,
    output: TablePath = None,
    units: UnitsWord = "deg",
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Excursions of every freedom from home: alone, in combination, and all together.

    Alone: all others stay at home. Combined: the others move as needed. Together: a box in all
    freedoms at once, all of which can be reached. Angles are in degrees; --units si: in radians. A
    table (-o) is in SI units, a row a freedom.
    """
    import numpy as np

    from gough.base.tables import write_table
    from gough.singularity.workspace.envelope import envelope as find_envelope
    from gough.singularity.workspace.section import unit_of

    shown_in = find_units(units)
    files = check_files(force=force, table=output)
    machine = find_robot(robot, remarks=True)
    with progress_bar("envelope") as progress:
        found = find_envelope(machine, limits=limits, starts=starts, progress=progress)
    if output is not None:
        # tables hold numbers: freedoms by their number, from 1
        figures = {k: v for k, v in found.columns().items() if v.dtype != object}
        write_table(output, {"freedom": np.arange(1.0, len(found.alone) + 1.0), **figures})
    rows, ends = [], []
    for i, (name, alone) in enumerate(found.alone.items()):
        unit, factor = shown_in.of(unit_of(name))
        combined, box = found.combined[name], found.together
        ends_at = [alone.minus, alone.plus, combined.minus, combined.plus]
        ends_at += [float(box.minus[i]), float(box.plus[i])]
        row = [name, unit, *(factor * value for value in ends_at)]
        rates = [found.rates.velocity[i], found.rates.acceleration[i].min()]
        rows.append(row + [factor * x if math.isfinite(x) else None for x in rates])
        ends.append([name, *alone.ends, *combined.ends])

    if as_json:
        print_result(found, as_json=True, files=files)
        return
    print_facts([line for line in found.lines() if line[0] in _FACTS])
    typer.echo()
    print_table(_HEAD, rows)
    typer.echo()
    print_table(["ends", "alone -", "alone +", "combined -", "combined +"], ends)
    print_places(files)
