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
        rows: deformations of the part per coordinate of the machine ``(k, n)``.
        stiffness: of the deformations, ``(k, k)``.
        damping: loss factor: the share of the energy that is lost per radian.
    """

    name: str
    rows: np.ndarray
    stiffness: np.ndarray
    damping: float = 0.0

    def energy(self, x: np.ndarray) -> np.ndarray:
        """Strain energy of displacements, columns ``(n, m)`` [J]."""
        deformed = self.rows @ x
        found = np.einsum("ij,ij->j", deformed.conj(), self.stiffness @ deformed)
        return np.asarray(found.real / 2.0)


class Damper(NamedTuple):
    """What opposes speed.

    Attributes:
        rows: its motion per coordinate of the machine ``(k, n)``.
        viscous: effort per speed of each row.
    """

    rows: np.ndarray
    viscous: float
