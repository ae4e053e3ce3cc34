"""Coordinates of the platform: position, and rotation vector from a reference orientation.

``R_0p = exp(rx, ry, rz) R_ref``.  The reference is the base's own orientation wherever that serves;
a platform drawn upside down has a rotation vector of half a turn, about which small rotations are
not small changes of its components, and is counted from the axis-parallel orientation nearest home.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from gough.base import spatial
from gough.base.spatial import Array


@dataclass(frozen=True, eq=False)
class Chart:
    """Six coordinates y of the platform around a reference orientation."""

    R_ref: np.ndarray

    def pose(self, y: Array) -> Array:
        """Platform pose, 4x4."""
        return spatial.homogeneous(spatial.rotation_exp(y[3:]) @ self.R_ref, y[:3])

    def coordinates(self, T_0p: np.ndarray) -> np.ndarray:
        """Coordinates of a pose; the rotation vector is at most half a turn long."""
        turn = spatial.rotation_log(T_0p[:3, :3] @ self.R_ref.T)
        return np.concatenate([T_0p[:3, 3], turn])

    def rates(self, y: Array) -> Array:
        """``V_0p = J yd``, 6x6."""
        turning = np.concatenate([np.zeros((3, 3)), spatial.exp_rates(y[3:])], axis=1)
        return np.concatenate([np.eye(6)[:3], turning])

    def bias(self, y: Array, yd: Array) -> Array:
        """Bias acceleration ``Vdot_0p - J ydd``: what the rates alone contribute."""
        return np.concatenate([np.zeros(3), spatial.exp_rates_dot(y[3:], yd[3:]) @ yd[3:]])

    def jerk_bias(self, y: Array, yd: Array, ydd: Array) -> Array:
        """``Vddot_0p - J yddd``: what rates and accelerations contribute."""
        w, wd, wdd = y[3:], yd[3:], ydd[3:]
        turning = 2.0 * spatial.exp_rates_dot(w, wd) @ wdd
        return np.concatenate([np.zeros(3), turning + spatial.exp_rates_ddot(w, wd, wdd) @ wd])


def choose_chart(T_home: np.ndarray, B: np.ndarray, free: tuple[int, ...]) -> Chart:
    """The chart in which the freedoms describe the platform well at home.

    Args:
        T_home: platform pose.
        B: constraints ``B V = 0`` on the platform twist there, natural units.
        free: components that are chosen at will.
    """
    dependent = [i for i in range(6) if i not in free]
    at_home = Chart(T_home[:3, :3])
    best = _quality(at_home, T_home, B, dependent)
    cube = sorted(_axis_parallel(), key=lambda R: -float(np.trace(R.T @ T_home[:3, :3])))
    for R_ref in (np.eye(3), *cube):
        chart = Chart(R_ref)
        if _quality(chart, T_home, B, dependent) > 0.5 * best:
            return chart
    return at_home


def _quality(chart: Chart, T_home: np.ndarray, B: np.ndarray, dependent: list[int]) -> float:
    """Smallest singular value of the map that finds the dependent coordinates."""
    J = chart.rates(chart.coordinates(T_home))
    # rows of a machine that hardly holds together may not be finite
    if not dependent or B.shape[0] < len(dependent) or not np.isfinite(B).all():
        return float(np.linalg.svd(J, compute_uv=False)[-1])
    return float(np.linalg.svd(B @ J[:, dependent], compute_uv=False)[-1])


def _axis_parallel() -> list[np.ndarray]:
    """The 24 rotations that take axes to axes."""
    found = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        R = np.eye(3)[list(order)] * np.array(signs)
        if np.linalg.det(R) > 0.0:
            found.append(R)
    return found
