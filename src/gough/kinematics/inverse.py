"""Kinematics at a pose, checked: the state is regular, the motion within the mobility."""

from __future__ import annotations

import numpy as np

from gough.base.batch import check_finite
from gough.base.conditions import NUMBERS
from gough.geometry.inverse import posed
from gough.kinematics.consistency import NO_SIZES, AllowedTwists, Sizes
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import RegularLegs, TellingFreedoms
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly


def regular(assembly: Assembly, T_0p: np.ndarray, *, turns: bool = True) -> Solution:
    """Closure equations of a pose, factored; refused where they are singular."""
    solution = assembly.solution(posed(assembly, T_0p, turns=turns))
    NUMBERS.require(RegularLegs(assembly, solution))
    NUMBERS.require(TellingFreedoms(assembly, solution))
    return solution


def moving(
    assembly: Assembly,
    T_0p: np.ndarray,
    V: np.ndarray,
    Vdot: np.ndarray | None,
    *,
    turns: bool = True,
    taken_off: Sizes = NO_SIZES,
) -> Kinematics:
    """Kinematics at one state, its twist and twist rate checked against the mobility.

    Args:
        assembly: the robot.
        T_0p: platform pose, 4x4.
        V: platform twist, base axes ``(6,)``.
        Vdot: its rate ``(6,)``; if not given that of the bias motion, ``Vdot_r = 0``.
        turns: whether to count whole turns of motors and sprung axes.
        taken_off: how fast what twist and twist rate are differences of moves.
    """
    check_finite(V, "V_0p")
    if Vdot is not None:
        check_finite(Vdot, "Vdot_0p")
    found = Kinematics(assembly, regular(assembly, T_0p, turns=turns), V, Vdot)
    found.rules.require(AllowedTwists(found, (V,) if Vdot is None else (V, Vdot), taken_off))
    return found
