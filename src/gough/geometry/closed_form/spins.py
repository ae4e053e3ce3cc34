"""Where idle spins stand that joints drag along: between the smallest swings from all of them.

A pose does not tell them.  A ball that swings has the smallest swing from home against the body
before it; where another body drags the spin as well, it stands half-way between the smallest swings
against both, so that neither twists more than the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, cross
from gough.geometry.closed_form.steps import swing
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose, frame_pose, relative_poses, root_poses
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.moves import BALL
from gough.mechanism.topology.topology import Topology


class Spin(NamedTuple):
    """A dragged spin about the axis of a ball's link.

    Attributes:
        leg: its leg.
        link: the link behind the ball.
        axis: in link axes.
        beside: bodies that drag it along, with the link's rotation seen from each at home.
    """

    leg: int
    link: int
    axis: np.ndarray
    beside: tuple[tuple[str, np.ndarray], ...]


def dragged_spins(assembly: Assembly) -> tuple[Spin, ...]:
    """Spins that are not where the smallest swing against the body before them leaves them."""
    home = assembly.equations(assembly.T_home, assembly.home)
    found = []
    for index, (leg, locks) in enumerate(
        zip(assembly.topology.legs, assembly.locks.legs, strict=True)
    ):
        for lock in locks:
            if not lock.beside or lock.axis is None:
                continue
            link = leg.tree.links[lock.link]
            before = [name for name, mount in leg.tree.bodies.items() if mount.link == link.parent]
            carries = any(each.parent == lock.link for each in leg.tree.links)
            if link.move != BALL or carries or set(lock.beside) <= set(before):
                continue
            R = home.leg_placed[index][lock.link].R
            at_home = tuple((body, home.body_poses.get(body, BASE).R.T @ R) for body in lock.beside)
            found.append(Spin(index, lock.link, lock.axis, at_home))
    return tuple(found)


def settled(
    topology: Topology, T_0p: Array, configuration: Configuration, spins: Sequence[Spin]
) -> Configuration:
    """The same posture with dragged spins where they stand."""
    platform = Pose(T_0p[:3, :3], T_0p[:3, 3])
    hub = root_poses(topology.hub, relative_poses(topology.hub, configuration.hub), platform)
    legs = [list(leg) for leg in configuration.legs]
    for leg, link, x, beside in spins:
        tree = topology.legs[leg].tree
        placed = root_poses(tree, relative_poses(tree, configuration.legs[leg]), BASE)
        R = placed[link].R
        c, s = 0.0, 0.0
        for body, home in beside:
            if body in tree.bodies:
                R_b = frame_pose(placed, BASE, tree.bodies[body]).R
            else:
                R_b = frame_pose(hub, platform, topology.hub.bodies[body]).R
            # R turned about x is R_b times the smallest swing of the axis from home
            swung = R.T @ R_b @ swing(home @ x, R_b.T @ (R @ x)) @ home
            y = _across(x)
            c, s = c + y @ swung @ y, s + cross(x, y) @ swung @ y
        size = np.sqrt(c * c + s * s)
        turn = np.outer(x, x) + (np.eye(3) - np.outer(x, x)) * (c / size)
        legs[leg][link] = configuration.legs[leg][link] @ (turn + spatial.skew(x) * (s / size))
    return Configuration(configuration.hub, legs)


def _across(x: np.ndarray) -> np.ndarray:
    """A unit vector across another."""
    y = np.eye(3)[int(np.argmin(np.abs(x)))]
    y = y - x * (x @ y)
    return np.asarray(y / np.linalg.norm(y))
