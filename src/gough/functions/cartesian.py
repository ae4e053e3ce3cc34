"""The Cartesian model ``J_inv^T tau = M_rob Vdot_r + c_rob`` and its terms.  [BK] (15)-(22)"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.batch import OnError
from gough.dynamics.shared.loads import Loads
from gough.evaluation.call import evaluate
from gough.kinematics.frames import check_freedoms_turn, freedoms_turn
from gough.robot import Robot
from gough.states.axes import columns_in, rows_in
from gough.states.state import State

InertiaBy = Literal["closed form", "columns"]
INERTIA = {"closed form": "inertia_matrix", "columns": "inertia_matrix_by_columns"}
"""Quantities by the way in which an inertia matrix is found."""


def cartesian_dynamics(
    robot: Robot,
    state: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Generalised force on the robot's freedoms that a motion takes: the Cartesian inverse model.

    ``w_r = M_rob Vdot_r + c_rob = J_inv^T tau``.  No Jacobian of the motors is inverted: the model
    holds on a Type 2 singularity, and for any number of motors, none included.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``; they agree to rounding.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``w_r (..., n)`` [N or N m], in the order of ``robot.freedoms``.

    Raises:
        SingularPose: of Type 1.
        InconsistentTwist: the motion is outside the mobility.

    Equations:
        [BK] (15)-(16), idmx.
    """
    w_r = evaluate(robot, "cartesian_dynamics", state, out, on_error, method=method, loads=loads)[0]
    return _turned(state, w_r) if freedoms_turn(robot, state) else w_r


def inertia_matrix(
    robot: Robot,
    state: Any,
    *,
    by: InertiaBy = "closed form",
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Inertia matrix ``M_rob`` in V_r: ``J_inv^T tau = M_rob Vdot_r + c_rob``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        by: ``"closed form"``, leg by leg; or ``"columns"``, each column the Cartesian inverse model
            of a unit acceleration at rest, without gravity.  They agree to rounding.
        loads: :class:`gough.Loads`, of which the payload and the rotors have inertia.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Inertia matrices ``(..., n, n)`` [kg, kg m, kg m^2], in the order of ``robot.freedoms``.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.

    Equations:
        [BK] (19), (21); by columns, after [BK] (22).
    """
    one_of(by, "by", INERTIA)
    turned = check_freedoms_turn(robot, state, "M_rob")
    M_rob = evaluate(robot, INERTIA[by], state, out, on_error, loads=loads)[0]
    if turned:
        T = state.T_0p
        M_rob[...] = rows_in(T, columns_in(T, M_rob))  # X^T M_rob X
    return M_rob


def bias_wrench(
    robot: Robot,
    state: Any,
    *,
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Bias wrench ``c_rob`` in V_r: the part of ``J_inv^T tau`` that does not depend on ``Vdot_r``.

    Velocity terms, gravity, friction, springs, and forces on bodies with the opposite sign.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose and twist of the platform; a bare pose rests.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``(..., n)`` [N or N m], in the order of ``robot.freedoms``.

    Equations:
        [BK] (22).
    """
    if freedoms_turn(robot, state):  # V_r does not accelerate in axes that turn
        still = state.accelerated(np.zeros(6))
        return cartesian_dynamics(robot, still, loads=loads, out=out, on_error=on_error)
    return evaluate(robot, "bias_wrench", state, out, on_error, loads=loads)[0]


def gravity_wrench(
    robot: Robot,
    state: Any,
    *,
    loads: Loads | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Gravity's part of the bias wrench in V_r: the gradient of the potential energy of gravity.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        loads: :class:`gough.Loads`, of which the payload has a weight.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``(..., n)`` [N or N m], in the order of ``robot.freedoms``.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.
    """
    turned = check_freedoms_turn(robot, state, "the gravity wrench")
    g_rob = evaluate(robot, "gravity_wrench", state, out, on_error, loads=loads)[0]
    return _turned(state, g_rob) if turned else g_rob


def _turned(state: State, w_r: np.ndarray) -> np.ndarray:
    """Wrenches of a robot of six freedoms in platform axes, written where they were."""
    w_r[...] = rows_in(state.T_0p, w_r[..., None])[..., 0]  # in frame F_p, [BK] (33)
    return w_r
