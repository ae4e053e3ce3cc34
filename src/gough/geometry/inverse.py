"""The machine at a platform pose: every joint found, and where its motors are."""

from __future__ import annotations

import numpy as np

from gough.batch import check_pose
from gough.closure.equations import Equations
from gough.geometry.newton import State
from gough.geometry.single import exact_pose, is_single
from gough.geometry.walk import equations_at
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect


def posed(
    assembly: Assembly, T_0p: np.ndarray, start: State | None = None, *, turns: bool = True
) -> Equations:
    """The machine at a pose: its closure equations with every joint found, from a start or home.

    Whole turns are not counted if they do not matter, which spares a long way from home.
    """
    if is_single(T_0p):
        T_0p = exact_pose(assembly, T_0p)
    check_pose(T_0p)
    return equations_at(assembly, T_0p, start, turns=turns)


def motor_positions(assembly: Assembly, at: Equations) -> Array:
    """Positions of the motors at a state."""
    found = [assembly.axis_position(at, name) for name in assembly.robot.motors]
    return collect(found)
