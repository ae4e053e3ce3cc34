"""Pivots of the systems of screws, chosen in natural units; and what is the same in every posture.

With numbers they are chosen for the state at hand, for a trace once, around home.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gough.base.conditions import Silent
from gough.base.linalg import Factor, Plan, choose_plan
from gough.base.once import find_fact, known_of
from gough.base.spatial import Array
from gough.dynamics.screws.graph import ScrewGraph
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot.joint_kinds import PLANE, SLIDE

if TYPE_CHECKING:
    from gough.dynamics.screws.kinematics import ScrewState

LEG, HUB, FREEDOMS, MOTORS = "leg", "hub", "freedoms", "motors"
"""Systems: of a leg, followed by its number; of the hub's rates, by platform; of z; of motors."""


def solved_system(state: ScrewState, matrix: Array, what: str) -> Factor:
    """A system of a state, factored by its pivots."""
    # joints elsewhere have no constant Psi, so that other entries of z are unknown
    key = (_around_home, what, state.assembly.moved)

    def fixed() -> Plan:
        return find_fact(state.assembly, key, lambda _: _around_home(state, what))

    return state.kin.rules.factor(matrix, fixed, lambda: _chosen([state], what))


def constant_Psi(state: ScrewState) -> np.ndarray | None:
    """Psi where it is the same in every posture around home; only programs rely on it."""
    if state.assembly.moved:
        return None
    return state.kin.rules.known(lambda: _found_constant(state.assembly, type(state)))


def _chosen(states: Sequence[ScrewState], what: str) -> Plan:
    matrices = [_natural(state, what) for state in states]
    return choose_plan(matrices, matrices[0].shape[1])


def _around_home(state: ScrewState, what: str) -> Plan:
    """Pivots that are good at every regular state around home.

    Its legs have their fixed pivots, so that the rows left over, which are demands on the hub, are
    the same ones in every state.
    """
    made, assembly = type(state), state.assembly
    at = [each.equations for each in assembly.regular_solutions]
    fixed = [Kinematics(assembly, assembly.traced(each), rules=Silent()) for each in at]
    return _chosen([made(kin) for kin in fixed], what)


@known_of(Assembly)
def _found_constant(assembly: Assembly, made: type[ScrewState]) -> np.ndarray | None:
    states = [made(Kinematics(assembly, each)) for each in assembly.sample_solutions()]
    rows = assembly.scales.constant_rows([state.Z_r[:6] for state in states])
    return None if np.isnan(rows).any() else rows


def _natural(state: ScrewState, what: str) -> Array:
    """The matrix of a system in natural units; every column gets a pivot."""
    scales, graph = state.assembly.scales, state.graph
    if what == MOTORS:
        return scales.jacobian(state.J_inv)
    if what.startswith(LEG):
        leg = state.legs[int(what.removeprefix(LEG))]
        rows = _sizes(leg.is_length, scales.length)
        return leg.E * _rate_sizes(graph, leg.part.slots, scales.length) / rows[:, None]
    left = [leg.is_length[i] for leg in state.legs for i in leg.factor.left_over]
    rows = _sizes(state.hub.is_length + left, scales.length)
    own = _rate_sizes(graph, graph.hub.slots, scales.length)
    strangers = _sizes(([False] * 3 + [True] * 3) * len(graph.strangers), scales.length)
    columns = np.concatenate([scales.twist, own, strangers])
    unknown = state.unknown(by_freedoms=what == FREEDOMS)
    return (state.C * columns / rows[:, None])[:, unknown]


def _sizes(is_length: Sequence[bool], length: float) -> np.ndarray:
    return np.where(np.array(is_length, dtype=bool), length, 1.0)


def _rate_sizes(graph: ScrewGraph, slots: Sequence[int], length: float) -> np.ndarray:
    """Natural sizes of rates by their places among those of the robot."""
    found = np.ones(graph.rates)
    for joint in graph.robot.joints:
        for name, what in joint.axis_kinds.items():
            found[list(graph.slots[name])] = length if what in (SLIDE, PLANE) else 1.0
    return found[list(slots)]
