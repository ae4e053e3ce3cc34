"""Motor rates without a matrix to invert: by reciprocal screws.  [GA] section 6.2"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.base.spatial import Array, collect
from gough.dynamics.screws.graph import ScrewGraph
from gough.dynamics.screws.kinematics import ScrewState
from gough.robot import Joint

INDEPENDENT = 1e-7
"""Klein form, natural units, below which a motor's screw is a combination of the way's others.

Rounding leaves 1e-15; screws that are independent give values near 1, less near a singularity.
"""

_RANK = 1e-9  # share of the largest singular value, as :func:`gough.screw.reciprocal` has it

Way = list[tuple[Joint, float]]
"""Joints in order, and 1 where a way goes from parent to child, or -1."""


def joint_screws_at(state: ScrewState) -> Array:
    """Screws of all joints from parent to child, by the places of their rates ``(rates, 6)``.

    At the platform's origin: from a base far away all screws look alike.
    """
    joints = state.graph.robot.joints
    axes = [axis for joint in joints for axis in state.joint_axes(joint, state.at.platform.p)]
    return collect([screw for axis in axes for screw in axis.screws], empty=(0, 6))


def choose_reciprocal(graph: ScrewGraph, screws: np.ndarray, length: float) -> np.ndarray:
    """The reciprocal screw of every motor on the first way that has one, ``(states, motors, 6)``.

    Args:
        graph: the robot.
        screws: of all joints at many states ``(states, rates, 6)``.
        length: natural length [m].

    Returns:
        Screws at the point of those given, NaN where no way has one.
    """
    motors = graph.robot.motors
    found = np.full((len(screws), len(motors), 6), np.nan)
    for k, motor in enumerate(motors):
        left = np.arange(len(screws))
        for way in ways_over(graph, motor):
            if not len(left):
                break
            found[left, k] = reciprocal_on(graph, motor, way, screws[left], length)
            left = left[np.isnan(found[left, k, 0])]
    return found


def reciprocal_on(
    graph: ScrewGraph, motor: str, way: Way, screws: np.ndarray, length: float
) -> np.ndarray:
    """The screw that no joint of a way but the motor works on; of several the smallest.

    Args:
        graph: the robot.
        motor: its axis is on the way.
        way: from the base to the platform.
        screws: of all joints at many states ``(states, rates, 6)``.
        length: natural length [m].

    Returns:
        One a state ``(states, 6)``, NaN where there is none.

    Equations:
        [GA] (59) has one unknown left once its Klein form with that screw is taken, (60).
    """
    own = graph.slots[motor][0]
    sign = next(sign for joint, sign in way if motor in joint.axis_names)
    names = [name for joint, _ in way for name in joint.axis_names]
    others = [slot for name in names for slot in graph.slots[name] if slot != own]
    natural = screws * np.array([1.0] * 3 + [1.0 / length] * 3)
    # six rows at least, so that all six right singular vectors are there
    rows = np.zeros((len(screws), max(len(others) + 1, 6), 6))
    rows[:, : len(others)] = natural[:, others]
    _, s, Vt = np.linalg.svd(rows, full_matrices=False)
    spanned = s > _RANK * np.maximum(s[:, :1], 1e-300)
    basis = np.where(spanned[..., None], 0.0, Vt)  # of what is reciprocal to the others
    unit = sign * natural[:, own]
    powers = (basis @ unit[..., None])[..., 0]
    size = np.abs(unit).max(axis=1)
    exists = np.abs(powers).max(axis=1) >= INDEPENDENT * size
    square = np.where(exists, (powers * powers).sum(axis=1), np.nan)
    smallest = (powers[:, None] @ basis)[:, 0] / square[:, None]
    # KL(r, $) = r_primary . $_dual + r_dual . $_primary, in natural units
    return np.concatenate([smallest[:, 3:] / length, smallest[:, :3]], axis=1)


def ways_over(graph: ScrewGraph, motor: str) -> Iterator[Way]:
    """Ways from the base to the platform that pass over a motor's joint, short ones first."""
    robot = graph.robot
    ways: list[tuple[str, Way]] = [(robot.base, [])]
    for body, way in ways:  # grows; breadth first
        if body == robot.platform:
            if any(motor in joint.axis_names for joint, _ in way):
                yield way
            continue
        been = {robot.base} | {j.child if s > 0 else j.parent for j, s in way}
        for joint in robot.joints:
            if body in (joint.parent, joint.child):
                other, sign = (joint.child, 1.0) if joint.parent == body else (joint.parent, -1.0)
                if other not in been:
                    ways.append((other, [*way, (joint, sign)]))
