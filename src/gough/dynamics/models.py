"""Inverse and direct dynamics and the terms of the Cartesian model: checked and batched."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.batch import OnError, as_array, check_finite, over
from gough.dynamics import legs
from gough.dynamics.methods import find_method
from gough.errors import WrongMotors
from gough.kinematics.consistency import check_twist
from gough.kinematics.inverse import regular
from gough.kinematics.jacobians import invert_motors
from gough.kinematics.motion import kinematics
from gough.mobility.assembly import Assembly, assembled
from gough.robot import Robot


def inverse_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    friction: bool = True,
    rotors: bool = True,
    on_error: OnError = "raise",
) -> Any:
    """Motor efforts that produce a motion of the platform.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        method: ``"legs"`` [BK][KI], ``"elements"`` [OZ], ``"screws"`` [GA] or ``"tree"`` [KI]
            section 2.1; they agree to rounding.
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia, reflected through transmissions.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        WrongMotors: fewer or more motors than freedoms.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.
    """
    assembly, theory = assembled(robot), find_method(method)
    _check_motors(assembly)
    gravity = assembly.gravity
    arguments = _state(T_0p, V_0p) | {"Vdot_0p": (as_array(Vdot_0p, (6,), "Vdot_0p"), 1)}

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray) -> np.ndarray:
        check_finite(V, "V_0p")
        check_finite(Vdot, "Vdot_0p")
        solution = regular(assembly, T)
        check_twist(assembly, solution, V)
        kin = kinematics(assembly, solution, V, Vdot)
        check_twist(assembly, solution, Vdot, biases=kin.biases, what="twist rate")
        invert_motors(assembly, np.asarray(assembly.inverse_jacobian(solution)))
        found = theory.efforts(
            assembly, solution, V, Vdot, gravity, friction=friction, rotors=rotors
        )
        return np.asarray(found)

    return over(one, arguments, ((len(robot.motors),),), on_error)


def direct_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    friction: bool = True,
    rotors: bool = True,
    on_error: OnError = "raise",
) -> Any:
    """Twist rate of the platform under motor efforts; holds on a Type-2 singularity.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        tau: motor efforts ``(..., n)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia, reflected through transmissions.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        ``Vdot_0p (..., 6)``, all six components: ``Psi Vdot_r + Psidot V_r``.
    """
    assembly, theory = assembled(robot), find_method(method)
    gravity = assembly.gravity
    arguments = _state(T_0p, V_0p) | {"tau": (as_array(tau, (len(robot.motors),), "tau"), 1)}

    def one(T: np.ndarray, V: np.ndarray, tau: np.ndarray) -> np.ndarray:
        check_finite(V, "V_0p")
        check_finite(tau, "tau")
        solution = regular(assembly, T)
        check_twist(assembly, solution, V)
        found = theory.twist_rate(
            assembly, solution, V, tau, gravity, friction=friction, rotors=rotors
        )
        return np.asarray(found)

    return over(one, arguments, ((6,),), on_error)


def inertia_matrix(
    robot: Robot, T_0p: Any, *, rotors: bool = True, on_error: OnError = "raise"
) -> Any:
    """``M_rob`` in the robot's freedoms: ``J_inv^T tau = M_rob Vdot_r + c_rob``, ``(..., n, n)``.

    Equations:
        [BK] (19), (21).
    """
    assembly = assembled(robot)

    def one(T: np.ndarray) -> Any:
        return legs.inertia_matrix(assembly, regular(assembly, T), rotors=rotors)

    return over(one, _pose(T_0p), ((assembly.mobility,) * 2,), on_error)


def bias_wrench(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    friction: bool = True,
    rotors: bool = True,
    on_error: OnError = "raise",
) -> Any:
    """``c_rob``: what velocities, gravity and friction take, in the robot's freedoms, ``(..., n)``.

    Equations:
        [BK] (22).
    """
    assembly = assembled(robot)
    gravity = assembly.gravity

    def one(T: np.ndarray, V: np.ndarray) -> Any:
        check_finite(V, "V_0p")
        solution = regular(assembly, T)
        check_twist(assembly, solution, V)
        return legs.bias_wrench(assembly, solution, V, gravity, friction=friction, rotors=rotors)

    return over(one, _state(T_0p, V_0p), ((assembly.mobility,),), on_error)


def gravity_wrench(robot: Robot, T_0p: Any, *, on_error: OnError = "raise") -> Any:
    """What gravity takes in the robot's freedoms ``(..., n)``: the gradient of the potential."""
    return bias_wrench(robot, T_0p, np.zeros(6), on_error=on_error)


def _check_motors(assembly: Assembly) -> None:
    motors, n = len(assembly.robot.motors), assembly.mobility
    if motors != n:
        which = "fewer" if motors < n else "more"
        hint = (
            "Add motors, or use gough.direct_dynamics, which works with any number."
            if motors < n
            else "Efforts of redundant motors are not unique; drive as many axes as freedoms."
        )
        raise WrongMotors(
            f"{assembly.robot.name}: {motors} motors for {n} freedoms: {which} than the mobility",
            hint=hint,
            motors=motors,
            mobility=n,
        )


def _pose(T_0p: Any) -> dict[str, tuple[np.ndarray, int]]:
    return {"T_0p": (as_array(T_0p, (4, 4), "T_0p"), 2)}


def _state(T_0p: Any, V_0p: Any) -> dict[str, tuple[np.ndarray, int]]:
    return _pose(T_0p) | {"V_0p": (as_array(V_0p, (6,), "V_0p"), 1)}
