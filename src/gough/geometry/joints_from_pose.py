"""Joints at a pose, without branches in the program: closed form, or a fixed number of steps."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, homogeneous
from gough.base.stop_gradient import differentiated, held
from gough.geometry.closed_form.search import closed_form
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import move
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly

STEPS = 6
"""Newton steps of a traced inverse kinematics without closed form: enough around home.

Each squares the error: six take one of 0.5 rad below rounding; elsewhere a doubt is raised.
"""


def posed_by_form(assembly: Assembly, T_0p: Array) -> tuple[Equations, list[Array]]:
    """The machine at a pose, and the margins of its closed form; Newton's steps if it has none."""
    form = closed_form(assembly)
    if form is not None:
        configuration, margins = form.evaluate(T_0p)
        return assembly.equations(T_0p, configuration), margins
    return newton_from_home(assembly, T_0p)[0], []


def newton_from_home(assembly: Assembly, T_0p: Array) -> tuple[Equations, list[Rates]]:
    """The machine at a pose by Newton's steps from home, and those steps.

    In a program with derivatives one more step follows, and they are taken through that one alone.
    """
    at, steps = assembly.equations(T_0p, assembly.home), []
    for _ in range(STEPS):
        configuration, step = newton_step(assembly, at)
        at = assembly.equations(T_0p, configuration)
        steps.append(step)
    flat = [value for tree in at.configuration.trees for value in tree]
    if differentiated(flat):
        known = Configuration.of([held(value) for value in tree] for tree in configuration.trees)
        configuration, step = newton_step(assembly, assembly.equations(T_0p, known))
        at = assembly.equations(T_0p, configuration)
        steps.append(step)
    return at, steps


def newton_step(assembly: Assembly, at: Equations) -> tuple[Configuration, Rates]:
    """One Newton step of every joint at a fixed pose, by the fixed plans."""
    step = assembly.traced(at).rates(np.zeros(6), RightSide(*at.residuals()))
    return move(assembly.topology, at.configuration, step), step


def straightened(T_0p: Array) -> Array:
    """A pose whose matrix has drifted from a rotation, corrected by one Newton step."""
    R = T_0p[:3, :3]
    return homogeneous(R @ (np.eye(3) * 1.5 - (R.T @ R) * 0.5), T_0p[:3, 3])


def normed(configuration: Configuration) -> Configuration:
    """Pairs (cos, sin) brought to length 1: what they missed shows as loops that are open."""

    def one(value: Array) -> Array:
        return value / np.sqrt(value @ value) if value.shape == (2,) else value

    return Configuration.of([one(v) for v in tree] for tree in configuration.trees)


def unsettled(assembly: Assembly, T_0p: Array) -> Solution:
    """A pose as it is, solved: constants put in their places would hide how far it is off."""
    raw, _ = posed_by_form(assembly, T_0p)
    at = assembly.equations(T_0p, normed(raw.configuration))
    return assembly.traced(at, settled=False)


def closing(solution: Solution) -> Array:
    """Step of the components that depend on others to where the loops close, to first order."""
    right = RightSide(*solution.equations.residuals())
    return solution.complete(np.zeros(len(solution.free)), right)
