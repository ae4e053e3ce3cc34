"""The motors along a motion: positions, rates, accelerations and Jacobians, at every sample.

Two kernels give all of it to rounding: derivatives of the inverse velocity are the accelerations.
Samples that kernels doubt are worked out by NumPy, and so are short motions.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from gough.analysis.samples import Track
from gough.closure.axes import is_turn
from gough.errors import GoughError, TraceError
from gough.geometry.inverse import motor_positions
from gough.kernels.compile import compile_kernel
from gough.kernels.engine import LARGE
from gough.kinematics.inverse import moving
from gough.mobility.assembly import Assembly


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
    K, m, n = len(track.t), len(assembly.robot.motors), assembly.mobility
    q, qd, qdd = (np.full((K, m), np.nan) for _ in range(3))
    found = (q, qd, qdd, np.full((K, m, n), np.nan), np.full((K, 6, n), np.nan))
    doubtful = np.ones(K, dtype=bool)
    if K >= LARGE:  # for fewer samples compiling does not pay
        with suppress(TraceError):  # no kernel of this robot: NumPy for all
            by_kernel, doubtful = _by_kernels(assembly, track)
            for array, values in zip(found, by_kernel, strict=True):
                array[~doubtful] = values[~doubtful]

    def look(k: int) -> None:
        for array, value in zip(found, _by_numpy(assembly, track.at(k)), strict=True):
            array[k] = value

    errors = _look_at(doubtful, look)
    turns = [is_turn(assembly.axes[name]) for name in assembly.robot.motors]
    q[:, turns] = unwrapped(q[:, turns])
    return Motors(*found, failed=np.isnan(qd).any(axis=1), errors=errors)


def unwrapped(angles: np.ndarray) -> np.ndarray:
    """Angles ``(K, m)`` that go on from sample to sample, over those that are known.

    Legs tell angles up to whole turns, and each sample alone has them nearest home.
    """
    found = angles.copy()
    known = np.isfinite(angles).all(axis=1)
    found[known] = np.unwrap(angles[known], axis=0)
    return found


def _by_kernels(assembly: Assembly, track: Track) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Positions, rates, accelerations and Jacobians, and which samples are in doubt."""
    robot = assembly.robot
    geometry = compile_kernel(robot, "inverse_jacobian")(track.T_0p)
    velocity = compile_kernel(robot, "inverse_velocity", derivatives=("pose", "V_0p"))(
        track.T_0p, track.V_0p
    )
    V_r = track.V_0p[:, list(assembly.free)]
    # the rates are a function of pose and twist: its total derivative
    qdd = (velocity["d_qd_d_pose"] @ V_r[..., None])[..., 0]
    qdd = qdd + (velocity["d_qd_d_V_0p"] @ track.Vdot_0p[..., None])[..., 0]
    found = (geometry["q"], velocity["qd"], qdd, geometry["J_inv"], geometry["Psi"])
    doubt = geometry["doubt"].sum(axis=1) + velocity["doubt"].sum(axis=1)
    finite = np.all([np.isfinite(a.reshape(len(a), -1)).all(axis=1) for a in found], axis=0)
    return found, ~(finite & (doubt < 1.0))


def _by_numpy(assembly: Assembly, state: Track) -> tuple[np.ndarray, ...]:
    kin = moving(assembly, state.T_0p, state.V_0p, state.Vdot_0p)
    return (
        np.asarray(motor_positions(assembly, kin.solution.equations)),
        np.asarray(kin.motor_rates()),
        np.asarray(kin.motor_accelerations()),
        np.asarray(assembly.inverse_jacobian(kin.solution)),
        np.asarray(kin.solution.Psi),
    )


def _look_at(doubtful: np.ndarray, look: Callable[[int], None]) -> dict[int, GoughError]:
    """Look at samples in doubt, each stretch from both ends up to a failure.

    To prove that a pose is out of reach takes half a second: a stretch that fails at both ends is
    taken to fail in between.
    """
    errors: dict[int, GoughError] = {}
    edges = np.flatnonzero(np.diff(np.concatenate([[False], doubtful, [False]]).astype(int)))
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        seen: set[int] = set()
        for way in (range(start, end), range(end - 1, start - 1, -1)):
            for k in way:
                if k in seen:
                    break
                seen.add(k)
                try:
                    look(k)
                except GoughError as err:
                    errors[k] = err
                    break
    return errors
