"""Reduced stiffness and mass of a machine, solved: what gives way, what moves freely, what shakes.

Stiffness may be singular (bars that spin, motors that are free) and mass, too (unknowns without
any): ``1 / omega^2`` is found, of what has stiffness, with what has none left free to follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.elastic.system import System

NOTHING = 1e-10
"""Strains below this share of the largest, each coordinate in its own unit, count as none.

Strains, not their squares: so parts may be 1e18 times as stiff as others.
"""


@dataclass(frozen=True, eq=False)
class Solved:
    """A system split into what gives way and what is free: ``x = soft @ y + free @ z``.

    Attributes:
        system: the machine about a posture.
    """

    system: System

    @cached_property
    def _split(self) -> tuple[np.ndarray, np.ndarray]:
        N = self.system.allowed
        strains = self.system.strains @ N
        size = np.linalg.norm(strains, axis=0)
        unit = np.where(size > 0.0, size, 1.0)
        _, s, Vt = np.linalg.svd(strains / unit, full_matrices=True)
        count = int((s > NOTHING * s[0]).sum()) if len(s) else 0
        vectors = N @ (Vt.T / unit[:, None])
        return vectors[:, :count] / s[:count], vectors[:, count:]

    @property
    def soft(self) -> np.ndarray:
        """Displacements with unit strain energy, each ``x'Kx = 1``, columns ``(n, r)``."""
        return self._split[0]

    @property
    def free(self) -> np.ndarray:
        """Displacements that nothing resists, columns ``(n, f)``."""
        return self._split[1]

    @cached_property
    def carried(self) -> np.ndarray:
        """Those of the free displacements that have mass, each ``x'Mx = 1``, columns ``(n, c)``."""
        along = self.free.T @ self.system.mass @ self.free
        values, vectors = np.linalg.eigh((along + along.T) / 2.0)
        heavy = values > 1e-12 * max(float(values.max(initial=0.0)), 1e-300)
        return np.asarray(self.free @ (vectors[:, heavy] / np.sqrt(values[heavy])))

    def flexibility(self, forces: np.ndarray) -> np.ndarray:
        """Displacements under generalised forces, columns ``(n, m)``, of what gives way."""
        return np.asarray(self.soft @ (self.soft.T @ forces))

    @cached_property
    def compliance(self) -> np.ndarray:
        """Platform's displacement per wrench at its origin, base axes, linear first, 6x6."""
        seen = self.system.platform @ self.soft
        return np.asarray(seen @ seen.T)

    @cached_property
    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Circular frequencies [rad/s], lowest first, and shapes of unit modal mass ``(n, r)``.

        What moves freely follows the vibration without a force of its own.
        """
        M, soft, carried = self.system.mass, self.soft, self.carried
        soft = soft - carried @ (carried.T @ M @ soft)
        inertia = soft.T @ M @ soft
        values, vectors = np.linalg.eigh((inertia + inertia.T) / 2.0)
        values, vectors = values[::-1], vectors[:, ::-1]
        heavy = values > 1e-15 * max(float(values[0]) if len(values) else 0.0, 0.0)
        values, vectors = values[heavy], vectors[:, heavy]
        return 1.0 / np.sqrt(values), soft @ (vectors / np.sqrt(values))
