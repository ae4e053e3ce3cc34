"""``gough.crossing``: whether a motion can be driven through the Type-2 singularities it meets."""

from __future__ import annotations

import numpy as np

from gough.arguments import number
from gough.dynamics.loads import Loads
from gough.dynamics.sharing import check_motors
from gough.mobility.assembly import assembled
from gough.motion import Motion
from gough.motion.motion import of_robot
from gough.passage.demand import singular_instants
from gough.passage.meeting import look_at
from gough.passage.result import Crossing
from gough.passage.terms import Machine
from gough.robot import Robot

_AT = 1e-6
"""Share of the duration within which a sample counts as singular: its efforts are the limit.

Farther away rounding leaves ten digits of the efforts, and the limit has as many.
"""


def crossing(
    robot: Robot,
    motion: Motion,
    *,
    loads: Loads | None = None,
    rate: float = 500.0,
    tolerance: float = 1e-6,
) -> Crossing:
    """Where a motion meets Type-2 singularities, whether it can pass, and the efforts through them.

    On a singular pose efforts do not reach the platform's free twist ``t_s``.  A motion can pass if
    the total wrench does not ask for it, ``t_s^T w_r = 0``; otherwise efforts grow as one over the
    distance.

    Args:
        robot: the machine, with as many motors as freedoms or more; on another branch
            :meth:`gough.Robot.rehomed` there.
        motion: what it shall do.
        loads: :class:`gough.Loads`, the same all the time.
        rate: samples a second of the efforts, at least; singular instants are added [Hz].
        tolerance: residual of the criterion that counts as none, as a share of the terms it adds
            up.

    Returns:
        A :class:`Crossing`.

    Raises:
        WrongMotors: fewer motors than freedoms.
        SingularPose: the motion stays on a singularity, or meets another one than of Type 2.
        UnreachablePose: a pose is out of reach.
    """
    assembly = assembled(robot)
    motion = of_robot(motion, robot)
    check_motors(assembly)
    tolerance = number(tolerance, "tolerance", positive=True)
    machine, t = Machine(assembly, motion, loads), motion.sample(rate).t
    meetings = tuple(look_at(machine, t, tolerance) for t in singular_instants(machine))
    singular = np.array([meeting.time for meeting in meetings])
    near = np.abs(t[:, None] - singular) <= _AT * motion.duration
    t = np.concatenate([t[~near.any(axis=1)], singular])
    order = np.argsort(t)
    tau = np.full((len(t), len(robot.motors)), np.nan)
    regular = np.arange(len(t)) < len(t) - len(meetings)
    tau[regular] = machine.efforts(t[regular], motion(t[regular]))
    for k, meeting in enumerate(meetings):
        tau[len(t) - len(meetings) + k] = meeting.limit
    at_limit = ~regular & np.isfinite(tau).all(axis=1)
    return Crossing(robot, motion.label, meetings, t[order], tau[order], at_limit[order])
