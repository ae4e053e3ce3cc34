"""Poses in a robot's own units: counted from home, lengths over the robot's size.

A machine far from the base's origin, or of a millimetre, is the same machine.
"""

from __future__ import annotations

import numpy as np

from gough.mobility.assembly import Assembly


def natural(assembly: Assembly, T_0p: np.ndarray) -> np.ndarray:
    """Poses ``(..., 4, 4)`` with positions from home's, over the robot's length."""
    T = T_0p.copy()
    T[..., :3, 3] = (T[..., :3, 3] - assembly.T_home[:3, 3]) / assembly.length
    return T


def plain(assembly: Assembly, T: np.ndarray) -> np.ndarray:
    """The poses in metres, from the base's origin."""
    T_0p = T.copy()
    T_0p[..., :3, 3] = T[..., :3, 3] * assembly.length + assembly.T_home[:3, 3]
    return T_0p
