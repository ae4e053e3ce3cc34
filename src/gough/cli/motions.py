"""Motions as tables, for a drive or to be read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def motion_table(motion: Any, rate: float) -> dict[str, np.ndarray]:
    """Columns of a motion: ``t``, pose, twist and twist rate, ``q_`` and ``qd_`` of every motor.

    Poses are such as ``gough.motion.from_file`` reads.
    """
    import numpy as np

    from gough.base.result import motion_columns
    from gough.functions.kinematics import inverse_kinematics, motor_rates

    robot, (t, state) = motion.robot, motion.sample(rate)
    motors = {"q": inverse_kinematics(robot, state), "qd": motor_rates(robot, state)}
    rest = motion_columns(robot, t, state.arrays, motors)
    place = {name: rest.pop(name) for name in ("t", "x", "y", "z")}
    turned = np.stack([rest.pop(name) for name in ("rx", "ry", "rz")])
    half = 0.5 * np.linalg.norm(turned, axis=0)
    # sin(a/2) / a, which is 1/2 where nothing turns
    quaternion = [np.cos(half), *(0.5 * np.sinc(half / np.pi) * turned)]
    return {**place, **dict(zip(("qw", "qx", "qy", "qz"), quaternion, strict=True)), **rest}
