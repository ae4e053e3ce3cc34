"""What a controller asks for: efforts from rates and accelerations it has chosen itself.

They are given in the robot's freedoms or in its motors; the rest of the motion follows, so that a
command is always one the machine can make.
"""

from __future__ import annotations

from gough.closure.solution import Solution
from gough.kinematics.motion import Kinematics
from gough.linalg import least_squares
from gough.mobility.assembly import Assembly
from gough.spatial import Array
from gough.tracing.machine import Machine, State


def efforts_of_freedoms(
    machine: Machine, T_0p: Array, V_r: Array, Vdot_r: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the robot's freedoms."""
    state = _state(machine, T_0p)
    kin = state.moving(V_r).accelerated(Vdot_r)
    return state.answer(tau=state.efforts(kin, machine.loads(loads)))


def efforts_of_motors(
    machine: Machine, T_0p: Array, qd: Array, qdd: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts from rates and accelerations of the motors."""
    state = _state(machine, T_0p)
    V_r, Vdot_r = freedoms_of_motors(machine.assembly, state.solution, qd, qdd)
    kin = state.moving(V_r).accelerated(Vdot_r)
    return state.answer(tau=state.efforts(kin, machine.loads(loads)))


def _state(machine: Machine, T_0p: Array) -> State:
    state = machine.state(machine.closed(T_0p), turns=machine.sprung)
    state.require_motors()
    return state


def freedoms_of_motors(
    assembly: Assembly, solution: Solution, qd: Array, qdd: Array
) -> tuple[Array, Array]:
    """``V_r`` and ``Vdot_r`` from rates and accelerations of the motors.

    Equations:
        [BK] (6)-(7): ``V_r = J qd_a``, and ``Vdot_r`` from ``qdd_a`` less what it is at
        ``Vdot_r = 0``.
    """
    scaled = solution.J_inv / assembly.scales.motors[:, None] * assembly.scales.freedoms

    def platform(rates: Array) -> Array:
        return least_squares(scaled, rates / assembly.scales.motors) * assembly.scales.freedoms

    V_r = platform(qd)
    bias = Kinematics(assembly, solution, solution.Psi @ V_r)
    return V_r, platform(qdd - bias.motor_accelerations())
