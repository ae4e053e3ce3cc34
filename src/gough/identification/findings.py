"""What an identification noticed, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.english import listed, percent
from gough.identification.base_result import BaseParameters
from gough.identification.result import Prediction
from gough.identification.run import Run

_APART = 4.0  # standard deviations between the two estimates, from which noise is not the reason
_WORSE = 1.5  # validation error beside what is expected
_LINE = 0.3  # share of a residual's power at one frequency
_STILL = 2.0  # residual near standstill beside that in motion
_ROUNDING = 1e-6  # of efforts: residuals below are not of measurements
_FEW = 5  # samples near standstill, at least, to say anything


def findings_of(
    base: BaseParameters,
    runs: Sequence[Run],
    other: Sequence[Run],
    fit: Sequence[Prediction],
    validation: Prediction | None,
    disagreement: np.ndarray,
    impossible: str,
) -> tuple[str, ...]:
    """Sentences about logs, estimates and what the model leaves unexplained."""
    found = [sentence for run in (*runs, *other) for sentence in run.findings]
    apart = np.flatnonzero(disagreement > _APART)
    # with residuals of rounding, standard deviations are of rounding, too
    if len(apart) and max(run.relative.max() for run in fit) > _ROUNDING:
        worst = apart[np.argsort(-disagreement[apart])][:_FEW]
        found.append(
            f"Least squares and instrumental variables disagree by up to "
            f"{disagreement.max():.1f} standard deviations, in {len(apart)} of {base.number} base "
            f"parameters ({listed(base.leading[k] for k in worst)}): noise of the positions gets "
            "into the columns. Lower cutoff, or take method='instrumental'."
        )
    if impossible:
        found.append(
            f"No bodies have the parameters that are nearest to the description ({impossible}): "
            "there is no new robot."
        )
    if validation is not None:
        ratio = validation.error / np.maximum(validation.expected, 1e-300)
        for k in np.flatnonzero((ratio > _WORSE) & (validation.relative > _ROUNDING)):
            found.append(
                f"{base.robot.motors[k]}: the validation error is {ratio[k]:.1f} times what "
                "noise and uncertain parameters explain: the model misses something, or the "
                "machine has changed."
            )
    for run in fit:
        found += _left(run)
    return tuple(found)


def _left(run: Prediction) -> list[str]:
    """What residuals still hold: one frequency, friction at standstill."""
    found = []
    residuals = run.residuals
    step = float(np.median(np.diff(run.t))) if len(run.t) > 1 else 1.0
    f = np.fft.rfftfreq(len(run.t), step)
    for k, motor in enumerate(run.motors):
        own = residuals[:, k] - residuals[:, k].mean()
        power = np.abs(np.fft.rfft(own * np.hanning(len(own)))) ** 2
        whole = float(power.sum())
        # a line of Hann's window is three frequencies wide
        wide = np.convolve(power, np.ones(3), mode="same") if len(power) > 2 else power
        top = int(np.argmax(wide))
        few = len(f) < 30  # too few to tell a line from chance
        if not few and run.relative[k] > _ROUNDING and wide[top] > _LINE * whole:
            found.append(
                f"{motor}: {percent(float(wide[top]) / whole)} of the residual's power is at "
                f"{f[top]:.3g} Hz: a resonance, or a ripple."
            )
        still = ~run.used[:, k]
        if still.sum() >= _FEW and run.relative[k] > _ROUNDING:
            ratio = float(np.sqrt(np.mean(residuals[still, k] ** 2)) / run.error[k])
            if ratio > _STILL:
                found.append(
                    f"{motor}: near standstill the residual is {ratio:.1f} times that in motion: "
                    "friction there is not Coulomb's."
                )
    return found
