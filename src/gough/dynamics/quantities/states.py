"""How a state is found and solved: with numbers, which refuse, and with symbols, which record.

The same questions have two answers.  Numbers walk to a state, choose pivots for it and refuse by
name what cannot be; symbols take the closed form or a fixed number of Newton's steps, fixed pivots,
and state the conditions under which that is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from gough.base.batch import check_finite
from gough.base.conditions import Recording, Refusing, Silent
from gough.base.once import known_of
from gough.base.spatial import Array, homogeneous, moved, skew
from gough.dynamics.answers.frozen_loads import IdleFreedoms
from gough.dynamics.elements.camera import LegStates, shapes_of
from gough.dynamics.elements.observed import normalise_directions, unit_directions
from gough.dynamics.elements.shown_pose import by_sums, lead_to_pose, pose_of_legs
from gough.errors import GoughError
from gough.geometry.closed_form.search import closed_form
from gough.geometry.constant_entries import reaches_all, settle
from gough.geometry.inverse import posed
from gough.geometry.joints_from_pose import (
    closing,
    newton_from_home,
    normed,
    posed_by_form,
    unsettled,
)
from gough.geometry.state import of_freedoms
from gough.geometry.turns import followed
from gough.kinematics.conditions import (
    ClosedLoops,
    ConvergedSteps,
    CountedTurns,
    FollowedTurns,
    RedundantRows,
    ValidPose,
    joint_steps,
)
from gough.kinematics.consistency import NO_SIZES, AllowedTwists, Sizes
from gough.kinematics.from_freedoms import motion_from_freedoms
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import RegularLegs, TellingFreedoms
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Rates, Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import SINGULAR

T = TypeVar("T")

_CLOSING_STEPS = 3

_KEPT = 16
"""Poses of a robot that are remembered.

Whoever asks for one quantity at a pose mostly asks for others there: methods that are compared,
motors and then their rates.  Finding the joints takes longer than most answers.
"""


class Rules(Protocol):
    """What quantities ask of numbers and symbols alike."""

    def at(
        self,
        assembly: Assembly,
        T_0p: Array,
        *twists: Array,
        turns: bool = False,
        near: Mapping[str, Array] | None = None,
        taken_off: Sizes = NO_SIZES,
    ) -> Kinematics:
        """The robot at a pose that a user gives, with a twist and a twist rate.

        Args:
            assembly: the robot.
            T_0p: platform pose.
            *twists: twist, and twist rate.
            turns: whether it matters how often an axis has gone round.
            near: angles at a state before from which axes with springs are followed, by name.
            taken_off: how fast what twists and twist rates are differences of moves; of a robot on
                a base that moves.
        """

    def with_joints(
        self, assembly: Assembly, T_0p: Array, configuration: Configuration
    ) -> Kinematics:
        """The robot with its joints given, whatever their branch; loops may be open."""

    def place(
        self, assembly: Assembly, x: Array, xd: Array, xdd: Array, *xddd: Array
    ) -> tuple[Array, ...]:
        """Pose, twist and twist rate that the robot's freedoms mean, and the next rate."""

    def check_placed(self, assembly: Assembly, *motion: Array) -> None:
        """State the conditions of a motion that was placed, where nothing else asks for it."""

    def close(self, assembly: Assembly, T_0p: Array) -> Array:
        """A pose near one of the robot's, its dependent components brought there."""

    def settle(self, assembly: Assembly, T_0p: Array) -> Array:
        """A pose that is the robot's but for rounding, its constant entries put in."""

    def see(self, assembly: Assembly, seen: LegStates) -> tuple[LegStates, Array]:
        """What is seen with unit directions, and the pose of the robot that it shows."""

    def outputs(self, **answers: Array) -> dict[str, Array]:
        """Answers by name, with what is to be said about them."""

    @property
    def unwatched(self) -> Rules:
        """The same without conditions, for what is worked out again."""


class Numbers(Refusing):
    """Rules for numbers; what the machine cannot have, or has no answer for, is refused by name.

    Args:
        least: smallest singular value, natural units, of a state that is regular.
    """

    def __init__(self, least: float = SINGULAR) -> None:
        self.least = least

    def at(
        self,
        assembly: Assembly,
        T_0p: np.ndarray,
        *twists: np.ndarray,
        turns: bool = False,
        near: Mapping[str, Array] | None = None,
        taken_off: Sizes = NO_SIZES,
    ) -> Kinematics:
        """The robot at a pose, its twist and twist rate checked against the mobility."""
        for V, name in zip(twists, ("V_0p", "Vdot_0p"), strict=False):
            check_finite(V, name)
        at = _posed(assembly, T_0p, turns=turns and near is None)
        if near is not None:
            at = followed(assembly, at, near)
            self.require(FollowedTurns(assembly, at, near))
        found = _Unsolved(assembly, at, self._solved, *twists, rules=self)
        self.require(AllowedTwists(found, twists, taken_off))
        return found

    def _solved(self, assembly: Assembly, at: Equations) -> Solution:
        """Refused where velocities do not follow from the freedoms."""
        found = _solved(assembly, at)
        self.require(RegularLegs(assembly, found, self.least))
        self.require(TellingFreedoms(assembly, found, self.least))
        return found

    def with_joints(
        self, assembly: Assembly, T_0p: np.ndarray, configuration: Configuration
    ) -> Kinematics:
        """Not refused where it is singular: the joints may be those of such a state."""
        at = assembly.equations(T_0p, configuration)
        return _Unsolved(assembly, at, _solved, rules=self)

    def place(
        self, assembly: Assembly, x: Array, xd: Array, xdd: Array, *xddd: Array
    ) -> tuple[np.ndarray, ...]:
        """The loops closed, and a twist that every leg allows; refused where they stay open."""
        return tuple(of_freedoms(assembly, x, xd, xdd, *xddd))

    def check_placed(self, assembly: Assembly, *motion: np.ndarray) -> None:
        """Nothing: it was refused where it could not be placed."""

    def close(self, assembly: Assembly, T_0p: np.ndarray) -> np.ndarray:
        """Dependent components brought to where the loops close; as it was, if they do not."""
        if assembly.mobility == 6 or reaches_all(assembly):
            return T_0p
        found = T_0p
        with np.errstate(all="ignore"):
            for _ in range(_CLOSING_STEPS):
                at, _ = posed_by_form(assembly, found)
                try:
                    nearby = assembly.equations(found, normed(at.configuration))
                    found = moved(found, closing(assembly.solution(nearby)))
                except (GoughError, np.linalg.LinAlgError):
                    return T_0p
                if not np.isfinite(found).all():
                    return T_0p
        return found

    def settle(self, assembly: Assembly, T_0p: np.ndarray) -> np.ndarray:
        """Its constant entries put in: an integrator's rounding is no other pose."""
        return np.asarray(settle(assembly, T_0p).T_0p)

    def see(self, assembly: Assembly, seen: LegStates) -> tuple[LegStates, np.ndarray]:
        """The pose is in the mobility."""
        for name in shapes_of(seen):
            check_finite(getattr(seen, name), name)
        seen = unit_directions(seen)
        return seen, pose_of_legs(assembly, seen)

    @property
    def unwatched(self) -> Numbers:
        """Numbers refuse whatever they are asked for."""
        return self


class Symbols(Recording):
    """Rules for symbols: a program that gives a validity residual beside its answer."""

    def at(
        self,
        assembly: Assembly,
        T_0p: Array,
        *twists: Array,
        turns: bool = False,
        near: Mapping[str, Array] | None = None,
        taken_off: Sizes = NO_SIZES,
    ) -> Kinematics:
        """The robot at a pose, with its joints found and the conditions of that stated."""
        known = settle(assembly, T_0p, *twists)
        steps: list[Rates] = []
        if closed_form(assembly) is None:
            at, steps = newton_from_home(assembly, known.T_0p)
        else:
            at, _ = posed_by_form(assembly, known.T_0p)
        if near is not None:
            at = followed(assembly, at, near)
        solution = assembly.traced(at)
        found = Kinematics(assembly, solution, *known.twists, rules=self)
        self.require(ConvergedSteps([joint_steps(assembly, steps)]))
        self.require(ValidPose(T_0p, known.T_0p, known.off))
        self.require(ClosedLoops(assembly, at))
        if near is not None:
            self.require(FollowedTurns(assembly, at, near))
        elif turns:
            self.require(CountedTurns(assembly, at))
        self.require(RedundantRows(assembly, solution))
        self.require(IdleFreedoms(assembly, solution))
        self.require(AllowedTwists(found, twists, taken_off))
        self.require(RegularLegs(assembly, solution))
        self.require(TellingFreedoms(assembly, solution))
        return found

    def with_joints(
        self, assembly: Assembly, T_0p: Array, configuration: Configuration
    ) -> Kinematics:
        """Factored by pivots that are chosen beforehand."""
        at = assembly.equations(T_0p, configuration)
        return Kinematics(assembly, assembly.traced(at, settled=False), rules=self)

    def place(
        self, assembly: Assembly, x: Array, xd: Array, xdd: Array, *xddd: Array
    ) -> tuple[Array, ...]:
        """By the chart, or by Newton's steps where the legs decide part of the pose."""
        return motion_from_freedoms(assembly, self, x, xd, xdd, *xddd)

    def check_placed(self, assembly: Assembly, *motion: Array) -> None:
        """The legs may have another opinion."""
        self.at(assembly, *motion)

    def close(self, assembly: Assembly, T_0p: Array) -> Array:
        """By one Newton step."""
        if assembly.mobility == 6 or reaches_all(assembly):
            return T_0p
        return moved(T_0p, closing(unsettled(assembly, T_0p)))

    def settle(self, assembly: Assembly, T_0p: Array) -> Array:
        """As it is: constants are put in where the state is found."""
        return T_0p

    def see(self, assembly: Assembly, seen: LegStates) -> tuple[LegStates, Array]:
        """Closed by Newton's steps, which square what is open: two take 1e-3 rad to rounding."""
        lead = lead_to_pose(assembly, seen.sight)
        seen = normalise_directions(seen)
        T_0p = settle(assembly, by_sums(lead, seen)).T_0p
        return seen, self.close(assembly, self.close(assembly, T_0p))

    @property
    def unwatched(self) -> Rules:
        """Nothing is stated twice."""
        return SilentSymbols()


class SilentSymbols(Silent, Symbols):
    """Rules for symbols without conditions: equations alone, for people to read.

    Attributes:
        states: those that were asked for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.states: list[Kinematics] = []

    def at(self, assembly: Assembly, T_0p: Array, *twists: Array, **options: Any) -> Kinematics:
        """The robot at a pose, remembered, so that its joints can be named."""
        self.states.append(super().at(assembly, T_0p, *twists, **options))
        return self.states[-1]

    def with_joints(
        self, assembly: Assembly, T_0p: Array, configuration: Configuration
    ) -> Kinematics:
        """The pose is the robot's, so that a constant Psi is one."""
        at = assembly.equations(T_0p, configuration)
        return Kinematics(assembly, assembly.traced(at), rules=self)

    def see(self, assembly: Assembly, seen: LegStates) -> tuple[LegStates, Array]:
        """The pose by sums of ``d x`` as they are, as directions of unit length show it."""
        return seen, by_sums(lead_to_pose(assembly, seen.sight), seen)


class _Unsolved(Kinematics):
    """The machine at a state of numbers whose equations are solved when something asks for it.

    Positions do: they exist on singularities, too.
    """

    def __init__(
        self,
        assembly: Assembly,
        at: Equations,
        solve: Callable[[Assembly, Equations], Solution],
        V: np.ndarray | None = None,
        Vdot: np.ndarray | None = None,
        *,
        rules: Refusing,
    ) -> None:
        self.assembly, self._at, self._solve, self.rules = assembly, at, solve, rules
        self.V = np.zeros(6) if V is None else V
        self.is_bias = Vdot is None
        if Vdot is not None:
            self.Vdot = Vdot

    @property
    def at(self) -> Equations:
        """Closure equations of the state, every joint found."""
        return self._at

    @cached_property
    def solution(self) -> Solution:  # type: ignore[override]
        """The same, factored."""
        return self._solve(self.assembly, self._at)


def displaced(assembly: Assembly, T_0p: Array, step: Array) -> Array:
    """A pose moved along the robot's freedoms, to first order."""
    known = settle(assembly, T_0p)
    at, _ = posed_by_form(assembly, known.T_0p)
    V = assembly.traced(at).Psi @ step
    R = T_0p[:3, :3]
    return homogeneous(R + skew(V[3:]) @ R, T_0p[:3, 3] + V[:3])


@known_of(Assembly)
def _equations_of_late(assembly: Assembly) -> dict[Any, Equations]:
    return {}


@known_of(Assembly)
def _solutions_of_late(assembly: Assembly) -> dict[int, Solution]:
    return {}


def _posed(assembly: Assembly, T_0p: np.ndarray, *, turns: bool) -> Equations:
    """The machine at a pose; remembered, so what is made of it must not be handed out."""
    kept = _equations_of_late(assembly)
    key = (T_0p.tobytes(), turns)
    found = kept.get(key)
    # joints that sit elsewhere (``mobility.moved``) share the table, not the topology
    if found is None or found.topology is not assembly.topology:
        # a copy: equations look at the pose, which its owner may write into
        found = _remember(kept, key, posed(assembly, T_0p.copy(), turns=turns))
    return found


def _solved(assembly: Assembly, at: Equations) -> Solution:
    """The equations factored; remembered with them."""
    kept = _solutions_of_late(assembly)
    found = kept.get(id(at))
    if found is None or found.equations is not at:
        found = _remember(kept, id(at), assembly.solution(at))
    return found


def _remember(kept: dict[Any, T], key: Any, value: T) -> T:
    if len(kept) >= _KEPT:
        kept.clear()  # in one go: threads may be reading
    kept[key] = value
    return value
