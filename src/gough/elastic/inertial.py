"""Inertia forces of a rigid motion on the coordinates of elastic bodies.

In the axes of a body a point at r has the acceleration ``a + alpha x r + W r - tr(W) r`` with
``W = omega omega^T``.  The first two terms are a motion of the body as a whole, which its mass
matrix knows; the rest is linear in W and depends on nothing else, so that it is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.spatial import skew
from gough.dynamics.shared.masses import CentralMass
from gough.elastic.bodies import BodyModel
from gough.elastic.mesh import Mesh
from gough.elastic.rest import moments_of_matrix
from gough.elastic.system import System
from gough.kinematics.motion import Kinematics

_PLACES, _WEIGHTS = np.polynomial.legendre.leggauss(3)  # exact for cubics times lines
_PLACES, _WEIGHTS = (_PLACES + 1.0) / 2.0, _WEIGHTS / 2.0
_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class RigidMotion(NamedTuple):
    """A rigid motion at K times.

    Attributes:
        acceleration: of every body's origin and of its turn, body axes ``(K, 6)``, by name.
        omega: angular velocity of every body, body axes ``(K, 3)``, by name.
        axes: acceleration of axes with inertia of their own ``(K,)``, by name.
    """

    acceleration: dict[str, np.ndarray]
    omega: dict[str, np.ndarray]
    axes: dict[str, np.ndarray]


def rigid_motion(system: System, states: Sequence[Kinematics]) -> RigidMotion:
    """What bodies and axes do at states of the machine."""
    names = [body.name for body in system.robot.bodies]
    axes = {name: np.zeros(len(states)) for name in system.inertias}
    acceleration = {name: np.zeros((len(states), 6)) for name in names}
    omega = {name: np.zeros((len(states), 3)) for name in names}
    for k, kin in enumerate(states):
        poses = kin.solution.equations.body_poses
        for name in names:
            R, moving = poses[name].R, kin.body_motion(name)
            acceleration[name][k] = np.concatenate([R.T @ moving.a, R.T @ moving.wd])
            omega[name][k] = R.T @ moving.w
        for name, values in axes.items():
            values[k] = kin.axis_acceleration(name)
    return RigidMotion(acceleration, omega, axes)


def inertia_forces(system: System, motion: RigidMotion) -> np.ndarray:
    """Generalised force of inertia at every time ``(K, n)``: minus mass times acceleration."""
    count = len(next(iter(motion.omega.values())))
    found = np.zeros((count, system.size))
    for name, model in system.models.items():
        here = slice(system.starts[name], system.starts[name] + model.size)
        w = motion.omega[name]
        products = np.stack([w[:, i] * w[:, j] for i, j in _PAIRS], axis=1)
        along, spun = model.mass @ model.rigid, spinning(model)
        load = system.payload
        if load is not None and load.body == name:
            more = _carried(model, load)
            along, spun = along + more[0], spun + more[1]
        found[:, here] -= motion.acceleration[name] @ along.T + products @ spun.T
    for name, inertia in system.inertias.items():
        row = system.pushed(name) if name in system.drives else system.axes[name]
        found -= inertia * np.outer(motion.axes[name], row[0])
    return found


def spinning(model: BodyModel) -> np.ndarray:
    """Force that turning takes of every coordinate, per product of two speeds ``(n, 6)``.

    Products are those of angular velocity, body axes: xx, yy, zz, xy, xz, yz.
    """
    found = []
    for i, j in _PAIRS:
        W = np.zeros((3, 3))
        W[i, j] = W[j, i] = 1.0
        found.append(_spun(model, W))
    return np.stack(found, axis=1)


def _spun(model: BodyModel, W: np.ndarray) -> np.ndarray:
    if model.points is not None:
        return _spun_matrix(model, W)
    nodes = np.zeros((1, 3)) if model.mesh is None else model.mesh.nodes
    found = np.zeros(6 * len(nodes)) if model.mesh is None else _spun_mesh(model.mesh, W)
    for node, m, arm, second in model.lumps:
        force = m * (_field(W) @ (nodes[node] + arm))
        moment = np.cross(arm, force) + _moment(second, W)
        found[6 * node : 6 * node + 6] += np.concatenate([force, moment])
    return found if model.spread is None else np.asarray(model.spread.T @ found)


def _field(W: np.ndarray) -> np.ndarray:
    """Acceleration per place: ``omega x (omega x r)``, 3x3."""
    return np.asarray(W - np.trace(W) * np.eye(3))


def _moment(second: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Moment that turning takes of second moments about their centre: ``omega x (I omega)``."""
    product = second @ W
    skewed = product - product.T
    return np.array([skewed[1, 2], skewed[2, 0], skewed[0, 1]])


def _spun_mesh(mesh: Mesh, W: np.ndarray) -> np.ndarray:
    """Force on every node of a beam ``(6k,)``."""
    found = np.zeros(6 * len(mesh.nodes))
    for k, (element, R) in enumerate(zip(mesh.elements, mesh.turned, strict=True)):
        s, rho = element.section, element.material.density
        bending = [s.Iy, s.Iz] if element.shear else [0.0, 0.0]
        inertia = rho * np.array([s.Iy + s.Iz, *bending])
        second = R @ np.diag(inertia.sum() / 2.0 - inertia) @ R.T
        moment = R.T @ _moment(second, W)
        own = np.zeros(12)
        for place, weight in zip(_PLACES, _WEIGHTS, strict=True):
            r = mesh.nodes[k] + place * (mesh.nodes[k + 1] - mesh.nodes[k])
            force = R.T @ (rho * s.area * (_field(W) @ r))
            load = np.concatenate([force, moment])
            own += weight * element.length * (element.shape(float(place)).T @ load)
        found[6 * k : 6 * k + 12] += (own.reshape(4, 3) @ R.T).ravel()
    return found


def _spun_matrix(model: BodyModel, W: np.ndarray) -> np.ndarray:
    """The same of a body whose mass is a matrix between frames: of its frames, and right in sum."""
    points = np.zeros((0, 3)) if model.points is None else model.points
    moved = np.concatenate([np.append(_field(W) @ point, np.zeros(3)) for point in points])
    found = model.mass @ moved
    whole = model.rigid.T @ model.mass @ model.rigid
    _, s, second = moments_of_matrix(whole)
    wanted = np.concatenate([_field(W) @ s, _moment(second, W)])
    missing = np.linalg.lstsq(whole, wanted - model.rigid.T @ found, rcond=1e-12)[0]
    return np.asarray(found + model.mass @ (model.rigid @ missing))


def _carried(model: BodyModel, load: CentralMass) -> tuple[np.ndarray, np.ndarray]:
    """A payload: force per acceleration of its body ``(n, 6)``, and per product of speeds."""
    c, inertia, m = np.asarray(load.c, dtype=float), np.asarray(load.I, dtype=float), float(load.m)
    second = np.eye(3) * (np.trace(inertia) / 2.0) - inertia
    at = model.at(c)
    of_body = np.eye(6)
    of_body[:3, 3:] = -skew(c)
    mass = np.zeros((6, 6))
    mass[:3, :3], mass[3:, 3:] = m * np.eye(3), inertia
    spun = []
    for i, j in _PAIRS:
        W = np.zeros((3, 3))
        W[i, j] = W[j, i] = 1.0
        spun.append(at.T @ np.concatenate([m * (_field(W) @ c), _moment(second, W)]))
    return at.T @ mass @ of_body, np.stack(spun, axis=1)
