"""Plans as tables that are filled in on the bench and read back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base import turns
from gough.calibration.design import Proposal
from gough.calibration.files.table_names import ANCHOR, STD, STD_ANGLE, Names, names_of
from gough.calibration.kinds import Encoders, Lengths
from gough.calibration.measured import Measurements
from gough.motion.columns import POSITION, RPY
from gough.robot import Robot

UNITS = {"length": ("mm", 1e3, 4), "angle": ("deg", 180.0 / np.pi, 5)}
"""How figures are written: unit, factor from SI, digits after the point."""

_FILLED = {
    "pose": (*POSITION, *RPY),
    "position": POSITION,
    "orientation": RPY,
    "height": ("height",),
    "distance": ("distance",),
    "length": ("length",),
}


def plan_table(
    robot: Robot, steps: Sequence[Proposal], sets: Sequence[Measurements]
) -> dict[str, np.ndarray]:
    """Columns by name: motors, what is to be measured (empty), standard deviations, expectations.

    Args:
        robot: the machine.
        steps: where to measure.
        sets: measurements of the kinds that are planned.
    """
    names = names_of(robot)
    kinds = {each.kind for each in steps}
    count, empty = len(steps), np.full(len(steps), np.nan)
    found: dict[str, np.ndarray] = {}

    def add(quantity: str, values: np.ndarray) -> None:
        found.update([_column(names, quantity, values)])

    first = np.array([each.motors[0] for each in steps])
    for quantity, values in zip(names.motors.values(), first.T, strict=True):
        add(quantity, values)
    if "distance" in kinds:
        second = np.array(
            [each.motors[1] if len(each.motors) > 1 else each.motors[0] * np.nan for each in steps]
        )
        for quantity, values in zip(names.others.values(), second.T, strict=True):
            add(quantity, values)
    for each in sets:
        if isinstance(each, Encoders):
            add(names.encoders[each.axis], empty)
        else:
            for quantity in _FILLED[each.kind]:
                add(quantity, empty)
        if isinstance(each, Lengths):
            own = np.array([[step.kind == each.kind] for step in steps])
            for quantity, values in zip(
                ANCHOR, np.where(own, each.anchor[0], np.nan).T, strict=True
            ):
                add(quantity, values)
    add(STD, empty)
    if kinds & {"pose", "orientation", "encoder"}:
        add(STD_ANGLE, empty)
    T = np.array([each.pose[0] for each in steps]).reshape(count, 4, 4)
    expected = {
        **dict(zip(POSITION, T[:, :3, 3].T, strict=True)),
        **dict(zip(RPY, turns.to_rpy(T[:, :3, :3]).T, strict=True)),
    }
    for quantity, values in expected.items():
        head, column = _column(names, quantity, values)
        found[f"expected {head}"] = column
    return found


def _column(names: Names, quantity: str, values: np.ndarray) -> tuple[str, np.ndarray]:
    unit, factor, digits = UNITS[names.vocabulary.kinds[quantity]]
    return f"{quantity} [{unit}]", np.round(values * factor, digits) + 0.0
