"""Scenarios from files: the same safe reader and the same manners as robot files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from gough.base.arguments import nearest
from gough.cli.scenario import schema
from gough.cli.scenario.loads import make_loads
from gough.cli.scenario.parts import load_robot, make_motion
from gough.cli.scenario.places import PAGE
from gough.cli.scenario.scenario import Scenario
from gough.cli.scenario.schema import VERSION, ScenarioEntry
from gough.errors import FileError, shown
from gough.report.parts import PARTS
from gough.robot.file.document import Document, expected_keys, parse_file
from gough.robot.file.problems import Problem, refuse, schema_problems

_BEGIN = f"A scenario begins with 'gough: {VERSION}' and 'robot: delta'."


def is_scenario(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a scenario; a file that cannot be read does not."""
    try:
        data = parse_file(path)[1].data
    except FileError:
        return False
    return isinstance(data, dict) and "robot" in data and "bodies" not in data


def load(path: str | os.PathLike[str]) -> Scenario:
    """The scenario of a YAML or JSON file; its robot and its motion are made and checked.

    Args:
        path: of the file; paths in it start at its folder.

    Returns:
        The scenario, ready to run.

    Raises:
        FileError: what is wrong, with file, line and key.
        GoughError: the robot cannot be assembled, or a pose of the motion cannot be reached.
    """
    text, document = read(path)
    entry = check(document)
    folder = Path(document.file).resolve().parent
    robot = load_robot(entry, document, folder)
    motion = None
    if entry.motion is not None:
        motion = make_motion(robot, entry.motion, document, folder)
    loads = make_loads(robot, entry, document, folder)
    return Scenario(Path(document.file), text, document, entry, robot, motion, loads)


def read(path: str | os.PathLike[str]) -> tuple[str, Document]:
    """Text of a scenario file, and its data; what is unsafe or no text is refused."""
    try:
        return parse_file(path)
    except FileError as err:  # the reader speaks of robot files
        reason, hint = (x.replace("robot file", "scenario file") for x in (err.reason, err.hint))
        raise FileError(
            reason, file=err.file, line=err.line, path=err.path, hint=hint, **err.data
        ) from err


def check(document: Document) -> ScenarioEntry:
    """The entries of a document: versions, keys, kinds of values, words that are known."""
    data = document.data
    _check_version(data, document)
    problems = schema_problems(ScenarioEntry, data) or _unknown_words(data) or _clashes(data)
    if problems:
        refuse(document, problems, PAGE)
    return ScenarioEntry.model_validate(data)


def _is_robot(data: dict[str, Any]) -> bool:
    """Whether a document looks like a robot file: bodies, or a robot that it is like."""
    return "bodies" in data or "like" in data


def _check_version(data: Any, document: Document) -> None:
    """Check the version before anything else: another one has other keys."""
    version = data.get("gough") if isinstance(data, dict) else None
    if type(version) is int and version == VERSION and ("robot" in data or not _is_robot(data)):
        return
    path, hint = "", _BEGIN
    if not isinstance(data, dict):
        message = expected_keys(data)
    elif _is_robot(data) and "robot" not in data:
        message, hint = "this is a robot, not a scenario", f"{_BEGIN} gough check is for robots."
    elif "gough" not in data:
        message = "does not say which version of the format it has"
    else:
        path = "gough"
        message = f"gough: the format version is {shown(version)}, this gough reads {VERSION}"
        newer = type(version) is int and version > VERSION
        hint = "The file is newer than this gough: pip install --upgrade gough." if newer else hint
    line = document.place(path).line
    raise FileError(message, file=document.file, line=line, path=path, hint=hint)


_WORDS = {
    "simulation.controller.kind": schema.CONTROLLERS,
    "simulation.controller.space": ("motors", "platform"),
    "simulation.integrator": schema.INTEGRATORS,
    "output.tables": schema.TABLES,
    "output.figures": schema.FIGURES,
}
_LISTS = {
    "simulation.stop_at": ("event", schema.EVENTS),
    "output.without": ("part", PARTS),
}


def _unknown_words(data: Any) -> list[Problem]:
    """Words that are none of those a key may have."""
    problems = []
    for path, known in _WORDS.items():
        word = _get(data, path)
        if word is not None and word not in known:
            problems.append(Problem(path, f"unknown word {shown(word)}", nearest(word, known)))
    for key, (what, known) in _LISTS.items():
        for i, word in enumerate(_get(data, key) or []):
            if word not in known:
                problem = f"unknown {what} {shown(word)}"
                problems.append(Problem(f"{key}[{i}]", problem, nearest(word, known)))
    return problems


def _clashes(data: Any) -> list[Problem]:
    """Keys that exclude or need each other."""
    problems = []

    def refuse_both(above: str, one: str, other: str) -> None:
        if _get(data, f"{above}.{one}") is not None and _get(data, f"{above}.{other}") is not None:
            message = f"{one} and {other} exclude each other"
            problems.append(Problem(f"{above}.{other}", message, "Keep one of them."))

    for i, _ in enumerate(_get(data, "loads.forces") or ()):
        for part in ("f", "n"):
            refuse_both(f"loads.forces[{i}]", "table", part)
    refuse_both("simulation", "controller", "efforts")
    refuse_both("simulation.efforts", "table", "motors")
    refuse_both("simulation.controller", "bandwidth", "kp")
    if "motion" not in data:
        if _get(data, "simulation.controller") is not None:
            message = "a controller follows a motion, and there is none"
            problems.append(Problem("simulation.controller", message, f"Give a motion. {PAGE}"))
        elif "simulation" not in data:
            message = "there is neither a motion nor a simulation: nothing to do"
            problems.append(Problem("", message, PAGE))
        elif _get(data, "simulation.t_end") is None:
            message = "t_end is missing, and there is no motion to end with"
            problems.append(Problem("simulation", message, "Give t_end [s]."))
        if data.get("inverse_dynamics"):
            message = "there is no motion to analyse"
            problems.append(Problem("inverse_dynamics", message, f"Give a motion. {PAGE}"))
    if "plant" in data and "simulation" not in data:
        problems.append(Problem("plant", "nothing is simulated", "Give a simulation."))
    return problems


def _get(data: Any, path: str) -> Any:
    for step in path.split("."):
        name, _, row = step.partition("[")
        data = data.get(name) if isinstance(data, dict) else None
        if row:
            data = data[int(row[:-1])] if isinstance(data, list) else None
    return data
