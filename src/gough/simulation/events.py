"""What stops a simulation: limits, singularities, the end of reach."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.base.arguments import nearest
from gough.dynamics.quantities.axes import bounded_axes
from gough.errors import (
    FrozenFreedom,
    GoughError,
    InputError,
    NoEfforts,
    SingularInertia,
    SingularPose,
    UnreachablePose,
    shown,
)
from gough.geometry.inverse import posed
from gough.geometry.turns import home_equations
from gough.kinematics.regularity import DEPENDENT, check_regular
from gough.mechanism.closure.axes import coordinate
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import TURN
from gough.simulation.plant import State
from gough.simulation.result import Simulation

KINDS = ("reach", "type_1", "type_2", "limits")
_UNSTABLE = 0.01
"""Share of kinetic energy and works by which the energy balance may be missed.

Steps that follow the motion miss far less; unstable ones pass a hundredth at once.
"""

_OFF = 1e-3
"""Share of kinetic energy and works by which the balance of a run may be off without a finding.

A tenth of what ends a run.  Steps of usual length are off by 1e-6 or less, and an order four gains
a factor of 16 with every halving: steps that miss a thousandth are too long for the three digits
that are read off a diagram.
"""

_STRETCHED = 0.05
"""Smallest singular value, natural units, below which a singularity explains the end of a motion.

Steps fail some way before the singularity: a leg of two bars is then three degrees from stretched.
"""

_FAR = 0.3
"""Way of the platform in one step, natural units, from which the step is named as too long."""


_NAMED = ((NoEfforts, "efforts"), (FrozenFreedom, "frozen"), (SingularInertia, "inertia"))
"""Errors that are the reason themselves, wherever the machine is, and the kinds they become."""


class Advice(NamedTuple):
    """Advice for the user where the integrator cannot continue.

    Attributes:
        integrator: the one in use.
        step: its longest step [s].
        rtol: its tolerance, if it chooses its steps.
        controlled: whether a controller makes the efforts.
    """

    integrator: str
    step: float
    rtol: float
    controlled: bool

    def too_long(self, speed: float) -> str:
        """Advice where energy was made or lost; ``speed`` of the platform, natural units [1/s]."""
        if self.integrator == "dop853":
            advised = f"its steps made or lost energy; give an rtol below {self.rtol:g}"
        else:
            advised = (
                f"a step made or lost energy; choose one shorter than {self.step:.3g} s, "
                "or integrator='dop853'"
            )
        if not speed * self.step <= _FAR:
            advised += (
                f"; the platform moves by {speed:.3g} of the machine's size (or rad) a second"
            )
        if self.controlled:
            advised += (
                "; a controller that is not stable does that too: look at its gains and period"
            )
        return advised

    def for_balance(self) -> str:
        """Advice where energy is off, and yet not so far as to end the run."""
        if self.integrator == "dop853":
            return f"give an rtol below {self.rtol:g}"
        return f"choose a step shorter than {self.step:.3g} s, or integrator='dop853'"

    def too_short(self) -> str:
        """Advice where the steps of the integrator have collapsed."""
        gains = ", very high gains" if self.controlled else ""
        return (
            "steps have become too short to get on; Coulomb friction that is smoothed over too "
            f"small a speed{gains} or a very stiff spring does that: give a larger smoothing, "
            "or integrator='rk4'"
        )


def check_kinds(stop_at: object) -> tuple[str, ...]:
    """The kinds of events a simulation is to stop at."""
    if not isinstance(stop_at, (str, tuple, list, set, frozenset)):
        raise InputError(
            f"stop_at is {shown(stop_at)}, expected names of events",
            hint=f"Known: {', '.join(KINDS)}; stop_at=() stops at none.",
            argument="stop_at",
        )
    given = (stop_at,) if isinstance(stop_at, str) else tuple(stop_at)
    for kind in given:
        if kind not in KINDS:
            raise InputError(
                f"stop_at: unknown event {shown(kind)}",
                hint=nearest(kind, KINDS),
                argument="stop_at",
            )
    return given


@dataclass(eq=False)
class Watch:
    """Limits and Type 2 singularities, watched between states.

    A limit that is violated at the start counts only after the machine has returned within it.
    """

    assembly: Assembly
    kinds: tuple[str, ...]

    def __post_init__(self) -> None:
        self.names = bounded_axes(self.assembly)
        robot = self.assembly.robot
        bounds = [robot.axis(name).limits.position or (-np.inf, np.inf) for name in self.names]
        self.low = np.array([low for low, _ in bounds])
        self.high = np.array([high for _, high in bounds])

    @cached_property
    def turning(self) -> np.ndarray:
        """Which of the bounded axes are known up to whole turns."""
        places = [self.assembly.axes[name] for name in self.names]
        home = home_equations(self.assembly)
        turns = [p.what == TURN and len(coordinate(home, p)) == 2 for p in places]
        return np.array(turns, dtype=bool)

    def continued(self, before: State, after: State) -> State:
        """Bounded axes that turn, counted on from the state before."""
        if not self.turning.any():
            return after
        return after._replace(bounded=self.counted_on(before.bounded, after.bounded))

    def counted_on(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        """Positions of bounded axes, those that turn on the turn that is nearest."""
        whole = np.round((before - after) / (2.0 * np.pi))
        return np.asarray(np.where(self.turning, after + 2.0 * np.pi * whole, after))

    @cached_property
    def small(self) -> float:
        """Negligible energy of this machine [J].

        A millionth of what lifts it by its length, and moves it by its length in a second.
        """
        mass = sum(body.mass for body in self.assembly.robot.bodies)
        length = self.assembly.length
        return 1e-6 * mass * length * (float(np.linalg.norm(self.assembly.gravity)) + length)

    def crossed(self, before: State, after: State) -> np.ndarray:
        """Which machines ``(..., N)`` have crossed something between two states each."""
        found = np.zeros(before.type_2.shape[:-1], dtype=bool)
        if "type_2" in self.kinds:
            found |= (before.type_2 * after.type_2 < 0.0)[..., 0]
        if "limits" in self.kinds and self.names:
            found |= self._beyond(before.bounded, after.bounded).any(axis=-1)
        return found

    def _beyond(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        def outside(x: np.ndarray) -> np.ndarray:
            return np.asarray(np.maximum(self.low - x, x - self.high))

        return np.asarray((outside(after) > 0.0) & (outside(before) <= 0.0))

    def sentence(self, before: State, after: State, i: int) -> tuple[str, str]:
        """Kind of event and a sentence about it."""
        robot = self.assembly.robot
        if "limits" in self.kinds and self.names:
            beyond = self._beyond(before.bounded, after.bounded)[i]
            if beyond.any():
                k = int(np.flatnonzero(beyond)[0])
                lower = after.bounded[i, k] < self.low[k]
                limit = self.low[k] if lower else self.high[k]
                which = "lower" if lower else "upper"
                return "limits", f"{robot.name}: {self.names[k]} is at its {which} limit {limit:g}"
        return (
            "type_2",
            f"{robot.name}: Type 2 singularity: with its motors locked the platform could still "
            "move; efforts no longer control it",
        )


def unexplained(state: State) -> tuple[np.ndarray, np.ndarray]:
    """Energy less works and what payloads brought ``(...,)`` [J], a constant of motion.

    With it the sum of its absolute terms, for comparison.
    """
    # column by column: sums over short last axes take NumPy several times as long
    kinetic, potential = state.energy[..., 0], state.energy[..., 1]
    motors, friction, loads = state.work[..., 0], state.work[..., 1], state.work[..., 2]
    size = kinetic + np.abs(motors) + np.abs(friction) + np.abs(loads)
    return kinetic + potential - motors + friction - loads - state.handed[..., 0], size


class EnergyMonitor:
    """Energy balance of N machines from the start: an integrator must not create or lose energy.

    Attributes:
        start: energy less works at the start.
        most: largest sum of kinetic energy and works so far.
    """

    def __init__(self, start: State, small: float) -> None:
        self.start, self.most = unexplained(start)
        self.small = small

    def broken(self, state: State) -> np.ndarray:
        """Which states ``(..., N)`` have made or lost energy."""
        total, size = unexplained(state)
        limit = _UNSTABLE * np.maximum(size, self.most) + self.small
        return np.asarray(~(np.abs(total - self.start) <= limit) | ~np.isfinite(size))

    def go_on(self, state: State) -> None:
        """Take in states that were good."""
        _, size = unexplained(state)
        self.most = np.maximum(self.most, size)

    def keep(self, indices: np.ndarray) -> None:
        """Keep some of the machines."""
        self.start, self.most = self.start[indices], self.most[indices]


def doubt_energy(found: Simulation, small: float, advice: Advice) -> list[str]:
    """A finding where steps made or lost energy: of one machine, or of the worst of a batch.

    Judged at every recorded instant, the last one before an event included, by what kinetic energy
    and works have been at most until then.

    Args:
        found: the run.
        small: negligible energy of this machine [J].
        advice: what to do about steps.
    """
    moved = found.kinetic + sum(map(np.abs, (found.work, found.loss, found.external_work)))
    moved = np.maximum.accumulate(np.nan_to_num(moved), axis=-1)
    off = np.abs(np.nan_to_num(found.balance))
    share = np.where(off > _OFF * moved + small, off / np.maximum(moved, 1e-300), 0.0)
    share = share.reshape(-1, len(found.t))
    events = found.event if isinstance(found.event, tuple) and len(share) > 1 else [found.event]
    share[[getattr(event, "kind", "") == "step" for event in events]] = 0.0  # these say it already
    if not share.any():
        return []
    i, k = np.unravel_index(int(share.argmax()), share.shape)
    count = int(share.any(axis=1).sum())
    many = f", in the worst of {count} such machines of {len(share)}" if len(share) > 1 else ""
    return [
        f"{found.robot.name}: energy is off by {off.reshape(share.shape)[i, k]:.2g} J at "
        f"{found.t[k]:.4g} s, {100.0 * share[i, k]:.2g} % of kinetic energy and works{many}: steps "
        f"do not follow the motion there; {advice.for_balance()}"
    ]


def ending(
    assembly: Assembly,
    error: GoughError | None,
    state: State,
    advice: Advice,
    *,
    short: bool = False,
) -> tuple[str, str]:
    """Kind of event and a sentence, where the motion cannot continue beyond a state.

    Args:
        assembly: the robot.
        error: what was wrong beyond it, if known.
        state: the last good one, of one machine.
        advice: what to do about steps.
        short: whether steps have collapsed.
    """
    for named, kind in _NAMED:
        if isinstance(error, named):
            return kind, error.message
    if not isinstance(error, SingularPose):
        # reach nearly always ends at a singularity: check how near the last pose is to one
        try:
            at = posed(assembly, state.T_0p[0], turns=False)
            check_regular(assembly, assembly.solution(at), _STRETCHED)
        except SingularPose as err:
            error = err
        except GoughError:
            pass
    if getattr(error, "kind", "") == DEPENDENT:  # no singularity: no other freedoms were found
        return "step", str(getattr(error, "message", ""))
    if isinstance(error, SingularPose):
        type_1 = getattr(error, "kind", "") == "Type 1"
        return ("type_1" if type_1 else "constraint"), error.message
    if isinstance(error, UnreachablePose):
        return "reach", error.message
    V = state.V_0p[0]
    speed = float(np.sqrt((V[:3] @ V[:3]) / assembly.length**2 + V[3:] @ V[3:]))
    advised = advice.too_short() if short else advice.too_long(speed)
    return "step", f"{assembly.robot.name}: {advised}"
