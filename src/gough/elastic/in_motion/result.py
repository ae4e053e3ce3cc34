"""What an elastic machine does along a motion and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import number, one_of, switch
from gough.base.batch import as_array
from gough.base.english import clean, listed
from gough.base.result import Result
from gough.elastic.in_motion.ringing import Ringing
from gough.elastic.shaper import KINDS, InputShaper, input_shaper
from gough.errors import InputError
from gough.motion.motion import Motion
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LINEAR, _TURNED = slice(0, 3), slice(3, 6)
_RINGS = 0.1  # share of the largest oscillation from which another one is cancelled, too
_CLOSE = 0.05  # frequencies nearer than this share count as one
_AXES = ("x", "y", "z", "rx", "ry", "rz")
_LOOKED = 30.0  # periods of the slowest vibration among which the largest residual is sought


@dataclass(frozen=True, eq=False)
class ElasticMotion(Result):
    """How far an elastic machine leaves a motion, besides its sag, and how it rings after the end.

    Attributes:
        robot: the machine.
        motion: what the motors were told; the shaped one, if there is a shaper.
        t: times from the start on, beyond the end of the motion ``(K,)`` [s].
        platform: displacement of the platform's origin from the planned motion, base axes, linear
            first ``(K, 6)`` [m, rad].
        frequencies: of the oscillations that are left after the end ``(m,)`` [Hz].
        damping: their damping ratios ``(m,)``.
        amplitudes: their sizes at the end of the motion ``(m, 6)`` [m, rad].
        shaper: that the motion went through.
        notes: what was assumed, in sentences.
    """

    robot: Robot
    motion: Motion
    t: np.ndarray
    platform: np.ndarray
    frequencies: np.ndarray
    damping: np.ndarray
    amplitudes: np.ndarray
    shaper: InputShaper | None
    notes: tuple[str, ...]
    _ringing: Ringing = field(repr=False)

    @property
    def during(self) -> np.ndarray:
        """Which times are within the motion ``(K,)``."""
        return np.asarray(self.t <= self.motion.duration * (1.0 + 1e-12))

    @property
    def largest(self) -> tuple[float, float]:
        """Largest displacement within the motion: of the origin [m], and of turning [rad]."""
        return _sizes(self.platform[self.during])

    @property
    def residual(self) -> tuple[float, float]:
        """Largest displacement after the motion: of the origin [m], and of turning [rad]."""
        found = []
        for of in (_LINEAR, _TURNED):
            t = self._ringing.times(_LOOKED * self._ringing.slowest, of)
            found.append(float(np.linalg.norm(self._ringing(t)[:, of], axis=1).max(initial=0.0)))
        return found[0], found[1]

    def after(self, t: Any) -> np.ndarray:
        """Displacement of the platform's origin at times after the end ``(..., 6)`` [m, rad].

        Args:
            t: counted from the end, zero or more ``(...,)`` [s].

        Raises:
            InputError: a time is no number, or before the end.
        """
        times = as_array(t, (), "t")
        if not (times >= 0.0).all():
            raise InputError(
                f"t has {times[~(times >= 0.0)].flat[0]:g}, expected times after the end, zero or "
                "more",
                hint="Within the motion platform tells the displacement, at the times of t.",
                argument="t",
            )
        return self._ringing(times.ravel()).reshape(*times.shape, 6)

    def settling(self, amplitude: float, *, turning: bool = False) -> float:
        """Time after the end from which on the platform stays within an amplitude [s].

        Args:
            amplitude: of the origin's displacement [m], or of turning [rad].
            turning: whether turning is meant.

        Returns:
            Zero where it never leaves it, infinity where no damping brings it there.
        """
        size = number(amplitude, "amplitude", positive=True)
        of = _TURNED if switch(turning, "turning") else _LINEAR
        return self._ringing.settling(size, of)

    def suggested_shaper(self, kind: str = "zvd") -> InputShaper:
        """A shaper for the frequencies that ring after this motion, three at most.

        Frequencies that are close to each other count as one.

        Args:
            kind: as in :func:`gough.input_shaper`.

        Raises:
            InputError: nothing rings.
        """
        one_of(kind, "kind", tuple(KINDS))
        sizes = np.linalg.norm(self.amplitudes[:, _LINEAR], axis=1)
        sizes = np.where((self.frequencies > 0.0) & (self.damping < 1.0), sizes, 0.0)
        chosen: list[int] = []
        for k in np.argsort(-sizes):
            apart = all(
                abs(self.frequencies[k] / self.frequencies[j] - 1.0) > _CLOSE for j in chosen
            )
            if sizes[k] > max(_RINGS * sizes.max(), 1e-12) and apart and len(chosen) < 3:
                chosen.append(int(k))
        if not chosen:
            raise InputError(
                "nothing rings after this motion, so that there is nothing to cancel",
                argument="motion",
            )
        chosen.sort(key=lambda k: float(self.frequencies[k]))
        undamped = np.abs(self._ringing.rates[chosen]) / (2.0 * np.pi)
        return input_shaper(undamped, self.damping[chosen], kind)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.robot.name
        yield "motion", f"{self.motion.label}, {self.motion.duration:.4g} s"
        for note in self.notes:
            yield "note", note
        moved, turned = self.largest
        yield "in motion", f"up to {_micro(moved, 'm')} and {_micro(turned, 'rad')} from the plan"
        left, turned = self.residual
        yield "after the end", f"up to {_micro(left, 'm')} and {_micro(turned, 'rad')}"
        main = self._main()
        if main:
            yield "rings at", listed(main)
        for size in _decades(left):
            seconds = self.settling(size)
            text = f"after {seconds:.3g} s" if np.isfinite(seconds) else "never: nothing is damped"
            yield f"within {1e6 * size:.4g} um", text

    def _main(self) -> list[str]:
        """The oscillations that move the origin most, in words."""
        sizes = np.linalg.norm(self.amplitudes[:, _LINEAR], axis=1)
        order = np.argsort(-sizes)[:3]
        return [
            f"{self.frequencies[k]:.4g} Hz ({_micro(float(sizes[k]), 'm')})"
            for k in order
            if sizes[k] > 0.1 * sizes.max() and sizes[k] > 1e-12
        ]

    def columns(self) -> dict[str, np.ndarray]:
        """One row a time: displacement of the platform from the plan."""
        return {"t": self.t, **dict(zip(_AXES, self.platform.T, strict=True))}

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        kept = self.amplitudes.max(axis=1) > 0.01 * self.amplitudes.max(initial=0.0)
        left = self.residual
        settled = {f"{size:.3g}": self.settling(size) for size in _decades(left[0])}
        return {
            "robot": self.robot.name,
            "motion": self.motion.label,
            "duration": self.motion.duration,
            "largest": {"m": self.largest[0], "rad": self.largest[1]},
            "residual": {"m": left[0], "rad": left[1]},
            "settling": {k: s if np.isfinite(s) else None for k, s in settled.items()},
            "frequencies": self.frequencies[kept].tolist(),
            "damping": self.damping[kept].tolist(),
            "amplitudes": self.amplitudes[kept].tolist(),
            "shaper": None if self.shaper is None else self.shaper.to_dict(),
            "notes": list(self.notes),
        }

    def draw(self, *others: ElasticMotion) -> Figure:
        """Displacement of the platform's origin over time, in motion and after it.

        Args:
            *others: the same machine under other commands, drawn beside it: with a shaper.
        """
        from gough.report.ringing import draw_ringing  # noqa: PLC0415  looks down, when asked

        return draw_ringing((self, *others))


def _sizes(platform: np.ndarray) -> tuple[float, float]:
    return (
        float(np.linalg.norm(platform[:, _LINEAR], axis=1).max(initial=0.0)),
        float(np.linalg.norm(platform[:, _TURNED], axis=1).max(initial=0.0)),
    )


def _micro(size: float, unit: str) -> str:
    prefix, factor = ("u", 1e6) if size < 1e-3 else ("m", 1e3)
    return f"{clean(factor * size, 1.0):.3g} {prefix}{unit}"


def _decades(size: float) -> list[float]:
    """Round sizes below one, largest first, down to a hundredth of it [m]."""
    if size <= 1e-9:
        return []
    top = int(np.floor(np.log10(size * 0.999999)))
    return [10.0**power for power in (top, top - 1)]
