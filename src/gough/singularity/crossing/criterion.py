"""The criterion of Briot and Arakelian at a Type 2 singularity, and the limit of the efforts.

With ``A = J_inv^T`` the efforts of a motion solve ``A tau = w_r``.  On the singular pose there are
free twists ``t_s`` with ``J_inv t_s = 0``, so ``t_s^T A = 0``: no effort reaches them, and

    t_s^T w_r = t_s^T (M_rob Vdot_r + c_rob) = 0                                    (criterion)

is necessary.  There are also efforts ``u`` with ``A u = 0``, which cancel, so the singular pose
alone does not determine ``lambda`` of ``tau = tau_0 + u lambda``.  The motion does: the time
derivative ``Adot tau + A taudot = wdot_r``, multiplied by ``t_s^T``, is

    (t_s^T Adot u) lambda = t_s^T (wdot_r - Adot tau_0)                                 (limit)

``t_s^T Adot u`` is the rate at which the singularity is crossed.  If the criterion is missed by
``r = t_s^T w_r``, efforts grow as ``u (t_s^T Adot u)^-1 r / (t - t_s)``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.mechanism.mobility.singular import felt_by_motors, rank
from gough.singularity.crossing.terms import Machine, Terms

_TRANSLATION = 1e-6  # a twist that turns less than this, natural units, is a translation
_CROSSED = 1e-6  # rate of crossing, over the machine's usual one, below which it is only touched
_PARALLEL = 1e-9  # share of a path's inertia along the free twist that is rounding
# Slopes are interpolated from _POINTS instants on one side.  Errors grow with the fourth power of
# the step, rounding with its inverse: 2e-4 of the duration keeps both below 1e-12, or less where
# rates change by more than a hundredth between two instants.
_POINTS = 5
_SHARE = 2e-4  # of the duration, between two of them
_CHANGE = 1e-2  # of the rates, between two of them, at most
_SHORTEST = 1e-2  # of the usual step, where rates change fast; a tenth of it is no room for a slope
_BESIDE = 1e-6  # share of the duration beside an instant at which a jump is measured


class Null(NamedTuple):
    """Free twists and cancelling efforts of a singular Jacobian.

    Attributes:
        twists: free rates of the robot's freedoms ``t_s`` ``(n, k)``: of unit speed [m/s] where
            they are translations, otherwise of unit turning [rad/s].
        translations: which of them are translations ``(k,)``.
        efforts: efforts that cancel ``(m, k + m - n)``, orthonormal.
        smallest: distance to Type 2, natural units.
    """

    twists: np.ndarray
    translations: np.ndarray
    efforts: np.ndarray
    smallest: float


class Slope(NamedTuple):
    """At an instant, from one side: the slope of ``A = J_inv^T``, value and slope of ``w_r``."""

    Adot: np.ndarray
    w: np.ndarray
    wdot: np.ndarray


def null(machine: Machine, at: Terms) -> Null:
    """Free twists and cancelling efforts of a singular Jacobian; the least one there is."""
    assembly, n = machine.assembly, at.J_inv.shape[1]
    felt, rates = felt_by_motors(assembly.scales, at.J_inv, at.Psi)
    left, s, right = np.linalg.svd(felt, full_matrices=True)
    k = max(n - rank(s), 1)
    turning = np.array([i > 2 for i in assembly.free])
    rows = right[n - k :] @ rates.T
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows if k == 1 else _reduced(rows, turning)
    twists = rows.T * assembly.scales.freedoms[:, None]
    translations = np.zeros(k, dtype=bool)
    for j in range(k):
        t = twists[:, j]
        angle = float(np.linalg.norm(t[turning]))
        translations[j] = angle < _TRANSLATION
        # the largest component, natural units, is positive: the sign means nothing
        largest = int(np.argmax(np.abs(t / assembly.scales.freedoms)))
        size = float(np.linalg.norm(t[~turning])) if translations[j] else angle
        twists[:, j] = t / (size * np.sign(t[largest]))
    efforts = left[:, n - k :] / assembly.scales.motors[:, None]
    return Null(twists, translations, np.linalg.qr(efforts)[0], float(s[-1]))


def _reduced(rows: np.ndarray, turning: np.ndarray) -> np.ndarray:
    """The basis of a space of twists in which every one has a freedom for itself.

    Rotations come first, so that what is left are translations.  A basis of singular vectors is
    an arbitrary mixture, decided by rounding.
    """
    found, done = rows.copy(), np.zeros(len(rows), dtype=bool)
    for kind in (turning, ~turning):
        while not done.all():
            size = np.abs(found) * (~done[:, None] & kind)
            i, j = np.unravel_index(int(np.argmax(size)), size.shape)
            if size[i, j] <= _TRANSLATION:
                break
            done[i] = True
            found[i] /= found[i, j]
            others = np.arange(len(rows)) != i
            found[others] -= np.outer(found[others, j], found[i])
    return found


def slope(machine: Machine, t: float, side: float) -> Slope | None:
    """Model and its rate at an instant, seen from one side (-1: before, 1: after).

    From five instants by interpolation: the motion's own derivatives end with the second, and
    Coulomb friction may jump where joints turn back, so that only one side is smooth.  ``None``
    where the motion has no such side.
    """
    room = t if side < 0.0 else machine.motion.duration - t
    h = min(_step(machine, t), room / (_POINTS + 1))
    if h < 1e-3 * _SHARE * machine.motion.duration:
        return None
    k = np.arange(1, _POINTS + 1) * side
    seen = [machine.at(t + float(step) * h) for step in k]
    # rows of the inverse: coefficients of the interpolating polynomial from its values
    value, rate = np.linalg.inv(np.vander(k, increasing=True))[:2]
    A = np.array([each.J_inv.T for each in seen])
    w = np.array([each.w_r for each in seen])
    return Slope(np.tensordot(rate, A, 1) / h, value @ w, rate @ w / h)


def _step(machine: Machine, t: float) -> float:
    """Time between instants from which slopes are taken: short where rates change fast [s]."""
    scales, at = machine.assembly.scales.freedoms, machine.motion(np.array([t]))
    free = list(machine.assembly.free)
    rate, gain = (np.abs(x[0, free] / scales).max() for x in (at.V_0p, at.Vdot_0p))
    usual = _SHARE * machine.motion.duration
    return float(np.clip(_CHANGE * rate / max(gain, 1e-300), _SHORTEST * usual, usual))


def jump(machine: Machine, t: float, w_r: np.ndarray, free: Null) -> np.ndarray:
    """How far the criterion jumps at an instant ``(k,)``.

    Friction of a joint that turns back just there does that, and is zero on the instant itself.
    """
    h, found = _BESIDE * machine.motion.duration, np.zeros(free.twists.shape[1])
    for side in (-h, h):
        if 0.0 <= t + 3.0 * side <= machine.motion.duration:
            one, two, three = (machine.at(t + steps * side).w_r for steps in (1.0, 2.0, 3.0))
            beside = 3.0 * (one - two) + three  # extrapolated to the instant itself
            found = np.maximum(found, np.abs(free.twists.T @ (beside - w_r)))
    return found


def crosses(machine: Machine, t: float) -> bool:
    """Whether a motion crosses, and does not only touch, the singularity it meets at an instant."""
    h = min(_SHARE * machine.motion.duration, t, machine.motion.duration - t)
    if h <= 0.0:
        return False
    before, here, after = (machine.at(each) for each in (t - h, t, t + h))
    free = null(machine, here)
    rate = free.twists.T @ (after.J_inv - before.J_inv).T @ free.efforts / (2.0 * h)
    return _crossed(machine, here.J_inv, free, rate)


def _crossed(machine: Machine, J_inv: np.ndarray, free: Null, rate: np.ndarray) -> bool:
    """Whether a rate of crossing ``t_s^T Adot u`` is more than rounding, natural units."""
    twists = free.twists / machine.assembly.scales.freedoms[:, None]
    efforts = free.efforts * machine.assembly.scales.motors[:, None]
    usual = np.linalg.norm(machine.assembly.scales.jacobian(J_inv)) / machine.motion.duration
    weight = np.linalg.norm(twists) * np.linalg.norm(efforts) * usual
    return bool(np.linalg.svd(rate, compute_uv=False).min() >= _CROSSED * weight)


class Limit(NamedTuple):
    """Efforts on the singular pose itself.

    Attributes:
        tau: the limit of the efforts along the motion ``(m,)``.
        growth: efforts missing the criterion grow as ``growth / (t - t_s)`` ``(m,)`` [N m s, N s].
    """

    tau: np.ndarray
    growth: np.ndarray


def limit(machine: Machine, at: Terms, free: Null, seen: Slope) -> Limit | None:
    """Limit of the efforts from one side; ``None`` if the singularity is touched, not crossed.

    With more motors than freedoms it is the limit of the smallest efforts.
    """
    crossing_rate = free.twists.T @ seen.Adot @ free.efforts
    if not _crossed(machine, at.J_inv, free, crossing_rate):
        return None
    tau_0 = smallest_efforts(machine, at.J_inv, seen.w, free)
    right = free.twists.T @ (seen.wdot - seen.Adot @ tau_0)
    inverse = np.linalg.pinv(crossing_rate)
    tau = tau_0 + free.efforts @ (inverse @ right)
    return Limit(tau, free.efforts @ (inverse @ (free.twists.T @ seen.w)))


def smallest_efforts(
    machine: Machine, J_inv: np.ndarray, w_r: np.ndarray, free: Null
) -> np.ndarray:
    """Least-squares efforts ``tau_0`` of a wrench on the singular pose, without cancelling ones."""
    freedoms, motors = machine.assembly.scales.freedoms, machine.assembly.scales.motors
    rank = J_inv.shape[1] - free.twists.shape[1]
    left, s, right = np.linalg.svd(machine.assembly.scales.jacobian(J_inv), full_matrices=False)
    inverse = left[:, :rank] / s[:rank]
    tau = inverse @ (right[:rank] @ (w_r * freedoms)) / motors
    return np.asarray(tau - free.efforts @ (free.efforts.T @ tau))


def clock_gain(
    M: np.ndarray, V_r: np.ndarray, free: np.ndarray, residual: np.ndarray
) -> float | None:
    """Change of ``Vdot_r`` by ``V_r`` that makes a residual of the criterion vanish [1/s].

    ``None`` if there is none: the direction of the path has no inertia along the free twist, or
    there are several free twists and one number does not do for all.
    """
    reach = free.T @ M @ V_r
    size = np.abs(free.T) @ np.abs(M) @ np.abs(V_r)
    if not (np.abs(reach) > _PARALLEL * size).any():
        return None
    gain = -float(reach @ residual / (reach @ reach))
    left = np.abs(residual + reach * gain).max()
    return gain if left <= _PARALLEL * np.abs(residual).max(initial=1e-300) else None
