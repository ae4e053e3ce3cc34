"""Legs of one kind: those that one routine can serve, whatever their figures.

Alike are legs with the same links, joints, bodies and frozen freedoms in the same places, with
something on the same axes, and with joints found by the same steps.  What their numbers are does
not matter, which sign a root has included.
"""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations
from typing import NamedTuple

from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.masses import known_base_masses, link_masses
from gough.dynamics.shared.parameters import own_parameters, present
from gough.geometry.closed_form.alike import steps_without_numbers
from gough.geometry.closed_form.search import ClosedForm
from gough.mechanism.closure.locks import Lock
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Leg
from gough.robot.joint_kinds import BALL


def kinds_of_legs(
    assembly: Assembly, variant: Variant, form: ClosedForm | None
) -> list[tuple[int, ...]]:
    """Legs by their numbers, alike ones together, in the order of their first ones.

    Args:
        assembly: the robot.
        variant: which model; loads may push some legs and not others.
        form: how joints are found, see :func:`gough.geometry.closed_form.alike.alike_form`.
    """
    found: dict[Hashable, list[int]] = {}
    for i in range(len(assembly.topology.legs)):
        found.setdefault(_signature(assembly, variant, form, i), []).append(i)
    return [tuple(legs) for legs in found.values()]


def differences(
    assembly: Assembly, variant: Variant, form: ClosedForm | None
) -> tuple[str, str, list[str]] | None:
    """The two legs that are most alike, by name, and what they differ in; none of a single leg."""
    legs = assembly.topology.legs
    parts = [_signature(assembly, variant, form, i)._asdict() for i in range(len(legs))]
    pairs = [
        ([what.replace("_", " ") for what in one if one[what] != other[what]], i, j)
        for (i, one), (j, other) in combinations(enumerate(parts), 2)
    ]
    if not pairs:
        return None
    found, i, j = min(pairs, key=lambda pair: len(pair[0]))
    return legs[i].name, legs[j].name, found


class _Signature(NamedTuple):
    """All that legs of one kind have in common; the names are words of an error."""

    links: Hashable
    joints_that_close_loops: Hashable
    frozen_freedoms: Hashable
    couplings: Hashable
    bodies_and_loads_on_them: Hashable
    what_is_on_their_axes: Hashable
    steps_that_find_their_joints: Hashable


def _signature(
    assembly: Assembly, variant: Variant, form: ClosedForm | None, index: int
) -> _Signature:
    leg = assembly.topology.legs[index]
    return _Signature(
        _links(leg),
        _closings(leg),
        tuple(_lock(assembly, index, lock) for lock in assembly.locks.legs[index]),
        tuple(each.coupling.name for each in assembly.topology.couplings[index + 1]),
        _bodies(assembly, variant, leg),
        _axes(assembly, index),
        None if form is None else steps_without_numbers(form, index),
    )


def _lock(assembly: Assembly, index: int, lock: Lock) -> Hashable:
    """A frozen freedom; bodies that drag along are those on links of the leg, or of the hub."""
    hub = assembly.topology.hub.bodies
    own = assembly.topology.legs[index].tree.bodies

    def place(body: str) -> Hashable:
        return body in own, own[body].link if body in own else hub[body].link

    through = tuple(tuple((*pivot[2:], place(pivot.body)) for pivot in row) for row in lock.through)
    beside = tuple(place(body) for body in lock.beside)
    return lock.link, lock.axis is None, lock.column, beside, through


def _links(leg: Leg) -> Hashable:
    """Which way a joint was described matters for a ball only: its coordinate is a matrix."""
    return tuple(
        (k.parent, k.move, k.pitch, k.axis, k.transposed and k.move == BALL) for k in leg.tree.links
    )


def _closings(leg: Leg) -> Hashable:
    return tuple(
        (c.joint.kind, c.joint.pitch, c.near.link, c.far.link, c.far_on_hub, c.near_is_parent)
        for c in leg.closings
    )


def _bodies(assembly: Assembly, variant: Variant, leg: Leg) -> Hashable:
    """Where bodies sit, which of them loads push, and which links have mass."""
    _, *moving = leg.tree.bodies.items()  # the first one is the base
    pushed = tuple((mount.link, variant.pushed.count(name)) for name, mount in moving)
    masses = [find(assembly.robot, leg.tree) for find in (link_masses, known_base_masses)]
    return pushed, tuple(tuple(each) for each in masses)


class Place(NamedTuple):
    """Where an axis of a leg is found, whichever the leg."""

    links: tuple[int, ...]
    closing: int
    which: int
    what: str


def leg_axes(assembly: Assembly, index: int) -> dict[Place, str]:
    """Names of the axes of a leg by their places, in the same order for legs of one kind."""
    found = {Place(*at[1:]): name for name, at in assembly.axes.items() if at.tree == index}
    return {place: found[place] for place in sorted(found)}


def _axes(assembly: Assembly, index: int) -> Hashable:
    """Places of axes, with what each has on it, and whether it is driven."""
    robot, found = assembly.robot, []
    for place, name in leg_axes(assembly, index).items():
        *figures, _ = own_parameters(robot.axis(name))
        found.append((place, tuple(map(present, figures)), name in robot.motors))
    return tuple(found)
