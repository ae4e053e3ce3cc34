"""Elastic parts of a machine, by name: who stores the energy of a deflection or of a vibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


@dataclass(frozen=True, eq=False)
class Part:
    """A part that gives way.

    Attributes:
        name: in words: ``beam of arm1``, ``gear of arm1``, ``bearing of elbow2``.
        strains: of the part per coordinate of the machine ``(m, n)``; half the sum of their squares
            is its strain energy.
        damping: loss factor: the share of the energy that is lost per radian.
    """

    name: str
    strains: np.ndarray
    damping: float = 0.0

    def energy(self, x: np.ndarray) -> np.ndarray:
        """Strain energy of displacements, columns ``(n, m)`` [J]."""
        return np.asarray((np.abs(self.strains @ x) ** 2).sum(axis=0) / 2.0)


def spring(name: str, rows: np.ndarray, stiffness: float) -> Part:
    """A spring on displacements, each a row over the coordinates ``(k, n)``."""
    return Part(name, np.sqrt(stiffness) * rows)


class Damper(NamedTuple):
    """What opposes speed.

    Attributes:
        rows: its motion per coordinate of the machine ``(k, n)``.
        viscous: effort per speed of each row.
    """

    rows: np.ndarray
    viscous: float
