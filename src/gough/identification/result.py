"""What was identified: base parameters with their uncertainty, the fit, and a new robot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.english import listed, percent
from gough.base.result import Result
from gough.identification.base_result import BaseParameters
from gough.identification.drives import DriveGains
from gough.identification.filtering import Filters
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Prediction(Result):
    """Efforts of a run, measured and predicted; filtered alike, K samples.

    Attributes:
        motors: names.
        t: times ``(K,)`` [s].
        measured: efforts less those of known loads ``(K, n)`` [N m or N].
        predicted: efforts of the identified machine, offsets included ``(K, n)``.
        described: efforts of the description ``(K, n)``.
        rates: of the motors ``(K, n)`` [rad/s or m/s].
        used: samples in which a motor moves; others are near standstill ``(K, n)``.
        expected: root mean square of the residuals that noise of the efforts and uncertain
            parameters explain ``(n,)`` [N m or N].
        filters: of the run.
    """

    motors: tuple[str, ...]
    t: np.ndarray
    measured: np.ndarray
    predicted: np.ndarray
    described: np.ndarray
    rates: np.ndarray
    used: np.ndarray
    expected: np.ndarray
    filters: Filters

    @property
    def residuals(self) -> np.ndarray:
        """Measured less predicted efforts ``(K, n)`` [N m or N]."""
        return np.asarray(self.measured - self.predicted)

    @property
    def error(self) -> np.ndarray:
        """Root mean square of the residuals of each motor, standstill aside ``(n,)``."""
        return _rms(self.residuals, self.used)

    @property
    def relative(self) -> np.ndarray:
        """The same beside the root mean square of the measured efforts ``(n,)``."""
        return np.asarray(self.error / np.maximum(_rms(self.measured, self.used), 1e-300))

    @property
    def before(self) -> np.ndarray:
        """Relative error of the robot as it was described ``(n,)``."""
        size = np.maximum(_rms(self.measured, self.used), 1e-300)
        return np.asarray(_rms(self.measured - self.described, self.used) / size)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        rows = zip(self.motors, self.error, self.relative, self.before, strict=True)
        for name, error, relative, before in rows:
            yield name, f"{error:.3g} ({percent(relative)}; as described {percent(before)})"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a sample."""
        found = {"t": self.t}
        for what in ("measured", "predicted", "described", "rates"):
            values = getattr(self, what)
            found |= {f"{what}_{m}": values[:, k] for k, m in enumerate(self.motors)}
        return found


@dataclass(frozen=True, eq=False)
class Identification(Result):
    """Parameters of a machine, identified from logs.

    Attributes:
        base: the base parameters: names, units, groupings.
        values: of the base parameters ``(p,)``.
        sigma: their standard deviations; infinite where the logs do not show them at all, or not
            apart from others ``(p,)``.
        described: as the description has them ``(p,)``.
        covariance: of the values ``(p, p)``, those shown alone.
        instrumental: the same parameters by instrumental variables ``(p,)``.
        disagreement: of the two, in standard deviations of the latter ``(p,)``.
        unexcited: names of base parameters that the logs do not show: those of infinite standard
            deviation, which stay as near to the description as others allow, and those known no
            better than to the size of the whole machine.
        uncertain: names of others whose standard deviation is above 30 % of them.
        noise: standard deviation of the efforts of each motor, in the band ``(n,)`` [N m or N].
        condition: of the weighted base columns, scaled to unit size.
        fit: measured and predicted efforts of each log.
        validation: the same of the validation run, which was not fitted; ``None`` without one.
        names: standard parameters, the columns of ``base.matrix``.
        chi: their values: of bodies that can exist and explain the logs, those nearest to the
            description ``(q,)``.
        chi_sigma: their standard deviations, logs and description together ``(q,)``: what logs say
            nothing of is known as well as the description, to its own size.
        at_border: names of bodies and parameters that the logs pull to what cannot exist: friction
            of zero, a body without thickness.
        robot: the machine with these parameters; ``None`` where there is none.
        delay: by which efforts are recorded later than positions [s], corrected; zero if none is
            sure.
        delay_sigma: its standard deviation [s].
        gains: gains of the drives, if they were found from currents and a payload.
        method: which values are the answer, ``least_squares`` or ``instrumental``.
        findings: what was noticed, in sentences.
        factor: R with ``|R (chi_b - values)|^2`` what the logs say, in units of noise ``(r, p)``.
    """

    base: BaseParameters
    values: np.ndarray
    sigma: np.ndarray
    described: np.ndarray
    covariance: np.ndarray
    instrumental: np.ndarray
    disagreement: np.ndarray
    unexcited: tuple[str, ...]
    uncertain: tuple[str, ...]
    noise: np.ndarray
    condition: float
    fit: tuple[Prediction, ...]
    validation: Prediction | None
    names: tuple[str, ...]
    chi: np.ndarray
    chi_sigma: np.ndarray
    at_border: tuple[str, ...]
    robot: Robot | None
    delay: float
    delay_sigma: float
    gains: DriveGains | None
    method: str
    findings: tuple[str, ...]
    factor: np.ndarray = field(repr=False)

    @property
    def relative(self) -> np.ndarray:
        """Standard deviations beside the values ``(p,)``; infinite where a value is zero."""
        size = np.abs(self.values)
        found = np.full(len(size), np.inf)
        return np.asarray(np.divide(self.sigma, size, out=found, where=size > 0.0))

    @property
    def offsets(self) -> dict[str, float]:
        """Constants by which efforts are read wrong, by motor [N m or N]: no robot has them.

        What is measured is what ``robot`` takes, and these.
        """
        own = {f"{motor}.offset": motor for motor in self.base.robot.motors}
        rows = zip(self.names, self.chi, strict=True)
        return {own[name]: float(value) for name, value in rows if name in own}

    def draw(self, what: str = "") -> Figure:
        """A figure of the page of an identification.

        Args:
            what: ``"efforts"``: measured, predicted and as described, of the first log;
                ``"efforts_log_2"``, ... of others, ``"efforts_validation"`` of the validation run;
                ``"residuals"``: their spectra, and over the speed of the motor; ``"parameters"``:
                base parameters beside the description; ``"standard"``: masses, friction and rotors
                of the new robot.  With more than six motors ``"efforts_sheet_2"`` has further ones,
                and of long runs ``"efforts_closer"`` has a part.  The first if not given.
        """
        from gough.report.identified.page import draw_identification  # noqa: PLC0415  looks down

        return draw_identification(self, what)

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        yield "robot", self.base.robot.name
        first = self.fit[0].filters
        yield (
            "filters",
            f"positions {first.cutoff:.3g} Hz, efforts and columns {first.band:.3g} Hz, "
            f"one of {first.keep} samples",
        )
        yield "condition", f"{self.condition:.4g}"
        if self.delay:
            yield "delay", f"{1e3 * self.delay:.4g} +- {1e3 * self.delay_sigma:.2g} ms, corrected"
        if self.gains is not None:
            for name, gain, std, unit in zip(
                self.gains.motors, self.gains.gains, self.gains.std, self.gains.units, strict=True
            ):
                yield f"gain {name}", f"{gain:.5g} +- {std:.2g} {unit}"
        for k, run in enumerate(self.fit):
            for name, fact in run.lines():
                yield f"fit {k + 1 if len(self.fit) > 1 else ''} {name}".replace("  ", " "), fact
        if self.validation is not None:
            for name, fact in self.validation.lines():
                yield f"validation {name}", fact
        if self.unexcited:
            yield "not shown", listed(self.unexcited)
        if self.uncertain:
            yield "uncertain", listed(self.uncertain)
        for sentence in self.findings:
            yield "finding", sentence
        numbers = (self.values, self.sigma, self.described)
        rows = zip(self.base.leading, self.base.units, *numbers, strict=True)
        for name, unit, value, sigma, before in rows:
            fact = f"{value:.6g} +- {sigma:.2g} {unit}" if np.isfinite(sigma) else "not shown"
            yield name, f"{fact} (described {before:.6g})"

    def columns(self) -> dict[str, np.ndarray]:
        """Columns of a table: one row a base parameter."""
        words = {
            "parameter": self.base.leading,
            "unit": self.base.units,
            "grouping": self.base.groupings,
        }
        return {
            **{name: np.array(each, dtype=object) for name, each in words.items()},
            "value": self.values,
            "sigma": self.sigma,
            "described": self.described,
            "instrumental": self.instrumental,
            "disagreement": self.disagreement,
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        found = super().to_dict()
        found["base"] = self.base.to_dict()
        found["gains"] = None if self.gains is None else self.gains.to_dict()
        del found["factor"]
        return {**found, "relative": self.relative.tolist(), "offsets": self.offsets}


def _rms(values: np.ndarray, used: np.ndarray) -> np.ndarray:
    count = np.maximum(used.sum(axis=0), 1)
    return np.asarray(np.sqrt((values**2 * used).sum(axis=0) / count))
