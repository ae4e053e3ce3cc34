"""Loops closed at given motors, with joints elsewhere than described, for many states at once.

The rows are those of :mod:`gough.modes.closing`, with the frames of all joints as inputs.  A frame
that is displaced opens the loops by ``D e``; platform and joints follow by ``J x = D e``.  The rows
of ``J^-1`` that belong to the platform are what loops and motors bear under unit wrenches on it:
the reactions.  Pulled back through D they are the reactions in the displaced frames, for the work
of a frame's error is done against the reaction in it.

A machine that is over-constrained has more rows than unknowns.  Its loops are closed as well as
they can be; what is left open says which errors of frames it does not admit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.once import known_of
from gough.base.spatial import Array, collect
from gough.calibration.sides import same_side, unfolded
from gough.compiler.tracing.tracer import trace
from gough.dynamics.quantities.placements import SEATS, own_seats, with_seats
from gough.evaluation.engine import LazyKernel
from gough.mechanism.closure.axes import axis_over_all, axis_rows, value
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.closure.dense import column_scales
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import Descent, States, descended
from gough.modes.closing import Machines, loops, rows_at, state_shapes
from gough.modes.stepper import whole_turns

STEPS = Descent(most=8, longest=0.3, damping=1e-12, enough=1e-13)
"""From a state nearby: plain Newton steps, damped only where they do not help.

Eight are more than enough where loops close; where they cannot, nothing else ends the steps.
"""

STRIDE = 0.5
"""Motors are led to their positions in parts of this size, natural units."""

_FARTHEST = 26.0
"""26 robot lengths: further readings of motors are mistakes in units; whole turns do not count."""

_LOOSE = 1e-9
"""Singular values below this share of the largest belong to motions that nobody feels."""

_SAME = 1e-9
"""Largest equation that closed loops leave open, natural units."""

_AT_REST, _APART = 1e-8, 0.05
"""Of loops that cannot be closed: slope of what is open, where no step helps; and most of it."""


class Slopes(NamedTuple):
    """How closed states change with the frames of joints and with motors.

    Attributes:
        pose: twist of the platform, base axes ``(K, 6, F)`` by frames, in the order of ``SEATS``.
        pose_by_motors: the same by the motors ``(K, 6, n)``.
        axes: coordinates of the axes that are read ``(K, a)``.
        axes_by_frames: their derivatives ``(K, a, F)``.
        axes_by_motors: the same by the motors ``(K, a, n)``.
        open: what loops leave open, natural units ``(K, m)``, one column a redundant equation.
        open_by_frames: its derivatives ``(K, m, F)``.
        open_by_motors: the same by the motors ``(K, m, n)``.
    """

    pose: np.ndarray
    pose_by_motors: np.ndarray
    axes: np.ndarray
    axes_by_frames: np.ndarray
    axes_by_motors: np.ndarray
    open: np.ndarray
    open_by_frames: np.ndarray
    open_by_motors: np.ndarray


def seated_loops(assembly: Assembly, axes: Sequence[str] = ()) -> SeatedLoops:
    """The loops of a robot, spelled on first demand and kept with it."""
    return _seated_loops(assembly, tuple(axes))


@known_of(Assembly)
def _seated_loops(assembly: Assembly, axes: tuple[str, ...]) -> SeatedLoops:
    return SeatedLoops(assembly, axes)


class SeatedLoops:
    """The loops of a robot as a function of where its joints sit.

    Args:
        assembly: the robot as described.
        axes: names of joint axes whose coordinates are read.
    """

    def __init__(self, assembly: Assembly, axes: Sequence[str] = ()) -> None:
        self.assembly, self.axes = assembly, tuple(axes)
        self.frames = {name: rows.shape for name, rows in own_seats(assembly.robot).items()}
        self._plain = loops(assembly)  # its steps do not depend on frames

    @cached_property
    def _shapes(self) -> dict[str, tuple[int, ...]]:
        motors = {"q_a": (len(self.assembly.robot.motors),)}
        return state_shapes(self.assembly) | motors | self.frames

    @cached_property
    def _rows(self) -> LazyKernel:
        """Rows over (u, V) of loops, motors and axes that are read, and what is open."""
        units = column_scales(self.assembly.topology, self.assembly.length)

        def rows(T_0p: Array, coordinates: Array, q_a: Array, **seats: Array) -> dict[str, Array]:
            machine = with_seats(self.assembly, seats)
            at, J, r = rows_at(machine, T_0p, coordinates, q_a)
            places = [machine.axes[name] for name in self.axes]
            read = [axis_over_all(machine.topology, p, axis_rows(at, p)) * units for p in places]
            return {"J": J, "r": r, "axes": collect(read, (0, len(units)))}

        return LazyKernel(trace("seated loops", rows, self._shapes))

    @cached_property
    def _gaps(self) -> LazyKernel:
        """What is open, coordinates of axes that are read, and both by the frames."""

        def gaps(T_0p: Array, coordinates: Array, q_a: Array, **seats: Array) -> dict[str, Array]:
            machine = with_seats(self.assembly, seats)
            at, _, r = rows_at(machine, T_0p, coordinates, q_a)
            home = self.assembly.home_values
            read = [value(at, machine.axes[name], home[name]) for name in self.axes]
            return {"r": r, "axes": collect(read)}

        return LazyKernel(trace("seated gaps", gaps, self._shapes, SEATS))

    def home(self, count: int) -> Machines:
        """So many machines at home."""
        T, configuration = self.assembly.start
        start = np.asarray(T, dtype=float), np.asarray(pack(configuration), dtype=float)
        return Machines(*(np.repeat(each[None], count, axis=0) for each in start))

    def led(
        self,
        start: Machines,
        q: np.ndarray,
        seats: Mapping[str, np.ndarray],
        *,
        same_mode: bool = False,
    ) -> tuple[Machines, np.ndarray]:
        """Machines whose motors are led straight to positions ``(K, n)``, in short strides.

        Args:
            start: assembled ones.
            q: positions of the motors.
            seats: where joints sit.
            same_mode: whether no leg may be stretched or folded on the way either.

        Returns:
            The states, and which of them are closed without having passed a singularity of motors
            and loops together.
        """
        scales = self.assembly.scales.motors
        first = self._positions(start, seats)
        q = q - whole_turns(self.assembly, q - first)
        far = np.abs((q - first) / scales).max(axis=1, initial=0.0)
        good = far < _FARTHEST
        q = np.where(good[:, None], q, first)
        count = max(1, int(np.ceil(far[good].max(initial=0.0) / STRIDE)))
        here = start
        before = self._at(here, first, seats)["J"]
        for k in range(1, count + 1):
            goal = first + (q - first) * (k / count)
            here, there = self.closed(here, goal, seats)
            after = self._at(here, goal, seats)["J"]
            good &= there
            if not self.assembly.idle:  # what nobody feels is free, and hides sides
                good &= same_side(before, after)
                if same_mode:
                    good &= unfolded(self._held(before), self._held(after))
            before = after
            if not good.any():
                break
        return here, good

    def _held(self, J: np.ndarray) -> np.ndarray:
        """Closure rows over what can move with the platform's freedoms held."""
        rates, motors = J.shape[2] - 6, len(self.assembly.robot.motors)
        columns = [*range(rates), *(rates + i for i in range(6) if i not in self.assembly.free)]
        return np.asarray(J[:, : J.shape[1] - motors, columns])

    def closed(
        self, start: Machines, q: np.ndarray, seats: Mapping[str, np.ndarray]
    ) -> tuple[Machines, np.ndarray]:
        """Machines closed at motor positions ``(K, n)`` from states nearby, and which are."""

        def rows(at: States, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            found = self._at(Machines(*at), q[which], seats)
            return found["J"], np.where(np.isfinite(found["r"]), found["r"], 1e6)

        def moved(at: States, step: np.ndarray) -> States:
            return self._plain.moved(Machines(*at), step)

        states, error = descended(rows, moved, start, STEPS)
        here = Machines(*states)
        if not self.is_over_constrained:
            return here, error < _SAME
        # loops that cannot be closed are left open a little; the motors must be where they are
        J, r = rows(here, np.arange(len(q)))
        downhill = np.abs(J.swapaxes(1, 2) @ r[:, :, None]).max(axis=(1, 2))
        return here, (downhill < _AT_REST) & (error < _APART)

    @cached_property
    def is_over_constrained(self) -> bool:
        """Whether there are more equations than unknowns, motors included."""
        port = next(port for port in self._rows.program.outputs if port.name == "J")
        return port.shape[0] > port.shape[1]

    def _positions(self, at: Machines, seats: Mapping[str, np.ndarray]) -> np.ndarray:
        """Motor positions of states [rad or m], near home's."""
        motors, home = self.assembly.robot.motors, self.assembly.home_values
        near = np.array([home[name] for name in motors])
        found = self._at(at, np.tile(near, (len(at.T_0p), 1)), seats)["r"]
        off = found[:, found.shape[1] - len(motors) :] * self.assembly.scales.motors
        return np.asarray(near - off)

    def _at(
        self, at: Machines, q: np.ndarray, seats: Mapping[str, np.ndarray]
    ) -> dict[str, np.ndarray]:
        return self._rows({**at._asdict(), "q_a": q, **seats})

    def rows(self, at: Machines, q: np.ndarray, seats: Mapping[str, np.ndarray]) -> np.ndarray:
        """Rows ``(K, m, n)`` of loops, then of motors, over all of u and V; natural units."""
        return self._at(at, q, seats)["J"]

    def slopes(self, at: Machines, q: np.ndarray, seats: Mapping[str, np.ndarray]) -> Slopes:
        """How closed states change with the frames of joints and with motors."""
        found = self._at(at, q, seats)
        gaps = self._gaps({**at._asdict(), "q_a": q, **seats})
        J, r = found["J"], found["r"]
        count, m, _ = J.shape

        def by_frames(name: str) -> np.ndarray:
            size = gaps[name].shape[1]
            parts = [
                gaps[f"d_{name}_d_{seat}"].reshape(count, size, int(np.prod(self.frames[seat])))
                for seat in SEATS
            ]
            return np.concatenate(parts, axis=2)

        D = by_frames("r")
        n = len(self.assembly.robot.motors)
        M = np.zeros((m, n))  # of motors: their rows are off by what their positions change
        M[m - n :] = np.diag(1.0 / self.assembly.scales.motors)
        inverse, left = _factored(J)
        units = column_scales(self.assembly.topology, self.assembly.length)[-6:, None]
        follow = inverse[:, -6:] * units
        read = found["axes"] @ inverse
        return Slopes(
            follow @ D,
            follow @ M,
            gaps["axes"],
            read @ D + by_frames("axes"),
            read @ M,
            (left @ r[:, :, None])[:, :, 0],
            left @ D,
            left @ M,
        )


def _factored(J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pseudo-inverses of matrices ``(K, m, n)``, and what they do not reach ``(K, m - n, m)``."""
    U, s, Vt = np.linalg.svd(J)
    n = J.shape[2]
    felt = s > _LOOSE * s[:, :1]
    reciprocal = np.where(felt, 1.0 / np.where(felt, s, 1.0), 0.0)
    inverse = Vt.swapaxes(1, 2) @ (reciprocal[:, :, None] * U[:, :, :n].swapaxes(1, 2))
    return inverse, U[:, :, n:].swapaxes(1, 2)
