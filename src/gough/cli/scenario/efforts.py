"""Efforts of a scenario without a controller: numbers, a table, or a few functions of time.

Functions are named, with figures; nothing that a file says is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gough.base.arguments import check_known, nearest
from gough.base.english import counted
from gough.base.tables import read_table
from gough.cli.scenario.parts import table_path
from gough.cli.scenario.places import at_key
from gough.cli.scenario.schema import EffortsEntry, FunctionEntry
from gough.dynamics.shared.load_arguments import at_time
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.schedule import LoadSchedule
from gough.errors import InputError, shown
from gough.functions.dynamics import inverse_dynamics
from gough.robot import Robot
from gough.robot.file.document import Document

TimeFunction = Callable[[Any], np.ndarray]
_PATH = "simulation.efforts"


def make_efforts(
    robot: Robot,
    given: Any,
    T_0p: np.ndarray,
    loads: Loads | LoadSchedule,
    document: Document,
    folder: Path,
) -> Any:
    """Efforts as :func:`gough.simulate` takes them: ``(m,)``, ``(t, tau)`` or a function.

    Args:
        robot: the machine that is simulated.
        given: the entry; ``None`` is no effort at all.
        T_0p: pose at the start, where efforts that hold it are found.
        loads: forces and payload; those of the start are held, too.
        document: the file, for errors.
        folder: where paths start.
    """
    if given is None:
        return None
    if isinstance(given, list):
        with at_key(document, _PATH):
            if len(given) != len(robot.motors):
                message = (
                    f"{counted(len(given), 'effort')} for {counted(len(robot.motors), 'motor')}"
                )
                raise InputError(message, hint=f"In this order: {', '.join(robot.motors)}.")
        return np.array(given, dtype=float)
    with at_key(document, f"{_PATH}.hold"):
        held = np.zeros(len(robot.motors))
        if given.hold:
            held = holding_efforts(robot, T_0p, at_time(loads, 0.0))
    if given.table is not None:
        with at_key(document, f"{_PATH}.table"):
            t, tau = from_table(robot, table_path(folder, given.table))
        return t, tau + held
    with at_key(document, f"{_PATH}.motors"):
        return from_functions(robot, given, held)


def holding_efforts(robot: Robot, T_0p: np.ndarray, loads: Loads) -> np.ndarray:
    """Efforts that hold a pose at rest under loads; friction does not help at rest."""
    return inverse_dynamics(robot, T_0p, loads=loads)


def from_table(robot: Robot, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Times ``(K,)`` and efforts ``(K, m)`` of a table; other columns are left alone."""
    columns = read_table(path)
    known = list(columns)
    taken = []
    for name in ("t", *robot.motors):
        found = next((x for x in (name, f"tau_{name}") if x in columns), None)
        if found is None:
            message = f"{path} has no column {shown(name)}" + ("" if name == "t" else " or tau_...")
            raise InputError(message, hint=nearest(name, known), argument="table")
        taken.append(columns[found])
    t, *efforts = taken
    if (np.diff(t) <= 0.0).any():
        row = int(np.argmax(np.diff(t) <= 0.0)) + 1
        message = f"{path}: times do not increase at row {row}: {t[row - 1]:g} s, then {t[row]:g} s"
        raise InputError(message, argument="table")
    return t, np.stack(efforts, axis=1)


def from_functions(robot: Robot, given: EffortsEntry, held: np.ndarray) -> Any:
    """A function of time of all motors' efforts; an array if they are constant."""
    for name in given.motors or {}:
        check_known(name, robot.motors, "there is no motor", name)
    parts: list[list[TimeFunction]] = [[] for _ in robot.motors]
    constant = held.copy()
    for i, name in enumerate(robot.motors):
        found = (given.motors or {}).get(name, 0.0)
        if isinstance(found, (int, float)):
            constant[i] += found
            continue
        several = found if isinstance(found, list) else [found]
        parts[i] = [one_function(entry, name) for entry in several]
    if not any(parts):
        return constant

    def efforts(t: Any) -> np.ndarray:
        t = np.asarray(t, dtype=float)
        columns = [
            np.broadcast_to(constant[i], t.shape) + sum(f(t) for f in functions)
            for i, functions in enumerate(parts)
        ]
        return np.stack(columns, axis=-1)

    return efforts


def one_function(entry: FunctionEntry, motor: str) -> TimeFunction:
    """The function of time that an entry names."""
    given = [(name, f) for name in ("sine", "step", "ramp") if (f := getattr(entry, name))]
    if len(given) != 1:
        message = "expected one of sine, step and ramp"
        raise InputError(
            message, hint="Several are a list: [{sine: ...}, {step: ...}].", argument=motor
        )
    name, f = given[0]
    if name == "sine":
        turning, ahead, mean = 2.0 * np.pi * f.frequency, f.phase or 0.0, f.offset or 0.0
        return lambda t: mean + f.amplitude * np.sin(turning * t + ahead)
    before = f.before or 0.0
    if name == "step":
        return lambda t: np.where(t < f.time, before, f.after)
    if f.end <= f.start:
        message = f"a ramp ends at {f.end:g} s, before or when it begins, at {f.start:g} s"
        raise InputError(message, hint="A jump is a step.", argument=motor)
    return lambda t: (
        before + (f.after - before) * np.clip((t - f.start) / (f.end - f.start), 0.0, 1.0)
    )
