"""The public functions of states: one table of quantities, one evaluator, one docstring each."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.batch import OnError, as_array, state_arguments
from gough.dynamics.answers.energy import Energy
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import Share
from gough.kernels.answering import answered, bare_model
from gough.kernels.evaluator import (
    Engine,
    at_once,
)
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

InertiaBy = Literal["closed form", "columns"]
INERTIA = {"closed form": "inertia_matrix", "columns": "inertia_matrix_by_columns"}
"""Quantities by the way in which an inertia matrix is found."""


def inverse_geometry(
    robot: Robot,
    T_0p: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor positions of a platform pose, in home's working mode.

    For another working mode take ``robot.rehomed(...)``: the same machine with its home there.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Positions in the order of ``robot.motors`` [rad or m], ``(..., n)``; angles
        are counted from home, whole turns included.

    Raises:
        UnreachablePose: a leg cannot reach the pose.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p)
    return answered(assembly, "inverse_geometry", state, engine, threads, out, on_error)[0]


def inverse_velocity(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor rates of a platform twist.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Rates in the order of ``robot.motors`` [rad/s or m/s], ``(..., n)``.

    Equations:
        [BK] (31), [KI] (79).
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p, V_0p=V_0p)
    return answered(assembly, "inverse_velocity", state, engine, threads, out, on_error)[0]


def inverse_acceleration(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor accelerations of a platform motion.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Accelerations in the order of ``robot.motors`` [rad/s^2 or m/s^2], ``(..., n)``.

    Equations:
        [KI] (27).
    """
    assembly = assembled(robot)
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    return answered(assembly, "inverse_acceleration", state, engine, threads, out, on_error)[0]


def inverse_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    share: Share | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts that produce a motion of the platform.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        method: ``"legs"`` [BK][KI], ``"elements"`` [OZ], ``"screws"`` [GA] or ``"tree"`` [KI]
            section 2.1; they agree to rounding.
        loads: :class:`gough.Loads`: forces on bodies, a payload, whether friction and rotors count.
        share: how more motors than freedoms share the work; the smallest efforts if not given.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        WrongMotors: fewer motors than freedoms, or more without ``redundant`` or ``share``.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.
        EffortsInfeasible: no efforts within the bounds of ``share`` produce the motion.
    """
    assembly = assembled(robot)
    bare = bare_model(method, loads, engine, on_error)
    if bare is not None and share is None and out is None:
        arrays = ((T_0p, (4, 4)), (V_0p, (6,)), (Vdot_0p, (6,)))
        found = at_once(assembly, ("inverse_dynamics", *bare), arrays)
        if found is not None:
            return found
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    more: dict[str, Any] = {"method": method, "loads": loads, "share": share}
    return answered(assembly, "inverse_dynamics", state, engine, threads, out, on_error, **more)[0]


def direct_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Twist rate of the platform under motor efforts; holds on a Type 2 singularity.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        tau: motor efforts ``(..., n)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        ``Vdot_0p (..., 6)``, base axes [m/s^2, rad/s^2], all six components:
        ``Psi Vdot_r + Psidot V_r``.
    """
    assembly, motors = assembled(robot), (len(robot.motors),)
    bare = bare_model(method, loads, engine, on_error)
    if bare is not None and out is None:
        arrays = ((T_0p, (4, 4)), (V_0p, (6,)), (tau, motors))
        found = at_once(assembly, ("direct_dynamics", *bare), arrays)
        if found is not None:
            return found
    state = state_arguments(T_0p=T_0p, V_0p=V_0p) | {"tau": (as_array(tau, motors, "tau"), 1)}
    more: dict[str, Any] = {"method": method, "loads": loads}
    return answered(assembly, "direct_dynamics", state, engine, threads, out, on_error, **more)[0]


def inertia_matrix(
    robot: Robot,
    T_0p: Any,
    *,
    by: InertiaBy = "closed form",
    loads: Loads | None = None,
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
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Inertia matrices ``(..., n, n)`` [kg, kg m, kg m^2], in the order of ``robot.freedoms``.

    Equations:
        [BK] (19), (21); by columns, after [BK] (22).
    """
    one_of(by, "by", tuple(INERTIA))
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p)
    options = (engine, threads, out, on_error)
    return answered(assembly, INERTIA[by], state, *options, loads=loads)[0]


def bias_wrench(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    loads: Loads | None = None,
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
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
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
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p, V_0p=V_0p)
    options = (engine, threads, out, on_error)
    return answered(assembly, "bias_wrench", state, *options, loads=loads)[0]


def gravity_wrench(
    robot: Robot,
    T_0p: Any,
    *,
    loads: Loads | None = None,
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
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Generalised forces ``(..., n)`` [N or N m], in the order of ``robot.freedoms``.
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p)
    options = (engine, threads, out, on_error)
    return answered(assembly, "gravity_wrench", state, *options, loads=loads)[0]


def energy(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    loads: Loads | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Energy:
    """Kinetic and potential energy of the machine.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        loads: :class:`gough.Loads`, of which the payload and the rotors have energy.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        An :class:`Energy` [J], ``(...,)`` each; ``out`` takes the kinetic one.
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p, V_0p=V_0p)
    out = out[..., None] if isinstance(out, np.ndarray) else out
    options = (engine, threads, out, on_error)
    kinetic, potential = answered(assembly, "energy", state, *options, loads=loads)
    return Energy(kinetic[..., 0], potential[..., 0])
