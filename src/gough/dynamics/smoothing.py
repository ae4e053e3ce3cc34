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
from math import ceil, floor, log10
from typing import NamedTuple

import numpy as np

from gough.dynamics import legs
from gough.dynamics.figures import own_figures
from gough.dynamics.loads import Loads
from gough.kinematics.motion import kinematics
from gough.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.joint import SKATE, SLIDE

STEP = 1e-3
"""Step for which a controller chooses as long as no simulation tells it another [s]."""

_FOLLOWED = 2.0
"""``h lambda`` that both integrators follow without overshooting: 2.78 is where RK4 explodes."""

_LEAST = 1e-7
"""Speeds below this are none, natural units [rad/s]."""

_WEIGHTLESS = 1e-9
"""Inertias below this share of the largest, natural units, do not count: nothing moves so."""


class _Sample(NamedTuple):
    """What friction meets at a state: ``M_rob`` inverted, and rates of axes by ``V_r``."""

    mobility: np.ndarray
    rows: dict[str, np.ndarray]


def coulomb_axes(robot: Robot, given: np.ndarray | None = None) -> dict[str, float]:
    """Axes with Coulomb friction, and how much [N m or N].

    Args:
        robot: the machine.
        given: figures that stand in for its own, one an axis ``(..., axes)``; the largest count.
    """
    names = robot.axis_names
    if given is None:
        found = [own_figures(robot.axis(name)).coulomb for name in names]
    else:
        found = list(np.abs(given).reshape(-1, len(names)).max(axis=0))
    return {name: float(c) for name, c in zip(names, found, strict=True) if c}


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
    if not coulomb or not assembly.mobility:
        return dict.fromkeys(coulomb, 0.0)
    samples = assembly.once("friction near home", _samples)
    alone = {
        name: c * max(_largest(s.rows[name] @ s.mobility @ s.rows[name].T) for s in samples)
        for name, c in coulomb.items()
    }
    heaviest = max(alone.values())
    alone = {name: max(gain, _WEIGHTLESS * heaviest) for name, gain in alone.items()}
    together = max(
        _largest(
            sum(c / alone[n] * s.rows[n].T @ s.rows[n] for n, c in coulomb.items()), s.mobility
        )
        for s in samples
    )
    share = h * together / _FOLLOWED
    return {name: _rounded_up(share * gain, assembly, name) for name, gain in alone.items()}


def one_an_axis(robot: Robot, speeds: Mapping[str, float]) -> np.ndarray:
    """Speeds as kernels take them, one for each axis ``(axes,)``."""
    return np.array([speeds.get(name, 0.0) for name in robot.axis_names])


def _samples(assembly: Assembly) -> list[_Sample]:
    """States near home."""
    found = []
    for sample in assembly.regular_samples:
        solution = assembly.solution(assembly.equations(*sample))
        M = np.asarray(
            legs.inertia_matrix(assembly, solution, Loads(assembly.gravity)), dtype=float
        )
        unit = [
            kinematics(assembly, solution, solution.Psi[:, k], np.zeros(6))
            for k in range(assembly.mobility)
        ]
        rows = {
            name: np.stack([np.atleast_1d(each.axis_rate(name)) for each in unit], axis=1)
            for name in assembly.robot.axis_names
        }
        found.append(_Sample(_inverted(M, assembly.freedom_scales), rows))
    return found


def _inverted(M: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """The inverse of an inertia matrix, without directions that have none."""
    values, vectors = np.linalg.eigh(M * scales[:, None] * scales)
    kept = values > _WEIGHTLESS * values.max()
    own = vectors[:, kept] * scales[:, None]
    return np.asarray((own / values[kept]) @ own.T)


def _largest(matrix: np.ndarray, other: np.ndarray | None = None) -> float:
    """Largest eigenvalue of a matrix, or of its product with another, both symmetric."""
    if other is not None:
        values, vectors = np.linalg.eigh(other)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        matrix = root.T @ matrix @ root
    return float(np.linalg.eigvalsh(matrix).max())


def _rounded_up(speed: float, assembly: Assembly, name: str) -> float:
    """A speed with two digits."""
    natural = assembly.length if assembly.axes[name].what in (SLIDE, SKATE) else 1.0
    speed = max(speed, _LEAST * natural)
    digit = 10.0 ** (floor(log10(speed)) - 1)
    return float(f"{ceil(speed / digit - 1e-9) * digit:.1e}")
