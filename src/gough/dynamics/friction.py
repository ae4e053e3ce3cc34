"""Friction and rotors of joint axes: efforts along the axes, and what they do to the machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.closure.axes import HUB, axis_rows
from gough.closure.solution import Solution
from gough.kinematics.motion import Kinematics
from gough.mobility.assembly import Assembly
from gough.robot import Axis, Robot
from gough.robot.joint import BALL, SKATE
from gough.spatial import Array


class Efforts(NamedTuple):
    """Generalised efforts: on z (six of the platform first), and on the rates of each leg."""

    z: Array
    legs: list[Array]


def loaded_axes(robot: Robot) -> list[str]:
    """Axes that have friction or a rotor."""
    axes = {name: robot.axis(name) for name in robot.axis_names}
    return [n for n, a in axes.items() if a.viscous or a.coulomb or a.reflected_inertia]


def friction_effort(axis: Axis, what: str, rate: Array) -> Array:
    """Effort against friction at a rate; isotropic for balls and skates.  sign(0) = 0."""
    if what in (BALL, SKATE):
        speed = np.sqrt(rate @ rate)
        # the direction of a zero rate is zero: the tiny number only keeps it from being 0/0
        return rate * axis.viscous + rate * (axis.coulomb / (speed + 1e-300))
    return rate * axis.viscous + np.sign(rate) * axis.coulomb


def axis_efforts(
    assembly: Assembly, kin: Kinematics, *, friction: bool = True, rotors: bool = True
) -> list[tuple[str, Array]]:
    """Efforts that friction and rotors of each loaded axis take in a motion."""
    found = []
    for name in loaded_axes(assembly.robot):
        axis = assembly.robot.axis(name)
        parts = []
        if friction and (axis.viscous or axis.coulomb):
            parts.append(friction_effort(axis, assembly.axes[name].what, kin.axis_rate(name)))
        if rotors and axis.reflected_inertia:
            parts.append(kin.axis_acceleration(name) * axis.reflected_inertia)
        if parts:
            found.append((name, parts[0] if len(parts) == 1 else parts[0] + parts[1]))
    return found


def spread(assembly: Assembly, solution: Solution, efforts: Sequence[tuple[str, Array]]) -> Efforts:
    """Efforts along axes as generalised efforts on z and on the legs, by virtual power."""
    topology = assembly.topology
    z: Array = np.zeros(6 + topology.hub.rates)
    legs: list[Array] = [np.zeros(leg.tree.rates) for leg in topology.legs]
    for name, effort in efforts:
        place = assembly.axes[name]
        rows = axis_rows(solution.equations, place)
        parts = [effort] if len(rows.z) == 1 else [effort[i] for i in range(len(rows.z))]
        for part, on_tree, on_z in zip(parts, rows.tree, rows.z, strict=True):
            z = z + on_z * part
            if place.tree == HUB:
                z = z + np.concatenate([np.zeros(6), on_tree * part])
            else:
                legs[place.tree] = legs[place.tree] + on_tree * part
    return Efforts(z, legs)
