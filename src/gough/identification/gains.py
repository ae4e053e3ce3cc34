"""Gains of drives and parameters of a machine at once, from currents.

Current times gain is the effort, ``g_j i_j = W_j chi + tau_0j``, tau_0 being what a known payload
takes.  Noise is in the currents, so these are to be explained.  With a common factor taken out,
``g_j = 1 / (k_j c)`` and ``chi = x / c``::

    i_j = k_j (W_j x + c tau_0j) + noise

Without tau_0 nothing decides c, and with little of it c is uncertain while k and x are not: a free
factor of k and 1/x is fixed instead.  A start follows from the gains alone: those for which
``g_j i_j`` is least outside of what W and tau_0 span, beside its size.  Then least squares by Gauss
and Newton, every motor weighted by its residual.

Parameters that currents hardly show would take part of the scale with them.  So they are held near
the description, to its own size, but for a common factor l, ``x = l chi_0``: that of all efforts,
so that masses of the description have no say in how large all gains are.  (If l were free, it could
grow without end: all parameters are then small beside the description, at a finite price.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.errors import GoughError
from gough.identification.compressed import triangle

_STEPS = 50  # of Gauss and Newton; some five are needed
_ARRIVED = 1e-10  # relative change of k
_WON = 1e-14  # share of the squares: gains change by 1e-7 of their standard deviations
_SHRINK = 30  # halvings of one step
_NOISELESS = 1e-9  # least standard deviation of currents, beside their size


@dataclass(frozen=True, eq=False)
class GainFit:
    """Gains and parameters.

    Attributes:
        gains: effort per current ``(m,)``.
        std: their relative standard deviations ``(m,)``; large if nothing decides a common factor.
        chi: parameters of the columns ``(n,)``.
        chi_std: their standard deviations ``(n,)``.
        rms: root mean square of what is left of the currents, motor by motor ``(m,)``.
    """

    gains: np.ndarray
    std: np.ndarray
    chi: np.ndarray
    chi_std: np.ndarray
    rms: np.ndarray


class Described(NamedTuple):
    """Parameters as described, and how far each may be from that.

    Attributes:
        chi: values ``(n,)``.
        size: standard deviations ``(n,)``.
    """

    chi: np.ndarray
    size: np.ndarray


class _Near(NamedTuple):
    """The description of scaled columns, with which efforts are compared.

    Attributes:
        chi: values ``(n,)``.
        size: standard deviations ``(n,)``.
        factor: p with ``l = p x``, efforts of x beside those described ``(n,)``.
    """

    chi: np.ndarray
    size: np.ndarray
    factor: np.ndarray


def fit_gains(
    W: np.ndarray, tau_0: np.ndarray, current: np.ndarray, used: np.ndarray, described: Described
) -> GainFit:
    """Gains from rows of all logs.

    Args:
        W: independent columns of the regressor ``(K, m, n)``.
        tau_0: efforts that are known ``(K, m)``.
        current: of the motors ``(K, m)``.
        used: which rows count ``(K, m)``; some of every motor.
        described: the parameters of the columns.
    """
    _, m, n = W.shape
    known = np.concatenate([W, tau_0[..., None]], axis=2)
    sizes = _sizes(known[used])
    motors = [
        triangle(np.column_stack([known[own, j] / sizes, current[own, j]]))
        for j, own in enumerate(used.T)
    ]
    count = used.sum(axis=0)
    k, x = _start(motors)
    level = np.sqrt(np.array([np.mean(current[own, j] ** 2) for j, own in enumerate(used.T)]))
    near = _near(motors, described.chi * sizes[:n], described.size * sizes[:n])
    problem = _Problem(motors, np.ones(m), None)
    for _ in range(4):  # weights settle at once: residuals hardly depend on them
        k, x = _gauss_newton(problem, k, x)
        left = [np.linalg.norm(_residual(R, a, x)) for R, a in zip(motors, k, strict=True)]
        rms = np.array(left) / np.sqrt(count)
        weight = 1.0 / np.maximum(rms, _NOISELESS * level)
        problem = _Problem(motors, weight, near)
    rows = int(count.sum())
    spread = np.sqrt(rows / max(1, rows - n - m)) * problem.spread(k, x)
    x, spread[m:] = x / sizes, spread[m:] / sizes[:, None]
    c = x[n]
    if c == 0.0:
        raise GoughError("currents do not show the payload at all")
    # to first order: log g = -log k - log c, and d chi = dx / c - x dc / c^2
    std = np.linalg.norm(spread[:m] / k[:, None] + spread[-1] / c, axis=1)
    chi = x[:n] / c
    chi_std = np.linalg.norm((spread[m:-1] - np.outer(chi, spread[-1])) / c, axis=1)
    return GainFit(1.0 / (k * c), std, chi, chi_std, rms)


def _near(motors: list[np.ndarray], chi: np.ndarray, size: np.ndarray) -> _Near | None:
    """The description; none if it takes no efforts."""
    efforts = np.concatenate([R[:, : len(chi)] for R in motors])
    own = efforts @ chi
    square = float(own @ own)
    return _Near(chi, size, own @ efforts / square) if square else None


def inimitable(W: np.ndarray, tau_0: np.ndarray) -> float:
    """How much of the known efforts no parameters can imitate, beside their size, 0 to 1.

    Where it is zero, a factor of all gains cannot be told from one of all masses.

    Args:
        W: rows of independent columns ``(..., n)``.
        tau_0: known efforts ``(...)``.
    """
    size = float(np.linalg.norm(tau_0))
    if size == 0.0:
        return 0.0
    columns, right = W.reshape(-1, W.shape[-1]), tau_0.ravel() / size
    columns = columns / _sizes(columns)
    x = np.linalg.lstsq(columns, right, rcond=1e-10)[0]
    return float(np.linalg.norm(columns @ x - right))


def _sizes(columns: np.ndarray) -> np.ndarray:
    """Norms of columns, one of those that are zero."""
    found = np.linalg.norm(columns, axis=0)
    return np.where(found > 0.0, found, 1.0)


def _start(motors: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """A first k and x, from the currents' share outside of the columns."""
    A = np.vstack([R[:, :-1] for R in motors])
    Y = np.zeros((len(A), len(motors)))
    at = 0
    for j, R in enumerate(motors):
        Y[at : at + len(R), j] = R[:, -1] / (np.linalg.norm(R[:, -1]) or 1.0)
        at += len(R)
    Q = np.linalg.qr(A)[0]
    outside = Y - Q @ (Q.T @ Y)
    gains = np.linalg.svd(outside, full_matrices=False)[2][-1]
    # a motor without a sure start begins like the others
    gains = np.where(np.abs(gains) < 1e-3, 1e-3, gains)
    x = np.linalg.lstsq(A, Y @ gains, rcond=None)[0]
    return np.array([np.linalg.norm(R[:, -1]) for R in motors]) / gains, x


def _residual(R: np.ndarray, k: float, x: np.ndarray) -> np.ndarray:
    """What is left of a motor's currents."""
    return np.asarray(k * (R[:, :-1] @ x) - R[:, -1])


class _Problem(NamedTuple):
    """Least squares of currents and description.

    Attributes:
        motors: compressed rows of each.
        weight: of each.
        near: the description; ``None``: it has no say yet.
    """

    motors: list[np.ndarray]
    weight: np.ndarray
    near: _Near | None

    def linear(self, k: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Residuals and their exact derivatives by k, then x; one row holds the free factor."""
        m = len(k)
        residuals, rows = [], []
        for j, R in enumerate(self.motors):
            block = np.zeros((len(R), m + len(x)))
            block[:, j] = R[:, :-1] @ x
            block[:, m:] = k[j] * R[:, :-1]
            residuals.append(self.weight[j] * _residual(R, k[j], x))
            rows.append(self.weight[j] * block)
        A = np.vstack(rows)
        factor = np.zeros((1, m + len(x)))
        factor[0, :m] = np.linalg.norm(A[:, :m], axis=0) * np.sign(k)
        off, near = np.zeros(0), np.zeros((0, m + len(x)))
        if self.near is not None:
            chi, size, p = self.near
            n, own = len(chi), float(p @ x[: len(chi)])
            off = (x[:n] / own - chi) / size  # whatever the common factor of x is
            near = np.zeros((n, m + len(x)))
            near[:, m : m + n] = (np.eye(n) - np.outer(x[:n] / own, p)) / (size * own)[:, None]
        return np.concatenate([*residuals, off, [0.0]]), np.vstack([A, near, factor])

    def spread(self, k: np.ndarray, x: np.ndarray) -> np.ndarray:
        """A root of the covariance of k, then x, for residuals of deviation one."""
        _, A = self.linear(k, x)
        sizes = _sizes(A)
        _, s, Vt = np.linalg.svd(A / sizes, full_matrices=False)
        return np.asarray(Vt.T / np.maximum(s, 1e-14 * s[0]) / sizes[:, None])


def _gauss_newton(problem: _Problem, k: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of the currents."""
    m = len(k)
    for _ in range(_STEPS):
        r, A = problem.linear(k, x)
        sizes = _sizes(A)
        step = np.linalg.lstsq(A / sizes, -r, rcond=None)[0] / sizes
        share, cost = 1.0, float(r @ r)
        if float(np.sum((A @ step) ** 2)) < _WON * cost:
            return k, x  # what a step could win is none of what is left
        for _ in range(_SHRINK):
            new_k, new_x = k + share * step[:m], x + share * step[m:]
            after = problem.linear(new_k, new_x)[0]
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
        hint="Likely: currents and poses are not of the same times.",
    )
