"""Jacobians of the robot and of its legs, in both directions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError, as_array, map_states, state_arguments
from gough.base.spatial import Array
from gough.errors import InputError
from gough.kinematics.frames import (
    Axes,
    check_freedoms_turn,
    columns_in,
    on_platform,
    rows_in,
)
from gough.kinematics.inverse import regular
from gough.kinematics.path_motors import motor_rows
from gough.kinematics.paths import path_axes, path_jacobian, path_through
from gough.kinematics.regularity import check_motors_hold
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot


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


def freedom_map(
    robot: Robot, T_0p: Any, *, frame: Axes = "base", on_error: OnError = "raise"
) -> np.ndarray:
    """``Psi`` with ``V_0p = Psi V_r``, ``(..., 6, n)``; V_r are the components ``robot.freedoms``.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        frame: axes of the twist, ``"base"`` or ``"platform"``.  Of six freedoms V_r is the twist,
            in the same axes; of fewer it is in base axes in both cases.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (1), [KI] (9).
    """
    assembly = assembled(robot)
    turned = on_platform(frame) and assembly.mobility < 6  # of six V_r turns along

    def one(T: np.ndarray) -> Array:
        Psi = regular(assembly, T, turns=False).Psi
        return rows_in(T, np.asarray(Psi)) if turned else Psi

    return _over_poses(one, T_0p, (6, assembly.mobility), on_error)


def inverse_jacobian(
    robot: Robot, T_0p: Any, *, frame: Axes = "base", on_error: OnError = "raise"
) -> np.ndarray:
    """``J_inv`` with ``qd_a = J_inv V_r``, ``(..., motors, n)``.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        frame: axes of V_r, ``"base"``, or ``"platform"`` for robots of six freedoms.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Raises:
        InputError: platform axes are asked for, and the robot has fewer than six freedoms.

    Equations:
        [BK] (31)-(32), [KI] (78)-(80).
    """
    assembly = assembled_by_pose(robot)
    turned = check_freedoms_turn(assembly, frame, "J_inv")

    def one(T: np.ndarray) -> Array:
        J_inv = regular(assembly, T, turns=False).J_inv
        return columns_in(T, np.asarray(J_inv)) if turned else J_inv

    return _over_poses(one, T_0p, (len(robot.motors), assembly.mobility), on_error)


def jacobian(
    robot: Robot, T_0p: Any, *, frame: Axes = "base", on_error: OnError = "raise"
) -> np.ndarray:
    """``J_p`` with ``V_0p = J_p qd_a``, ``(..., 6, motors)``.

    The twist is that of the platform origin.  With more motors than freedoms it is the
    pseudo-inverse in natural units.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        frame: axes of the twist, ``"base"`` or ``"platform"``.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Raises:
        SingularPose: of Type 2, or too few motors: with the motors locked the platform can move.

    Equations:
        [BK] (7), [KI] (8), (72).
    """
    assembly, turned = assembled_by_pose(robot), on_platform(frame)

    def one(T: np.ndarray) -> Array:
        solution = regular(assembly, T, turns=False)
        J_inv = np.asarray(solution.J_inv)
        J_p = np.asarray(solution.Psi @ invert_motors(assembly, J_inv, solution.Psi))
        return rows_in(T, J_p) if turned else J_p

    return _over_poses(one, T_0p, (6, len(robot.motors)), on_error)


def invert_motors(assembly: Assembly, J_inv: np.ndarray, Psi: np.ndarray) -> np.ndarray:
    """``J_r`` with ``V_r = J_r qd_a``, or the error that says which motion is left free."""
    check_motors_hold(assembly, J_inv, Psi)
    motors, freedoms = assembly.scales.motors, assembly.scales.freedoms
    inverse = np.linalg.pinv(J_inv / motors[:, None] * freedoms)
    return np.asarray(inverse * freedoms[:, None] / motors)


def leg_jacobians(robot: Robot, T_0p: Any, *, frame: Axes = "base") -> tuple[LegJacobians, ...]:
    """Jacobians of every leg at one pose.

    Rows of J_i beyond the leg's joints are constraints on the platform.  With an articulated
    nacelle J_vi includes the rates of the nacelle's own joints that follow from the platform twist,
    and the path of J_ci leads on over these joints.  Of a leg that branches J_ci has the shortest
    path.

    Args:
        robot: the machine.
        T_0p: one platform pose ``(4, 4)``.
        frame: axes of the platform twist, ``"base"`` or ``"platform"``: of columns of J_vi and K_i,
            of rows of J_ci, and of V_r in L_ci if the robot has six freedoms.

    Equations:
        [BK] (4)-(8), [KI] (73)-(78).
    """
    assembly, turned = assembled_by_pose(robot), on_platform(frame)
    T = as_array(T_0p, (4, 4), "T_0p", keep_single=True)
    if T.shape != (4, 4):
        raise InputError(f"T_0p has shape {T.shape}: leg_jacobians takes one pose, (4, 4)")
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


def _over_poses(function: Any, T_0p: Any, shape: tuple[int, ...], on_error: OnError) -> np.ndarray:
    return map_states(function, state_arguments(T_0p=T_0p), (shape,), on_error)[0]
