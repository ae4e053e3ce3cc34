"""Mass of bodies whose nodes have moved: velocities of points per rate of a rotation vector.

A node that has turned by theta moves a point beside it, at an arm o, with ``u' + omega x (R o)``,
and turns with ``omega = theta' + theta x theta' / 2``, both to first order in theta.
"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import rotation_exp, skew
from gough.elastic.bodies import BodyModel
from gough.elastic.mesh import Mesh, repeated
from gough.elastic.second_order import turned_twice


def point_change(theta: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """What a turn of its node changes of a point's velocity, ``[u; omega]`` per theta', 6x3."""
    return np.concatenate([turned_twice(arm) @ theta, skew(theta) / 2.0])


def lump_mass(theta: np.ndarray, mass: float, arm: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Mass matrix ``[u; theta]`` of a node that has turned and carries a rigid body, 6x6.

    Args:
        theta: the turn of the node.
        mass: of the body [kg].
        arm: from the node to its centre, before the turn [m].
        second: its second moments about the centre, before the turn [kg m^2].
    """
    at = np.eye(6)
    at[:3, 3:] = -skew(arm)
    at[:, 3:] += point_change(theta, arm)
    R = rotation_exp(theta)
    turned = R @ second @ R.T
    own = np.zeros((6, 6))
    own[:3, :3] = mass * np.eye(3)
    own[3:, 3:] = np.eye(3) * np.trace(turned) - turned
    return np.asarray(at.T @ own @ at)


def moved_mass(model: BodyModel, x: np.ndarray) -> np.ndarray:
    """Mass matrix of a body whose coordinates are x ``(n, n)``."""
    if model.mesh is not None and model.spread is not None:
        nodes = (model.spread @ x).reshape(-1, 6)
        found = _moved_mesh(model.mesh, nodes[:, 3:])
        for lump in model.lumps:
            here = slice(6 * lump.node, 6 * lump.node + 6)
            found[here, here] += lump_mass(nodes[lump.node, 3:], lump.m, lump.arm, lump.second)
        return np.asarray(model.spread.T @ found @ model.spread)
    if model.points is None:
        (lump,) = model.lumps
        return lump_mass(x[3:], lump.m, lump.arm, lump.second)
    # of a matrix nothing is known inside: it turns with its first frame
    turn = repeated(rotation_exp(x[3:6]), 2 * len(model.points))
    return np.asarray(turn @ model.mass @ turn.T)


def _moved_mesh(mesh: Mesh, theta: np.ndarray) -> np.ndarray:
    """Mass of a beam's elements, each turned with its ends."""
    found = np.zeros((6 * len(mesh.nodes),) * 2)
    for k, (element, R) in enumerate(zip(mesh.elements, mesh.turned, strict=True)):
        here = slice(6 * k, 6 * k + 12)
        turn = repeated(rotation_exp((theta[k] + theta[k + 1]) / 2.0) @ R, 4)
        rates = np.eye(12)
        for i in (0, 1):
            rates[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] += skew(theta[k + i]) / 2.0
        found[here, here] += rates.T @ turn @ element.mass() @ turn.T @ rates
    return found
