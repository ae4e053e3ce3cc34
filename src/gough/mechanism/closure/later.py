"""The closure equations a moment later, so that what they answer carries its time derivative."""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.base.dual import moving
from gough.base.spatial import Array
from gough.mechanism.closure.coordinates import Configuration, advance
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Rates, Solution


def moment_later(solution: Solution, V: np.ndarray, rates: Rates) -> Solution:
    """The equations after an infinitesimal time, in dual numbers, with the pivots of now.

    Pose and joints have moved on by their rates.  Every line that is written for a state answers
    with its derivative by time beside its value (numbers only).

    Args:
        solution: the state now, pivots chosen for its numbers.
        V: platform twist.
        rates: rates of all links.
    """
    now = solution.equations
    T = spatial.moved(spatial.pose(*now.platform), _step(V))
    trees = zip(now.topology.trees, now.configuration.trees, rates.trees, strict=True)
    joints = Configuration.of(advance(tree, at, _step(qd)) for tree, at, qd in trees)
    at = Equations(now.topology, now.locks, T, joints)
    return Solution(at, solution.plans, solution.free, solution.motors)


def _step(rates: np.ndarray) -> Array:
    """What these rates do in an infinitesimal time."""
    return moving(np.zeros(np.shape(rates)), rates)
