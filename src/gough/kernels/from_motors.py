"""Inverse dynamics from encoders."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, check_on_error
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.geometry.near import near_state
from gough.kernels.functions import inverse_dynamics
from gough.kinematics.from_motors import state_from_motors
from gough.robot import Robot


def inverse_dynamics_from_motors(
    robot: Robot,
    q_a: Any,
    qd_a: Any,
    qdd_a: Any,
    *,
    near: Any = None,
    method: str = "legs",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts from encoders: positions, rates and accelerations of the motors.

    The path of [OZ] Table 3 that sees the motors only: the platform is found first, near ``near``
    (:func:`gough.state_from_motors`), then the efforts.

    Args:
        robot: the machine.
        q_a: motor positions ``(..., n)`` [rad or m].
        qd_a: motor rates ``(..., n)``.
        qdd_a: motor accelerations ``(..., n)``.
        near: a pose near which the platform is, or a mode of ``forward_kinematics``; home if not
            given.
        method: theory of the dynamics, as in :func:`inverse_dynamics`.
        loads: :class:`gough.Loads`; this and the rest as in :func:`gough.inverse_dynamics`.
        share: how more motors than freedoms share the work.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.
    """
    check_on_error(on_error)
    if near_state(near) is not None:  # a mode: the same machine at home there
        robot, near = robot.rehomed(near), None
    # a state that was not found is NaN, and fails below
    kept: OnError = "raise" if on_error == "raise" else "nan"
    state = state_from_motors(robot, q_a, qd_a, qdd_a, near=near, on_error=kept)
    options: dict[str, Any] = {"method": method, "loads": loads, "share": share}
    return inverse_dynamics(robot, state, on_error=on_error, **options)
