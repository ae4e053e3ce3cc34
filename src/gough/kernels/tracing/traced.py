"""A robot whose states are symbols: what numbers would be refused for becomes a doubt.

Joints are found inside, by the closed form or by a fixed number of Newton's steps from home; what
never changes is a constant.  So a program needs nothing but what a user has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gough.base.linalg import Symmetric, Watched
from gough.base.spatial import Array, collect, homogeneous, moved, skew, total
from gough.dynamics.answers.free_bodies import Balanced
from gough.dynamics.elements.camera import LegStates
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import LARGEST_ANGLE, by_sums, pose_from_legs
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
from gough.geometry.closed_form.search import closed_form
from gough.geometry.turns import followed
from gough.kernels.tracing import doubt, doubt_regular
from gough.kernels.tracing.charted import charted
from gough.kernels.tracing.machine import MOTION, Machine, State
from gough.kernels.tracing.posing import closing, newton_from_home, posed_by_form, unsettled
from gough.kernels.tracing.settled import reaches_all, settle
from gough.kinematics.consistency import natural_floor
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Rates, Solution
from gough.mechanism.mobility.assembly import Assembly


class TracedState(State):
    """A robot in a state of symbols, and the doubts about it."""

    def __init__(
        self, machine: Traced, T_0p: Array, solution: Solution, twists: Sequence[Array]
    ) -> None:
        self.machine, self.T_0p, self.twists = machine, T_0p, list(twists)
        self._solution = solution
        self.consistent: list[Array] = []
        self.regular: list[Array] = []

    @property
    def at(self) -> Equations:
        """Its closure equations, every joint found."""
        return self._solution.equations

    @property
    def solution(self) -> Solution:
        """The same, factored by pivots that are chosen beforehand."""
        return self._solution

    def require_motors(self) -> None:
        """Doubt where the motors do not hold the platform."""
        if 0 < self.assembly.mobility <= len(self.assembly.robot.motors):
            accept = self.machine.variant.accept
            self.regular.append(doubt_regular.of_motors(self.assembly, self.solution, accept))

    def require_pivots(self, made: Watched) -> None:
        """Doubt where a pivot is small."""
        accept = self.machine.variant.accept
        self.regular.append(doubt_regular.of_pivots(made.factors, accept))
        self.regular.append(doubt_regular.of_divisors(made.divisors, accept))

    def require(self, doubts: Sequence[Array]) -> None:
        """Add doubts about how the state was found."""
        self.consistent += doubts

    def require_branch(self) -> None:
        """Doubt where a leg may have passed a singularity on the way from home."""
        self.consistent.append(doubt_regular.of_branch(self.assembly, self.solution))

    def require_seen(self, seen: LegStates) -> None:
        """Doubt where a direction is not where this state has it."""
        here = ElementState(self.kin)
        ways = [(seen.x[i], here.x[name]) for i, name in enumerate(seen.elements)]
        self.consistent.append(doubt.of_directions(ways, LARGEST_ANGLE))

    def judge(self, made: Watched, loads: StateLoads, kin: Kinematics, method: str = "") -> None:
        """Doubts about dynamics: eliminations of the method, motions without inertia, odd loads.

        The pivots of methods with large eliminations are checked one by one.
        """
        assembly, accept = self.assembly, self.machine.variant.accept
        if (method or self.machine.variant.method) != "legs":
            self.require_pivots(made)
        for factor in made.definite:
            self.regular.append(doubt_regular.of_inertia(assembly, factor, accept))
        if assembly.idle:
            self.consistent.append(doubt_regular.of_frozen(kin, loads, accept))

    def require_inertia(self, factor: Symmetric, natural: np.ndarray) -> None:
        """Doubt where coordinates may move without inertia."""
        accept = self.machine.variant.accept
        self.regular.append(doubt_regular.of_all_inertia(natural, factor, accept))

    def require_balance(self, result: Balanced) -> None:
        """Doubt where bodies are out of balance, or where what was taken to be redundant is not."""
        self.consistent.append(doubt.of_balance(result, self.machine.variant.accept))

    def answer(self, **outputs: Array) -> dict[str, Array]:
        """Outputs, and the doubts: whether the state is consistent, and whether it is regular."""
        return outputs | {"doubt": collect([total(self.consistent), total(self.regular)])}


class Traced(Machine):
    """A robot whose states are symbols."""

    def state(
        self, T_0p: Array, *twists: Array, turns: bool = False, near: Array | None = None
    ) -> TracedState:
        """The robot at a pose, with its joints found and first doubts about it."""
        assembly, accept = self.assembly, self.variant.accept
        known = settle(assembly, T_0p, *twists)
        steps: list[Rates] = []
        if closed_form(assembly) is None:
            at, steps = newton_from_home(assembly, known.T_0p)
        else:
            at, _ = posed_by_form(assembly, known.T_0p)
        if near is not None:
            at = followed(assembly, at, self.variant.wound(assembly, near))
        solution = assembly.traced(at)
        found = TracedState(self, known.T_0p, solution, known.twists)
        found.consistent += [
            doubt.of_steps(assembly, steps),
            doubt.of_pose(T_0p, known.T_0p, known.off, accept),
            doubt.of_closure(assembly, at, accept),
            doubt.of_turns(assembly, at) if turns and near is None else 0.0,
            doubt.of_following(assembly, at),
            doubt_regular.of_redundant(assembly, solution, accept),
            doubt_regular.of_idle(assembly, solution, accept),
            *_of_twists(found, twists),
        ]
        found.regular += [
            doubt_regular.of_legs(assembly, solution, accept),
            doubt_regular.of_freedoms(assembly, solution, accept),
        ]
        return found

    def assembled(self, T_0p: Array, configuration: Configuration) -> TracedState:
        """The robot with its joints given, factored by pivots that are chosen beforehand."""
        at = self.assembly.equations(T_0p, configuration)
        return TracedState(self, T_0p, self.assembly.traced(at, settled=False), ())

    def placed(
        self, x: Array, xd: Array, xdd: Array, *xddd: Array
    ) -> tuple[tuple[Array, ...], list[Array]]:
        """By the chart, or by Newton's steps where the legs decide part of the pose."""
        return charted(self.assembly, x, xd, xdd, *xddd)

    def of_freedoms(self, x: Array, xd: Array, xdd: Array, *xddd: Array) -> dict[str, Array]:
        """As they are placed; the legs may doubt it."""
        motion, doubts = self.placed(x, xd, xdd, *xddd)
        state = self.state(*motion[:3])
        state.require(doubts)
        return state.answer(**dict(zip(MOTION, motion, strict=False)))

    def closed(self, T_0p: Array) -> Array:
        """A pose near one of the robot's, brought there by one Newton step."""
        if self.assembly.mobility == 6 or reaches_all(self.assembly):
            return T_0p
        return moved(T_0p, closing(unsettled(self.assembly, T_0p)))

    def shown(self, seen: LegStates) -> tuple[LegStates, Array]:
        """What is seen with unit directions, and the pose that it shows, closed by Newton's steps.

        Steps square what is open: two take a camera's thousandth to rounding.
        """
        lead = pose_from_legs(self.assembly, seen)
        if lead is None:
            raise InputError(
                f"{self.assembly.robot.name}: the legs do not lead to the platform by sums of d x",
                hint="gough.inverse_dynamics_observed fits the pose; a program cannot.",
            )
        unit = [x / np.sqrt(x @ x) for x in (seen.x[i] for i in range(len(seen.elements)))]
        seen = replace(seen, x=collect(unit, empty=(0, 3)))
        T = settle(self.assembly, by_sums(lead, seen)).T_0p
        return seen, self.closed(self.closed(T))


def _of_twists(state: TracedState, given: Sequence[Array]) -> list[Array]:
    """Doubts about twist and twist rate."""
    assembly, settled = state.assembly, state.twists
    if assembly.mobility == 6 or not given:
        return []
    twists = list(zip(given, settled, strict=False))
    off = [doubt.unsettled_part(assembly, raw, known) for raw, known in twists]
    if assembly.constant_Psi is None:
        # in one sum with the first part: one division for each of the two, not two
        off = [a + b for a, b in zip(off, _forbidden(state, len(given)), strict=True)]
    squares = [
        doubt.natural_square(known, assembly.length) + more
        for (_, known), more in zip(twists, state.machine.taken_off, strict=False)
    ]
    if len(squares) > 1:  # accelerations may cancel what velocities make of them
        squares[1] = squares[1] + squares[0] * squares[0]
    accept = state.machine.variant.accept
    return [
        doubt.share_of(a, square, accept, natural_floor(assembly, order))
        for order, (a, square) in enumerate(zip(off, squares, strict=True), start=1)
    ]


def _forbidden(state: TracedState, count: int) -> Iterator[Array]:
    """What rows that are no pivots forbid of the twist, and of the twist rate if it is given."""
    solution, kin, (V, *rest) = state.solution, state.kin, state.twists
    rates = kin.rates
    z = np.concatenate([V, rates.hub]) if len(rates.hub) else V
    demanded = [block.times(z) for block in solution.blocks]
    yield doubt.forbidden_part(state.assembly, solution, V, rates, demanded)
    if count > 1:
        later = kin.accelerations
        demanded = solution.demands(V, rest[0], rates, later.hub)
        biases = kin.biases if len(rates.hub) else None
        yield doubt.forbidden_part(state.assembly, solution, rest[0], later, demanded, biases)


def displaced(assembly: Assembly, T_0p: Array, step: Array) -> Array:
    """A pose moved along the robot's freedoms, to first order."""
    known = settle(assembly, T_0p)
    at, _ = posed_by_form(assembly, known.T_0p)
    V = assembly.traced(at).Psi @ step
    R = T_0p[:3, :3]
    return homogeneous(R + skew(V[3:]) @ R, T_0p[:3, 3] + V[:3])
