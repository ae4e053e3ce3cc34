"""``gough.singularities``: what kind of singularity a pose is, and what that means."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.arguments import number, switch
from gough.base.batch import OnError, check_on_error
from gough.base.english import counted, listed, motions, simplest
from gough.errors import InputError
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.singularity.distances import SingularityDistances, distances_of_many
from gough.singularity.found import (
    DUST,
    Constraint,
    FreeMotion,
    Singularities,
    TypeOne,
    TypeTwo,
    cleaned,
    free_motion,
)
from gough.singularity.legs import loose_freedoms, loose_leg
from gough.singularity.state import TOLERANCE, StateSingularity, checked_length, state_at
from gough.states.state import as_state

_ROUGH = 1e-3  # a motion that is only nearest to free is given to three digits


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
    assembly = assembled_by_pose(robot)
    unit = checked_length(assembly, length)
    least = number(tolerance, "tolerance", positive=True)
    distance = switch(distance, "distance")
    check_on_error(on_error)
    x = as_state(state, robot)
    if x.shape and distance:
        raise InputError(
            f"distance looks for the nearest Type 2 pose of one state, not of {x.shape}",
            hint="Call it for each pose, or gough.nearest_type_2.",
            argument="distance",
        )
    T = x.T_0p
    if x.shape:
        return distances_of_many(robot, assembly, T, unit, least, on_error)
    look = StateSingularity(assembly, state_at(assembly, T), unit, least)
    return explained(look, distance=distance)


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


def free_motions(look: StateSingularity, basis: np.ndarray) -> tuple[FreeMotion, ...]:
    """The simplest motions that span a space of twists (columns of 6xk)."""
    if not basis.shape[1]:
        return ()
    at = look.state.T_0p[:3, 3]
    return tuple(free_motion(V, at, look.length) for V in simplest(basis, look.length).T)


def in_words(look: StateSingularity, basis: np.ndarray) -> str:
    """``translate along x and rotate about ...``; how many, where there are several."""
    found = motions(cleaned(basis, look.length), look.state.T_0p[:3, 3], look.length)
    count = basis.shape[1]
    return listed(found) + (f" ({count} independent motions)" if count > 1 else "")


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
    a = look.assembly
    motors, n = len(a.robot.motors), a.mobility
    singular = look.is_type_2
    at, rough = look.state.T_0p[:3, 3], _ROUGH if not singular else DUST
    softest = free_motion(look.softest, at, look.length, rough) if look.softest.any() else None
    wrench = look.softest / look.scales.twist**2
    return TypeTwo(
        smallest=look.type_2,
        condition=np.inf if singular else look.condition,
        sign=0.0 if singular else look.sign,
        singular=singular,
        underactuated=max(n - motors, 0),
        free=free_motions(look, look.free_twists),
        softest=softest,
        wrench=wrench / max(float(np.linalg.norm(wrench * look.scales.twist)), 1e-300),
        efforts=look.idle_efforts,
        sentence=_type_2_sentence(look, singular, softest),
    )


def _type_2_sentence(look: StateSingularity, singular: bool, softest: FreeMotion | None) -> str:
    a = look.assembly
    motors, n = len(a.robot.motors), a.mobility
    if not n:
        return "no: the legs hold the platform"
    free = in_words(look, look.free_twists) if look.free_twists.shape[1] else ""
    few = f"{counted(motors, 'motor')} for {counted(n, 'freedom')}: underactuated in every posture"
    if singular:
        text = f"with all motors locked the platform can still {free}"
        if motors < n:
            return f"{few}, and here the motors hold even less: {text}"
        if a.motor_rank < n:
            return f"{text}; the motors do not control it in any posture"
        return text
    if softest is None:
        return f"{few}; the platform can {free}"
    figures = f"smallest singular value {look.type_2:.3g}, condition {look.condition:.3g}"
    if motors < n:
        return f"{few}; with all motors locked the platform can {free} ({figures})"
    return f"no: {figures}; the motion that the motors feel least: to {softest.words}"


def _constraint(look: StateSingularity) -> Constraint:
    here, usual = look.twists.shape[1], look.assembly.mobility
    # a stretched leg takes a freedom away, which hides one that others give
    singular = here > usual or (usual < 6 and look.constraint <= look.tolerance)
    if usual == 6:
        sentence = "no: the legs leave the platform all six freedoms"
    elif not singular:
        sentence = f"no: smallest singular value {look.constraint:.3g}"
    else:
        sentence = (
            f"the legs allow the platform {counted(here, 'freedom')} here, elsewhere {usual}: to "
            f"first order it can {in_words(look, look.twists * look.scales.twist[:, None])}"
        )
        if look.free_twists.shape[1]:
            sentence += f"; with all motors locked it can still {in_words(look, look.free_twists)}"
    return Constraint(
        smallest=look.constraint,
        mobility=here,
        usual=usual,
        singular=singular,
        allowed=free_motions(look, look.twists * look.scales.twist[:, None]),
        sentence=sentence,
    )


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
