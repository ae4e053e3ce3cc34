"""The methods behind one face: which there are, and what each needs of a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gough.closure.solution import Solution
from gough.dynamics import legs, tree
from gough.errors import InputError
from gough.kinematics.motion import kinematics
from gough.linalg import choose_plan
from gough.mobility.assembly import Assembly
from gough.robot.names import nearest

Inverse = Callable[..., np.ndarray]


@dataclass(frozen=True)
class Method:
    """One theory: efforts from a motion, and a twist rate from efforts, at one regular state."""

    inverse: Inverse
    direct: Inverse


def find_method(name: str) -> Method:
    """A method by name."""
    if name not in METHODS:
        raise InputError(f"unknown method {name!r}", hint=nearest(name, METHODS))
    return METHODS[name]


def _legs_inverse(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    Vdot: np.ndarray,
    gravity: np.ndarray,
    **options: bool,
) -> np.ndarray:
    kin = kinematics(assembly, solution, V, Vdot)
    J_inv = np.asarray(assembly.inverse_jacobian(solution))
    scaled = J_inv / assembly.motor_scales[:, None] * assembly.freedom_scales
    plan = choose_plan([scaled.T], assembly.mobility)
    return np.asarray(legs.inverse_dynamics(assembly, kin, gravity, plan, **options))


def _legs_direct(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    tau: np.ndarray,
    gravity: np.ndarray,
    **options: bool,
) -> np.ndarray:
    return np.asarray(legs.direct_dynamics(assembly, solution, V, tau, gravity, **options))


def cut_machine(assembly: Assembly) -> tuple[tree.CutMachine, tree.CutPlans]:
    """The cut machine of a robot and its pivots, worked out once."""

    def make(assembly: Assembly) -> tuple[tree.CutMachine, tree.CutPlans]:
        machine = tree.cut(assembly)
        return machine, tree.choose_cut_plans(machine, assembly)

    return assembly.once("cut machine", make)


def _cut_state(assembly: Assembly, solution: Solution) -> tree.CutState:
    machine, _ = cut_machine(assembly)
    return tree.CutState(machine, machine.equations(assembly, solution.equations), assembly.free)


def _tree_inverse(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    Vdot: np.ndarray,
    gravity: np.ndarray,
    **options: bool,
) -> np.ndarray:
    state = _cut_state(assembly, solution)
    return np.asarray(tree.inverse_dynamics(state, V, Vdot, gravity, **options))


def _tree_direct(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    tau: np.ndarray,
    gravity: np.ndarray,
    **options: bool,
) -> np.ndarray:
    state = _cut_state(assembly, solution)
    return np.asarray(tree.direct_dynamics(state, V, tau, gravity, **options))


METHODS: dict[str, Method] = {
    "legs": Method(_legs_inverse, _legs_direct),
    "tree": Method(_tree_inverse, _tree_direct),
}
"""Methods by name."""
