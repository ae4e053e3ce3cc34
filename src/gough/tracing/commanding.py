"""What a controller asks for: efforts from rates and accelerations it has chosen itself.

They are given in the robot's freedoms or in its motors; the rest of the motion follows, so that a
command is always one the machine can make.
"""

from __future__ import annotations

from gough.closure.solution import RightSide
from gough.dynamics.legs import drifting
from gough.dynamics.methods import METHODS
from gough.dynamics.sharing import Sharing
from gough.linalg import least_squares
from gough.mobility.assembly import Assembly
from gough.spatial import Array
from gough.tracing.states import Given, Variant, answer, given_state
from gough.tracing.stepping import closed, sprung


def efforts_of_freedoms(
    assembly: Assembly, variant: Variant, T_0p: Array, V_r: Array, Vdot_r: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the robot's freedoms."""
    state = given_state(assembly, variant, closed(assembly, T_0p), turns=sprung(assembly, variant))
    return answer(state, tau=_efforts(state, variant, V_r, Vdot_r, loads))


def efforts_of_motors(
    assembly: Assembly, variant: Variant, T_0p: Array, qd: Array, qdd: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the motors.

    Equations:
        [BK] (6)-(7): ``V_r = J qd_a``, and ``Vdot_r`` from ``qdd_a`` less what it is at
        ``Vdot_r = 0``.
    """
    state = given_state(assembly, variant, closed(assembly, T_0p), turns=sprung(assembly, variant))
    J_inv = assembly.inverse_jacobian(state.solution)
    scaled = J_inv / assembly.motor_scales[:, None] * assembly.freedom_scales

    def platform(rates: Array) -> Array:
        return least_squares(scaled, rates / assembly.motor_scales) * assembly.freedom_scales

    V_r = platform(qd)
    coasting = drifting(assembly, state.solution, state.solution.Psi @ V_r)
    Vdot_r = platform(qdd - coasting.motor_accelerations())
    return answer(state, tau=_efforts(state, variant, V_r, Vdot_r, loads))


def _efforts(
    state: Given, variant: Variant, V_r: Array, Vdot_r: Array, loads: dict[str, Array]
) -> Array:
    assembly, solution = state.assembly, state.solution
    V = solution.Psi @ V_r
    rates = solution.rates(V)
    biases = RightSide(*solution.equations.biases(V, rates.hub, rates.legs))
    Vdot = solution.complete(Vdot_r, biases)
    share = None
    if variant.weights is not None:
        share = Sharing.weighted(assembly, variant.weights)
    acting = variant.loads(assembly, loads)
    method = METHODS[variant.method]
    return method.efforts(assembly, solution, V, Vdot, acting, share=share, traced=True)
