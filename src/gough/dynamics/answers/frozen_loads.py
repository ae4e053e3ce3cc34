"""Efforts along frozen freedoms from loads on bodies, and from figures other than the robot's."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gough.base import english as words
from gough.base.conditions import Condition, Tolerances
from gough.base.spatial import Array, total
from gough.dynamics.answers.energy import push_power
from gough.dynamics.answers.frozen import (
    EXACT,
    SMALL,
    alone_in_motion,
    differ,
    frozen_freedoms,
    null_rates,
    taken,
)
from gough.dynamics.shared.definite import natural_inertia
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import FrozenFreedom, warn
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


@dataclass(frozen=True)
class LoadsOnFrozen(Condition):
    """Loads and figures do not move what the platform does not feel."""

    kin: Kinematics
    loads: StateLoads

    def refuse(self) -> None:
        """Refuse loads on bodies that would, beside their own size and weight; warn of small ones.

        Figures in the place of the robot's own are measured before, by :func:`check_frozen`.
        """
        check_loads_on_frozen(self.kin, self.loads)

    def share(self, accept: Tolerances) -> Array:
        """Squares of the efforts along each frozen freedom."""
        if not self.kin.assembly.idle:
            return 0.0
        return total(
            effort * effort / ((square + accept.nothing) * accept.frozen**2)
            for effort, square in efforts_on_frozen(self.kin, self.loads)
        )


@dataclass(frozen=True)
class IdleFreedoms(Condition):
    """Motors do not move in freedoms that the platform does not feel, where joints sit elsewhere.

    A strut that slides off the line between its joints has another length when it spins: then motor
    positions are no function of the pose.
    """

    assembly: Assembly
    solution: Solution

    def share(self, accept: Tolerances) -> Array:
        """Squares of the motors' rates in each of them."""
        assembly = self.assembly
        share: Array = 0.0
        if not assembly.moved or not assembly.idle:
            return share
        for each in frozen_freedoms(assembly):
            alone = alone_in_motion(assembly, self.solution, each.place, rates=True)
            off = alone.motor_rates() / assembly.scales.motors
            share = share + off @ off if len(off) else share
        return share * (1.0 / accept.consistent**2)


def efforts_on_frozen(kin: Kinematics, loads: StateLoads) -> list[tuple[Array, Array]]:
    """Efforts of loads along frozen freedoms, and the squared size to compare each with.

    Loads on bodies that move in a frozen freedom; everything, where the machine's figures or its
    geometry are others than those for which freezing has been measured.  Numbers and symbols alike.
    """
    assembly, solution = kin.assembly, kin.solution
    if not assembly.idle or not (loads.pushes or loads.figures or assembly.moved):
        return []
    freedoms = [each for each in frozen_freedoms(assembly) if not each.held]
    others = loads.figures is not None and differ(assembly, freedoms, loads.figures)
    others = others or assembly.moved
    if not loads.pushes and not others:
        return []
    weight = natural_inertia(assembly) / assembly.length * float(np.linalg.norm(assembly.gravity))
    square: Array = weight**2
    for push in loads.pushes:
        square = square + (push.f @ push.f) * assembly.length**2 + push.n @ push.n
    if not others:
        pushed = {push.body for push in loads.pushes}
        freedoms = [each for each in freedoms if pushed & set(each.bodies)]
        return [
            (push_power(alone_in_motion(assembly, solution, each.place, rates=True), loads), square)
            for each in freedoms
        ]
    whole = taken(kin, loads)
    square = square + whole.w @ whole.w
    return [(whole.along(null_rates(solution, each.place)), square) for each in freedoms]


def check_loads_on_frozen(kin: Kinematics, loads: StateLoads) -> None:
    """Refuse loads on bodies that would move what is frozen, beside their own size and weight.

    Figures in the place of the robot's own are measured before, by :func:`check_frozen`.
    """
    name = kin.assembly.robot.name
    for effort, square in efforts_on_frozen(kin, replace(loads, figures=None)):
        share = abs(float(effort)) / max(float(np.sqrt(square)), 1e-300)
        if share <= EXACT:
            continue
        where = "act on a freedom that the platform does not feel, and that is frozen in all models"
        if share <= SMALL:  # always the same words: a simulation would say them step by step
            warn(f"{name}: up to {words.percent(SMALL)} of the loads {where}")
            continue
        raise FrozenFreedom(
            f"{name}: {words.percent(share)} of the loads {where}",
            hint="Loads on a bar that can spin must pass through its axis; for one that is held, "
            "say 'idle: locked' at its joint.",
            effect=share,
        )
