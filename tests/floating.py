"""Rigid bodies on springs that go far: energy of finite displacements, and its second derivatives.

A body is moved by ``[u; theta]``, theta being a rotation vector; a spring is a 6x6 stiffness over
``[R_A'(p_B - p_A) - d; log(R_A' R_B)]`` between two frames that are parallel at rest.  CasADi
differentiates; nothing is linear but the springs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import casadi as ca
import numpy as np

GROUND = -1


class Floating(NamedTuple):
    """A rigid body: mass, centre and inertia about it, base axes at rest, origin at rest."""

    mass: float
    center: Any
    inertia: Any
    origin: Any


class Bond(NamedTuple):
    """A spring between two bodies, by number: where its frames sit in the base at rest."""

    A: int
    B: int
    at_A: Any
    at_B: Any
    K: Any


def cross(a: Any) -> Any:
    """Matrix of the cross-product."""
    return ca.skew(a)


def turned(theta: Any) -> Any:
    """Rotation by a vector of some hundredths, to the eighth power."""
    S, term, found = cross(theta), ca.DM.eye(3), ca.DM.eye(3)
    for k in range(1, 9):
        term = term @ S / k
        found = found + term
    return found


def vector(R: Any) -> Any:
    """Vector of a rotation by some hundredths: arcsin(s) / s times its skew part."""
    s = ca.vertcat(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]) / 2.0
    q = ca.dot(s, s)
    return s * (1.0 + q / 6.0 + 3.0 * q**2 / 40.0 + 15.0 * q**3 / 336.0)


def frequencies(bodies: list[Floating], bonds: list[Bond], gravity: Any) -> np.ndarray:
    """Of small vibrations about the rest that weight leads to [Hz], lowest first."""
    x = ca.SX.sym("x", 6 * len(bodies))
    g, places = ca.DM(gravity), {GROUND: (ca.DM.zeros(3), ca.DM.eye(3))}
    energy, M = 0.0, 0.0
    for k, body in enumerate(bodies):
        u, theta = x[6 * k : 6 * k + 3], x[6 * k + 3 : 6 * k + 6]
        R, origin = turned(theta), ca.DM(body.origin)
        places[k] = (origin + u - R @ origin, R)  # where the base's origin goes with the body
        center = origin + u + R @ (ca.DM(body.center) - origin)
        energy -= body.mass * ca.dot(g, center)
        v = ca.jacobian(center, x)
        # body rates of a rotation vector, to the sixth power
        S, term, rates = cross(theta), ca.DM.eye(3), ca.DM.eye(3)
        for power in range(1, 7):
            term = -term @ S / (power + 1)
            rates = rates + term
        w = rates @ ca.jacobian(theta, x)
        M += body.mass * v.T @ v + w.T @ ca.DM(body.inertia) @ w
    for bond in bonds:
        (p_A, R_A), (p_B, R_B) = places[bond.A], places[bond.B]
        a, b = ca.DM(bond.at_A), ca.DM(bond.at_B)
        xi = ca.vertcat(R_A.T @ (p_B + R_B @ b - p_A - R_A @ a) - (b - a), vector(R_A.T @ R_B))
        energy += ca.dot(xi, ca.DM(bond.K) @ xi) / 2.0
    H, gradient = ca.hessian(energy, x)
    told = ca.Function("told", [x], [H, gradient, M])
    rest = np.zeros(x.shape[0])
    for _ in range(12):
        stiffness, force, _ = (np.array(each) for each in told(rest))
        rest = rest - np.linalg.solve(stiffness, force[:, 0])
    stiffness, force, mass = (np.array(each) for each in told(rest))
    squares = np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real
    return np.sqrt(np.sort(squares)) / (2.0 * np.pi)
