"""Couplings at one state: ``sum(c q) = offset``, one closure row each.

An angle is the one nearest home's, and a row is reduced by whole turns of its fastest axis, which
come back to the same posture.  Where all ratios to it are whole numbers, the axes may turn as often
as they like.  Elsewhere the slower axes stay within half a turn of home: beyond, the row jumps, and
no step across the jump is trusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.once import find_fact
from gough.base.spatial import Array, total
from gough.mechanism.closure.axes import (
    HUB,
    AxisPlace,
    axis_rows,
    coordinate,
    find_place,
    loop_joint_rate,
    nearest_angle,
    turn_of_screw,
)
from gough.mechanism.topology.coupled import Coupled
from gough.mechanism.topology.topology import Topology
from gough.robot.joint_kinds import KINDS, TURN

if TYPE_CHECKING:
    from gough.mechanism.closure.equations import Equations, Moving


def places(topology: Topology, coupled: Coupled) -> list[AxisPlace]:
    """Where the axes of a coupling are found."""

    def make(topology: Topology) -> list[AxisPlace]:
        return [find_place(topology, term.joint, term.which) for term in coupled.terms]

    return find_fact(topology, (places, coupled.coupling.name), make)


def row_scale(coupled: Coupled, length: float) -> float:
    """Size of the row in natural units: its largest term of a turn of 1 rad, or a slide as long."""
    turns = _turns(coupled)
    sizes = (
        abs(term.coefficient) * (1.0 if turn else length)
        for term, turn in zip(coupled.terms, turns, strict=True)
    )
    return max(sizes)


def coupling_residual(at: Equations, coupled: Coupled) -> Any:
    """What is missing to the offset, reduced by whole turns of the fastest axis."""
    found: Any = coupled.coupling.offset
    for term, place in zip(coupled.terms, places(at.topology, coupled), strict=True):
        if KINDS[term.joint.kind].is_screw:
            q = turn_of_screw(at, place)
        else:
            carried = coordinate(at, place)
            q = carried[0] if len(carried) == 1 else nearest_angle(carried, term.angle)
        found = found - q * term.coefficient
    turning = [
        abs(term.coefficient)
        for term, turn in zip(coupled.terms, _turns(coupled), strict=True)
        if turn and not KINDS[term.joint.kind].is_screw  # the angle of a screw is counted
    ]
    if not turning:
        return found
    unit = min(turning)
    angle = found * (1.0 / unit)
    return np.arctan2(np.sin(angle), np.cos(angle)) * unit


def coupling_gaps(at: Equations, length: float) -> list[Any]:
    """What all couplings miss, natural units."""
    return [
        coupling_residual(at, coupled) * (1.0 / row_scale(coupled, length))
        for group in at.topology.couplings
        for coupled in group
    ]


def coupling_row(at: Equations, coupled: Coupled) -> tuple[Array, Array | None]:
    """The row over the rates of its tree, and over z: none where z has no part in it."""
    tree = next((p.tree for p in places(at.topology, coupled) if p.tree != HUB), HUB)
    own: Array = np.zeros(at.topology.trees[tree + 1].rates)
    over_z: Array = np.zeros(6 + at.topology.hub.rates)
    seen = False
    for term, place in zip(coupled.terms, places(at.topology, coupled), strict=True):
        (on_tree,), (z,) = axis_rows(at, place)
        if place.tree == tree:
            own = own + on_tree * term.coefficient
        else:  # a joint of the hub in a coupling of a leg
            z = z + np.concatenate([np.zeros(6), on_tree])
        if place.tree != tree or not place.links:
            over_z, seen = over_z + z * term.coefficient, True
    return own, over_z if seen and tree != HUB else None


def coupling_bias(at: Equations, coupled: Coupled, moving: Moving, hub: Array) -> Any:
    """Right side of the row for accelerations, from a motion whose legs do not accelerate.

    ``hub`` are accelerations of the hub's own joints.
    """
    tree = at.topology.hub
    owner = next((p.tree for p in places(at.topology, coupled) if p.tree != HUB), HUB)
    terms: list[Any] = []
    for term, place in zip(coupled.terms, places(at.topology, coupled), strict=True):
        if not place.links:
            terms.append(loop_joint_rate(at, moving, place, level=2) * -term.coefficient)
        elif place.tree == HUB != owner:
            terms.append(hub[tree.columns[place.links[0]].start] * -term.coefficient)
    return total(terms)


def _turns(coupled: Coupled) -> list[bool]:
    return [list(term.joint.axis_kinds.values())[term.which] == TURN for term in coupled.terms]
