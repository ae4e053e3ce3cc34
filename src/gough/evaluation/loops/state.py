"""The public function from a robot's freedoms to states, of one or of a million."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from gough.base.batch import OnError, are_poses, as_array, check_on_error, leading_axes
from gough.base.options import chosen
from gough.errors import InputError, reasons
from gough.evaluation.evaluator import Arguments, Evaluator, usual
from gough.evaluation.loops.states import closed_states
from gough.geometry.constant_entries import constant_coordinates
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot
from gough.states.state import State


def state(
    robot: Robot,
    x: Any,
    xd: Any = None,
    xdd: Any = None,
    xddd: Any = None,
    *,
    on_error: OnError = "raise",
) -> State:
    """State of a machine from its own freedoms.

    Args:
        robot: the machine.
        x: freedoms ``(..., n)`` in the order of ``robot.freedoms`` [m, rad].
        xd: their time derivatives ``(..., n)``; zero if not given.
        xdd: their second time derivatives ``(..., n)``; zero if not given.
        xddd: their third time derivatives ``(..., n)``; where they are given, the state has
            ``Vddot_0p``, too.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`gough.State`, consistent with every leg; ``Vdot_0p`` includes ``Psidot V_r``.

    Equations:
        [BK] (1), (18), [KI] (9), (13).
    """
    assembly = assembled(robot)
    check_on_error(on_error)
    engine = chosen().engine
    n = assembly.mobility
    if x is None:
        raise InputError("x is missing: the robot's freedoms", argument="x")
    _check_no_pose(x, n)
    given = {"x": x, "xd": xd, "xdd": xdd} | ({} if xddd is None else {"xddd": xddd})
    arguments = {
        name: (np.zeros(n) if a is None else as_array(a, (n,), name), 1)
        for name, a in given.items()
    }
    evaluate = usual(assembly, "state" if xddd is None else "state_with_jerk")
    plain = n > 0 and constant_coordinates(assembly) is not None
    if plain and engine != "numpy":
        return State(*evaluate(arguments, on_error=on_error).values)
    if n and engine != "numpy" and xddd is None:
        return State(*_closed(assembly, arguments, evaluate, on_error))
    return State(*evaluate(arguments, engine="numpy", on_error=on_error).values)


def _check_no_pose(x: Any, n: int) -> None:
    """Refuse poses, which are states already; rows of four freedoms have the same shape."""
    poses = isinstance(x, np.ndarray) and x.shape[-2:] == (4, 4) and x.size
    if poses and are_poses(x.reshape(-1, 4, 4)).all():
        raise InputError(
            f"x is a pose {x.shape}, expected the robot's freedoms (..., {n})",
            hint="A pose is a state already: gough.State(T).",
            argument="x",
        )


def _closed(
    assembly: Assembly,
    arguments: Arguments,
    evaluate: Evaluator,
    on_error: OnError,
) -> tuple[np.ndarray, ...]:
    """States of a robot whose legs decide part of the pose: led from home, many at once."""
    lead = leading_axes(arguments)
    freedoms = [
        np.broadcast_to(a, lead + a.shape[-1:]).reshape(prod(lead), a.shape[-1])
        for a, _ in arguments.values()
    ]
    values = [np.full((prod(lead), *core), np.nan) for core in evaluate.outputs.values()]
    rows = {name: (a, 1) for name, a in zip(arguments, freedoms, strict=True)}

    def one(k: int) -> tuple[np.ndarray, ...]:
        errors = evaluate.look([(k,)], rows, values)
        if errors and on_error == "raise":
            err, place = errors[(k,)], np.unravel_index(k, lead) if lead else ()
            raise (err.at_sample(tuple(int(i) for i in place)) if lead else err) from err
        return tuple(value[k] for value in values)

    with reasons(on_error == "raise"):
        found = closed_states(
            assembly,
            freedoms,
            one,
            threads=chosen().threads,
            compiled=chosen().engine == "compiled",
        )
    return tuple(a.reshape(lead + a.shape[1:]) for a in found[:3])
