"""Pivots for traces of the theories that solve for the rates of all joints, chosen around home."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gough.closure.rates import RatePlans, choose_rate_plans
from gough.kinematics.motion import Kinematics
from gough.mobility.assembly import Assembly


def rate_plans(assembly: Assembly, theory: str, state: Callable[[Kinematics], Any]) -> RatePlans:
    """Pivots that are good at every regular state around home; found once for each theory.

    Args:
        assembly: the robot.
        theory: its name.
        state: makes the theory's state, whose ``all`` solves for the rates of all joints.
    """

    def make(assembly: Assembly) -> RatePlans:
        solutions = (assembly.solution(assembly.equations(*s)) for s in assembly.regular_samples)
        states = [state(Kinematics(assembly, solution)).all for solution in solutions]
        return choose_rate_plans(states, by_motors=assembly.is_square)

    return assembly.once(f"{theory} plans", make)
