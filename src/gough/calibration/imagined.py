"""Measurements that nobody has made: of any kind, at places where a machine could be measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gough.calibration.bench import Bench, Seen
from gough.calibration.kinds import (
    Distances,
    Encoders,
    Heights,
    Lengths,
    Orientations,
    Poses,
    Positions,
)
from gough.calibration.measured import Measurements

Kind = type[Measurements] | Measurements
"""A class, or measurements whose anchor, axis and components are meant."""

NoiseOf = Callable[[str], float]
"""Standard deviation of numbers in ``m`` or ``rad``."""

_SEED = 5  # any; of second states that are paired at random


class Imagined(NamedTuple):
    """Measurements without values of their own: they are as predicted.

    Attributes:
        measurements: of one kind.
        states: which of the places each is about ``(K, s)``.
    """

    measurements: Measurements
    states: np.ndarray


def imagined(like: Kind, bench: Bench, seen: Seen, noise: NoiseOf) -> Imagined:
    """Measurements of a kind at all places.

    Args:
        like: the kind.
        bench: the places.
        seen: the machine there.
        noise: standard deviations.
    """
    q, T = bench.readings, seen.T_dt
    kind = like if isinstance(like, type) else type(like)
    own = np.arange(len(q))[:, None]
    found: Measurements
    if kind is Poses:
        found = Poses(q, T, (noise("m"), noise("rad")))
    elif kind is Orientations:
        found = Orientations(q, T[:, :3, :3], noise("rad"))
    elif kind is Heights:
        found = Heights(q, T[:, 2, 3], noise("m"))
    elif kind is Lengths and isinstance(like, Lengths):
        far = np.linalg.norm(T[:, :3, 3] - like.anchor[0], axis=1)
        found = Lengths(q, like.anchor[0], np.maximum(far, 1e-9), noise("m"))
    elif kind is Encoders and isinstance(like, Encoders):
        std = noise("m" if like.slides else "rad")
        found = Encoders(q, like.axis, np.zeros(len(q)), std, slides=like.slides)
    elif kind is Distances:
        own = _pairs(T[:, :3, 3])
        way = np.linalg.norm(T[own[:, 0], :3, 3] - T[own[:, 1], :3, 3], axis=1)
        found = Distances(q[own[:, 0]], q[own[:, 1]], np.maximum(way, 1e-9), noise("m"))
    else:
        found = Positions(q, T[:, :3, 3], noise("m"))
    if isinstance(like, Measurements):  # components that are never measured stay so
        never = ~np.isfinite(like.values).any(axis=0)
        found.values[:, never] = np.nan
    return Imagined(found, own)


def _pairs(points: np.ndarray) -> np.ndarray:
    """Every place with the one that is farthest from it, and with one by chance ``(2 K, 2)``."""
    count = len(points)
    far = [int(np.argmax(np.linalg.norm(points - p, axis=1))) for p in points]
    chance = np.random.default_rng(_SEED).permutation(count)
    first = np.arange(count)
    pairs = np.concatenate([np.stack([first, far], axis=1), np.stack([first, chance], axis=1)])
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])
