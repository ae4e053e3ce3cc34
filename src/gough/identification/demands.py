"""What a motion asks of a machine, as shares of what it can: many motions, quickly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.conditions import is_valid
from gough.dynamics.answers.motor_limits import motor_limits
from gough.dynamics.quantities.axes import passive_axes
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.compile import find_kernel
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import holding, of_closure
from gough.states.state import State

IMPOSSIBLE = 1e6
"""Share of a motion that leaves the reach, or meets a singularity."""


class Asked(NamedTuple):
    """What a motion asks, each as a share of what is allowed; 0 where no limit is known.

    Attributes:
        position: of the motors' travel, from its middle to its ends.
        velocity: of the largest rates of motors.
        effort: of the efforts that motors can give at their rates.
        heating: of the continuous torques, by root mean squares.
        passive: of limits of joints without motors.
        condition: of the largest condition number of the motors' Jacobian, natural units.
        type_1: of what Type 1 and constraint singularities leave: the smallest distance that is
            allowed, beside the distance.
    """

    position: float
    velocity: float
    effort: float
    heating: float
    passive: float
    condition: float
    type_1: float

    @property
    def most(self) -> float:
        """The largest share."""
        return max(self)


class Demands:
    """Judges motions of a robot, and regressors along them, by compiled kernels.

    Args:
        assembly: the robot.
        columns: of the regressor.
        condition: largest condition number of the motors' Jacobian, natural units.
        clear: smallest distance to Type 1 and constraint singularities, natural units.
    """

    def __init__(
        self, assembly: Assembly, columns: Sequence[str], condition: float, clear: float
    ) -> None:
        self.assembly, self.condition, self.clear = assembly, condition, clear
        self._kernels = {
            name: find_kernel(assembly, name, Variant(columns=own))
            for name, own in (
                ("motor_motion", ()),
                ("inverse_dynamics", ()),
                ("legs_at", ()),
                ("regressor", tuple(columns)),
            )
        }
        robot = assembly.robot
        self.limits = motor_limits(robot)
        self.bounds = _bounds([robot.axis(name).limits.position for name in robot.motors])
        limited = [robot.axis(name).limits for name in passive_axes(assembly)]
        self.passive = _bounds([each.position for each in limited])
        self.passive_speed = np.array([each.velocity or np.inf for each in limited])

    @property
    def bounds_motors(self) -> bool:
        """Whether speed or effort of any motor is limited."""
        limits = self.limits
        known = (limits.axis_speed, limits.effort, limits.peak, limits.continuous)
        return bool(np.isfinite(known).any())

    def asked(self, states: State) -> Asked:
        """What a motion asks."""
        kin, tau = (
            self._run(name, *states.arrays) for name in ("motor_motion", "inverse_dynamics")
        )
        legs = self._run("legs_at", *states.arrays[:2])
        if kin is None or tau is None or legs is None:
            return Asked(*[IMPOSSIBLE] * len(Asked._fields))
        limits, qd, efforts = self.limits, kin["qd"], tau["tau"]
        low, high = limits.axis_efforts(qd)
        rms = np.sqrt((efforts**2).mean(axis=0))
        held = holding(self.assembly.scales, kin["J_inv"], kin["Psi"])
        crossed = np.ptp(held.sign) > 0.0  # a Type 2 singularity between samples
        return Asked(
            _beside(kin["q"], self.bounds),
            _share(np.abs(qd), limits.axis_speed),
            max(_share(efforts, high), _share(-efforts, -low)),
            _share(rms, limits.ratio * limits.efficiency * limits.continuous),
            max(
                _beside(legs["passive"], self.passive),
                _share(legs["passive_rates"], self.passive_speed),
            ),
            IMPOSSIBLE if crossed else float(np.max(held.condition)) / self.condition,
            self.clear / max(self._distance(legs["closure_rows"]), 1e-300),
        )

    def _distance(self, rows: np.ndarray) -> float:
        """Smallest distance to Type 1 and constraint singularities, from closure rows."""
        rates = len(self.assembly.scales.rates)
        legs, constraint = of_closure(self.assembly, rows[..., :rates], -rows[..., rates:])
        return float(min(legs.min(initial=1.0), constraint.min(initial=1.0)))

    def regressors(self, states: State) -> np.ndarray | None:
        """Regressors along a motion, one below the other; none where it cannot be."""
        found = self._run("regressor", *states.arrays)
        return None if found is None else found["W"].reshape(-1, found["W"].shape[-1])

    def _run(self, quantity: str, *arrays: np.ndarray) -> dict[str, np.ndarray] | None:
        """Outputs of a kernel at all states; none if one of them is in doubt."""
        found = self._kernels[quantity](*arrays, threads=1)
        return found if is_valid(found["doubt"]).all() else None


def _bounds(limits: Sequence[tuple[float, float] | None]) -> np.ndarray:
    """Lowest and highest positions ``(2, k)``; infinite without limits."""
    pairs = [(-np.inf, np.inf) if each is None else each for each in limits]
    return np.array(pairs, dtype=float).reshape(-1, 2).T


def _beside(values: np.ndarray, bounds: np.ndarray) -> float:
    """How far values go from the middle of their bounds to the ends."""
    known = np.isfinite(bounds).all(axis=0)
    low, high = bounds[:, known]
    half = np.maximum((high - low) / 2.0, 1e-300)
    off = np.abs(values[:, known] - (low + high) / 2.0) / half
    return float(off.max(initial=0.0))


def _share(values: np.ndarray, limit: np.ndarray) -> float:
    """The largest share of limits that values take; of what has none left, too much."""
    shares = values / np.maximum(limit, 1e-300)
    return float(min(np.max(shares, initial=0.0), IMPOSSIBLE)) + 0.0  # no minus before a zero
