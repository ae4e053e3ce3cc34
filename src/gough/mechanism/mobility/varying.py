"""Closure rows without what never changes: most of their entries are zero in every state.

Machine code that writes constants takes LLVM ten times as long: a program answers what varies, and
the rest is put beside it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array, collect
from gough.mechanism.closure.coordinates import packed_length, unpack
from gough.mechanism.closure.dense import natural_rows
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly

_TRIALS = 3  # entries are smooth in all coordinates: a varying one is never the same in two


class RowPattern(NamedTuple):
    """Which entries of the closure rows vary.

    Attributes:
        constant: all rows, natural units, zero where entries vary ``(r, n_u + 6)``.
        places: of those that vary, in C order ``(k,)``.
    """

    constant: np.ndarray
    places: np.ndarray

    def entries(self, at: Equations, length: float) -> Array:
        """What varies, of numbers or symbols ``(k,)``."""
        rows = natural_rows(at, length)
        width = self.constant.shape[1]
        return collect([rows[k // width, k % width] for k in self.places.tolist()])

    def rows(self, entries: np.ndarray) -> np.ndarray:
        """All rows from what varies ``(..., k)``."""
        lead = entries.shape[:-1]
        found = np.empty((*lead, self.constant.size))
        found[...] = self.constant.reshape(-1)
        found[..., self.places] = entries
        return found.reshape(*lead, *self.constant.shape)


@known_of(Assembly)
def row_pattern(assembly: Assembly) -> RowPattern:
    """The pattern of a robot, from random coordinates of all its links, loops open."""
    rng, found = np.random.default_rng(0), []
    for _ in range(_TRIALS):
        T_0p = np.eye(4)
        T_0p[:3] = rng.normal(size=(3, 4))
        joints = unpack(assembly.topology, rng.normal(size=packed_length(assembly.topology)))
        found.append(np.asarray(natural_rows(assembly.equations(T_0p, joints), assembly.length)))
    varies = (np.array(found) != found[0]).any(axis=0)
    return RowPattern(np.where(varies, 0.0, found[0]), np.flatnonzero(varies))
