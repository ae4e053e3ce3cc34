"""Coordinates that are what they stand for: (cos, sin) of length 1, balls that do not distort.

A closed form takes them from points and lengths of the pose.  At a pose that the robot does not
have, they can close every loop and be no rotations.
"""

from __future__ import annotations

import numpy as np

from gough.closure.coordinates import Configuration


def improper(configuration: Configuration) -> float:
    """How far the worst coordinate is from a rotation [rad]."""
    trees = (configuration.hub, *configuration.legs)
    return float(max((_off(at) for tree in trees for at in tree), default=0.0))


def proper(configuration: Configuration) -> Configuration:
    """The nearest rotations."""
    hub, *legs = ([_nearest(at) for at in t] for t in (configuration.hub, *configuration.legs))
    return Configuration(hub, legs, configuration.turns)


def _off(at: np.ndarray) -> float:
    if at.shape == (2,):
        return float(abs(at @ at - 1.0)) / 2.0
    return float(np.abs(at.T @ at - np.eye(3)).max()) / 2.0 if at.shape == (3, 3) else 0.0


def _nearest(at: np.ndarray) -> np.ndarray:
    if at.shape == (2,):
        return np.asarray(at / np.hypot(at[0], at[1]))
    if at.shape != (3, 3):
        return at
    U, _, Vt = np.linalg.svd(at)
    return np.asarray(U @ Vt)
