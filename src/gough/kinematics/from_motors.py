"""Motion of the platform from its motors: the state near a known pose, and how it moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import (
    OnError,
    as_array,
    check_finite,
    check_pose,
    leading_axes,
    map_states,
)
from gough.base.linalg import least_squares
from gough.base.spatial import Array
from gough.errors import GoughError, InputError, SingularPose, UnreachablePose
from gough.geometry.direct import lead, off_by
from gough.geometry.near import near_pose, near_state
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.kinematics.motion import Kinematics
from gough.kinematics.poses import Poses, PoseStatus
from gough.kinematics.regularity import check_motors_hold, check_regular
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot


def state_from_motors(
    robot: Robot,
    q_a: Any,
    qd_a: Any = None,
    qdd_a: Any = None,
    *,
    near: Any = None,
    on_error: OnError = "raise",
) -> Poses:
    """Pose, twist and twist rate of the platform from its motors, near a known pose.

    The motors are led from there to their positions in as many steps as the way needs; for a
    bounded time :func:`gough.pose_from_motors`, for a whole motion :func:`gough.track`.

    Args:
        robot: the machine, with as many motors as freedoms.
        q_a: motor positions ``(..., n)`` [rad or m].
        qd_a: motor rates ``(..., n)``; zero if not given.
        qdd_a: motor accelerations ``(..., n)``; zero if not given.
        near: a pose ``(..., 4, 4)`` or a mode of ``forward_kinematics``, from which the motors are
            led to their positions; home if not given.  It picks the assembly mode.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Poses, twists and twist rates, in base axes; a :class:`gough.State` with
        a status for each.

    Raises:
        UnreachablePose: the motors cannot be led there: a loop opens, or modes meet on the way.
        SingularPose: the verdict of :func:`gough.singularities` there: of Type 2, where the motors
            do not fix the platform; of Type 1 or a constraint, where rates do not follow.

    Equations:
        [BK] (6)-(7), [KI] (8), (72).
    """
    assembly = assembled_by_pose(robot)
    n = len(robot.motors)
    arguments = {
        name: (np.zeros(n) if a is None else as_array(a, (n,), name), 1)
        for name, a in (("qd_a", qd_a), ("qdd_a", qdd_a))
    }
    arguments = {"q_a": (as_array(q_a, (n,), "q_a"), 1)} | arguments
    known = near_state(near)
    start = assembly.T_home if near is None else near_pose(near if known is None else known)
    arguments["near"] = (as_array(start, (4, 4), "near"), 2)

    def one(
        q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, T: np.ndarray
    ) -> tuple[np.ndarray | float, ...]:
        for name, a in (("q_a", q), ("qd_a", qd), ("qdd_a", qdd)):
            check_finite(a, name)
        check_pose(T, "near")
        start = known or AssembledState(T, configuration_at(assembly, T))
        if not assembly.motors_control_platform:
            _solve_held(assembly, start)  # singular everywhere: it need not be led anywhere
        try:
            here = lead(assembly, q, start)
        except UnreachablePose as err:
            _solve_held(assembly, err.data["reached"])  # where it stands may be singular itself
            raise
        return (here.T_0p, *moved_by_motors(assembly, here, qd, qdd), off_by(assembly, here, q))

    def failed(index: tuple[int, ...], err: GoughError) -> None:
        status[index] = _status(err)

    status = np.full(leading_axes(arguments), PoseStatus.CONVERGED, dtype=np.int8)
    shapes = ((4, 4), (6,), (6,), ())
    T_0p, V_0p, Vdot_0p, error = map_states(one, arguments, shapes, on_error, failed)
    steps = np.full(status.shape, -1, dtype=np.int16)
    return Poses(T_0p, status, steps, error, V_0p, Vdot_0p)


def _status(err: GoughError) -> PoseStatus:
    """What an error says of a state, for those who want no errors."""
    if isinstance(err, SingularPose):
        return PoseStatus.SINGULAR
    return PoseStatus.BAD_INPUT if isinstance(err, InputError) else PoseStatus.OUT_OF_REACH


def moved_by_motors(
    assembly: Assembly, here: AssembledState, qd: np.ndarray, qdd: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Twist and twist rate of the platform from rates and accelerations of the motors."""
    kin = driven(Kinematics(assembly, _solve_held(assembly, here)), qd, qdd)
    return np.asarray(kin.V, dtype=float), np.asarray(kin.Vdot, dtype=float)


def _solve_held(assembly: Assembly, here: AssembledState) -> Solution:
    """The closure equations of a state, factored; refused where it is singular, of any kind.

    Type 1 and constraints first: there the motors' rates by those of the freedoms are infinite, and
    say nothing about how well the motors hold the platform.
    """
    solution = assembly.solution(assembly.equations(*here))
    check_regular(assembly, solution)
    check_motors_hold(assembly, solution.J_inv, solution.Psi)
    return solution


def driven(still: Kinematics, qd: Array, qdd: Array) -> Kinematics:
    """The machine in the motion that its motors make; numbers and symbols alike.

    Equations:
        [BK] (6)-(7): ``V_r = J qd_a``, and ``Vdot_r`` from ``qdd_a`` less what it is at
        ``Vdot_r = 0``.
    """
    scales = still.assembly.scales
    scaled = scales.jacobian(still.J_inv)

    def freedoms(motors: Array) -> Array:
        return least_squares(scaled, motors / scales.motors) * scales.freedoms

    kin = still.moving_by(freedoms(qd))
    return kin.accelerated(freedoms(qdd - kin.motor_accelerations()))
