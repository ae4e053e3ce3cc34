"""Whether one assembled state continues another, or has jumped to a different branch."""

from __future__ import annotations

import numpy as np

from gough.base.batch import check_pose
from gough.errors import InputError, shown
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.dense import scaled_legs
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly

LARGEST_SCREW = 1.0
"""Most that a screw may turn between two near states [rad]: beyond, it may have skipped a thread.

Solutions of its closure rows are one turn, 2 pi, apart.
"""

# Residual up to which a given state counts as assembled, natural units: it may have been stored
# with fewer digits, and Newton's method closes it from there.
_OPEN = 1e-6


def continues(assembly: Assembly, a: AssembledState, b: AssembledState) -> bool:
    """Whether no leg has passed a singularity, and no screw skipped a thread, between near states.

    Then both are in the same working mode.
    """
    before, after = (assembly.equations(*state) for state in (a, b))
    return screws_follow(before, after) and not passed_legs(assembly, before, after)


def passed_legs(assembly: Assembly, before: Equations, after: Equations) -> list[str]:
    """Names of the legs that have passed a singularity between two near states.

    A leg's Jacobian changes the sign of its determinant where the leg is stretched out or folded.
    """
    pairs = zip(*(scaled_legs(at, assembly.length) for at in (before, after)), strict=True)
    legs = zip(assembly.topology.legs, pairs, strict=True)
    return [leg.name for leg, pair in legs if not same_side(*pair)]


def same_side(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Whether no singularity lies between near matrices ``(..., r, c)``, ``r >= c``.

    The sum of the products of all their minors (Cauchy and Binet): no rows need to be chosen.
    """
    *lead, rows, columns = before.shape
    if rows < columns:
        return np.ones(lead, dtype=bool)
    return np.asarray(np.linalg.slogdet(before.swapaxes(-1, -2) @ after)[0] >= 0.0)


def screws_follow(before: Equations, after: Equations) -> bool:
    """Whether every screw that closes a loop has turned too little to skip a thread."""
    return all(
        abs(n.p[2] - m.p[2]) <= LARGEST_SCREW * abs(m.pitch)
        for m, n in zip(before.all_loop_joints, after.all_loop_joints, strict=True)
        if m.kind.is_screw
    )


def as_branch(assembly: Assembly, value: object, name: str = "branch") -> AssembledState | None:
    """Read a working mode: an assembled state, a mode that has one, or ``None``.

    Raises:
        InputError: it is none of these, or not one of this robot.
    """
    if value is None:
        return None
    state = getattr(value, "branch", value)
    if not isinstance(state, AssembledState):
        raise InputError(
            f"{name}: expected the branch of a mode, got {shown(value)}",
            hint="forward_kinematics(robot, q_a)[0].branch is one.",
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
