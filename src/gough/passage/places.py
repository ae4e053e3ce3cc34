"""When a motion meets Type-2 singularities, and that it does not stay there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.errors import SingularPose
from gough.motion import Motion, States
from gough.passage.terms import Machine
from gough.singularity.course import FEWEST, RATE
from gough.singularity.meetings import type_2_meetings

_STAYS = 1e-6  # share of the duration


def singular_instants(machine: Machine) -> list[float]:
    """Instants of a motion at which the motors' Jacobian is singular, in time [s].

    Raises:
        SingularPose: the motion stays singular; names from when.
    """
    # the motion may have been made for a machine that differs in its figures
    motion = _ahead(replace(machine.motion, robot=machine.assembly.robot))
    found = type_2_meetings(machine.assembly, motion, branch=machine.branch)
    for meeting in found:
        if meeting.until - meeting.time > _STAYS * motion.duration:
            raise SingularPose(
                f"{machine.assembly.robot.name}: from {meeting.time:.6g} s to {meeting.until:.6g} "
                "s the motion stays on a Type 2 singularity",
                hint="Efforts do not move the platform along its free twist there: leave the pose "
                "by another path, or look whether the machine is singular everywhere "
                "(gough.doctor).",
                time=meeting.time,
            )
    return [meeting.time for meeting in found]


def _ahead(motion: Motion) -> Motion:
    """The same motion, which remembers the instants that will be asked for one by one.

    Where the legs decide part of the pose, many states at once take hardly longer than one.
    """
    count = max(int(np.ceil(motion.duration * RATE)) + 1, FEWEST)
    times = np.linspace(0.0, motion.duration, count)
    states = motion.evaluate(times)
    known = {float(t): k for k, t in enumerate(times)}

    def evaluate(t: np.ndarray) -> States:
        k = known.get(float(t[0])) if len(t) == 1 else None
        if k is None:
            return motion.evaluate(t)
        return States(*(part[k : k + 1] for part in states))

    return replace(motion, evaluate=evaluate)
