"""Input shapers: commands split into impulses that cancel each other's vibration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.arguments import number, one_of
from gough.base.batch import as_array
from gough.base.english import listed, percent
from gough.base.result import Result
from gough.errors import InputError

KINDS = {"zv": 1, "zvd": 2, "zvdd": 3}
"""Kinds, each with the number of half periods that it takes."""

_MOST = 4096  # impulses: a command is summed over all of them


@dataclass(frozen=True, eq=False)
class InputShaper(Result):
    """Impulses with which a command is convolved.

    Attributes:
        times: of the impulses, the first at zero ``(k,)`` [s].
        amplitudes: of the impulses; their sum is 1 ``(k,)``.
        frequencies: that are cancelled ``(f,)`` [Hz].
        dampings: their damping ratios ``(f,)``.
        kind: ``"zv"``, ``"zvd"`` or ``"zvdd"``.
    """

    times: np.ndarray
    amplitudes: np.ndarray
    frequencies: np.ndarray
    dampings: np.ndarray
    kind: str

    @property
    def duration(self) -> float:
        """Time by which it makes a command longer [s]."""
        return float(self.times[-1])

    def residual(self, frequency: Any, damping: float = 0.0) -> np.ndarray:
        """Vibration that is left, as a share of that without the shaper ``(...,)``.

        Args:
            frequency: of a machine without damping ``(...,)`` [Hz].
            damping: its damping ratio.
        """
        omega = 2.0 * np.pi * as_array(frequency, (), "frequency")[..., None]
        zeta = number(damping, "damping", nonnegative=True)
        decay = np.exp(zeta * omega * (self.times - self.times[-1]))
        turned = np.exp(1j * omega * np.sqrt(max(1.0 - zeta**2, 0.0)) * self.times)
        return np.asarray(np.abs((self.amplitudes * decay * turned).sum(axis=-1)))

    def shaped(self, t: Any, command: Any) -> np.ndarray:
        """A command at times, each the sum of the command at earlier ones.

        Args:
            t: times, growing ``(K,)`` [s].
            command: values ``(K, ...)``; before the first it has the first value, after the last
                the last one, between them it is linear.
        """
        times, values = as_array(t, (), "t"), as_array(command, (), "command")
        if times.ndim != 1 or len(times) < 2 or values.shape[:1] != times.shape:
            raise InputError(
                f"t has shape {times.shape} and command {values.shape}, expected (K,) and (K, ...)",
                argument="t",
            )
        if not (np.diff(times) > 0.0).all():
            raise InputError("t does not grow from each time to the next", argument="t")
        flat = values.reshape(len(times), -1)
        found = np.zeros_like(flat)
        for late, amplitude in zip(self.times, self.amplitudes, strict=True):
            for j in range(flat.shape[1]):
                found[:, j] += amplitude * np.interp(times - late, times, flat[:, j])
        return found.reshape(values.shape)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        cancelled = listed([f"{f:.4g} Hz" for f in self.frequencies])
        yield "shaper", f"{self.kind} for {cancelled}"
        yield "duration", f"{1e3 * self.duration:.4g} ms"
        for time, amplitude in zip(self.times, self.amplitudes, strict=True):
            yield f"{1e3 * time:.4g} ms", f"{amplitude:.5f}"
        off = [float(self.residual(share * self.frequencies[0]).max()) for share in (0.9, 1.1)]
        yield "left at 10 % off", percent(max(off))

    def columns(self) -> dict[str, np.ndarray]:
        """One row an impulse."""
        return {"time": self.times, "amplitude": self.amplitudes}


def input_shaper(frequency: Any, damping: Any = 0.0, kind: str = "zv") -> InputShaper:
    """A shaper that cancels vibrations of given frequencies.

    Args:
        frequency: without damping, one or several [Hz].
        damping: damping ratio of each, or one for all; below 1.
        kind: ``"zv"`` is the shortest, half a period; ``"zvd"`` takes a whole one and forgives
            errors of the frequency, ``"zvdd"`` more of both.

    Returns:
        An :class:`InputShaper`; of several frequencies their convolution.

    Raises:
        InputError: a frequency is not positive, or a damping ratio not below 1.
    """
    one_of(kind, "kind", tuple(KINDS))
    given = np.atleast_1d(np.asarray(frequency, dtype=object))
    frequencies = np.array([number(f, "frequency", positive=True) for f in given])
    ratios = np.atleast_1d(np.asarray(damping, dtype=object))
    dampings = np.array([number(z, "damping", nonnegative=True) for z in ratios])
    if len(dampings) not in (1, len(frequencies)):
        raise InputError(
            f"damping has {len(dampings)} ratios for {len(frequencies)} frequencies",
            argument="damping",
        )
    dampings = np.broadcast_to(dampings, frequencies.shape).copy()
    if (dampings >= 1.0).any():
        raise InputError(
            f"damping is {dampings.max():g}: with 1 or more nothing oscillates", argument="damping"
        )
    impulses = (KINDS[kind] + 1) ** min(len(frequencies), 64)
    if not len(frequencies) or impulses > _MOST:
        raise InputError(
            f"frequency has {len(frequencies)} figures: a {kind} shaper of them has "
            f"{impulses if len(frequencies) else 'no'} impulses",
            hint=f"Give those that ring most, one to three of them; {_MOST} impulses are the most.",
            argument="frequency",
        )
    times, amplitudes = np.zeros(1), np.ones(1)
    for f, zeta in zip(frequencies, dampings, strict=True):
        root = float(np.sqrt(1.0 - zeta**2))
        half = 0.5 / (f * root)
        first = 1.0 / (1.0 + float(np.exp(-zeta * np.pi / root)))
        for _ in range(KINDS[kind]):
            times = np.concatenate([times, times + half])
            amplitudes = np.concatenate([amplitudes * first, amplitudes * (1.0 - first)])
        times, amplitudes = _merged(times, amplitudes)
    return InputShaper(times, amplitudes, frequencies, dampings, kind)


def _merged(times: np.ndarray, amplitudes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Impulses in order, those at the same time taken together."""
    order = np.argsort(times, kind="stable")
    times, amplitudes = times[order], amplitudes[order]
    new = np.append(True, np.diff(times) > 1e-9 * times[-1])
    index = np.cumsum(new) - 1
    return times[new], np.bincount(index, weights=amplitudes)
