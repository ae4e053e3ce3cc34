"""Generalised forces of loads on a machine, and the refusal of those that nothing resists."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import twist_scales
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.statics import Solved
from gough.errors import InputError, SingularPose

_UNRESISTED = 1e-7  # share of a force that may act along free motions: rounding of closed loops


def forces(solved: Solved, loads: StateLoads, *, gravity: bool) -> np.ndarray:
    """Generalised force of loads on every coordinate ``(n,)``.

    Args:
        solved: the machine.
        loads: what acts.
        gravity: whether weight counts, that of a payload included, and springs of axes.
    """
    system = solved.system
    found = np.zeros(system.size)
    if gravity:
        found += system.weight(np.asarray(loads.gravity, dtype=float), loads.payload)
        for name, effort in system.sprung.items():
            found -= effort * system.axes[name][0]
    for push in loads.pushes:
        at = system.displacement(push.body, np.asarray(push.point, dtype=float))
        found += at.T @ np.concatenate([push.f, push.n])
    return found


def check_resisted(solved: Solved, force: np.ndarray) -> None:
    """Refuse forces that act along a motion without any stiffness.

    Args:
        solved: the machine.
        force: generalised forces, columns ``(n, m)``.

    Raises:
        InputError: motors are free.
        SingularPose: motors hold, and yet something moves.
    """
    free, scale = solved.free, solved.system.scale[:, None]
    if not free.shape[1]:
        return
    unit = free / np.linalg.norm(free / scale, axis=0)
    work = np.abs(unit.T @ force)
    size = np.linalg.norm(force * scale, axis=0)
    if (work <= _UNRESISTED * size).all():
        return
    name = solved.system.robot.name
    if any(not drive.locked and not drive.kp for drive in solved.system.drives.values()):
        raise InputError(
            f"{name}: its motors are free, so that nothing holds the machine against this load",
            hint="drives='locked', or gough.Servo(kp, kd); vibrations(...) and response(...) are "
            "told of free motors, too.",
            argument="drives",
        )
    k = int(np.argmax(work.max(axis=1)))
    raise SingularPose(
        f"{name}: with its motors held the machine can still move: {_moves(solved, unit[:, k])}, "
        "and nothing resists",
        hint="Likely: a Type 2 singularity, too few motors, or a freedom that the platform does "
        "not feel and the load does; gough.doctor(robot) tells.",
        condition=float("inf"),
    )


def _moves(solved: Solved, x: np.ndarray) -> str:
    """What moves in a displacement of natural size 1: the platform, or the body that does most."""
    system = solved.system
    moved = system.platform @ x
    natural = twist_scales(system.robot.length)
    if np.abs(moved / natural).max() > 1e-6:
        return f"the platform along {np.round(moved / np.abs(moved).max(), 3).tolist()}"
    sizes = {
        name: float(np.abs(system.displacement(name, np.zeros(3)) @ x / natural).max())
        for name in system.models
    }
    worst = max(sizes, key=lambda name: sizes[name])
    moved = system.displacement(worst, np.zeros(3)) @ x
    along = np.round(moved / max(np.abs(moved).max(), 1e-300), 3).tolist()
    return f"the platform stands still, {worst!r} moves along {along}"
