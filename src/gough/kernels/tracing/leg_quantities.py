"""What an analysis looks at in the legs: closure rows, and limited joints without motors."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect
from gough.kernels.tracing.machine import Machine
from gough.mechanism.closure.axes import coordinate, is_scalar
from gough.mechanism.closure.dense import natural_rows
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint import BALL


def passive_axes(assembly: Assembly) -> list[str]:
    """Axes without motors whose position or speed is limited, by name."""
    robot = assembly.robot
    limits = {name: robot.axis(name).limits for name in robot.axis_names}
    return [
        name
        for name, each in limits.items()
        if name not in robot.motors and (each.position or each.velocity)
    ]


def legs_at(machine: Machine, T_0p: Array, V_0p: Array) -> dict[str, Array]:
    """Closure rows, natural units, and positions and speeds of limited joints without motors."""
    state, assembly = machine.state(T_0p, V_0p, turns=machine.sprung), machine.assembly
    names = passive_axes(assembly)
    return state.answer(
        closure_rows=natural_rows(state.solution.equations, assembly.length),
        passive=collect([_position(assembly, state.at, name) for name in names]),
        passive_rates=collect([_size(state.kin.axis_rate(name)) for name in names]),
    )


def axis_speeds(machine: Machine, T_0p: Array, V_0p: Array) -> dict[str, Array]:
    """Magnitude of the rate of every axis, in the order of ``robot.axis_names``."""
    state, names = machine.state(T_0p, V_0p), machine.assembly.robot.axis_names
    return state.answer(axis_speeds=collect([_size(state.kin.axis_rate(name)) for name in names]))


def _position(assembly: Assembly, at: Equations, name: str) -> Array:
    """Coordinate of a turn or slide [rad or m]; of a ball its tilt, of a plane its distance."""
    place = assembly.axes[name]
    if is_scalar(place):
        return assembly.axis_position(at, name)
    carried = coordinate(at, place)
    if place.what == BALL:
        return np.arccos(np.minimum(np.maximum(carried[2, 2], -1.0), 1.0))
    return np.sqrt(carried @ carried)


def _size(rate: Array) -> Array:
    return np.sqrt(rate @ rate) if np.ndim(rate) else np.abs(rate)
