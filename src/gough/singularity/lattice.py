"""Type 2 poses on a lattice around a pose, reached from neighbour to neighbour.

Straight ways from a pose end where a leg is stretched; the lattice goes round such places.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

import numpy as np

from gough.singularity.neighbourhood import Neighbourhood, Place, aligned

CELLS = {2: 0.15, 3: 0.25}
"""Edge of a cell by the number of freedoms, natural units; more freedoms have too many cells.

Newton's method steps over a cell, and 700 cells fill a radius of 2.2 lengths in the plane and of
1.4 in space.
"""

_MOST = 700  # places: each takes some milliseconds

Cell = tuple[int, ...]


class Pair(NamedTuple):
    """Neighbours with a singularity between them, in the same basis of twists."""

    low: Place
    high: Place

    @property
    def distance(self) -> float:
        """Of the nearer one, natural units."""
        return min(self.low.distance, self.high.distance)


class Lattice:
    """Reachable places around a pose, the nearest first.

    Args:
        around: the pose.
        bound: radius of the search, natural units; reduced as soon as a singularity is met.

    Attributes:
        pairs: neighbours with a Type 2 pose between them.
        places: what was reached, by cell.
    """

    def __init__(self, around: Neighbourhood, bound: float) -> None:
        self.around, self.bound = around, bound
        self.pairs: list[Pair] = []
        n = len(around.start.x)
        self.places: dict[Cell, Place] = {(0,) * n: around.start}
        if n in CELLS:
            self._spread(CELLS[n])

    @property
    def low_places(self) -> list[Place]:
        """Local minima of the distance to Type 2, the lowest first; used where there is no sign."""
        found = []
        for cell, place in self.places.items():
            beside = [self.places[c] for c in _beside(cell) if c in self.places]
            if any(cell) and all(place.look.type_2 <= other.look.type_2 for other in beside):
                found.append(place)
        return sorted(found, key=lambda place: place.look.type_2)

    def _spread(self, edge: float) -> None:
        start = next(iter(self.places))
        waiting, done = [(0.0, start)], set[Cell]()
        while waiting and len(self.places) < _MOST:
            distance, cell = heappop(waiting)
            # a pair may have one end beyond what is between them
            if distance > self.bound + edge:
                break
            done.add(cell)
            for other in _beside(cell):
                if other in done:
                    continue
                here, known = self.places[cell], self.places.get(other)
                x = edge * np.array(other, dtype=float)
                if known is not None:
                    there = aligned(known, here)
                    if _opposed(here, there) and self.around.connected(here, there):
                        self._note(here, there)
                elif np.linalg.norm(x) <= self.bound + edge:
                    new = self.around.step(here, x)
                    if new is None:
                        continue
                    self.places[other] = new
                    heappush(waiting, (new.distance, other))
                    if _opposed(here, new):
                        self._note(here, new)

    def _note(self, here: Place, there: Place) -> None:
        """Record neighbours that a singularity separates, and reduce the radius to them."""
        self.pairs.append(Pair(here, there))
        self.bound = min(self.bound, max(here.distance, there.distance))


def _opposed(here: Place, there: Place) -> bool:
    """Whether the motors' determinant has changed its sign."""
    return here.look.square and here.signed * there.signed <= 0.0


def _beside(cell: Cell) -> list[Cell]:
    """Cells that share a face with one."""
    return [
        (*cell[:k], cell[k] + way, *cell[k + 1 :]) for k, way in product(range(len(cell)), (-1, 1))
    ]
