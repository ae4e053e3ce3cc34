"""The whole state from the motors, near a known one, and inverse dynamics from encoders."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gough.base.batch import OnError, as_array, check_on_error, leading_axes, map_states
from gough.base.options import chosen
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.errors import GoughError, InputError, SingularPose
from gough.evaluation.engine import BATCH
from gough.evaluation.evaluator import usual
from gough.functions.dynamics import inverse_dynamics
from gough.geometry.near import near_pose, near_state
from gough.geometry.newton import AssembledState
from gough.geometry.turns import ONE_WAY
from gough.kinematics.from_motors import led_motion
from gough.kinematics.poses import Poses, PoseStatus
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.modes.follow import find_poses
from gough.modes.stepper import home_and_turn
from gough.robot import Robot

_PARTS = (1, 4, 16, 64)
"""Parts that the ways of the motors are led in, as far as fewer did not lead there.

Four mostly do within reach; 64 are some of the strides by which NumPy nears a singularity.  In each
part a motor that may go round turns by less than ``ONE_WAY``.
"""


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

    lead = leading_axes(arguments)
    error, status = np.full(lead, np.nan), np.full(lead, PoseStatus.CONVERGED, dtype=np.int8)
    steps, found = np.full(lead, -1, dtype=np.int16), None
    around = None if chosen().engine == "numpy" else _around(assembly, known, prod(lead))
    if around is not None:
        found = _by_programs(around, arguments)

    def one(*arrays: np.ndarray) -> tuple[np.ndarray | float, ...]:
        return led_motion(assembly, known, *arrays)

    def failed(index: tuple[int, ...], err: GoughError) -> None:
        status[index] = _status(err)

    shapes = ((4, 4), (6,), (6,), ())
    settled = None if found is None else found.converged
    T_0p, V_0p, Vdot_0p, error = map_states(one, arguments, shapes, on_error, failed, known=settled)
    if found is not None:
        for array, part in ((T_0p, found.T_0p), (V_0p, found.V_0p), (Vdot_0p, found.Vdot_0p)):
            array[settled] = part[settled]
        error[settled], steps[settled] = found.error[settled], found.iterations[settled]
    return Poses(T_0p, status, steps, error, V_0p, Vdot_0p)


def _around(assembly: Assembly, known: AssembledState | None, count: int) -> Assembly | None:
    """The machine at home where it is led from: programs know no branch but home's.

    ``None`` if it has no home there, or no program that finds its pose, or if none pays yet.
    """
    if known is not None and count < BATCH:  # moving home there takes longer than NumPy's way
        return None
    try:
        found = assembly if known is None else assembled(assembly.robot.rehomed(known))
    except GoughError:  # on a singularity, or of another machine: NumPy says what it is
        return None
    if not found.mobility or not found.is_square:
        return None
    step = usual(found, "forward_kinematics_step")
    # NumPy takes longer for eight states than compiling does
    pays = step.runner(count) is not None
    return found if pays and step.kernel() is not None else None


def _by_programs(assembly: Assembly, arguments: dict[str, tuple[np.ndarray, int]]) -> Poses:
    """All states by the steps of a controller; converged are those that nothing is doubtful of."""
    lead = leading_axes(arguments)
    q, qd, qdd, near = (
        np.broadcast_to(a, lead + a.shape[a.ndim - core :]) for a, core in arguments.values()
    )
    robot, turning = assembly.robot, home_and_turn(assembly)[1] > 0.0
    poses = Poses.unknown(prod(lead)).reshape(*lead)
    with np.errstate(all="ignore"):
        start = usual(assembly, "inverse_kinematics")({"T_0p": (near, 2)}, on_error="nan").values[0]
        turn = np.abs(q - start)[..., turning].max(axis=-1, initial=0.0)
        for parts in _PARTS:
            left = ~poses.converged & (turn < parts * ONE_WAY)
            if left.any():
                poses.put(left, _led_in_parts(robot, start[left], q[left], near[left], parts))
    good = poses.converged
    given = {"T_0p": (poses.T_0p[good], 2), "qd": (qd[good], 1), "qdd": (qdd[good], 1)}
    moved = usual(assembly, "motion_of_motors")(given, on_error="nan")
    V, Vdot = np.full((*lead, 6), np.nan), np.full((*lead, 6), np.nan)
    V[good], Vdot[good] = moved.values[:2]
    good[good] = ~moved.failed
    status = np.where(good, PoseStatus.CONVERGED, PoseStatus.IN_DOUBT).astype(np.int8)
    return Poses(poses.T_0p, status, poses.iterations, poses.error, V, Vdot)


def _led_in_parts(
    robot: Robot, start: np.ndarray, q: np.ndarray, near: np.ndarray, parts: int
) -> Poses:
    """Poses of motors ``(K, n)`` that are led straight from a start in equal parts."""
    goal = start + (q - start) / parts if parts > 1 else q
    poses = find_poses(robot, goal, near, doubts=False)
    for k in range(2, parts + 1):
        on = np.flatnonzero(poses.converged)  # the others have lost their way
        there = start[on] + (q[on] - start[on]) * (k / parts)
        poses.put(on, find_poses(robot, there, poses.T_0p[on], doubts=False))
    return poses


def _status(err: GoughError) -> PoseStatus:
    """What an error says of a state, for those who want no errors."""
    if isinstance(err, SingularPose):
        return PoseStatus.SINGULAR
    return PoseStatus.BAD_INPUT if isinstance(err, InputError) else PoseStatus.OUT_OF_REACH


def inverse_dynamics_from_motors(
    robot: Robot,
    q_a: Any,
    qd_a: Any,
    qdd_a: Any,
    *,
    near: Any = None,
    method: str = "legs",
    loads: Loads | None = None,
    share: EffortSharing | None = None,
    on_error: OnError = "raise",
) -> np.ndarray:
    """Motor efforts from encoders: positions, rates and accelerations of the motors.

    The path of [OZ] Table 3 that sees the motors only: the platform is found first, near ``near``
    (:func:`gough.state_from_motors`), then the efforts.

    Args:
        robot: the machine.
        q_a: motor positions ``(..., n)`` [rad or m].
        qd_a: motor rates ``(..., n)``.
        qdd_a: motor accelerations ``(..., n)``.
        near: a pose near which the platform is, or a mode of ``forward_kinematics``; home if not
            given.
        method: theory of the dynamics, as in :func:`inverse_dynamics`.
        loads: :class:`gough.Loads`; this and the rest as in :func:`gough.inverse_dynamics`.
        share: how more motors than freedoms share the work.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        Efforts in the order of ``robot.motors`` [N or N m], ``(..., n)``.
    """
    check_on_error(on_error)
    if near_state(near) is not None:  # a mode: the same machine at home there
        robot, near = robot.rehomed(near), None
    # a state that was not found is NaN, and fails below
    kept: OnError = "raise" if on_error == "raise" else "nan"
    state = state_from_motors(robot, q_a, qd_a, qdd_a, near=near, on_error=kept)
    options: dict[str, Any] = {"method": method, "loads": loads, "share": share}
    return inverse_dynamics(robot, state, on_error=on_error, **options)
