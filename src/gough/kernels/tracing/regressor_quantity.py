"""The regressor of a state, and the efforts that known loads take beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.base.linalg import watched
from gough.base.spatial import Array
from gough.dynamics.legs.regressor import regressor
from gough.dynamics.methods import during
from gough.dynamics.shared.masses import CentralMass
from gough.dynamics.shared.parameters import Parameters
from gough.dynamics.shared.state_loads import StateLoads
from gough.kernels.tracing.machine import Machine, State
from gough.robot import Robot


def regressor_and_known(
    machine: Machine, T_0p: Array, V_0p: Array, Vdot_0p: Array, **loads: Array
) -> dict[str, Array]:
    """``W`` and ``tau_0`` with ``tau = W chi + tau_0``: forces and payload have known figures."""
    state, acting = machine.under(loads, T_0p, V_0p, Vdot_0p), machine.loads(loads)
    state.require_motors()
    with watched() as made:
        columns = machine.variant.standard(machine.assembly)
        W = regressor(state.kin, during(state.kin, acting), columns, machine.share)
    state.judge(made, acting, state.kin)
    return state.answer(W=W, tau_0=_known(state, acting))


def _known(state: State, acting: StateLoads) -> Array:
    """Efforts of forces and payload alone: all bodies without mass, nothing on any axis."""
    robot = state.assembly.robot
    if not acting.pushes and acting.payload is None:
        return np.zeros(len(robot.motors))
    alone = replace(acting, figures=_nothing(robot), friction=False, rotors=False, springs=False)
    return state.efforts(state.kin, alone)


def _nothing(robot: Robot) -> Parameters:
    """Parameters of a machine without mass."""
    none = np.zeros(3), np.zeros((3, 3))
    return Parameters({body.name: CentralMass(body.name, 0.0, *none) for body in robot.bodies})
