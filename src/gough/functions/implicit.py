"""The linear implicit model of [OZ] as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import OnError
from gough.base.result import Result
from gough.dynamics.shared.loads import Loads
from gough.evaluation.call import evaluate
from gough.kinematics.frames import freedoms_turn
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.states.axes import rows_in
from gough.states.state import as_state


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
    state: Any,
    *,
    loads: Loads | None = None,
    on_error: OnError = "raise",
) -> ImplicitModel:
    """``A`` and ``b`` of a motion, with ``A tau + b = 0``, by kinematic elements.

    The model is linear in the efforts, and A is not inverted: it holds on a Type 2 singularity, and
    for any number of motors.  ``A`` is ``J_inv^T``, and ``b`` is ``-w_r`` of
    :func:`gough.cartesian_dynamics`, found from directions and lengths of the elements.

    Args:
        robot: the machine.
        state: a :class:`gough.State`: pose, twist and twist rate of the platform; a bare
            pose rests.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        An :class:`gough.ImplicitModel`.

    Raises:
        SingularPose: of Type 1.
        InconsistentTwist: the motion is outside the mobility.

    Equations:
        [OZ] (56)-(58), (64).
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    A, b = evaluate(robot, "implicit_model", x, None, on_error, method="elements", loads=loads)
    if freedoms_turn(robot, x):
        A, b = rows_in(x.T_0p, A), rows_in(x.T_0p, b[..., None])[..., 0]  # [BK] (33)
    return ImplicitModel(assembly.freedoms, tuple(robot.motors), A, b)
