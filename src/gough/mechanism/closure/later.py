"""The closure equations a moment later, so that what they answer carries its time derivative."""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.base.dual import moving
from gough.base.spatial import Array
from gough.mechanism.closure.coordinates import Configuration, advance
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Rates, Solution


def moment_later(solution: Solution, V: Array, rates: Rates) -> Solution:
    """The equations after an infinitesimal time, in dual numbers, with the pivots of now.

    Pose and joints have moved on by their rates.  Every line that is written for a state answers
    with its derivative by time beside its value; numbers and symbols alike.

    Args:
        solution: the state now, pivots chosen for its numbers, or fixed.
        V: platform twist.
        rates: rates of all links.
    """
    now = solution.equations
    T = spatial.moved(_still(spatial.homogeneous(*now.platform)), _step(V))
    trees = zip(now.topology.trees, now.configuration.trees, rates.trees, strict=True)
    joints = Configuration.of(
        advance(tree, [_still(each) for each in at], _step(qd)) for tree, at, qd in trees
    )
    at = Equations(now.topology, now.locks, T, joints)
    return Solution(at, solution.plans, solution.free, solution.motors, solution.constant_Psi)


def _still(values: Array) -> Array:
    """What does not move; dual numbers all the same, as symbols do not meet any."""
    return moving(values, np.zeros(np.shape(values)))


def _step(rates: Array) -> Array:
    """What these rates do in an infinitesimal time."""
    return moving(np.zeros(np.shape(rates)), rates)
