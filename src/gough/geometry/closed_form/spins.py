"""Where idle spins stand that joints drag along: between the smallest swings from all of them.

A pose does not tell them.  A ball that swings has the smallest swing from home against the body
before it; where another body drags the spin as well, it stands half-way between the smallest swings
against both, so that neither twists more than the other.  Three hinges in the place of a ball stand
as that ball would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array, cross
from gough.geometry.closed_form.loops import Key
from gough.geometry.closed_form.steps import swing
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Pose, frame_pose, relative_poses, root_poses
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Topology
from gough.mechanism.topology.tree import ROOT, Tree
from gough.robot.joint_kinds import BALL


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
    found = []
    for spin in _spins(assembly):
        links = assembly.topology.legs[spin.leg].tree.links
        carries = any(each.parent == spin.link for each in links)
        if links[spin.link].move == BALL and not carries:
            found += [spin] if _pulled(assembly, spin, links[spin.link].parent) else []
    return tuple(found)


def row_spins(assembly: Assembly, rows: Iterable[Key]) -> dict[Key, Spin]:
    """The same of bodies behind three hinges, by the key of the ball in their place.

    What drags them is on the platform, or hangs on their leg before them: nothing else is known of
    the pose when the ball is found.
    """
    found: dict[Key, Spin] = {}
    hub = assembly.topology.hub.bodies
    spins = _spins(assembly)
    for key in rows:
        _, leg, first = key
        tree = assembly.topology.legs[leg].tree
        for spin in spins:
            if spin.leg == leg and tree.path(spin.link)[2:3] == (first,):
                before = tree.links[first].parent
                known = [
                    hub[body].link == ROOT
                    if body in hub
                    else tree.bodies[body].link in (ROOT, *tree.path(before))
                    for body, _ in spin.beside
                ]
                if all(known) and _pulled(assembly, spin, before):
                    found[key] = spin
    return found


def _spins(assembly: Assembly) -> list[Spin]:
    """All spins of legs that joints drag along."""
    home = assembly.equations(assembly.T_home, assembly.home)
    found = []
    for index, locks in enumerate(assembly.locks.legs):
        for lock in locks:
            if lock.beside and lock.axis is not None:
                R = home.leg_placed[index][lock.link].R
                at_home = ((body, home.body_poses.get(body, BASE).R.T @ R) for body in lock.beside)
                found.append(Spin(index, lock.link, lock.axis, tuple(at_home)))
    return found


def _pulled(assembly: Assembly, spin: Spin, before: int) -> bool:
    """Whether another body drags than those on the link before."""
    bodies = assembly.topology.legs[spin.leg].tree.bodies.items()
    own = {name for name, mount in bodies if mount.link == before}
    return not {body for body, _ in spin.beside} <= own


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

        def rotation(body: str, tree: Tree = tree, placed: list[Pose] = placed) -> Array:
            if body in tree.bodies:
                return frame_pose(placed, BASE, tree.bodies[body]).R
            return frame_pose(hub, platform, topology.hub.bodies[body]).R

        turn = _turned(placed[link].R, x, beside, rotation)
        legs[leg][link] = configuration.legs[leg][link] @ turn
    return Configuration(configuration.hub, legs)


def settled_row(
    topology: Topology, T_0p: Array, values: Mapping[Key, Array], key: Key, spin: Spin
) -> Array:
    """The ball in the place of three hinges with the spin behind it where it stands."""
    _, leg, first = key
    tree = topology.legs[leg].tree
    links = tree.path(tree.links[first].parent)[::-1]
    known = [values["link", leg, i] for i in links]
    poses = relative_poses(Tree(tuple(tree.links[i] for i in links), {}), known)
    rotations = {ROOT: np.eye(3)}
    R: Array = np.eye(3)
    for i, pose in zip(links, poses, strict=True):
        R = rotations[i] = R @ pose.R

    def rotation(body: str) -> Array:
        if body in tree.bodies:
            mount = tree.bodies[body]
            return rotations[mount.link] @ mount.R
        return T_0p[:3, :3] @ topology.hub.bodies[body].R

    return values[key] @ _turned(
        R @ tree.links[first].R @ values[key], spin.axis, spin.beside, rotation
    )


def _turned(
    R: Array,
    x: np.ndarray,
    beside: Sequence[tuple[str, np.ndarray]],
    rotation: Callable[[str], Array],
) -> Array:
    """The turn of a link about its axis to half-way between the smallest swings from home.

    Args:
        R: the link's rotation as it is.
        x: its axis.
        beside: bodies, with the link's rotation seen from each at home.
        rotation: of a body.
    """
    c, s = 0.0, 0.0
    y = _across(x)
    for body, home in beside:
        R_b = rotation(body)
        # R turned about x is R_b times the smallest swing of the axis from home
        swung = R.T @ R_b @ swing(home @ x, R_b.T @ (R @ x)) @ home
        c, s = c + y @ swung @ y, s + cross(x, y) @ swung @ y
    size = np.sqrt(c * c + s * s)
    across = np.outer(x, x) + (np.eye(3) - np.outer(x, x)) * (c / size)
    return across + spatial.skew(x) * (s / size)


def _across(x: np.ndarray) -> np.ndarray:
    """A unit vector across another."""
    y = np.eye(3)[int(np.argmin(np.abs(x)))]
    y = y - x * (x @ y)
    return np.asarray(y / np.linalg.norm(y))
