"""A robot of symbols without doubts: its equations alone, for people to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gough.base.linalg import Watched
from gough.base.spatial import Array
from gough.dynamics.answers.free_bodies import Balanced
from gough.dynamics.elements.camera import LegStates
from gough.dynamics.shared.state_loads import StateLoads
from gough.geometry.turns import followed
from gough.kernels.tracing.posing import posed_by_form
from gough.kernels.tracing.settled import settle
from gough.kernels.tracing.symbols import Symbol
from gough.kernels.tracing.traced import Traced, TracedState
from gough.kernels.tracing.variant import Variant
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.topology.moves import BALL, SLIDE, TURN


class UndoubtedState(TracedState):
    """A robot in a state of symbols that nobody doubts."""

    def require_motors(self) -> None:
        """Nothing to do."""

    def require_pivots(self, made: Watched) -> None:
        """Nothing to do."""

    def require(self, doubts: Sequence[Array]) -> None:
        """Nothing to do."""

    def require_branch(self) -> None:
        """Nothing to do."""

    def require_seen(self, seen: LegStates) -> None:
        """Nothing to do."""

    def judge(self, made: Watched, loads: StateLoads, kin: Kinematics, method: str = "") -> None:
        """Nothing to do."""

    def require_balance(self, result: Balanced) -> None:
        """Nothing to do."""

    def answer(self, **outputs: Array) -> dict[str, Array]:
        """Outputs alone."""
        return outputs


class Undoubted(Traced):
    """A robot whose states are symbols that nobody doubts.

    Attributes:
        states: those that were asked for.
    """

    def __init__(self, assembly: Assembly, variant: Variant) -> None:
        super().__init__(assembly, variant)
        self.states: list[UndoubtedState] = []

    def state(
        self, T_0p: Array, *twists: Array, turns: bool = False, near: Array | None = None
    ) -> UndoubtedState:
        """The robot at a pose, with its joints found."""
        known = settle(self.assembly, T_0p, *twists)
        at, _ = posed_by_form(self.assembly, known.T_0p)
        if near is not None:
            at = followed(self.assembly, at, self.variant.wound(self.assembly, near))
        solution = self.assembly.traced(at)
        self.states.append(UndoubtedState(self, known.T_0p, solution, known.twists))
        return self.states[-1]

    def joint_names(self) -> Iterator[tuple[str, Symbol]]:
        """Coordinates of all joints, and their rates as far as they were asked for."""
        for state in self.states:
            trees = zip(self.assembly.topology.trees, state.at.configuration.trees, strict=True)
            coordinates = [
                (name, value)
                for tree, values in trees
                for link, own in zip(tree.links, values, strict=True)
                for name, value in zip(
                    coordinate_names(link.move, link.joint, link.axis),
                    np.asarray(own).reshape(-1),
                    strict=True,
                )
            ]
            kin = state.__dict__.get("kin")
            asked = kin.__dict__ if kin is not None else {}
            rates = [
                (f"{letter}_{joint}", value)
                for letter, kept in (("qd", "rates"), ("qdd", "accelerations"))
                if kept in asked
                for joint, value in zip(
                    rate_names(self.assembly), asked[kept].together, strict=True
                )
            ]
            yield from ((n, v) for n, v in (*coordinates, *rates) if isinstance(v, Symbol))


def coordinate_names(move: str, joint: str, axis: int) -> list[str]:
    """Names of the coordinates of one move: cosine and sine, distance, angle or matrix."""
    own = f"{joint or 'free'}{f'_{axis + 1}' if axis else ''}"
    if move == TURN:
        return [f"c_{own}", f"s_{own}"]
    if move == BALL:
        return [f"R_{own}_{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
    return [f"{'d' if move == SLIDE else 'q'}_{own}"]


def rate_names(assembly: Assembly) -> list[str]:
    """Joints of all rates, the hub's and then each leg's."""
    found = []
    for tree in assembly.topology.trees:
        for link in tree.links:
            own = f"{link.joint or 'free'}{f'_{link.axis + 1}' if link.axis else ''}"
            found += [f"{own}_{k}" for k in "xyz"] if link.move == BALL else [own]
    return found
