"""Standard parameters put into a robot: from least squares back to a description.

Efforts show base parameters only.  Of all standard parameters that have them, those are taken that
are nearest to the description::

    min |R (K chi - chi_b)|^2 + |G (chi - chi_described)|^2

with changes of a body measured beside its own distribution of mass: ``|P^-1/2 dP P^-1/2|``, where P
is its pseudo-inertia.  So a slender body stays slender, and a body far below 100 % of change is one
that can be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.standard import (
    StandardParameter,
    own_figures,
    unit_mass,
)
from gough.identification.postures import natural_units
from gough.identification.pseudo_inertia import of_mass
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Body, Robot

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
    P = of_mass(Mass(body.mass, body.mass * c, about))
    extent = np.sqrt(max(float(np.trace(P[:3, :3])) / body.mass, 1e-300))
    unit = np.diag([1.0 / extent] * 3 + [1.0])
    w, U = np.linalg.eigh(unit @ P @ unit)
    # a bar without thickness has none to lose: what it may gain is small beside its length
    root = U @ np.diag(1.0 / np.sqrt(np.maximum(w, _THIN * w[-1]))) @ U.T @ unit
    columns = [(root @ of_mass(unit_mass(f)) @ root.T).ravel() for f in figures]
    return np.asarray(np.linalg.qr(np.stack(columns, axis=1), mode="r"))
