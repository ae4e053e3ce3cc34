"""Tables of where to measure: motors with their units, and where the tool then is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gough.cli.printing import print_table
from gough.cli.units import Units
from gough.cli.words import motor_units

if TYPE_CHECKING:
    from gough.calibration.design import Proposal
    from gough.robot import Robot

TOOL = ("x [mm]", "y [mm]", "z [mm]")


def print_proposals(
    robot: Robot,
    found: Sequence[Proposal],
    units: Units,
    title: str,
    more: tuple[Sequence[str], Sequence[Sequence[Any]]] = ((), ()),
) -> None:
    """Measurements to make, one row a state of the machine.

    Args:
        robot: the machine.
        found: measurements.
        units: of turning axes; those that slide are in mm, as the tool is.
        title: of the first column.
        more: heads and cells of further columns, one row a measurement.
    """
    shown = {
        name: ("mm", 1e3) if unit == "m" else units.of(unit)
        for name, unit in motor_units(robot).items()
    }
    head = [title, *(f"{name} [{unit}]" for name, (unit, _) in shown.items()), *TOOL, *more[0]]
    rows = []
    for k, each in enumerate(found):
        last = list(more[1][k]) if more[0] else []
        for s, (q, T) in enumerate(zip(each.motors, each.pose, strict=True)):
            first = f"{k + 1}. {each.kind}" if not s else "and"
            motors = [
                f"{f * v + 0.0:.{5 if unit == 'rad' else 3}f}"
                for v, (unit, f) in zip(q, shown.values(), strict=True)
            ]
            tool = [f"{round(1e3 * v, 2) + 0.0:.2f}" for v in T[:3, 3]]
            rows.append([first, *motors, *tool, *(last if not s else [""] * len(last))])
    print_table(head, rows)


def as_data(robot: Robot, found: Sequence[Proposal]) -> list[dict[str, Any]]:
    """The same as plain data, SI."""
    return [
        {
            "kind": each.kind,
            "motors": [dict(zip(robot.motors, q.tolist(), strict=True)) for q in each.motors],
            "pose": each.pose.tolist(),
            "gain": each.gain,
        }
        for each in found
    ]
