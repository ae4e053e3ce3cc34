"""Inverse kinematics: all joints and the motor positions at a platform pose, or why not."""

from __future__ import annotations

import numpy as np

from gough.base.batch import check_pose
from gough.base.spatial import Array, collect
from gough.geometry.newton import AssembledState
from gough.geometry.single import exact_pose, is_single
from gough.geometry.walk import equations_at
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly


def posed(
    assembly: Assembly, T_0p: np.ndarray, start: AssembledState | None = None, *, turns: bool = True
) -> Equations:
    """The machine at a pose: its closure equations with every joint found, from a start or home.

    With ``turns=False`` whole turns are not counted, which avoids walking from home.
    """
    if is_single(T_0p):
        T_0p = exact_pose(assembly, T_0p)
    check_pose(T_0p)
    return equations_at(assembly, T_0p, start, turns=turns)


def motor_positions(assembly: Assembly, at: Equations) -> Array:
    """Positions of the motors at a state ``(m,)`` [rad or m]."""
    return collect([assembly.axis_position(at, name) for name in assembly.robot.motors])
