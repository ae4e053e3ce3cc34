"""Friction from constant speeds: ``effort = viscous speed + coulomb sign(speed) + offset``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.base.result import Result
from gough.errors import InputError, NotIdentifiable

_UNKNOWNS = 3


@dataclass(frozen=True, eq=False)
class FrictionAtSpeeds(Result):
    """Friction of axes; arrays have one entry an axis, or are numbers for a single axis.

    Attributes:
        viscous: effort per speed [N m s/rad or N s/m].
        coulomb: constant effort against the motion [N m or N].
        offset: effort that does not change with the direction [N m or N].
        std: standard deviations of the three, in this order ``(3, ...)``.
        residuals: efforts less those of the fit ``(K, ...)``: what rises at low speeds is friction
            that this model has not.
    """

    viscous: Any
    coulomb: Any
    offset: Any
    std: np.ndarray
    residuals: np.ndarray

    @property
    def rms(self) -> float:
        """Root mean square of the residuals [N m or N]."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        std = self.std.reshape(_UNKNOWNS, -1)
        for i, name in enumerate(("viscous", "coulomb", "offset")):
            values = np.ravel(getattr(self, name))
            pairs = zip(values, std[i], strict=True)
            yield name, ", ".join(f"{value:.5g} +- {s:.2g}" for value, s in pairs)
        yield "rms", f"{self.rms:.4g}"


def friction_at_speeds(speed: Any, effort: Any) -> FrictionAtSpeeds:
    """Viscous and Coulomb friction from efforts at constant speeds.

    Each axis runs at several constant speeds in both directions.  Take the mean effort over one
    stretch of positions, the same in both directions, so that gravity is the same; or take the
    efforts of gravity off first (:func:`gough.gravity_at_rest`).

    Args:
        speed: speeds of one axis ``(K,)``, or of m axes ``(K, m)`` [rad/s or m/s], none zero.
        effort: mean efforts at these speeds, of the same shape [N m or N].

    Returns:
        A :class:`gough.FrictionAtSpeeds`, with standard deviations and residuals.

    Raises:
        NotIdentifiable: an axis runs in one direction only, or at fewer than two speeds.
        InputError: arrays that do not fit.
    """
    rates, efforts = as_array(speed, (), "speed"), as_array(effort, (), "effort")
    for name, array in (("speed", rates), ("effort", efforts)):
        check_finite(array, name)
        if array.ndim not in (1, 2) or not array.size:
            raise InputError(
                f"{name} has shape {array.shape}, expected (K,) or (K, m)", argument=name
            )
    if efforts.shape != rates.shape:
        raise InputError(
            f"effort has shape {efforts.shape}, speed {rates.shape}: one for each is expected",
            argument="effort",
        )
    if (rates == 0.0).any():
        raise InputError(
            "speed has zeros", hint="At rest friction may be anything; drop them.", argument="speed"
        )
    axes = rates.reshape(len(rates), -1)
    found = [
        _one(v, tau, i)
        for i, (v, tau) in enumerate(zip(axes.T, efforts.reshape(axes.shape).T, strict=True))
    ]
    shape = rates.shape[1:]
    values = np.array([x for x, _, _ in found]).T.reshape(_UNKNOWNS, *shape)
    std = np.array([s for _, s, _ in found]).T.reshape(_UNKNOWNS, *shape)
    left = np.array([r for _, _, r in found]).T.reshape(rates.shape)
    viscous, coulomb, offset = (value[()] for value in values)
    return FrictionAtSpeeds(viscous, coulomb, offset, std, left)


def _one(v: np.ndarray, tau: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, deviations and residuals of one axis."""
    A = np.column_stack([v, np.sign(v), np.ones_like(v)])
    sizes = np.linalg.norm(A, axis=0)
    free = len(v) - _UNKNOWNS
    if free <= 0 or np.linalg.matrix_rank(A / sizes, tol=1e-6) < _UNKNOWNS:
        raise NotIdentifiable(
            f"axis {axis}: {len(v)} samples do not tell viscous friction, Coulomb friction and "
            "offset apart",
            hint="Run at two speeds or more in both directions, four samples at least.",
            parameters=("viscous", "coulomb", "offset"),
        )
    Q, R = np.linalg.qr(A / sizes)
    inverse = np.linalg.inv(R) / sizes[:, None]
    x = inverse @ (Q.T @ tau)
    left = tau - A @ x
    return x, np.sqrt(left @ left / free * np.sum(inverse**2, axis=1)), left
