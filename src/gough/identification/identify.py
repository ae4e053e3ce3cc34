"""``gough.identify``: masses, friction and drives of a machine from logs of its controller."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from gough.base.arguments import number, one_of, read_number
from gough.base.blas_threads import one_thread
from gough.dynamics.shared.sharing import EffortSharing, check_motors
from gough.errors import InputError, shown
from gough.identification.base_parameters import base_parameters, check_effect
from gough.identification.base_result import BaseParameters
from gough.identification.bodies import bodies_of
from gough.identification.delay import Delay, Fitted, find_delay
from gough.identification.doubts import doubts_of, exchanged_columns
from gough.identification.drives import gains_of_runs
from gough.identification.estimate import Estimate, estimate
from gough.identification.findings import findings_of
from gough.identification.log import Log
from gough.identification.log_tables import read_log
from gough.identification.postures import natural_units
from gough.identification.result import Identification, Prediction
from gough.identification.run import Run, check_moving, rows_of, run_of, runs_of
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot

METHODS = ("least_squares", "instrumental")

_UNCERTAIN = 0.3


def identify(
    robot: Robot,
    log: Log | str | PathLike[str] | Sequence[Log],
    *,
    validation: Log | str | PathLike[str] | None = None,
    parameters: Sequence[str] | None = None,
    share: str | None = None,
    method: str = "least_squares",
    cutoff: float | None = None,
    band: float | None = None,
    standstill: float | None = None,
    delay: float | None = None,
    seed: int = 0,
) -> Identification:
    """Masses, friction and drives of a machine from what its controller has recorded.

    Positions of the motors are filtered forwards and backwards and differentiated; efforts and all
    base columns of the regressor pass one and the same filter and are decimated.  Base parameters
    follow by least squares, rows weighted by the noise of their motors, and beside that by
    instrumental variables, on which noise of the positions has no systematic effect: if the two
    disagree, findings tell.  Of all machines that explain the logs, that one is the answer whose
    bodies can exist and are nearest to the description.

    Args:
        robot: the machine as described.
        log: a :class:`gough.Log`, several, or a table as :func:`gough.read_log` reads it.  If logs
            have currents without gains, one of them needs ``loads`` with a weighed payload: gains
            of the drives are found then.
        validation: a log of another motion, which is predicted and not fitted.
        parameters: which parameters are to be found, by groups or names as in
            :func:`gough.regressor`; all others are taken as described.  All if not given.
        share: ``"legs"`` for legs that are built alike, as in :func:`gough.base_parameters`.
        method: which values are the answer: ``"least_squares"`` or ``"instrumental"``.
        cutoff: of the filter of positions [Hz]; five times the frequency of the motion, which is
            read off its spectrum, if not given; ``numpy.inf``: no filter.
        band: of the filter of efforts and columns [Hz]; twice the frequency of the motion if not
            given; ``numpy.inf``: no filter and no decimation.
        standstill: rate below which a motor counts as standing [rad/s or m/s], where its friction
            is not Coulomb's and its effort is left out; 2 % of its root mean square if not given;
            zero: none is left out.
        delay: by which efforts are recorded later than positions [s]; found from the logs if not
            given, and corrected where it is sure.
        seed: of the random motions that base parameters are found from.

    Returns:
        An :class:`gough.Identification`: every base parameter with its standard deviation, what is
        not shown, fit and validation of every motor, and the machine with what was found.

    Raises:
        WrongMotors: fewer motors than freedoms.
        NotIdentifiable: currents without gains, and no payload that shows them.
        InputError: a log that is too short or has gaps, or in which motors do not move.
    """
    assembly = assembled(robot)
    check_motors(assembly, EffortSharing())
    one_of(method, "method", METHODS)
    options: dict[str, Any] = {
        "cutoff": _positive(cutoff, "cutoff"),
        "band": _positive(band, "band"),
        "standstill": _positive(standstill, "standstill", zero=True),
    }
    given = None if delay is None else number(delay, "delay")
    logs = _logs(robot, log, "log")
    checking = [] if validation is None else _logs(robot, validation, "validation")
    in_amperes = all(each.in_amperes for each in (*logs, *checking))
    if in_amperes != any(each.in_amperes for each in (*logs, *checking)):
        raise InputError(
            "some logs have currents without gains, others have efforts",
            hint="Give all logs alike: efforts, currents with gains, or currents without.",
            argument="log",
        )
    base = base_parameters(robot, parameters=parameters, share=share, seed=seed)
    check_effect(base)
    names = [f"log {k + 1}" if len(logs) > 1 else "log" for k in range(len(logs))]
    whole = [*zip((*logs, *checking), (*names, "validation"), strict=False)]

    with one_thread():
        asked = {"cutoff": options["cutoff"], "band": options["band"], "delay": given or 0.0}
        exchanged = [
            each for log, name in whole for each in exchanged_columns(base, log, name, **asked)
        ]
        first = runs_of(base, logs, names, **options, delay=given or 0.0)
        check_moving(first, robot.motors, "log" if len(logs) == 1 else "all logs")
        options["like"] = max(run.filters.band for run in first)

        def fit(seconds: float) -> Fitted:
            return _fitted(
                base,
                [
                    run_of(base, each, **options, delay=seconds, near=about.poses, name=name)
                    for each, about, name in zip(logs, first, names, strict=True)
                ],
                in_amperes=in_amperes,
            )

        fitted, late = _fitted(base, first, in_amperes=in_amperes), Delay(given or 0.0)
        if given is None and not exchanged:  # no delay explains efforts of other motors
            late, fitted = find_delay(base, fit, fitted)
        other = [
            run_of(base, each, **options, delay=late.seconds, name="validation")
            for each in checking
        ]
        if other and not other[0].used.any():
            check_moving(other, robot.motors, "validation")
        if fitted.gains is not None:
            other = [run.times(fitted.gains.gains) for run in other]
        doubts = [
            *exchanged,
            *(sentence for each, name in whole for sentence in doubts_of(robot, each, name)),
        ]
        return _answer(base, fitted, other, method, late, doubts)


def _fitted(base: BaseParameters, runs: list[Run], *, in_amperes: bool) -> Fitted:
    """Runs with their estimate; of currents with gains that are found first."""
    gains = None
    if in_amperes:
        gains = gains_of_runs(base, runs)
        runs = [run.times(gains.gains) for run in runs]
    return Fitted(runs, _estimate(base, runs), gains)


def _estimate(base: BaseParameters, runs: Sequence[Run]) -> Estimate:
    rows = rows_of(runs, assembled(base.robot).mobility)
    if len(rows.tau) < base.number:
        raise InputError(
            f"{len(rows.tau)} rows are left for {base.number} base parameters",
            hint="Record a longer or faster run, choose fewer parameters, or share legs.",
            argument="log",
        )
    return estimate(rows, base.values, len(base.robot.motors))


def _answer(
    base: BaseParameters,
    fitted: Fitted,
    other: Sequence[Run],
    method: str,
    late: Delay,
    doubts: Sequence[str],
) -> Identification:
    robot, (runs, found, gains) = base.robot, fitted
    sigma = found.spread.copy() if method == "instrumental" else np.sqrt(np.diag(found.covariance))
    values = found.instrumental if method == "instrumental" else found.values
    if gains is not None:
        # an error of all gains together is one of all parameters
        common = float(np.sqrt(np.mean((gains.std / gains.gains) ** 2)))
        sigma = np.hypot(sigma, common * np.abs(values))
    # known no better than to the whole machine's own size: as good as not at all
    largest = natural_units(assembled(robot), base.units) * sum(b.mass for b in robot.bodies)
    hidden = found.hidden | (sigma > largest)
    size = np.maximum(np.abs(values), np.abs(base.values))
    uncertain = ~hidden & (sigma > _UNCERTAIN * size)
    bodies = bodies_of(base, found, values)
    shown_sigma = np.where(found.hidden, np.inf, sigma)
    spread = np.maximum(found.spread, 1e-300)
    disagreement = np.abs(found.instrumental - found.values) / spread
    disagreement[hidden] = 0.0
    of_machine = values if bodies.robot is None else base.matrix @ bodies.chi
    root = found.root if bodies.robot is None else base.matrix @ bodies.root
    usual = np.average([_passed(run) for run in runs], weights=[run.used.sum() for run in runs])

    def predicted(run: Run, sign: float) -> Prediction:
        # of a lower sampling rate, more of the noise is within the band
        noise = found.noise * np.sqrt(max(1.0, _passed(run) / float(usual)))
        return _prediction(base, run, of_machine, noise, root, sign)

    fit = tuple(predicted(run, -1.0) for run in runs)
    validation = predicted(other[0], 1.0) if other else None
    return Identification(
        base,
        values,
        shown_sigma,
        base.values,
        found.covariance,
        found.instrumental,
        disagreement,
        tuple(np.array(base.leading, dtype=object)[hidden]),
        tuple(np.array(base.leading, dtype=object)[uncertain]),
        found.noise,
        found.condition,
        fit,
        validation,
        base.names,
        bodies.chi,
        np.sqrt((bodies.root**2).sum(axis=1)),
        bodies.at_border,
        bodies.robot,
        late.seconds,
        late.sigma,
        gains,
        method,
        findings_of(
            base, runs, other, fit, validation, disagreement, found, bodies, late, gains, doubts
        ),
        found.factor,
    )


def _prediction(
    base: BaseParameters,
    run: Run,
    values: np.ndarray,
    noise: np.ndarray,
    root: np.ndarray,
    sign: float,
) -> Prediction:
    """Efforts of a run; those of a fit are nearer to noise by what the fit took, others farther."""
    own = ((run.W @ root) ** 2).sum(axis=2)
    share = np.sum(own * run.used, axis=0) / np.maximum(run.used.sum(axis=0), 1)
    expected = np.sqrt(np.maximum(noise**2 + sign * share, 0.0))
    return Prediction(
        base.robot.motors,
        run.t,
        run.tau,
        run.W @ values,
        run.W @ base.values,
        run.rates,
        run.used,
        expected,
        run.filters,
    )


def _passed(run: Run) -> float:
    """Share of all frequencies that are within the band of a run."""
    return min(1.0, run.filters.band / (0.5 * run.filters.rate))


def _logs(robot: Robot, given: Any, name: str) -> list[Log]:
    """Logs of an argument: one, several, or a file."""
    if isinstance(given, (str, PathLike)):
        return [read_log(robot, given)]
    several = [given] if isinstance(given, Log) else given
    good = isinstance(several, (list, tuple)) and all(isinstance(each, Log) for each in several)
    if not good or not several or (name == "validation" and len(several) > 1):
        wanted = "a gough.Log or a file" + ("" if name == "validation" else ", or a list of logs")
        raise InputError(f"{name} is {shown(given)}, expected {wanted}", argument=name)
    return list(several)


def _positive(value: Any, name: str, *, zero: bool = False) -> float | None:
    """A positive number, or infinity; or zero, if that is allowed."""
    if value is None:
        return None
    if isinstance(value, (float, np.floating)) and value == np.inf:
        return float(np.inf)
    found, fault = read_number(value, positive=not zero, nonnegative=zero)
    if fault:
        raise InputError(f"{name}: {fault}", argument=name)
    return found
