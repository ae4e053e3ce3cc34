"""Base parameters of a robot, found from regressors of random motions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import one_of, whole
from gough.base.blas_threads import one_thread
from gough.base.english import listed
from gough.base.once import find_fact
from gough.dynamics.shared.sharing import EffortSharing, check_motors
from gough.dynamics.shared.standard import (
    COULOMB,
    INERTIAS,
    MASS,
    MOMENTS,
    OFFSET,
    ROTOR,
    VISCOUS,
    StandardParameter,
    chosen_parameters,
    own_figures,
)
from gough.errors import InputError, NotIdentifiable
from gough.identification.base_result import BaseParameters
from gough.identification.groupings import grouping
from gough.identification.independent import (
    ROUNDING,
    WEAK,
    Independent,
    distinct,
    independent_columns,
    rank_of,
)
from gough.identification.postures import natural_units, random_regressors
from gough.identification.regressor import asked_names, names_and_units, regressor
from gough.identification.shared_legs import SharedParameters, shared_parameters
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.motion.motion import Motion, of_robot
from gough.robot import Robot

TIMES = 3
"""Rows of random regressors for every column that is found independent."""

_POSTURES = 8  # at least

_SAMPLES = 200  # of a motion, at least


def base_parameters(
    robot: Robot,
    *,
    parameters: Sequence[str] | None = None,
    share: str | None = None,
    motion: Motion | None = None,
    seed: int = 0,
) -> BaseParameters:
    """Combinations of masses, friction and drives that the motors' efforts depend on.

    Efforts of a machine do not show every parameter of :func:`gough.regressor`, but sums of them:
    the mass of a forearm acts like inertia of the arm that carries it.  The columns of the
    regressor are compared in random regular postures all over the robot's reach, limits of axes
    aside, in random motions that take efforts of gravity's size.  No tolerance has to be chosen:
    the singular values have a gap of many orders, which is reported.

    Args:
        robot: the machine.
        parameters: which parameters there are at all, as in :func:`gough.regressor`.
        share: ``"legs"`` for legs that are built alike, of equal parts: their masses, friction,
            rotors and springs are then the same and counted once; offsets of motors are not.
        motion: a motion along which is asked what it excites of the base parameters.
        seed: of the random motions.

    Returns:
        A :class:`gough.BaseParameters`: number, groupings, their matrix and the gap; what is weak,
        and what the motion does not excite.

    Raises:
        InputError: no two legs are built alike where ``share`` says so, or an argument is wrong.
        WrongMotors: fewer motors than freedoms.
    """
    assembly = assembled(robot)
    check_motors(assembly, EffortSharing())
    if share is not None:
        one_of(share, "share", ("legs",))
    chosen = () if parameters is None else asked_names(parameters)
    every = chosen_parameters(assembly.robot, chosen)
    if not every:
        raise InputError(
            f"{robot.name}: it has no parameters of these kinds", argument="parameters"
        )
    path = None if motion is None else of_robot(motion, robot)
    merged = shared_parameters(assembly, every) if share else _apart(every)
    own = merged.parameters
    natural = natural_units(assembly, [each.unit for each in own])
    first = whole(seed, "seed")

    def look(assembly: Assembly) -> tuple[np.ndarray, Independent]:
        parts = random_regressors(assembly, every, first)
        W = _enough((part @ merged.matrix for part in parts), natural)
        return W, independent_columns(W, _preferred(assembly, own), natural)

    # the same motions show the same: an estimate and an excitation ask for one search
    asked = ("base columns", tuple(each.name for each in every), share, first)
    W, found = find_fact(assembly, asked, look)
    chosen_columns = list(found.columns)
    with one_thread():
        seen, condition, unexcited = distinct(W[:, chosen_columns]), np.nan, np.zeros(0, dtype=int)
    spread = merged.matrix[:, chosen_columns]
    if path is not None:
        along = _along(robot, path, every) @ spread
        typical = np.linalg.norm(W[:, chosen_columns], axis=0) / np.sqrt(len(W))
        seen, condition = _excited(along, typical)
        unexcited = np.flatnonzero(seen < ROUNDING)
    K = found.matrix @ np.linalg.pinv(merged.matrix)
    K[np.abs(K) < 1e-14 * np.abs(K).max(initial=1.0)] = 0.0
    lead = [merged.names[k] for k in chosen_columns]
    weak = [k for k in np.flatnonzero(seen < WEAK) if k not in unexcited]
    return BaseParameters(
        robot,
        tuple(each.name for each in every),
        tuple(lead),
        tuple(own[k].unit for k in chosen_columns),
        tuple(
            grouping(k, row, merged.names)
            for k, row in zip(chosen_columns, found.matrix, strict=True)
        ),
        K,
        K @ own_figures(assembly.robot, every),
        seen,
        (found.above, found.below),
        tuple(merged.names[k] for k in found.idle),
        tuple(lead[k] for k in weak),
        tuple(lead[k] for k in unexcited),
        condition,
        merged.legs,
        spread,
    )


def _apart(every: Sequence[StandardParameter]) -> SharedParameters:
    """Parameters none of which is shared."""
    return SharedParameters(tuple(every), names_and_units(every)[0], np.eye(len(every)), ())


def _enough(parts: Iterator[np.ndarray], natural: np.ndarray) -> np.ndarray:
    """Rows of random motions, several times as many as there are independent columns."""
    found = [next(parts) for _ in range(_POSTURES)]
    wanted = len(natural) // 2
    while True:
        while sum(map(len, found)) < wanted:
            found.append(next(parts))
        W = np.concatenate(found)
        wanted = TIMES * rank_of(W, natural)
        if len(W) >= wanted:
            return W


def _preferred(assembly: Assembly, parameters: Sequence[StandardParameter]) -> list[int]:
    """Columns in the order in which they shall lead groups.

    What motors have of their own comes first, then the platform, then inertias, moments and masses
    of the other bodies; rotors, springs and friction of passive axes join those.
    """
    robot = assembly.robot

    def place(k: int) -> tuple[int, int]:
        each = parameters[k]
        if not each.of_body:
            own = each.part in robot.motors and each.figure in (VISCOUS, COULOMB, OFFSET)
            return (0 if own else 5 if each.figure == ROTOR else 6), k
        if each.part == robot.platform:
            return 1, k
        kinds = {MASS: 4, **dict.fromkeys(MOMENTS, 3), **dict.fromkeys(INERTIAS, 2)}
        return kinds[each.figure], k

    return sorted(range(len(parameters)), key=place)


def _along(robot: Robot, motion: Motion, every: Sequence[StandardParameter]) -> np.ndarray:
    """Regressors along a motion, one below the other."""
    count = max(_SAMPLES, TIMES * len(every) // max(1, len(robot.motors)) + 1)
    states: Any = motion(np.linspace(0.0, motion.duration, count))
    share = EffortSharing() if len(robot.motors) > len(robot.freedoms) else None
    found = regressor(robot, states, parameters=names_and_units(every)[0], share=share)
    return found.W.reshape(-1, len(every))


def _excited(along: np.ndarray, typical: np.ndarray) -> tuple[np.ndarray, float]:
    """How distinct columns are along a motion, and their condition.

    Args:
        along: base columns along the motion.
        typical: their size in motions that are as fast as gravity.
    """
    sizes = np.linalg.norm(along, axis=0)
    present = sizes > ROUNDING * typical * np.sqrt(len(along))
    seen = distinct(along * present)
    if not present.all() or (seen < ROUNDING).any():
        return seen, np.inf
    return seen, float(np.linalg.cond(along / sizes))


def check_effect(base: BaseParameters) -> None:
    """Refuse parameters that no effort depends on: there is nothing to find or to excite.

    Raises:
        NotIdentifiable: none of the parameters has an effect.
    """
    if not base.number:
        raise NotIdentifiable(
            f"{base.robot.name}: no effort depends on {listed(base.names)}",
            hint="Likely: a body that only turns about a fixed axis shows its inertia about that "
            "axis alone; gough.base_parameters(robot) has what shows.",
            parameters=base.names,
        )
