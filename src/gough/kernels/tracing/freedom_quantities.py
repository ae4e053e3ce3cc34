"""Dynamics in the robot's own coordinates: a state is freedoms and their rates, and nothing else.

That is the form of optimal control and of most textbooks: ``xdd = f(x, xd, tau)``, or
``tau = g(x, xd, xdd)``.  Positions and rates of the motors come with it, for their limits.
"""

from __future__ import annotations

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect
from gough.geometry.inverse import motor_positions
from gough.kernels.tracing.machine import Machine, State


def accelerations_from_freedoms(
    machine: Machine, x: Array, xd: Array, tau: Array, **loads: Array
) -> dict[str, Array]:
    """Accelerations of the freedoms under motor efforts; ``xdd`` beside ``q`` and ``qd``."""
    free, still = list(machine.assembly.free), np.zeros(machine.assembly.mobility)
    (T, V, unaccelerated), doubts = machine.placed(x, xd, still)
    state = machine.under(loads, T, V)
    state.require(doubts)
    Vdot = state.twist_rate(state.kin, tau, machine.loads(loads))
    columns = [machine.placed(x, unit, still)[0][1] for unit in np.eye(len(free))]
    change = (Vdot - unaccelerated)[free]  # what xdd adds to the twist rate, as xd to the twist
    xdd = least_squares(collect([V[free] for V in columns]).T, change)
    return state.answer(xdd=xdd, **_motors(state))


def efforts_from_freedoms(
    machine: Machine, x: Array, xd: Array, xdd: Array, **loads: Array
) -> dict[str, Array]:
    """Motor efforts of a motion of the freedoms; ``tau`` beside ``q`` and ``qd``."""
    motion, doubts = machine.placed(x, xd, xdd)
    state = machine.under(loads, *motion)
    state.require(doubts)
    state.require_motors()
    tau = state.efforts(state.kin, machine.loads(loads))
    return state.answer(tau=tau, **_motors(state))


def _motors(state: State) -> dict[str, Array]:
    """Positions nearest home's, and rates."""
    return {"q": motor_positions(state.assembly, state.at), "qd": state.kin.motor_rates()}
