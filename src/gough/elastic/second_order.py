"""Relative displacements of two frames to second order: what loads do to stiffness follows from it.

Frames A and B are moved by ``[u; theta]`` each, theta being a rotation vector.  Their relative
displacement is ``xi = B z + z'Qz / 2`` with ``z = [u_A, theta_A, u_B, theta_B]``.  Where the
machine has moved by x already, ``xi`` changes by ``B + Q x`` per displacement: that is the loaded
posture; and a force s along ``xi`` adds ``s Q`` to the stiffness: the geometric stiffness.
"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import skew

_LEVI_CIVITA = np.stack([skew(axis) for axis in np.eye(3)])  # [k] b = e_k x b
_U_A, _T_A, _U_B, _T_B = (slice(3 * k, 3 * k + 3) for k in range(4))


def first_order(d: np.ndarray) -> np.ndarray:
    """``B``: ``[u_B - u_A - theta_A x d; theta_B - theta_A]`` per z, 6x12."""
    found = np.zeros((6, 12))
    found[:3, _U_A], found[:3, _U_B] = -np.eye(3), np.eye(3)
    found[:3, _T_A] = skew(d)
    found[3:, _T_A], found[3:, _T_B] = -np.eye(3), np.eye(3)
    return found


def second_order(d: np.ndarray, on_A: np.ndarray, on_B: np.ndarray) -> np.ndarray:
    """``Q``, symmetric in its last two indices, 6x12x12.

    Args:
        d: from frame A to frame B [m], in the axes that displacements are in.
        on_A: from the node that carries A to A [m]: u of a point beside a node has a second order.
        on_B: from the node that carries B to B [m].

    ``xi_t = u_B - u_A - theta_A x (d + u_B - u_A) + theta_A x (theta_A x d) / 2``,
    ``xi_r = theta_B - theta_A - theta_A x theta_B / 2``.
    """
    found = np.zeros((6, 12, 12))
    # (a x b)_i = a_j b_k e_ijk; skew(e_j)[i, k] is that e_ijk
    product = np.transpose(_LEVI_CIVITA, (1, 0, 2))
    for half, other, factor, rows in (
        (_T_A, _U_B, -1.0, slice(0, 3)),
        (_T_A, _U_A, 1.0, slice(0, 3)),
        (_T_A, _T_B, -0.5, slice(3, 6)),
    ):
        found[rows, half, other] += factor * product
        found[rows, other, half] += factor * np.transpose(product, (0, 2, 1))
    found[:3, _T_A, _T_A] += turned_twice(d - on_A)
    found[:3, _T_B, _T_B] += turned_twice(on_B)
    return found


def turned_twice(d: np.ndarray) -> np.ndarray:
    """Second derivative of ``theta x (theta x d) / 2`` by theta, 3x3x3."""
    unit = np.eye(3)
    return np.asarray(
        (np.einsum("ij,k->ijk", unit, d) + np.einsum("ik,j->ijk", unit, d)) / 2.0
        - np.einsum("i,jk->ijk", d, unit)
    )


def turned_axes(tensor: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The same with ``xi`` in the axes R of a frame, 6x12x12."""
    return np.concatenate(
        [np.tensordot(R.T, tensor[:3], axes=1), np.tensordot(R.T, tensor[3:], axes=1)]
    )
