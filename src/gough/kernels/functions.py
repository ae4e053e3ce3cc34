"""The public functions of states: one table of quantities, one evaluator, one docstring each."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError, as_array, state_arguments
from gough.dynamics.answers.energy import Energy
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import Share
from gough.kernels.answering import answered, bare_model
from gough.kernels.evaluator import (
    Engine,
    at_once,
)
from gough.kernels.serial import with_serial
from gough.kinematics.frames import Axes, in_base, rate_in
from gough.kinematics.serial_axes import SerialAxes
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot


def inverse_geometry(
    robot: Robot,
    T_0p: Any,
    *,
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor positions of a platform pose, in home's working mode.

    For another working mode take ``robot.rehomed(...)``: the same machine with its home there.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Positions in the order of ``robot.motors`` [rad or m], ``(..., n)``; angles
        are counted from home, whole turns included.

    Raises:
        UnreachablePose: a leg cannot reach the pose.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    assembly, given = assembled(robot), state_arguments(T_0p=T_0p)
    quantity, state = with_serial(assembly, "inverse_geometry", given, serial)
    return answered(assembly, quantity, state, engine, threads, out, on_error)[0]


def inverse_velocity(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    frame: Axes = "base",
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor rates of a platform twist.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        frame: axes of the twist, ``"base"`` or ``"platform"``.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Rates in the order of ``robot.motors`` [rad/s or m/s], ``(..., n)``.

    Equations:
        [BK] (31), [KI] (79).
    """
    assembly, state = assembled(robot), in_base(frame, state_arguments(T_0p=T_0p, V_0p=V_0p))
    quantity, state = with_serial(assembly, "inverse_velocity", state, serial)
    return answered(assembly, quantity, state, engine, threads, out, on_error)[0]


def inverse_acceleration(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    frame: Axes = "base",
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor accelerations of a platform motion.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        frame: axes of twist and twist rate, ``"base"`` or ``"platform"``; the rate is that of the
            components in these axes.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Accelerations in the order of ``robot.motors`` [rad/s^2 or m/s^2], ``(..., n)``.

    Equations:
        [KI] (27).
    """
    assembly = assembled(robot)
    state = in_base(frame, state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p))
    quantity, state = with_serial(assembly, "inverse_acceleration", state, serial)
    return answered(assembly, quantity, state, engine, threads, out, on_error)[0]


def inverse_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    share: Share | None = None,
    frame: Axes = "base",
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts that produce a motion of the platform.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        Vdot_0p: its plain time derivative ``(..., 6)`` [m/s^2, rad/s^2].
        method: ``"legs"`` [BK][KI], ``"elements"`` [OZ], ``"screws"`` [GA] or ``"tree"`` [KI]
            section 2.1; they agree to rounding.
        loads: :class:`gough.Loads`: forces on bodies, a payload, whether friction and rotors count.
        share: how more motors than freedoms share the work; the smallest efforts if not given.
        frame: axes of twist and twist rate, ``"base"`` or ``"platform"``; the rate is that of the
            components in these axes.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.

    Raises:
        WrongMotors: fewer motors than freedoms, or more without ``redundant`` or ``share``.
        SingularPose: of Type 1 or Type 2.
        InconsistentTwist: the motion is outside the mobility.
        EffortsInfeasible: no efforts within the bounds of ``share`` produce the motion.
    """
    assembly = assembled(robot)
    bare = bare_model(method, loads, engine, on_error, frame)
    if bare is not None and share is None and out is None and serial is None:
        arrays = ((T_0p, (4, 4)), (V_0p, (6,)), (Vdot_0p, (6,)))
        found = at_once(assembly, ("inverse_dynamics", *bare), arrays)
        if found is not None:
            return found
    state = in_base(frame, state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p))
    more: dict[str, Any] = {"method": method, "loads": loads, "share": share}
    quantity, state = with_serial(assembly, "inverse_dynamics", state, serial)
    return answered(assembly, quantity, state, engine, threads, out, on_error, **more)[0]


def direct_dynamics(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    frame: Axes = "base",
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Twist rate of the platform under motor efforts; holds on a Type 2 singularity.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        tau: motor efforts ``(..., n)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        frame: axes of twist and twist rate, ``"base"`` or ``"platform"``; the rate is that of the
            components in these axes.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        ``Vdot_0p (..., 6)`` [m/s^2, rad/s^2], all six components, ``Psi Vdot_r + Psidot V_r``; in
        the axes of ``frame``.  With ``serial`` the accelerations of the serial axes follow,
        ``(..., 6 + e)`` [rad/s^2 or m/s^2].
    """
    assembly, motors = assembled(robot), (len(robot.motors),)
    bare = bare_model(method, loads, engine, on_error, frame)
    if bare is not None and out is None and serial is None:
        arrays = ((T_0p, (4, 4)), (V_0p, (6,)), (tau, motors))
        found = at_once(assembly, ("direct_dynamics", *bare), arrays)
        if found is not None:
            return found
    given = state_arguments(T_0p=T_0p, V_0p=V_0p) | {"tau": (as_array(tau, motors, "tau"), 1)}
    state = in_base(frame, given)
    more: dict[str, Any] = {"method": method, "loads": loads}
    options = (engine, threads, out, on_error)
    quantity, state = with_serial(assembly, "direct_dynamics", state, serial)
    found = answered(assembly, quantity, state, *options, **more)[0]
    if serial is None:
        return rate_in(frame, state, found)
    found[..., :6] = rate_in(frame, state, found[..., :6])
    return found


def joint_accelerations(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    tau: Any,
    *,
    method: str = "legs",
    loads: Loads | None = None,
    frame: Axes = "base",
    serial: SerialAxes | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Accelerations of the motors' axes under motor efforts; holds on a Type 2 singularity.

    Those of all joints are in ``gough.posture(robot, T_0p, V_0p, Vdot_0p)``, where ``Vdot_0p`` is
    that of :func:`gough.direct_dynamics`.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]`` ``(..., 6)`` [m/s, rad/s].
        tau: motor efforts ``(..., motors)`` [N or N m].
        method: ``"legs"``, ``"elements"``, ``"screws"`` or ``"tree"``.
        loads: :class:`gough.Loads`, as in :func:`inverse_dynamics`.
        frame: axes of the twist, ``"base"`` or ``"platform"``.
        serial: :class:`gough.SerialAxes`: how motors below and above the loops move, of machines
            that have some (``robot.serial_axes``).
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        Accelerations ``qdd_a (..., motors)`` in the order of ``robot.motors`` [rad/s^2 or m/s^2].

    Equations:
        [BK] (17)-(20), and (4)-(5) differentiated.
    """
    assembly, motors = assembled(robot), (len(robot.motors),)
    given = state_arguments(T_0p=T_0p, V_0p=V_0p) | {"tau": (as_array(tau, motors, "tau"), 1)}
    state = in_base(frame, given)
    more: dict[str, Any] = {"method": method, "loads": loads}
    options = (engine, threads, out, on_error)
    quantity, state = with_serial(assembly, "joint_accelerations", state, serial)
    return answered(assembly, quantity, state, *options, **more)[0]


def energy(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    *,
    loads: Loads | None = None,
    engine: Engine = "auto",
    threads: int | None = None,
    out: np.ndarray | None = None,
    on_error: OnError = "raise",
) -> Energy:
    """Kinetic and potential energy of the machine.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist ``[v; omega]``, base axes ``(..., 6)`` [m/s, rad/s].
        loads: :class:`gough.Loads`, of which the payload and the rotors have energy.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        out: array that the answer is written into.
        on_error: ``"raise"``, or ``"nan"`` in the states that are refused.

    Returns:
        An :class:`Energy` [J], ``(...,)`` each; ``out`` takes the kinetic one.
    """
    assembly, state = assembled(robot), state_arguments(T_0p=T_0p, V_0p=V_0p)
    out = out[..., None] if isinstance(out, np.ndarray) else out
    options = (engine, threads, out, on_error)
    kinetic, potential = answered(assembly, "energy", state, *options, loads=loads)
    return Energy(kinetic[..., 0], potential[..., 0])
