"""The pose that belongs to motor positions, near a known one, in bounded time: for control loops.

Nothing is raised about a state: each has a status.  A pose is given only where it is known to be
the right one, that is where

- motors and loops meet their positions to the tolerance,
- no Type 2 singularity lies between it and the start: a determinant has kept its sign,
- steps have shrunk by four from the first one on: then (Kantorovich) the solution is the one that
  is connected with the start, and not one of the other assembly modes,
- the kernel has no doubt about it; or the steps of :mod:`gough.geometry.direct`, which have the
  last word on all others, find it so: of many states at once, of a few by NumPy one by one.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gough.base.arguments import number, whole
from gough.base.batch import are_poses, as_array, leading_axes
from gough.base.once import known_of
from gough.base.options import Engine, chosen
from gough.compiler.machine_code.kernel import cores
from gough.errors import GoughError, InputError, reasons, shown
from gough.evaluation.engine import BATCH
from gough.evaluation.evaluator import usual
from gough.evaluation.loops.closing import Closer
from gough.geometry.direct import near as led_near
from gough.geometry.near import near_pose
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.kinematics.poses import Poses, PoseStatus
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.modes.driven import check_motors
from gough.modes.nearby import settle_nearby
from gough.modes.stepper import FARTHEST, Stepper, within_half_a_turn
from gough.robot import Robot

MOST_ITERATIONS = 50
BLOCK = 1024
"""States that one thread takes at a time: little enough to stay at hand."""
_STEPPERS = 8  # sizes of batches whose arrays one thread keeps


def pose_from_motors(
    robot: Robot,
    q_a: Any,
    near: Any = None,
    *,
    iterations: int = 6,
    tolerance: float = 1e-12,
) -> Poses:
    """Platform poses of motor positions, near known ones, by a bounded number of Newton's steps.

    Args:
        robot: the machine, with as many motors as freedoms, or more.
        q_a: motor positions ``(..., n)`` [rad or m], up to 1e9; whole turns do not matter.
        near: poses nearby ``(..., 4, 4)``, on home's branch, or the answer of the control cycle
            before; home if not given.  For another branch take ``robot.rehomed(mode)``.
        iterations: most steps of Newton's.
        tolerance: what motors and loops may be off by, radians and shares of the robot's length.

    The engines of :class:`gough.options`: with ``"auto"`` and ``"compiled"`` a kernel steps.  What
    it is not sure of is stepped once more, with all joints as unknowns: many states together, in a
    tenth of a millisecond each, or a few one by one, in milliseconds.  A robot without a kernel is
    left to NumPy by the first and refused by the second.

    Returns:
        Poses, and a status for each.  Nothing is raised about a state.

    Raises:
        InputError: shapes that do not fit, or an option that is none.

    Equations:
        [BK] section 5.3: ``T <- T exp(J (q_a - q(T)))``, with ``J`` of [BK] (7).
    """
    _check_options(iterations, tolerance)
    options = chosen()
    return find_poses(robot, q_a, near, iterations, tolerance, options.engine, options.threads)


def find_poses(
    robot: Robot,
    q_a: Any,
    near: Any,
    iterations: int = 6,
    tolerance: float = 1e-12,
    engine: Engine = "compiled",
    threads: int | None = None,
    *,
    doubts: bool = True,
) -> Poses:
    """As :func:`pose_from_motors`; without ``doubts`` no state is looked at a second time."""
    assembly = assembled(robot)
    check_motors(assembly)
    q = as_array(q_a, (len(robot.motors),), "q_a")
    T = as_array(assembly.T_home if near is None else near_pose(near), (4, 4), "near")
    kernels = _is_traced(assembly, engine)
    if kernels and q.ndim == 1 and T.ndim == 2:
        stepper = _stepper(assembly, 1, iterations)
        found = stepper.at_once(within_half_a_turn(assembly, q), T, tolerance)
        if found is not None:
            return found
    lead = leading_axes({"q_a": (q, 1), "near": (T, 2)})
    flat_q = np.broadcast_to(q, (*lead, q.shape[-1])).reshape(-1, q.shape[-1])
    flat_T = np.broadcast_to(T, (*lead, 4, 4)).reshape(-1, 4, 4)
    poses = Poses.unknown(len(flat_q))
    if kernels:
        _by_kernel(assembly, flat_q, flat_T, iterations, tolerance, threads, poses)
    bad = np.flatnonzero(~poses.converged)
    sound = (np.abs(flat_q[bad]) <= FARTHEST).all(axis=1) & are_poses(flat_T[bad])
    poses.status[bad[~sound]] = PoseStatus.BAD_INPUT
    left = bad[sound] if doubts or not kernels else bad[:0]
    if kernels and len(left) >= BATCH:
        closer, decided = Closer(assembly, threads), np.zeros(len(left), dtype=bool)
        for part in (slice(k, k + BLOCK) for k in range(0, len(left), BLOCK)):
            own = left[part]
            found, decided[part] = settle_nearby(closer, flat_q[own], flat_T[own], tolerance)
            poses.put(own, found)
        left = left[~decided]
    for i in left:
        poses.put(i, _by_numpy(assembly, flat_q[i], flat_T[i], tolerance))
    return poses.reshape(*lead)


def _check_options(iterations: Any, tolerance: Any) -> None:
    if whole(iterations, "iterations", least=1) > MOST_ITERATIONS:
        raise InputError(
            f"iterations is {shown(iterations)}, expected a whole number from 1 to "
            f"{MOST_ITERATIONS}",
            argument="iterations",
        )
    number(tolerance, "tolerance", positive=True)


def _is_traced(assembly: Assembly, engine: Engine) -> bool:
    """Whether kernels may be asked, and the robot has one."""
    # asked again and again, the answer is kept: looking for the kernel takes as long as a step
    return _is_traced_at_all(assembly) if engine == "auto" else _has_kernel(assembly, engine)


def _has_kernel(assembly: Assembly, engine: Engine) -> bool:
    return usual(assembly, "forward_kinematics_step").kernel(engine) is not None


@known_of(Assembly)
def _is_traced_at_all(assembly: Assembly) -> bool:
    return _has_kernel(assembly, "auto")


@known_of(Assembly)
def _steppers(assembly: Assembly) -> threading.local:
    return threading.local()


def _by_kernel(
    assembly: Assembly,
    q: np.ndarray,
    start: np.ndarray,
    iterations: int,
    tolerance: float,
    threads: int | None,
    poses: Poses,
) -> None:
    """All states by the kernel, block by block."""

    def block(begin: int) -> None:
        part = slice(begin, min(begin + BLOCK, len(q)))
        with np.errstate(all="ignore"):
            stepper = _stepper(assembly, part.stop - begin, iterations)
            wound = within_half_a_turn(assembly, q[part])
            poses.put(part, stepper.run(wound, start[part], tolerance))

    begins = range(0, len(q), BLOCK)
    workers = min(cores() if threads is None else threads, len(begins))
    if workers <= 1:
        for begin in begins:
            block(begin)
        return
    _stepper(assembly, BLOCK, iterations)  # compiled once, before threads ask for it
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(block, begins):
            pass


def _stepper(assembly: Assembly, count: int, iterations: int) -> Stepper:
    """Arrays for so many states, kept for the next calls of this thread: making them takes long."""
    kept: dict[str, Stepper] = vars(_steppers(assembly))
    key = f"{count} {iterations}"
    found = kept.get(key)
    if found is None:
        usual_count = count in (1, BLOCK)
        if not usual_count and len(kept) >= _STEPPERS:
            del kept[next(each for each in kept if each.split()[0] not in ("1", f"{BLOCK}"))]
        found = kept[key] = Stepper(assembly, count, iterations)
    return found


def _by_numpy(assembly: Assembly, q: np.ndarray, start: np.ndarray, tolerance: float) -> Poses:
    """One state that no program is sure of, with joints found and pivots chosen for it."""
    T, error = np.full((4, 4), np.nan), np.nan
    try:
        with np.errstate(all="ignore"), reasons(False):  # nothing is raised: nobody reads why
            here = AssembledState(start, configuration_at(assembly, start, turns=False))
            there, same, error = led_near(assembly, q, here)
    except GoughError:
        status = PoseStatus.OUT_OF_REACH
    except (np.linalg.LinAlgError, OverflowError):
        status = PoseStatus.NOT_CONVERGED
    else:
        if there is None:
            status = PoseStatus.NOT_CONVERGED if same else PoseStatus.SINGULAR
        elif not error <= tolerance:
            status = PoseStatus.NOT_CONVERGED
        else:
            status, T = (PoseStatus.CONVERGED, there.T_0p) if same else (PoseStatus.IN_DOUBT, T)
    return Poses(T, np.array(status), np.array(-1), np.array(error))
