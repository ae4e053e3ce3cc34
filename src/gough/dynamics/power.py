"""Power of what acts on a machine in motion: loads on bodies, and friction."""

from __future__ import annotations

import numpy as np

from gough.dynamics.axes import friction_effort
from gough.dynamics.figures import present
from gough.dynamics.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.robot.joint import BALL, SKATE
from gough.spatial import Array, cross


def push_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that loads on bodies put into the machine [W]."""
    total: Array = 0.0
    for push in loads.pushes:
        body = kin.body_motion(push.body)
        point = kin.solution.equations.body_poses[push.body].R @ push.point
        total = total + push.f @ (body.v + cross(body.w, point)) + push.n @ body.w
    return total


def smoothed_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that Coulomb friction would take beyond what it takes being smoothed [W]."""
    assembly, total = kin.assembly, 0.0
    for name in loads.loaded_axes(assembly.robot):
        axis = loads.axis(assembly.robot, name)
        if present(axis.coulomb) and axis.smoothing is not None:
            rate = kin.axis_rate(name)
            square = rate @ rate if assembly.axes[name].what in (BALL, SKATE) else rate * rate
            full = np.sqrt(square + axis.smoothing * axis.smoothing)
            total = total + axis.coulomb * (np.sqrt(square) - square / (full + 1e-300))
    return total


def friction_power(kin: Kinematics, loads: StateLoads) -> Array:
    """Power that friction takes from the machine [W]."""
    assembly, total = kin.assembly, 0.0
    for name in loads.loaded_axes(assembly.robot):
        axis = loads.axis(assembly.robot, name)
        if axis.rubs:
            what, rate = assembly.axes[name].what, kin.axis_rate(name)
            effort = friction_effort(axis, what, rate, loads)
            total = total + (effort @ rate if what in (BALL, SKATE) else effort * rate)
    return total
