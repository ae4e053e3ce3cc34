"""Motor rates without a matrix to invert: by reciprocal screws.  [GA] section 6.2"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from gough import screw
from gough.base.batch import OnError, map_states
from gough.dynamics.screws.graph import ScrewGraph
from gough.dynamics.screws.kinematics import ScrewState
from gough.kinematics.inverse import regular
from gough.kinematics.motion import Kinematics
from gough.kinematics.single import settled
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Joint, Robot
from gough.states.state import as_state

INDEPENDENT = 1e-7
"""Klein form, natural units, below which a motor's screw is a combination of the way's others.

Rounding leaves 1e-15; screws that are independent give values near 1, less near a singularity.
"""


def reciprocal_screws(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """Screws ``r_i`` whose Klein form with the platform's twist is a motor's rate.

    ``qd_i = KL(r_i, $)``, with ``$ = gough.screw.from_twist(V_0p, p)`` and p the platform's origin,
    ``T_0p[:3, 3]``.  Read as wrenches ``[f; n_O]``, moments about the origin of the base, they are
    what the motors do to the platform: efforts tau act on it as ``sum tau_i r_i``.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        One row a motor, in the order of ``robot.motors``, ``(..., motors, 6)``: of a turning motor
        ``[1/m; 1]``, of a sliding one ``[1; m]``.  Rows are NaN where none exists: on every way
        over the motor to the platform its screw is a combination of those of the other joints, or
        the motor acts through a coupling and is on no way.

    Equations:
        [GA] (60)-(61), for any way from the base to the platform.
    """
    assembly = assembled_by_pose(robot)
    motors = len(robot.motors)

    def one(T: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return _found(ScrewState(Kinematics(assembly, regular(assembly, T, turns=False))))

    arguments = settled(assembly, as_state(state, robot).arguments("T_0p"))
    screws, exist = map_states(one, arguments, ((motors, 6), (motors,)), on_error)
    screws[exist != 1.0] = np.nan
    return screws


def _found(state: ScrewState) -> tuple[np.ndarray, np.ndarray]:
    """Reciprocal screws, and 1 or 0: whether there is one."""
    motors = state.graph.robot.motors
    screws, exist = np.zeros((len(motors), 6)), np.zeros(len(motors))
    for k, name in enumerate(motors):
        for way in ways_over(state.graph, name):
            found = on_way(state, name, way)
            if found is not None:
                screws[k], exist[k] = found, 1.0
                break
    return screws, exist


def on_way(state: ScrewState, motor: str, way: list[tuple[Joint, float]]) -> np.ndarray | None:
    """The screw that no joint of a way but the motor works on; of several the smallest.

    Equations:
        [GA] (59) has one unknown left once its Klein form with that screw is taken, (60).
    """
    slot, length = state.graph.slots[motor][0], state.assembly.length
    # seen from the platform: from a base far away all screws look alike
    near = np.asarray(state.at.platform.p)
    pairs = [pair for joint, sign in way for pair in _screws(state, joint, sign, near)]
    own = next(s for s, i in pairs if i == slot)
    others = np.array([s for s, i in pairs if i != slot])
    basis = screw.reciprocal(others, length=length)
    powers = np.array([screw.klein(r, own) for r in basis])
    size = max(float(np.abs(own[:3]).max()), float(np.abs(own[3:]).max()) / length)
    if np.abs(powers).max(initial=0.0) < INDEPENDENT * size:
        return None
    return np.asarray(screw.moved(powers @ basis / float(powers @ powers), -near))


def _screws(
    state: ScrewState, joint: Joint, sign: float, point: np.ndarray
) -> Iterator[tuple[np.ndarray, int]]:
    """Screws of a joint in the direction of travel, at a point, with the places of their rates."""
    for axis, name in zip(state.joint_axes(joint, point), joint.axis_names, strict=True):
        for s, i in zip(axis.screws, state.graph.slots[name], strict=True):
            yield s * sign, i


def ways_over(graph: ScrewGraph, motor: str) -> Iterator[list[tuple[Joint, float]]]:
    """Ways from the base to the platform that pass over a motor's joint, short ones first."""
    robot = graph.robot
    ways: list[tuple[str, list[tuple[Joint, float]]]] = [(robot.base, [])]
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
