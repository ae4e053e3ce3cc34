"""The methods behind one face: which there are, and what each needs of a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.closure.rates import RatePlans
from gough.closure.solution import Solution
from gough.dynamics import elements, legs, screws, tree
from gough.dynamics.definite import check_definite
from gough.dynamics.frozen_loads import check_loads_on_frozen
from gough.dynamics.sharing import Sharing
from gough.dynamics.state_loads import StateLoads
from gough.errors import InputError, shown
from gough.kinematics.elements import ElementState
from gough.kinematics.motion import kinematics
from gough.kinematics.screws import ScrewState
from gough.kinematics.variables import variables
from gough.linalg import choose_plan
from gough.mobility.assembly import Assembly
from gough.robot.names import nearest
from gough.spatial import Array


@dataclass(frozen=True)
class Method:
    """One theory.

    Attributes:
        view: a regular state as the theory sees it, from the robot and its closure equations;
            ``traced`` says that pivots are fixed beforehand, for symbols.
        inverse: efforts of a view, a twist, a twist rate and loads; as many motors as freedoms.
        balance: A and w with ``A tau = w`` in the robot's freedoms, for any number of motors.
        direct: twist rate of a view, a twist, efforts and loads.
    """

    view: Callable[[Assembly, Solution, bool], Any]
    inverse: Callable[[Any, Array, Array, StateLoads], Array]
    balance: Callable[[Any, Array, Array, StateLoads], tuple[Array, Array]]
    direct: Callable[[Any, Array, Array, StateLoads], Array]

    def efforts(
        self,
        assembly: Assembly,
        solution: Solution,
        V: Array,
        Vdot: Array,
        loads: StateLoads,
        *,
        share: Sharing | None = None,
        traced: bool = False,
    ) -> Array:
        """Motor efforts that produce a motion, shared out where there are more motors."""
        if not traced:
            check_loads_on_frozen(assembly, solution, V, Vdot, loads)
        view, loads = self.view(assembly, solution, traced), loads.during(V, assembly.length)
        if len(assembly.robot.motors) == assembly.mobility:
            tau = self.inverse(view, V, Vdot, loads)
            return tau if share is None else share.within_bounds(tau)
        return (share or Sharing(assembly)).efforts(*self.balance(view, V, Vdot, loads))

    def twist_rate(
        self,
        assembly: Assembly,
        solution: Solution,
        V: Array,
        tau: Array,
        loads: StateLoads,
        *,
        traced: bool = False,
    ) -> Array:
        """Twist rate of the platform under motor efforts."""
        if not traced:
            check_definite(assembly, solution, loads)
        view = self.view(assembly, solution, traced)
        Vdot = self.direct(view, V, tau, loads.during(V, assembly.length))
        if not traced:
            check_loads_on_frozen(assembly, solution, V, Vdot, loads)
        return Vdot


def find_method(name: str) -> Method:
    """A method by name."""
    if not isinstance(name, str) or name not in METHODS:
        raise InputError(
            f"unknown method {shown(name)}", hint=nearest(name, METHODS), argument="method"
        )
    return METHODS[name]


class _Legs(NamedTuple):
    assembly: Assembly
    solution: Solution
    traced: bool


def _legs_inverse(view: _Legs, V: Array, Vdot: Array, loads: StateLoads) -> Array:
    assembly, solution, traced = view
    kin = kinematics(assembly, solution, V, Vdot)
    if traced:
        return legs.inverse_dynamics(assembly, kin, loads, assembly.motor_plan)
    J_inv = np.asarray(assembly.inverse_jacobian(solution))
    scaled = J_inv / assembly.motor_scales[:, None] * assembly.freedom_scales
    plan = choose_plan([scaled.T], assembly.mobility)
    return legs.inverse_dynamics(assembly, kin, loads, plan)


def _legs_balance(view: _Legs, V: Array, Vdot: Array, loads: StateLoads) -> tuple[Array, Array]:
    assembly, solution, _ = view
    kin = kinematics(assembly, solution, V, Vdot)
    J_inv = assembly.inverse_jacobian(solution)
    return J_inv.T, legs.cartesian_wrench(assembly, kin, loads)


def _legs_direct(view: _Legs, V: Array, tau: Array, loads: StateLoads) -> Array:
    return legs.direct_dynamics(view.assembly, view.solution, V, tau, loads)


def cut_machine(assembly: Assembly) -> tuple[tree.CutMachine, RatePlans]:
    """The cut machine of a robot and its pivots, worked out once."""

    def make(assembly: Assembly) -> tuple[tree.CutMachine, RatePlans]:
        machine = tree.cut(assembly)
        return machine, tree.choose_cut_plans(machine, assembly)

    return assembly.once("cut machine", make)


def _cut_state(assembly: Assembly, solution: Solution, traced: bool) -> tree.CutState:
    machine, plans = cut_machine(assembly)
    return tree.cut_state(machine, assembly, solution.equations, plans if traced else None)


def _screw_state(assembly: Assembly, solution: Solution, traced: bool) -> ScrewState:
    graph, plans = screws.planned_graph(assembly)
    return ScrewState(graph, assembly, solution.equations, plans if traced else None)


class _Elements(NamedTuple):
    state: ElementState
    solution: Solution


def _element_state(assembly: Assembly, solution: Solution, traced: bool) -> _Elements:
    parts, plan = elements.planned_parts(assembly)
    at, Psi = solution.equations, solution.Psi
    return _Elements(ElementState(parts, assembly, at, Psi, plan if traced else None), solution)


def _elements_inverse(view: _Elements, V: Array, Vdot: Array, loads: StateLoads) -> Array:
    kin = kinematics(view.state.assembly, view.solution, V, Vdot)
    return elements.inverse_dynamics(view.state, variables(view.state, kin), loads)


def _elements_balance(
    view: _Elements, V: Array, Vdot: Array, loads: StateLoads
) -> tuple[Array, Array]:
    kin = kinematics(view.state.assembly, view.solution, V, Vdot)
    A, b = elements.implicit_model(view.state, variables(view.state, kin), loads)
    return A, -b


def _elements_direct(view: _Elements, V: Array, tau: Array, loads: StateLoads) -> Array:
    kin = legs.drifting(view.state.assembly, view.solution, V)
    Vdot_r = elements.direct_dynamics(view.state, variables(view.state, kin), tau, loads)
    return view.solution.complete(Vdot_r, kin.biases)


METHODS: dict[str, Method] = {
    "legs": Method(_Legs, _legs_inverse, _legs_balance, _legs_direct),
    "elements": Method(_element_state, _elements_inverse, _elements_balance, _elements_direct),
    "screws": Method(
        _screw_state, screws.inverse_dynamics, screws.in_freedoms, screws.direct_dynamics
    ),
    "tree": Method(_cut_state, tree.inverse_dynamics, tree.in_freedoms, tree.direct_dynamics),
}
"""Methods by name."""
