"""How the platform moves, and how the motors hold it, along poses that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.errors import GoughError
from gough.geometry.newton import State
from gough.geometry.walk import configuration_at
from gough.kernels.compile import find_kernel
from gough.kinematics.from_motors import moved_by_motors
from gough.mobility.assembly import Assembly
from gough.mobility.measures import holding
from gough.mobility.singular import felt_by_motors
from gough.tracing.variant import Variant
from gough.tracing.verdict import stands


class Along(NamedTuple):
    """Twists, twist rates and Jacobians of B motions of K samples; NaN where none is.

    Attributes:
        V_0p, Vdot_0p: ``(B, K, 6)``.
        J_inv: ``qd = J_inv V_r``, ``(B, K, n, freedoms)``.
        Psi: ``V_0p = Psi V_r``, ``(B, K, 6, freedoms)``.
    """

    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    J_inv: np.ndarray
    Psi: np.ndarray


def along(
    assembly: Assembly,
    T: np.ndarray,
    apart: Sequence[dict[int, State]],
    qd: np.ndarray,
    qdd: np.ndarray,
    *,
    kernels: bool,
) -> Along:
    """Motion of the platform along poses ``(B, K, 4, 4)``.

    Args:
        assembly: the robot.
        T: poses.
        apart: joints of samples that are not on home's branch, by motion and sample.
        qd: rates of the motors ``(B, K, n)``.
        qdd: their accelerations.
        kernels: whether a kernel shall answer for those on home's branch.
    """
    B, K = T.shape[:2]
    n, freedoms = qd.shape[-1], assembly.mobility
    found = Along(
        np.full((B, K, 6), np.nan),
        np.full((B, K, 6), np.nan),
        np.full((B, K, n, freedoms), np.nan),
        np.full((B, K, 6, freedoms), np.nan),
    )
    left = np.isfinite(T).all(axis=(2, 3))
    if kernels:
        kernel = find_kernel(assembly, "motion_of_motors", Variant())
        given = kernel(T, qd, qdd)
        sure = left & stands(given["doubt"])
        for b, states in enumerate(apart):
            sure[b, list(states)] = False
        for name, values in zip(found._fields, found, strict=True):
            values[sure] = given[name][sure]
        left &= ~sure
    for b, k in np.argwhere(left):
        state = apart[b].get(int(k))
        try:
            with np.errstate(all="ignore"):
                if state is None:
                    state = State(T[b, k], configuration_at(assembly, T[b, k], turns=False))
                found.J_inv[b, k], found.Psi[b, k] = jacobians_at(assembly, state)
                found.V_0p[b, k], found.Vdot_0p[b, k] = moved_by_motors(
                    assembly, state, qd[b, k], qdd[b, k]
                )
        except GoughError:
            continue  # a singular pose has no rates: they stay NaN
    return found


def jacobians_at(assembly: Assembly, state: State) -> tuple[np.ndarray, np.ndarray]:
    """``qd = J_inv V_r`` and ``V_0p = Psi V_r`` of an assembled state."""
    solution = assembly.solution(assembly.equations(*state))
    return np.asarray(solution.J_inv), np.asarray(solution.Psi)


def type_2_at(assembly: Assembly, state: State) -> float:
    """Distance of an assembled state to Type 2 singularities, natural units."""
    return float(holding(assembly.scales, *jacobians_at(assembly, state)).type_2)


def usual(assembly: Assembly) -> float:
    """The distance to Type 2 singularities that is usual around home."""

    def make(assembly: Assembly) -> float:
        values = [type_2_at(assembly, State(*sample)) for sample in assembly.regular_samples]
        return float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0

    return assembly.once("usual singular value", make)


def gives_way(assembly: Assembly, J_inv: np.ndarray, Psi: np.ndarray) -> np.ndarray:
    """The twist that costs the motors least; its largest component is 1, natural units."""
    felt, rates = felt_by_motors(assembly.scales, J_inv, Psi)
    natural = assembly.scales.twists(Psi) @ rates @ np.linalg.svd(felt)[2][-1]
    return np.asarray(natural / natural[np.argmax(np.abs(natural))] * assembly.scales.twist)
