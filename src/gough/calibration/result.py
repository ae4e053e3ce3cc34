"""The answer of a calibration, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known
from gough.base.english import clean, counted, percent, plain
from gough.base.result import Result
from gough.calibration.combinations import Combination
from gough.calibration.data import Row
from gough.calibration.design import Design, Proposal
from gough.calibration.knowledge import Observability
from gough.calibration.outliers import Outlier
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXPLAINED = 1.5
"""Chi square up to which residuals are noise: beyond, the model lacks something."""

LARGE = {"m": (1e3, "mm"), "rad": (1e3, "mrad"), "": (1.0, "")}
"""How numbers of a calibration are printed: factor and unit."""


class Estimate(NamedTuple):
    """A parameter after calibration.

    Attributes:
        name: ``u1.base.position.x``, ``p1.gain``, ``bar``.
        unit: ``m``, ``rad``, or empty.
        nominal: in the description.
        value: that explains the measurements.
        std: its standard deviation; infinite if nothing is known of it.
        prior: standard deviation before measuring, by tolerances of manufacturing; infinite if no
            prior was used.
        said: how much of it the data say, 0 to 1; the rest is the prior's.
        owner: joint, motor, body, ``device``, ``tool`` or ``maker``.
    """

    name: str
    unit: str
    nominal: float
    value: float
    std: float
    prior: float
    said: float
    owner: str


class Residuals(NamedTuple):
    """Measured less predicted numbers, one entry a number.

    Attributes:
        rows: which number, of which measurement.
        std: standard deviations of the measured numbers ``(m,)`` [m or rad].
        before: with the machine as described ``(m,)``; device and tool are placed first.
        after: with the calibrated machine.
        left_out: of every measurement predicted by all others; NaN where the others do not.
        motors: where the motors stood, first state of each measurement ``(m, n)``.
        points: where the tool was then, calibrated machine, frame of the device ``(m, 3)`` [m].
    """

    rows: tuple[Row, ...]
    std: np.ndarray
    before: np.ndarray
    after: np.ndarray
    left_out: np.ndarray
    motors: np.ndarray
    points: np.ndarray

    def rms(self, what: str, unit: str) -> float:
        """Root mean square of one of the arrays by its name, of numbers in ``m`` or ``rad``."""
        own = np.array([row.unit == unit for row in self.rows], dtype=bool)
        values = getattr(self, what)[own]
        values = values[np.isfinite(values)]
        return float(np.sqrt((values**2).mean())) if len(values) else np.nan

    def columns(self) -> dict[str, np.ndarray]:
        """One row a measured number."""
        words = {
            name: np.array([getattr(row, name) for row in self.rows], dtype=object)
            for name in ("label", "kind", "name", "unit")
        }
        numbers = {name: getattr(self, name) for name in ("std", "before", "after", "left_out")}
        return {**words, "value": np.array([row.value for row in self.rows]), **numbers}

    def to_dict(self) -> dict[str, Any]:
        """The columns as plain lists; ``None`` for what is not finite."""
        return dict(plain(self.columns()))

    @property
    def units(self) -> tuple[str, ...]:
        """Units that occur."""
        return tuple(unit for unit in ("m", "rad") if any(row.unit == unit for row in self.rows))


class Behaviour(NamedTuple):
    """How well the tool's pose is known, whatever the parameters are.

    Of positions and of angles those components count that were measured; all, if none was.

    Attributes:
        position: standard deviation of its position where it was measured, root mean square [m].
        angle: of its orientation there [rad].
        position_everywhere: the same all over the stroke of the motors [m].
        angle_everywhere: of its orientation there [rad].
    """

    position: float
    angle: float
    position_everywhere: float
    angle_everywhere: float


class Parasitic(NamedTuple):
    """Motions of the platform that the machine as described does not have.

    Attributes:
        tilt: largest rotation from the orientation that the machine as described has at the same
            motors, over all places [rad]; what all places share is left out, for that is how the
            machine stands on its base.
        shift: largest displacement likewise [m].
        rotates: whether the machine as described rotates, so that tilt is not all of it an error.
    """

    tilt: float
    shift: float
    rotates: bool


@dataclass(frozen=True, eq=False)
class Calibration(Result):
    """A calibrated machine.

    Attributes:
        nominal: the machine as described.
        parameters: every free parameter.
        covariance: of the parameters, in their order and units.
        residuals: before, after, and of every measurement predicted by the others.
        held_back: the same of measurements that were not used, if there are any.
        chi_square: sum of squares over the degrees of freedom that are left: 1 if model and noise
            are what they are said to be.
        cost: sum of squares of measured less predicted numbers over standard deviations as given.
        scale: factor of these standard deviations that residuals show, with ``noise="scaled"``.
        noise_is_known: whether noise was given; otherwise it was found from the residuals, and
            ``chi_square`` is 1 whatever the model is.
        observability: ranks, indices, condition.
        combinations: what cannot be known, in words.
        outliers: measurements that the others contradict.
        dropped: labels of measurements that were left out for it.
        behaviour: how well the tool's pose is known.
        parasitic: motions that the machine as described does not have.
        T_0d: frame of the measuring device in the base.
        T_pt: frame of the tool on the platform of ``robot``: ``T_dt = T_0d^-1 T_0p T_pt``.  It is
            the identity where no ``tool`` was given: what was measured is the platform's own frame.
        gain, offset: of the motors: ``q = gain * reading + offset``; offsets are in ``robot``.
        steps: that the fit took.
        findings: what a user should know, in sentences.
        design: imagined measurements; ask :meth:`next`.
        made: makes the calibrated machine; ask :attr:`robot`.
    """

    nominal: Robot
    parameters: tuple[Estimate, ...]
    covariance: np.ndarray
    residuals: Residuals
    held_back: Residuals | None
    chi_square: float
    cost: float
    scale: float
    noise_is_known: bool
    observability: Observability
    combinations: tuple[Combination, ...]
    outliers: tuple[Outlier, ...]
    dropped: tuple[str, ...]
    behaviour: Behaviour
    parasitic: Parasitic
    T_0d: np.ndarray
    T_pt: np.ndarray
    gain: np.ndarray
    offset: np.ndarray
    steps: int
    findings: tuple[str, ...]
    design: Design
    made: Callable[[], Robot]

    @cached_property
    def robot(self) -> Robot:
        """The calibrated machine, ready for every other function, and for :func:`gough.save`.

        Raises:
            UnreachablePose: it reaches none of the measured states that it is compared with.
        """
        return self.made()

    def __getitem__(self, name: str) -> Estimate:
        """A parameter by name."""
        check_known(name, [each.name for each in self.parameters], "no free parameter", "name")
        return next(each for each in self.parameters if each.name == name)

    def next(self, count: int = 1) -> tuple[Proposal, ...]:
        """Where to measure next: the measurements that would tell most, one after the other."""
        return self.design.next(count)

    def motors(self, readings: Any) -> np.ndarray:
        """Readings of encoders that ``robot`` understands: gains applied, offsets being in it."""
        return np.asarray(np.asarray(readings, dtype=float) * self.gain)

    def draw(self, what: str = "") -> Figure:
        """A figure of the page of a calibration.

        Args:
            what: ``"poses"``, ``"positions"``, ``"heights"``, ``"distances"``, ...: residuals of a
                kind before and after, ``"poses_turned"`` of rotations; ``"spread"`` over standard
                deviations; ``"joints"``: their ellipsoids; ``"tilt"`` of a platform that should not
                rotate; ``"next"``: where to measure.  The first that it has if not given.
        """
        from gough.report.calibrated.page import draw_calibration  # noqa: PLC0415  looks down

        return draw_calibration(self, what)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        r, o, b = self.residuals, self.observability, self.behaviour
        yield "robot", self.nominal.name
        yield "measured", _measured(r)
        for unit in r.units:
            parts = [
                f"{what} {_length(r.rms(key, unit), unit)}"
                for key, what in (("before", "before"), ("after", "after"))
            ]
            if np.isfinite(r.rms("left_out", unit)):
                parts.append(f"predicted by the others {_length(r.rms('left_out', unit), unit)}")
            yield f"residuals, {'lengths' if unit == 'm' else 'angles'}", ", ".join(parts)
            if self.held_back is not None and unit in self.held_back.units:
                held = self.held_back
                yield (
                    "held back",
                    f"before {_length(held.rms('before', unit), unit)}, "
                    f"after {_length(held.rms('after', unit), unit)}",
                )
        if self.noise_is_known:
            yield "chi square", f"{self.chi_square:.3g} (1 if model and noise are right)"
        else:
            found = {row.unit: std for row, std in zip(r.rows, r.std, strict=True)}
            sizes = " and ".join(_length(float(found[unit]), unit) for unit in r.units)
            yield "noise found", f"{sizes}, from the residuals"
        yield (
            "parameters",
            f"{o.parameters} free, {o.identifiable} combinations shown by the measurements, "
            f"{o.known} known better than tolerances",
        )
        yield "observability", f"O1 {o.O1:.3g}, O3 {o.O3:.3g}, condition {o.condition:.3g}"
        yield (
            "tool known to",
            f"{_length(b.position, 'm')} and {_length(b.angle, 'rad')} where measured, "
            f"{_length(b.position_everywhere, 'm')} and {_length(b.angle_everywhere, 'rad')} "
            "all over the stroke",
        )
        yield from (("outlier", outlier_words(each)) for each in self.outliers)
        yield from (("note", each) for each in self.findings)
        yield from (("not known", each.words) for each in self.combinations)

    def columns(self) -> dict[str, np.ndarray]:
        """One row a parameter."""
        return {
            "parameter": np.array([each.name for each in self.parameters], dtype=object),
            "unit": np.array([each.unit for each in self.parameters], dtype=object),
            **{
                name: np.array([getattr(each, name) for each in self.parameters])
                for name in ("nominal", "value", "std", "prior", "said")
            },
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        left = ("nominal", "design", "made", "residuals", "held_back")
        data = {each.name: getattr(self, each.name) for each in fields(self)}
        found = {name: plain(value) for name, value in data.items() if name not in left}
        found["parameters"] = [each._asdict() for each in self.parameters]
        for name in ("residuals", "held_back"):
            own = getattr(self, name)
            if own is not None:
                found[name] = own.to_dict()
        return {"robot": self.nominal.name, **plain(found)}

    def telling(self, count: int) -> tuple[Estimate, ...]:
        """Some parameters of the machine, in their order: those that are worth reading first.

        Half of them are those that the data say most about, half those that have changed most by
        their standard deviation.  Where the measuring device stands is not among them.

        Args:
            count: how many, at most.
        """
        own = [each for each in self.parameters if each.owner != "device"] or [*self.parameters]
        said = np.array([each.said for each in own])
        changed = np.array([abs(each.value - each.nominal) / each.std for each in own])
        ranks = [np.argsort(np.argsort(-each, kind="stable")) for each in (said, changed)]
        best = np.argsort(np.minimum(*ranks), kind="stable")[:count]
        return tuple(own[k] for k in sorted(best.tolist()))

    def table(self, count: int | None = None) -> str:
        """Parameters in lines: nominal, value, standard deviation, what the data say.

        Args:
            count: of lines, at most; see :meth:`telling`.
        """
        rows = [("parameter", "nominal", "value", "std", "data say")]
        for each in self.parameters if count is None else self.telling(count):
            factor, unit = LARGE[each.unit]
            if each.unit == "rad" and abs(each.nominal) > 0.1:
                factor, unit = 180.0 / np.pi, "deg"
            std = "unknown" if not np.isfinite(each.std) else f"{each.std * factor:.3g}"
            rows.append(
                (
                    each.name,
                    f"{each.nominal * factor:.4f}",
                    f"{each.value * factor:.4f} {unit}".rstrip(),
                    std,
                    percent(each.said),
                )
            )
        widths = [max(len(row[k]) for row in rows) for k in range(5)]
        lines = [
            "  ".join(
                cell.ljust(w) if k == 0 else cell.rjust(w)
                for k, (cell, w) in enumerate(zip(row, widths, strict=True))
            )
            for row in rows
        ]
        return "\n".join(lines)


def outlier_words(each: Outlier) -> str:
    """An outlier in a sentence."""
    factor, word = LARGE[each.unit]
    sure = f"+- {each.std * factor:.2g} {word} ({each.size:.3g} standard deviations)"
    if each.kind in ("pose", "orientation") and each.unit == "rad":
        off = (each.value - each.predicted) * factor
        said = f"{each.label}: {each.name} is {off:.4g} {word} off what the others predict {sure}"
    else:
        said = (
            f"{each.label}: {each.name} was measured as {each.value * factor:.6g} {word}, the "
            f"others predict {each.predicted * factor:.6g} {word} {sure}"
        )
    return f"{said}; {each.hint}" if each.hint else said


def _measured(r: Residuals) -> str:
    kinds: dict[str, set[int]] = {}
    for row in r.rows:
        kinds.setdefault(row.kind, set()).add(row.measurement)
    return ", ".join(counted(len(each), kind) for kind, each in kinds.items())


def _length(value: float, unit: str) -> str:
    factor, word = LARGE[unit]
    return f"{clean(value * factor, 1.0):.3g} {word}"
