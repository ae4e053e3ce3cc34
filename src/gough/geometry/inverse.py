"""Inverse geometry: motor positions from the platform pose."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.batch import OnError, as_array, check_pose, over
from gough.closure.equations import Equations
from gough.geometry.branch import as_branch
from gough.geometry.newton import State
from gough.geometry.single import exact_pose, is_single
from gough.geometry.walk import configuration_at
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.spatial import Array, collect


def inverse_geometry(
    robot: Robot, T_0p: Any, *, branch: Any = None, on_error: OnError = "raise"
) -> Any:
    """Motor positions of a platform pose, on home's branch or another.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        branch: the branch of a mode (see :func:`gough.direct_geometry`), whose legs are bent as
            they shall be at the pose; one goes there from it.  Home's if not given.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``; see :func:`gough.batch.over`.

    Returns:
        Positions in the order of ``robot.motors`` [rad or m], ``(..., n)``; angles are the ones
        nearest home's, or as many turns away as the branch says.

    Raises:
        UnreachablePose: a leg cannot reach the pose.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    assembly = assembled(robot)
    T = as_array(T_0p, (4, 4), "T_0p", keep_single=True)
    start = as_branch(assembly, branch)

    def one(T: np.ndarray) -> Array:
        return motor_positions(assembly, posed(assembly, T, start))

    return over(one, {"T_0p": (T, 2)}, ((len(robot.motors),),), on_error)


def posed(
    assembly: Assembly, T_0p: np.ndarray, start: State | None = None, *, turns: bool = True
) -> Equations:
    """The machine at a pose: its closure equations with every joint found, from a start or home.

    Whole turns are not counted if they do not matter, which spares a long way from home.
    """
    if is_single(T_0p):
        T_0p = exact_pose(assembly, T_0p)
    check_pose(T_0p)
    return assembly.equations(T_0p, configuration_at(assembly, T_0p, start, turns=turns))


def motor_positions(assembly: Assembly, at: Equations) -> Array:
    """Positions of the motors at a state."""
    found = [assembly.axis_position(at, name) for name in assembly.robot.motors]
    return collect(found) if found else np.zeros(0)
