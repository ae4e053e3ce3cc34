"""Reduced stiffness and mass of a machine, solved: what gives way, what moves freely, what shakes.

Stiffness may be singular (bars that spin, motors that are free) and mass, too (unknowns without
any): ``1 / omega^2`` is found, of what has stiffness, with what has none left free to follow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.elastic.system import System
from gough.errors import Unstable

NOTHING = 1e-10
"""Strains below this share of the largest, each coordinate in its own unit, count as none.

Strains, not their squares: so parts may be 1e18 times as stiff as others.
"""


@dataclass(frozen=True, eq=False)
class Solved:
    """A system split into what gives way and what is free: ``x = soft @ y + free @ z``.

    Attributes:
        system: the machine about a posture.
        before: the same without loads, if it is about a loaded posture.
    """

    system: System
    before: Solved | None = None

    @property
    def unloaded(self) -> Solved:
        """The machine about the posture that it has without loads."""
        return self if self.before is None else self.before

    @cached_property
    def _split(self) -> tuple[np.ndarray, np.ndarray]:
        N = self.system.allowed
        strains = self.system.strains @ N
        size = np.linalg.norm(strains, axis=0)
        largest = float(size.max(initial=0.0)) or 1.0
        unit = np.where(size > NOTHING * largest, size, largest)  # no rounding made large
        _, s, Vt = np.linalg.svd(strains / unit, full_matrices=True)
        count = int((s > NOTHING * s[0]).sum()) if len(s) else 0
        vectors = N @ (Vt.T / unit[:, None])
        soft, free = vectors[:, :count] / s[:count], vectors[:, count:]
        if self.system.stressed is None:
            return soft, free
        return under_stress(self.system, soft, free)

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
        return with_mass(self.free, self.system.mass)

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
        whole = float(np.einsum("ij,ij->j", soft, M @ soft).max(initial=0.0))
        soft = soft - carried @ (carried.T @ M @ soft)
        inertia = soft.T @ M @ soft
        values, vectors = np.linalg.eigh((inertia + inertia.T) / 2.0)
        values, vectors = values[::-1], vectors[:, ::-1]
        heavy = has_mass(values, whole)
        values, vectors = values[heavy], vectors[:, heavy]
        return 1.0 / np.sqrt(values), soft @ (vectors / np.sqrt(values))


def has_mass(values: np.ndarray, whole: Any) -> np.ndarray:
    """Which masses of vibrations, ``1 / omega^2`` in the last axis, are more than rounding.

    Without a mass of its own is a spring behind which a rotor without inertia is free.

    Args:
        values: the masses.
        whole: the largest mass before what moves freely was taken out.
    """
    largest = np.maximum(values.max(axis=-1, initial=0.0, keepdims=True), 0.0)
    return np.asarray(values > np.maximum(1e-15 * largest, 1e-22 * whole))


def with_mass(free: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Combinations of displacements, columns, that have mass, each ``x'Mx = 1``.

    A slender bar that spins about its axis has none: what is left by rounding is seen beside what
    the same displacements would weigh if no coordinate had to do with another.
    """
    free = free / np.linalg.norm(free, axis=0)
    masses = np.diagonal(mass)
    alone = free.T @ (masses[:, None] * free)
    sizes, vectors = np.linalg.eigh((alone + alone.T) / 2.0)
    seen = sizes > 1e-20 * float(masses.max(initial=1e-300))  # rounding squared is 1e-32
    basis = free @ (vectors[:, seen] / np.sqrt(sizes[seen]))
    along = basis.T @ mass @ basis
    values, vectors = np.linalg.eigh((along + along.T) / 2.0)
    heavy = values > 1e-12
    return np.asarray(basis @ (vectors[:, heavy] / np.sqrt(values[heavy])))


def under_stress(
    system: System, soft: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The split of a machine whose inner forces have a stiffness of their own.

    Args:
        system: the machine under load.
        soft: displacements with unit strain energy, columns.
        free: displacements without strains, columns; some may gain stiffness by the forces.

    Raises:
        Unstable: the machine buckles, or falls over, under its loads.
    """
    if system.stressed is None:
        return soft, free
    geometric = system.stressed.geometric
    H = np.eye(soft.shape[1]) + soft.T @ geometric @ soft
    values, vectors = np.linalg.eigh((H + H.T) / 2.0)
    _check_stable(system, values, soft @ vectors)
    soft = soft @ (vectors / np.sqrt(values))
    if not free.shape[1]:
        return soft, free
    free = free / np.linalg.norm(free / system.scale[:, None], axis=0)
    free = free - soft @ (soft.T @ geometric @ free)
    H = free.T @ geometric @ free
    values, vectors = np.linalg.eigh((H + H.T) / 2.0)
    size = float(np.abs(geometric * system.scale[:, None] * system.scale).max())
    # bars that spin idly have none to first order in the loads, and something to second
    some = np.abs(values) > (1e-8 + system.stressed.moved) * size
    _check_stable(system, np.where(some, values, 1.0), free @ vectors)
    gained = free @ (vectors[:, some] / np.sqrt(values[some]))
    return np.concatenate([soft, gained], axis=1), free @ vectors[:, ~some]


def _check_stable(system: System, values: np.ndarray, shapes: np.ndarray) -> None:
    if not len(values) or values.min() > 0.0:
        return
    k = int(np.argmin(values))
    shape = shapes[:, k]
    energies = [float(part.energy(shape[:, None])[0]) for part in system.parts]
    worst = system.parts[int(np.argmax(energies))].name if any(energies) else ""
    raise Unstable(
        f"{system.robot.name} is unstable under its loads: "
        + (f"mostly the {worst} gives way" if worst else "a free motion runs away"),
        hint="Likely: a slender part buckles, or the machine stands on its head; take smaller "
        "loads, or stiffer parts.",
        part=worst,
        stiffness=float(values[k]),
    )
