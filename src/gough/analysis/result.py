"""The answer of :func:`gough.analyse`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.balance import EnergyBalance
from gough.analysis.bearings import bearing_loads
from gough.analysis.bearings_result import BearingLoads
from gough.analysis.conditioning import Conditioning
from gough.analysis.sizing import Sizing
from gough.analysis.violations import Violation
from gough.base.english import clean, counted, small
from gough.base.result import Result, motion_columns
from gough.dynamics.answers.certificate import Certificate
from gough.dynamics.answers.energy import Energy
from gough.dynamics.answers.frozen import frozen_notes
from gough.dynamics.answers.motor_limits import unjudged
from gough.dynamics.answers.motor_side import MotorSide
from gough.dynamics.shared.loads import NO_LOADS, Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.dynamics.shared.sharing import EffortSharing
from gough.robot import Robot
from gough.states.state import State

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Analysis(Result):
    """Analysis of a motion of K samples of a machine with m motors.

    Figures are NaN in the samples that are refused, where ``failed`` is true.

    Attributes:
        robot: the machine.
        label: what the motion is called.
        t: times ``(K,)`` [s].
        T_0p, V_0p, Vdot_0p: pose, twist and twist rate ``(K, 4, 4)``, ``(K, 6)``, ``(K, 6)``.
        q, qd, qdd: positions, rates and accelerations of the motors ``(K, m)``.
        tau: their efforts at the joints' axes ``(K, m)``.
        holding: efforts that hold every pose of the path at standstill ``(K, m)``.
        motor: torque, speed and power on the motors' own shafts ``(K, m)`` each.
        power: of the motors at the axes ``(K, m)`` [W].
        energy: kinetic and potential ``(K,)`` [J].
        balance: where the work of the motors went.
        conditioning: distances to singularities.
        certificate: closure, power balance and agreement of the methods at a handful of samples;
            ``None`` if not asked for, or if no sample can be.
        failed: samples that are refused ``(K,)``.
        violations: limits, motors, reach and singularities that the motion violates, sorted by
            time.
        sizing: ratings of every motor, and what it uses of its data.
        findings: sentences about the data that the motion was found from, and about loads that
            never act.
        method: theory of the dynamics.
        loads: what acted besides motors and gravity, as it was given.
        sample_loads: the same at the samples.
        share: how more motors than freedoms shared the work.
        parameters: kind and arguments of the motion, where it knows them.
    """

    robot: Robot
    label: str
    t: np.ndarray
    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    holding: np.ndarray
    motor: MotorSide
    power: np.ndarray
    energy: Energy
    balance: EnergyBalance
    conditioning: Conditioning
    certificate: Certificate | None
    failed: np.ndarray
    violations: tuple[Violation, ...]
    sizing: tuple[Sizing, ...]
    findings: tuple[str, ...] = ()
    method: str = "legs"
    loads: Loads | LoadSchedule = NO_LOADS
    sample_loads: Loads = NO_LOADS
    share: EffortSharing | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        count = len(self.violations)
        said = "feasible" if self.feasible else f"{counted(count, 'violation')}"
        what = f"{self.label or 'samples'}, {self.duration:.4g} s, {len(self.t)} samples"
        return f"<Analysis of {self.robot.name!r}: {what}, {said}>"

    @property
    def state(self) -> State:
        """Pose, twist and twist rate of the samples, ``(K,)``."""
        return State(self.T_0p, self.V_0p, self.Vdot_0p)

    @property
    def duration(self) -> float:
        """From the first sample to the last [s]."""
        return float(self.t[-1] - self.t[0])

    @property
    def feasible(self) -> bool:
        """Whether there is no violation."""
        return not self.violations

    @property
    def remarks(self) -> list[str]:
        """Sentences on what the verdict leaves out: motors without data beside others with data."""
        return unjudged(self.robot)

    @property
    def agreement(self) -> float | None:
        """Largest relative difference of the methods at a handful of samples."""
        found = self.certificate
        return None if found is None else float(np.max(found.agreement, initial=0.0))

    def bearings(self, exponent: float = 3.0) -> BearingLoads:
        """Forces and moments in the joints along the motion, under its loads.

        Args:
            exponent: of the equivalent means; see :func:`gough.bearing_loads`.
        """
        return bearing_loads(
            self.robot,
            self,
            loads=self.sample_loads,
            share=self.share,
            exponent=exponent,
            on_error="nan",
        )

    def draw(self, what: str = "") -> Figure:
        """A figure of the motion, violations marked in red.

        Args:
            what: ``"motors"``: their positions, speeds and efforts at the axes over time; or a
                figure of the report: ``"poses"``, ``"path"``, ``"pace"``, ``"efforts"``,
                ``"speeds"``, ``"power"``, ``"torque_speed"``, ``"energy"``, ``"singularities"``,
                ``"workspace"``, ``"bearings"``, ``"elastic"``.  The first if not given.
        """
        from gough.report.writing import draw_analysis  # noqa: PLC0415  looks down, when asked

        return draw_analysis(self, what)

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order."""
        count = len(self.t)
        found = [
            ("robot", self.robot.name),
            ("motion", f"{self.label or 'samples'}, {self.duration:.4g} s, {count} samples"),
            *(("data" if k == 0 else "", each) for k, each in enumerate(self.findings)),
            ("verdict", "feasible" if self.feasible else "not feasible"),
            *(("remark", remark) for remark in self.remarks),
            *(("violation", violation.sentence) for violation in self.violations),
            ("energy", f"balance closes to {small(self.balance.relative)}"),
            ("methods", "" if self.agreement is None else f"agree to {small(self.agreement)}"),
            *(("frozen", note) for note in frozen_notes(self.robot.assembly)),
        ]
        return [(heading, fact) for heading, fact in found if fact]

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Headings and rows of the motors' figures as text: at the axis, then at the motor.

        With data of motors each row ends with shares of limits: of the axis, or of the motor.
        """
        heads = ["motor", "side", "peak", "rms", "holding", "speed", "mean speed"]
        heads += ["peak power", "mean power", "regenerated"]
        known = any(one.uses for one in self.sizing)
        heads += ["of peak", "RMS of continuous", "holding of continuous", "of top speed"] * known
        rows = []
        for one in self.sizing:
            for side, f in (("axis", one.axis), ("motor", one.motor)):
                efforts = [f"{clean(x):.4g} {f.effort_unit}" for x in (f.peak, f.rms, f.holding)]
                speeds = [f"{clean(x):.4g} {f.speed_unit}" for x in (f.speed, f.mean_speed)]
                powers = [f"{clean(x):.4g} W" for x in (f.power, f.mean_power)]
                powers.append(f"{clean(f.regenerated):.3g} J")
                shares = _shares(one, side) if known else []
                rows.append([one.name, side, *efforts, *speeds, *powers, *shares])
        return heads, rows

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON; figures that are no numbers are ``None``."""
        data = {
            "robot": self.robot.name,
            "motion": self.label,
            "duration": self.duration,
            "samples": len(self.t),
            "findings": list(self.findings),
            "feasible": self.feasible,
            "remarks": self.remarks,
            "violations": [violation._asdict() for violation in self.violations],
            "sizing": [one.to_dict() for one in self.sizing],
            "energy_balance": self.balance.relative,
            "agreement": self.agreement,
            "type_1": _least(self.conditioning.type_1, self.conditioning.freedoms),
            "type_2": _least(self.conditioning.type_2),
            "constraint": _least(self.conditioning.constraint),
        }
        return _plain(data)  # type: ignore[no-any-return]

    def columns(self) -> dict[str, np.ndarray]:
        """Everything that belongs to a sample, as columns of a table ``(K,)``."""
        by_motor = {
            "q": self.q,
            "qd": self.qd,
            "qdd": self.qdd,
            "tau": self.tau,
            "power": self.power,
            "motor_torque": self.motor.torque,
            "motor_speed": self.motor.speed,
            "motor_power": self.motor.power,
        }
        states = self.T_0p, self.V_0p, self.Vdot_0p
        return motion_columns(self.robot, self.t, states, by_motor) | {
            "kinetic": self.energy.kinetic,
            "potential": self.energy.potential,
            "work": self.balance.work,
            "loss": self.balance.loss,
            "condition": self.conditioning.condition,
            "type_2": self.conditioning.type_2,
        }


def _shares(one: Sizing, side: str) -> list[str]:
    """Shares of limits as text: of the axis, or of the motor's data on its shaft."""
    if side == "axis":
        found = [one.effort_use, None, None, one.speed_use]
    else:
        kinds = ("motor_peak", "motor_rms", "motor_holding", "motor_speed")
        found = [None if (use := one.use(kind)) is None else use.share for kind in kinds]
    return ["" if share is None else f"{100.0 * share:.0f} %" for share in found]


def _least(*values: np.ndarray) -> float | None:
    known = np.concatenate([each[np.isfinite(each)] for each in values])
    return float(known.min()) if known.size else None


def _plain(data: Any) -> Any:
    """Data without figures that are no numbers, which JSON does not know."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(value) for value in data]
    return None if isinstance(data, float) and not np.isfinite(data) else data
