"""Quantities of a state: formula and row together, one file a family; the table of all of them.

A file of this room enters its formulas by ``@quantity(inputs, outputs, start, ...)``; ``row`` says
what a row is, ``ports`` what inputs and outputs are, ``states`` how a state is found and solved
with numbers and with symbols.
"""

from __future__ import annotations

from gough.dynamics.quantities import (
    coordinates,
    dynamic,
    integration,
    joints,
    kinematic,
    motors,
    page,
    screws,
    serial,
)
from gough.dynamics.quantities.row import ROWS, Quantity

__all__ = ["PUBLIC", "ROWS", "Quantity"]

_FAMILIES = (kinematic, dynamic, coordinates, motors, integration, joints, page, screws, serial)

PUBLIC = {name: row for name, row in ROWS.items() if row.public}
"""What ``gough.compile`` answers, by name."""
