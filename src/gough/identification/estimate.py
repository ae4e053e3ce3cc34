"""Least squares on the base columns, weighted by motors, and instrumental variables beside them.

    tau = W_b chi_b + noise,    chi_b = (W^T W)^-1 W^T tau,    chi_iv = (Z^T W)^-1 Z^T tau

with rows divided by the noise of their motor.  Noise of positions gets into W, and makes least
squares wrong and sure of it; instruments Z are columns of the same motion whose noise is another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

_ROUNDS = 20  # of weights; they settle in three or four
_SETTLED = 1e-4
_SHOWN = 1e-8  # singular values of scaled columns beside the largest: below, nothing is shown
_HIDDEN = 1e-6  # part of a parameter in directions that nothing shows
_EXACT = 1e-12  # noise of efforts beside their size: rounding, whatever the residuals say


class Rows(NamedTuple):
    """Rows of one or several runs, one an effort of a motor at a time.

    Attributes:
        W: base columns ``(N, p)``.
        tau: efforts less those of known loads ``(N,)`` [N m or N].
        motor: number of the motor of each row ``(N,)``.
        W_iv: base columns for instrumental variables ``(N, p)``.
        Z: their instruments ``(N, p)``.
        passed: share of noise that rows have, see ``Filters``.
        independent: share of rows that are independent: below one where more motors than freedoms
            were projected on the efforts that move the robot.
    """

    W: np.ndarray
    tau: np.ndarray
    motor: np.ndarray
    W_iv: np.ndarray
    Z: np.ndarray
    passed: float
    independent: float = 1.0


class Estimate(NamedTuple):
    """Base parameters of rows.

    Attributes:
        values: by weighted least squares ``(p,)``; as described where nothing is shown.
        root: B with ``B B^T`` their covariance, directions that are shown alone ``(p, r)``.
        hidden: parameters with a part that the rows do not show ``(p,)``.
        noise: standard deviation of the efforts of each motor, in the band ``(n,)``.
        instrumental: the same parameters by instrumental variables ``(p,)``.
        spread: standard deviations of these ``(p,)``.
        factor: upper triangle R: what rows say is ``|R (chi_b - values)|^2``, in units of noise.
        condition: condition number of the weighted columns, scaled to unit size.
        worth: how many independent numbers of unit noise the rows are.
    """

    values: np.ndarray
    root: np.ndarray
    hidden: np.ndarray
    noise: np.ndarray
    instrumental: np.ndarray
    spread: np.ndarray
    factor: np.ndarray
    condition: float
    worth: float

    @property
    def covariance(self) -> np.ndarray:
        """Of the values ``(p, p)``, directions that are shown alone."""
        return np.asarray(self.root @ self.root.T)


def estimate(rows: Rows, described: np.ndarray, motors: int) -> Estimate:
    """Base parameters that fit rows best, and how sure they are.

    Args:
        rows: of all runs.
        described: base parameters of the description, from which what is not shown does not move.
        motors: how many there are.
    """
    off = rows.tau - rows.W @ described
    sizes = np.linalg.norm(rows.W, axis=0)
    sizes[sizes == 0.0] = 1.0
    own = [rows.motor == j for j in range(motors)]
    W, W_iv, Z = rows.W / sizes, rows.W_iv / sizes, rows.Z / sizes
    off_iv = rows.tau - rows.W_iv @ described
    # a motor's rows as a small triangle with the same squares: weights change, these do not
    packed = [np.asarray(np.linalg.qr(np.column_stack([W[j], off[j]]), mode="r")) for j in own]
    count = rows.independent * np.array([j.sum() for j in own])
    largest = max(1e-300, float(np.abs(rows.tau).max(initial=0.0)))
    noise = np.array([np.linalg.norm(off[j]) for j in own]) / np.sqrt(np.maximum(count, 1))
    noise = np.maximum(noise, _EXACT * largest)
    for _ in range(_ROUNDS):
        weighted = np.concatenate([R / x for R, x in zip(packed, noise, strict=True)])
        U, s, Vt = np.linalg.svd(weighted[:, :-1], full_matrices=False)
        rank = int((s > _SHOWN * s[0]).sum())
        shown, V = s[:rank], Vt[:rank].T
        y = V @ ((U[:, :rank].T @ weighted[:, -1]) / shown)
        before = noise
        left = np.array([np.linalg.norm(R @ np.append(-y, 1.0)) for R in packed])
        # each motor loses its part of the degrees of freedom, by the leverage of its rows
        used = [
            (((R[:, :-1] @ V) / shown / x) ** 2).sum() for R, x in zip(packed, noise, strict=True)
        ]
        noise = np.maximum(left / np.sqrt(np.maximum(count - used, 1.0)), _EXACT * largest)
        if (np.abs(noise / before - 1.0) < _SETTLED).all():
            break
    inverse = V / shown / sizes[:, None]
    hidden = np.ones(len(sizes)) - (V**2).sum(axis=1) > _HIDDEN**2
    squares = 1.0 / noise**2
    ZW, ZZ, Zy = (
        sum(w * (Z[j].T @ other[j]) for w, j in zip(squares, own, strict=True))
        for other in (W_iv, Z, off_iv)
    )
    back = V @ np.linalg.pinv(V.T @ ZW @ V) @ V.T
    y_iv = back @ Zy
    spread = np.sqrt(np.maximum(np.diag(back @ ZZ @ back.T), 0.0)) / sizes
    factor: np.ndarray = np.sqrt(rows.passed) * (shown[:, None] * V.T) * sizes
    return Estimate(
        described + y / sizes,
        inverse / np.sqrt(rows.passed),
        hidden,
        noise,
        described + y_iv / sizes,
        spread / np.sqrt(rows.passed),
        np.asarray(np.linalg.qr(factor, mode="r")),
        float(s[0] / s[-1]) if s[-1] > 0.0 else np.inf,
        float(rows.passed * count.sum()),
    )
