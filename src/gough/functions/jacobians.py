"""Jacobians of platform and legs, and efforts that cancel in them: public functions of states."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, all_finite
from gough.base.english import counted
from gough.dynamics.shared.sharing import null_space
from gough.errors import InputError
from gough.evaluation.call import evaluate
from gough.kinematics.frames import check_freedoms_turn
from gough.kinematics.jacobians import LegJacobians, named_jacobians
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.states.axes import columns_in, rows_in
from gough.states.state import as_state


def freedom_map(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``Psi`` with ``V_0p = Psi V_r``, ``(..., 6, n)``; V_r are the components ``robot.freedoms``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (1), [KI] (9).
    """
    x = as_state(state, robot)
    Psi = evaluate(robot, "jacobians", x, None, on_error)[1]
    # of six freedoms V_r turns along
    turned = x.frame == "platform" and assembled(robot).mobility < 6
    return rows_in(x.T_0p, Psi) if turned else Psi


def inverse_jacobian(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``J_inv`` with ``qd_a = J_inv V_r``, ``(..., motors, n)``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.

    Equations:
        [BK] (31)-(32), [KI] (78)-(80).
    """
    x = as_state(state, robot)
    assembled_by_pose(robot)
    turned = check_freedoms_turn(robot, x, "J_inv")
    J_inv = evaluate(robot, "jacobians", x, None, on_error)[0]
    return columns_in(x.T_0p, J_inv) if turned else J_inv


def jacobian(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``J_p`` with ``V_0p = J_p qd_a``, ``(..., 6, motors)``.

    The twist is that of the platform origin.  With more motors than freedoms it is the
    pseudo-inverse in natural units.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Raises:
        SingularPose: of Type 2, or too few motors: with the motors locked the platform can move.

    Equations:
        [BK] (7), [KI] (8), (72).
    """
    x = as_state(state, robot)
    assembled_by_pose(robot)
    J_p = evaluate(robot, "jacobian", x, None, on_error)[0]
    return rows_in(x.T_0p, J_p) if x.frame == "platform" else J_p


def leg_jacobians(
    robot: Robot, state: Any, *, on_error: OnError = "raise"
) -> tuple[LegJacobians, ...]:
    """Jacobians of every leg.

    Rows of J_i beyond the leg's joints are constraints on the platform.  With an articulated
    nacelle J_vi includes the rates of the nacelle's own joints that follow from the freedoms V_r of
    the platform twist, and the path of J_ci leads on over these joints.  Of a leg that branches
    J_ci has the shortest path.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (4)-(8), [KI] (73)-(78).
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    found = named_jacobians(assembly, evaluate(robot, "leg_jacobians", x, None, on_error)[0])
    if x.frame != "platform":
        return found
    T, turns = x.T_0p, assembly.mobility == 6  # of fewer freedoms V_r has base axes
    return tuple(
        leg._replace(
            J_vi=columns_in(T, leg.J_vi),
            K_i=columns_in(T, leg.K_i),
            J_ci=rows_in(T, leg.J_ci),
            L_ci=columns_in(T, leg.L_ci) if turns else leg.L_ci,
        )
        for leg in found
    )


def internal_efforts(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """Basis of the efforts of redundant motors that cancel, ``(..., motors, motors - n)``.

    Any multiple may be added without changing the motion.  A column whose entries have the signs
    of a preload shows that the preload can be held.

    Args:
        robot: the machine, with more motors than freedoms.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Orthonormal columns; rows in the order of ``robot.motors`` [N or N m].
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    spare = len(robot.motors) - assembly.mobility
    if spare < 1:
        raise InputError(
            f"{robot.name}: {counted(len(robot.motors), 'motor')} for "
            f"{counted(assembly.mobility, 'freedom')}: no efforts cancel",
            argument="robot",
        )
    J_inv = evaluate(robot, "internal_efforts", x, None, on_error)[0]
    found = np.full((*J_inv.shape[:-2], len(robot.motors), spare), np.nan)
    good = all_finite(J_inv, J_inv.ndim - 2)
    found[good] = null_space(np.swapaxes(J_inv[good], -1, -2))
    return found
