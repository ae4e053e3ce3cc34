"""The pseudo-inertia of a body: one matrix that says whether a distribution of mass exists.

With the second moments ``Sigma = tr(I)/2 - I`` about the origin of the body's frame, its first
moments ``h = m c`` and its mass::

    J = [[Sigma, h], [h^T, m]] = integral of [x; 1] [x; 1]^T dm

J is linear in the ten standard parameters.  A body with these parameters exists if and only if J is
positive definite; on the border its mass is in a plane, on a line or in a point.  (Wensing, Kim and
Slotine 2018.)
"""

from __future__ import annotations

import numpy as np

from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.standard import OF_BODIES, mass_entries, unit_mass
from gough.robot import Body

THIN = 1e-3
"""Least thickness of a body in a prior, as a share of the largest second moment about its centre.

Slender rods are on the border of what is possible, where no prior has a finite weight.
"""

_POINT = 0.1  # a point mass is as thick as a rod whose radius of gyration is this, robot's lengths


def of_mass(mass: Mass) -> np.ndarray:
    """``[[Sigma, m c], [m c^T, m]]`` ``(4, 4)``, which bodies have positive definite."""
    J = np.zeros((4, 4))
    J[:3, :3] = 0.5 * np.trace(mass.I) * np.eye(3) - mass.I
    J[:3, 3] = J[3, :3] = mass.s
    J[3, 3] = mass.m
    return J


UNITS = np.array([of_mass(unit_mass(figure)) for figure in OF_BODIES])
"""Pseudo-inertia of one unit of each parameter of ``OF_BODIES`` ``(10, 4, 4)``."""


def pseudo_inertia(ten: np.ndarray) -> np.ndarray:
    """Pseudo-inertia ``(..., 4, 4)`` of standard parameters ``(..., 10)``, as ``OF_BODIES``."""
    return np.asarray(np.tensordot(ten, UNITS, axes=1))


def standard_ten(J: np.ndarray) -> np.ndarray:
    """Standard parameters ``(10,)`` of a pseudo-inertia ``(4, 4)``, as ``OF_BODIES``."""
    Sigma = J[:3, :3]
    inertia = np.trace(Sigma) * np.eye(3) - Sigma
    return mass_entries(Mass(float(J[3, 3]), J[:3, 3], inertia))


def solid_pseudo_inertia(body: Body, length: float) -> np.ndarray:
    """Pseudo-inertia of a body as described, made as thick as ``THIN`` where it is thinner.

    Args:
        body: with mass.
        length: of the robot [m]: a point mass gets a small size beside it.
    """
    inertia, c = np.array(body.inertia), np.array(body.center)
    about_center = np.trace(inertia) / 2.0 * np.eye(3) - inertia
    moments, axes = np.linalg.eigh(about_center)
    least = max(THIN * moments[-1], body.mass * (_POINT * length) ** 2 * THIN)
    J = np.zeros((4, 4))
    J[:3, :3] = (axes * np.maximum(moments, least)) @ axes.T + body.mass * np.outer(c, c)
    J[:3, 3] = J[3, :3] = body.mass * c
    J[3, 3] = body.mass
    return J
