"""A motion as columns of a table: poses that ``gough.motion.from_file`` reads, twists, motors."""

from __future__ import annotations

import numpy as np

from gough import spatial
from gough.kernels.functions import inverse_geometry, inverse_velocity
from gough.motion import Motion


def motion_columns(motion: Motion, rate: float) -> dict[str, np.ndarray]:
    """Columns by name: ``t``, the pose, twist and twist rate, ``q_`` and ``qd_`` of every motor.

    Args:
        motion: on home's branch.
        rate: samples a second, at least [Hz].
    """
    t, T, V, Vdot = motion.sample(rate)
    found = {"t": t}
    turned = np.array([spatial.rotation_log(each[:3, :3]) for each in T])
    half = 0.5 * np.linalg.norm(turned, axis=1)[:, None]
    # sin(a/2) / a, which is 1/2 where nothing turns
    vector = 0.5 * np.sinc(half / np.pi) * turned
    blocks = {
        ("x", "y", "z"): T[:, :3, 3],
        ("qw", "qx", "qy", "qz"): np.concatenate([np.cos(half), vector], axis=1),
        ("vx", "vy", "vz", "wx", "wy", "wz"): V,
        ("ax", "ay", "az", "wdx", "wdy", "wdz"): Vdot,
    }
    robot = motion.robot
    for name, array in (
        ("q", inverse_geometry(robot, T)),
        ("qd", inverse_velocity(robot, T, V)),
    ):
        blocks[tuple(f"{name}_{motor}" for motor in robot.motors)] = np.asarray(array)
    for names, block in blocks.items():
        found |= dict(zip(names, block.T, strict=True))
    return found
