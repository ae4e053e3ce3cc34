"""Friction, rotors and springs of joint axes: efforts along them, and on the whole machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, total
from gough.dynamics.shared.parameters import AxisParameters, present
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.axes import HUB, axis_rows
from gough.robot import Robot
from gough.robot.joint_kinds import BALL, PLANE, SLIDE


class Efforts(NamedTuple):
    """Generalised efforts: on z (six of the platform first), and on the rates of each leg."""

    z: Array
    legs: list[Array]


def friction_effort(axis: AxisParameters, what: str, rate: Array, loads: StateLoads) -> Array:
    """Effort that overcomes friction at a rate; isotropic for balls and planes.  sign(0) = 0.

    With smoothing s, Coulomb friction is ``coulomb rate / sqrt(rate^2 + s^2)``.
    """
    square = rate @ rate if what in (BALL, PLANE) else rate * rate
    still = loads.still * loads.length**2 if what in (SLIDE, PLANE) else loads.still
    s = loads.smoothing if axis.smoothing is None else axis.smoothing
    if what in (BALL, PLANE) or present(s):
        # the direction of a zero rate is zero: the tiny number only keeps it from being 0/0
        direction = rate / (np.sqrt(square + s * s) + 1e-300)
    else:
        direction = np.sign(rate)
    return rate * axis.viscous + direction * (axis.coulomb * (square > still))


def axis_efforts(
    kin: Kinematics,
    loads: StateLoads,
    rate: Callable[[str], Array],
    acceleration: Callable[[str], Array],
) -> Iterator[tuple[str, Array]]:
    """Efforts that friction, rotor and spring of each axis take in a motion, by name of the axis.

    Args:
        kin: the robot at the state.
        loads: which of them count.
        rate: gives the rate of an axis by its name, as the theory computes it.
        acceleration: gives its acceleration.
    """
    robot = kin.assembly.robot
    for name in loads.loaded_axes(robot):
        effort = axis_effort(kin, loads, name, loads.axis(robot, name), rate, acceleration)
        if effort is not None:
            yield name, effort


def axis_effort(
    kin: Kinematics,
    loads: StateLoads,
    name: str,
    axis: AxisParameters,
    rate: Callable[[str], Array],
    acceleration: Callable[[str], Array],
) -> Array | None:
    """Effort that friction, rotor and spring of one axis take; ``None`` where nothing counts."""
    assembly = kin.assembly
    return effort_along(
        loads,
        assembly.axes[name].what,
        axis,
        lambda: assembly.axis_position(kin.solution.equations, name),
        lambda: rate(name),
        lambda: acceleration(name),
    )


def effort_along(
    loads: StateLoads,
    what: str,
    axis: AxisParameters,
    position: Callable[[], Array],
    rate: Callable[[], Array],
    acceleration: Callable[[], Array],
) -> Array | None:
    """The same of an axis whose kind is known; its motion is asked for as far as it counts."""
    parts = []
    if loads.friction and axis.rubs:
        parts.append(friction_effort(axis, what, rate(), loads))
    if loads.rotors and present(axis.inertia) and what != PLANE:
        parts.append(acceleration() * axis.inertia)
    if loads.springs and present(axis.stiffness) and what not in (BALL, PLANE):
        parts.append((position() - axis.rest) * axis.stiffness)
    return total(parts[1:], parts[0]) if parts else None


def rotor_axes(robot: Robot, loads: StateLoads) -> list[tuple[str, Array]]:
    """Axes with a rotor, and its reflected inertia; of a ball the same about all directions."""
    found = [(name, loads.axis(robot, name).inertia) for name in robot.axis_names]
    kinds = {n: k for j in robot.joints for n, k in j.axis_kinds.items()}
    return [(n, x) for n, x in found if present(x) and kinds[n] != PLANE]


def components(effort: Array, count: int) -> list[Array]:
    """Entries of an effort: itself if the axis has one rate."""
    return [effort] if count == 1 else [effort[i] for i in range(count)]


def spread(kin: Kinematics, efforts: Iterable[tuple[str, Array]]) -> Efforts:
    """Efforts along axes as generalised efforts on z and on the legs, by virtual power."""
    assembly, topology = kin.assembly, kin.assembly.topology
    z: Array = np.zeros(6 + topology.hub.rates)
    legs: list[Array] = [np.zeros(leg.tree.rates) for leg in topology.legs]
    for name, effort in efforts:
        place = assembly.axes[name]
        rows = axis_rows(kin.solution.equations, place)
        parts = components(effort, len(rows.z))
        for part, on_tree, on_z in zip(parts, rows.tree, rows.z, strict=True):
            z = z + on_z * part
            if place.tree == HUB:
                z = z + np.concatenate([np.zeros(6), on_tree * part])
            else:
                legs[place.tree] = legs[place.tree] + on_tree * part
    return Efforts(z, legs)
