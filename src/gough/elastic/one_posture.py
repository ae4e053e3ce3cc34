"""The elastic machine about one posture, from the pose of its platform."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.base.batch import one_state
from gough.dynamics.shared.state_loads import StateLoads
from gough.elastic.deflection import displaced
from gough.elastic.drives import Drive
from gough.elastic.joints import joint_places
from gough.elastic.loading import forces
from gough.elastic.modelling import Options, body_models
from gough.elastic.preload import Preload
from gough.elastic.statics import Solved
from gough.elastic.system import System
from gough.geometry.inverse import posed
from gough.mechanism.mobility.assembly import Assembly


def system_at_home(assembly: Assembly, drives: Mapping[str, Drive], options: Options) -> System:
    """The machine about its home."""
    at = assembly.regular_solutions[0].equations
    places = joint_places(assembly.robot, at, assembly.topology.locked)
    models = body_models(assembly, places, options)
    return System(assembly, at, places, models, drives, options)


def solved_at(
    assembly: Assembly,
    T_0p: np.ndarray,
    drives: Mapping[str, Drive],
    options: Options,
    loads: StateLoads,
    *,
    stressed: bool = False,
) -> Solved:
    """The machine about one posture.

    Args:
        assembly: the robot.
        T_0p: platform pose.
        drives: how motors hold, by name.
        options: what counts.
        loads: a payload, which moves along; and what acts, if the machine is stressed by it.
        stressed: whether loads change stiffness and posture.
    """
    solved: list[Solved] = []
    sprung = any(assembly.robot.axis(name).spring for name in assembly.robot.axis_names)

    def one(T: np.ndarray) -> list[np.ndarray]:
        at = posed(assembly, T, turns=sprung)  # only springs count whole turns
        places = joint_places(assembly.robot, at, assembly.topology.locked)
        models = body_models(assembly, places, options)
        found = Solved(System(assembly, at, places, models, drives, options, loads.payload))
        if stressed:
            force = forces(found, loads, gravity=True)
            x = displaced(found, force)
            found = Solved(Preload(found.system, x, force, loads).applied(), before=found)
        solved.append(found)
        return [found.soft]  # what is not finite is refused here

    one_state(one, {"T_0p": T_0p})
    return solved[0]
