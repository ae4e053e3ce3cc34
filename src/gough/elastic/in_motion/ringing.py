"""Free vibration of the platform after a motion: a sum of decaying oscillations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.elastic.in_motion.oscillators import Oscillators

_FAINT = 1e-3  # terms below this share of the largest do not set the fineness of times
_MOST = 200_000  # times at which a vibration is looked at
_PER_PERIOD = 24  # of the fastest term: a peak is then right to 1 %
_ENDLESS = 1e4  # periods after which a vibration that is still there counts as undamped


@dataclass(frozen=True, eq=False)
class Ringing:
    """Displacement ``Re(sum a_k exp(l_k t))`` of the platform's origin, base axes.

    Attributes:
        rates: ``l_k`` with positive imaginary parts, or real ``(m,)`` [1/s].
        amplitudes: ``a_k`` ``(m, 6)`` [m, rad].
    """

    rates: np.ndarray
    amplitudes: np.ndarray

    def __call__(self, t: np.ndarray) -> np.ndarray:
        """Displacements at times after the end ``(K, 6)`` [m, rad]."""
        return np.asarray((np.exp(np.outer(t, self.rates)) @ self.amplitudes).real)

    def envelope(self, t: np.ndarray, of: slice) -> np.ndarray:
        """A bound of the displacement's size at times, which only falls ``(K,)``."""
        sizes = np.linalg.norm(np.abs(self.amplitudes[:, of]), axis=1)
        return np.asarray(np.exp(np.outer(t, self.rates.real)) @ sizes)

    def times(self, until: float, of: slice) -> np.ndarray:
        """Times from the end on, fine enough for everything that is not faint."""
        sizes = np.linalg.norm(np.abs(self.amplitudes[:, of]), axis=1)
        seen = sizes > _FAINT * sizes.max(initial=0.0)
        fastest = float(np.abs(self.rates.imag[seen]).max(initial=0.0)) / (2.0 * np.pi)
        count = int(min(until * fastest * _PER_PERIOD, _MOST)) + 200
        return np.linspace(0.0, until, count)

    @property
    def slowest(self) -> float:
        """Period of the slowest term that is not faint [s]."""
        sizes = np.linalg.norm(np.abs(self.amplitudes[:, :3]), axis=1)
        turned = np.linalg.norm(np.abs(self.amplitudes[:, 3:]), axis=1)
        seen = sizes > _FAINT * sizes.max(initial=0.0)
        seen |= turned > _FAINT * turned.max(initial=0.0)
        speeds = np.abs(self.rates[seen]) if seen.any() else np.abs(self.rates)
        return 2.0 * np.pi / float(speeds.min(initial=np.inf)) if len(speeds) else 0.0

    def settling(self, size: float, of: slice) -> float:
        """Time from which on a displacement stays below a size [s]; infinite without damping."""

        def too_large(t: np.ndarray) -> np.ndarray:
            return np.asarray(np.linalg.norm(self(t)[:, of], axis=1) > size)

        end = _ENDLESS * self.slowest
        if float(self.envelope(np.zeros(1), of)[0]) <= size:
            return 0.0
        if float(self.envelope(np.array([end]), of)[0]) > size:
            soon = self.times(20.0 * self.slowest, of)
            return np.inf if too_large(soon).any() else 0.0
        low, high = 0.0, end
        for _ in range(60):
            middle = (low + high) / 2.0
            below = float(self.envelope(np.array([middle]), of)[0]) <= size
            low, high = (low, middle) if below else (middle, high)
        t = self.times(high, of)
        late = np.flatnonzero(too_large(t))
        return float(t[min(late[-1] + 1, len(t) - 1)]) if len(late) else 0.0


def ringing(last: Oscillators, z: np.ndarray) -> Ringing:
    """How the machine rings from a state on, without forces."""
    rates, vectors = np.linalg.eig(last.generator)
    parts = np.linalg.solve(vectors, z.astype(complex))
    seen = last.platform @ (vectors[: len(last.omega)] / last.omega[:, None])
    amplitudes = (seen * parts).T
    # terms come in pairs that are conjugate: twice the real part of one
    upper = rates.imag > 0.0
    real = rates.imag == 0.0
    kept = upper | real
    return Ringing(rates[kept], amplitudes[kept] * np.where(upper[kept], 2.0, 1.0)[:, None])
