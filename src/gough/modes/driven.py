"""Arguments of ``gough.track``: motions of the motors, and where they start."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite, check_pose
from gough.base.english import counted
from gough.errors import InputError, shown
from gough.geometry.branch import as_branch
from gough.geometry.near import near_pose
from gough.geometry.newton import AssembledState
from gough.geometry.walk import configuration_at
from gough.mechanism.mobility.assembly import Assembly
from gough.modes.direct import check_motors as check_control
from gough.modes.stepper import FARTHEST
from gough.robot import Robot


def check_motors(assembly: Assembly) -> None:
    """Refuse a robot whose motors do not determine its pose."""
    robot = assembly.robot
    if not assembly.mobility:
        raise InputError(
            f"{robot.name}: the platform cannot move: there is no pose to be told by motors",
            hint="gough.doctor(robot) says what holds it; its pose is that of home.",
            argument="robot",
        )
    if not robot.motors or len(robot.motors) < assembly.mobility:
        raise InputError(
            f"{robot.name} has {counted(len(robot.motors), 'motor')}, which cannot give the pose "
            f"of a platform with {counted(assembly.mobility, 'freedom')}",
            hint="Name its motors in the robot's file, one for each freedom or more.",
            argument="robot",
        )
    check_control(assembly)


def check_near(q: np.ndarray) -> None:
    """Refuse motor positions so large that the angle within a turn is lost in rounding."""
    far = np.argwhere(np.abs(q) > FARTHEST)
    if len(far):
        place = tuple(int(i) for i in far[0])
        raise InputError(
            f"q_a[{', '.join(map(str, place))}] is {q[place]:.6g}, more than {FARTHEST:g}: where a "
            "motor is in its turn is lost in rounding",
            hint="Take whole turns off: q_a - 2 pi round(q_a / (2 pi)).",
            argument="q_a",
        )


def motor_samples(robot: Robot, q_a: Any, t: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Motor positions ``(..., K, n)`` and times ``(K,)``, if there are any."""
    if hasattr(q_a, "q") and hasattr(q_a, "t"):
        q_a, t = q_a.q, q_a.t if t is None else t
    times = None if t is None else _times(t)
    n = len(robot.motors)
    if callable(q_a):
        if times is None:
            raise InputError("a function of time needs times", hint="Give t=...", argument="t")
        q_a = [as_array(q_a(float(one)), (n,), "q_a(t)") for one in times]
    q = as_array(q_a, (n,), "q_a")
    if q.ndim < 2:
        raise InputError(
            f"q_a has shape {q.shape}, expected (..., K, {n}): one row for each sample",
            hint="For one set of motor positions: gough.state_from_motors, gough.pose_from_motors.",
            argument="q_a",
        )
    if not q.shape[-2]:
        raise InputError(f"q_a has shape {q.shape}: there is no sample in it", argument="q_a")
    if times is not None and q.shape[-2] != len(times):
        raise InputError(
            f"q_a has {q.shape[-2]} samples, t has {len(times)}", argument="t", shape=q.shape
        )
    return q, times


def _times(t: Any) -> np.ndarray:
    times = as_array(t, (), "t")
    if times.ndim != 1:
        raise InputError(f"t has shape {times.shape}, expected (K,)", argument="t")
    check_finite(times, "t")
    back = np.flatnonzero(np.diff(times) <= 0.0)
    if len(back):
        k = int(back[0])
        raise InputError(
            f"t does not go on after sample {k}: {times[k]:g} s, then {times[k + 1]:g} s",
            argument="t",
        )
    return times


def like(q: np.ndarray, value: Any, name: str) -> np.ndarray | None:
    """Rates of the motors, one for each position."""
    if value is None:
        return None
    array = as_array(value, (q.shape[-1],), name)
    try:
        return np.broadcast_to(array, q.shape)
    except ValueError as err:
        raise InputError(
            f"{name} has shape {array.shape}, q_a {q.shape}: they do not fit", argument=name
        ) from err


def starts(assembly: Assembly, near: Any, lead: tuple[int, ...]) -> list[AssembledState]:
    """Where each motion of a batch starts."""
    count = int(np.prod(lead, dtype=int))
    given = getattr(near, "branch", near)
    if given is None:
        return [AssembledState(*assembly.start)] * count
    if isinstance(given, AssembledState):
        return [as_branch(assembly, given, "near") or given] * count
    if isinstance(given, np.ndarray) and given.dtype == object:  # the ends of another track
        return _one_each(assembly, given, lead)
    T = as_array(near_pose(near), (4, 4), "near")
    try:
        poses = np.broadcast_to(T, (*lead, 4, 4)).reshape(-1, 4, 4)
    except ValueError as err:
        raise InputError(
            f"near has shape {T.shape}, expected (4, 4) or {(*lead, 4, 4)}", argument="near"
        ) from err
    found = []
    for pose in poses:
        check_pose(pose, "near")
        found.append(AssembledState(pose, configuration_at(assembly, pose)))
    return found


def _one_each(assembly: Assembly, given: np.ndarray, lead: tuple[int, ...]) -> list[AssembledState]:
    states = [as_branch(assembly, each, "near") for each in given.flat]
    found = [state for state in states if state is not None]
    if given.shape != lead or len(found) != given.size:
        raise InputError(
            f"start is {shown(given)}, expected a pose, a mode, or assembled states {lead}",
            argument="near",
        )
    return found
