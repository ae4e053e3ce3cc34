"""Integrals and means over time of sampled figures."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def accumulated(t: np.ndarray, rate: np.ndarray, breaks: Iterable[int] = ()) -> np.ndarray:
    """Integral from the first sample to each one, along the first axis.

    The trapezoid rule with its end correction, exact for cubics at even steps: errors of
    smooth rates fall with the fourth power of the step.  After a NaN all values are NaN.

    Args:
        t: times, strictly increasing ``(K,)`` [s].
        rate: what is integrated ``(K, ...)``.
        breaks: samples before which the rate jumps.
    """
    total = np.zeros(rate.shape)
    if len(t) < 2:
        return total
    h = np.diff(t).reshape(-1, *[1] * (rate.ndim - 1))
    starts = [0, *(int(k) for k in breaks)]
    parts = zip(starts, [*starts[1:], len(t)], strict=True)
    slope = np.concatenate([_slope(t[a:b], rate[a:b]) for a, b in parts])
    bend = h**2 / 12.0 * (slope[:-1] - slope[1:])
    bend[[k - 1 for k in starts[1:]]] = 0.0
    pieces = h / 2.0 * (rate[:-1] + rate[1:]) + bend
    total[1:] = np.cumsum(pieces, axis=0)
    return total


def _slope(t: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Derivative along a stretch without jumps; zero of a single sample."""
    if len(t) < 2:
        return np.zeros(rate.shape)
    return np.asarray(np.gradient(rate, t, axis=0, edge_order=2 if len(t) > 2 else 1))


def mean(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mean over time along the first axis, by the trapezoid rule.

    Samples that are not numbers are left out, and so is the time beside them.
    """
    h = np.diff(t).reshape(-1, *[1] * (values.ndim - 1))
    middle = 0.5 * (values[:-1] + values[1:])
    known = np.isfinite(middle)
    time = np.where(known, h, 0.0).sum(axis=0)
    total = np.where(known, middle * h, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, time, out=np.full(total.shape, np.nan), where=time > 0.0))


def rms(t: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Root of the mean square over time along the first axis."""
    return np.asarray(np.sqrt(mean(t, values**2)))


def largest(values: np.ndarray) -> np.ndarray:
    """Largest magnitude along the first axis of what is a number; NaN if nothing is."""
    size = np.where(np.isfinite(values), np.abs(values), -np.inf).max(axis=0)
    return np.asarray(np.where(size >= 0.0, size, np.nan))
