"""The algebra of screws, as in [GA]: a leaf that knows no robot.

A screw is six numbers ``[s; s_O]``: its primary part and its dual part at the fixed point O, the
origin of the base.  Twists ``[omega; v_O]``, accelerators ``[omega_dot; a_O - omega x v_O]`` and
wrenches ``[f; n_O]`` are screws.  Everywhere else in the house twists are ``[v; omega]`` of a point
that moves; :func:`from_twist`, :func:`to_twist` and the like convert between the two.

Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.spatial import Array, cross
from gough.errors import InputError


def revolute(axis: Array, point: Array) -> Array:
    """Screw of a turn about a line: unit vector along it, a point of it.  [GA] (1)-(2), h = 0."""
    return np.concatenate([axis, cross(point, axis)])


def prismatic(axis: Array) -> Array:
    """Screw of a slide along a unit vector, ``(0, s)``.  Erratum GA-9."""
    return np.concatenate([np.zeros(3), axis])


def helical(axis: Array, point: Array, pitch: float) -> Array:
    """Screw of pitch h [m/rad]: ``s_O = h s + s x r_O/P``.  [GA] (1)-(2)."""
    return np.concatenate([axis, cross(point, axis) + axis * pitch])


def primary(screw: Array) -> Array:
    """The part that no point changes: omega of a twist, f of a wrench."""
    return screw[:3]


def dual(screw: Array) -> Array:
    """The part at the point of representation: v_O of a twist, n_O of a wrench."""
    return screw[3:]


def moved(screw: Array, point: Array) -> Array:
    """The same screw, represented at another point.  [GA] (5), (11), (21); erratum GA-3."""
    return np.concatenate([screw[:3], screw[3:] + cross(screw[:3], point)])


def bracket(a: Array, b: Array) -> Array:
    """Lie product ``[a b] = (s_a x s_b, s_a x b_O - s_b x a_O)``.  Errata, section 4."""
    return np.concatenate([cross(a[:3], b[:3]), cross(a[:3], b[3:]) - cross(b[:3], a[3:])])


def klein(a: Array, b: Array) -> Array:
    """Klein form: of a wrench and a twist, their power.  [GA] (25), (32)."""
    return a[:3] @ b[3:] + a[3:] @ b[:3]


def chain_velocity(screws: Sequence[Array], rates: Sequence[Array]) -> Array:
    """Twist of the last body of an open chain.  [GA] (6)."""
    total: Array = np.zeros(6)
    for screw, rate in zip(screws, rates, strict=True):
        total = total + screw * rate
    return total


def lie_screw(screws: Sequence[Array], rates: Sequence[Array]) -> Array:
    """Part of an open chain's accelerator that the rates alone contribute.

    ``sum_{i<j} w_i w_j [$_i $_j]``, [GA] (13), erratum GA-9; summed up as every joint's screw is
    carried along by the body before it.
    """
    twist: Array = np.zeros(6)
    total: Array = np.zeros(6)
    for screw, rate in zip(screws, rates, strict=True):
        own = screw * rate
        total = total + bracket(twist, own)
        twist = twist + own
    return total


def chain_accelerator(
    screws: Sequence[Array], rates: Sequence[Array], accelerations: Sequence[Array]
) -> Array:
    """Accelerator of the last body of an open chain.  [GA] (12), (14)."""
    return chain_velocity(screws, accelerations) + lie_screw(screws, rates)


def chain_jerk(
    screws: Sequence[Array],
    rates: Sequence[Array],
    accelerations: Sequence[Array],
    jerks: Sequence[Array],
) -> Array:
    """Time derivative of the accelerator of the last body of an open chain, at the fixed point O.

    A joint's screw is carried along by the body before it, ``d$/dt = [V $]``; the derivative of
    [GA] (12) is the next of the higher order analyses of its footnote 3:
    ``sum w_ddot $ + 2 w_dot [V $] + w ([A $] + [V [V $]])``.
    """
    twist: Array = np.zeros(6)
    accelerator: Array = np.zeros(6)
    total: Array = np.zeros(6)
    for screw, w, wd, wdd in zip(screws, rates, accelerations, jerks, strict=True):
        carried = bracket(twist, screw)
        faster = bracket(accelerator, screw) + bracket(twist, carried)
        total = total + screw * wdd + carried * (2.0 * wd) + faster * w
        accelerator = accelerator + screw * wd + carried * w  # [GA] (12)-(13)
        twist = twist + screw * w  # [GA] (6)
    return total


def influence_coefficients(
    screws: np.ndarray, active: Sequence[int], *, length: float = 1.0
) -> np.ndarray:
    """Rates of all joints of a single closed chain per unit rate of each active one (numbers only).

    Args:
        screws: of the joints, in order round the chain, ``(k, 6)``.
        active: which joints are chosen at will, F of them.
        length: natural length [m], by which velocities and angular velocities compare.

    Returns:
        ``G (k, F)``, [GA] (17): rates ``G @ qd`` close the chain, [GA] (16).

    Raises:
        InputError: the active joints cannot move like that: the chain does not close, or passive
            joints are not determined.  Erratum GA-11: least squares, and a check of the residual.
    """
    given = _natural(screws, length)
    unit = np.eye(len(active))
    return _closed(given, active, unit, -given[list(active)].T)


def closed_chain_accelerations(
    screws: np.ndarray,
    rates: np.ndarray,
    active: Sequence[int],
    accelerations: np.ndarray,
    *,
    length: float = 1.0,
) -> np.ndarray:
    """Accelerations of all joints of a single closed chain from those of the active ones.

    ``sum $ wdot + $_L = 0``, [GA] (16); arguments as in :func:`influence_coefficients`.
    """
    given = _natural(screws, length)
    lie = _natural(lie_screw(list(np.asarray(screws)), list(np.asarray(rates))), length)[0]
    own = np.asarray(accelerations, dtype=float)
    right = -lie - given[list(active)].T @ own
    return _closed(given, active, own[:, None], right[:, None])[:, 0]


def partial_screws(screws: np.ndarray, G: np.ndarray) -> np.ndarray:
    """Partial screws of a chain's bodies: body n per unit rate i, ``(k, F, 6)``.  [GA] (20)."""
    steps = np.asarray(G)[:, :, None] * np.asarray(screws)[:, None, :]
    return np.asarray(np.cumsum(steps, axis=0))


def _natural(screws: np.ndarray, length: float) -> np.ndarray:
    scale = np.array([1.0] * 3 + [1.0 / length] * 3)
    return np.asarray(np.reshape(screws, (-1, 6)) * scale)


def _closed(
    screws: np.ndarray, active: Sequence[int], own: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """All columns of a closed chain, the active rows given."""
    passive = [i for i in range(len(screws)) if i not in set(active)]
    A = screws[passive].T
    # screws are in natural units: 1e-9 is far above rounding and far below a joint's share
    found, _, rank, _ = np.linalg.lstsq(A, right, rcond=1e-9)
    left = float(np.abs(A @ found - right).max(initial=0.0))
    if rank < len(passive):
        raise InputError(
            f"the closed chain leaves {len(passive) - rank} passive joints undetermined",
            hint="Name more active joints: as many as the chain has freedoms.",
        )
    if left > 1e-9 * max(float(np.abs(right).max(initial=0.0)), 1.0):
        raise InputError(
            f"the active joints do not move the closed chain: {left:.3g} is left over",
            hint="Name as many active joints as the chain has freedoms, at a posture that closes.",
        )
    total = np.zeros((len(screws), right.shape[1]))
    total[list(active)], total[passive] = own, found
    return total


def from_twist(V: Array, point: Array) -> Array:
    """Screw at O of a twist ``[v; omega]`` whose v is that of a point."""
    return np.concatenate([V[3:], V[:3] + cross(point, V[3:])])


def to_twist(screw: Array, point: Array) -> Array:
    """Twist ``[v; omega]`` of the body point at a place."""
    return np.concatenate([screw[3:] + cross(screw[:3], point), screw[:3]])


def from_twist_rate(V: Array, Vdot: Array, point: Array) -> Array:
    """Accelerator at O from a twist and its plain time derivative at a body point.  [GA] (9)."""
    v, w = V[:3], V[3:]
    reduced = np.concatenate([Vdot[3:], Vdot[:3] - cross(w, v)])
    return np.concatenate([reduced[:3], reduced[3:] + cross(point, reduced[:3])])


def from_twist_jerk(V: Array, Vdot: Array, Vddot: Array, point: Array) -> Array:
    """Time derivative of the accelerator at O, from a body point's twist and its two derivatives.

    ``v_O = v + p x omega`` is differentiated twice while p moves with v.
    """
    (v, w), (a, wd), (j, wdd) = ((x[:3], x[3:]) for x in (V, Vdot, Vddot))
    return np.concatenate([wdd, j + cross(a, w) + 2.0 * cross(v, wd) + cross(point, wdd)])


def to_twist_rate(accelerator: Array, twist: Array, point: Array) -> Array:
    """Acceleration of the body point at a place, and angular: ``[a; omega_dot]``.  [GA] (10)."""
    at = moved(accelerator, point)
    v = moved(twist, point)[3:]
    return np.concatenate([at[3:] + cross(twist[:3], v), at[:3]])


def from_wrench(W: Array, point: Array) -> Array:
    """Screw at O of a wrench ``[f; n]`` whose moment is about a point."""
    return np.concatenate([W[:3], W[3:] + cross(point, W[:3])])


def reciprocal(screws: np.ndarray, *, length: float = 1.0) -> np.ndarray:
    """Orthonormal basis of the screws whose Klein form with all given ones vanishes.

    Args:
        screws: ``(k, 6)``.
        length: natural length [m], by which moments and forces compare.

    Returns:
        ``(6 - rank, 6)``, scaled so that forces are of the size of moments over the length.
    """
    given = _natural(screws, length)
    _, s, Vt = np.linalg.svd(np.vstack([given, np.zeros((1, 6))]), full_matrices=True)
    null = Vt[int((s > 1e-9 * max(s[0], 1e-300)).sum()) :]
    # KL(r, $) = r_primary . $_dual + r_dual . $_primary, in natural units
    return np.asarray(np.hstack([null[:, 3:] / length, null[:, :3]]))
