"""Standard parameters put into a robot: from least squares back to a description.

Efforts show base parameters only.  Of all standard parameters that have them, those are taken that
are nearest to the description::

    min |R (K chi - chi_b)|^2 + |G (chi - chi_described)|^2

with changes of a body measured beside its own distribution of mass: ``|P^-1/2 dP P^-1/2|``, where P
is its pseudo-inertia.  So a slender body stays slender, and a body far below 100 % of change is one
that can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gough.dynamics.shared.masses import Mass
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
    StandardParameter,
    own_figures,
    unit_mass,
)
from gough.errors import DescriptionError
from gough.identification.postures import natural_units
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Axis, Body, Robot, Spring
from gough.robot.body import check_inertia

_THIN = 1e-10  # smallest second moment beside the largest that a change is measured by
_OF_AXES = 0.1  # size of a parameter of an axis beside the natural one of the whole machine


def nearest_parameters(
    robot: Robot,
    parameters: Sequence[StandardParameter],
    K: np.ndarray,
    chi_b: np.ndarray,
    factor: np.ndarray,
) -> np.ndarray:
    """Standard parameters with base parameters that were found, as near to the description as can.

    Args:
        robot: the machine as described.
        parameters: standard ones, the columns of ``K``.
        K: of ``chi_b = K chi``.
        chi_b: base parameters that were found.
        factor: R of ``|R (chi_b - found)|^2``, what data say in units of their noise.
    """
    described = own_figures(robot, parameters)
    G = prior(robot, parameters)
    back = np.linalg.inv(G)
    told = factor @ K @ back
    # rows of the data first: Householder's QR is exact for rows of very different sizes then
    rows = np.concatenate([told, np.eye(len(G))])
    wanted = np.concatenate([factor @ (chi_b - K @ described), np.zeros(len(G))])
    Q, R = np.linalg.qr(rows)
    return np.asarray(described + back @ np.linalg.solve(R, Q.T @ wanted))


def prior(robot: Robot, parameters: Sequence[StandardParameter]) -> np.ndarray:
    """G of ``|G (chi - described)|``: changes beside the size of what changes, ``(p, p)``.

    Of an axis the size is what it has, and a tenth of what is natural for the whole machine at
    least.
    """
    natural = natural_units(assembled(robot), [each.unit for each in parameters])
    total = sum(body.mass for body in robot.bodies)
    own = np.abs(own_figures(robot, parameters))
    G = np.diag(1.0 / np.maximum(own, _OF_AXES * total * natural))
    for name in dict.fromkeys(each.part for each in parameters if each.of_body):
        places = [k for k, each in enumerate(parameters) if each.of_body and each.part == name]
        G[np.ix_(places, places)] = _of_body(
            robot.body(name), [parameters[k].figure for k in places]
        )
    return G


def _of_body(body: Body, figures: Sequence[str]) -> np.ndarray:
    """The part of G of one body, an upper triangle."""
    c, inertia = np.array(body.center), np.array(body.inertia)
    about = inertia + body.mass * ((c @ c) * np.eye(3) - np.outer(c, c))
    P = pseudo_inertia(Mass(body.mass, body.mass * c, about))
    extent = np.sqrt(max(float(np.trace(P[:3, :3])) / body.mass, 1e-300))
    unit = np.diag([1.0 / extent] * 3 + [1.0])
    w, U = np.linalg.eigh(unit @ P @ unit)
    # a bar without thickness has none to lose: what it may gain is small beside its length
    root = U @ np.diag(1.0 / np.sqrt(np.maximum(w, _THIN * w[-1]))) @ U.T @ unit
    columns = [(root @ pseudo_inertia(unit_mass(f)) @ root.T).ravel() for f in figures]
    return np.asarray(np.linalg.qr(np.stack(columns, axis=1), mode="r"))


def pseudo_inertia(mass: Mass) -> np.ndarray:
    """``[[Sigma, m c], [m c^T, m]]``, which bodies have positive definite ``(4, 4)``."""
    found = np.zeros((4, 4))
    found[:3, :3] = 0.5 * np.trace(mass.I) * np.eye(3) - mass.I
    found[:3, 3] = found[3, :3] = mass.s
    found[3, 3] = mass.m
    return found


def with_parameters(
    robot: Robot, parameters: Sequence[StandardParameter], chi: np.ndarray
) -> Robot:
    """A robot with other standard parameters; offsets of motors have no place in it.

    Raises:
        DescriptionError: a body or an axis cannot be so: a negative mass, say.
    """
    of_bodies: dict[str, dict[str, float]] = {}
    of_axes: dict[str, dict[str, float]] = {}
    for each, value in zip(parameters, chi, strict=True):
        own = of_bodies if each.of_body else of_axes  # a body and an axis may have one name
        own.setdefault(each.part, {})[each.figure] = float(value)
    bodies = tuple(
        _changed_body(robot, body, of_bodies[body.name]) if body.name in of_bodies else body
        for body in robot.bodies
    )
    joints = tuple(
        replace(
            joint,
            axes=tuple(
                _axis(name, axis, of_axes[name]) if name in of_axes else axis
                for name, axis in zip(joint.axis_names, joint.axes, strict=True)
            ),
        )
        for joint in robot.joints
    )
    return replace(robot, bodies=bodies, joints=joints)


def _changed_body(robot: Robot, body: Body, given: Mapping[str, float]) -> Body:
    every = [StandardParameter(body.name, figure, "") for figure in OF_BODIES]
    own = dict(zip(OF_BODIES, own_figures(robot, every), strict=True)) | dict(given)
    m, s = own[MASS], np.array([own[name] for name in MOMENTS])
    if m <= 0.0:
        raise DescriptionError(
            f"must be positive, is found to be {m:.4g} kg", path=f"bodies.{body.name}.mass"
        )
    a, b, c, d, e, f = (own[name] for name in INERTIAS)
    about_origin = np.array([[a, b, c], [b, d, e], [c, e, f]])
    center = s / m
    about_center = about_origin - m * ((center @ center) * np.eye(3) - np.outer(center, center))
    return replace(
        body,
        mass=m,
        center=tuple(center.tolist()),
        inertia=check_inertia(about_center.tolist(), f"bodies.{body.name}.inertia"),
    )


def _axis(name: str, axis: Axis, given: Mapping[str, float]) -> Axis:
    changes: dict[str, Any] = {k: given[k] for k in (VISCOUS, COULOMB) if k in given}
    for figure, value in changes.items():
        if value < 0.0:
            raise DescriptionError(
                f"must not be negative, is found to be {value:.4g}", path=f"{name}.{figure}"
            )
    if ROTOR in given:
        changes |= _rotor(name, axis, given[ROTOR])
    if STIFFNESS in given or PRELOAD in given:
        spring = axis.spring or Spring(1.0)
        stiffness = given.get(STIFFNESS, spring.stiffness)
        preload = given.get(PRELOAD, spring.stiffness * spring.rest)
        changes["spring"] = Spring(stiffness, preload / stiffness if stiffness else 0.0)
    return replace(axis, **changes)


def _rotor(name: str, axis: Axis, reflected: float) -> dict[str, Any]:
    """The rotor where the description has it: on the shaft of the motor, or at the axis."""
    if reflected < 0.0:
        raise DescriptionError(
            f"must not be negative, is found to be {reflected:.4g}", path=f"{name}.rotor_inertia"
        )
    on_shaft = reflected / axis.ratio**2
    if axis.motor is not None and axis.motor.rotor_inertia:
        return {"motor": replace(axis.motor, rotor_inertia=on_shaft)}
    if axis.transmission is not None and axis.transmission.motor_inertia:
        geared = replace(axis.transmission, motor_inertia=on_shaft)
        return {"transmission": geared, "rotor_inertia": 0.0}
    return {"rotor_inertia": reflected}
