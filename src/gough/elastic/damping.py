"""Damping of vibrations, from data of the parts or from one ratio."""

from __future__ import annotations

import numpy as np

from gough.elastic.system import System

_DUST = 1e-15  # ratios below this are rounding of displacements that are zero


def damping_matrix(
    system: System, omega: np.ndarray, x: np.ndarray, shares: np.ndarray, ratio: float | None
) -> np.ndarray:
    """Modal damping ``(r, r)`` [1/s]: twice the damping ratio times omega on its diagonal.

    Loss factors of parts act in every vibration by their share in the strain energy.  Friction of
    axes, transmissions and controllers oppose speed; they couple vibrations, off the diagonal.

    Args:
        system: the machine.
        omega: circular frequencies ``(r,)`` [rad/s].
        x: shapes of unit modal mass, columns ``(n, r)``.
        shares: share of each part in the strain energy ``(parts, r)``.
        ratio: damping ratio of all vibrations instead of data.
    """
    if ratio is not None:
        return np.diag(2.0 * ratio * omega)
    loss = np.array([part.damping for part in system.parts]) @ shares
    found = np.diag(loss * omega)
    for damper in system.dampers:
        rows = damper.rows @ x
        found += damper.viscous * rows.T @ rows
    return found


def damping_ratios(damping: np.ndarray, omega: np.ndarray) -> np.ndarray:
    """Damping ratio of each vibration ``(r,)``, from the diagonal of modal damping."""
    found = np.diag(damping) / (2.0 * omega)
    return np.where(found < _DUST, 0.0, found)
