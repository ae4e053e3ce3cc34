"""Where a machine may stand to be measured: limits of all its axes, and singularities kept away.

Limits are those of motors and of passive joints, the cone of a ball among them.  Singularities are
judged by the measures that all rooms use (:mod:`gough.mechanism.mobility.measures`): legs that are
stretched or folded, constraints that are lost, and motors that do not hold the platform.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, collect
from gough.calibration.loops import SeatedLoops
from gough.compiler.tracing.interpreter import run
from gough.compiler.tracing.program import Program
from gough.compiler.tracing.tracer import trace
from gough.dynamics.quantities.axes import axis_or_tilt, bounded_axes
from gough.dynamics.quantities.placements import own_seats, with_seats
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.measures import of_closure
from gough.mechanism.mobility.singular import NEAR
from gough.modes.closing import Machines, rows_at, state_shapes
from gough.robot.joint_kinds import BALL
from gough.singularity.workspace.measures import limit_margins

MARGIN = 0.02
"""Share of a stroke that is kept from each of its ends."""

_OF_HOME = 0.5  # of home's distance to a singularity, where home itself is near one

Seats = Mapping[str, np.ndarray]


class Clearance(NamedTuple):
    """How far states are from singularities, natural units ``(K,)``.

    Attributes:
        legs: the smallest of all legs: zero where one is stretched or folded.
        constraint: zero where the platform gains a freedom that legs should forbid.
        motors: zero where the platform can move with the motors held.
    """

    legs: np.ndarray
    constraint: np.ndarray
    motors: np.ndarray


class Reach:
    """Which states of a machine may be measured.

    Args:
        loops: its loops, wherever its joints sit.
    """

    def __init__(self, loops: SeatedLoops) -> None:
        self.loops, self.assembly = loops, loops.assembly
        self.limited = bounded_axes(loops.assembly)

    @cached_property
    def _positions(self) -> Program:
        """Positions of axes with limits; of a ball, its tilt."""
        assembly = self.assembly

        def positions(T_0p: Array, coordinates: Array, **seats: Array) -> dict[str, Array]:
            machine = with_seats(assembly, seats)
            at, *_ = rows_at(machine, T_0p, coordinates, np.zeros(len(assembly.robot.motors)))
            return {"q": collect([axis_or_tilt(machine, at, name) for name in self.limited])}

        return trace("limited axes", positions, state_shapes(assembly) | self.loops.frames)

    def inside(self, at: Machines, seats: Seats) -> np.ndarray:
        """Which states keep a margin from the limits of all axes ``(K,)``."""
        if not self.limited:
            return np.ones(len(at.T_0p), dtype=bool)
        q = run(self._positions, {**at._asdict(), **seats})["q"]
        left = limit_margins(self.assembly, self.limited, q)[1]
        good = np.isfinite(q).all(axis=1)
        for i, name in enumerate(self.limited):
            low, high = self.assembly.robot.axis(name).limits.position or (-np.inf, np.inf)
            axis = self.assembly.axes[name]
            unit = 1.0 if is_turn(axis) or axis.what == BALL else self.assembly.length
            margin = MARGIN * (high - low) / unit if np.isfinite(high - low) else 0.0
            # the least tilt of a cone is no stop: its middle may be measured
            ends = left[:, i, 1:] if axis.what == BALL and low <= 0.0 else left[:, i]
            good &= (ends >= margin).all(axis=1)
        return np.asarray(good)

    def clearance(self, at: Machines, q: np.ndarray, seats: Seats) -> Clearance:
        """How far states are from singularities."""
        J = self.loops.rows(at, q, seats)
        n = q.shape[1]
        closure = J[:, : J.shape[1] - n]
        legs, constraint = of_closure(self.assembly, closure[..., :-6], -closure[..., -6:])
        follow = np.linalg.norm(self._natural(J, n), ord=2, axis=(1, 2))
        return Clearance(legs.min(axis=1, initial=1.0), constraint, 1.0 / np.maximum(follow, 1e-12))

    def platform(self, at: Machines, q: np.ndarray, seats: Seats) -> np.ndarray:
        """Twists of the platform by motors, base axes ``(K, 6, n)`` [m, rad]."""
        scales = self.assembly.scales
        found = self._natural(self.loops.rows(at, q, seats), q.shape[1])
        return np.asarray(found * scales.twist[:, None] / scales.motors)

    @staticmethod
    def _natural(J: np.ndarray, motors: int) -> np.ndarray:
        return np.asarray(np.linalg.pinv(J)[:, -6:, J.shape[1] - motors :])

    @cached_property
    def least(self) -> Clearance:
        """Distances from singularities that are kept."""
        robot = self.assembly.robot
        home = self.assembly.home_values
        q = np.array([[home[name] for name in robot.motors]])
        seen = self.clearance(self.loops.home(1), q, own_seats(robot))
        return Clearance(*(np.minimum(NEAR, _OF_HOME * each) for each in seen))

    def regular(self, at: Machines, q: np.ndarray, seats: Seats) -> np.ndarray:
        """Which states are far enough from every singularity ``(K,)``."""
        seen = self.clearance(at, q, seats)
        pairs = zip(seen, self.least, strict=True)
        return np.asarray(np.all([mine >= least for mine, least in pairs], axis=0))
