"""Models between the platform and the motors: the Cartesian model, joint accelerations.  [BK]"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, as_array, state_arguments
from gough.dynamics.shared.loads import Loads
from gough.kernels.answering import answered
from gough.kernels.evaluator import Engine
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


def cartesian_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
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
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``; they agree to rounding.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
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
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    more: dict[str, Any] = {"method": method, "loads": loads}
    options = (engine, threads, out, on_error)
    return answered(assembly, "cartesian_dynamics", state, *options, **more)[0]


def joint_accelerations(
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
    """Accelerations of the motors' axes under motor efforts; holds on a Type 2 singularity.

    Those of all joints are in ``gough.posture(robot, T_0p, V_0p, Vdot_0p)``, where ``Vdot_0p`` is
    that of :func:`gough.direct_dynamics`.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        tau: motor efforts ``(..., motors)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Accelerations ``qdd_a (..., motors)`` in the order of ``robot.motors`` [rad/s^2 or m/s^2].

    Equations:
        [BK] (17)-(20), and (4)-(5) differentiated.
    """
    assembly, motors = assembled(robot), (len(robot.motors),)
    state = state_arguments(T_0p=T_0p, V_0p=V_0p) | {"tau": (as_array(tau, motors, "tau"), 1)}
    more: dict[str, Any] = {"method": method, "loads": loads}
    options = (engine, threads, out, on_error)
    return answered(assembly, "joint_accelerations", state, *options, **more)[0]
