"""The inverse differential models of elements: the motion basis from the platform, leg by leg.

Rows that vanish are solved for rates of directions, spins and lengths, group by group: variables
that rows tie together, as a leg's, make a group, and no group waits for another.  Where a leg
allows it there is nothing to invert (`projection.py`); else its own small system is factored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.once import find_fact
from gough.base.spatial import Array, collect
from gough.dynamics.elements.decomposition import Key
from gough.dynamics.elements.partials import V_KEY, Partial, width
from gough.dynamics.elements.projection import Step, divides_well, find_steps, run
from gough.kinematics.motion import Kinematics

if TYPE_CHECKING:
    from gough.dynamics.elements.kinematics import ElementState


class Group(NamedTuple):
    """Variables that rows tie together, and the numbers of these rows."""

    keys: tuple[Key, ...]
    rows: tuple[int, ...]


def solved(state: ElementState, right: Sequence[Array]) -> dict[Key, Array]:
    """The motion basis with every constraint row equal to its right side.

    Args:
        state: the elements.
        right: of each row, a scalar, or a row of as many columns as are solved for.

    Returns:
        Of each variable: ``(3,)`` or ``(3, k)`` for a direction, a scalar or ``(k,)`` else.
    """
    return {
        key: values
        for number in range(len(groups(state)))
        for key, values in _of_group(state, number, right).items()
    }


def _of_group(state: ElementState, number: int, right: Sequence[Array]) -> dict[Key, Array]:
    """One group: by projections where its leg allows it, else by its own small system."""
    group, steps = groups(state)[number], _steps(state)[number]
    if steps is not None:
        if number not in state.divisible:
            state.divisible[number] = divides_well(state, steps)
        if state.divisible[number]:
            return run(state, steps, right)
    x = iter(_factor(state, number, group).solve([right[i] for i in group.rows]))
    values = {key: [next(x) for _ in range(width(key))] for key in group.keys}
    return {key: collect(v) if key[0] == "x" else v[0] for key, v in values.items()}


def groups(state: ElementState) -> tuple[Group, ...]:
    """Variables that are tied together; the same in every state."""

    def make() -> tuple[Group, ...]:
        leader = {key: key for key in state.unknowns}

        def find(key: Key) -> Key:
            while leader[key] != key:
                key = leader[key]
            return key

        own = [[key for key in each.row if key != V_KEY] for each in state.constraints]
        for keys in own:
            for key in keys[1:]:
                leader[find(key)] = find(keys[0])
        found: dict[Key, tuple[list[Key], list[int]]] = {}
        for key in state.unknowns:
            found.setdefault(find(key), ([], []))[0].append(key)
        for i, keys in enumerate(own):
            if keys:
                found[find(keys[0])][1].append(i)
        return tuple(Group(tuple(keys), tuple(rows)) for keys, rows in found.values())

    return find_fact(state.parts, groups, lambda _: make())


def _steps(state: ElementState) -> tuple[tuple[Step, ...] | None, ...]:
    """How each group is solved without a factorisation, if it is; found once."""

    def make() -> tuple[tuple[Step, ...] | None, ...]:
        states = _samples(state)
        if len(states) < 2 or state.assembly.moved:  # elsewhere, no joint is on an axis
            return (None,) * len(groups(state))
        return tuple(find_steps(states, group.keys, group.rows) for group in groups(state))

    return find_fact(state.parts, _steps, lambda _: make())


def _factor(state: ElementState, number: int, group: Group) -> Factor:
    matrix = _matrix(state, group.rows, group.keys)
    return state.kin.rules.factor(matrix, lambda: _plans(state)[number])


def _plans(state: ElementState) -> tuple[Plan, ...]:
    """Pivots of every group for a trace, good around home; found once."""

    def make() -> tuple[Plan, ...]:
        states = _samples(state)
        plans = []
        for group in groups(state):
            systems = [
                np.asarray(_matrix(each, group.rows, group.keys), dtype=float) for each in states
            ]
            plans.append(choose_plan(systems, systems[0].shape[1]))
        return tuple(plans)

    return find_fact(state.parts, _plans, lambda _: make())


def _samples(state: ElementState) -> list[ElementState]:
    """The same elements in regular states around home of the robot as described."""
    return [
        type(state)(Kinematics(state.assembly, each), state.parts)
        for each in state.assembly.regular_solutions
    ]


def _matrix(state: ElementState, rows: Sequence[int], keys: Sequence[Key]) -> Array:
    """Some rows over some variables."""
    return collect([_dense(state.constraints[i].row, keys) for i in rows])


def _dense(row: Partial, keys: Sequence[Key]) -> Array:
    blocks = [np.zeros(0)]
    for key in keys:
        block = row.get(key, np.zeros(width(key)))
        blocks.append(block if getattr(block, "shape", ()) else collect([block]))
    return np.concatenate(blocks)


def bias_twist_rate(state: ElementState) -> Array:
    """The platform's twist rate while the robot's own freedoms do not accelerate, ``Psidot V_r``.

    It vanishes where Psi is constant.  Elsewhere it is found with all accelerations of the basis.
    """
    dependent = _dependent(state)
    if not dependent or state.assembly.constant_Psi is not None:
        return np.zeros(6)
    still = state.bias_motion
    system = _with_platform(state, dependent)
    right = [-each.bias(still) for each in state.constraints]

    def around_home() -> Plan:
        return find_fact(state.parts, _platform_plan, lambda _: _platform_plan(state))

    found = state.kin.rules.factor(system, around_home).solve(right)[-len(dependent) :]
    return collect([found[dependent.index(i)] if i in dependent else 0.0 for i in range(6)])


def _dependent(state: ElementState) -> list[int]:
    """Components of the platform's twist that follow from others; without turns only three."""
    turns = not state.parts.elements[state.platform].fixed
    return [i for i in range(6 if turns else 3) if i not in state.assembly.free]


def _platform_plan(state: ElementState) -> Plan:
    dependent = _dependent(state)
    systems = [np.asarray(_with_platform(each, dependent), dtype=float) for each in _samples(state)]
    return choose_plan(systems, systems[0].shape[1])


def _with_platform(state: ElementState, dependent: Sequence[int]) -> Array:
    """All rows over all variables and the dependent components of the platform's twist rate."""
    rows = range(len(state.constraints))
    twist = [each.row.get(V_KEY, np.zeros(6))[list(dependent)] for each in state.constraints]
    return np.concatenate([_matrix(state, rows, state.unknowns), collect(twist)], axis=1)
