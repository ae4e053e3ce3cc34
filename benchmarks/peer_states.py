"""Robots and states of the comparison, and the same states in the coordinates of a tree.

The peers know trees only.  They get one with as few coordinates as there are, with all motors in
it, and joint positions, rates and accelerations that are worked out beforehand: geometry is free
for them, while gough finds all joints from the platform's pose.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gough
from gough import build

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from engine_loops import Closed  # the tests have models of any robot in both engines
from engine_trees import spanning_tree
from engines import Engine

ROBOTS = ("gough_stewart", "delta", "five_bar", "quattro")
STATES = 100
"""Different states; larger batches repeat them."""

_TREES = 400


class States(NamedTuple):
    """States of a robot as a user of gough has them, one a row."""

    T: np.ndarray
    V: np.ndarray
    Vdot: np.ndarray
    tau: np.ndarray

    def many(self, count: int) -> States:
        """As many states as asked for, the same ones again and again."""
        return States(*(np.ascontiguousarray(a[_again(a, count)]) for a in self))


class TreeStates(NamedTuple):
    """The same states in a tree: positions, rates, accelerations, efforts on all rates."""

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    tau: np.ndarray

    def many(self, count: int) -> TreeStates:
        """As many states as asked for, the same ones again and again."""
        return TreeStates(*(np.ascontiguousarray(a[_again(a, count)]) for a in self))


def _again(array: np.ndarray, count: int) -> np.ndarray:
    return np.arange(count) % len(array)


def states(robot: gough.Robot, count: int = STATES) -> States:
    """Random states around home."""
    a, rng = robot.assembly, np.random.default_rng(7)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = home + 0.1 * a.scales.freedoms * rng.uniform(-1.0, 1.0, (count, a.mobility))
    rates = rng.normal(size=(2, count, a.mobility)) * a.scales.freedoms
    T, V, Vdot = gough.state(robot, x, *rates).arrays
    tau = 20.0 * rng.normal(size=(count, len(robot.motors)))
    return States(T, V, Vdot, tau)


def many_legged(legs: int) -> gough.Robot:
    """A hexapod on more legs: six are driven, the others follow."""

    def ring(radius: float, six: list[float]) -> np.ndarray:
        angles = np.radians([*six, *(60.0 + 37.0 * np.arange(legs - 6))])
        return np.stack([radius * np.cos(angles), radius * np.sin(angles), 0 * angles], axis=1)

    robot = build.hexapod(
        ring(0.6, [-12, 12, 108, 132, 228, 252]),
        ring(0.3, [-50, 50, 70, 170, 190, 290]),
        name=f"legs_{legs}",
        platform=gough.inertia.cylinder(8.0, 0.3, 0.03),
        legs=build.Leg(
            proximal=gough.inertia.rod(1.2, (0, 0, 0), (0, 0, 0.4)),
            distal=gough.inertia.rod(0.6, (0, 0, -0.4), (0, 0, 0)),
            motor=gough.Axis(),
        ),
    )
    return dataclasses.replace(robot, motors=robot.motors[:6], redundant=False)


def best_seed(robot: gough.Robot) -> int | None:
    """Seed of a tree with the fewest coordinates and all motors in it."""
    sizes = {"spherical": 3, "universal": 2, "cylindrical": 2, "planar_contact": 3}
    wanted = {name.split(".")[0] for name in robot.motors}

    def worth(seed: int | None) -> float:
        links, _ = spanning_tree(robot, seed)
        if not wanted <= {link.joint.name for link in links if not link.reversed}:
            return np.inf
        return sum(sizes.get(link.joint.kind, 1) for link in links)

    return min([None, *range(_TREES)], key=worth)


def tree_states(engine: Engine, given: States, positions: Any) -> tuple[TreeStates, np.ndarray]:
    """States in the tree of an engine, and which of its rates are those of the motors.

    Args:
        engine: the tree.
        given: the states.
        positions: reads the joint positions that the engine has taken.
    """
    p = gough.posture(engine.robot, gough.State(given.T, given.V, given.Vdot))
    found = []
    for i, tau in enumerate(given.tau):
        poses, twists, rates = (
            {name: x[i] for name, x in group.items()}
            for group in (p.bodies, p.twists, p.twist_rates)
        )
        closed = Closed(engine, poses, twists)
        found.append((positions(), closed.v, closed.accelerations(rates), closed.S.T @ tau))
    motors = np.abs(closed.S).argmax(axis=1)
    if not np.allclose(closed.S, np.eye(engine.nv)[motors]):
        raise RuntimeError(f"{engine.robot.name}: motors are no rates of the tree")
    return TreeStates(*(np.array(part) for part in zip(*found, strict=True))), motors


def independent_rows(J: np.ndarray, rank: int) -> np.ndarray:
    """Rows of a constraint Jacobian that say all it says, in order."""
    kept: list[int] = []
    basis = np.zeros((0, J.shape[1]))
    for k, row in enumerate(J):
        left = row - basis.T @ (basis @ row)
        left -= basis.T @ (basis @ left)
        if np.linalg.norm(left) > 1e-6 and len(kept) < rank:
            kept.append(k)
            basis = np.vstack([basis, left / np.linalg.norm(left)])
    return np.array(kept)
