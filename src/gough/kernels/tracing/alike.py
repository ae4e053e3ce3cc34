"""Legs of one kind: those that one routine can serve, whatever their figures.

Alike are legs with the same links, joints, bodies and frozen freedoms in the same places, with
something on the same axes, and with joints found by the same steps.  What their numbers are does
not matter, which sign a root has included.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from gough.dynamics.shared.masses import known_base_masses, link_masses
from gough.dynamics.shared.parameters import own_parameters, present
from gough.geometry.closed_form.alike import steps_without_numbers
from gough.geometry.closed_form.search import ClosedForm
from gough.kernels.tracing.variant import Variant
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.topology import Leg


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


def _signature(
    assembly: Assembly, variant: Variant, form: ClosedForm | None, index: int
) -> Hashable:
    """All that legs of one kind have in common."""
    leg = assembly.topology.legs[index]
    locks = tuple((k.link, k.axis is None, k.column) for k in assembly.locks.legs[index])
    return (
        _links(leg),
        _closings(leg),
        locks,
        _bodies(assembly, variant, leg),
        _axes(assembly, index),
        None if form is None else steps_without_numbers(form, index),
    )


def _links(leg: Leg) -> Hashable:
    return tuple((k.parent, k.move, k.pitch, k.axis, k.transposed) for k in leg.tree.links)


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
