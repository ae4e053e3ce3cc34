"""Logs that look wrong: frozen sensors, outliers, limits, columns of another sign, unit or motor.

Nothing is corrected: least squares take every number as it is, and sentences tell which to look at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import median_filter

from gough.base.english import counted, listed, percent
from gough.dynamics.shared.standard import axis_kinds, effort_units
from gough.identification.base_result import BaseParameters
from gough.identification.log import Log
from gough.identification.run import Run
from gough.motion.faults import faults
from gough.robot import Robot
from gough.robot.joint import SLIDE

_AROUND = 5  # samples whose median a spike stands out of: two in a row do, a step does not
_SPIKE = 10.0  # times what one of a hundred samples is off that median
_LISTED = 5  # times that a sentence names
_LEVELS = 5  # fewer numbers are no measurement; a limit is met so many times as often as others
_OFTEN = 0.01  # of all samples at a limit
_ALIKE = 0.7  # correlation of efforts from which they are the same but for a factor
_OPPOSITE = -0.5  # correlation from which the sign is wrong
_SURELY = 0.9  # correlation with efforts of another motor
_FACTOR = 8.0  # by which no description is wrong


def doubts_of(robot: Robot, log: Log, name: str) -> list[str]:
    """Sentences about samples of a log that no machine explains."""
    found = []
    kinds = axis_kinds(robot)
    q, tau = log.positions(robot), log.efforts(robot)
    units = ["A"] * len(robot.motors) if log.in_amperes else effort_units(robot)
    for k, motor in enumerate(robot.motors):
        unit = "m" if kinds[motor] == SLIDE else "rad"
        for each in faults(log.t, [(q[:, [k]], unit)], left_out=False)[0]:
            found.append(f"{name}, position of {motor}: {each.sentence.partition('; ')[0]}.")
        samples, far = _spikes(tau[:, k])
        if len(samples):
            times = [f"{log.t[i]:.6g} s" for i in samples[:_LISTED]]
            more = [] if len(samples) <= _LISTED else [f"{len(samples) - _LISTED} more"]
            verb = "stands" if len(samples) == 1 else "stand"
            found.append(
                f"{name}, effort of {motor}: {counted(len(samples), 'sample')} {verb} out of those "
                f"around, by up to {far:.3g} {units[k]}, at t = {listed([*times, *more])}: mend or "
                "cut the log."
            )
        for limit, share in _saturated(tau[:, k]):
            found.append(
                f"{name}, effort of {motor}: it is {limit:.4g} {units[k]} and never beyond, in "
                f"{percent(share)} of the samples: the drive is at its limit there, and what is "
                "recorded is not what moves the machine. Record a slower motion."
            )
    return found


def _saturated(effort: np.ndarray) -> list[tuple[float, float]]:
    """Largest and smallest numbers that are repeated as none beside them, and their shares."""
    values, counts = np.unique(effort, return_counts=True)
    if len(values) < _LEVELS:
        return []
    ends = ((values[0], *counts[:2]), (values[-1], *counts[:-3:-1]))
    least = max(_LEVELS, _OFTEN * len(effort))
    return [
        (float(value), own / len(effort))
        for value, own, beside in ends
        if own > least and own > _LEVELS * beside
    ]


def _spikes(effort: np.ndarray) -> tuple[np.ndarray, float]:
    """Samples that stand out of their neighbours, and by how much at most."""
    off = np.abs(effort - median_filter(effort, _AROUND, mode="nearest"))
    low, high = np.quantile(effort, [0.16, 0.84])
    limit = max(_SPIKE * float(np.quantile(off, 0.99)), 0.5 * float(high - low))
    samples = np.flatnonzero(off > limit)
    return samples, float(off.max())


def doubtful_columns(base: BaseParameters, runs: Sequence[Run]) -> list[str]:
    """Sentences about efforts beside those of the description: of another sign, unit or motor."""
    measured = np.concatenate([run.measured for run in runs])
    described = np.concatenate([run.known + run.W @ base.values for run in runs])
    used = np.concatenate([run.used for run in runs]).all(axis=1)
    motors = base.robot.motors
    if used.sum() < 2 * len(motors):
        return []
    a, d = (each[used] - each[used].mean(axis=0) for each in (measured, described))
    sizes = [np.maximum(np.linalg.norm(each, axis=0), 1e-300) for each in (a, d)]
    alike = (a / sizes[0]).T @ (d / sizes[1])  # of measured efforts, row, with described ones
    own = np.diag(alike)
    found = []
    opposite = own < _OPPOSITE
    if opposite.any():
        found.append(
            f"{listed(np.array(motors)[opposite].tolist())}: measured efforts go against those of "
            "the description: a column of the opposite sign, of efforts or positions."
        )
    for j in range(len(motors)):
        for k in range(j):
            if min(alike[j, k], alike[k, j]) > _SURELY and max(own[j], own[k]) < _ALIKE:
                found.append(
                    f"{motors[k]} and {motors[j]}: each has the efforts that the description has "
                    "for the other: columns are exchanged."
                )
    factor = sizes[0] / sizes[1]
    wrong = (own > _ALIKE) & ((factor > _FACTOR) | (factor < 1.0 / _FACTOR))
    if wrong.any():
        rows = zip(np.array(motors)[wrong].tolist(), factor[wrong], strict=True)
        found.append(
            f"Measured efforts beside those described: {listed(f'{m} {x:.3g}' for m, x in rows)} "
            "times: efforts in another unit (mN m, N mm), or of the motor before its gear."
        )
    return found
