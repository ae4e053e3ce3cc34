"""Pinocchio counts the same base parameters: regressors of trees, projected on what loops allow."""

import numpy as np
import pytest

import gough
from engine_loops import Closed
from engines import Pinocchio, need_engine
from robots import REDUNDANT_NAMES, ZOO_NAMES, robot

# Found: 5e-5 and more of singular values that count, of the Orthoglide 8e-9 so near home, and 8e-16
# at most of those that do not; the bound is half-way between, in orders.
COUNTS = 1e-11


def _poses(r):
    """Poses of all bodies in assembled postures around home."""
    for T_0p, configuration in r.assembly.samples[1:]:
        at = r.assembly.equations(T_0p, configuration).body_poses
        yield {body.name: _matrix(at[body.name]) for body in r.bodies}


def _matrix(pose):
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = pose
    return T


def _tree_columns(engine):
    """Columns of the tree's regressor that belong to bodies, not to crosses without mass."""
    joints = sorted({engine.joint_of[body.name] for body in engine.robot.bodies})
    return np.concatenate([np.arange(10 * (j - 1), 10 * j) for j in joints])


def _free(engine, poses):
    """Rates of the tree that the loops allow at a posture."""
    return Closed(engine, poses, {name: np.zeros(6) for name in poses}).free


def _rows(engine, poses, rates, rng):
    """What unit parameters ask of the motors in a random motion at a posture."""
    pin = engine.pin
    engine.place({"base": np.eye(4), **poses})
    v = rates @ rng.normal(size=rates.shape[1])
    twists = {name: engine.jacobian(name) @ v for name in poses}
    closed = Closed(engine, poses, twists)
    a = np.linalg.lstsq(closed.J_c, -closed.drift_c, rcond=1e-9)[0]
    a = a + closed.free @ rng.normal(size=closed.free.shape[1])
    Y = pin.computeJointTorqueRegressor(engine.model, engine.scratch, engine.q, engine.v, a)
    N = closed.free
    return np.linalg.lstsq(N.T @ closed.S.T, N.T @ Y[:, _tree_columns(engine)], rcond=1e-9)[0]


@pytest.mark.parametrize("name", ZOO_NAMES + REDUNDANT_NAMES)
def test_pinocchio_counts_the_same(name):
    need_engine(Pinocchio.module)
    r, rng = robot(name), np.random.default_rng(3)
    found = gough.base_parameters(r, parameters=["bodies"])
    engine, rows = Pinocchio(r), []
    postures = [(poses, _free(engine, poses)) for poses in _poses(r)]
    # a few rows more than the number: one parameter more would show
    while sum(map(len, rows)) < found.number + 6:
        rows.append(_rows(engine, *postures[len(rows) % len(postures)], rng))
    W = np.concatenate(rows)
    sizes = np.linalg.norm(W, axis=0)
    unit = W[:, sizes > 1e-9 * sizes.max()] / sizes[sizes > 1e-9 * sizes.max()]
    s = np.linalg.svd(unit, compute_uv=False)
    assert np.count_nonzero(s > COUNTS * s[0]) == found.number
