"""The search for Type 2 singularities within the stroke of the motors.

The corners of the stroke and further goals in it are followed straight from the start; from where
these ways end, the measure of Type 2 is descended between all limits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base.english import counted
from gough.base.progress import Progress
from gough.errors import InputError
from gough.geometry.newton import AssembledState
from gough.mechanism.mobility.chart import Chart
from gough.modes.driven import check_motors
from gough.singularity.found import free_motion, in_words
from gough.singularity.state import StateSingularity
from gough.singularity.stroke.descent import ROUGH, Descended, descended
from gough.singularity.stroke.places import INSIDE, Measured, Places, Stroke
from gough.singularity.stroke.result import Corner, TypeTwoInStroke
from gough.singularity.stroke.ways import REACHED, TYPE_2, Ways, followed

STARTS = 200
"""Goals within the stroke besides its corners."""

_MOST_CORNERS = 256  # followed; of more, so many are chosen at random
_MARGIN = 0.02  # share of the stroke by which descents start inside it
_FINISHED = 24  # descents that run to the end: those that are lowest after some steps
_SAME = 0.01  # share of the smallest measure within which descents agree
_AT_LIMIT = 1e-3  # share of the stroke within which an axis is said to be at its limit


def search(look: StateSingularity, starts: int, seed: int, progress: Progress) -> TypeTwoInStroke:
    """The smallest measure of Type 2 within the limits of all axes, connected with a state.

    Args:
        look: the state to start from, with length and tolerance.
        starts: number of goals within the stroke, besides its corners.
        seed: of these goals.
        progress: called with the share done.
    """
    stroke = _checked(look)
    start = stroke.start(look.state)
    _check_start(stroke, start)
    seen = stroke.measured(start)
    if seen.type_2[0] <= look.tolerance:
        return _singular_start(look, stroke, start, seen)
    corners, count = _corners(stroke, seed)
    goals = np.vstack([corners, _spread(stroke, starts, seed)])
    ways = followed(stroke, start, goals, lambda x: progress(0.5 * x))
    found = _best_of(stroke, start, ways, look.tolerance)
    agreed = (0, 0)
    if found.measure > look.tolerance:
        found, agreed = _below(stroke, start, ways, found, lambda x: progress(0.5 + 0.5 * x))
    progress(1.0)
    table = _table(stroke, ways, corners)
    answer = _described(look, stroke, found, seen)
    answer = replace(
        answer,
        corners=table,
        all_corners=count,
        starts=starts,
        on_the_way=_way_words(found.way, table),
        ends={end: ways.reasons.count(end) for end in dict.fromkeys(ways.reasons)},
        stopped_by={axis: ways.axes.count(axis) for axis in dict.fromkeys(ways.axes) if axis},
        agreed=agreed,
        rays=len(goals),
        met=ways.reasons.count(TYPE_2),
        blocked=len(goals) - ways.reasons.count(REACHED) - ways.reasons.count(TYPE_2),
    )
    return replace(answer, sentence=_verdict(answer, look, stroke, found))


def _singular_start(
    look: StateSingularity, stroke: Stroke, start: Places, seen: Measured
) -> TypeTwoInStroke:
    """The answer where there is nothing to search for: no way leads on from a singularity."""
    found = _Found(start, float(seen.type_2[0]), 0)
    answer = _described(look, stroke, found, seen)
    return replace(answer, sentence=_verdict(answer, look, stroke, found))


class _Found(NamedTuple):
    """A place, its measure, the way that led to it, its share there, whether by a descent."""

    place: Places
    measure: float
    way: int
    share: float = 0.0
    below: bool = False


def _checked(look: StateSingularity) -> Stroke:
    """The machine between its limits, or an error that names the motors without any."""
    assembly = look.assembly
    robot = assembly.robot
    check_motors(assembly)
    bare = [name for name in robot.motors if robot.axis(name).limits.position is None]
    if bare:
        names = ", ".join(repr(name) for name in bare)
        raise InputError(
            f"{robot.name}: {counted(len(bare), 'motor')} without position limits: {names}; the "
            "stroke that should be searched has no bounds",
            hint="In the robot's file: limits: {position: [lowest, highest]} at these joints; in "
            "Python: Axis(limits=Limits(position=(lowest, highest))).",
            argument="robot",
            motors=tuple(bare),
        )
    if look.twists.shape[1] != assembly.mobility:
        raise InputError(
            f"{robot.name}: the search cannot start in a constraint singularity",
            hint="Give another pose, T_0p=...",
            argument="T_0p",
        )
    return Stroke(assembly, look.length)


def _check_start(stroke: Stroke, start: Places) -> None:
    over = stroke.beyond(start)[0]
    worst = int(np.argmax(over))
    if over[worst] > INSIDE:
        name, q = stroke.names[worst], start.q[0, worst]
        low, high = stroke.low[worst], stroke.high[worst]
        raise InputError(
            f"{stroke.assembly.robot.name}: the start has {name} = {q:.6g}, outside its limits "
            f"[{low:g}, {high:g}]",
            hint="Mend the limits, or give a pose within them, T_0p=...",
            argument="T_0p",
            axis=name,
        )


def _corners(stroke: Stroke, seed: int) -> tuple[np.ndarray, int]:
    """Corners of the stroke ``(K, n)``, and how many there are."""
    low, high = stroke.low[stroke.lead], stroke.high[stroke.lead]
    n = len(low)
    count = 2**n
    if count <= _MOST_CORNERS:
        which = np.arange(count)
    else:
        which = np.random.default_rng(seed).choice(count, _MOST_CORNERS, replace=False)
    signs = (which[:, None] >> np.arange(n)[::-1]) & 1
    return np.where(signs == 1, high, low), count


def _spread(stroke: Stroke, count: int, seed: int) -> np.ndarray:
    """Goals spread evenly within the stroke ``(K, n)`` (additive recurrence, Roberts 2018)."""
    low, high = stroke.low[stroke.lead], stroke.high[stroke.lead]
    n = len(low)
    ratio = 2.0
    for _ in range(40):  # the positive root of x^(n + 1) = x + 1
        ratio = (1.0 + ratio) ** (1.0 / (n + 1))
    shift = np.random.default_rng(seed).random(n)
    share = (shift + np.arange(1, count + 1)[:, None] * ratio ** -np.arange(1.0, n + 1)) % 1.0
    return np.asarray(low + (_MARGIN + (1.0 - 2.0 * _MARGIN) * share) * (high - low))


def _best_of(stroke: Stroke, start: Places, ways: Ways, tolerance: float) -> _Found:
    """The smallest measure on all ways; of several zeros, the one nearest the start."""
    zero = np.array([reason == TYPE_2 for reason in ways.reasons])
    zero &= ways.smallest <= tolerance
    if zero.any():
        k = _nearest(stroke, start, ways.lowest, zero)
    else:
        k = int(np.argmin(ways.smallest))
    return _Found(ways.lowest.at([k]), float(ways.smallest[k]), k, float(ways.share[k]))


def _nearest(stroke: Stroke, start: Places, places: Places, among: np.ndarray) -> int:
    """Which of some places needs the smallest share of the stroke, whichever motor that is."""
    own = slice(0, stroke.m)
    span = np.maximum((stroke.high - stroke.low)[own], 1e-300)
    share = (np.abs(places.q - start.q)[:, own] / span).max(axis=1)
    return int(np.argmin(np.where(among, share, np.inf)))


def _below(
    stroke: Stroke, start: Places, ways: Ways, lowest: _Found, progress: Progress
) -> tuple[_Found, tuple[int, int]]:
    """The smallest measure after descents from where the ways end, and how many agree."""
    own = slice(0, stroke.m)
    inside = ways.ends.q[:, own] + _MARGIN * (start.q - ways.ends.q)[:, own]
    drawn = followed(stroke, ways.ends, inside[:, stroke.lead], lambda _: None)
    # the lowest place of all ways may lie in the middle of one
    at = Places(*(np.concatenate(pair) for pair in zip(drawn.ends, lowest.place, strict=True)))
    numbers = np.append(np.arange(len(inside)), lowest.way)
    kept = np.flatnonzero(stroke.beyond(at).max(axis=1) <= 0.0)
    if not len(kept):
        return lowest, (0, 0)
    rough = descended(stroke, at.at(kept), lambda x: progress(0.6 * x), ROUGH)
    first = np.argsort(rough.measure, kind="stable")[:_FINISHED]
    ends = descended(stroke, rough.places.at(first), lambda x: progress(0.6 + 0.4 * x))
    k = _chosen(stroke, start, ends)
    least = float(ends.measure[k])
    agreed = int((ends.measure <= (1.0 + _SAME) * least + INSIDE).sum()), len(first)
    if least >= lowest.measure:
        return lowest, agreed
    way = int(numbers[kept[first[k]]])
    return _Found(ends.places.at([k]), least, way, below=True), agreed


def _chosen(stroke: Stroke, start: Places, ends: Descended) -> int:
    zero = ends.measure <= INSIDE
    return (
        _nearest(stroke, start, ends.places, zero) if zero.any() else int(np.argmin(ends.measure))
    )


def _table(stroke: Stroke, ways: Ways, corners: np.ndarray) -> tuple[Corner, ...]:
    """Every corner and what became of the way to it."""
    signs = np.full((len(corners), stroke.m), ".")
    signs[:, stroke.lead] = np.where(corners == stroke.high[stroke.lead], "+", "-")
    return tuple(
        Corner(
            "".join(signs[k]),
            ways.ends.q[k, : stroke.m].copy(),
            ways.reasons[k],
            ways.axes[k],
            float(np.clip(ways.share[k], 0.0, 1.0)),
            float(ways.smallest[k]),
        )
        for k in range(len(corners))
    )


def _way_words(k: int, table: tuple[Corner, ...]) -> str:
    """The corner, or the number of the start."""
    return f"corner {table[k].corner}" if k < len(table) else f"start {k - len(table) + 1}"


def _described(
    look: StateSingularity, stroke: Stroke, found: _Found, seen: Measured
) -> TypeTwoInStroke:
    """The result with what is known of the place alone."""
    a, L = look.assembly, look.length
    state = stroke.state(found.place, 0)
    there = StateSingularity(a, state, L, look.tolerance)
    moved = _displacement(look.state, state)[list(a.free)]
    natural = moved / look.scales.freedoms
    free = there.free_twists if there.free_twists.shape[1] else there.softest[:, None]
    return TypeTwoInStroke(
        found=found.measure <= look.tolerance,
        measure=found.measure,
        at_start=float(seen.type_2[0]),
        distance=float(np.linalg.norm(natural)) * L,
        radius=np.inf,
        length=L,
        freedoms=a.freedoms,
        displacement=moved,
        T_0p=state.T_0p,
        free=free_motion(free[:, 0], state.T_0p[:3, 3], L),
        branch=state,
        q_a=found.place.q[0, : stroke.m].copy(),
        motors=a.robot.motors,
        at_limits=_at_limits(stroke, found.place),
    )


def _displacement(one: AssembledState, other: AssembledState) -> np.ndarray:
    """Way of the platform between two states, position and rotation vector ``(6,)`` [m, rad]."""
    chart = Chart(one.T_0p[:3, :3])
    return np.asarray(chart.coordinates(other.T_0p) - chart.coordinates(one.T_0p))


def _at_limits(stroke: Stroke, place: Places) -> dict[str, str]:
    """Axes that are at a limit, and at which."""
    found = {}
    for i, name in enumerate(stroke.names):
        q, low, high = place.q[0, i], stroke.low[i], stroke.high[i]
        span = _AT_LIMIT * (high - low) if np.isfinite(high - low) else _AT_LIMIT * stroke.scales[i]
        if min(q - low, high - q) <= span:
            found[name] = "lowest" if q - low < high - q else "highest"
    return found


def _verdict(answer: TypeTwoInStroke, look: StateSingularity, stroke: Stroke, found: _Found) -> str:
    """What was found, in a sentence; never that a stroke is free of singularities."""
    where = ", ".join(f"{n} {q:.4g}" for n, q in zip(answer.motors, answer.q_a, strict=True))
    if answer.found:
        there = StateSingularity(look.assembly, stroke.state(found.place, 0), look.length)
        free = there.free_twists if there.free_twists.shape[1] else there.softest[:, None]
        if answer.distance <= INSIDE:
            return (
                f"singular within the stroke: the start itself is of Type 2, at {where}: the "
                f"platform can {in_words(there, free)}"
            )
        way = f"on the way to {answer.on_the_way}, at {100.0 * found.share:.3g} % of it"
        how = f"met on the descent from {answer.on_the_way}" if found.below else f"first met {way}"
        return (
            f"singular within the stroke: Type 2 at {where}, {how}: there the platform can "
            f"{in_words(there, free)}; {answer.searched()}"
        )
    return (
        f"no Type 2 pose was found within the stroke: the smallest measure found is "
        f"{answer.measure:.4g} ({answer.at_start:.4g} at the start), at {where}; among "
        f"{answer.searched()}; this is a search, not a proof"
    )
