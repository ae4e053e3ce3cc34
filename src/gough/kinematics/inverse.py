"""Motor rates and accelerations from the motion of the platform."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.batch import OnError, as_array, check_finite, over
from gough.closure.solution import Solution
from gough.geometry.inverse import posed
from gough.kinematics.consistency import check_twist
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_regular
from gough.kinematics.single import settled
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.spatial import Array


def inverse_velocity(robot: Robot, T_0p: Any, V_0p: Any, *, on_error: OnError = "raise") -> Any:
    """Motor rates of a platform twist.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)``.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        Rates in the order of ``robot.motors`` [rad/s or m/s], ``(..., n)``.

    Equations:
        [BK] (31), [KI] (79).
    """
    arguments = {
        "T_0p": (as_array(T_0p, (4, 4), "T_0p", keep_single=True), 2),
        "V_0p": (as_array(V_0p, (6,), "V_0p", keep_single=True), 1),
    }

    def one(T: np.ndarray, V: np.ndarray) -> Array:
        return moving(assembled(robot), T, V, None, turns=False).motor_rates()

    return over(one, settled(assembled(robot), arguments), ((len(robot.motors),),), on_error)


def inverse_acceleration(
    robot: Robot, T_0p: Any, V_0p: Any, Vdot_0p: Any, *, on_error: OnError = "raise"
) -> Any:
    """Motor accelerations of a platform motion.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        Accelerations in the order of ``robot.motors`` [rad/s^2 or m/s^2], ``(..., n)``.

    Equations:
        [KI] (27).
    """
    arguments = {
        "T_0p": (as_array(T_0p, (4, 4), "T_0p", keep_single=True), 2),
        "V_0p": (as_array(V_0p, (6,), "V_0p", keep_single=True), 1),
        "Vdot_0p": (as_array(Vdot_0p, (6,), "Vdot_0p", keep_single=True), 1),
    }

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray) -> Array:
        return moving(assembled(robot), T, V, Vdot, turns=False).motor_accelerations()

    return over(one, settled(assembled(robot), arguments), ((len(robot.motors),),), on_error)


def regular(assembly: Assembly, T_0p: np.ndarray, *, turns: bool = True) -> Solution:
    """Closure equations of a pose, factored, and fit for velocities."""
    solution = assembly.solution(posed(assembly, T_0p, turns=turns))
    check_regular(assembly, solution)
    return solution


def moving(
    assembly: Assembly,
    T_0p: np.ndarray,
    V: np.ndarray,
    Vdot: np.ndarray | None,
    *,
    turns: bool = True,
) -> Kinematics:
    """The machine in motion, its twist and twist rate checked against the mobility.

    Args:
        assembly: the robot.
        T_0p: platform pose.
        V: platform twist.
        Vdot: its rate, if it matters.
        turns: whether it matters how often motors and sprung axes have gone round.
    """
    check_finite(V, "V_0p")
    solution = regular(assembly, T_0p, turns=turns)
    check_twist(assembly, solution, V)
    if Vdot is None:
        return Kinematics(assembly, solution, V, np.zeros(6))
    check_finite(Vdot, "Vdot_0p")
    found = Kinematics(assembly, solution, V, Vdot)
    check_twist(assembly, solution, Vdot, biases=found.biases, twist=V, what="twist rate")
    return found
