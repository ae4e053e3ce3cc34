"""A robot with other masses, friction, rotors and springs: standard parameters put into it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.dynamics.shared.standard import (
    COULOMB,
    INERTIAS,
    MASS,
    MOMENTS,
    OF_BODIES,
    PRELOAD,
    ROTOR,
    STIFFNESS,
    VISCOUS,
    named_parameters,
    own_figures,
)
from gough.errors import InputError, shown
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Axis, Body, Robot, Spring


def with_parameters(robot: Robot, chi: Mapping[str, float]) -> Robot:
    """The robot with some of its standard parameters replaced.

    Its efforts are those of :func:`gough.regressor` with these parameters.

    Args:
        robot: the machine; it stays as it is.
        chi: new values by name: ``{"arm1.m": 0.4, "arm1.mx": 0.06, "a1.viscous": 0.1}``; units
            and frames as in :func:`gough.regressor`: inertia is about the origin of the body's
            frame.  What is not named keeps its value, first moments too when the mass changes.
            Offsets of motors have no place in a robot and are left out.

    Returns:
        A new robot.  Centre of mass and inertia about it are worked out; of a motor whose rotor is
        described on its own shaft, the rotor is changed there.

    Raises:
        InputError: an unknown name, or a value that is no number.
        DescriptionError: a body that cannot exist, or negative friction; names it.
    """
    assembled(robot)  # refuses what is no robot
    if not isinstance(chi, Mapping):
        raise InputError(f"chi is {shown(chi)}, expected values by name", argument="chi")
    given = {
        each: number(chi[each.name], f"chi[{each.name!r}]")
        for each in named_parameters(robot, list(chi), "chi")
    }
    parts: dict[str, dict[str, float]] = {}
    for each, value in given.items():
        parts.setdefault(each.part, {})[each.figure] = value
    bodies = [
        _body(robot, body, parts[body.name]) if body.name in parts else body
        for body in robot.bodies
    ]
    joints = [
        replace(
            joint,
            axes=tuple(
                _axis(name, axis, parts[name]) if name in parts else axis
                for name, axis in zip(joint.axis_names, joint.axes, strict=True)
            ),
        )
        for joint in robot.joints
    ]
    return replace(robot, bodies=tuple(bodies), joints=tuple(joints))


def _body(robot: Robot, body: Body, given: Mapping[str, float]) -> Body:
    """A body with other parameters, which are about the origin of its frame."""
    if body.massless:
        if any(given.values()):
            raise InputError(f"chi: {body.name} is declared massless, and stays so", argument="chi")
        return body
    own = own_figures(robot, named_parameters(robot, [f"{body.name}.{f}" for f in OF_BODIES]))
    ten = {**dict(zip(OF_BODIES, own.tolist(), strict=True)), **given}
    m = ten[MASS]
    if m <= 0.0:
        return replace(body, mass=m)  # refused by name
    c = np.array([ten[figure] for figure in MOMENTS]) / m
    about_origin = np.zeros((3, 3))
    rows, columns = np.triu_indices(3)
    about_origin[rows, columns] = about_origin[columns, rows] = [ten[f] for f in INERTIAS]
    inertia = about_origin - m * ((c @ c) * np.eye(3) - np.outer(c, c))
    return replace(body, mass=m, center=tuple(c.tolist()), inertia=inertia.tolist())


def _axis(name: str, axis: Axis, given: Mapping[str, float]) -> Axis:
    """An axis with other parameters."""
    negative = [f for f in (ROTOR, VISCOUS, COULOMB, STIFFNESS) if given.get(f, 0.0) < 0.0]
    if negative:
        raise InputError(
            f"chi: {name}.{negative[0]} must not be negative, is {given[negative[0]]:g}",
            argument="chi",
        )
    changes: dict[str, Any] = {f: given[f] for f in (VISCOUS, COULOMB) if f in given}
    if ROTOR in given:
        changes |= _rotor(axis, given[ROTOR])
    if STIFFNESS in given or PRELOAD in given:
        old = axis.spring or Spring(1.0)
        stiffness = given.get(STIFFNESS, axis.spring.stiffness if axis.spring else 0.0)
        preload = given.get(PRELOAD, old.stiffness * old.rest)
        if stiffness == 0.0 and preload != 0.0:
            raise InputError(
                f"chi: {name} has a preload of {preload:g} without a stiffness", argument="chi"
            )
        changes["spring"] = Spring(stiffness, rest=preload / stiffness) if stiffness else None
    return replace(axis, **changes)


def _rotor(axis: Axis, inertia: float) -> dict[str, Any]:
    """Where the rotor of an axis is described: on the motor's shaft, the gear's, or the axis."""
    on_shaft = inertia / axis.ratio**2
    gear, motor = axis.transmission, axis.motor
    if motor is not None and motor.rotor_inertia:
        return {"motor": replace(motor, rotor_inertia=on_shaft)}
    if gear is not None and gear.motor_inertia:
        return {"transmission": replace(gear, motor_inertia=on_shaft), "rotor_inertia": 0.0}
    return {"rotor_inertia": inertia}
