"""Whether machines with their motors locked can still move, and not only for an instant.

Where two modes meet, the platform gives way to first order and is held to second; where there is
a whole motion, a small step along it can be closed again and is as free as before.
"""

from __future__ import annotations

import numpy as np

from gough.errors import SingularPose
from gough.mobility.assembly import Assembly
from gough.mobility.newton import CLOSED
from gough.modes.closing import Loops, Machines, close_all, loops
from gough.words import motion

_FREE = 1e-10  # singular value of loops and motors together; where modes meet it is 1e-8
_STEP = 1e-3
_LARGEST = 0.3  # rates of joints in a step


def refuse_motions(assembly: Assembly, machines: Machines, q_a: np.ndarray) -> None:
    """Refuse closed states of which one can go on moving with all motors locked.

    Raises:
        SingularPose: says about which axis, or along which direction.
    """
    system = loops(assembly)
    for k, step in enumerate(_free_steps(system, machines, q_a)):
        if step is None:
            continue
        here = machines.select(np.array([k, k]))
        there = system.moved(here, np.stack([step, -step]))
        after, error = close_all(assembly, there, q_a)
        apart = np.abs(after.T_0p[:, :3] - here.T_0p[:, :3])
        apart[:, :, 3] /= assembly.length
        size = apart.max(axis=(1, 2))
        gone = (error < CLOSED) & (size > 0.3 * _STEP) & (size < 3.0 * _STEP)
        still_free = [free is not None for free in _free_steps(system, after, q_a)]
        if (gone & np.array(still_free)).any():
            V = step[-6:] * assembly.scales.twist
            told = motion(V, machines.T_0p[k, :3, 3], assembly.length)
            raise SingularPose(
                f"{assembly.robot.name}: with the motors locked at these positions the platform "
                f"can still {told}: there are not single poses but a whole motion of them",
                hint="Likely: two joints coincide, or links are parallel and of equal length.",
                kind="Type 2",
                condition=np.inf,
            )


def _free_steps(system: Loops, machines: Machines, q_a: np.ndarray) -> list[np.ndarray | None]:
    """Steps along which each machine is free to first order and its platform moves, or ``None``."""
    if not len(machines.T_0p):
        return []
    J, _ = system.equations(machines, q_a)
    found: list[np.ndarray | None] = []
    for rows in J:
        _, s, Vt = np.linalg.svd(rows)
        null = Vt[int((s > _FREE * s[0]).sum()) :].T
        _, size, ways = np.linalg.svd(null[-6:]) if null.shape[1] else (None, np.zeros(1), None)
        if size[0] < 1e-6 or ways is None:
            found.append(None)
            continue
        step = null @ ways[0]
        scale = min(_STEP / size[0], _LARGEST / np.abs(step).max())
        found.append(step * scale)
    return found
