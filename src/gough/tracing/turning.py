"""What a way from home is judged by: turning axes and their rates, and margins of the closed form.

Angles are the nearest to home's, and how often an axis has gone round raises no doubt: whoever goes
along a way counts.
"""

from __future__ import annotations

import numpy as np

from gough.geometry.closed_form.search import closed_form
from gough.geometry.inverse import motor_positions
from gough.geometry.turns import counted_axes
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect
from gough.tracing.machine import Machine
from gough.tracing.posing import closing, posed_by_form, unsettled
from gough.tracing.settled import reaches_all, settle


def counted_names(assembly: Assembly) -> list[str]:
    """Names of motors and sprung axes whose turns are counted along the way."""
    places = counted_axes(assembly)
    return [name for name, place in assembly.axes.items() if place in places]


def margin_count(assembly: Assembly) -> int:
    """Number of steps of the closed form that have branches."""
    form = closed_form(assembly)
    return 0 if form is None else sum(step.branches for step in form.steps)


def margins(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """How far every root of the closed form is from where its branches meet; negative: no root."""
    _, found = posed_by_form(machine.assembly, settle(machine.assembly, T_0p).T_0p)
    return {"margins": collect(found) * 1.0 if found else np.zeros(0)}


def turning(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Motors, turning axes, their rates by ``V_r``, and the step that closes the loops."""
    state, assembly = machine.state(T_0p), machine.assembly
    names, solution = counted_names(assembly), state.solution
    moving = [state.moving(solution.Psi[:, i], np.zeros(6)) for i in range(assembly.mobility)]
    rates = [collect([kin.axis_rate(name) for kin in moving]) for name in names]
    straight = assembly.mobility == 6 or reaches_all(assembly)
    return state.answer(
        q=motor_positions(assembly, state.at),
        angles=collect([assembly.axis_position(state.at, name) for name in names]),
        rates=collect(rates),
        closing=np.zeros(6) if straight else closing(unsettled(assembly, T_0p)),
        **margins(machine, T_0p),
    )
