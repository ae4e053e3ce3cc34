"""The public function from a robot's freedoms to states, of one or of a million."""

from __future__ import annotations

from math import prod
from typing import Any, overload

import numpy as np

from gough.base.batch import OnError, as_array, check_on_error, leading_axes
from gough.errors import InputError, reasons
from gough.kernels.evaluator import Arguments, Engine, Evaluator, check_engine, usual
from gough.kernels.kernel import check_threads
from gough.kernels.loops.states import closed_states
from gough.kernels.tracing.settled import constant_coordinates
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Robot


@overload
def state(
    robot: Robot,
    x: Any,
    xd: Any = None,
    xdd: Any = None,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    on_error: OnError = "raise",
) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...


@overload
def state(
    robot: Robot,
    x: Any,
    xd: Any,
    xdd: Any,
    xddd: Any,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    on_error: OnError = "raise",
) -> tuple[np.ndarray, ...]: ...


def state(
    robot: Robot,
    x: Any,
    xd: Any = None,
    xdd: Any = None,
    xddd: Any = None,
    *,
    engine: Engine = "auto",
    threads: int | None = None,
    on_error: OnError = "raise",
) -> tuple[np.ndarray, ...]:
    """Pose, twist and twist rate of the platform from the robot's freedoms.

    Args:
        robot: the machine.
        x: freedoms ``(..., n)`` in the order of ``robot.freedoms`` [m, rad].
        xd: their time derivatives ``(..., n)``; zero if not given.
        xdd: their second time derivatives ``(..., n)``; zero if not given.
        xddd: their third time derivatives ``(..., n)``; where they are given, the second derivative
            of the twist is returned too.
        engine: ``"compiled"``, ``"numpy"``, or ``"auto"``: compiled for large batches and once that
            pays, until then NumPy.  They agree to rounding.
        threads: most threads for a large batch; all cores if not given.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        ``T_0p (..., 4, 4), V_0p (..., 6), Vdot_0p (..., 6)``, consistent with every leg;
        ``Vdot_0p`` includes ``Psidot V_r``.  With ``xddd`` also ``Vddot_0p (..., 6)``, the plain
        time derivative of ``Vdot_0p``.

    Equations:
        [BK] (1), (18), [KI] (9), (13).
    """
    assembly = assembled(robot)
    check_engine(engine)
    check_on_error(on_error)
    check_threads(threads)
    n = assembly.mobility
    if x is None:
        raise InputError("x is missing: the robot's freedoms", argument="x")
    given = {"x": x, "xd": xd, "xdd": xdd} | ({} if xddd is None else {"xddd": xddd})
    arguments = {
        name: (np.zeros(n) if a is None else as_array(a, (n,), name), 1)
        for name, a in given.items()
    }
    evaluate = usual(assembly, "state" if xddd is None else "state_with_jerk")
    plain = n > 0 and constant_coordinates(assembly) is not None
    if plain and engine != "numpy":
        return evaluate(arguments, engine=engine, on_error=on_error, threads=threads).values
    if n and engine != "numpy" and xddd is None:
        return _closed(assembly, arguments, evaluate, engine, threads, on_error)
    return evaluate(arguments, engine="numpy", on_error=on_error).values


def _closed(
    assembly: Assembly,
    arguments: Arguments,
    evaluate: Evaluator,
    engine: Engine,
    threads: int | None,
    on_error: OnError,
) -> tuple[np.ndarray, ...]:
    """States of a robot whose legs decide part of the pose: led from home, many at once."""
    lead = leading_axes(dict(arguments))
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
            assembly, freedoms, one, threads=threads, compiled=engine == "compiled"
        )
    return tuple(a.reshape(lead + a.shape[1:]) for a in found[:3])
