"""Vibrations of a machine about a posture as oscillators, driven exactly from sample to sample.

With modal coordinates h the machine obeys ``h'' + D h' + W^2 h = p(t)``, ``W`` its circular
frequencies.  Its state is ``[W h; h']``, whose squares are twice the energy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.elastic.damping import damping_matrix
from gough.elastic.statics import Solved

_ALONE = 1e-9  # damping off the diagonal below this share of the largest does not couple


@dataclass(frozen=True, eq=False)
class Oscillators:
    """All vibrations of a machine about one posture.

    Attributes:
        solved: the machine.
        ratio: damping ratio of all, instead of data of the parts.
    """

    solved: Solved
    ratio: float | None

    @property
    def omega(self) -> np.ndarray:
        """Circular frequencies, lowest first ``(r,)`` [rad/s]."""
        return self.solved.modes[0]

    @property
    def shapes(self) -> np.ndarray:
        """Shapes of unit modal mass, columns ``(n, r)``."""
        return self.solved.modes[1]

    @cached_property
    def strains(self) -> np.ndarray:
        """Strains of all parts per modal coordinate ``(m, r)``."""
        return np.asarray(self.solved.system.strains @ self.shapes)

    @cached_property
    def platform(self) -> np.ndarray:
        """Displacement of the platform's origin, base axes, per modal coordinate ``(6, r)``."""
        return np.asarray(self.solved.system.platform @ self.shapes)

    @cached_property
    def damping(self) -> np.ndarray:
        """``D`` ``(r, r)`` [1/s]."""
        parts, x = self.solved.system.parts, self.shapes
        energy = np.array([part.energy(x) for part in parts]).reshape(len(parts), x.shape[1])
        whole = energy.sum(axis=0)
        shares = energy / np.where(whole > 0.0, whole, 1.0)
        return damping_matrix(self.solved.system, self.omega, x, shares, self.ratio)

    @cached_property
    def generator(self) -> np.ndarray:
        """``z' = A z`` of the state without forces ``(2r, 2r)``."""
        W, nothing = np.diag(self.omega), np.zeros((len(self.omega),) * 2)
        return np.block([[nothing, W], [-W, -self.damping]])

    def step(self, seconds: float) -> np.ndarray:
        """``exp(A t)``, the state after some time without forces per state before ``(2r, 2r)``."""
        from scipy.linalg import expm  # noqa: PLC0415  heavy: loaded on first use

        r, D = len(self.omega), self.damping
        apart = np.abs(D - np.diag(np.diag(D))).max(initial=0.0)
        if apart > _ALONE * np.abs(D).max(initial=0.0):
            return np.asarray(expm(self.generator * seconds))
        blocks = np.zeros((r, 2, 2))
        blocks[:, 0, 1], blocks[:, 1, 0] = self.omega, -self.omega
        blocks[:, 1, 1] = -np.diag(D)
        single = expm(blocks * seconds)
        k = np.arange(r)
        found = np.zeros((2 * r, 2 * r))
        for i, j in np.ndindex(2, 2):
            found[k + i * r, k + j * r] = single[:, i, j]
        return found

    def following(self, p: np.ndarray, pdot: np.ndarray) -> np.ndarray:
        """State of the motion that follows modal forces which change evenly ``(K, 2r)``.

        Args:
            p: modal forces ``(K, r)``.
            pdot: their rates ``(K, r)``.
        """
        W = self.omega
        slow = (pdot / W**2) @ self.damping.T
        return np.hstack([(p - slow) / W, pdot / W**2])

    def taken_over(self, other: Oscillators, z: np.ndarray) -> np.ndarray:
        """The state in which another posture's vibrations leave this one: strains, and momentum."""
        if other is self:
            return z
        r = len(other.omega)
        strains = other.strains @ (z[:r] / other.omega)
        speeds = other.shapes @ z[r:]
        mass = self.solved.system.mass
        return np.concatenate(
            [(self.strains.T @ strains) / self.omega, self.shapes.T @ (mass @ speeds)]
        )


def driven(
    each: list[Oscillators], turn: np.ndarray, loads: np.ndarray, seconds: float
) -> tuple[np.ndarray, np.ndarray]:
    """Platform's displacement under forces that change evenly between samples, from rest.

    Args:
        each: the machine about the postures that it comes through.
        turn: which of them counts for each step, not falling ``(K - 1,)``.
        loads: generalised forces at samples ``(K, n)``.
        seconds: between samples.

    Returns:
        Displacements ``(K, 6)``, and the state at the end, of the last posture.
    """
    found = np.zeros((len(loads), 6))
    now = each[int(turn[0])]
    z = np.zeros(2 * len(now.omega))
    slopes, follows = np.zeros_like(loads[:1]), z[None]
    for k in np.unique(turn):
        steps = np.flatnonzero(turn == k)
        here = each[int(k)]
        if here is not now:
            # what follows the forces follows them in the new posture; the rest is taken over
            z = here.taken_over(now, z - follows[-1])
            z = z + here.following(loads[steps[:1]] @ here.shapes, slopes @ here.shapes)[0]
            now = here
        forces = loads[steps[0] : steps[-1] + 2] @ here.shapes
        rates = np.diff(forces, axis=0) / seconds
        before = here.following(forces[:-1], rates)
        after = here.following(forces[1:], rates)
        E = here.step(seconds)
        for i, step in enumerate(steps):
            z = E @ (z - before[i]) + after[i]
            found[step + 1] = here.platform @ (z[: len(here.omega)] / here.omega)
        slopes = (loads[steps[-1:] + 1] - loads[steps[-1:]]) / seconds
        follows = after
    return found, z
