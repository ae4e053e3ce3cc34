"""``gough.nearest_type_2``: the Type 2 pose that is nearest in the robot's freedoms.

Rays from the pose, and a lattice around it, find places on the singular surface; from there the
distance to the pose is minimised along the surface ("slides").
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from gough.base.arguments import number, switch, whole
from gough.base.english import plain
from gough.base.progress import Progress, reporter
from gough.base.result import Result
from gough.errors import InputError
from gough.geometry.newton import AssembledState
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.singularity.found import FreeMotion, free_motion, in_words
from gough.singularity.lattice import CELLS, Lattice
from gough.singularity.neighbourhood import Neighbourhood, Place
from gough.singularity.state import TOLERANCE, StateSingularity, checked_length, state_at
from gough.singularity.surface import ROUGH, slide, surface_at
from gough.states.state import one_pose

if TYPE_CHECKING:
    from gough.singularity.stroke.result import TypeTwoInStroke

RADIUS = 2.0
"""Radius of the search, in units of the declared length."""

# Lengths are in natural units.  A step of a ray is 0.6 of the way to where the singular value would
# vanish, within these bounds: Newton's method can follow the larger, and with the smaller a ray
# does not creep towards the surface but crosses it.
_SMALL_STEP, _LARGE_STEP = 0.04, 0.25
_TRIED, _FINISHED = 6, 2  # places from which slides start, and slides that run to the end
_APART = 0.2  # places nearer to one another than a large step lead to the same minimum
_BETWEEN = {1: 0, 2: 0, 3: 4}  # rays between the freedoms; as many go the other way; lattices help
_MORE_BETWEEN = 10
_STEPS = 120  # of a ray: enough for a radius of two in small steps, bent once
_BENDS = 1  # of a ray at a Type 1 singularity
_HEAD_ON = 0.05  # part of a ray's direction along the singularity; less, it meets it head-on
_AWAY = 0.2  # slope by which a bent ray leaves the singularity, so that it does not touch it again
_MET = 1e-10  # singular value of a place on the surface: far below the tolerance of 1e-6
_ROUNDING = 1e-14  # distance between two places that rounding makes one


@dataclass(frozen=True, eq=False, kw_only=True)
class NearestTypeTwo(Result):
    """The nearest Type 2 pose within a radius.

    Attributes:
        found: whether there is one within the radius.
        distance: from the pose, in the robot's freedoms [m]: the root of the sum of squares of
            displacements and of ``length`` times rotations; the radius if none was found.
        radius: of the search [m].
        length: characteristic length, by which a radian is converted [m].
        freedoms: their names.
        displacement: of the freedoms, from the pose ``(n,)`` [m, rad]; rotations as a vector.
        T_0p: the singular pose.
        free: motions of the platform there with all motors held.
        branch: the assembled state there.
        rays, met: how many ways were tried from the pose, and how many met a singularity.
        blocked: how many ended at the border of reach or at a Type 1 singularity.
        places: number of lattice places examined besides, which go round what blocks a ray; 0 for
            one freedom and for more than three, whose rays are bent instead.
        agreed: slides that led to this pose or beside it, of those that arrived.
        sentence: all this in words.
    """

    found: bool = False
    distance: float
    radius: float
    length: float
    freedoms: tuple[str, ...]
    displacement: np.ndarray | None = None
    T_0p: np.ndarray | None = None
    free: FreeMotion | None = None
    branch: AssembledState | None = None
    rays: int = 0
    met: int = 0
    blocked: int = 0
    places: int = 0
    agreed: tuple[int, int] = (0, 0)
    sentence: str = ""

    def lines(self) -> list[tuple[str, str]]:
        """What was found, in words."""
        return [("nearest Type 2", self.sentence)]

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain words, numbers and lists."""
        found = {name: value for name, value in vars(self).items() if name != "branch"}
        return dict(plain({**found, "free": None if self.free is None else self.free.to_dict()}))


@overload
def nearest_type_2(
    robot: Robot,
    state: Any = None,
    *,
    within_limits: Literal[True],
    length: float | None = None,
    radius: None = None,
    tolerance: float = TOLERANCE,
    starts: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> TypeTwoInStroke: ...
@overload
def nearest_type_2(
    robot: Robot,
    state: Any = None,
    *,
    within_limits: bool = False,
    length: float | None = None,
    radius: float | None = None,
    tolerance: float = TOLERANCE,
    starts: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> NearestTypeTwo: ...
def nearest_type_2(
    robot: Robot,
    state: Any = None,
    *,
    within_limits: bool = False,
    length: float | None = None,
    radius: float | None = None,
    tolerance: float = TOLERANCE,
    starts: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> NearestTypeTwo:
    """The Type 2 pose nearest to a pose, or the smallest measure within the limits of all joints.

    The squared distance is ``|dx|^2 + length^2 |dphi|^2`` in the independent coordinates.  It is a
    search: rays in many directions, for two and three freedoms a lattice of places, then the
    shortest distance along the surface from some of the places found; ``rays``, ``met``, ``places``
    and ``agreed`` count them.  No leg passes a Type 1 singularity on the way.

    With ``within_limits`` the whole stroke is searched that the position limits of motors, passive
    joints and balls (tilt) allow and that is connected with the pose: the corners of the motors'
    stroke and further goals in it are followed one by one, and from where these ways end the
    measure of Type 2 is descended between all limits.  Motors may stretch a leg out (Type 1) and
    go on; they never pass a Type 2 singularity.  This too is a search: it gives the smallest
    measure found, and how many ways were followed.

    Args:
        robot: the machine; in another working mode :meth:`gough.Robot.rehomed` there.
        state: one pose of the platform ``(4, 4)``, or a :class:`gough.State`; home if not
            given.
        within_limits: whether to search the stroke of the motors instead of a radius.
        length: characteristic length, by which a radian is converted to metres [m]; the robot's own
            if not given.
        radius: of the search [m]; twice the length if not given.
        tolerance: smallest singular value, natural units, that is not taken for zero.
        starts: with ``within_limits``, number of goals within the stroke besides its corners; 200
            if not given.
        seed: of these goals: the same seed gives the same answer.
        progress: called with the share done, 0 to 1, with ``within_limits``.

    Returns:
        A :class:`NearestTypeTwo`: the singular pose, its distance, and its free motion; with
        ``within_limits`` one that has the smallest measure, the motors there and all corners too.

    Raises:
        InputError: with ``within_limits``, a motor without position limits, or a start outside
            limits.
    """
    pose = None if state is None else one_pose(state, robot)
    assembly = assembled_by_pose(robot)
    inside = switch(within_limits, "within_limits")
    report, chosen = reporter(progress), whole(seed, "seed", least=0)
    goals = None if starts is None else whole(starts, "starts", least=0)
    if inside and radius is not None:
        raise InputError("within_limits takes no radius: limits bound it", argument="radius")
    if goals is not None and not inside:
        raise InputError("starts needs within_limits=True", argument="starts")
    unit = checked_length(assembly, length)
    reach = RADIUS if radius is None else number(radius, "radius", positive=True) / unit
    T = assembly.T_home if pose is None else pose
    least = number(tolerance, "tolerance", positive=True)
    look = StateSingularity(assembly, state_at(assembly, T), unit, least)
    if inside:
        from gough.singularity.stroke.search import STARTS, search  # noqa: PLC0415  it is a result of this kind

        return search(look, STARTS if goals is None else goals, chosen, report)
    return nearest_from(look, reach)


def nearest_from(look: StateSingularity, reach: float = RADIUS) -> NearestTypeTwo:
    """The nearest Type 2 pose of a state; ``reach`` is the radius in units of the look's length."""
    around = Neighbourhood(look)
    if not look.wanted or look.type_2 <= look.tolerance:
        return _answer(look, around.start if look.wanted else None, reach)
    if look.type_1 <= look.tolerance or look.twists.shape[1] != look.assembly.mobility:
        # on a Type 1 or constraint singularity the sides of the surface cannot be distinguished
        return _answer(look, None, reach)
    met, blocked, rays = _along_rays(around, reach)
    lattice = Lattice(around, min([reach, *(p.distance for p in met)]))
    behind = _behind(around, lattice)
    rough = [slide(around, place, ROUGH) for place in _apart([*met, *behind])]
    ends = sorted([end for end in rough if end is not None], key=lambda p: p.distance)
    # the slides that lead nearest run to the end
    ends = [(slide(around, end) or end) if i < _FINISHED else end for i, end in enumerate(ends)]
    # a meeting is singular itself, should no slide arrive
    found = (*ends, *met, *behind)
    settled = [p for p in found if p.look.type_2 <= look.tolerance and p.distance <= reach]
    best = min(settled, key=lambda p: p.distance, default=None)
    same = sum(best is not None and bool(np.linalg.norm(p.x - best.x) < _APART) for p in ends)
    return _answer(
        look,
        best,
        reach,
        rays=rays,
        met=len(met),
        blocked=blocked,
        places=len(lattice.places) - 1,
        agreed=(same, len(ends)),
    )


def _behind(around: Neighbourhood, lattice: Lattice) -> list[Place]:
    """The nearest places of the lattice on the singular surface."""
    if not around.look.square:
        return lattice.low_places[:_TRIED]
    pairs = sorted(lattice.pairs, key=lambda pair: pair.distance)[: 2 * _TRIED]
    return [_refined(around, *pair) for pair in pairs]


def _apart(met: list[Place]) -> list[Place]:
    """Places on the surface from which slides start: the nearest first, no two near each other."""
    found: list[Place] = []
    for place in sorted(met, key=lambda p: p.distance):
        if all(np.linalg.norm(place.x - other.x) > _APART for other in found):
            found.append(place)
    return found[:_TRIED]


def _along_rays(around: Neighbourhood, reach: float) -> tuple[list[Place], int, int]:
    """Places where rays meet the singular surface, and how many ended before."""
    met: list[Place] = []
    blocked = 0
    directions = _directions(around)
    for d in directions:
        # what is farther than the nearest so far only starts a slide
        bound = min([reach, *(1.5 * p.distance for p in met)])
        place, hindered = _march(around, d, bound)
        blocked += hindered
        if place is not None:
            met.append(place)
    return met, blocked, len(directions)


def _directions(around: Neighbourhood) -> np.ndarray:
    """Unit displacements: down the smallest singular value, along freedoms, and some between."""
    n = len(around.start.x)
    rng = np.random.default_rng(1990)
    between = rng.normal(size=(_BETWEEN.get(n, _MORE_BETWEEN), n))
    found = np.vstack([np.eye(n), -np.eye(n), between, -between])
    surface = surface_at(around, around.start)
    if surface is not None and np.linalg.norm(surface.G[0]) > 0.0:
        found = np.vstack([-surface.G[:1], surface.G[:1], found])
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def _march(around: Neighbourhood, d: np.ndarray, reach: float) -> tuple[Place | None, bool]:
    """Where a ray meets the surface; without a determinant, its place with the least ``type_2``.

    A ray that ends at a Type 1 singularity is continued along it.
    """
    here = around.start
    lowest, step, bends = here, _SMALL_STEP, 0
    for _ in range(_STEPS):
        if here.distance >= reach:
            break
        there = around.step(here, here.x + min(step, reach - here.distance + 1e-12) * d)
        if there is None:
            if step > _SMALL_STEP / 4.0:
                step /= 4.0
                continue
            bent = _bent(around, here, d) if bends < _BENDS else None
            if bent is None:
                return _bottom(around, lowest), True
            d, step, bends = bent, _SMALL_STEP, bends + 1
            continue
        if here.signed * there.signed <= 0.0 and here.look.square:
            return _refined(around, here, there), False
        slope = (there.look.type_2 - here.look.type_2) / max(
            float(np.linalg.norm(there.x - here.x)), 1e-9
        )
        falls = slope < 0.0
        step = 0.6 * there.look.type_2 / -slope if falls else _LARGE_STEP
        step = float(np.clip(step, _SMALL_STEP, _LARGE_STEP))
        here = there
        lowest = min(lowest, here, key=lambda p: p.look.type_2)
    return _bottom(around, lowest), bends > 0


def _bent(around: Neighbourhood, here: Place, d: np.ndarray) -> np.ndarray | None:
    """The direction along a Type 1 singularity and a little away from it, if it goes outwards."""
    if len(d) in CELLS:
        return None  # the lattice goes round it
    away = around.barrier(here)
    if away is None:
        return None
    along = d - (d @ away) * away
    size = np.linalg.norm(along)
    if size < _HEAD_ON:
        return None
    return np.asarray((along / size + _AWAY * away) / np.hypot(1.0, _AWAY))


def _bottom(around: Neighbourhood, lowest: Place) -> Place | None:
    """A start for the slide where rays miss the surface: more motors than freedoms."""
    return None if lowest is around.start or lowest.look.square else lowest


def _refined(around: Neighbourhood, low: Place, high: Place) -> Place:
    """The place on the surface between two on either side, by the rule of false position."""
    best = min(low, high, key=lambda p: p.look.type_2)
    for k in range(60):
        share = low.signed / (low.signed - high.signed) if k % 3 != 2 else 0.5
        middle = around.step(best, low.x + share * (high.x - low.x))
        if middle is None:
            return best
        best = min(best, middle, key=lambda p: p.look.type_2)
        if best.look.type_2 < _MET or np.linalg.norm(high.x - low.x) < _ROUNDING:
            break
        if low.signed * middle.signed <= 0.0:
            high = middle
        else:
            low = middle
    return best


def _answer(
    look: StateSingularity, place: Place | None, reach: float, **how: Any
) -> NearestTypeTwo:
    """The result with the place that was found, or without one, and the counts of the search."""
    a, L = look.assembly, look.length
    answer = NearestTypeTwo(
        distance=reach * L, radius=reach * L, length=L, freedoms=a.freedoms, **how
    )
    if place is None:
        return replace(answer, sentence=_missed(look, answer))
    there, displacement = place.look, place.x * look.scales.freedoms
    free = there.free_twists if there.free_twists.shape[1] else there.softest[:, None]
    distance = place.distance * L
    words = in_words(there, free)
    if distance == 0.0:
        sentence = f"the pose itself is of Type 2: the platform can {words}"
    else:
        moved = ", ".join(
            f"{name} {value:.3g}" for name, value in zip(a.freedoms, displacement, strict=True)
        )
        sentence = (
            f"the nearest Type 2 pose found is {distance:.4g} m away (1 rad counts {L:.4g} m), by "
            f"{moved}: there the platform can {words}"
        )
    return replace(
        answer,
        found=True,
        distance=distance,
        displacement=displacement,
        T_0p=there.state.T_0p,
        free=free_motion(free[:, 0], there.state.T_0p[:3, 3], L),
        branch=there.state,
        sentence=sentence,
    )


def _missed(look: StateSingularity, answer: NearestTypeTwo) -> str:
    """Why there is no place."""
    if not look.wanted:
        return "there is nothing for motors to control"
    if look.type_1 <= look.tolerance:
        return "not looked for: the pose itself is a Type 1 singularity"
    if look.twists.shape[1] != look.assembly.mobility:
        return "not looked for: the pose itself is a constraint singularity"
    return (
        f"no Type 2 pose was found within {answer.radius:.4g} m (1 rad counts {answer.length:.4g} "
        f"m), along {answer.rays} ways, {answer.blocked} of which meet the border of reach"
        + (f", and at {answer.places} places around" if answer.places else "")
    )
