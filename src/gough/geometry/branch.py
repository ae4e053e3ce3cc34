"""Whether one assembled state continues another, or has jumped to a different branch."""

from __future__ import annotations

import numpy as np

from gough.base.batch import check_pose
from gough.errors import InputError, shown
from gough.geometry.newton import State
from gough.mechanism.closure.dense import scaled_legs
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly

# a screw that turns further than this between two states may have skipped a thread
_LARGEST_SCREW = 1.0

# what an assembled state may be open by, natural units
_OPEN = 1e-6


def continues(assembly: Assembly, a: State, b: State) -> bool:
    """No leg has passed a singularity between near states, and no screw has skipped a thread."""
    before, after = (assembly.equations(*state) for state in (a, b))
    return screws_follow(before, after) and not passed_legs(assembly, before, after)


def passed_legs(assembly: Assembly, before: Equations, after: Equations) -> list[str]:
    """Names of the legs that have passed a singularity between two near states.

    A leg's Jacobian changes the sign of its determinant where the leg is stretched out or folded.
    """
    pairs = zip(*(scaled_legs(at, assembly.length) for at in (before, after)), strict=True)
    legs = zip(assembly.topology.legs, pairs, strict=True)
    return [leg.name for leg, pair in legs if not same_side(*pair)]


def same_side(before: np.ndarray, after: np.ndarray) -> bool:
    """Whether no singularity lies between two near matrices with at least as many rows as columns.

    The sum of the products of all their minors (Cauchy and Binet): no rows need to be chosen.
    """
    if before.shape[0] < before.shape[1]:
        return True
    return bool(np.linalg.slogdet(before.T @ after)[0] >= 0.0)


def screws_follow(before: Equations, after: Equations) -> bool:
    """No screw that closes a loop has turned so far that it may have skipped a thread."""
    return all(
        abs(n.p[2] - m.p[2]) <= _LARGEST_SCREW * abs(m.pitch)
        for m, n in zip(before.all_loop_joints, after.all_loop_joints, strict=True)
        if m.kind == "helical"
    )


def as_branch(assembly: Assembly, value: object, name: str = "branch") -> State | None:
    """An assembled state that picks postures of the legs: a state, a mode that has one, or none.

    Raises:
        InputError: it is none, or not one of this robot.
    """
    if value is None:
        return None
    state = getattr(value, "branch", value)
    if not isinstance(state, State):
        raise InputError(
            f"{name}: expected the branch of a mode, got {shown(value)}",
            hint="direct_geometry(robot, q_a)[0].branch is one.",
            argument=name,
        )
    check_pose(state.T_0p, name)
    given, own = (
        [[at.shape for at in tree] for tree in configuration.trees]
        for configuration in (state.configuration, assembly.home)
    )
    if given != own or assembly.closure_error(assembly.equations(*state)) > _OPEN:
        raise InputError(
            f"{name}: not an assembled state of {assembly.robot.name}",
            hint="Likely: the branch of another robot.",
            argument=name,
        )
    return state
