"""The speeds over which a simulation smooths Coulomb friction, where it has to choose them.

Smoothed over a speed s, friction acts near rest like a damper ``coulomb / s``.  The smaller s is,
the nearer the law is to the sign, and the stiffer is the machine: a step h follows it as long as
``h lambda`` is below a bound, lambda being the largest eigenvalue of

    M^-1 sum_i J_i^T (c_i / s_i) J_i

over all axes with Coulomb friction c and rates ``J_i V_r``.  Each axis gets its share of the
smallest such speeds: ``s_i`` grows with what its own friction does to its rate within a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gough.base.once import known_of
from gough.dynamics import legs
from gough.dynamics.shared.parameters import own_parameters
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.joint_kinds import PLANE, SLIDE

STEP = 1e-3
"""Step that a controller assumes for its speeds until a simulation sets its own [s]."""

_FOLLOWED = 2.0
"""``h lambda`` that both integrators follow without overshooting: 2.78 is where RK4 explodes."""

_LEAST = 1e-7
"""Smallest speed that is chosen, natural units [rad/s]: friction that hardly acts asks for none."""

_WEIGHTLESS = 1e-9
"""Inertias below this share of the largest, natural units, are left out.

Such a direction moves without inertia, and friction in it would ask for infinite speeds.
"""


class _Sample(NamedTuple):
    """``M_rob`` inverted at a state, and rates of axes by ``V_r``."""

    mobility: np.ndarray
    rows: dict[str, np.ndarray]


def own_coulomb(robot: Robot) -> np.ndarray:
    """Coulomb friction of all axes as described ``(axes,)`` [N m or N]."""
    return np.array([own_parameters(robot.axis(name)).coulomb for name in robot.axis_names])


def coulomb_axes(robot: Robot) -> dict[str, float]:
    """Axes with Coulomb friction, and how much [N m or N]."""
    pairs = zip(robot.axis_names, own_coulomb(robot), strict=True)
    return {name: float(c) for name, c in pairs if c}


def smoothing_speeds(
    assembly: Assembly, coulomb: Mapping[str, float], h: float
) -> dict[str, float]:
    """Smallest speeds over which steps of h can smooth Coulomb friction, two digits each.

    Args:
        assembly: the robot.
        coulomb: friction of the axes that have some [N m or N].
        h: the step [s].

    Returns:
        By the name of the axis [rad/s or m/s]; the same wherever the machine is.
    """
    figures = one_an_axis(assembly.robot, coulomb)
    found = dict(
        zip(assembly.robot.axis_names, machine_speeds(assembly, figures[None], h)[0], strict=True)
    )
    return {name: float(found[name]) for name in coulomb}


def machine_speeds(assembly: Assembly, coulomb: np.ndarray, h: float | np.ndarray) -> np.ndarray:
    """Smallest speeds of N machines, each by its own friction; see :func:`smoothing_speeds`.

    Args:
        assembly: the robot.
        coulomb: friction of all axes ``(N, axes)`` [N m or N].
        h: the step, or one for each machine ``(N,)`` [s].

    Returns:
        One for each axis ``(N, axes)`` [rad/s or m/s]; 0 where there is no friction.
    """
    speeds = np.zeros(coulomb.shape)
    rubs = coulomb != 0.0
    if not rubs.any() or not assembly.mobility:
        return speeds
    samples = _samples(assembly)
    rows = [[s.rows[name] for name in assembly.robot.axis_names] for s in samples]
    gains = np.max(
        [
            [_largest(J @ s.mobility @ J.T) for J in own]
            for s, own in zip(samples, rows, strict=True)
        ],
        axis=0,
    )
    strength = np.abs(coulomb)
    alone = strength * gains
    alone = np.where(rubs, np.maximum(alone, _WEIGHTLESS * alone.max(axis=1, keepdims=True)), 0.0)
    weights = np.divide(strength, alone, out=np.zeros(alone.shape), where=alone > 0.0)
    together = np.max(
        [
            _largest(
                np.einsum("na,aij->nij", weights, np.stack([J.T @ J for J in own])), s.mobility
            )
            for s, own in zip(samples, rows, strict=True)
        ],
        axis=0,
    )
    share = np.asarray(h * together / _FOLLOWED)[:, None]
    speeds[rubs] = _rounded_up(np.maximum(share * alone, _least_speeds(assembly)))[rubs]
    return speeds


def one_an_axis(robot: Robot, speeds: Mapping[str, float]) -> np.ndarray:
    """Speeds as kernels take them, one for each axis ``(axes,)``."""
    return np.array([speeds.get(name, 0.0) for name in robot.axis_names])


def largest_speeds(robot: Robot, speeds: np.ndarray) -> dict[str, float]:
    """Largest speed of each axis among machines ``(..., axes)``, by its name.

    Speeds that are not numbers belong to axes without Coulomb friction.
    """
    largest = np.fmax.reduce(speeds, axis=tuple(range(speeds.ndim - 1)))
    pairs = zip(robot.axis_names, largest, strict=True)
    return {name: float(speed) for name, speed in pairs if not np.isnan(speed)}


@known_of(Assembly)
def _samples(assembly: Assembly) -> list[_Sample]:
    """States near home."""
    found = []
    for solution in assembly.regular_solutions:
        M = np.asarray(
            legs.inertia_matrix(Kinematics(assembly, solution), StateLoads(assembly.gravity)),
            dtype=float,
        )
        unit = [
            Kinematics(assembly, solution, solution.Psi[:, k], np.zeros(6))
            for k in range(assembly.mobility)
        ]
        rows = {
            name: np.stack([np.atleast_1d(each.axis_rate(name)) for each in unit], axis=1)
            for name in assembly.robot.axis_names
        }
        found.append(_Sample(_inverted(M, assembly.scales.freedoms), rows))
    return found


def _inverted(M: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The inverse of an inertia matrix, without directions that have none."""
    values, vectors = np.linalg.eigh(M * scales[:, None] * scales)
    kept = values > _WEIGHTLESS * values.max()
    own = vectors[:, kept] * scales[:, None]
    return np.asarray((own / values[kept]) @ own.T)


def _largest(matrix: np.ndarray, other: np.ndarray | None = None) -> np.ndarray:
    """Largest eigenvalue of matrices, or of their products with another, all symmetric."""
    if other is not None:
        values, vectors = np.linalg.eigh(other)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        matrix = root.T @ matrix @ root
    return np.asarray(np.linalg.eigvalsh(matrix).max(axis=-1))


def _least_speeds(assembly: Assembly) -> np.ndarray:
    """Smallest speeds that are chosen, of all axes ``(axes,)`` [rad/s or m/s]."""
    kinds = [assembly.axes[name].what for name in assembly.robot.axis_names]
    return np.array([_LEAST * (assembly.length if k in (SLIDE, PLANE) else 1.0) for k in kinds])


def _rounded_up(speeds: np.ndarray) -> np.ndarray:
    """Speeds rounded up to two digits."""
    digit = 10.0 ** (np.floor(np.log10(speeds)) - 1.0)
    found, where = np.unique(np.ceil(speeds / digit - 1e-9) * digit, return_inverse=True)
    return np.array([float(f"{speed:.1e}") for speed in found])[where].reshape(speeds.shape)
