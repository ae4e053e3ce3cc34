"""Quantities of whole states by name: from the pose to the answer, and the doubt about it."""

from __future__ import annotations

import numpy as np

from gough.dynamics import legs
from gough.dynamics.energy import of_motion
from gough.dynamics.methods import METHODS
from gough.dynamics.sharing import Sharing
from gough.geometry.inverse import motor_positions
from gough.kinematics.motion import Kinematics
from gough.linalg import watched
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect
from gough.tracing import doubt_regular
from gough.tracing.commanding import efforts_of_freedoms, efforts_of_motors
from gough.tracing.following import geometry_step, motion_of_motors
from gough.tracing.states import Variant, Whole, answer, distrust, given_state
from gough.tracing.stepping import closing, motion, simulated_state, slope, sprung, unsettled


def _inverse_geometry(assembly: Assembly, variant: Variant, T_0p: Array) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p)
    return answer(state, q=motor_positions(assembly, state.at))


def _freedom_map(assembly: Assembly, variant: Variant, T_0p: Array, V_r: Array) -> dict[str, Array]:
    """How the platform follows its freedoms: ``V = Psi V_r`` and ``Vdot = Psi Vdot_r + drift``.

    ``closing`` brings components that depend on the others to where the loops close, to first
    order; ``joints`` are the rates of all links by ``V_r``.
    """
    state = given_state(assembly, variant, T_0p, turns=False)
    solution = unsettled(assembly, T_0p)
    drift = Kinematics(assembly, solution, solution.Psi @ V_r).Vdot
    rates = [solution.rates(solution.Psi[:, i]) for i in range(assembly.mobility)]
    found = {
        "Psi": solution.Psi,
        "closing": closing(solution),
        "drift": drift,
        "joints": collect([np.concatenate([each.hub, *each.legs]) for each in rates]).T,
    }
    return answer(state, **{name: value * 1.0 for name, value in found.items()})


def _inverse_velocity(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, [V_0p], turns=False)
    kin = Kinematics(assembly, state.solution, state.twists[0], np.zeros(6))
    return answer(state, qd=kin.motor_rates())


def _inverse_acceleration(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array, Vdot_0p: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, [V_0p, Vdot_0p], turns=False)
    return answer(state, qdd=state.kin.motor_accelerations())


def _inverse_dynamics(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, [V_0p, Vdot_0p], turns=sprung(assembly, variant))
    method, acting = METHODS[variant.method], variant.loads(assembly, loads)
    share = None
    if variant.weights is not None:
        share = Sharing.weighted(assembly, variant.weights)
    with watched() as made:
        tau = method.efforts(state.kin, acting, share=share)
    distrust(state, variant, made, acting, state.kin)
    if 0 < assembly.mobility <= len(assembly.robot.motors):
        state.regular.append(doubt_regular.of_motors(assembly, state.solution, state.accept))
    return answer(state, tau=tau)


def _direct_dynamics(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array, tau: Array, **loads: Array
) -> dict[str, Array]:
    state = simulated_state(assembly, variant, T_0p, loads, [V_0p])
    method, acting = METHODS[variant.method], variant.loads(assembly, loads)
    with watched() as made:
        Vdot = method.twist_rate(state.kin, tau, acting)
    distrust(state, variant, made, acting, state.kin.with_twist_rate(Vdot))
    return answer(state, Vdot_0p=Vdot)


def _inertia_matrix(
    assembly: Assembly, variant: Variant, T_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, turns=False)
    M = legs.inertia_matrix(state.kin, variant.loads(assembly, loads))
    return answer(state, M_rob=M)


def _bias_wrench(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, [V_0p], turns=sprung(assembly, variant))
    acting = variant.loads(assembly, loads).during(state.twists[0], assembly.length)
    return answer(state, c_rob=legs.bias_wrench(state.kin, acting))


def _energy(
    assembly: Assembly, variant: Variant, T_0p: Array, V_0p: Array, **loads: Array
) -> dict[str, Array]:
    state = given_state(assembly, variant, T_0p, [V_0p], turns=sprung(assembly, variant))
    kin = Kinematics(assembly, state.solution, state.twists[0], np.zeros(6))
    kinetic, potential = of_motion(kin, variant.loads(assembly, loads))
    return answer(state, kinetic=collect([kinetic * 1.0]), potential=collect([potential * 1.0]))


WHOLE: dict[str, Whole] = {
    "inverse_geometry": Whole(("T_0p",), _inverse_geometry),
    "direct_geometry_step": Whole(("T_0p", "q"), geometry_step),
    "motion_of_motors": Whole(("T_0p", "qd", "qdd"), motion_of_motors),
    "freedom_map": Whole(("T_0p", "V_r"), _freedom_map),
    "inverse_velocity": Whole(("T_0p", "V_0p"), _inverse_velocity),
    "inverse_acceleration": Whole(("T_0p", "V_0p", "Vdot_0p"), _inverse_acceleration),
    "inverse_dynamics": Whole(("T_0p", "V_0p", "Vdot_0p"), _inverse_dynamics, loaded=True),
    "direct_dynamics": Whole(("T_0p", "V_0p", "tau"), _direct_dynamics, loaded=True),
    "inertia_matrix": Whole(("T_0p",), _inertia_matrix, loaded=True),
    "bias_wrench": Whole(("T_0p", "V_0p"), _bias_wrench, loaded=True),
    "energy": Whole(("T_0p", "V_0p"), _energy, loaded=True),
    "slope": Whole(("T_0p", "V_r", "step", "tau"), slope, loaded=True),
    "motion": Whole(("T_0p", "V_r", "step"), motion, loaded=True),
    "efforts_of_freedoms": Whole(("T_0p", "V_r", "Vdot_r"), efforts_of_freedoms, loaded=True),
    "efforts_of_motors": Whole(("T_0p", "qd", "qdd"), efforts_of_motors, loaded=True),
}
"""Quantities of whole states by name."""


def shapes(assembly: Assembly) -> dict[str, tuple[int, ...]]:
    """Shapes of the inputs of states."""
    motors = (len(assembly.robot.motors),)
    return {
        "T_0p": (4, 4),
        "V_0p": (6,),
        "Vdot_0p": (6,),
        "tau": motors,
        "q": motors,
        "qd": motors,
        "qdd": motors,
        "V_r": (assembly.mobility,),
        "Vdot_r": (assembly.mobility,),
        "step": (6 + assembly.mobility,),
    }
