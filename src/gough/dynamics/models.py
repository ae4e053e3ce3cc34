"""Inverse and direct dynamics and the terms of the Cartesian model: checked and batched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough import words
from gough.batch import OnError, as_array, check_finite, over
from gough.dynamics import legs
from gough.dynamics.frozen import check_frozen
from gough.dynamics.load_arguments import LoadArguments
from gough.dynamics.methods import find_method
from gough.dynamics.sharing import Share, Sharing
from gough.errors import WrongMotors
from gough.geometry.turns import springs_count
from gough.kinematics.consistency import check_twist
from gough.kinematics.inverse import moving, regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mobility.assembly import Assembly, assembled
from gough.mobility.holding import check_motors_hold
from gough.robot import Robot


def inverse_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    share: Share | None = None,
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
        external: loads that act on bodies, ``{body: (point, f, n)}``: point in the body's frame
            [m], force [N] and moment [N m] in base axes, each ``(..., 3)``; a list of such tuples
            for several loads on one body.
        payload: a body fixed to the platform: :class:`gough.Payload`, ``(mass, center, inertia)``
            or a mass alone [kg].
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia, reflected through transmissions.
        smoothing: if positive, Coulomb friction is ``coulomb rate / sqrt(rate^2 + smoothing^2)``
            instead of ``coulomb sign(rate)`` [rad/s or m/s].
        share: how more motors than freedoms share the work; the smallest efforts if not given.
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        WrongMotors: fewer motors than freedoms, or more without ``redundant`` or ``share``.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.
        EffortsInfeasible: no efforts within the bounds of ``share`` produce the motion.
    """
    assembly, theory = assembled(robot), find_method(method)
    check_frozen(assembly, friction=friction)
    check_motors(assembly, share)
    sharing = None if share is None else Sharing(assembly, share)
    loading = LoadArguments(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    arguments = motion_arguments(T_0p, V_0p, Vdot_0p) | loading.arguments

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray, *rest: np.ndarray) -> np.ndarray:
        loads = loading.at(rest)
        kin = moving(assembly, T, V, Vdot, turns=springs_count(assembly))
        check_motors_hold(assembly, np.asarray(kin.J_inv), kin.solution.Psi)
        return np.asarray(theory.efforts(kin, loads, share=sharing))

    return over(one, settled(assembly, arguments), ((len(robot.motors),),), on_error)


def direct_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    on_error: OnError = "raise",
) -> Any:
    """Twist rate of the platform under motor efforts; holds on a Type-2 singularity.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``(..., 6)``.
        tau: motor efforts ``(..., n)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        external: loads that act on bodies; see :func:`inverse_dynamics`.
        payload: a body fixed to the platform.
        friction: viscous and Coulomb friction of all axes.
        rotors: rotor inertia, reflected through transmissions.
        smoothing: speed that smooths Coulomb friction [rad/s or m/s].
        on_error: ``"raise"``, ``"nan"`` or ``"mask"``.

    Returns:
        ``Vdot_0p (..., 6)``, all six components: ``Psi Vdot_r + Psidot V_r``.
    """
    assembly, theory = assembled(robot), find_method(method)
    loading = LoadArguments(
        assembly, external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    given = {"tau": (as_array(tau, (len(robot.motors),), "tau"), 1)}
    arguments = state_arguments(T_0p, V_0p) | given | loading.arguments

    def one(T: np.ndarray, V: np.ndarray, tau: np.ndarray, *rest: np.ndarray) -> np.ndarray:
        check_finite(V, "V_0p")
        check_finite(tau, "tau")
        loads = loading.at(rest)
        solution = regular(assembly, T, turns=springs_count(assembly))
        check_twist(assembly, solution, V)
        return np.asarray(theory.twist_rate(Kinematics(assembly, solution, V), tau, loads))

    return over(one, settled(assembly, arguments), ((6,),), on_error)


def inertia_matrix(
    robot: Robot,
    T_0p: Any,
    *,
    payload: Any = None,
    rotors: bool = True,
    on_error: OnError = "raise",
) -> Any:
    """``M_rob`` in the robot's freedoms: ``J_inv^T tau = M_rob Vdot_r + c_rob``, ``(..., n, n)``.

    Equations:
        [BK] (19), (21).
    """
    assembly = assembled(robot)
    loading = LoadArguments(assembly, payload=payload, rotors=rotors)

    def one(T: np.ndarray, *rest: np.ndarray) -> Any:
        kin = Kinematics(assembly, regular(assembly, T, turns=False))
        return legs.inertia_matrix(kin, loading.at(rest))

    arguments = pose_arguments(T_0p) | loading.arguments
    return over(one, settled(assembly, arguments), ((assembly.mobility,) * 2,), on_error)


def bias_wrench(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    external: Any = None,
    payload: Any = None,
    friction: bool = True,
    rotors: bool = True,
    smoothing: float = 0.0,
    on_error: OnError = "raise",
) -> Any:
    """``c_rob``: what all but acceleration takes, in the robot's freedoms, ``(..., n)``.

    Velocities, gravity, friction, springs, and loads with the opposite sign.

    Equations:
        [BK] (22).
    """
    loading = LoadArguments(
        assembled(robot), external, payload, friction=friction, rotors=rotors, smoothing=smoothing
    )
    return _bias(robot, T_0p, V_0p, loading, on_error)


def gravity_wrench(
    robot: Robot, T_0p: Any, *, payload: Any = None, on_error: OnError = "raise"
) -> Any:
    """What gravity takes in the robot's freedoms ``(..., n)``: the gradient of its potential."""
    loading = LoadArguments(assembled(robot), payload=payload)
    return _bias(robot, T_0p, np.zeros(6), loading, on_error, springs=False)


def _bias(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    loading: LoadArguments,
    on_error: OnError,
    *,
    springs: bool = True,
) -> Any:
    assembly = assembled(robot)

    def one(T: np.ndarray, V: np.ndarray, *rest: np.ndarray) -> Any:
        check_finite(V, "V_0p")
        loads = replace(loading.at(rest).during(V, assembly.length), springs=springs)
        solution = regular(assembly, T, turns=springs_count(assembly))
        check_twist(assembly, solution, V)
        return legs.bias_wrench(Kinematics(assembly, solution, V), loads)

    arguments = state_arguments(T_0p, V_0p) | loading.arguments
    return over(one, settled(assembly, arguments), ((assembly.mobility,),), on_error)


def check_motors(assembly: Assembly, share: Share | None = None) -> None:
    """Refuse fewer motors than freedoms, and more unless that is said to be meant."""
    robot, n = assembly.robot, assembly.mobility
    motors = len(robot.motors)
    told = f"{words.counted(motors, 'motor')} for {words.counted(n, 'freedom')}"
    if motors > n and assembly.idle_motors:
        idle = ", ".join(assembly.idle_motors)
        raise WrongMotors(
            f"{robot.name}: {told}, but {idle} move what the platform does not feel",
            hint="They are not redundant: leave them out, or name another platform.",
            motors=motors,
            mobility=n,
        )
    if motors == n or (motors > n and (robot.redundant or share is not None)):
        return
    which = "fewer" if motors < n else "more"
    hint = (
        "Add motors, or use gough.direct_dynamics, which works with any number."
        if motors < n
        else "If that is meant, say redundant: true in the description, or give "
        "share=gough.Share() for the smallest efforts."
    )
    if not n:
        hint = "The platform cannot move: gough.doctor(robot) says what holds it."
    raise WrongMotors(
        f"{robot.name}: {told}: {which} than the mobility",
        hint=hint,
        motors=motors,
        mobility=n,
    )


def pose_arguments(T_0p: Any) -> dict[str, tuple[np.ndarray, int]]:
    """A pose as an argument of a batch."""
    return {"T_0p": (as_array(T_0p, (4, 4), "T_0p", keep_single=True), 2)}


def state_arguments(T_0p: Any, V_0p: Any) -> dict[str, tuple[np.ndarray, int]]:
    """Pose and twist as arguments of a batch."""
    return pose_arguments(T_0p) | {"V_0p": (as_array(V_0p, (6,), "V_0p", keep_single=True), 1)}


def motion_arguments(T_0p: Any, V_0p: Any, Vdot_0p: Any) -> dict[str, tuple[np.ndarray, int]]:
    """Pose, twist and twist rate as arguments of a batch."""
    given = {"Vdot_0p": (as_array(Vdot_0p, (6,), "Vdot_0p", keep_single=True), 1)}
    return state_arguments(T_0p, V_0p) | given
