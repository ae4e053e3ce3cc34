"""The start of a simulation: whether direct dynamics has an answer there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gough.dynamics.frozen import check_frozen
from gough.dynamics.loads import Loads
from gough.kernels.functions import direct_dynamics, inverse_velocity
from gough.robot import Robot
from gough.tracing.parameters import FIGURES, stand_in


def check_start(
    robot: Robot, T_0p: np.ndarray, V_0p: np.ndarray, given: Mapping[str, np.ndarray], loads: Loads
) -> None:
    """Raise what is wrong with the start of a simulation.

    Figures in the place of the robot's own may make a difference to inertia and to frozen freedoms:
    then the pose is judged by itself, and every machine's freedoms are measured.

    Args:
        robot: the machine.
        T_0p: poses.
        V_0p: twists.
        given: loads and figures by the kernel's names, one row a machine.
        loads: what acts on the machines.
    """
    names = [name for name in FIGURES if name in given]
    if not names:
        direct_dynamics(robot, T_0p, V_0p, np.zeros(len(robot.motors)), loads=loads)
        return
    inverse_velocity(robot, T_0p, V_0p)
    if not robot.assembly.idle:
        return
    rows = {
        tuple(given[name][i].tobytes() for name in names): i for i in range(len(given[names[0]]))
    }
    for i in rows.values():
        figures = stand_in(robot, names, {name: given[name][i] for name in names})
        check_frozen(robot.assembly, friction=loads.friction, figures=figures)
