"""A machine that is not quite its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gough.base.arguments import nearest, read_number
from gough.errors import InputError, shown
from gough.robot import Body, Joint, Robot
from gough.simulation.control.misplaced import Amount, misplaced

Factor = float | Mapping[str, float]


def perturb(
    robot: Robot,
    *,
    masses: Factor = 1.0,
    inertias: Factor | None = None,
    friction: Factor = 1.0,
    rotors: Factor = 1.0,
    positions: Amount = 0.0,
    axes: Amount = 0.0,
    zeros: Amount = 0.0,
    seed: int = 0,
) -> Robot:
    """The same machine with other figures.

    Args:
        robot: the machine.
        masses: factor of all masses, or of some bodies by name.
        inertias: factor of inertias; that of the masses if not given.
        friction: factor of viscous and Coulomb friction of all axes, or of some by name.
        rotors: factor of rotor inertias, likewise.
        positions: how far every joint is moved on either of its bodies, in a random direction, or
            some joints by name [m].
        axes: by which angle its frames are turned there, about a random direction [rad].
        zeros: how far the zeros of all motors are off, up or down, or of some by name [rad or m].
        seed: of these directions.  Elements that always point the same way, as the bars of a
            parallelogram, get the same ones, so that they still do.

    Returns:
        A robot that differs in nothing else; where joints have moved its loops are closed again,
        at a home nearby.

    Raises:
        InputError: a name that the robot does not have, a figure that is not finite or below
            zero, or a machine that cannot move with such joints: it needs axes that are parallel.
    """
    robot = misplaced(robot, positions, axes, zeros, seed)
    bodies = [body.name for body in robot.bodies]
    mass = _factors("masses", masses, bodies)
    turn = mass if inertias is None else _factors("inertias", inertias, bodies)
    rub = _factors("friction", friction, robot.axis_names)
    rotor = _factors("rotors", rotors, robot.axis_names)

    def body(one: Body) -> Body:
        inertia: Any = np.array(one.inertia) * turn[one.name]
        return replace(one, mass=one.mass * mass[one.name], inertia=inertia.tolist())

    def joint(one: Joint) -> Joint:
        axes = [
            replace(
                axis,
                viscous=axis.viscous * rub[name],
                coulomb=axis.coulomb * rub[name],
                rotor_inertia=axis.rotor_inertia * rotor[name],
                transmission=axis.transmission
                and replace(
                    axis.transmission,
                    motor_inertia=axis.transmission.motor_inertia * rotor[name],
                ),
                motor=axis.motor
                and replace(axis.motor, rotor_inertia=axis.motor.rotor_inertia * rotor[name]),
            )
            for name, axis in zip(one.axis_names, one.axes, strict=True)
        ]
        return replace(one, axes=tuple(axes))

    return replace(
        robot,
        bodies=tuple(body(b) for b in robot.bodies),
        joints=tuple(joint(j) for j in robot.joints),
    )


def _factors(what: str, given: Any, names: Any) -> dict[str, float]:
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise InputError(
                    f"{what}: no {shown(name)}", hint=nearest(name, names), argument=what
                )
        found = {name: given.get(name, 1.0) for name in names}
    else:
        found = dict.fromkeys(names, given)
    for name, factor in found.items():
        fault = read_number(factor, nonnegative=True).fault
        if fault:
            raise InputError(f"{what}: the factor of {name}: {fault}", argument=what)
    return {name: float(factor) for name, factor in found.items()}
