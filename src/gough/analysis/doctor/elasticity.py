"""Elastic data: what a robot has of them, what stays rigid, and whether they can be used."""

from __future__ import annotations

from collections.abc import Iterator
from warnings import catch_warnings, simplefilter

import numpy as np

from gough.analysis.doctor.examination import Examination
from gough.base.english import counted, listed, quoted
from gough.elastic.elasticity import elasticity
from gough.elastic.missing import elastic_data
from gough.errors import GoughError, GoughWarning
from gough.robot import Robot
from gough.robot.finding import NOTE, WARNING, Finding

_KINDS = {
    "beams": "beam",
    "bodies": "stiffness matrix",
    "bearings": "bearing",
    "transmissions": "transmission",
    "springs": "spring",
}
_LARGE = 0.01  # sag as a share of the robot's size from which small displacements are doubtful
_NAMED = 4


def look_at_elasticity(exam: Examination) -> Iterator[Finding]:
    """What gives way, by the description; nothing is said of a robot that is rigid throughout."""
    robot = exam.robot
    data = elastic_data(robot)
    if not any(data[kind] for kind in ("beams", "bodies", "bearings", "transmissions")):
        return
    try:
        found = elasticity(robot)
        frequency = float(found.vibrations(1).frequencies[0])
        with catch_warnings():  # how far is linear is among the findings below
            simplefilter("ignore", GoughWarning)
            sag = float(np.linalg.norm(found.deflection().platform[:3]))
    except GoughError as err:
        text = f"stiffness and vibrations cannot be computed: {err.message}"
        yield Finding("not-elastic", WARNING, text, advice=err.hint, data={"has": _counts(data)})
        return
    has = [
        counted(len(data[kind]), word, _plural(word)) for kind, word in _KINDS.items() if data[kind]
    ]
    rigid = _rigid(robot, data)
    text = f"elastic data of {listed(has)}: lowest frequency {frequency:.4g} Hz at home"
    text += f", sag {1e6 * sag:.4g} um"
    text += f"; rigid, for nothing is said of them: {listed(rigid)}" if rigid else ""
    figures = {"has": _counts(data), "frequency": frequency, "sag": sag, "rigid": rigid}
    yield Finding("elastic", NOTE, text, data=figures)
    if sag > _LARGE * exam.assembly.length:
        text = f"the platform sags by {sag:.3g} m at home under its own weight"
        yield Finding(
            "large-sag",
            WARNING,
            text,
            advice="Likely: a stiffness in N/mm or N m/arcmin, or E in MPa (gough is SI only); "
            "deflections are linear and hold for small ones.",
            data={"sag": sag},
        )


def _counts(data: dict[str, list[str]]) -> dict[str, int]:
    return {kind: len(names) for kind, names in data.items() if names}


def _plural(word: str) -> str:
    return "stiffness matrices" if word == "stiffness matrix" else ""


def _rigid(robot: Robot, data: dict[str, list[str]]) -> list[str]:
    """What has no elastic data although others of its kind do, or all of a kind."""
    found = []
    stiff = [name for name in robot.motors if name not in data["transmissions"]]
    if stiff:
        found.append(f"transmissions of {_some(stiff)}")
    soft = {*data["beams"], *data["bodies"], robot.platform}
    bodies = [body.name for body in robot.bodies if body.name not in soft and not body.massless]
    if bodies:
        found.append(f"bodies {_some(bodies)}")
    joints = [joint.name for joint in robot.joints if joint.name not in data["bearings"]]
    if joints:
        found.append(f"bearings of {_some(joints)}")
    return found


def _some(names: list[str]) -> str:
    if len(names) <= _NAMED:
        return quoted(names)
    first = ", ".join(repr(name) for name in names[: _NAMED - 1])
    return f"{first} and {len(names) - _NAMED + 1} more"
