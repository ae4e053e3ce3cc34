"""The linear implicit model of [OZ] as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import OnError, state_arguments
from gough.base.result import Result
from gough.dynamics.shared.loads import Loads
from gough.kernels.answering import answered
from gough.kernels.evaluator import Engine
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot


@dataclass(frozen=True, eq=False)
class ImplicitModel(Result):
    """The model ``A tau + b = 0`` of a motion, in the robot's own freedoms.

    Attributes:
        freedoms: names of the rows, ``robot.freedoms``.
        motors: names of the columns of A, ``robot.motors``.
        A: what unit efforts do on the freedoms ``(..., n, motors)`` [1, m, 1/m].
        b: what inertia, gravity, friction, springs and loads do on them ``(..., n)`` [N or N m].
    """

    freedoms: tuple[str, ...]
    motors: tuple[str, ...]
    A: np.ndarray
    b: np.ndarray


def implicit_model(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    loads: Loads | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    on_error: OnError = "raise",
) -> ImplicitModel:
    """``A`` and ``b`` of a motion, with ``A tau + b = 0``, by kinematic elements.

    The model is linear in the efforts, and A is not inverted: it holds on a Type 2 singularity, and
    for any number of motors.  ``A`` is ``J_inv^T``, and ``b`` is ``-w_r`` of
    :func:`gough.cartesian_dynamics`, found from directions and lengths of the elements.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        An :class:`gough.ImplicitModel`.

    Raises:
        SingularPose: of Type 1.
        InconsistentTwist: the motion is outside the mobility.

    Equations:
        [OZ] (56)-(58), (64).
    """
    assembly = assembled_by_pose(robot)
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    more: dict[str, Any] = {"method": "elements", "loads": loads}
    options = (engine, threads, None, on_error)
    A, b = answered(assembly, "implicit_model", state, *options, **more)
    return ImplicitModel(assembly.freedoms, tuple(robot.motors), A, b)
