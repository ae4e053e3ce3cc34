"""Checks that refuse singular states: of a leg, the hub or the platform, and of the motors.

Measures and bound are those of :mod:`gough.mechanism.mobility.singular`, as everywhere.
"""

from __future__ import annotations

import numpy as np

from gough.base.english import against, quoted
from gough.base.spatial import Array
from gough.errors import SingularPose
from gough.mechanism.closure.dense import Dense, dense, scaled_legs
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.freedoms import FREEDOMS, best_freedoms, determine_twists
from gough.mechanism.mobility.measures import allowed_twists
from gough.mechanism.mobility.singular import (
    SINGULAR,
    allowed,
    demands,
    felt_by_motors,
    free_columns,
    is_singular,
    nacelle,
    seen_by_position,
)

DEPENDENT = "freedoms"
"""Kind of the error where the freedoms do not tell the platform's motion: no singularity."""

_MOVES = 0.1  # share of the largest rate from which a joint is named as moving
_DUST = 1e-6  # components of a direction below this share of the largest are left out of messages


def check_regular(assembly: Assembly, solution: Solution, least: float = SINGULAR) -> None:
    """Refuse a state in which joints, or the platform, lose or gain a freedom.

    Whether the robot's own freedoms tell its motion there is no part of it; see
    :func:`check_freedoms`.

    Args:
        assembly: the robot.
        solution: the state.
        least: smallest singular value, natural units, that is accepted.
    """
    _check_legs(assembly, solution, least)
    n_hub = assembly.topology.hub.rates
    if not n_hub and not solution.dependent:
        return
    system = dense(solution.equations, assembly.length)
    if n_hub:
        smallest, _ = nacelle(system.A, n_hub)
        if smallest <= least:
            raise SingularPose(
                f"{assembly.robot.name}: Type 1 singularity: with the platform held, the nacelle "
                f"can still move (smallest singular value {smallest:.1g})",
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
                smallest=smallest,
            )
    if solution.dependent:
        _check_platform(assembly, solution, system, least)


def _check_legs(assembly: Assembly, solution: Solution, least: float) -> None:
    for leg, scaled in zip(
        assembly.topology.legs, scaled_legs(solution.equations, assembly.length), strict=True
    ):
        smallest, free = free_columns(scaled, least)
        if smallest <= least:
            moving = [
                link.joint
                for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True)
                if np.abs(free[columns]).max() > _MOVES
            ]
            raise SingularPose(
                f"{assembly.robot.name}: Type 1 singularity: with the platform held, leg "
                f"{leg.name!r} can still move in {', '.join(dict.fromkeys(moving))} "
                f"(smallest singular value {smallest:.1g})",
                hint="Likely: the leg is stretched out or folded, or its pose is at the border "
                "of reach.",
                leg=leg.name,
                kind="Type 1",
                condition=1.0 / max(smallest, 1e-300),
                smallest=smallest,
            )


def _check_platform(assembly: Assembly, solution: Solution, system: Dense, least: float) -> None:
    s, Vt = allowed(demands(system.A, system.B))
    fixed = len(solution.dependent)
    if is_singular(s, fixed, least):
        smallest = float(s[fixed - 1])
        worst = FREEDOMS[int(np.argmax(np.abs(Vt[fixed - 1])))]
        raise SingularPose(
            f"{assembly.robot.name}: constraint singularity: the legs no longer fix {worst} "
            f"when {', '.join(assembly.freedoms)} are held (smallest singular value "
            f"{smallest:.1g})",
            hint="The platform gains a freedom here: its motors do not control it.",
            kind="constraint",
            condition=1.0 / max(smallest, 1e-300),
            smallest=smallest,
        )
    seen = seen_by_position(Vt[fixed:].T, assembly.free, only_position=assembly.only_position)
    if seen.smallest <= least:
        legs = moving_legs(assembly, solution, seen.hidden * system.V_scale)
        wrench = lost_wrench(assembly, seen.lost)
        moving = " and ".join(
            f"leg {leg!r} can still move in {quoted(joints)}" for leg, joints in legs.items()
        )
        raise SingularPose(
            f"{assembly.robot.name}: Type 1 singularity: with {', '.join(assembly.freedoms)} held, "
            f"{moving or 'the platform can still move'}; the platform cannot "
            f"{lost_in_words(assembly, solution.equations.platform.p, wrench)} "
            f"(smallest singular value {seen.smallest:.1g})",
            hint="Likely: that leg, of which the platform is a part, is stretched out or folded, "
            "or its pose is at the border of reach.",
            leg=next(iter(legs), ""),
            kind="Type 1",
            condition=1.0 / max(seen.smallest, 1e-300),
            smallest=seen.smallest,
            lost=wrench,
        )


def check_freedoms(assembly: Assembly, solution: Solution, least: float = SINGULAR) -> None:
    """Refuse a regular state at which the robot's freedoms do not tell how its platform moves.

    A matter of coordinates, as a longitude at the pole: with others all is regular.

    Args:
        assembly: the robot.
        solution: the state.
        least: smallest singular value, natural units, that is accepted.
    """
    if not solution.dependent or not assembly.free:
        return
    twists = allowed_twists(assembly, solution.equations)
    smallest = determine_twists([twists], assembly.free)
    if smallest > least:
        return
    better = best_freedoms([twists])
    raise SingularPose(
        f"{assembly.robot.name}: its freedoms {', '.join(assembly.freedoms)} do not tell how the "
        f"platform moves here (smallest singular value {smallest:.1g}); the machine is regular",
        hint=f"{', '.join(FREEDOMS[i] for i in better)} would tell it.  Motors, efforts and "
        "simulations are asked with pose and twist; matrices over the freedoms have no meaning "
        "here.",
        kind=DEPENDENT,
        condition=1.0 / max(smallest, 1e-300),
        better=better,
    )


def moving_legs(
    assembly: Assembly, solution: Solution, V: np.ndarray
) -> dict[str, tuple[str, ...]]:
    """Legs that move with a platform twist, and their joints that do; what is small is left out."""
    rates = solution.rates(V)
    topology, units = assembly.topology, (1.0, assembly.length)
    sizes: dict[str, dict[str, float]] = {}
    for leg, own in zip(topology.legs, rates.legs, strict=True):
        found = sizes.setdefault(leg.name, {})
        for link, columns in zip(leg.tree.links, leg.tree.columns, strict=True):
            size = float(np.abs(own[columns]).max()) / units[link.move == "slide"]
            found[link.joint] = max(found.get(link.joint, 0.0), size)
    least = _MOVES * max((s for leg in sizes.values() for s in leg.values()), default=0.0)
    moving = {
        leg: tuple(joint for joint, size in found.items() if joint and size > least)
        for leg, found in sizes.items()
    }
    return {leg: joints for leg, joints in moving.items() if joints}


def lost_wrench(assembly: Assembly, lost: np.ndarray) -> np.ndarray:
    """The wrench on the freedoms that no allowed motion works against, of unit force or moment."""
    lost = np.where(np.abs(lost) < _DUST * np.abs(lost).max(), 0.0, lost)
    wrench = np.zeros(6)
    wrench[list(assembly.free)] = lost / assembly.scales.freedoms
    largest = wrench[np.argmax(np.abs(wrench))]
    size = np.linalg.norm(wrench[:3]) or np.linalg.norm(wrench[3:])
    return np.asarray(wrench / (size * np.sign(largest)))


def lost_in_words(assembly: Assembly, origin: np.ndarray, wrench: np.ndarray) -> str:
    """The motion in words that a platform cannot make: against a wrench at its origin."""
    turns = any(i > 2 for i in assembly.free)
    return against(wrench, np.asarray(origin), assembly.length, turns=turns)


def check_motors_hold(assembly: Assembly, J_inv: Array, Psi: Array) -> None:
    """Refuse a Type 2 singularity; the error names the motion that locked motors leave free.

    Args:
        assembly: the robot.
        J_inv: ``qd_a = J_inv V_r``.
        Psi: ``V_0p = Psi V_r``.
    """
    if not assembly.mobility:
        return
    felt, rates = felt_by_motors(assembly.scales, J_inv, Psi)
    _, s, Vt = np.linalg.svd(felt, full_matrices=True)
    if not is_singular(s, assembly.mobility):
        return
    smallest = float(s[-1]) if len(s) == assembly.mobility else 0.0
    natural = rates @ Vt[-1]
    motion = natural / np.linalg.norm(natural) * assembly.scales.freedoms
    listed = ", ".join(
        f"{name} {value:.3g}" for name, value in zip(assembly.freedoms, motion, strict=True)
    )
    raise SingularPose(
        f"{assembly.robot.name}: Type 2 singularity: with all motors locked the platform can "
        f"still move along ({listed}); smallest singular value {smallest:.2g}",
        hint="Likely: the pose is singular, or there are too few motors for the mobility "
        f"({len(assembly.robot.motors)} for {assembly.mobility}).",
        kind="Type 2",
        condition=float(s[0]) / max(smallest, 1e-300) if len(s) else np.inf,
        smallest=smallest,
        motion=motion,
    )
