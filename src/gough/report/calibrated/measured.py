"""What was measured, kind by kind, with residuals beside it: what figures of a calibration draw."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.calibration.kinds import Lengths
from gough.calibration.measured import Measurements
from gough.calibration.result import Calibration, Residuals


class Kind(NamedTuple):
    """Measurements of one kind.

    Attributes:
        kind: in a word: ``pose``, ``height``.
        names: of the c numbers; ``units``: ``m`` or ``rad``.
        labels: of the K measurements.
        ends: where the tool was, or the two ends of what was measured, calibrated machine, frame of
            the device ``(K, s, 3)`` [m].
        before: measured less predicted with the machine as described ``(K, c)``; NaN: not measured.
        after: the same with the calibrated machine.
        strange: which of the K measurements the others contradict ``(K,)``.
        held: measurements that were held back: points ``(H, 3)``, before and after ``(H, c)``.
    """

    kind: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    labels: tuple[str, ...]
    ends: np.ndarray
    before: np.ndarray
    after: np.ndarray
    strange: np.ndarray
    held: tuple[np.ndarray, np.ndarray, np.ndarray]

    def chosen(self, names: tuple[str, ...]) -> list[int]:
        """Columns of numbers that were measured at all, among some."""
        return [
            i
            for i, name in enumerate(self.names)
            if name in names and np.isfinite(self.after[:, i]).any()
        ]


def by_kind(calibration: Calibration) -> list[Kind]:
    """All measurements that were used, kind by kind in the order they came in."""
    data, seen = calibration.design.problem.data, calibration.design.fitted.seen
    found: dict[tuple[str, tuple[str, ...]], list[Kind]] = {}
    outliers = {(each.kind, each.label) for each in calibration.outliers}
    row, state = 0, 0
    for each, known in zip(data.sets, data.known, strict=True):
        K, s, _ = each.motors.shape
        rows = slice(row, row + int(known.sum()))
        points = seen.T_dt[state : state + K * s, :3, 3].reshape(K, s, 3)
        row, state = rows.stop, state + K * s
        if isinstance(each, Lengths):
            points = np.concatenate([each.anchor[:, None], points], axis=1)
        r, held = calibration.residuals, _held(calibration.held_back, each)
        before, after = (_spread(values[rows], known) for values in (r.before, r.after))
        names, units = each.names, each.number_units
        strange = np.array([(each.kind, label) in outliers for label in each.labels], dtype=bool)
        one = Kind(each.kind, names, units, each.labels, points, before, after, strange, held)
        found.setdefault((one.kind, one.units), []).append(one)
    return [_joined(parts) for parts in found.values()]


def _spread(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    whole = np.full(known.shape, np.nan)
    whole[known] = values
    return whole


def _held(held: Residuals | None, like: Measurements) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Residuals of held-back measurements of a kind, one row a measurement."""
    rows = [] if held is None else [k for k, r in enumerate(held.rows) if r.kind == like.kind]
    if held is None or not rows:
        nothing = np.zeros((0, len(like.names)))
        return np.zeros((0, 3)), nothing, nothing
    which = [*dict.fromkeys(held.rows[k].measurement for k in rows)]
    points = np.zeros((len(which), 3))
    before, after = (np.full((len(which), len(like.names)), np.nan) for _ in range(2))
    for k in rows:
        i, c = which.index(held.rows[k].measurement), like.names.index(held.rows[k].name)
        points[i], before[i, c], after[i, c] = held.points[k], held.before[k], held.after[k]
    return points, before, after


def _joined(parts: list[Kind]) -> Kind:
    """Sets of one kind as one; what was held back is the same in each."""
    first = parts[0]
    if len(parts) == 1:
        return first
    return first._replace(
        labels=tuple(label for each in parts for label in each.labels),
        ends=np.concatenate([each.ends for each in parts]),
        before=np.concatenate([each.before for each in parts]),
        after=np.concatenate([each.after for each in parts]),
        strange=np.concatenate([each.strange for each in parts]),
    )


def readable(values: np.ndarray, unit: str) -> tuple[float, str]:
    """Factor and unit in which residuals are read: mm or um, mrad or urad."""
    finite = np.abs(values[np.isfinite(values)])
    small = float(finite.max(initial=0.0)) < 1e-4
    if unit == "rad":
        return (1e6, "µrad") if small else (1e3, "mrad")
    return (1e6, "µm") if small else (1e3, "mm")
