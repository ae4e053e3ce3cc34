"""States of which a program is not sure, decided by other programs before the reference is asked.

Two reasons are common in large batches and take the reference long: poses out of reach, which it
tries to walk to, and motors or springs far from home, whose turns it counts on the way.  The
strategies stand in one list; each settles some states and leaves the rest to the next one, the last
being NumPy, with pivots chosen for the state, whose word counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np

from gough.base.batch import all_finite
from gough.base.conditions import is_valid
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.axes import counted_names
from gough.dynamics.quantities.parameters import NEAR
from gough.dynamics.quantities.variant import Variant
from gough.evaluation.engine import choice_of
from gough.evaluation.turns import counted
from gough.geometry.closed_form.reach import decides, open_loops_prove, out_of_reach
from gough.geometry.single import is_single
from gough.mechanism.mobility.assembly import Assembly

_AT_A_POSE = {"T_0p", "V_0p", "Vdot_0p", "Vddot_0p", "tau"}


@dataclass
class Doubtful:
    """A quantity of a robot, and states whose answers are still to be decided.

    Attributes:
        assembly: the robot.
        quantity: what is asked.
        variant: which model.
        arguments: of all states, with their core axes.
        values: answers of all states, one array an output; strategies write into them.
        refuse: whether poses out of reach may be refused without a reason.
        threads: most threads.
        left: numbers of the states that are not decided.
        refused: numbers of those that are refused.
    """

    assembly: Assembly
    quantity: str
    variant: Variant
    arguments: Mapping[str, tuple[np.ndarray, int]]
    values: Sequence[np.ndarray]
    refuse: bool
    threads: int | None
    left: np.ndarray
    refused: np.ndarray

    @cached_property
    def at_poses(self) -> bool:
        """Whether the quantity is one of poses and their twists, in double precision."""
        whole = _AT_A_POSE.issuperset(ROWS[self.quantity].inputs)
        return whole and not is_single(self.arguments["T_0p"][0])

    @cached_property
    def of_freedoms(self) -> bool:
        """Whether the quantity finds poses."""
        row = ROWS[self.quantity]
        return row.inputs[0] == "x" and row.outputs[0] == "T_0p"

    @cached_property
    def flat(self) -> list[np.ndarray]:
        """Answers with one row a state: views, to be written into."""
        shapes = [*ROWS[self.quantity].output_shapes(self.assembly, self.variant).values()]
        lead = self.values[0].shape[: self.values[0].ndim - len(shapes[0])]
        return [v.reshape(prod(lead), *c) for v, c in zip(self.values, shapes, strict=True)]

    def arrays(self) -> dict[str, np.ndarray]:
        """Arguments of the states that are left, one row each."""
        found = {}
        lead = np.broadcast_shapes(*(a.shape[: a.ndim - c] for a, c in self.arguments.values()))
        for name, (array, core) in self.arguments.items():
            own = array.shape[array.ndim - core :]
            # the count is given: reshape cannot find it from an array without entries
            rows = np.broadcast_to(array, lead + own).reshape(prod(lead), *own)
            found[name] = np.ascontiguousarray(rows[self.left], dtype=float)
        return found

    def poses(self) -> np.ndarray:
        """Poses of the states that are left: those given, or those that freedoms lead to."""
        return self.flat[0][self.left] if self.of_freedoms else self.arrays()["T_0p"]


def refuse_unreachable(asked: Doubtful) -> None:
    """Refuse poses that the closed form proves to be out of reach."""
    if not asked.refuse or not (asked.at_poses or asked.of_freedoms):
        return
    if not decides(asked.assembly):
        return
    T_0p = asked.poses()
    runner = choice_of(asked.assembly, "reach", Variant()).runner(len(T_0p))
    if runner is None:
        return
    found = runner.run([T_0p], {}, asked.threads)
    off = found["off"][:, 0] if open_loops_prove(asked.assembly) else np.zeros(len(T_0p))
    gone = out_of_reach(found["margins"], off)
    for value in asked.flat:
        value[asked.left[gone]] = np.nan
    asked.refused, asked.left = asked.left[gone], asked.left[~gone]


def count_turns(asked: Doubtful) -> None:
    """Answer states whose only doubt is how often an axis has gone round: a program counts."""
    assembly, variant = asked.assembly, asked.variant
    positions = asked.quantity == "inverse_kinematics"
    if not asked.at_poses or not (positions or variant.sprung(assembly)):
        return
    if not len(asked.left) or not counted_names(assembly):
        return
    arrays = asked.arrays()
    T_0p, count = arrays["T_0p"], len(asked.left)
    turning = choice_of(assembly, "turning", Variant()).runner(count)
    if turning is None:
        return
    found = counted(assembly, turning, T_0p, asked.threads)
    sure, answers = found.sure, [found.q]
    if not positions:
        near = replace(variant, parameters=(NEAR,))
        runner = choice_of(assembly, asked.quantity, near).runner(count)
        if runner is None:
            return
        results = runner.run([*arrays.values(), found.near], {}, asked.threads)
        answers = [results[name] for name in ROWS[asked.quantity].outputs]
        good = np.all([all_finite(value) for value in answers], axis=0)
        sure = sure & good & is_valid(results["doubt"])
    for value, answer in zip(asked.flat, answers, strict=True):
        value[asked.left[sure]] = answer[sure]
    asked.left = asked.left[~sure]


STRATEGIES: tuple[Callable[[Doubtful], None], ...] = (refuse_unreachable, count_turns)
"""What is tried on doubtful states, in order; what is left then goes to NumPy."""


def settle_doubtful(asked: Doubtful) -> None:
    """Try all strategies."""
    if asked.variant.parameters:
        return
    for strategy in STRATEGIES:
        if len(asked.left):
            strategy(asked)
