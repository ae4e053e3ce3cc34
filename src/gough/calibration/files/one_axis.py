"""Machines whose bodies rotate about one direction only, such as planar ones."""

from __future__ import annotations

import numpy as np

from gough.mechanism.mobility.assembly import Assembly
from gough.motion.columns import VECTOR
from gough.robot import Robot
from gough.robot.joint_kinds import KINDS

_ALONG = 1e-9  # of a unit vector: frames of a description are exact to rounding


def one_rotation(assembly: Assembly) -> tuple[str, ...]:
    """The one angle of a platform that can rotate about one axis of the base only.

    It need not be a degree of freedom: the platform of a five-bar rotates as its position tells.

    Args:
        assembly: the machine.

    Returns:
        ``("rx",)``, ``("ry",)`` or ``("rz",)``; empty where it rotates otherwise, or where its
        angle is counted from an orientation that this rotation does not lead to.
    """
    robot, turned = assembly.robot, assembly.T_home[:3, :3] @ assembly.chart.R_ref.T
    for name, along in zip(VECTOR, np.eye(3), strict=True):
        if np.abs(turned @ along - along).max() < _ALONG and _all_about(robot, along):
            return (name,)
    return ()


def _all_about(robot: Robot, along: np.ndarray) -> bool:
    """Whether every joint of a robot turns about one direction of the base, if at all.

    Then the direction is fixed in every body, and is carried from body to body over the joints.
    """
    fixed = {robot.base: along}
    left, rotates = list(robot.joints), False
    while left:
        near = next((each for each in left if each.parent in fixed or each.child in fixed), None)
        if near is None:
            return False
        left.remove(near)
        ends = [(near.parent, near.parent_frame), (near.child, near.child_frame)]
        (here, A), (there, B) = ends if near.parent in fixed else ends[::-1]
        d = A.matrix[:3, :3].T @ fixed[here]
        if KINDS[near.kind].turns == 1:
            rotates = True
            if np.hypot(d[0], d[1]) > _ALONG:
                return False
        elif KINDS[near.kind].turns:
            return False
        fixed.setdefault(there, B.matrix[:3, :3] @ d)
    return rotates
