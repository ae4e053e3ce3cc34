"""What a controller asks for: efforts from rates and accelerations it has chosen itself.

They are given in the robot's freedoms or in its motors; the rest of the motion follows, so that a
command is always one the machine can make.
"""

from __future__ import annotations

from gough.kinematics.from_motors import driven
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
    kin = driven(machine.assembly, state.solution, qd, qdd)
    return state.answer(tau=state.efforts(kin, machine.loads(loads)))


def _state(machine: Machine, T_0p: Array) -> State:
    state = machine.state(machine.closed(T_0p), turns=machine.sprung)
    state.require_motors()
    return state
