"""``gough.singularities``: what kind of singularity a pose is, and what that means."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.arguments import number, switch
from gough.base.batch import OnError, check_on_error
from gough.base.english import counted, listed
from gough.errors import GoughError, InputError, reasons
from gough.evaluation.call import evaluate
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import part_names
from gough.mechanism.mobility.varying import row_pattern
from gough.robot import Robot
from gough.singularity.distances import SingularityDistances, distances_of_many, measures_of
from gough.singularity.found import (
    Constraint,
    Singularities,
    TypeOne,
    TypeTwo,
)
from gough.singularity.legs import loose_freedoms, loose_leg
from gough.singularity.state import TOLERANCE, StateSingularity, checked_length, state_at
from gough.states.state import State, as_state


def singularities(
    robot: Robot,
    state: Any,
    *,
    length: float | None = None,
    distance: bool = False,
    tolerance: float = TOLERANCE,
    on_error: OnError = "raise",
) -> Singularities | SingularityDistances:
    """What kind of singularity a pose is or is near to, with numbers and in words.

    Every pose that can be assembled is answered, also one exactly on a singularity.  For numbers
    along a motion take :func:`gough.singularities_along`, over a grid :func:`gough.workspace`.

    Args:
        robot: the machine; on another branch :meth:`gough.Robot.rehomed` there.
        state: pose of the platform ``(..., 4, 4)``, or a :class:`gough.State`.
        length: what a metre is counted in beside a radian [m]; the robot's own size if not given.
        distance: whether to look for the nearest Type 2 pose too, which takes a second.
        tolerance: singular values below it count as zero; 1e-6, as joints at the border of reach
            are known to the root of the rounding only.
        on_error: ``"raise"``, or ``"nan"`` in the states of a batch that cannot be assembled.

    Returns:
        Of one state :class:`gough.Singularities`, in words; of a batch
        :class:`gough.SingularityDistances`, arrays, of which ``found[k]`` is in words.

    Raises:
        UnreachablePose, InconsistentPose: the machine cannot be assembled there.
        InputError: no pose, or ``distance`` of several.
    """
    x, assembly = as_state(state, robot), assembled_by_pose(robot)
    unit = checked_length(assembly, length)
    least = number(tolerance, "tolerance", positive=True)
    distance = switch(distance, "distance")
    check_on_error(on_error)
    if x.shape and distance:
        raise InputError(
            f"distance looks for the nearest Type 2 pose of one state, not of {x.shape}",
            hint="Call it for each pose, or gough.nearest_type_2.",
            argument="distance",
        )
    T = x.T_0p
    if x.shape:
        return distances_of_many(robot, assembly, T, unit, least, on_error)
    found = None if distance else _by_program(assembly, x, unit, least)
    if found is not None:
        return found
    look = StateSingularity(assembly, state_at(assembly, T), unit, least)
    return explained(look, distance=distance)


def _by_program(
    assembly: Assembly, state: State, length: float, tolerance: float
) -> Singularities | None:
    """A regular state by the program of its distances; ``None`` where it is not, or may not be."""
    try:
        with reasons(False):
            J_inv, Psi, entries = evaluate(assembly.robot, "distances", state)
    except GoughError:
        return None
    rows = row_pattern(assembly).rows(entries)
    judged = {"J_inv": J_inv, "Psi": Psi, "closure_rows": rows}
    seen = measures_of(assembly, judged, length)
    regular = min(seen.type_1, seen.type_2, seen.constraint) > tolerance
    if not regular or len(assembly.modes) > 1:
        return None
    look = StateSingularity(assembly, state.T_0p, length, tolerance)
    legs = dict(zip(part_names(assembly), seen.legs.tolist(), strict=True))
    mobility = assembly.mobility
    return Singularities(
        robot=assembly.robot.name,
        T_0p=state.T_0p,
        length=length,
        tolerance=tolerance,
        type_1=TypeOne(float(seen.type_1), legs, float(seen.freedoms), ()),
        type_2=TypeTwo(float(seen.type_2), float(seen.condition), float(seen.sign), False, look),
        constraint=Constraint(float(seen.constraint), mobility, mobility, False, look),
    )


def explained(look: StateSingularity, *, distance: bool = False) -> Singularities:
    """A state that has been looked at, in numbers and words."""
    from gough.singularity.nearest import nearest_from  # noqa: PLC0415  it explains what it finds

    return Singularities(
        robot=look.assembly.robot.name,
        T_0p=look.state.T_0p,
        length=look.length,
        tolerance=look.tolerance,
        type_1=_type_1(look),
        type_2=_type_2(look),
        constraint=_constraint(look),
        remarks=tuple(_remarks(look)),
        nearest=nearest_from(look) if distance else None,
    )


def _type_1(look: StateSingularity) -> TypeOne:
    loose = [
        loose_leg(look, part.name, u)
        for part in look.loose
        if part.smallest <= look.tolerance
        for u in part.motions.T
    ]
    if look.seen.smallest <= look.tolerance:
        loose += loose_freedoms(look)
    return TypeOne(
        smallest=look.type_1,
        legs={part.name: part.smallest for part in look.loose},
        freedoms=look.seen.smallest,
        loose=tuple(loose),
    )


def _type_2(look: StateSingularity) -> TypeTwo:
    singular = look.is_type_2
    condition, sign = (np.inf, 0.0) if singular else (look.condition, look.sign)
    return TypeTwo(look.type_2, condition, sign, singular, look)


def _constraint(look: StateSingularity) -> Constraint:
    here, usual = look.twists.shape[1], look.assembly.mobility
    # a stretched leg takes a freedom away, which hides one that others give
    singular = here > usual or (usual < 6 and look.constraint <= look.tolerance)
    return Constraint(look.constraint, here, usual, singular, look)


def _remarks(look: StateSingularity) -> list[str]:
    a, found = look.assembly, []
    here = look.twists.shape[1]
    if len(a.modes) > 1:
        found.append(
            f"modes of motion with {listed([str(m) for m in a.modes])} freedoms meet near home"
        )
    if here < a.mobility and look.type_1 > look.tolerance:
        found.append(f"the platform has {counted(here, 'freedom')} here, near home {a.mobility}")
    if look.seen.smallest <= look.tolerance:
        found.append(
            f"the freedoms {', '.join(a.freedoms)} do not describe the platform's motion here, "
            "though the machine itself is as free as elsewhere"
        )
    return found
