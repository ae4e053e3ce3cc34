"""Legs that pull along a line between two points, and the figures their points form."""

from __future__ import annotations

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.analysis.doctor.likeness import Chain
from gough.modes.hexagons import HexagonRelation, compared

_BALLS = ("spherical", "universal")
_SLIDES = ("prismatic", "cylindrical", "helical")


def find_figures(exam: Examination) -> HexagonRelation | None:
    """How base and platform points are related; ``None`` if the legs are not lines of pull."""
    found = [_ends(exam, chain) for chain in exam.chains]
    points = [pair for pair in found if pair is not None]
    if len(points) < max(4, len(found)):
        return None
    base, top = np.swapaxes(points, 0, 1)
    return compared(base, top)


def _ends(exam: Examination, chain: Chain) -> tuple[np.ndarray, np.ndarray] | None:
    """Points of a leg on base and platform, in their axes; ``None`` if it is no line of pull."""
    robot = exam.robot
    if len(chain.joints) < 3 or len(chain.motors) != 1:
        return None
    first, *inner, last = chain.joints
    between_balls = first.kind in _BALLS and last.kind in _BALLS
    straight = all(joint.kind in _SLIDES for joint in inner)
    driven = any(chain.motors[0] in joint.axis_names for joint in inner)
    grounded = robot.base in (first.parent, first.child)
    carries = robot.platform in (last.parent, last.child)
    if not (between_balls and straight and driven and grounded and carries):
        return None
    on_base = first.parent_frame if first.parent == robot.base else first.child_frame
    on_top = last.parent_frame if last.parent == robot.platform else last.child_frame
    return np.array(on_base.position), np.array(on_top.position)
