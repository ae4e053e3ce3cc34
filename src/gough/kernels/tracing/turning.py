"""Figures that judge a way from home: turning axes, their rates, and margins of the closed form.

Angles are the nearest to home's, and whole turns raise no doubt: the caller, which goes along a
way, counts them.
"""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect, total
from gough.geometry.closed_form.search import closed_form
from gough.geometry.inverse import motor_positions
from gough.geometry.turns import counted_axes
from gough.kernels.tracing.doubt import improper
from gough.kernels.tracing.integration_quantities import open_by
from gough.kernels.tracing.machine import Machine
from gough.kernels.tracing.posing import closing, posed_by_form, unsettled
from gough.kernels.tracing.settled import reaches_all
from gough.mechanism.mobility.assembly import Assembly


def counted_names(assembly: Assembly) -> list[str]:
    """Names of motors and sprung axes whose turns are counted along the way."""
    places = counted_axes(assembly)
    return [name for name, place in assembly.axes.items() if place in places]


def margin_count(assembly: Assembly) -> int:
    """Number of steps of the closed form that have branches."""
    form = closed_form(assembly)
    return 0 if form is None else sum(step.branches for step in form.steps)


def reach(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Margins and residuals that decide whether the robot can have a pose.

    The margin of a root of the closed form is its distance from where branches meet (negative:
    there is no root); residuals are those of the loops, natural units, without flipped ones.
    """
    at, _ = posed_by_form(machine.assembly, T_0p)
    state = machine.assembled(T_0p, at.configuration)
    return state.answer(**_reach(machine.assembly, T_0p))


def _reach(assembly: Assembly, T_0p: Array) -> dict[str, Array]:
    at, margins = posed_by_form(assembly, T_0p)
    off = total(map(np.abs, improper(assembly, at)), open_by(assembly, at))
    return {"margins": collect(margins), "off": collect([off])}


def turning(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Motors, turning axes, their rates by ``V_r``, and the step that closes the loops."""
    state, assembly = machine.state(T_0p), machine.assembly
    names = counted_names(assembly)
    moving = [state.moving(V_r) for V_r in np.eye(assembly.mobility)]
    rates = [collect([kin.axis_rate(name) for kin in moving]) for name in names]
    angles = [assembly.axis_position(state.at, name) for name in names]
    straight = assembly.mobility == 6 or reaches_all(assembly)
    return state.answer(
        q=motor_positions(assembly, state.at),
        angles=collect(angles),
        rates=collect(rates, empty=(0, assembly.mobility)),
        closing=np.zeros(6) if straight else closing(unsettled(assembly, T_0p)),
        **_reach(assembly, T_0p),
    )
