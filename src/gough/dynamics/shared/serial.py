"""Dynamics of a machine with serial parts: its core on a base that moves, between trees.

The trees above are worked out first, for they push the core; the core, by any of the four methods,
loads what carries it; the tree below comes last.  Efforts of serial axes do not depend on those of
the core's motors: what passes between core and carrier is the motion of the masses alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.shared.axes import effort_along
from gough.dynamics.shared.base_wrench import on_base
from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.newton_euler import tree_efforts
from gough.dynamics.shared.state_loads import Push, StateLoads
from gough.kinematics.motion import Kinematics
from gough.kinematics.serial import Branch, SerialMotion
from gough.mechanism.closure.equations import BASE
from gough.mechanism.closure.recursion import Motion, Pose
from gough.mechanism.serial import Follow
from gough.mechanism.topology.tree import ROOT


class Surrounded(NamedTuple):
    """The core of a machine among its serial parts, in a motion.

    Attributes:
        loads: what acts on the core, the motion of its base and the trees above included.
        efforts: of serial axes, in their order, as far as trees above ask for them.
    """

    loads: StateLoads
    efforts: Array


def surrounded(kin: Kinematics, serial: SerialMotion, loads: StateLoads) -> Surrounded:
    """What serial parts and loads do to the core.

    Args:
        kin: the core in motion, seen from what carries it.
        serial: the serial parts in motion.
        loads: on the whole machine, base axes.
    """
    parts, at = serial.parts, kin.solution.equations
    R_b = serial.carrier.R
    ground = serial.carried(loads.ground)
    felt = kin.felt(ground)
    own = {body.name for body in parts.core.bodies}
    pushes = [
        Push(push.body, push.point, R_b.T @ push.f, R_b.T @ push.n)
        for push in loads.pushes
        if push.body in own
    ]
    efforts: Array = np.zeros(len(parts.axes))
    for body, branch in serial.above.items():
        R_k, p_k = at.body_poses[body]
        root = felt.of_body(body)
        placed = Pose(R_b @ R_k, serial.carrier.p + R_b @ p_k)
        own_efforts, f, n = _branch_efforts(serial, branch, root, placed, loads)
        efforts = efforts + own_efforts
        pushes.append(Push(body, np.zeros(3), -(R_k @ f), -(R_k @ n)))
    payload = loads.payload
    carried = payload if payload is not None and payload.body in own else None
    inner = replace(
        loads,
        pushes=tuple(pushes),
        payload=carried,
        base=ground,
        swift=serial.taken_off.speed,
    )
    return Surrounded(inner, efforts)


def serial_efforts(
    kin: Kinematics, serial: SerialMotion, loads: StateLoads, around: Surrounded
) -> Array:
    """Efforts of the serial axes in a motion, in their order ``(e,)`` [N or N m]."""
    parts, ground = serial.parts, loads.ground
    W = on_base(kin, around.loads)  # of the carrier on the core, axes of the carrier
    found, _, _ = _branch_efforts(serial, serial.below, ground, BASE, loads, W)
    return around.efforts + found + _along_axes(serial, loads) if parts.axes else np.zeros(0)


def _masses(serial: SerialMotion, branch: Branch, loads: StateLoads) -> dict[int, Mass]:
    """Inertial parameters of a branch by link; what carries it is not part of it."""
    found = loads.link_masses(serial.parts.robot, branch.tree)
    return {k: mass for k, mass in found.items() if k != ROOT}


def _branch_efforts(
    serial: SerialMotion,
    branch: Branch,
    root: Motion,
    placed: Pose,
    loads: StateLoads,
    W: Array | None = None,
) -> tuple[Array, Array, Array]:
    """Efforts of serial axes, zero for those of other trees, and force and moment on the root.

    ``W`` is what the carrier exerts on the core, in its own axes at its origin.
    """
    tree, parts = branch.tree, serial.parts
    masses = _masses(serial, branch, loads)
    pushes = loads.on_links(tree, branch.placed(placed), placed) if loads.pushes else {}
    pushes.pop(ROOT, None)
    if W is not None:
        mount = tree.bodies[parts.carrier]
        if mount.link != ROOT:
            f = -(mount.R @ W[:3])
            n = -(mount.R @ W[3:]) + cross(mount.p, f)
            before = pushes.get(mount.link, (np.zeros(3), np.zeros(3)))
            pushes[mount.link] = (before[0] + f, before[1] + n)
    tau, f, n = tree_efforts(tree, branch.poses, branch.moving(root), root, masses, pushes)
    entries: list[Array] = [0.0] * len(parts.every)
    for place, effort in zip(parts.places(tree), tau, strict=True):
        entries[place] = effort
    return parts.to_axes(entries), f, n


def _along_axes(serial: SerialMotion, loads: StateLoads) -> Array:
    """Friction, rotors and springs of the serial axes."""
    parts = serial.parts

    def along(name: str, follow: Follow) -> Array:
        axis, what = loads.axis(parts.robot, name), parts.kind(name)
        found = effort_along(
            loads.at_speed(follow.cancelling(serial.qd), 1.0),
            what,
            axis,
            lambda: follow.value(serial.q),
            lambda: follow.rate(serial.qd),
            lambda: follow.rate(serial.qdd),
        )
        return 0.0 if found is None else found

    return parts.to_axes([along(*each) for each in zip(parts.every, parts.follow, strict=True)])
