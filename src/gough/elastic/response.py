"""Frequency response: how the platform moves under forces that oscillate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.result import Result
from gough.elastic.loading import check_resisted
from gough.elastic.statics import Solved
from gough.errors import InputError, shown

PLATFORM, MOTORS = "platform", "motors"
_AXES = ("x", "y", "z", "rx", "ry", "rz")
_AT_ONCE = 32  # frequencies solved together: a few megabytes


@dataclass(frozen=True, eq=False)
class Response(Result):
    """How the platform's origin moves per unit of a force that oscillates.

    Attributes:
        frequencies: ``(F,)`` [Hz].
        receptance: displacement of the platform's origin, base axes, per input ``(..., F, 6, m)``
            [m or rad per N or N m], complex: its angle is the phase.
        inputs: names of the inputs: components of a wrench at the platform's origin, base axes, or
            motors.
    """

    frequencies: np.ndarray
    receptance: np.ndarray
    inputs: tuple[str, ...]

    @property
    def magnitude(self) -> np.ndarray:
        """Amplitudes ``(..., F, 6, m)``."""
        return np.asarray(np.abs(self.receptance))

    @property
    def phase(self) -> np.ndarray:
        """Phases ``(..., F, 6, m)`` [rad], negative where the platform lags behind."""
        return np.asarray(np.angle(self.receptance))

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "frequencies", f"{self.frequencies.min():.4g} to {self.frequencies.max():.4g} Hz"
        yield "inputs", ", ".join(self.inputs)
        size = np.nan_to_num(self.magnitude).reshape(-1, *self.magnitude.shape[-3:]).max(axis=0)
        for j, name in enumerate(self.inputs):
            peak = int(np.argmax(np.linalg.norm(size[:, :3, j], axis=1)))
            moved = float(np.linalg.norm(size[peak, :3, j]))
            yield name, f"most at {self.frequencies[peak]:.4g} Hz: {moved:.4g} m per unit"

    def columns(self) -> dict[str, np.ndarray]:
        """One row a frequency, state after state: amplitude of every component by every input."""
        rows = self.magnitude.reshape(-1, 6, len(self.inputs))
        count = len(rows) // len(self.frequencies)
        found = {"frequency": np.tile(self.frequencies, count)}
        for i, axis in enumerate(_AXES):
            found |= {f"{axis}_by_{name}": rows[:, i, j] for j, name in enumerate(self.inputs)}
        return found


def row_of(values: Any, name: str) -> np.ndarray:
    """A row of numbers, each zero or more ``(F,)``.

    Raises:
        InputError: it is something else; names the argument.
    """
    try:
        found = np.atleast_1d(np.asarray(values, dtype=float))
    except (TypeError, ValueError):
        found = np.array([np.nan])
    if found.ndim != 1 or not found.size or not (np.isfinite(found) & (found >= 0.0)).all():
        raise InputError(
            f"{name} is {shown(values)}, expected numbers in a row, each zero or more",
            argument=name,
        )
    return found


def input_rows(solved: Solved, by: str) -> np.ndarray:
    """Displacements that inputs work on, rows ``(m, n)``."""
    system = solved.system
    if by == PLATFORM:
        return system.platform
    stuck = [name for name, drive in system.drives.items() if drive.locked]
    if stuck:
        raise InputError(
            f"the motor {stuck[0]!r} is locked: its effort moves nothing",
            hint="Ask with drives='free' or gough.Servo(kp, kd), in which rotors move.",
            argument="by",
        )
    return np.vstack([system.pushed(name) for name in system.robot.motors])


def receptance(solved: Solved, omega: np.ndarray, by: str, ratio: float | None) -> np.ndarray:
    """Platform's displacement per input at circular frequencies ``(F, 6, m)``.

    Damping of materials and bearings is hysteretic, ``K (1 + i eta)``, that of transmissions,
    friction and controllers viscous; a given ratio counts as ``eta = 2 ratio`` of all parts.
    At 0 Hz what moves freely stays, if the inputs do not feel it.
    """
    system = solved.system
    basis = np.concatenate([solved.soft, solved.carried], axis=1)
    n = basis.shape[1]
    K, lost, rubbed = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for part in system.parts:
        strains = part.strains @ basis
        own = strains.T @ strains
        K += own
        if ratio is not None:
            lost += 2.0 * ratio * own
        else:
            lost += part.damping * own
    for damper in system.dampers if ratio is None else ():
        rows = damper.rows @ basis
        rubbed += damper.viscous * rows.T @ rows
    if system.stressed is not None:
        K += basis.T @ system.stressed.geometric @ basis
    M = basis.T @ system.mass @ basis
    into, out = (input_rows(solved, by) @ basis).T, system.platform @ basis
    found = np.zeros((len(omega), 6, into.shape[1]), dtype=complex)
    if not omega.all():
        check_resisted(solved, input_rows(solved, by).T)
        soft = slice(solved.soft.shape[1])
        found[:] = out[:, soft] @ np.linalg.solve((K + 1j * lost)[soft, soft], into[soft])
    moving = np.flatnonzero(omega)
    for start in range(0, len(moving), _AT_ONCE):
        here = moving[start : start + _AT_ONCE]
        w = omega[here, None, None]
        dynamic = K + 1j * lost + 1j * w * rubbed - w**2 * M
        try:
            found[here] = out @ np.linalg.solve(
                dynamic, np.broadcast_to(into, (len(w), *into.shape))
            )
        except np.linalg.LinAlgError as err:
            raise InputError(
                "the response is infinite: the machine shakes there undamped",
                hint="Take another frequency, or give parts their damping.",
                argument="frequencies",
            ) from err
    return found
