"""How measured poses change with the figures of a machine: differences, loops closed for each.

What Jacobians of calibrations are compared with, and what ranks are counted with.
"""

from __future__ import annotations

import numpy as np

from closing import closed_many
from loops import displacements, vectors
from measuring import ADMISSIBLE, States, Truth, observed, platform, through, wrong

STEP = 1e-5
"""Of differences, in units of the length and rad: its square, and rounding over it, are alike."""


def by_differences(truth: Truth, states: States) -> dict[str, np.ndarray]:
    """Twists of the tool, about its origin and in the device's axes, by figures of one machine.

    Displacements of frames are twists in the axes of the frames as they are: the frame of a joint
    on its body, the tool's on the platform, the device's in the base.

    Args:
        truth: the machine; derivatives are taken there.
        states: where the motors stand.

    Returns:
        ``frames (K, 6, J, 2, 6)``, zero for errors with which loops do not close (those that
        :data:`measuring.ADMISSIBLE` does not list), ``offsets (K, 6, n)``, ``gains (K, 6, n)``,
        ``tool (K, 6, 6)`` and ``device (K, 6, 6)``; [m, rad] by [m, rad], gains by 1.
    """
    robot, seen = truth.nominal, observed(truth, states)
    loops, n, length = seen.loops, len(robot.motors), seen.loops.length
    units = np.array([length] * 3 + [1.0] * 3)
    q = truth.offsets + truth.gains * states.motors
    allowed = wrong(robot, ADMISSIBLE.get(robot.name))
    places = np.argwhere(allowed)
    errors = np.zeros((len(places), 1, *allowed.shape))
    errors[np.arange(len(places)), 0, *places.T] = units[places[:, 2]]
    sizes = np.array([length if loops.slides(name) else 1.0 for name in robot.motors])
    moves = (sizes * np.eye(n))[:, None, :]

    def posed(bodies: np.ndarray) -> np.ndarray:
        return through(truth, platform(robot, bodies))

    def framed(h: float) -> np.ndarray:
        return posed(closed_many(loops.displaced(h * errors), q, seen.bodies))

    def driven(dq: np.ndarray) -> np.ndarray:
        return posed(closed_many(loops, q + dq, seen.bodies))

    D = STEP * (units * np.eye(6))[:, None]
    frames = np.zeros((len(q), 6, *allowed.shape))
    frames[:, :, *places.T] = _twists(framed(STEP), framed(-STEP)) / units[places[:, 2]]
    by_gain = STEP * np.eye(n)[:, None, :] * states.motors
    return {
        "frames": frames,
        "offsets": _twists(driven(STEP * moves), driven(-STEP * moves)) / sizes,
        "gains": _twists(driven(by_gain), driven(-by_gain)),
        "tool": _twists(*(seen.T_dt @ displacements(sign * D) for sign in (1.0, -1.0))) / units,
        # T_dt of a device that moves by D: the world moves back
        "device": _twists(*(displacements(sign * D) @ seen.T_dt for sign in (-1.0, 1.0))) / units,
    }


def _twists(after: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Twists from one stack of poses ``(P, K, 4, 4)`` to another: ``(K, 6, P)``."""
    found = np.empty((*after.shape[:2], 6))
    found[..., :3] = (after - before)[..., :3, 3]
    found[..., 3:] = vectors(after[..., :3, :3] @ before[..., :3, :3].swapaxes(-1, -2))
    return np.moveaxis(found, 0, -1) / (2.0 * STEP)
