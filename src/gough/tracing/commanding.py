"""What a controller asks for: efforts from rates and accelerations it has chosen itself.

They are given in the robot's freedoms or in its motors; the rest of the motion follows, so that a
command is always one the machine can make.
"""

from __future__ import annotations

from gough.closure.solution import RightSide, Solution
from gough.dynamics.legs import drifting
from gough.dynamics.methods import METHODS
from gough.dynamics.sharing import Sharing
from gough.dynamics.state_loads import StateLoads
from gough.linalg import least_squares
from gough.mobility.assembly import Assembly
from gough.spatial import Array
from gough.tracing.doubt_regular import of_motors
from gough.tracing.states import Given, Variant, answer, given_state
from gough.tracing.stepping import closed, sprung


def efforts_of_freedoms(
    assembly: Assembly, variant: Variant, T_0p: Array, V_r: Array, Vdot_r: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the robot's freedoms."""
    state = _state(assembly, variant, T_0p)
    acting = variant.loads(assembly, loads)
    return answer(state, tau=efforts_at(state.solution, variant, V_r, Vdot_r, acting, assembly))


def efforts_of_motors(
    assembly: Assembly, variant: Variant, T_0p: Array, qd: Array, qdd: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the motors."""
    state = _state(assembly, variant, T_0p)
    acting = variant.loads(assembly, loads)
    motion = freedoms_of_motors(assembly, state.solution, qd, qdd)
    return answer(state, tau=efforts_at(state.solution, variant, *motion, acting, assembly))


def _state(assembly: Assembly, variant: Variant, T_0p: Array) -> Given:
    turns = sprung(assembly, variant)
    state = given_state(assembly, variant, closed(assembly, T_0p), turns=turns)
    if 0 < assembly.mobility <= len(assembly.robot.motors):
        state.regular.append(of_motors(assembly, state.solution, state.accept))
    return state


def freedoms_of_motors(
    assembly: Assembly, solution: Solution, qd: Array, qdd: Array
) -> tuple[Array, Array]:
    """``V_r`` and ``Vdot_r`` from rates and accelerations of the motors.

    Equations:
        [BK] (6)-(7): ``V_r = J qd_a``, and ``Vdot_r`` from ``qdd_a`` less what it is at
        ``Vdot_r = 0``.
    """
    J_inv = assembly.inverse_jacobian(solution)
    scaled = assembly.scales.jacobian(J_inv)

    def platform(rates: Array) -> Array:
        return least_squares(scaled, rates / assembly.scales.motors) * assembly.scales.freedoms

    V_r = platform(qd)
    coasting = drifting(assembly, solution, solution.Psi @ V_r)
    return V_r, platform(qdd - coasting.motor_accelerations())


def efforts_at(
    solution: Solution,
    variant: Variant,
    V_r: Array,
    Vdot_r: Array,
    loads: StateLoads,
    assembly: Assembly,
    *,
    traced: bool = True,
) -> Array:
    """Motor efforts of a solved state from rates and accelerations of the robot's freedoms."""
    V = solution.Psi @ V_r
    rates = solution.rates(V)
    biases = RightSide(*solution.equations.biases(V, rates.hub, rates.legs))
    Vdot = solution.complete(Vdot_r, biases)
    share = None
    if variant.weights is not None:
        share = Sharing.weighted(assembly, variant.weights)
    method = METHODS[variant.method]
    return method.efforts(assembly, solution, V, Vdot, loads, share=share, traced=traced)
