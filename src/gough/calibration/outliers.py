"""Measurements that do not fit the others: each is left out in turn, and predicted by the rest.

A measurement of c numbers has, in a linear model, the left-out residual ``(1 - H)^-1 r`` with H its
part of the hat matrix: no fit is repeated.  A number that was mistyped is recognised by what its
digits would have to be.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, fdtrc

from gough.calibration.data import Data, Row
from gough.calibration.fit import Fitted
from gough.calibration.knowledge import Knowledge

SURE = 1e-3
"""Probability that one good measurement among all is called an outlier."""

_ENOUGH = 2.0
"""Degrees of freedom of the others from which they show noise: fewer judge nobody."""

_LEAST = 1e-6
"""Of squared noise as it was found, that the others may show."""

_FIXED = 1e-6
"""A measurement of which the rest leave so little open has nothing to be compared with."""


class Outlier(NamedTuple):
    """A measurement that the others contradict.

    Attributes:
        label: where it stands.
        kind: of the measurement.
        name: of its number that is off most.
        unit: ``m`` or ``rad``.
        value: as it was measured.
        predicted: by all other measurements.
        std: of that prediction and of the number together.
        size: how far it is off, in such standard deviations.
        hint: what may have happened, empty if nothing is obvious.
    """

    label: str
    kind: str
    name: str
    unit: str
    value: float
    predicted: float
    std: float
    size: float
    hint: str


class LeftOut(NamedTuple):
    """Every measurement predicted by all others.

    Attributes:
        off: measured numbers less predictions ``(m,)`` [m or rad].
        std: standard deviations of these differences ``(m,)``.
        doubt: probability that good measurements of this number are so far off, by measurement.
    """

    off: np.ndarray
    std: np.ndarray
    doubt: np.ndarray


def left_out(data: Data, fitted: Fitted, knowledge: Knowledge, *, known: bool) -> LeftOut:
    """Every measurement predicted by all others.

    Args:
        data: what was measured.
        fitted: with all of it.
        knowledge: what the fit is worth.
        known: whether noise was given; otherwise it is as large as the others show it.
    """
    counts = np.sqrt(fitted.weights)
    r = fitted.rows.off / data.deviations * counts
    off, std = np.full(len(r), np.nan), np.full(len(r), np.nan)
    doubt = np.ones(data.count)
    total, left = float(r @ r), len(r) - knowledge.effective
    for k in range(data.count):
        rows = np.flatnonzero(data.owners == k)
        if not len(rows):
            continue
        values, vectors = np.linalg.eigh(np.eye(len(rows)) - knowledge.hat(rows))
        if values[0] < _FIXED:
            continue
        inverse = (vectors / values) @ vectors.T
        units = data.deviations[rows] / counts[rows]
        off[rows] = inverse @ r[rows] * units
        # as large as rows that count fully would be
        square = float(r[rows] / counts[rows] @ inverse @ (r[rows] / counts[rows]))
        others = left - len(rows)  # degrees of freedom that are left without it
        spread = 1.0
        if others >= _ENOUGH:
            # noise as the others show it, but never less than it was said to be
            shown = (total - float(r[rows] @ inverse @ r[rows])) / others
            spread = max(shown, 1.0) if known else max(shown, _LEAST)
            doubt[k] = float(fdtrc(len(rows), others, square / len(rows) / spread))
        elif known:
            doubt[k] = float(chdtrc(len(rows), square))
        std[rows] = np.sqrt(np.diag(inverse) * spread) * data.deviations[rows]
    return LeftOut(off, std, doubt)


def worst_outlier(data: Data, found: LeftOut) -> tuple[int, Outlier] | None:
    """The measurement that the others contradict most, if one of them surely is wrong."""
    k = int(np.argmin(found.doubt))
    if not found.doubt[k] < SURE / data.count:
        return None
    rows = np.flatnonzero(data.owners == k)
    i = int(rows[np.nanargmax(np.abs(found.off[rows] / found.std[rows]))])
    row = data.rows[i]
    off, std = float(found.off[i]), float(found.std[i])
    predicted = row.value - off
    hint = _mistyped(row, predicted, std)
    return k, Outlier(
        row.label, row.kind, row.name, row.unit, row.value, predicted, std, abs(off) / std, hint
    )


_UNITS = {"m": (1e3, 25.4, "mm"), "rad": (180.0 / np.pi, 57.29577951308232, "deg")}


def _mistyped(row: Row, predicted: float, std: float) -> str:
    """What the digits of a number should have been, if one slip explains them."""
    if row.kind in ("pose", "orientation"):
        return ""
    factor, other, unit = _UNITS[row.unit]
    near = 4.0 * std * factor
    value, goal = row.value * factor, predicted * factor
    if abs(value + goal) < near and abs(value) > near:
        return "its sign?"
    for scale, words in ((10.0, "its decimal point?"), (0.1, "its decimal point?")):
        if abs(value * scale - goal) < near:
            return words
    for scale in (other, 1.0 / other):
        if abs(value * scale - goal) < near:
            return "its unit?"
    text = f"{abs(value):.4f}".rstrip("0").rstrip(".")
    sign = -1.0 if value < 0.0 else 1.0
    for slip, words in ((_swapped, "two digits swapped"), (_changed, "one digit wrong")):
        meant = min((sign * x for x in slip(text)), key=lambda x: abs(x - goal), default=np.inf)
        if abs(meant - goal) < near:
            return f"{words}, {meant:g} {unit}?"
    return ""


def _swapped(text: str) -> list[float]:
    """Numbers that one gets by swapping two neighbouring digits."""
    places = [k for k, letter in enumerate(text) if letter != "."]
    found = []
    for one, other in pairwise(places):
        letters = [*text]
        letters[one], letters[other] = letters[other], letters[one]
        found += [float("".join(letters))] if text[one] != text[other] else []
    return found


def _changed(text: str) -> list[float]:
    """Numbers that differ in one digit."""
    return [
        float(text[:k] + new + text[k + 1 :])
        for k, old in enumerate(text)
        for new in "0123456789"
        if old not in (".", new)
    ]
