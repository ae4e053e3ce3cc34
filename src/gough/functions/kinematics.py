"""Public functions of the motors: positions, rates and accelerations of a state."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError
from gough.evaluation.call import evaluate
from gough.robot import Robot


def inverse_kinematics(
    robot: Robot,
    state: Any,
    *,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor positions of a platform pose, in home's working mode.

    For another working mode take ``robot.rehomed(...)``: the same machine with its home there.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Positions in the order of ``robot.motors`` [rad or m], ``(..., n)``; angles
        are counted from home, whole turns included.

    Raises:
        UnreachablePose: a leg cannot reach the pose.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    return evaluate(robot, "inverse_kinematics", state, out, on_error)[0]


def motor_rates(
    robot: Robot,
    state: Any,
    *,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor rates of a platform twist.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose and twist of the platform; a bare pose rests.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Rates in the order of ``robot.motors`` [rad/s or m/s], ``(..., n)``.

    Equations:
        [BK] (31), [KI] (79).
    """
    return evaluate(robot, "motor_rates", state, out, on_error)[0]


def motor_accelerations(
    robot: Robot,
    state: Any,
    *,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor accelerations of a platform motion.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Accelerations in the order of ``robot.motors`` [rad/s^2 or m/s^2], ``(..., n)``.

    Equations:
        [KI] (27).
    """
    return evaluate(robot, "motor_accelerations", state, out, on_error)[0]
