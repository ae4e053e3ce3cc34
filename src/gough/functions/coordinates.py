"""Public functions of coordinates: those of all joints, and velocities over the motion basis."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.batch import OnError
from gough.dynamics.elements.coordinates import KinematicCoordinates, basis_names
from gough.evaluation.call import evaluate
from gough.kinematics.frames import freedoms_turn
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.states.axes import columns_in
from gough.states.state import as_state


def coordinates(robot: Robot, state: Any, *, on_error: OnError = "raise") -> np.ndarray:
    """Coordinates of every link at a pose, as programs take them, ``(..., m)``.

    A turn is carried as (cos, sin), a slide as its distance, a screw as its angle, a ball as its
    rotation matrix: no trigonometric function is needed to use them.
    """
    return evaluate(robot, "coordinates", as_state(state, robot), None, on_error)[0]


def kinematic_coordinates(
    robot: Robot, state: Any, *, on_error: OnError = "raise"
) -> KinematicCoordinates:
    """Partial velocities of all bodies over the motion basis, and the motion constraints.

    Args:
        robot: the machine.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`gough.KinematicCoordinates`.

    Raises:
        SingularPose: of Type 1, where rates do not follow the platform.

    Equations:
        [OZ] (47)-(50), Table 1, erratum OZ-5; (55).
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    M, maps = evaluate(robot, "kinematic_coordinates", x, None, on_error)
    if freedoms_turn(robot, x):
        M = columns_in(x.T_0p, M)
    bodies = [body.name for body in robot.bodies]
    velocities, angular = (
        {name: maps[..., k, part, :, :] for k, name in enumerate(bodies)} for part in (0, 1)
    )
    return KinematicCoordinates(basis_names(assembly), assembly.freedoms, M, velocities, angular)
