"""The motors along a motion: positions, rates, accelerations and Jacobian, at every sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.batch import state_arguments
from gough.errors import GoughError
from gough.evaluation.evaluator import usual
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.motion.motion import Samples


class Motors(NamedTuple):
    """Motors along a motion of K samples; NaN in the samples that cannot be.

    Attributes:
        q, qd, qdd: positions, rates and accelerations ``(K, m)``; angles are continued from sample
            to sample, the first within half a turn from home.
        J_inv: ``qd = J_inv V_r``, ``(K, m, n)``.
        Psi: ``V_0p = Psi V_r``, ``(K, 6, n)``.
        failed: samples that cannot be ``(K,)``.
        errors: why, for the first and last sample of every such stretch, by sample.
    """

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    J_inv: np.ndarray
    Psi: np.ndarray
    failed: np.ndarray
    errors: dict[int, GoughError]


def follow(assembly: Assembly, track: Samples) -> Motors:
    """Motors along a motion."""
    arguments = state_arguments(T_0p=track.T_0p, V_0p=track.V_0p, Vdot_0p=track.Vdot_0p)
    found = usual(assembly, "motor_motion")(arguments, on_error="nan", along=True)
    q, qd, qdd, J_inv, Psi = found.values
    q = unwrapped(assembly, assembly.robot.motors, q)
    errors = {k: err for (k,), err in found.errors.items()}
    return Motors(q, qd, qdd, J_inv, Psi, failed=found.failed, errors=errors)


def unwrapped(assembly: Assembly, names: Sequence[str], positions: np.ndarray) -> np.ndarray:
    """Positions of axes ``(K, m)``, angles going on from sample to sample, over what is known.

    Legs determine angles up to whole turns, and each sample alone has them nearest home.
    """
    known = np.isfinite(positions).all(axis=1)
    turns = [is_turn(assembly.axes[name]) for name in names]
    found = positions.copy()
    found[known] = np.where(turns, np.unwrap(positions[known], axis=0), positions[known])
    return found
