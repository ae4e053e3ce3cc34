"""Jacobians of the robot and of its legs, in both directions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.base.batch import OnError, map_states
from gough.base.spatial import Array
from gough.kinematics.frames import check_freedoms_turn
from gough.kinematics.inverse import regular
from gough.kinematics.path_motors import motor_rows
from gough.kinematics.paths import path_axes, path_jacobian, path_through
from gough.kinematics.regularity import check_motors_hold
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.axes import columns_in, rows_in
from gough.states.state import State, as_state, one_pose


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


def freedom_map(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """``Psi`` with ``V_0p = Psi V_r``, ``(..., 6, n)``; V_r are the components ``robot.freedoms``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Equations:
        [BK] (1), [KI] (9).
    """
    assembly, x = assembled(robot), as_state(state, robot)
    turned = x.frame == "platform" and assembly.mobility < 6  # of six V_r turns along

    def one(T: np.ndarray) -> Array:
        Psi = regular(assembly, T, turns=False).Psi
        return rows_in(T, np.asarray(Psi)) if turned else Psi

    return _over_poses(one, x, (6, assembly.mobility), on_error)


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
    assembly, x = assembled_by_pose(robot), as_state(state, robot)
    turned = check_freedoms_turn(assembly, x, "J_inv")

    def one(T: np.ndarray) -> Array:
        J_inv = regular(assembly, T, turns=False).J_inv
        return columns_in(T, np.asarray(J_inv)) if turned else J_inv

    return _over_poses(one, x, (len(robot.motors), assembly.mobility), on_error)


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
    assembly, x = assembled_by_pose(robot), as_state(state, robot)

    def one(T: np.ndarray) -> Array:
        solution = regular(assembly, T, turns=False)
        J_inv = np.asarray(solution.J_inv)
        J_p = np.asarray(solution.Psi @ invert_motors(assembly, J_inv, solution.Psi))
        return rows_in(T, J_p) if x.frame == "platform" else J_p

    return _over_poses(one, x, (6, len(robot.motors)), on_error)


def invert_motors(assembly: Assembly, J_inv: np.ndarray, Psi: np.ndarray) -> np.ndarray:
    """``J_r`` with ``V_r = J_r qd_a``, or the error that says which motion is left free."""
    check_motors_hold(assembly, J_inv, Psi)
    motors, freedoms = assembly.scales.motors, assembly.scales.freedoms
    inverse = np.linalg.pinv(J_inv / motors[:, None] * freedoms)
    return np.asarray(inverse * freedoms[:, None] / motors)


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


def _over_poses(
    function: Any, state: State, shape: tuple[int, ...], on_error: OnError
) -> np.ndarray:
    return map_states(function, state.arguments("T_0p"), (shape,), on_error)[0]
