"""What an identification noticed, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from gough.base.english import listed, percent
from gough.dynamics.shared.standard import effort_units, speed_units
from gough.identification.base_result import BaseParameters
from gough.identification.bodies import Bodies
from gough.identification.delay import Delay
from gough.identification.doubts import doubtful_columns
from gough.identification.drives import DriveGains
from gough.identification.estimate import Estimate
from gough.identification.result import Prediction
from gough.identification.run import Run
from gough.robot import Robot

WORSE = 1.5
"""Validation error beside what is expected, from which the model misses something."""

APART = 4.0
"""Standard deviations between the two estimates, from which noise is not the reason."""

_LINE = 0.3  # share of a residual's power at one frequency
_CHANCE = 20.0  # of noise, three frequencies have a share of 3 on average, seldom above 15
_STILL = 2.0  # residual near standstill beside that in motion
_ROUNDING = 1e-6  # of efforts: residuals below are not of measurements
_FEW = 5  # samples near standstill, at least, to say anything
_BODIES = 0.05  # residuals of bodies that can exist beside those of the best parameters
_HEAVY = 1.6  # masses beside the description, from which a payload is doubted
_COLOURED = 1.15  # by which correlated noise changes standard deviations, from which it is told
_SURELY = 5.0  # standard deviations of a correlation by chance
_SLOWLY = 4.0  # standard deviations from which friction at low speeds is another


def findings_of(
    base: BaseParameters,
    runs: Sequence[Run],
    other: Sequence[Run],
    fit: Sequence[Prediction],
    validation: Prediction | None,
    disagreement: np.ndarray,
    estimate: Estimate,
    bodies: Bodies,
    late: Delay,
    gains: DriveGains | None,
    doubts: Sequence[str],
) -> tuple[str, ...]:
    """Sentences about logs, estimates and what the model leaves unexplained."""
    found = [sentence for run in (*runs, *other) for sentence in run.findings]
    found += [*doubts, *doubtful_columns(base, runs)]
    noisy = max(run.relative.max() for run in fit) > _ROUNDING
    if late.lost:
        found.append(
            "Efforts and positions do not fit in time: the best delay is longer than can be "
            "corrected, or no delay is best. Shift one of them first, and look for columns of "
            "different clocks or motors."
        )
    elif late.seconds and late.sigma:
        sooner = "later" if late.seconds > 0.0 else "sooner"
        found.append(
            f"Efforts are recorded {1e3 * abs(late.seconds):.3g} ms {sooner} than positions "
            f"(+- {1e3 * late.sigma:.2g} ms); this was corrected."
        )
    if gains is not None and not 1.0 / _HEAVY < gains.masses < _HEAVY:
        found.append(
            f"With these gains of drives, the machine is {gains.masses:.2g} times as heavy as "
            "described: compare the mass of the payload, or the description."
        )
    factor, correlation = estimate.widened_by, estimate.spectrum.neighbours()
    chance = _SURELY / np.sqrt(sum(run.used.sum() for run in runs))
    far = abs(correlation - estimate.spectrum.white.neighbours()) > chance
    if noisy and far and not 1.0 / _COLOURED < factor < _COLOURED:
        found.append(
            f"Residuals are correlated in time, by {correlation:.2f} from one sample to the next: "
            f"standard deviations are {factor:.2g} times those of independent noise; this was "
            "taken into account."
        )
    apart = np.flatnonzero(disagreement > APART)
    # with residuals of rounding, standard deviations are of rounding, too
    if len(apart) and noisy:
        worst = apart[np.argsort(-disagreement[apart])][:_FEW]
        found.append(
            f"Least squares and instrumental variables disagree by up to "
            f"{disagreement.max():.1f} standard deviations, in {len(apart)} of {base.number} base "
            f"parameters ({listed(base.leading[k] for k in worst)}): noise of the positions gets "
            "into the columns. Lower cutoff, or take method='instrumental'."
        )
    if bodies.robot is None:
        found.append(f"There is no new robot: {bodies.reason}.")
    elif bodies.worse > _BODIES and noisy:
        pulled = listed(bodies.at_border or ["no single body"])
        found.append(
            f"Bodies that can exist leave residuals {percent(bodies.worse)} larger than the best "
            f"parameters do; the logs pull {pulled} to what cannot exist: a column of the wrong "
            "sign or unit, or something that the model does not have."
        )
    if validation is not None:
        ratio = beside_expected(validation)
        for k in np.flatnonzero(ratio > WORSE):
            found.append(
                f"{base.robot.motors[k]}: the validation error is {ratio[k]:.1f} times what "
                "noise and uncertain parameters explain: the model misses something, or the "
                "machine has changed."
            )
    names = [f"log {k + 1}" if len(fit) > 1 else "the log" for k in range(len(fit))]
    for run, name in zip(fit, names, strict=True):
        found += _worse_than_described(run, name)
    if validation is not None:
        found += _worse_than_described(validation, "the validation run")
    for run in fit:
        found += left_in(base.robot, run)
    return tuple(found)


def _worse_than_described(run: Prediction, name: str) -> list[str]:
    """Whether the description predicts efforts better than the machine that was found."""
    worse = run.relative > np.maximum(WORSE * run.before, _ROUNDING)
    if not worse.any():
        return []
    rows = zip(run.motors, run.relative, run.before, strict=True)
    errors = [f"{m} {percent(x)} instead of {percent(y)}" for m, x, y in compress(rows, worse)]
    return [
        f"Efforts of {name} are predicted worse than by the description ({listed(errors)}): logs "
        "or payloads contradict each other, too few parameters are to be found, or the logs say "
        "too little of this motion."
    ]


def beside_expected(run: Prediction) -> np.ndarray:
    """Error of each motor beside what noise and uncertain parameters explain ``(n,)``.

    Zero where the error is rounding.
    """
    ratio = run.error / np.maximum(run.expected, 1e-300)
    return np.asarray(np.where(run.relative > _ROUNDING, ratio, 0.0))


class Spectrum(NamedTuple):
    """Spectrum of a residual.

    Attributes:
        f: frequencies ``(F,)`` [Hz].
        amplitude: of a sine at each frequency ``(F,)`` [N m or N].
        top: frequency of the strongest line [Hz].
        share: of the power that this line has.
    """

    f: np.ndarray
    amplitude: np.ndarray
    top: float
    share: float


def spectrum(run: Prediction, motor: int) -> Spectrum:
    """Spectrum of the residual of a motor, by number; through Hann's window."""
    step = float(np.median(np.diff(run.t))) if len(run.t) > 1 else 1.0
    left = run.residuals[:, motor]
    window = np.hanning(len(left))
    lines = np.abs(np.fft.rfft((left - left.mean()) * window))
    f, power = np.fft.rfftfreq(len(left), step), lines**2
    # a line of Hann's window is three frequencies wide
    wide = np.convolve(power, np.ones(3), mode="same") if len(power) > 2 else power
    top = int(np.argmax(wide))
    share = float(wide[top] / max(float(power.sum()), 1e-300))
    amplitude = 2.0 * lines / max(float(window.sum()), 1e-300)
    return Spectrum(f, amplitude, float(f[top]), share)


def left_in(robot: Robot, run: Prediction) -> list[str]:
    """What residuals still hold: one frequency, friction at standstill or at low speeds."""
    found = []
    units = list(zip(effort_units(robot), speed_units(robot), strict=True))
    for k, motor in enumerate(run.motors):
        if run.relative[k] <= _ROUNDING:
            continue
        left = run.residuals[:, k]
        line = spectrum(run, k)
        # of few frequencies, one has a large share by chance
        if line.share > max(_LINE, _CHANCE / len(line.f)):
            found.append(
                f"{motor}: {percent(line.share)} of the residual's power is at {line.top:.3g} Hz: "
                "a resonance, or a ripple."
            )
        still = ~run.used[:, k]
        if still.sum() >= _FEW:
            ratio = float(np.sqrt(np.mean(left[still] ** 2)) / run.error[k])
            if ratio > _STILL:
                found.append(
                    f"{motor}: near standstill the residual is {ratio:.1f} times that in motion: "
                    "friction there is not Coulomb's."
                )
        found += _at_low_speed(motor, left[~still], run.rates[~still, k], *units[k])
    return found


def _at_low_speed(
    motor: str, left: np.ndarray, rate: np.ndarray, effort: str, speed_unit: str
) -> list[str]:
    """Whether friction at low speeds is another than viscous and Coulomb friction say."""
    if len(left) < 4 * _FEW:
        return []
    against = left * np.sign(rate)
    speed = np.abs(rate)
    limit = float(np.quantile(speed, 0.2))
    slow = speed <= limit
    more = float(against[slow].mean() - against[~slow].mean())
    sigma = float(against.std() * np.sqrt(1.0 / slow.sum() + 1.0 / (~slow).sum()))
    if abs(more) < _SLOWLY * sigma:
        return []
    word = "larger" if more > 0.0 else "smaller"
    return [
        f"{motor}: below {limit:.2g} {speed_unit} friction is {abs(more):.2g} {effort} {word} than "
        "viscous and Coulomb friction say: the machine has a friction curve that the model does "
        "not have (Stribeck)."
    ]
