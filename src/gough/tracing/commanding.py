"""What a controller asks for: efforts from rates and accelerations it has chosen itself.

They are given in the robot's freedoms or in its motors; the rest of the motion follows, so that a
command is always one the machine can make.
"""

from __future__ import annotations

from gough.closure.solution import Solution
from gough.dynamics.methods import METHODS
from gough.dynamics.sharing import Sharing
from gough.dynamics.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
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
    scaled = solution.J_inv / assembly.motor_scales[:, None] * assembly.freedom_scales

    def platform(rates: Array) -> Array:
        return least_squares(scaled, rates / assembly.motor_scales) * assembly.freedom_scales

    V_r = platform(qd)
    bias = Kinematics(assembly, solution, solution.Psi @ V_r)
    return V_r, platform(qdd - bias.motor_accelerations())


def efforts_at(
    solution: Solution,
    variant: Variant,
    V_r: Array,
    Vdot_r: Array,
    loads: StateLoads,
    assembly: Assembly,
) -> Array:
    """Motor efforts of a solved state from rates and accelerations of the robot's freedoms."""
    kin = Kinematics(assembly, solution, solution.Psi @ V_r).accelerated(Vdot_r)
    share = None
    if variant.weights is not None:
        share = Sharing.weighted(assembly, variant.weights)
    return METHODS[variant.method].efforts(kin, loads, share=share)
