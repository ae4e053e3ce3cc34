"""Coordinates of links, carried without angles.

A turn is a pair (cos, sin), a slide its distance, a screw its angle, a ball its rotation matrix.
Rates are plain: one number each, three for a ball (angular velocity in axes of the link).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, collect
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import Link, Tree
from gough.robot.joint_kinds import BALL, SLIDE, TURN

_LENGTH = {TURN: 2, BALL: 9}


class Configuration(NamedTuple):
    """Coordinates of every link: of the hub's tree, and of each leg's tree.

    Attributes:
        hub: coordinates of the hub's links.
        legs: coordinates of each leg's links.
        turns: whole turns that (cos, sin) pairs have made since home, where they were counted, by
            the place of the axis.
        near: angles that those of (cos, sin) pairs are near to, by the place of the axis, where
            they are followed from state to state [rad].
    """

    hub: list[Array]
    legs: list[list[Array]]
    turns: Mapping[Any, float] | None = None
    near: Mapping[Any, Any] | None = None

    @classmethod
    def of(cls, trees: Iterable[list[Array]]) -> Configuration:
        """Coordinates of the hub's tree, then of each leg's."""
        hub, *legs = trees
        return cls(hub, legs)

    @property
    def trees(self) -> tuple[list[Array], ...]:
        """Coordinates of the hub's tree, then of each leg's."""
        return (self.hub, *self.legs)


def advance(tree: Tree, coordinates: Sequence[Array], step: Array) -> list[Array]:
    """Coordinates after a small step of the rates' length, without trigonometry.

    A turn by ``d`` becomes ``(c - s d, s + c d) / sqrt(1 + d^2)``, a ball its Cayley rotation: both
    agree with the exact motion to second order, which is all that Newton's method asks.
    """
    moved = []
    for link, at, columns in zip(tree.links, coordinates, tree.columns, strict=True):
        d = step[columns]
        if link.move == TURN:
            c, s, t = at[0], at[1], d[0]
            moved.append(collect([c - s * t, s + c * t]) / np.sqrt(1.0 + t * t))
        elif link.move == BALL:
            moved.append(at @ spatial.cayley(d))
        else:
            moved.append(at + d)
    return moved


def pack(configuration: Configuration) -> Array:
    """All coordinates in one vector: the hub's, then each leg's."""
    flat = [at.reshape(-1) for tree in configuration.trees for at in tree]
    return np.concatenate(flat) if flat else np.zeros(0)


def unpack(topology: Topology, vector: Array) -> Configuration:
    """The configuration that :func:`pack` made into a vector."""
    start = 0
    trees: list[list[Array]] = []
    for tree in topology.trees:
        coordinates = []
        for link in tree.links:
            length = _LENGTH.get(link.move, 1)
            at = vector[start : start + length]
            coordinates.append(at.reshape(3, 3) if link.move == BALL else at)
            start += length
        trees.append(coordinates)
    return Configuration.of(trees)


def packed_length(topology: Topology) -> int:
    """Length of the vector that :func:`pack` makes."""
    return sum(_LENGTH.get(link.move, 1) for tree in topology.trees for link in tree.links)


def neutral(link: Link) -> np.ndarray:
    """Coordinate zero of a link."""
    return np.eye(3) if link.move == BALL else np.array([1.0, 0.0] if link.move == TURN else [0.0])


def scale_of_rates(tree: Tree, length: float) -> np.ndarray:
    """Size of each rate in natural units: 1 rad, or the robot's length for a slide."""
    scales = [[scale_of_move(link, length)] * link.rates for link in tree.links]
    return np.array([s for group in scales for s in group])


def scale_of_move(link: Link, length: float) -> float:
    """Size of a link's rate in natural units."""
    return length if link.move == SLIDE else 1.0
