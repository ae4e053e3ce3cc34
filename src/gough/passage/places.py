"""When a motion meets Type-2 singularities, and that it does not stay there."""

from __future__ import annotations

from dataclasses import replace

from gough.errors import SingularPose
from gough.passage.demand import at_an_end
from gough.passage.terms import Machine
from gough.singularity.meetings import type_2_meetings

_STAYS = 1e-6  # share of the duration


def singular_instants(machine: Machine) -> list[float]:
    """Instants of a motion at which the motors' Jacobian is singular, in time [s].

    Raises:
        SingularPose: the motion stays singular; names from when.
    """
    # the motion may have been made for a machine that differs in its figures
    motion = replace(machine.motion, robot=machine.assembly.robot)
    found = type_2_meetings(machine.assembly, motion, branch=machine.branch)
    for meeting in found:
        if meeting.until - meeting.time > _STAYS * motion.duration:
            raise SingularPose(
                f"{machine.assembly.robot.name}: "
                + _staying(meeting.time, meeting.until, motion.duration),
                hint="Efforts do not move the platform along its free twist there: leave the pose "
                "by another path, or look whether the machine is singular everywhere "
                "(gough.doctor).",
                time=meeting.time,
            )
    return [meeting.time for meeting in found]


def _staying(since: float, until: float, whole: float) -> str:
    """What a motion does that is singular for a while."""
    starts, ends = at_an_end(since, whole) == "start", at_an_end(until, whole) == "end"
    if starts and not ends:
        return f"the motion starts on a Type 2 singularity, and has left it after {until:.6g} s"
    if ends and not starts:
        return f"the motion ends on a Type 2 singularity, and is there from {since:.6g} s on"
    return f"from {since:.6g} s to {until:.6g} s the motion stays on a Type 2 singularity"
