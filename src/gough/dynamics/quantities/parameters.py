"""Parameters of a robot as inputs of a program: one program, many machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gough.base.spatial import Array
from gough.dynamics.quantities.placements import SEATS, own_seats
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.parameters import AxisParameters, Parameters, own_parameters
from gough.robot import Robot

BODIES = ("masses", "centers", "inertias")
AXES = ("viscous", "coulomb", "rotor_inertia", "stiffness", "rest")
FIGURES = ("gravity", *BODIES, *AXES)
PARAMETERS = (*FIGURES, *SEATS)
"""What may be an input: one row a body or a joint, or one number an axis, as described."""

NEAR, SMOOTHING = "near", "smoothing"
"""Inputs of a simulation, one number an axis: angles from which wound springs are followed, and
speeds over which Coulomb friction is smoothed."""


def own_values(robot: Robot) -> dict[str, np.ndarray]:
    """The robot's own figures, by the name of the parameter."""
    axes = [own_parameters(robot.axis(name))[: len(AXES)] for name in robot.axis_names]
    found = {
        "gravity": np.array(robot.gravity),
        "masses": np.array([body.mass for body in robot.bodies]),
        "centers": np.array([body.center for body in robot.bodies]),
        "inertias": np.array([body.inertia for body in robot.bodies]),
    }
    columns = zip(*axes, strict=True) if axes else [()] * len(AXES)
    found |= {name: np.array(c, dtype=float) for name, c in zip(AXES, columns, strict=True)}
    found |= {NEAR: np.zeros(len(axes)), SMOOTHING: np.zeros(len(axes))}
    return found | own_seats(robot)


def stand_in(
    robot: Robot, parameters: Sequence[str], given: Mapping[str, Array]
) -> Parameters | None:
    """Parameters with inputs in the places of the robot's own."""
    if not set(parameters) - {"gravity", NEAR}:
        return None
    own = own_values(robot)

    def figure(name: str, i: int) -> Array:
        if name in parameters:
            return given[name][i].reshape(3, 3) if name == "inertias" else given[name][i]
        value = own[name][i]
        return float(value) if value.ndim == 0 else value

    bodies = {}
    if set(parameters) & {*BODIES, *SEATS}:  # masses on links that move are not known either
        for i, body in enumerate(robot.bodies):
            bodies[body.name] = CentralMass(body.name, *(figure(name, i) for name in BODIES))
    axes = {}
    if set(parameters) & {*AXES, SMOOTHING}:
        for i, axis in enumerate(robot.axis_names):
            speed = given[SMOOTHING][i] if SMOOTHING in parameters else None
            own_axis = AxisParameters(*(figure(name, i) for name in AXES))
            axes[axis] = own_axis._replace(smoothing=speed)
    return Parameters(bodies, axes)
