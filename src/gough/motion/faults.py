"""What is wrong with measured samples: a sensor that stood still, outliers, and jumps."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from gough.errors import GoughWarning, InputError
from gough.motion import findings, suspects
from gough.motion.findings import Finding
from gough.motion.frozen import frozen
from gough.motion.jumps import jumps
from gough.motion.series import FEWEST, series

CHOICES = ("warn", "drop", "keep", "refuse")
"""What is done with samples that look wrong."""


def faults(
    t: np.ndarray, groups: Sequence[tuple[np.ndarray, str]], *, left_out: bool
) -> tuple[list[Finding], np.ndarray]:
    """Findings about samples, and which of them are sound (K,).

    Args:
        t: times (K,), rising.
        groups: numbers (K, m) and their unit.
        left_out: whether samples that are wrong will be left out.
    """
    found: list[Finding] = []
    sound = np.ones(len(t), dtype=bool)
    if len(t) < FEWEST:
        return found, sound
    for y, unit in groups:
        samples, jump = frozen(series(t, y))
        if len(samples):
            found.append(findings.frozen(t, samples, jump, unit, left_out=left_out))
            sound[samples] = False
    for y, unit in groups:
        samples, far = suspects.outliers(t, y, np.flatnonzero(sound))
        if len(samples):
            worst = float(far.max())
            found.append(findings.outliers(t, samples, worst, unit, left_out=left_out))
    for finding in found:
        sound[finding.samples] = False
    kept = np.flatnonzero(sound)
    if len(kept) >= FEWEST:
        for y, unit in groups:
            after, widest = jumps(series(t[kept], y[kept]))
            if len(after):
                found.append(findings.jumps(t, kept[after], widest, unit))
    return found, sound


def tell(found: Sequence[Finding], outliers: str, stacklevel: int) -> None:
    """Warn of what was found, or refuse it, as the user chose."""
    if not found or outliers == "keep":
        return
    if outliers == "refuse":
        raise InputError(
            "; ".join(one.sentence.partition("; ")[0] for one in found),
            hint="Mend the data; outliers='drop' leaves these samples out, except after a jump, "
            "'keep' takes them as they are.",
            argument="poses",
            findings=tuple(found),
        )
    for one in found:
        warnings.warn(GoughWarning(one.sentence), stacklevel=stacklevel + 1)
