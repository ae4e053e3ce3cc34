"""Motors whose efforts can be taken straight from their legs.  [KI] (21)-(22)

Such an effort is left out of the leg's ``J_i^-T tau_i`` and added to the answer.  That adds one sum
a motor, and saves at least one operation: the one by which the effort would have entered the
elimination.  Where the unknown it belongs to needs none of those before it, or all that is left of
it cancels, everything that it would have been carried on to is saved as well.  So the split never
counts more than the plain form [KI] (20): `tests/papers/test_split_counts.py` counts the zoo.
"""

from __future__ import annotations

from typing import NamedTuple

from gough.mechanism.closure.axes import HUB
from gough.mechanism.mobility.assembly import Assembly


class OwnEffort(NamedTuple):
    """A motor that drives a link of a leg: its number, the leg, the place among the leg's rates."""

    motor: int
    leg: int
    column: int


def motors_in_legs(assembly: Assembly) -> list[OwnEffort]:
    """Motors whose effort is one of a leg's own; those of a nacelle and of closing joints are not.

    The split is worth while wherever there is one, so nothing has to be counted for a robot.
    """
    found = []
    for motor, place in enumerate(assembly.motor_axes):
        if place.links and place.tree != HUB:
            tree = assembly.topology.legs[place.tree].tree
            found.append(OwnEffort(motor, place.tree, tree.columns[place.links[0]].start))
    return found
