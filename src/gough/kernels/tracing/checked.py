"""A robot whose states are numbers: the reference behind every kernel.

What the machine cannot have, or has no answer for, is refused by a named error; pivots are chosen
for each state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from gough.base.batch import check_finite
from gough.base.linalg import Symmetric, Watched
from gough.base.spatial import moved
from gough.dynamics.answers.free_bodies import Balanced
from gough.dynamics.answers.reactions import check_balance
from gough.dynamics.elements.camera import LegStates, shapes_of
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.observed import check_directions, pose_of_legs, unit_directions
from gough.dynamics.shared.sharing import Sharing
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import GoughError
from gough.geometry.inverse import posed
from gough.geometry.state import of_freedoms
from gough.geometry.turns import ONE_WAY, followed
from gough.kernels.tracing.machine import MOTION, Machine, State
from gough.kernels.tracing.parameters import NEAR
from gough.kernels.tracing.posing import closing, normed, posed_by_form
from gough.kernels.tracing.settled import reaches_all, settle
from gough.kernels.tracing.variant import Variant
from gough.kinematics.consistency import check_motion
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_freedoms, check_motors_hold, check_regular
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import SINGULAR

T = TypeVar("T")

_CLOSING_STEPS = 3

_KEPT = 16
"""Poses of a robot that are remembered.

Whoever asks for one quantity at a pose mostly asks for others there: methods that are compared,
motors and then their rates.  Finding the joints takes longer than most answers.
"""


class CheckedState(State):
    """A robot in a state of numbers."""

    machine: Checked

    def __init__(
        self,
        machine: Checked,
        at: Equations,
        twists: tuple[np.ndarray, ...] = (),
        *,
        regular: bool = True,
    ) -> None:
        self.machine, self._at, self.twists = machine, at, list(twists)
        self._regular = regular
        self.T_0p = np.eye(4)
        self.T_0p[:3, :3], self.T_0p[:3, 3] = at.platform
        if twists:
            check_motion(self.kin, rate=len(twists) > 1, taken_off=machine.taken_off)

    @property
    def at(self) -> Equations:
        """Its closure equations, every joint found."""
        return self._at

    @cached_property
    def solution(self) -> Solution:
        """The same, factored; refused where velocities do not follow from the freedoms.

        Not so where joints were given: they may be those of a singular state.
        """
        found = _solved(self.assembly, self._at)
        if self._regular:
            check_regular(self.assembly, found, self.machine.least)
            check_freedoms(self.assembly, found, self.machine.least)
        return found

    def require_motors(self) -> None:
        """Refuse a pose at which the motors do not hold the platform."""
        check_motors_hold(self.assembly, self.solution.J_inv, self.solution.Psi)

    def require_pivots(self, made: Watched) -> None:
        """Nothing to do: pivots are chosen for these numbers."""

    def require(self, doubts: Sequence[Any]) -> None:
        """Nothing to do: a state that was not found is refused."""

    def require_branch(self) -> None:
        """Nothing to do: joints that are given say which branch is meant."""

    def require_seen(self, seen: LegStates) -> None:
        """Refuse directions that are not where this state has them."""
        check_directions(ElementState(self.kin), seen)

    def judge(self, made: Watched, loads: StateLoads, kin: Kinematics, method: str = "") -> None:
        """Nothing: methods refuse motions without inertia, and loads on what is frozen."""

    def require_inertia(self, factor: Symmetric, natural: np.ndarray) -> None:
        """Nothing: a matrix of numbers is judged before it is factored."""

    def require_balance(self, result: Balanced) -> None:
        """Refuse efforts that do not produce the motion."""
        check_balance(self.assembly.robot, result)

    def answer(self, **outputs: Any) -> dict[str, Any]:
        """Outputs as they are: a state that is not refused leaves no doubt."""
        return outputs


class Checked(Machine):
    """A robot whose states are numbers.

    Args:
        assembly: the robot.
        variant: which model.
        share: how redundant motors share efforts.
        least: smallest singular value, natural units, of a state that is regular.
    """

    def __init__(
        self,
        assembly: Assembly,
        variant: Variant,
        share: Sharing | None = None,
        *,
        least: float = SINGULAR,
    ) -> None:
        super().__init__(assembly, variant, share)
        self.least = least

    def state(
        self,
        T_0p: np.ndarray,
        *twists: np.ndarray,
        turns: bool = False,
        near: np.ndarray | None = None,
    ) -> CheckedState:
        """The robot at a pose, its twist and twist rate checked against the mobility."""
        for V, name in zip(twists, ("V_0p", "Vdot_0p"), strict=False):
            check_finite(V, name)
        assembly = self.assembly
        at = _posed(assembly, T_0p, turns=turns and near is None)
        if near is not None:
            angles = self.variant.wound(assembly, near)
            at = followed(assembly, at, angles)
            for name, before in angles.items():
                if abs(assembly.axis_position(at, name) - before) > ONE_WAY:
                    raise GoughError(f"{assembly.robot.name}: {name} turns too far within a step")
        return CheckedState(self, at, twists)

    def assembled(self, T_0p: np.ndarray, configuration: Configuration) -> CheckedState:
        """The robot with its joints given, whatever their branch; loops may be open."""
        return CheckedState(self, self.assembly.equations(T_0p, configuration), regular=False)

    def placed(
        self, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray, *xddd: np.ndarray
    ) -> tuple[tuple[np.ndarray, ...], list[Any]]:
        """The loops closed, and a twist that every leg allows; refused where they stay open."""
        return tuple(of_freedoms(self.assembly, x, xd, xdd, *xddd)), []

    def of_freedoms(
        self, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray, *xddd: np.ndarray
    ) -> dict[str, Any]:
        """As they are placed."""
        return dict(zip(MOTION, self.placed(x, xd, xdd, *xddd)[0], strict=False))

    def closed(self, T_0p: np.ndarray) -> np.ndarray:
        """Dependent components brought to where the loops close; as it was, if they do not."""
        if self.assembly.mobility == 6 or reaches_all(self.assembly):
            return T_0p
        found = T_0p
        with np.errstate(all="ignore"):
            for _ in range(_CLOSING_STEPS):
                at, _ = posed_by_form(self.assembly, found)
                try:
                    nearby = self.assembly.equations(found, normed(at.configuration))
                    found = moved(found, closing(self.assembly.solution(nearby)))
                except (GoughError, np.linalg.LinAlgError):
                    return T_0p
                if not np.isfinite(found).all():
                    return T_0p
        return found

    def shown(self, seen: LegStates) -> tuple[LegStates, np.ndarray]:
        """What is seen with unit directions, and the pose that it shows, in the mobility."""
        for name in shapes_of(seen):
            check_finite(getattr(seen, name), name)
        seen = replace(seen, x=unit_directions(seen))
        return seen, pose_of_legs(self.assembly, seen)

    def simulated(self, T_0p: np.ndarray, given: Mapping[str, np.ndarray]) -> CheckedState:
        """The robot at a pose of a simulation, springs followed from the state before."""
        return self.state(settle(self.assembly, T_0p).T_0p, near=given.get(NEAR))


def _posed(assembly: Assembly, T_0p: np.ndarray, *, turns: bool) -> Equations:
    """The machine at a pose; remembered, so what is made of it must not be handed out."""
    kept: dict[Any, Equations] = assembly.cached("equations of late", lambda _: {})
    key = (T_0p.tobytes(), turns)
    found = kept.get(key)
    # joints that sit elsewhere (``mobility.moved``) share the table, not the topology
    if found is None or found.topology is not assembly.topology:
        # a copy: equations look at the pose, which its owner may write into
        found = _remember(kept, key, posed(assembly, T_0p.copy(), turns=turns))
    return found


def _solved(assembly: Assembly, at: Equations) -> Solution:
    """The equations factored; remembered with them."""
    kept: dict[int, Solution] = assembly.cached("solutions of late", lambda _: {})
    found = kept.get(id(at))
    if found is None or found.equations is not at:
        found = _remember(kept, id(at), assembly.solution(at))
    return found


def _remember(kept: dict[Any, T], key: Any, value: T) -> T:
    if len(kept) >= _KEPT:
        kept.clear()  # in one go: threads may be reading
    kept[key] = value
    return value
