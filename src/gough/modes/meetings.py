"""Where assembly modes meet along a motion of the motors, found and told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.errors import GoughError, SingularPose, UnreachablePose
from gough.geometry.newton import State
from gough.mobility.assembly import Assembly
from gough.mobility.measures import holding
from gough.modes.along import gives_way, jacobians_at, usual
from gough.modes.poses import Status
from gough.modes.tracked import Meeting, index
from gough.modes.walking import NEAR, Path
from gough.words import motion


class Places:
    """Where samples are in the arrays of the caller."""

    def __init__(self, lead: tuple[int, ...], times: np.ndarray | None) -> None:
        self.lead, self.times = lead, times

    def sample(self, motion: int, k: int) -> tuple[int, ...]:
        """Index of a sample, with those of the batch in front."""
        batch = np.unravel_index(motion, self.lead) if self.lead else ()
        return (*(int(i) for i in batch), int(k))

    def time(self, k: int) -> float | None:
        """Time of a sample."""
        return None if self.times is None else float(self.times[k])


def stops(
    assembly: Assembly, paths: Sequence[Path], status: np.ndarray, places: Places
) -> list[Meeting]:
    """Where motions end, because no pose continues them."""
    found = []
    for b, path in enumerate(paths):
        if path.error is not None:
            ended = (status[b] == Status.SINGULAR) | (status[b] == Status.OUT_OF_REACH)
            state = path.whole if path.met is None else path.met
            found.append(_meeting(assembly, state, places, b, int(np.argmax(ended)), stopped=True))
    return found


def dips(
    assembly: Assembly,
    values: np.ndarray,
    states: Sequence[dict[int, State]],
    poses: np.ndarray,
    places: Places,
) -> list[Meeting]:
    """Samples next to Type-2 singularities that motions went past: one for each stretch."""
    found = []
    low = values < NEAR * usual(assembly)
    for b, row in enumerate(low):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(int)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            k = int(begin + np.argmin(values[b, begin:end]))
            state = states[b].get(k) or Path.at_pose(assembly, poses[b, k])
            found.append(_meeting(assembly, state, places, b, k, stopped=False))
    return found


def _meeting(
    assembly: Assembly, state: State, places: Places, b: int, k: int, *, stopped: bool
) -> Meeting:
    J_inv, Psi = jacobians_at(assembly, state)
    twist = gives_way(assembly, J_inv, Psi)
    value = float(holding(assembly.scales, J_inv, Psi).type_2)
    sample, time = places.sample(b, k), places.time(k)
    where = f"sample {index(sample)}" + ("" if time is None else f" ({time:g} s)")
    if value >= NEAR * usual(assembly):
        sentence = (
            f"{where}: no pose continues the motion, and no singularity explains it; the nearest "
            f"state reached has smallest singular value {value:.2g}"
        )
        return Meeting(sample, time, value, twist, stopped, sentence)
    what = "no pose continues the motion: two assembly modes meet before it"
    if not stopped:
        what = "two assembly modes nearly meet"
    sentence = (
        f"{where}: {what} (Type 2, smallest singular value {value:.2g}); with all motors locked "
        f"the platform can still {motion(twist, state.T_0p[:3, 3], assembly.length)}"
    )
    return Meeting(sample, time, value, twist, stopped, sentence)


def lost(assembly: Assembly, meeting: Meeting) -> GoughError:
    """The error about a motion that no pose continues."""
    where = meeting.sample[0] if len(meeting.sample) == 1 else meeting.sample
    if meeting.smallest >= NEAR * usual(assembly):
        return UnreachablePose(
            f"{assembly.robot.name}: {meeting.sentence}",
            hint="Likely: motor positions that do not fit together; look at what there is with "
            "on_error='nan'.",
            sample=where,
            meeting=meeting,
        )
    return SingularPose(
        f"{assembly.robot.name}: {meeting.sentence}",
        hint="Likely: the motors would tear the machine apart there; plan another way, or look at "
        "what there is with on_error='nan'.",
        kind="Type 2",
        sample=where,
        condition=1.0 / max(meeting.smallest, 1e-300),
        motion=meeting.twist,
        meeting=meeting,
    )


def told(meetings: Sequence[Meeting]) -> str:
    """The text of a warning."""
    first, *more = meetings
    return first.sentence + (f"; and {len(more)} more in Track.meetings" if more else "")
