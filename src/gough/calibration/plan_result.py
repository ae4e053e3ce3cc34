"""A plan of measurements: where to measure, in order, and what is known afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import check_known
from gough.base.english import clean, counted, plain
from gough.base.result import Result, pose_columns
from gough.base.tables import write_table
from gough.calibration.design import Proposal
from gough.calibration.knowledge import Observability
from gough.calibration.measured import Measurements
from gough.calibration.plan_table import plan_table
from gough.robot import Robot

_STILL = 1e-9  # angles of a platform that never rotates: rounding [rad]


class Expected(NamedTuple):
    """A parameter as it will be known after the measurements.

    Attributes:
        name: ``u1.base.position.x``, ``p1.gain``, ``bar``.
        unit: ``m``, ``rad``, or empty.
        nominal: in the description.
        prior: standard deviation before measuring; infinite without a prior.
        std: standard deviation after all measurements; infinite if nothing is known of it.
        said: how much of it the data will say, 0 to 1.
    """

    name: str
    unit: str
    nominal: float
    prior: float
    std: float
    said: float


@dataclass(frozen=True, eq=False)
class MeasurementPlan(Result):
    """Measurements to make, the most telling ones first.

    Attributes:
        robot: the machine as described.
        steps: where to measure, in order: kind, motors, predicted pose, gain.
        sets: all measurements that were considered, kind by kind.
        noise: standard deviations of lengths [m] and angles [rad] that were counted with.
        position: expected standard deviation of the tool's position, root mean square over the
            stroke, before the first and after each step ``(count + 1,)`` [m].
        angle: the same of its orientation [rad].
        parameters: every free parameter, with its expected standard deviation at the end.
        observability: ranks, indices and condition at the end.
        considered: how many measurements were considered.
        findings: what a user should know, in sentences.
    """

    robot: Robot
    steps: tuple[Proposal, ...]
    sets: tuple[Measurements, ...]
    noise: tuple[float, float]
    position: np.ndarray
    angle: np.ndarray
    parameters: tuple[Expected, ...]
    observability: Observability
    considered: int
    findings: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, name: str) -> Expected:
        """A parameter by name."""
        check_known(name, [each.name for each in self.parameters], "no free parameter", "name")
        return next(each for each in self.parameters if each.name == name)

    @property
    def motors(self) -> np.ndarray:
        """Where motors should stand ``(count, n)`` [rad or m], first state of each step."""
        return np.array([each.motors[0] for each in self.steps])

    @property
    def poses(self) -> np.ndarray:
        """Predicted poses of the tool in the device's frame ``(count, 4, 4)``, first states."""
        return np.array([each.pose[0] for each in self.steps])

    def lines(self) -> Iterable[tuple[str, str]]:
        """Headings and facts, in reading order."""
        o, kinds = self.observability, [each.kind for each in self.steps]
        yield "robot", self.robot.name
        chosen = ", ".join(counted(kinds.count(k), k) for k in dict.fromkeys(kinds))
        yield "plan", f"{chosen}, chosen from {self.considered}"
        sizes = [
            f"{value * 1e3:.3g} {unit}"
            for value, unit in zip(self.noise, ("mm", "mrad"), strict=True)
            if np.isfinite(value)
        ]
        yield "noise", " and ".join(sizes)
        shown = dict.fromkeys((len(self) // 3, 2 * len(self) // 3, len(self)))
        after = [f"{self._known(k)} after {k}" for k in shown if k]
        yield "tool known to", f"{', '.join(after)}, all over the stroke"
        yield (
            "parameters",
            f"{o.parameters} free, {o.identifiable} combinations shown by these measurements, "
            f"{o.known} known better than tolerances",
        )
        yield "observability", f"O1 {o.O1:.3g}, O3 {o.O3:.3g}, condition {o.condition:.3g}"
        yield from (("note", each) for each in self.findings)

    def _known(self, k: int) -> str:
        """How well the tool is known after a step; a platform that never rotates has no angle."""
        said = _size(self.position[k], "mm")
        return said if self.angle[k] < _STILL else f"{said} and {_size(self.angle[k], 'mrad')}"

    def columns(self) -> dict[str, np.ndarray]:
        """One row a step: motors [rad or m], tool, and how well it is known after it."""
        found: dict[str, np.ndarray] = {
            "step": np.arange(1, len(self) + 1),
            "kind": np.array([each.kind for each in self.steps], dtype=object),
        }
        found |= dict(zip(self.robot.motors, self.motors.T, strict=True))
        if any(len(each.motors) > 1 for each in self.steps):
            other = np.array([each.motors[-1] for each in self.steps])
            alone = np.array([len(each.motors) == 1 for each in self.steps])
            other[alone] = np.nan
            names = [f"other_{name}" for name in self.robot.motors]
            found |= dict(zip(names, other.T, strict=True))
        found |= pose_columns(self.poses)
        found["gain"] = np.array([each.gain for each in self.steps])
        found |= {"position_std": self.position[1:], "angle_std": self.angle[1:]}
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain words, numbers and lists, ready for JSON."""
        own = ("steps", "noise", "position", "angle", "parameters", "observability")
        found = {name: plain(getattr(self, name)) for name in own}
        return {"robot": self.robot.name, **found, "findings": list(self.findings)}

    def write(self, path: str | PathLike[str]) -> None:
        """Write a table to be filled in with what is measured.

        It has a row for every step with the positions of the motors, and empty columns for what is
        measured there; once filled in, :func:`gough.calibration.read_measurements` reads it.
        Lengths are in mm and angles in deg.  Columns that begin with ``expected`` say where the
        tool will be, and are not read.

        Args:
            path: a .csv, .parquet or .npz file, which is replaced if it is there.

        Raises:
            FileError: the file cannot be written.
        """
        write_table(path, plan_table(self.robot, self.steps, self.sets), gaps=True)


def _size(value: float, unit: str) -> str:
    """A standard deviation [m or rad] in thousandths; more than everything is nothing known."""
    return f"{clean(value * 1e3, 1.0):.3g} {unit}" if value < 10.0 else "nothing"
