"""The Cartesian model ``J_inv^T tau = M_rob Vdot_r + c_rob`` and its terms.  [BK] (15)-(22)"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.batch import OnError, state_arguments
from gough.dynamics.shared.loads import Loads
from gough.kernels.answering import answered
from gough.kernels.evaluator import Arguments, Engine
from gough.kinematics.frames import (
    Axes,
    check_freedoms_turn,
    columns_in,
    freedoms_turn,
    in_base,
    rows_in,
)
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

InertiaBy = Literal["closed form", "columns"]
INERTIA = {"closed form": "inertia_matrix", "columns": "inertia_matrix_by_columns"}
"""Quantities by the way in which an inertia matrix is found."""


def cartesian_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    frame: Axes = "base",
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Generalised force on the robot's freedoms that a motion takes: the Cartesian inverse model.

    ``w_r = M_rob Vdot_r + c_rob = J_inv^T tau``.  No Jacobian of the motors is inverted: the model
    holds on a Type 2 singularity, and for any number of motors, none included.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``; they agree to rounding.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        frame: axes of twist and twist rate, ``"base"`` or ``"platform"``.  Of six freedoms V_r and
            the answer are in the same axes; of fewer V_r is in base axes in both cases.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
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
    assembly = assembled(robot)
    state = in_base(frame, state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p))
    more: dict[str, Any] = {"method": method, "loads": loads}
    options = (engine, threads, out, on_error)
    w_r = answered(assembly, "cartesian_dynamics", state, *options, **more)[0]
    return _turned(state, w_r) if freedoms_turn(assembly, frame) else w_r


def inertia_matrix(
    robot: Robot,
    T_0p: Any,
    *,
    by: InertiaBy = "closed form",
    loads: Loads | None = None,
    frame: Axes = "base",
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Inertia matrix ``M_rob`` in V_r: ``J_inv^T tau = M_rob Vdot_r + c_rob``.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        by: ``"closed form"``, leg by leg; or ``"columns"``, each column the Cartesian inverse model
            of a unit acceleration at rest, without gravity.  They agree to rounding.
        loads: :class:`gough.Loads`, of which the payload and the rotors have inertia.
        frame: axes of V_r, ``"base"``, or ``"platform"`` for robots of six freedoms.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Inertia matrices ``(..., n, n)`` [kg, kg m, kg m^2], in the order of ``robot.freedoms``.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.

    Equations:
        [BK] (19), (21); by columns, after [BK] (22).
    """
    one_of(by, "by", tuple(INERTIA))
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p)
    turned = check_freedoms_turn(assembly, frame, "M_rob")
    options = (engine, threads, out, on_error)
    M_rob = answered(assembly, INERTIA[by], state, *options, loads=loads)[0]
    if turned:
        T = state["T_0p"][0]
        M_rob[...] = rows_in(T, columns_in(T, M_rob))  # X^T M_rob X
    return M_rob


def bias_wrench(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    loads: Loads | None = None,
    frame: Axes = "base",
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Bias wrench ``c_rob`` in V_r: the part of ``J_inv^T tau`` that does not depend on ``Vdot_r``.

    Velocity terms, gravity, friction, springs, and forces on bodies with the opposite sign.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        frame: axes of the twist, ``"base"`` or ``"platform"``.  Of six freedoms V_r and the answer
            are in the same axes; of fewer V_r is in base axes in both cases.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``(..., n)`` [N or N m], in the order of ``robot.freedoms``.

    Equations:
        [BK] (22).
    """
    assembly = assembled(robot)
    if freedoms_turn(assembly, frame):  # V_r does not accelerate in axes that turn
        more: dict[str, Any] = {"engine": engine, "threads": threads, "out": out}
        more |= {"loads": loads, "frame": frame, "on_error": on_error}
        return cartesian_dynamics(robot, T_0p, V_0p, np.zeros(6), **more)
    state = in_base(frame, state_arguments(T_0p=T_0p, V_0p=V_0p))
    options = (engine, threads, out, on_error)
    return answered(assembly, "bias_wrench", state, *options, loads=loads)[0]


def gravity_wrench(
    robot: Robot,
    T_0p: Any,
    *,
    loads: Loads | None = None,
    frame: Axes = "base",
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Gravity's part of the bias wrench in V_r: the gradient of the potential energy of gravity.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        loads: :class:`gough.Loads`, of which the payload has a weight.
        frame: axes of V_r, ``"base"``, or ``"platform"`` for robots of six freedoms.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``(..., n)`` [N or N m], in the order of ``robot.freedoms``.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p)
    turned = check_freedoms_turn(assembly, frame, "the gravity wrench")
    options = (engine, threads, out, on_error)
    g_rob = answered(assembly, "gravity_wrench", state, *options, loads=loads)[0]
    return _turned(state, g_rob) if turned else g_rob


def _turned(state: Arguments, w_r: np.ndarray) -> np.ndarray:
    """Wrenches of a robot of six freedoms in platform axes, written where they were."""
    w_r[...] = rows_in(state["T_0p"][0], w_r[..., None])[..., 0]  # in frame F_p, [BK] (33)
    return w_r
