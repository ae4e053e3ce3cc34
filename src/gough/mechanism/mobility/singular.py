"""When a state counts as singular: one bound, and the matrices whose singular values decide.

:mod:`gough.mechanism.mobility.measures` computes one number of each kind from them, which all
public functions use.

Everything is in natural units (1 rad, the robot's length) and in bases that are orthonormal, so
that neither the choice of coordinates nor the units of a description decide.  A state is singular
if a smallest singular value is below ``SINGULAR``.  A ratio alone would not do: the one singular
value of a machine with one freedom is always its own largest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array
from gough.mechanism.mobility.scales import Scales

SINGULAR = 1e-6
"""Singular values below this, natural units, count as zero: Type 1, Type 2 and constraint alike.

At the border of reach two solutions meet, and joints are known to the root of the rounding only: a
leg that is stretched out shows 3e-8 to 3e-7 instead of zero, and must not pass for regular.  What
is refused is of no use: nearer than a millionth of its own size to a singularity (1 um for a
machine of 1 m) a robot needs a million times its usual rates or efforts.
"""

NEAR = 0.02
"""Singular values below this, natural units, are near a singularity: answered, with a warning.

A motor's play or an error of its encoder then shows fifty times as large at the platform, and a
leg of two bars is about a degree from being stretched.
"""

DEFINITE = 1e-10
"""Smallest eigenvalue of the inertia matrix, its diagonal scaled to one, that is not rounding.

Entries are sums over all bodies and known to 1e-15 or so: accelerations keep five digits at it.
"""

ROUNDING = 1e-12
"""Singular values below this share of the largest are made of rounding (1e-16 for each entry)."""


class Seen(NamedTuple):
    """How well the position of a platform determines its twist, where it is all that counts.

    Attributes:
        smallest: smallest singular value of the map from allowed twists to the velocity of the
            platform's origin; 1 where orientations count as well.
        lost: the direction in the freedoms that nothing allowed moves along, or hardly, natural
            units ``(n,)``.
        hidden: the allowed twist that the freedoms do not see, or hardly, natural units ``(6,)``.
    """

    smallest: float
    lost: np.ndarray
    hidden: np.ndarray


def is_singular(s: np.ndarray, wanted: int, least: float = SINGULAR) -> bool:
    """Whether fewer than the wanted number of singular values, in falling order, are not zero."""
    return rank(s[:wanted], least) < wanted


def rank(s: np.ndarray, least: float = SINGULAR) -> int:
    """Number of singular values, in falling order, that are not zero."""
    return int((s > zero_beside(s[0], least)).sum()) if len(s) else 0


def zero_beside(largest: Array, least: float = SINGULAR) -> np.ndarray:
    """What counts as zero beside the largest singular values."""
    return np.asarray(np.maximum(least, ROUNDING * largest))


def null_space(matrix: np.ndarray) -> tuple[int, np.ndarray]:
    """Rank of a matrix, and an orthonormal basis of what it takes to zero, in columns."""
    if 0 in matrix.shape:
        return 0, np.eye(matrix.shape[1])
    _, s, Vt = np.linalg.svd(matrix, full_matrices=True)
    return rank(s), Vt[rank(s) :].T


def free_columns(matrix: np.ndarray, least: float = SINGULAR) -> tuple[float, np.ndarray]:
    """Smallest singular value, 1 without columns; null vectors, or the one nearest to that."""
    columns = matrix.shape[1]
    if not columns:
        return 1.0, np.zeros((0, 1))
    if not len(matrix):
        return 0.0, np.eye(columns)
    _, s, Vt = np.linalg.svd(matrix, full_matrices=True)
    smallest = float(s[columns - 1]) if len(s) == columns else 0.0
    return smallest, Vt[min(rank(s, least), columns - 1) :].T


def nacelle(A: np.ndarray, n_hub: int, least: float = SINGULAR) -> tuple[float, np.ndarray]:
    """Smallest singular value of the hub's joints, platform held, and the rates of all joints then.

    The rates of the legs follow from those of the hub as far as the closure rows allow.

    Args:
        A: joint columns of all closure rows, the hub's first.
        n_hub: number of the hub's rates.
        least: what counts as zero.
    """
    hub, legs = A[:, :n_hub], A[:, n_hub:]
    U, s, Vt = np.linalg.svd(legs, full_matrices=False)
    kept = s > least
    U, s, Vt = U[:, kept], s[kept], Vt[kept]
    smallest, free = free_columns(hub - U @ (U.T @ hub), least)
    follow = -Vt.T @ ((U.T @ (hub @ free)) / s[:, None])
    return smallest, np.vstack([free, follow])


def demands(A: np.ndarray, B: np.ndarray, least: float = SINGULAR) -> np.ndarray:
    """Constraints of the joints on the platform, ``C V = 0``: rows of B that no joint moves."""
    if not A.size:
        return B
    U, s, _ = np.linalg.svd(A, full_matrices=True)
    return np.asarray(U[:, int((s > least).sum()) :].T @ B)


def allowed(C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Six singular values of the constraints ``C V = 0``, and their twists in rows."""
    if not len(C):
        return np.zeros(6), np.eye(6)
    _, s, Vt = np.linalg.svd(C, full_matrices=True)
    return np.concatenate([s, np.zeros(6)])[:6], Vt


def seen_by_position(twists: np.ndarray, free: tuple[int, ...], *, only_position: bool) -> Seen:
    """How well positions, if they are all that counts, determine allowed twists, columns 6xn.

    The twists are orthonormal.  Which of x, y and z are the freedoms does not matter.

    Args:
        twists: that the legs allow, natural units.
        free: the freedoms among the components of a twist.
        only_position: whether the platform is moved for its position alone.
    """
    if not only_position or twists.shape[1] != len(free):
        return Seen(1.0, np.zeros(len(free)), np.zeros(6))
    smallest = float(np.linalg.svd(twists[:3], compute_uv=False)[-1])
    U, _, Vt = np.linalg.svd(twists[list(free)])
    return Seen(smallest, U[:, -1], twists @ Vt[-1])


def felt_by_motors(scales: Scales, J_inv: Array, Psi: Array) -> tuple[np.ndarray, np.ndarray]:
    """Motor rates of orthonormal twists, and the freedoms' rates of those twists, natural units.

    Args:
        scales: natural units.
        J_inv: motor rates by freedoms, ``qd_a = J_inv V_r``, ``(..., m, n)``.
        Psi: platform twist by freedoms, ``V_0p = Psi V_r``, ``(..., 6, n)``.
    """
    rates = orthonormal(scales, Psi)
    return np.asarray(scales.jacobian(J_inv) @ rates), rates


def orthonormal(scales: Scales, Psi: Array) -> np.ndarray:
    """Rates of the freedoms, columns, whose twists are orthonormal, natural units."""
    return np.asarray(np.linalg.inv(np.linalg.qr(np.asarray(scales.twists(Psi)), mode="r")))
