"""Where assembly modes meet along a motion of the motors, found and put into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.english import motion
from gough.errors import GoughError, SingularPose, UnreachablePose
from gough.geometry.newton import AssembledState
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import holding
from gough.mechanism.mobility.singular import felt_by_motors
from gough.modes.walking import NEAR, Path, jacobians_at, usual


class ModeMerge(NamedTuple):
    """Where two assembly modes meet, or nearly do: a Type 2 singularity.

    A motion that ends elsewhere, because motors do not fit together, is reported in the same way;
    its sentence says that no singularity explains it.

    Attributes:
        sample: index of the sample, with those of the batch in front.
        t: its time [s], ``None`` if times were not given.
        smallest: distance to Type 2 there, natural units; of a motion that is stopped, at the state
            nearest to where it ends.
        twist: motion that the platform has there although the motors are locked, base axes; its
            largest component is 1 rad, or the robot's length.
        stopped: whether the motion of the motors ends there, as no pose continues it.
        sentence: the same in words.
    """

    sample: tuple[int, ...]
    t: float | None
    smallest: float
    twist: np.ndarray
    stopped: bool
    sentence: str


def stops(paths: Sequence[Path], times: np.ndarray | None) -> list[ModeMerge]:
    """Where motions end, because no pose continues them."""
    ended = [(path, path.end) for path in paths if path.end is not None]
    return [_merge(path, end.state, end.sample, times, stopped=True) for path, end in ended]


def dips(paths: Sequence[Path], values: np.ndarray, times: np.ndarray | None) -> list[ModeMerge]:
    """Samples next to Type 2 singularities that motions went past: one for each stretch."""
    found = []
    for path, own in zip(paths, values, strict=True):
        low = own < NEAR * usual(path.assembly)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], low, [False]]).astype(int)))
        for begin, end in zip(edges[::2], edges[1::2], strict=True):
            k = int(begin + np.argmin(own[begin:end]))
            found.append(_merge(path, path.at(k), k, times, stopped=False))
    return found


def _merge(
    path: Path, state: AssembledState, k: int, times: np.ndarray | None, *, stopped: bool
) -> ModeMerge:
    assembly = path.assembly
    J_inv, Psi = jacobians_at(assembly, state)
    twist = gives_way(assembly, J_inv, Psi)
    value = float(holding(assembly.scales, J_inv, Psi).type_2)
    sample, time = (*path.place, k), None if times is None else float(times[k])
    where = f"sample {index(sample)}" + ("" if time is None else f" ({time:g} s)")
    if value >= NEAR * usual(assembly):
        sentence = (
            f"{where}: no pose continues the motion, and no singularity explains it; the nearest "
            f"state reached has smallest singular value {value:.2g}"
        )
        return ModeMerge(sample, time, value, twist, stopped, sentence)
    what = "no pose continues the motion: two assembly modes meet before it"
    if not stopped:
        what = "two assembly modes nearly meet"
    sentence = (
        f"{where}: {what} (Type 2, smallest singular value {value:.2g}); with all motors locked "
        f"the platform can still {motion(twist, state.T_0p[:3, 3], assembly.length)}"
    )
    return ModeMerge(sample, time, value, twist, stopped, sentence)


def gives_way(assembly: Assembly, J_inv: np.ndarray, Psi: np.ndarray) -> np.ndarray:
    """The allowed twist with the smallest motor rates; largest component 1, natural units."""
    felt, rates = felt_by_motors(assembly.scales, J_inv, Psi)
    natural = assembly.scales.twists(Psi) @ rates @ np.linalg.svd(felt)[2][-1]
    return np.asarray(natural / natural[np.argmax(np.abs(natural))] * assembly.scales.twist)


def lost(assembly: Assembly, merge: ModeMerge) -> GoughError:
    """The error about a motion that no pose continues."""
    where = merge.sample[0] if len(merge.sample) == 1 else merge.sample
    if merge.smallest >= NEAR * usual(assembly):
        return UnreachablePose(
            f"{assembly.robot.name}: {merge.sentence}",
            hint="Likely: motor positions that do not fit together; look at what there is with "
            "on_error='nan'.",
            sample=where,
            merge=merge,
        )
    return SingularPose(
        f"{assembly.robot.name}: {merge.sentence}",
        hint="Likely: the motors would tear the machine apart there; plan another way, or look at "
        "what there is with on_error='nan'.",
        kind="Type 2",
        sample=where,
        condition=1.0 / max(merge.smallest, 1e-300),
        motion=merge.twist,
        merge=merge,
    )


def sentence_of(merges: Sequence[ModeMerge]) -> str:
    """The text of a warning."""
    first, *more = merges
    return first.sentence + (f"; and {len(more)} more in Track.merges" if more else "")


def index(sample: tuple[int, ...]) -> str:
    """A sample's place as it appears in sentences."""
    return str(sample[0]) if len(sample) == 1 else str(sample)
