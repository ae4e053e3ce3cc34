"""What is known of a state before it is given: entries of pose and twist that never change.

A Delta does not turn and a planar robot stays in its plane.  With constants in their places most
of a trace folds away; that they are what they should be is checked beside it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array, collect, snap
from gough.mechanism.mobility.assembly import Assembly

SAME = 1e-9
"""Entries that differ less between postures around home, natural units, are taken for constant.

Postures are closed to 1e-11; an entry that moves changes by about a tenth between them.
"""


class Settled(NamedTuple):
    """Pose and twists with their constants in place, and how far what was given is from them."""

    T_0p: Array
    twists: list[Array]
    off: list[Array]


def settle(assembly: Assembly, T_0p: Array, *twists: Array) -> Settled:
    """Replace entries of pose and twist that never change by their values, so that they fold away.

    Args:
        assembly: the robot.
        T_0p: platform pose.
        *twists: twist, and twist rate if wanted.

    Returns:
        The settled state; ``off`` are differences in natural units: of pose entries (lengths in
        units of the robot's), and of twists as they are.
    """
    constants, length = constant_entries(assembly), assembly.length
    rows = []
    off: list[Array] = []
    for i in range(3):
        row = [T_0p[i, j] for j in range(4)]
        for j in range(4):
            if np.isfinite(constants[i, j]):
                off.append((row[j] - constants[i, j]) / (length if j == 3 else 1.0))
                row[j] = float(constants[i, j])
        rows.append(collect(row))
    T = collect([*rows, np.array([0.0, 0.0, 0.0, 1.0])])
    return Settled(T, [_settled_twist(assembly, V) for V in twists], off)


def _settled_twist(assembly: Assembly, V: Array) -> Array:
    """A twist whose components along constant rows of Psi follow from the free ones."""
    Psi, free = assembly.constant_rows, list(assembly.free)
    if len(free) == 6:
        return V
    V_r = collect([V[i] for i in free])
    fixed = [i for i in range(6) if i not in free and not np.isnan(Psi[i]).any()]
    return collect([Psi[i] @ V_r if i in fixed else V[i] for i in range(6)])


def constant_entries(assembly: Assembly) -> np.ndarray:
    """Entries of the pose that are the same in all postures, 3x4; NaN for the others."""
    return np.full((3, 4), np.nan) if assembly.moved else entries_as_described(assembly)


@known_of(Assembly)
def entries_as_described(assembly: Assembly) -> np.ndarray:
    """The same where joints sit as described."""
    poses = np.array([T[:3] for T, _ in assembly.samples])
    spread = np.ptp(poses, axis=0) / np.array([1.0, 1.0, 1.0, assembly.length])
    mean = poses.mean(axis=0)
    whole = np.round(mean)
    value = np.where(np.abs(mean - whole) < SAME, whole, mean)
    return np.asarray(np.where(spread < SAME, value, np.nan))


@known_of(Assembly)
def constant_coordinates(assembly: Assembly) -> np.ndarray | None:
    """The six coordinates of the start, if those that are no freedoms are the same everywhere.

    ``None`` where the legs decide them: then the loops must be closed.
    """
    others = [i for i in range(6) if i not in assembly.free]
    poses = [assembly.start, *assembly.samples]
    y = np.array([assembly.chart.coordinates(np.asarray(T)) for T, _ in poses])
    spread = (np.ptp(y, axis=0) / assembly.scales.twist)[others]
    return snap(y[0]) if spread.max(initial=0.0) < SAME else None


def reaches_all(assembly: Assembly) -> bool:
    """Whether the robot has every pose with its constants: none is left to be forbidden."""
    Psi = np.eye(6) if assembly.mobility == 6 else assembly.constant_Psi
    if Psi is None:
        return False
    positions = int(np.isnan(constant_entries(assembly)[:, 3]).sum())
    return positions + int(np.linalg.matrix_rank(Psi[3:], tol=1e-9)) == assembly.mobility
