"""The motors along a motion: positions, rates, accelerations and Jacobian, at every sample."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.analysis.samples import Track
from gough.closure.axes import is_turn
from gough.errors import GoughError
from gough.kernels.evaluator import Evaluator
from gough.mobility.assembly import Assembly
from gough.tracing.variant import Variant


class Motors(NamedTuple):
    """Motors along a motion of K samples; NaN in the samples that cannot be.

    Attributes:
        q, qd, qdd: positions, rates and accelerations ``(K, m)``; angles go on from sample to
            sample, the first within half a turn from home.
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


def follow(assembly: Assembly, track: Track) -> Motors:
    """Motors along a motion."""
    arguments = {
        "T_0p": (track.T_0p, 2),
        "V_0p": (track.V_0p, 1),
        "Vdot_0p": (track.Vdot_0p, 1),
    }
    motion = Evaluator(assembly, "motor_motion", Variant())
    found = motion(arguments, on_error="nan", along=True)
    q, qd, qdd, J_inv, Psi = found.values
    turns = [is_turn(assembly.axes[name]) for name in assembly.robot.motors]
    q[:, turns] = unwrapped(q[:, turns])
    errors = {k: err for (k,), err in found.errors.items()}
    return Motors(q, qd, qdd, J_inv, Psi, failed=found.failed, errors=errors)


def unwrapped(angles: np.ndarray) -> np.ndarray:
    """Angles ``(K, m)`` that go on from sample to sample, over those that are known.

    Legs tell angles up to whole turns, and each sample alone has them nearest home.
    """
    found = angles.copy()
    known = np.isfinite(angles).all(axis=1)
    found[known] = np.unwrap(angles[known], axis=0)
    return found
