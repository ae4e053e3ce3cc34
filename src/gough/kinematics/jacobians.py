"""Jacobians of the legs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.kinematics.inverse import regular
from gough.kinematics.path_motors import motor_rows
from gough.kinematics.paths import path_axes, path_jacobian, path_through
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.states.axes import columns_in, rows_in
from gough.states.state import as_state, one_pose


class LegJacobians(NamedTuple):
    """Jacobians of one leg.

    Rows of J_i and J_vi are in axes of the leg's last link.  ``qd_i`` are the rates of the leg's
    joints without those at the platform; ``qd_ci`` are the rates of all joints along a serial path
    from the base through the leg to the platform.

    Attributes:
        leg: its name.
        J_i: ``V_i = J_i qd_i``, transmitted velocities per joint rate.  [BK] (4), [KI] (77).
        J_vi: ``V_i = J_vi V_0p``.  [BK] (5), [KI] (76).
        K_i: ``qd_i = K_i V_0p``, for a square regular J_i equal to ``J_i^-1 J_vi``.  [BK] (8).
        path: names of the axes along the path, in order.
        J_ci: ``V_0p = J_ci qd_ci``, ``(6, k)``: one column for an axis of the path that turns or
            slides, two for a plane, three for a ball, whose angular velocity has child axes, as
            ``joint_rates`` of :class:`gough.Posture` have it.  [KI] (73).
        motors: names of the leg's motors.
        L_ci: ``qd_ai = L_ci V_r``, ``(motors, n)``: rows of ``J_inv``.  [KI] (74)-(75).
    """

    leg: str
    J_i: np.ndarray
    J_vi: np.ndarray
    K_i: np.ndarray
    path: tuple[str, ...]
    J_ci: np.ndarray
    motors: tuple[str, ...]
    L_ci: np.ndarray


def leg_jacobians(robot: Robot, state: Any) -> tuple[LegJacobians, ...]:
    """Jacobians of every leg at one pose.

    Rows of J_i beyond the leg's joints are constraints on the platform.  With an articulated
    nacelle J_vi includes the rates of the nacelle's own joints that follow from the platform twist,
    and the path of J_ci leads on over these joints.  Of a leg that branches J_ci has the shortest
    path.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.

    Equations:
        [BK] (4)-(8), [KI] (73)-(78).
    """
    assembly, x = assembled_by_pose(robot), as_state(state, robot)
    T, turned = one_pose(x, robot), x.frame == "platform"
    solution = regular(assembly, T, turns=False)
    rates = [solution.rates(column) for column in np.eye(6)]
    z = np.stack(
        [np.concatenate([V, r.hub]) for V, r in zip(np.eye(6), rates, strict=True)], axis=1
    )
    found = []
    for i, (leg, block) in enumerate(zip(assembly.topology.legs, solution.blocks, strict=True)):
        J_vi = np.asarray(block.F @ z)
        K_i = np.stack([r.legs[i] for r in rates], axis=1) if leg.tree.rates else np.zeros((0, 6))
        path = path_through(assembly, leg)
        J_ci = path_jacobian(solution.equations, path)
        motors, L_ci = motor_rows(assembly, solution, i)
        if turned:
            J_vi, K_i, J_ci = columns_in(T, J_vi), columns_in(T, K_i), rows_in(T, J_ci)
            L_ci = columns_in(T, L_ci) if assembly.mobility == 6 else L_ci
        own = (np.asarray(block.E), J_vi, K_i)
        found.append(LegJacobians(leg.name, *own, path_axes(path), J_ci, motors, L_ci))
    return tuple(found)
