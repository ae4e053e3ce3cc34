"""From measured positions to rates and accelerations, and rows of a regressor without noise.

The one place where logs are filtered:

- Positions pass a Butterworth filter of fourth order forwards and backwards, which shifts nothing
  in time, and are differentiated as splines through the filtered samples.
- Efforts and *all* columns of the regressor pass one and the same filter, forwards and backwards:
  ``F tau = (F W) chi`` holds exactly.  Then one sample of several is kept, so that the noise of
  those that are left is independent.
- Both ends are dropped, where filters have swung in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.fft import next_fast_len, rfft
from scipy.interpolate import make_interp_spline
from scipy.signal import butter, sosfiltfilt, sosfreqz

from gough.errors import InputError

_ORDER = 4
_DEGREE = 7  # of splines: their second derivative is exact to (2 pi f / rate)^6
_ABOVE_MOTION = 5.0  # cut-off of positions: at the motion's own frequency it takes away 3e-6
_BAND = 2.0  # efforts and columns: what is kept beside the motion's own frequency
_MOST = 0.4  # largest cut-off as a share of the sampling rate
_POWER = 0.99  # of accelerations, below the motion's own frequency
_OVER_NOISE = 30.0  # times the usual power of noise: noise alone exceeds it in one of 1e8
_OVER_STEPS = 3.0  # times the largest power of an encoder's steps
_GAP = 1.6  # steps; a sample is missing
_SWING = 4.0  # periods of the cut-off after which 1e-4 is left of a filter's swing
_ENDS = 16  # samples at each end where splines are less exact
_LONGEST = 4096  # samples whose correlation is looked at: longer logs are cut, to bound memory
_ROOM = 1.5  # of a log's length: correlation over half of a log is not known anyway
_FADE = 0.1  # of a log at each end


JITTER = 0.01
"""Of a sampling step; time stamps that are off by less count as regular."""


class Filters(NamedTuple):
    """How a log is filtered.

    Attributes:
        rate: samples a second [Hz].
        cutoff: of the positions [Hz]; infinite: not filtered.
        band: of efforts and columns [Hz]; infinite: not filtered.
        keep: one of so many samples is kept.
        passed: share of white noise that a kept sample has, beside what it has at low frequencies:
            variances of estimates are larger by its inverse.
        ends: samples that are dropped at each end of the positions, where their filter swings in.
        tail: samples that are dropped at each end after that, where there is less to average.
    """

    rate: float
    cutoff: float
    band: float
    keep: int
    passed: float
    ends: int
    tail: int


class LogRows(NamedTuple):
    """Which samples of a log the rows are: time after time, motor after motor.

    Attributes:
        used: whether there is a row ``(K, n)``.
        filters: that the log has passed.
    """

    used: np.ndarray
    filters: Filters


class LogLines(NamedTuple):
    """Rows of a log, or of a part of a long one, as frequencies.

    Attributes:
        filters: that the log has passed.
        lines: Fourier transform of columns of rows, zero where there are none ``(F, n, q)``;
            squares of all lines sum up to those of the rows.
    """

    filters: Filters
    lines: np.ndarray


class Moving(NamedTuple):
    """Positions of motors with two derivatives, each ``(K, n)``."""

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


def regular(t: np.ndarray, *columns: np.ndarray) -> tuple[np.ndarray, list[np.ndarray], float]:
    """Times at equal steps, columns at these times, and how irregular the steps were.

    Raises:
        InputError: samples are missing.
    """
    steps = np.diff(t)
    usual = float(np.median(steps))
    wide = steps > _GAP * usual
    if wide.any():
        k = int(np.argmax(wide))
        raise InputError(
            f"samples are missing in {int(wide.sum())} places of the log: after t = {t[k]:.6g} s "
            f"the next is {steps[k]:.4g} s later, where they are usually {usual:.4g} s apart",
            hint="Cut the log there and give the parts as several logs: [first, second].",
            argument="log",
            sample=k,
        )
    even = np.linspace(t[0], t[-1], len(t))
    off = float(np.abs(t - even).max()) / usual
    if off <= JITTER:
        return even, [*columns], off
    return even, [make_interp_spline(t, each, k=3)(even) for each in columns], off


def design(
    t: np.ndarray,
    q: np.ndarray,
    cutoff: float | None = None,
    band: float | None = None,
    *,
    like: float | None = None,
    delay: float = 0.0,
) -> Filters:
    """Filters for a log: cut-off frequencies from the motion, where they are not given.

    Args:
        t: times at equal steps.
        q: positions of the motors.
        cutoff: of positions [Hz]; five times the motion's own frequency if not given.
        band: of efforts and columns [Hz]; twice the motion's own frequency if not given.
        like: the band of other logs [Hz], taken as far as the sampling rate allows.
        delay: by which efforts are later than positions [s]: as much is lost at the ends.
    """
    rate = (len(t) - 1) / float(t[-1] - t[0])
    own = motion_frequency(q, rate) if cutoff is None or band is None else 0.0
    positions = min(_ABOVE_MOTION * own, _MOST * rate) if cutoff is None else cutoff
    wanted = like or min(_BAND * own, positions)
    efforts = min(wanted, _MOST * rate) if band is None else band
    for name, value in (("cutoff", cutoff), ("band", band)):
        if value is not None and np.isfinite(value) and value >= 0.5 * rate:
            raise InputError(
                f"{name} is {value:g} Hz, the log has {rate:.4g} samples a second: expected less "
                "than half of that, or infinity for no filter",
                argument=name,
            )
    ends, tail, keep, passed = _ENDS, 0, 1, 1.0
    if np.isfinite(positions):
        ends += int(np.ceil(_SWING * rate / positions))
    if np.isfinite(efforts):
        # efforts and columns are filtered alike, ends included: nothing is wrong there
        tail = int(np.ceil(0.5 * rate / efforts))
        keep = max(1, int(0.5 * rate / efforts))
        _, h = sosfreqz(_sos(efforts, rate), worN=4096, fs=rate)
        noise = float(np.mean(np.abs(h) ** 4)) * 0.5 * rate  # twice passed; power is its square
        passed = min(1.0, noise / (0.5 * rate / keep))
    ends = max(ends, int(np.ceil(2.0 * abs(delay) * rate)))
    lost = ends + tail
    if len(t) - 2 * lost < 2 * keep:
        late = f" and a delay of {delay:.3g} s" if delay else ""
        raise InputError(
            f"the log is too short: it has {len(t)} samples in {t[-1] - t[0]:.4g} s, and {lost} at "
            f"each end are lost to filters of {min(positions, efforts):.3g} Hz{late}",
            hint="Record a longer run.",
            argument="log",
        )
    return Filters(rate, positions, efforts, keep, passed, ends, tail)


def motion_frequency(q: np.ndarray, rate: float) -> float:
    """Frequency below which 99 % of the power of all accelerations is [Hz]."""
    f, felt = _felt(q, rate)
    if not felt.any():
        raise InputError(
            "the motors do not move in this log: no position stands out of its noise",
            hint="Friction and inertia show in motion only; gough.excitation_motion finds one.",
            argument="log",
        )
    below = np.cumsum(felt, axis=0) / np.maximum(felt.sum(axis=0), 1e-300)
    places = [int(np.argmax(each >= _POWER)) for each in below.T]
    return float(f[max(1, *places)])


def standing(q: np.ndarray, rate: float) -> np.ndarray:
    """Which motors do not move at all: their positions do not stand out of their noise ``(n,)``."""
    return np.asarray(~_felt(q, rate)[1].any(axis=0))


def _felt(q: np.ndarray, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies ``(F,)`` [Hz], and the power of accelerations of each motor ``(F, n)``.

    Only frequencies count at which positions stand out of their noise.  That of encoders is as
    strong at high frequencies as at low ones, and their steps fall off with the square of the
    frequency where motors are slow: both are read off the upper half of the frequencies.
    """
    count = len(q)
    line = np.linspace(0.0, 1.0, count)[:, None]
    moved = q - (q[0] + line * (q[-1] - q[0]))
    # Hann: its leakage falls with the sixth power of the frequency, accelerations grow with four
    power = np.abs(np.fft.rfft(moved * np.hanning(count)[:, None], axis=0)) ** 2
    f = np.fft.rfftfreq(count, 1.0 / rate)
    upper = f > 0.25 * rate
    noise = _OVER_NOISE * np.median(power[upper], axis=0)
    steps = _OVER_STEPS * np.max(power[upper] * f[upper, None] ** 2, axis=0)
    over = np.maximum(noise, steps / np.maximum(f, f[1])[:, None] ** 2)
    return f, np.where(power > over, power, 0.0) * f[:, None] ** 4


def moving(t: np.ndarray, q: np.ndarray, filters: Filters, at: np.ndarray) -> Moving:
    """Filtered positions of motors with rates and accelerations.

    Args:
        t: times of the samples, at equal steps.
        q: positions ``(K, n)``.
        filters: of the log.
        at: times at which they are wanted.
    """
    rate = (len(t) - 1) / float(t[-1] - t[0])
    # of every other sample a high cut-off may be beyond what they can show
    cutoff = min(filters.cutoff, _MOST * rate) if np.isfinite(filters.cutoff) else np.inf
    spline = make_interp_spline(t, low_pass(q, cutoff, rate), k=_DEGREE)
    return Moving(*(np.asarray(spline(at, order)) for order in range(3)))


def low_pass(
    columns: np.ndarray, cutoff: float, rate: float, *, mirrored: str = "odd"
) -> np.ndarray:
    """Columns ``(K, ...)`` filtered forwards and backwards; no filter at an infinite cut-off.

    Args:
        columns: at equal steps.
        cutoff: [Hz].
        rate: samples a second [Hz].
        mirrored: how they go on beyond the ends: ``"odd"``: turned about the last sample, which
            keeps slopes; ``"even"``: mirrored, so that its error stays one of many.
    """
    if not np.isfinite(cutoff):
        return columns
    sos = _sos(cutoff, rate)
    pad = min(len(columns) - 1, int(np.ceil(2.0 * rate / cutoff)))
    return np.asarray(sosfiltfilt(sos, columns, axis=0, padtype=mirrored, padlen=pad))


def kept(columns: np.ndarray, filters: Filters) -> np.ndarray:
    """Efforts or columns of a regressor ``(K, ...)``: ends dropped, filtered, decimated."""
    inner = columns[filters.ends : len(columns) - filters.ends]
    filtered = low_pass(inner, filters.band, filters.rate, mirrored="even")
    return filtered[filters.tail : len(inner) - filters.tail : filters.keep]


def kept_power(filters: Filters, x: np.ndarray) -> np.ndarray:
    """Spectrum of white noise in the samples that :func:`kept` keeps; its mean is one.

    Args:
        filters: of a log.
        x: frequencies, one being the highest that these samples show.
    """
    if not np.isfinite(filters.band):
        return np.ones(len(x))
    # what is above the highest frequency appears below it, where samples are left out
    coarse = np.linspace(0.0, 1.0, 129)
    folded = 0.5 * filters.rate / filters.keep * (coarse[:, None] + 2.0 * np.arange(filters.keep))
    _, h = sosfreqz(_sos(filters.band, filters.rate), worN=folded.ravel(), fs=filters.rate)
    power = (np.abs(h).reshape(folded.shape) ** 4).sum(axis=1)
    return np.asarray(np.interp(x, coarse, power / np.trapezoid(power, coarse)))


def times_kept(t: np.ndarray, filters: Filters) -> np.ndarray:
    """What belongs to the samples that are kept, not filtered."""
    lost = filters.ends + filters.tail
    return t[lost : len(t) - lost : filters.keep]


def lines_of(
    rows: np.ndarray, logs: Sequence[LogRows], *, fade: bool = False
) -> Iterator[LogLines]:
    """Transforms of columns of rows ``(N, q)``, log by log.

    Args:
        rows: in the order of the logs.
        logs: which samples they are.
        fade: whether ends of logs fade in and out: else strong frequencies leak into weak ones.
    """
    for log, used, own in parts_of(logs):
        # with room behind, so that the end of a log does not meet its beginning
        size = 2 * next_fast_len(int(_ROOM * len(used) / 2.0) + 1, real=True)
        whole = np.zeros((size, used.shape[1], rows.shape[1]), dtype=np.float32)
        whole[: len(used)][used] = rows[own]
        if fade:
            whole[: len(used)] *= fading(len(used))[:, None, None]
        lines = rfft(whole, axis=0, overwrite_x=True)
        lines *= np.float32(np.sqrt(2.0 / size))
        lines[[0, -1]] *= np.float32(np.sqrt(0.5))
        yield LogLines(log.filters, lines)


def parts_of(logs: Sequence[LogRows]) -> Iterator[tuple[LogRows, np.ndarray, slice]]:
    """Logs, long ones in parts: which samples have rows ``(k, n)``, and which rows these are."""
    end = 0
    for log in logs:
        for used in np.array_split(log.used, -(-len(log.used) // _LONGEST)):
            start, end = end, end + int(used.sum())
            yield log, used, slice(start, end)


def fading(count: int) -> np.ndarray:
    """Weights of samples that fade in and out."""
    x = (np.arange(count) + 0.5) / count
    inner = np.minimum(1.0, np.minimum(x, 1.0 - x) / _FADE)
    return np.asarray(np.sin(0.5 * np.pi * inner) ** 2)


def real_rows(lines: np.ndarray) -> np.ndarray:
    """Lines ``(F, n, q)`` as real rows with the same real products ``(2 F n, q)``."""
    flat = lines.reshape(-1, lines.shape[2])
    return np.concatenate([flat.real, flat.imag])


def _sos(cutoff: float, rate: float) -> np.ndarray:
    return np.asarray(butter(_ORDER, cutoff, fs=rate, output="sos"))
