"""Gains of drives, effort per current, from logs with and without a weighed payload."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gough.base.batch import as_array, check_finite
from gough.base.blas_threads import one_thread
from gough.base.english import listed
from gough.base.result import Result
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import EffortSharing
from gough.dynamics.shared.standard import effort_units, named_parameters
from gough.errors import InputError, NotIdentifiable, WrongMotors, shown
from gough.identification.base_parameters import base_parameters, check_effect
from gough.identification.base_result import BaseParameters
from gough.identification.compressed import triangle
from gough.identification.gains import Described, fit_gains, inimitable
from gough.identification.independent import Independent, independent_columns
from gough.identification.log import Log
from gough.identification.postures import natural_units, plausible_sizes
from gough.identification.regressor import Regressor, regressor
from gough.identification.run import Run, check_moving, runs_of
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.state import as_state

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
        masses: efforts of the parameters beside those of the description: far from one, payload or
            description are not as was said.
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
    masses: float

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot
        yield "parameters", f"{len(self.parameters)}, fitted with the gains"
        yield "masses", f"{self.masses:.3g} times those described"
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
    unloaded: Log | Sequence[Any],
    loaded: Log | Sequence[Any],
    payload: Any = None,
    *,
    parameters: Sequence[str] | None = None,
    share: EffortSharing | None = None,
) -> DriveGains:
    """Effort per ampere of every motor, from two logs, one with a weighed payload.

    Currents alone do not tell gains from masses: a machine of twice the mass, whose motors give
    twice the effort, takes the same currents.  A payload whose mass is known decides it.  Gains and
    all parameters that the logs show are fitted together, the noise being in the currents (total
    least squares with exact columns).

    Args:
        robot: the machine; of its masses, friction and drives only their kinds are used.
        unloaded: log without the payload: a :class:`gough.Log` with ``currents``; or a pair, both
            filtered alike: a :class:`gough.State` of shape ``(K,)``, and currents ``(K, m)`` [A].
        loaded: the same with the payload on the platform.
        payload: :class:`gough.Payload`, or its mass alone [kg], at the origin of the platform's
            body; that of the loaded log's own ``loads`` if not given.
        parameters: which parameters there are, as in :func:`gough.regressor`.
        share: how more motors than freedoms share the work, as in :func:`gough.regressor`; of four
            arrays only.

    Returns:
        A :class:`gough.DriveGains`, with standard deviations.

    Raises:
        NotIdentifiable: a weighed payload is needed, or a heavier one.
        InputError: a log is not four arrays that fit, or has efforts; the payload makes currents
            smaller, so that masses would be negative.
    """
    assembly = assembled(robot)
    loads = None
    if payload is not None:
        try:
            loads = Loads(payload=payload)
        except InputError as error:
            raise InputError(f"payload: {error}", argument="payload") from error
    if isinstance(unloaded, Log) and isinstance(loaded, Log):
        for log, name in ((unloaded, "unloaded"), (loaded, "loaded")):
            if not log.in_amperes:
                raise InputError(
                    f"{name} has no currents without gains: there is nothing to find",
                    argument=name,
                )
        heavy = loaded if loads is None else replace(loaded, loads=loads)
        base = base_parameters(robot, parameters=parameters)
        check_effect(base)
        with one_thread():
            runs = runs_of(base, (unloaded, heavy), ("unloaded", "loaded"))
            check_moving(runs, robot.motors, "both logs")
        return gains_of_runs(base, runs)
    one = _regressor(robot, unloaded, "unloaded", None, parameters, share)
    two = _regressor(robot, loaded, "loaded", loads, parameters, share)
    W, tau_0 = (
        np.concatenate([getattr(each[0], name) for each in (one, two)]) for name in ("W", "tau_0")
    )
    current = np.concatenate([one[1], two[1]])
    with one_thread():
        rows = W.reshape(-1, W.shape[-1])
        every = named_parameters(assembly.robot, one[0].names)
        natural = natural_units(assembly, [each.unit for each in every])
        kept = independent_columns(triangle(rows), range(len(every)), natural)
        chosen = list(kept.columns)
        near = _near(assembly, kept, one[0].chi, natural)
        names = tuple(one[0].names[k] for k in chosen)
        all_rows = np.ones(current.shape, dtype=bool)
        return _fitted(robot, names, W[..., chosen], tau_0, current, all_rows, near, 1.0)


def gains_of_runs(base: BaseParameters, runs: Sequence[Run]) -> DriveGains:
    """Gains from filtered logs whose efforts are currents, one of them with a known payload.

    Raises:
        NotIdentifiable: a weighed payload is needed, or a heavier one.
        WrongMotors: currents of redundant motors hold internal efforts, which gains would scale.
    """
    robot, assembly = base.robot, assembled(base.robot)
    if len(robot.motors) > assembly.mobility:
        raise WrongMotors(
            f"{robot.name} has more motors than freedoms: gains are not found from its logs",
            hint="Give gains of the drives, or leave the redundant motors unpowered.",
        )
    W, tau_0, current, used = (
        np.concatenate([getattr(run, name) for run in runs])
        for name in ("W", "known", "measured", "used")
    )
    with one_thread():
        natural = natural_units(assembly, base.units)
        kept = independent_columns(triangle(W[used]), range(base.number), natural)
        chosen = list(kept.columns)
        near = _near(assembly, kept, base.values, natural)
        names = tuple(base.leading[k] for k in chosen)
        passed = min(run.filters.passed for run in runs)
        return _fitted(robot, names, W[..., chosen], tau_0, current, used, near, passed)


def _near(assembly: Assembly, kept: Independent, chi: np.ndarray, natural: np.ndarray) -> Described:
    """The description of independent columns."""
    values = kept.matrix @ chi
    return Described(values, plausible_sizes(assembly, values, natural[list(kept.columns)]))


def _fitted(
    robot: Robot,
    names: tuple[str, ...],
    W: np.ndarray,
    tau_0: np.ndarray,
    current: np.ndarray,
    used: np.ndarray,
    near: Described,
    passed: float,
) -> DriveGains:
    """Gains from independent columns; ``passed`` is the share of noise that rows have."""
    if inimitable(W[used], tau_0[used]) < _IMITATED:
        raise _needs_payload(robot, "the logs have no payload that masses could not imitate")
    found = fit_gains(W, tau_0, current, used, near)
    std = found.std / np.sqrt(passed)
    unsure = [
        f"{name} ({each:.0%})"
        for name, each in zip(robot.motors, std, strict=True)
        if not each < UNSURE
    ]
    if unsure:
        raise _needs_payload(
            robot, f"relative standard deviations of gains are too large: {listed(unsure)}"
        )
    own, described = W[used] @ found.chi, W[used] @ near.chi
    masses = float(own @ described / (described @ described)) if described.any() else 1.0
    if masses <= 0.0:
        raise InputError(
            f"{robot.name}: with the payload, currents are those of a machine that is lighter: "
            f"masses would be {masses:.3g} times those described",
            hint="Likely: the logs with and without the payload are exchanged.",
            argument="loaded",
        )
    return DriveGains(
        robot.name,
        robot.motors,
        tuple(f"{unit}/A" for unit in effort_units(robot)),
        found.gains,
        std * np.abs(found.gains),
        found.rms,
        names,
        found.chi,
        found.chi_std / np.sqrt(passed),
        masses,
    )


def _regressor(
    robot: Robot,
    log: Any,
    name: str,
    loads: Loads | None,
    parameters: Sequence[str] | None,
    share: EffortSharing | None,
) -> tuple[Regressor, np.ndarray]:
    """Regressor and currents of a log that is given as arrays."""
    if not isinstance(log, (tuple, list)) or len(log) != 2:
        raise InputError(
            f"{name} is {shown(log)}, expected a gough.Log, or a State and currents, as "
            "the other log",
            argument=name,
        )
    states = as_state(log[0], robot, name)
    current = as_array(log[1], (len(robot.motors),), name)
    check_finite(current, name)
    if current.ndim != 2 or not len(current) or states.shape != current.shape[:1]:
        raise InputError(f"{name}: states and currents are not equally many", argument=name)
    found = regressor(robot, states, parameters=parameters, loads=loads, share=share)
    return found, current


def _needs_payload(robot: Robot, reason: str) -> NotIdentifiable:
    return NotIdentifiable(
        f"{robot.name}: gains of drives cannot be told from masses: {reason}",
        hint="A weighed payload is needed: one log without and one with it, in the same motion; "
        "the heavier it is, the better gains are known.",
        parameters=robot.motors,
    )
