"""Quantities of a state about its motion alone: positions, rates and accelerations of motors."""

from __future__ import annotations

from gough.base.spatial import Array, collect
from gough.geometry.inverse import motor_positions
from gough.kernels.tracing.machine import Machine
from gough.kernels.tracing.posing import closing, unsettled
from gough.kinematics.motion import Kinematics


def inverse_kinematics(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Positions of the motors."""
    state = machine.state(T_0p, turns=True)
    return state.answer(q=motor_positions(machine.assembly, state.at))


def inverse_jacobian(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Motors and their rates by the freedoms, ``qd = J_inv V_r``, and the twist ``V = Psi V_r``."""
    state = machine.state(T_0p, turns=True)
    return state.answer(
        q=motor_positions(machine.assembly, state.at), J_inv=state.kin.J_inv, Psi=state.solution.Psi
    )


def freedom_map(machine: Machine, T_0p: Array, V_r: Array) -> dict[str, Array]:
    """``Psi`` and the bias acceleration ``drift``: ``Vdot = Psi Vdot_r + drift``, ``V = Psi V_r``.

    ``closing`` brings components that depend on the others to where the loops close, to first
    order; ``joints`` are the rates of all links by ``V_r``.
    """
    state, assembly = machine.state(T_0p), machine.assembly
    solution = unsettled(assembly, T_0p)
    drift = Kinematics(assembly, solution, solution.Psi @ V_r).Vdot
    rates = [solution.rates(solution.Psi[:, i]) for i in range(assembly.mobility)]
    return state.answer(
        Psi=solution.Psi,
        closing=closing(solution),
        drift=drift,
        joints=collect([each.together for each in rates]).T,
    )


def motor_rates(machine: Machine, T_0p: Array, V_0p: Array) -> dict[str, Array]:
    """Rates of the motors."""
    state = machine.state(T_0p, V_0p)
    return state.answer(qd=state.kin.motor_rates())


def motor_accelerations(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array
) -> dict[str, Array]:
    """Accelerations of the motors."""
    state = machine.state(T_0p, V_0p, Vdot_0p)
    return state.answer(qdd=state.kin.motor_accelerations())


def motor_motion(machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array) -> dict[str, Array]:
    """Positions, rates and accelerations of the motors, ``qd = J_inv V_r`` and ``V = Psi V_r``.

    Positions are those nearest home: how often a motor has gone round does not matter.
    """
    state = machine.state(T_0p, V_0p, Vdot_0p)
    return state.answer(
        q=motor_positions(machine.assembly, state.at),
        qd=state.kin.motor_rates(),
        qdd=state.kin.motor_accelerations(),
        J_inv=state.kin.J_inv,
        Psi=state.solution.Psi,
    )
