"""Gains of drives and parameters of a machine at once, from currents.

With k the currents per effort, 1 / gain, of motor j::

    i_j = k_j (W_j chi + tau_0j) + noise

tau_0 is what a known payload takes.  Noise is in the currents: written with gains on the left,
``W chi - g_j i_j = -tau_0j``, least squares are biased, for a column has the noise.  That linear
problem is the start; then the currents' own problem is solved by Gauss and Newton, every motor
weighted by its residual.  Without tau_0 it does not change if chi grows and k falls by one factor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.errors import GoughError

_STEPS = 50  # of Gauss and Newton; some five are needed
_ARRIVED = 1e-10  # relative change of the gains
_SHRINK = 30  # halvings of one step
_NOISELESS = 1e-9  # least standard deviation of currents, beside their size


@dataclass(frozen=True, eq=False)
class GainFit:
    """Gains and parameters.

    Attributes:
        gains: effort per current ``(m,)``.
        std: standard deviations of the gains ``(m,)``; infinite if nothing decides a common factor.
        chi: parameters of the columns ``(n,)``.
        chi_std: their standard deviations ``(n,)``.
        rms: root mean square of what is left of the currents, motor by motor ``(m,)``.
    """

    gains: np.ndarray
    std: np.ndarray
    chi: np.ndarray
    chi_std: np.ndarray
    rms: np.ndarray


def fit_gains(W: np.ndarray, tau_0: np.ndarray, current: np.ndarray) -> GainFit:
    """Gains from rows of all logs.

    Args:
        W: independent columns of the regressor ``(K, m, n)``.
        tau_0: efforts that are known ``(K, m)``.
        current: of the motors ``(K, m)``.
    """
    _, m, n = W.shape
    sizes = np.linalg.norm(W.reshape(-1, n), axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    motors = [
        np.linalg.qr(np.column_stack([W[:, j] / sizes, tau_0[:, j], current[:, j]]), mode="r")
        for j in range(m)
    ]
    k, x = _linear(motors, n)
    weight, level = np.ones(m), np.linalg.norm(current, axis=0) / np.sqrt(len(current))
    for _ in range(3):  # weights settle at once: residuals hardly depend on them
        k, x = _gauss_newton(motors, k, x, weight)
        rms = np.array([np.linalg.norm(_residual(R, a, x)) for R, a in zip(motors, k, strict=True)])
        rms = rms / np.sqrt(len(current))
        weight = 1.0 / np.maximum(rms, _NOISELESS * level)
    variance = len(current) * m / max(1, len(current) * m - n - m)
    std = np.sqrt(variance) * _deviations(motors, k, x, weight)
    gains = 1.0 / k
    # the gain's relative deviation is that of k
    return GainFit(gains, np.abs(gains / k) * std[:m], x / sizes, std[m:] / sizes, rms)


def common_factor(W: np.ndarray, tau_0: np.ndarray) -> float:
    """How much of the known efforts parameters cannot imitate, 0 to 1.

    Where they can, a factor of all gains cannot be told from one of all masses.
    """
    n = W.shape[-1]
    size = float(np.linalg.norm(tau_0))
    if size == 0.0:
        return 0.0
    columns = W.reshape(-1, n)
    sizes = np.linalg.norm(columns, axis=0)
    right = tau_0.ravel() / size
    x = np.linalg.lstsq(columns / np.where(sizes > 0.0, sizes, 1.0), right, rcond=1e-10)[0]
    left = columns / np.where(sizes > 0.0, sizes, 1.0) @ x - right
    return float(np.linalg.norm(left))


def _linear(motors: list[np.ndarray], n: int) -> tuple[np.ndarray, np.ndarray]:
    """A first k and chi from the problem that is linear in gains, ``W chi - g i = -tau_0``."""
    m = len(motors)
    rows = []
    for j, R in enumerate(motors):
        block = np.zeros((len(R), n + m + 1))
        block[:, :n], block[:, n + j], block[:, -1] = R[:, :n], -R[:, n + 1], -R[:, n]
        rows.append(block)
    A = np.vstack(rows)
    size = np.linalg.norm(A[:, :-1], axis=0)
    size = np.where(size > 0.0, size, 1.0)
    x = np.linalg.lstsq(A[:, :-1] / size, A[:, -1], rcond=None)[0] / size
    gains = x[n:]
    typical = np.abs(gains).max(initial=0.0) or 1.0
    # noise may take a gain to zero, from where Gauss and Newton find nothing
    gains = np.where(np.abs(gains) < 1e-3 * typical, typical, gains)
    return 1.0 / gains, x[:n]


def _residual(R: np.ndarray, k: float, x: np.ndarray) -> np.ndarray:
    return np.asarray(R @ np.concatenate([k * x, [k, -1.0]]))


def _problem(
    motors: list[np.ndarray], k: np.ndarray, x: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Residuals and their exact derivatives by k, then chi."""
    m, n = len(k), len(x)
    residuals, rows = [], []
    for j, R in enumerate(motors):
        block = np.zeros((len(R), m + n))
        block[:, j] = R[:, :n] @ x + R[:, n]
        block[:, m:] = k[j] * R[:, :n]
        residuals.append(weight[j] * _residual(R, k[j], x))
        rows.append(weight[j] * block)
    return np.concatenate(residuals), np.vstack(rows)


def _gauss_newton(
    motors: list[np.ndarray], k: np.ndarray, x: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of the currents."""
    m = len(k)
    for _ in range(_STEPS):
        r, A = _problem(motors, k, x, weight)
        sizes = np.linalg.norm(A, axis=0)
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        step = np.linalg.lstsq(A / sizes, -r, rcond=None)[0] / sizes
        share, cost = 1.0, float(r @ r)
        for _ in range(_SHRINK):
            new_k, new_x = k + share * step[:m], x + share * step[m:]
            after = _problem(motors, new_k, new_x, weight)[0]
            if after @ after <= cost * (1.0 + 1e-12):
                break
            share /= 2.0
        else:
            return k, x  # rounding: no step makes it better
        change = np.abs(new_k - k) / np.abs(k)
        k, x = new_k, new_x
        if change.max() < _ARRIVED:
            return k, x
    raise GoughError(
        f"gains of drives were not found in {_STEPS} steps",
        hint="Likely: currents and poses are not of the same times, or a motor's sign is wrong.",
    )


def _deviations(
    motors: list[np.ndarray], k: np.ndarray, x: np.ndarray, weight: np.ndarray
) -> np.ndarray:
    """Standard deviations of k, then chi, for residuals of deviation one."""
    _, A = _problem(motors, k, x, weight)
    sizes = np.linalg.norm(A, axis=0)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    _, s, Vt = np.linalg.svd(A / sizes, full_matrices=False)
    s = np.maximum(s, 1e-14 * s[0])
    return np.asarray(np.sqrt(((Vt / s[:, None]) ** 2).sum(axis=0)) / sizes)
