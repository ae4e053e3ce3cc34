"""Motion of the platform from its motors: the state near a known pose, and how it moves."""

from __future__ import annotations

import numpy as np

from gough.base.batch import (
    check_finite,
    check_pose,
)
from gough.base.linalg import least_squares
from gough.base.spatial import Array
from gough.errors import UnreachablePose
from gough.geometry.direct import lead, off_by
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold, check_regular
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


def led_motion(
    assembly: Assembly,
    known: AssembledState | None,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    T: np.ndarray,
) -> tuple[np.ndarray | float, ...]:
    """Pose, twist, twist rate and what motors are off by, the motors led from a pose to theirs.

    Args:
        assembly: the robot.
        known: the machine where they are led from, if its joints are known.
        q: motor positions ``(n,)``.
        qd: their rates.
        qdd: their accelerations.
        T: the pose from which they are led.
    """
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
