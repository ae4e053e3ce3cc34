"""Jacobians of the robot and of its legs, in both directions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError, as_array, map_states, state_arguments
from gough.base.spatial import Array
from gough.errors import InputError
from gough.kinematics.inverse import regular
from gough.kinematics.regularity import check_motors_hold
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot


class LegJacobians(NamedTuple):
    """Jacobians of one leg, rows in axes of its last link.

    Attributes:
        leg: its name.
        J_i: ``V_i = J_i qd_i``, transmitted velocities per joint rate.  [BK] (4), [KI] (77).
        J_vi: ``V_i = J_vi V_0p``.  [BK] (5), [KI] (76).
        K_i: ``qd_i = K_i V_0p``, for a square regular J_i equal to ``J_i^-1 J_vi``.  [BK] (8).
    """

    leg: str
    J_i: np.ndarray
    J_vi: np.ndarray
    K_i: np.ndarray


def freedom_map(robot: Robot, T_0p: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``Psi`` with ``V_0p = Psi V_r``, ``(..., 6, n)``; V_r are the components ``robot.freedoms``.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (1), [KI] (9).
    """
    assembly = assembled(robot)

    def one(T: np.ndarray) -> Array:
        return regular(assembly, T, turns=False).Psi

    return _over_poses(one, T_0p, (6, assembly.mobility), on_error)


def inverse_jacobian(robot: Robot, T_0p: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``J_inv`` with ``qd_a = J_inv V_r``, ``(..., motors, n)``; V_r in base axes.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (31)-(32), [KI] (78)-(80).
    """
    assembly = assembled(robot)

    def one(T: np.ndarray) -> Array:
        return regular(assembly, T, turns=False).J_inv

    return _over_poses(one, T_0p, (len(robot.motors), assembly.mobility), on_error)


def jacobian(robot: Robot, T_0p: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``J_p`` with ``V_0p = J_p qd_a``, ``(..., 6, motors)``.

    The twist is that of the platform origin, base axes.  With more motors than freedoms it is the
    pseudo-inverse in natural units.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Raises:
        SingularPose: of Type 2, or too few motors: with the motors locked the platform can move.

    Equations:
        [BK] (7), [KI] (8), (72).
    """
    assembly = assembled(robot)

    def one(T: np.ndarray) -> Array:
        solution = regular(assembly, T, turns=False)
        J_inv = np.asarray(solution.J_inv)
        return solution.Psi @ invert_motors(assembly, J_inv, solution.Psi)

    return _over_poses(one, T_0p, (6, len(robot.motors)), on_error)


def invert_motors(assembly: Assembly, J_inv: np.ndarray, Psi: np.ndarray) -> np.ndarray:
    """``J_r`` with ``V_r = J_r qd_a``, or the error that says which motion is left free."""
    check_motors_hold(assembly, J_inv, Psi)
    motors, freedoms = assembly.scales.motors, assembly.scales.freedoms
    inverse = np.linalg.pinv(J_inv / motors[:, None] * freedoms)
    return np.asarray(inverse * freedoms[:, None] / motors)


def leg_jacobians(robot: Robot, T_0p: Any) -> tuple[LegJacobians, ...]:
    """Jacobians of every leg at one pose.

    Rows beyond the leg's joints are constraints on the platform.  With an articulated nacelle J_vi
    includes the rates of the nacelle's own joints that follow from the platform twist.

    Args:
        robot: the machine.
        T_0p: one platform pose ``(4, 4)``.

    Equations:
        [BK] (4)-(8), [KI] (73)-(78).
    """
    assembly = assembled(robot)
    T = as_array(T_0p, (4, 4), "T_0p", keep_single=True)
    if T.shape != (4, 4):
        raise InputError(f"T_0p has shape {T.shape}: leg_jacobians takes one pose, (4, 4)")
    solution = regular(assembly, T, turns=False)
    rates = [solution.rates(column) for column in np.eye(6)]
    z = np.stack(
        [np.concatenate([V, r.hub]) for V, r in zip(np.eye(6), rates, strict=True)], axis=1
    )
    return tuple(
        LegJacobians(
            leg.name,
            np.asarray(block.E),
            np.asarray(block.F @ z),
            np.stack([r.legs[i] for r in rates], axis=1) if leg.tree.rates else np.zeros((0, 6)),
        )
        for i, (leg, block) in enumerate(zip(assembly.topology.legs, solution.blocks, strict=True))
    )


def _over_poses(function: Any, T_0p: Any, shape: tuple[int, ...], on_error: OnError) -> np.ndarray:
    return map_states(function, state_arguments(T_0p=T_0p), (shape,), on_error)[0]
