"""Loads of a scenario: what acts on the machine, and what its controller knows of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gough.base.tables import read_table
from gough.cli.scenario.parts import table_path
from gough.cli.scenario.places import at_key
from gough.cli.scenario.schema import ForceEntry, LoadsEntry, PayloadEntry, ScenarioEntry
from gough.dynamics.shared.load_arguments import check_loads
from gough.dynamics.shared.loads import Force, Loads, Payload
from gough.dynamics.shared.schedule import LoadSchedule, TimedLoad
from gough.errors import InputError
from gough.mechanism.mobility.assembly import assembled
from gough.robot import Robot
from gough.robot.file.document import Document

_FORCE, _MOMENT = ("fx", "fy", "fz"), ("nx", "ny", "nz")
_ALSO = {"time": "t"} | {f"m{axis}": f"n{axis}" for axis in "xyz"}
_ALSO |= {f"t{axis}": f"n{axis}" for axis in "xyz"}
"""Other names that sensors give to these columns."""


def make_loads(
    robot: Robot, entry: ScenarioEntry, document: Document, folder: Path
) -> Loads | LoadSchedule:
    """The loads of a file, refused if no machine can bear them, before any work is done.

    Args:
        robot: the machine.
        entry: of the file.
        document: the file, for errors.
        folder: where paths start.
    """
    given = entry.loads or LoadsEntry()
    payloads = _payloads(given.payload, document, "loads.payload")
    forces = []
    for i, each in enumerate(given.forces or ()):
        with at_key(document, f"loads.forces[{i}]"):
            forces.append(_force(each, folder))
    rest = given.given("friction", "rotors", "smoothing")
    with at_key(document, "loads"):
        loads = _made(payloads, forces, rest)
        check_loads(assembled(robot), loads)
    return loads


def known_loads(
    loads: Loads | LoadSchedule, payload: Any, document: Document
) -> Loads | LoadSchedule:
    """Loads as a controller knows them: its own payload or that of the file, and no forces.

    Args:
        loads: that act on the machine.
        payload: the controller's entry; ``None``: it knows the payload of the file.
        document: the file, for errors.
    """
    if payload is not None:
        carried = _payloads(payload, document, "simulation.controller.payload")
    elif isinstance(loads, LoadSchedule):
        carried = [*loads.payloads]
    else:
        carried = [loads.payload] if loads.payload is not None else []
    rest = {name: getattr(loads, name) for name in ("friction", "rotors", "smoothing")}
    return _made(carried, [], rest)


def _made(payloads: list[Any], forces: list[Any], rest: dict[str, Any]) -> Loads | LoadSchedule:
    """Loads that are always the same, if they are."""
    parts = [*payloads, *forces]
    if len(payloads) > 1 or any(isinstance(part, TimedLoad) for part in parts):
        return LoadSchedule(parts, **rest)
    return Loads(forces, payloads[0] if payloads else None, **rest)


def _payloads(given: Any, document: Document, path: str) -> list[Any]:
    """Payloads of an entry, those with times as timed loads; a mass of 0 is none."""
    if given is None or (isinstance(given, (int, float)) and given == 0.0):
        return []
    if isinstance(given, (int, float)):
        return [Payload(given)]
    if isinstance(given, PayloadEntry):
        with at_key(document, path):
            return [_payload(given)]
    found = []
    for i, each in enumerate(given):
        with at_key(document, f"{path}[{i}]"):
            found.append(_payload(each))
    return found


def _payload(entry: PayloadEntry) -> Any:
    figures = entry.given("mass", "center", "inertia")
    if np.ndim(figures.get("inertia", 0.0)) == 1:
        figures["inertia"] = np.diag(figures["inertia"])
    return _timed(Payload(**figures), entry)


def _force(entry: ForceEntry, folder: Path) -> Any:
    if entry.table is None:
        return _timed(Force(**entry.given("body", "f", "n", "point")), entry)
    given = read_table(table_path(folder, entry.table))
    columns = {_ALSO.get(name.lower(), name.lower()): array for name, array in given.items()}
    known = ("t", *_FORCE, *_MOMENT)
    strange = [name for name in columns if name not in known]
    if strange or len(columns) < len(given) or not {"t"} < set(columns):
        raise InputError(
            f"{entry.table} has the columns {', '.join(given)}, expected t and some of "
            f"{', '.join(known[1:])}, each once, and no others",
            hint="Forces fx fy fz [N], moments nx ny nz or mx my mz [N m], base axes; t in s.",
            argument="table",
        )
    t = columns["t"]
    f, n = (
        np.stack([columns.get(name, np.zeros(len(t))) for name in names], axis=1)
        for names in (_FORCE, _MOMENT)
    )
    point = entry.given("point")
    return TimedLoad(Force(entry.body, f, n, **point), entry.start, entry.end, t)


def _timed(load: Payload | Force, entry: PayloadEntry | ForceEntry) -> Any:
    """A load with its times; one without stays what it is."""
    if entry.start is None and entry.end is None:
        return load
    return TimedLoad(load, entry.start, entry.end)
