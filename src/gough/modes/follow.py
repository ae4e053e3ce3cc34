"""The pose that belongs to motor positions, near a known one, in bounded time: for control loops.

Nothing is raised about a state: each has a status.  A pose is given only where it is known to be
the right one, that is where

- motors and loops meet their positions to the tolerance,
- no Type-2 singularity lies between it and the guess: a determinant has kept its sign,
- steps have shrunk by four from the first one on: then (Kantorovich) the solution is the one that
  is connected with the guess, and not one of the other assembly modes,
- the kernel has no doubt about it.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from gough.arguments import number, whole
from gough.batch import as_array, check_pose, leading_axes
from gough.errors import GoughError, InputError, TraceError, shown
from gough.geometry.branch import as_branch
from gough.geometry.direct import near, off_by
from gough.geometry.newton import State
from gough.geometry.walk import configuration_at
from gough.kernels.engine import Engine, check_engine
from gough.kernels.kernel import check_threads, cores
from gough.mobility.assembly import Assembly, assembled
from gough.mobility.newton import shrinks
from gough.modes.driven import check_motors
from gough.modes.poses import Poses, Status
from gough.modes.stepper import FARTHEST, LARGEST, Stepper, Steps, within_half_a_turn
from gough.robot import Robot

MOST_ITERATIONS = 50
BLOCK = 1024
"""States that one thread takes at a time: little enough to stay at hand."""

_STEEP = 1e6  # the platform moves so much further than the motors only next to Type 2


def pose_from_motors(
    robot: Robot,
    q_a: Any,
    guess: Any,
    *,
    branch: State | None = None,
    iterations: int = 6,
    tolerance: float = 1e-12,
    engine: Engine = "auto",
    threads: int | None = None,
) -> Poses:
    """Platform poses of motor positions, near known ones, by a bounded number of Newton's steps.

    Args:
        robot: the machine, with as many motors as freedoms, or more.
        q_a: motor positions ``(..., n)`` [rad or m], up to 1e9; whole turns do not matter.
        guess: poses nearby ``(..., 4, 4)``: those of the control cycle before, say.
        branch: an assembled state whose branch is meant instead of home's.  Kernels only know
            home's: NumPy answers, and takes milliseconds.
        iterations: most steps of Newton's.
        tolerance: what motors and loops may be off by, radians and shares of the robot's length.
        engine: ``"compiled"``; ``"numpy"``; or ``"auto"``: compiled, and NumPy once more for states
            that the kernel is not sure of, which takes milliseconds for each of them.
        threads: most threads for a large batch; all cores if not given.

    Returns:
        Poses, and a status for each.  Nothing is raised about a state.

    Raises:
        InputError: shapes that do not fit, or an option that is none.

    Equations:
        [BK] section 5.3: ``T <- T exp(J (q_a - q(T)))``, with ``J`` of [BK] (7).
    """
    assembly = assembled(robot)
    check_motors(assembly)
    check_engine(engine)
    branch = as_branch(assembly, branch)
    _check_options(iterations, tolerance, branch, engine)
    check_threads(threads)
    q = as_array(q_a, (len(robot.motors),), "q_a")
    T = as_array(guess, (4, 4), "guess")
    kernels = branch is None and engine != "numpy"
    if kernels and q.ndim == 1 and T.ndim == 2:
        found = _at_once(assembly, q, T, iterations, tolerance)
        if found is not None:
            return found
    lead = leading_axes({"q_a": (q, 1), "guess": (T, 2)})
    flat_q = np.broadcast_to(q, (*lead, q.shape[-1])).reshape(-1, q.shape[-1])
    flat_T = np.broadcast_to(T, (*lead, 4, 4)).reshape(-1, 4, 4)
    found = None
    if kernels:
        try:
            found = _by_kernel(assembly, flat_q, flat_T, iterations, tolerance, threads)
        except TraceError:
            if engine == "compiled":
                raise
    if found is None or engine == "auto":
        found = _by_numpy(assembly, flat_q, flat_T, branch, tolerance, found)
    return Poses(
        found.T_0p.reshape(*lead, 4, 4),
        found.status.reshape(lead),
        found.iterations.reshape(lead),
        found.error.reshape(lead),
    )


def _check_options(iterations: Any, tolerance: Any, branch: Any, engine: str) -> None:
    if whole(iterations, "iterations", least=1) > MOST_ITERATIONS:
        raise InputError(
            f"iterations is {shown(iterations)}, expected a whole number from 1 to "
            f"{MOST_ITERATIONS}",
            argument="iterations",
        )
    number(tolerance, "tolerance", positive=True)
    if branch is not None and engine == "compiled":
        raise InputError(
            "kernels only know home's branch",
            hint="Leave engine to 'auto': NumPy follows other branches.",
            argument="branch",
        )


def _at_once(
    assembly: Assembly, q: np.ndarray, guess: np.ndarray, iterations: int, tolerance: float
) -> Poses | None:
    """One state, by the shortest way; ``None`` if it needs a second look."""
    try:
        stepper = _stepper(assembly, 1, iterations)
    except TraceError:
        return None
    if not np.abs(q).max() <= FARTHEST:
        return None
    found = stepper.at_once(within_half_a_turn(assembly, q), guess, tolerance)
    if found is None:
        return None
    there, steps = np.array(Status.CONVERGED, dtype=np.int8), np.array(found.steps, dtype=np.int16)
    return Poses(found.T_0p, there, steps, np.array(found.error))


def _by_kernel(
    assembly: Assembly,
    q: np.ndarray,
    guess: np.ndarray,
    iterations: int,
    tolerance: float,
    threads: int | None,
) -> Poses:
    """All states by the kernel, block by block."""
    count = len(q)
    found = Poses(
        np.full((count, 4, 4), np.nan),
        np.full(count, Status.NOT_CONVERGED, dtype=np.int8),
        np.zeros(count, dtype=np.int16),
        np.full(count, np.nan),
    )

    def block(begin: int) -> None:
        part = slice(begin, min(begin + BLOCK, count))
        with np.errstate(all="ignore"):
            stepper = _stepper(assembly, part.stop - begin, iterations)
            wound = within_half_a_turn(assembly, q[part])
            steps = stepper.run(wound, guess[part], tolerance)
            _judge(steps, tolerance, found, part)
            found.status[part][(np.abs(q[part]) > FARTHEST).any(axis=1)] = Status.BAD_INPUT
            found.T_0p[part][found.status[part] == Status.BAD_INPUT] = np.nan
            bad = np.flatnonzero(found.status[part]) + begin
            for i in bad[~_are_sound(q[bad], guess[bad])]:
                found.status[i] = Status.BAD_INPUT

    begins = range(0, count, BLOCK)
    workers = min(cores() if threads is None else threads, len(begins))
    if workers <= 1:
        for begin in begins:
            block(begin)
        return found
    _stepper(assembly, BLOCK, iterations)  # compiled once, before threads ask for it
    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(block, begins):
            pass
    return found


def _stepper(assembly: Assembly, count: int, iterations: int) -> Stepper:
    """Arrays for so many states, kept for the next call of this thread if they are usual."""
    own = assembly.once("steppers", lambda _: threading.local())
    kept: dict[str, Stepper] = vars(own)
    key = f"{count} {iterations}"
    if key not in kept:
        made = Stepper(assembly, count, iterations)
        if count not in (1, BLOCK):
            return made
        kept[key] = made
    return kept[key]


def _judge(steps: Steps, tolerance: float, found: Poses, part: slice) -> None:
    """Which states of a block have arrived, and how."""
    count = steps.error.shape[1]
    each = np.arange(count)
    there = steps.error <= tolerance
    there[0] = False  # one step at least has mended what the guess had inexact
    arrived = there.any(axis=0)
    last = np.where(arrived, there.argmax(axis=0), len(there) - 1)
    size, sign = steps.size, np.sign(steps.type_2)
    trusted = np.concatenate([size[:1] <= LARGEST, shrinks(size[1:], size[:-1])])
    short = (trusted | (np.arange(len(there))[:, None] >= last)).all(axis=0)
    same = (sign == sign[0]) & (sign != 0.0)
    sure = short & same[last, each] & (steps.doubt[last, each] < 1.0)
    steep = (size > _STEEP * np.maximum(steps.error, tolerance)).any(axis=0)
    status = np.full(count, Status.NOT_CONVERGED)
    status[~same.all(axis=0) | steep] = Status.SINGULAR
    status[~np.isfinite(steps.error).all(axis=0)] = Status.OUT_OF_REACH
    status[arrived] = np.where(sure, Status.CONVERGED, Status.IN_DOUBT)[arrived]
    good = status == Status.CONVERGED
    found.status[part] = status
    found.iterations[part] = last
    found.error[part] = steps.error[last, each]
    found.T_0p[part][good] = steps.T_0p[last, each][good]


def _are_sound(q: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """Whether arguments of states are numbers, and guesses poses."""
    found = (np.abs(q) <= FARTHEST).all(axis=1) & np.isfinite(guess).all(axis=(1, 2))
    for i in np.flatnonzero(found):
        found[i] = _is_pose(guess[i])
    return np.asarray(found)


def _is_pose(T: np.ndarray) -> bool:
    try:
        check_pose(T)
    except InputError:
        return False
    else:
        return True


def _by_numpy(
    assembly: Assembly,
    q: np.ndarray,
    guess: np.ndarray,
    branch: State | None,
    tolerance: float,
    known: Poses | None,
) -> Poses:
    """States that no kernel is sure of; those that it is sure of are kept."""
    if known is None:
        count = len(q)
        known = Poses(
            np.full((count, 4, 4), np.nan),
            np.full(count, Status.NOT_CONVERGED, dtype=np.int8),
            np.zeros(count, dtype=np.int16),
            np.full(count, np.nan),
        )
        known.status[~_are_sound(q, guess)] = Status.BAD_INPUT
    for i in np.flatnonzero(
        (known.status != Status.CONVERGED) & (known.status != Status.BAD_INPUT)
    ):
        status, T, error = _one(assembly, q[i], guess[i], branch, tolerance)
        known.status[i], known.iterations[i] = status, -1
        known.T_0p[i] = T
        known.error[i] = error
    return known


def _one(
    assembly: Assembly, q: np.ndarray, guess: np.ndarray, branch: State | None, tolerance: float
) -> tuple[Status, Any, float]:
    """One state, with joints found and pivots chosen for it."""
    try:
        with np.errstate(all="ignore"):
            here = State(guess, configuration_at(assembly, guess, branch, turns=False))
            there, same = near(assembly, q, here)
            error = np.nan if there is None else off_by(assembly, q, there)
    except GoughError:
        return Status.OUT_OF_REACH, np.nan, np.nan
    except (np.linalg.LinAlgError, OverflowError):
        return Status.NOT_CONVERGED, np.nan, np.nan
    if there is None:
        return Status.NOT_CONVERGED if same else Status.SINGULAR, np.nan, np.nan
    if not error <= tolerance:
        return Status.NOT_CONVERGED, np.nan, error
    return (Status.CONVERGED, there.T_0p, error) if same else (Status.IN_DOUBT, np.nan, error)
