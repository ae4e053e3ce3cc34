"""Why a pose cannot be had, on request: batches that may fail do not look for reasons."""

from __future__ import annotations

from typing import Any

from gough.batch import as_array
from gough.errors import GoughError, InputError
from gough.geometry.branch import as_branch
from gough.geometry.inverse import posed
from gough.mobility.assembly import assembled
from gough.robot import Robot


def explain(robot: Robot, T_0p: Any, *, branch: Any = None) -> GoughError | None:
    """Why the robot cannot have a pose: the error that a call with this pose would raise.

    Functions with ``on_error="nan"`` or ``"mask"`` refuse a pose without looking for the reason,
    which takes longer than the refusal.

    Args:
        robot: the machine.
        T_0p: one platform pose ``(4, 4)``.
        branch: an assembled state, or a mode that has one, whose branch is meant; home's if not
            given.

    Returns:
        ``UnreachablePose`` with the leg and what is missing, ``InconsistentPose`` with the
        component that the legs forbid, or ``None`` if the robot can have the pose.
    """
    assembly = assembled(robot)
    T = as_array(T_0p, (4, 4), "T_0p", keep_single=True)
    if T.shape != (4, 4):
        raise InputError(
            f"T_0p has shape {T.shape}, expected one pose (4, 4)",
            hint="Choose one: gough.explain(robot, T_0p[failed][0]).",
            argument="T_0p",
        )
    start = as_branch(assembly, branch)
    try:
        posed(assembly, T, start, turns=False)
    except GoughError as err:
        return err
    return None
