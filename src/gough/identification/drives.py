"""Gains of drives, effort per current, from logs with and without a weighed payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.base.blas_threads import one_thread
from gough.base.english import listed
from gough.base.result import Result
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import Share
from gough.dynamics.shared.standard import axis_kinds, named_parameters
from gough.errors import InputError, NotIdentifiable, shown
from gough.identification.compressed import triangle
from gough.identification.gains import fit_gains, inimitable
from gough.identification.independent import independent_columns
from gough.identification.postures import natural_units
from gough.identification.regressor import Regressor, regressor
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.robot.joint import SLIDE

UNSURE = 0.1
"""Relative standard deviation above which a gain is no answer."""

_IMITATED = 1e-3  # of the payload's efforts is left, if masses of the machine imitate them


@dataclass(frozen=True, eq=False)
class DriveGains(Result):
    """Gains of the drives of a robot.

    Attributes:
        robot: name of the machine.
        motors: names of the motors.
        units: of the gains: N m/A, or N/A of a sliding axis.
        gains: effort of the axis per ampere ``(m,)``, negative if current and axis count in
            opposite directions.
        std: standard deviations of the gains ``(m,)``, for noise that is white.
        rms: root mean square of what the model leaves of the currents ``(m,)`` [A].
        parameters: those that were fitted with the gains; others are combinations of these.
        chi: their values ``(n,)``: of each, the sum that leads the others.
        chi_std: their standard deviations ``(n,)``.
    """

    robot: str
    motors: tuple[str, ...]
    units: tuple[str, ...]
    gains: np.ndarray
    std: np.ndarray
    rms: np.ndarray
    parameters: tuple[str, ...]
    chi: np.ndarray
    chi_std: np.ndarray

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot
        yield "parameters", f"{len(self.parameters)}, fitted with the gains"
        rows = zip(self.motors, self.gains, self.std, self.units, self.rms, strict=True)
        for name, gain, std, unit, rms in rows:
            yield name, f"{gain:.5g} +- {std:.2g} {unit}, {rms:.3g} A are left of the current"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a motor."""
        words = {"motor": self.motors, "unit": self.units}
        texts = {name: np.array(each, dtype=object) for name, each in words.items()}
        return {**texts, "gain": self.gains, "std": self.std, "rms": self.rms}


def drive_gains(
    robot: Robot,
    unloaded: Sequence[Any],
    loaded: Sequence[Any],
    payload: Any,
    *,
    parameters: Sequence[str] | None = None,
    share: Share | None = None,
) -> DriveGains:
    """Effort per ampere of every motor, from two logs, one with a weighed payload.

    Currents alone do not tell gains from masses: a machine of twice the mass, whose motors give
    twice the effort, takes the same currents.  A payload whose mass is known decides it.  Gains and
    all parameters that the logs show are fitted together, the noise being in the currents.

    Args:
        robot: the machine; of its masses, friction and drives only their kinds are used.
        unloaded: log without the payload: poses ``T_0p`` ``(K, 4, 4)``, twists ``V_0p`` ``(K, 6)``,
            twist rates ``Vdot_0p`` ``(K, 6)``, all in base axes, and currents ``(K, m)`` [A], all
            filtered alike.
        loaded: the same with the payload on the platform.
        payload: :class:`gough.Payload`, or its mass alone [kg], at the origin of the platform's
            body.
        parameters: which parameters there are, as in :func:`gough.regressor`.
        share: how more motors than freedoms share the work, as in :func:`gough.regressor`.

    Returns:
        A :class:`gough.DriveGains`, with standard deviations.

    Raises:
        NotIdentifiable: a weighed payload is needed, or a heavier one.
        InputError: a log is not four arrays that fit.
    """
    assembly = assembled(robot)
    one = _regressor(robot, unloaded, "unloaded", None, parameters, share)
    try:
        loads = Loads(payload=payload)
    except InputError as error:
        raise InputError(f"payload: {error}", argument="payload") from error
    two = _regressor(robot, loaded, "loaded", loads, parameters, share)
    W = np.concatenate([one[0].W, two[0].W])
    tau_0 = np.concatenate([one[0].tau_0, two[0].tau_0])
    names = one[0].names
    with one_thread():
        R = triangle(W.reshape(-1, len(names)))
        every = named_parameters(assembly.robot, names)
        natural = natural_units(assembly, [each.unit for each in every])
        chosen = list(independent_columns(R, range(len(names)), natural).columns)
        W = W[..., chosen]
        if inimitable(W, tau_0) < _IMITATED:
            raise _needs_payload(robot, "the logs have no payload that masses could not imitate")
        found = fit_gains(W, tau_0, np.concatenate([one[1], two[1]]))
    unsure = [
        f"{name} ({std:.0%})"
        for name, std in zip(robot.motors, found.std, strict=True)
        if not std < UNSURE
    ]
    if unsure:
        raise _needs_payload(
            robot, f"relative standard deviations of gains are too large: {listed(unsure)}"
        )
    kinds = axis_kinds(assembly.robot)
    return DriveGains(
        robot.name,
        robot.motors,
        tuple("N/A" if kinds[motor] == SLIDE else "N m/A" for motor in robot.motors),
        found.gains,
        found.std * np.abs(found.gains),
        found.rms,
        tuple(names[k] for k in chosen),
        found.chi,
        found.chi_std,
    )


def _regressor(
    robot: Robot,
    log: Any,
    name: str,
    loads: Loads | None,
    parameters: Sequence[str] | None,
    share: Share | None,
) -> tuple[Regressor, np.ndarray]:
    """Regressor and currents of a log."""
    if not isinstance(log, (tuple, list)) or len(log) != 4:
        raise InputError(
            f"{name} is {shown(log)}, expected four arrays: T_0p, V_0p, Vdot_0p and currents",
            argument=name,
        )
    current = as_array(log[3], (len(robot.motors),), name)
    check_finite(current, name)
    T_0p, V_0p, Vdot_0p = (
        as_array(each, core, name) for each, core in zip(log[:3], ((4, 4), (6,), (6,)), strict=True)
    )
    shapes = {len(a) for a in (T_0p, V_0p, Vdot_0p, current)}
    if len(shapes) != 1 or current.ndim != 2 or not len(current):
        raise InputError(
            f"{name}: poses, twists, twist rates and currents are not equally many", argument=name
        )
    found = regressor(robot, T_0p, V_0p, Vdot_0p, parameters=parameters, loads=loads, share=share)
    return found, current


def _needs_payload(robot: Robot, reason: str) -> NotIdentifiable:
    return NotIdentifiable(
        f"{robot.name}: gains of drives cannot be told from masses: {reason}",
        hint="A weighed payload is needed: one log without and one with it, in the same motion; "
        "the heavier it is, the better gains are known.",
        parameters=robot.motors,
    )
