"""Elastic machines in a report: frequencies, sag and stiffness at home and along the motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.result import Analysis
from gough.dynamics.shared.loads import Loads
from gough.elastic.elasticity import elasticity
from gough.elastic.missing import elastic_data
from gough.elastic.result import Elasticity
from gough.elastic.vibrations import Vibrations
from gough.errors import GoughError
from gough.report.blocks import Block
from gough.report.course import Course
from gough.report.figures import number
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POSTURES = 15
"""Postures along the motion that are looked at."""

NOTE = (
    "Motors are held behind the springs of their transmissions. Stiffness is the smallest of all "
    "directions of a force on the platform's origin; sag is what weight and loads move it by. "
    "Frequencies are those of small vibrations about a posture at rest. The controller, play and "
    "the frame that the machine stands on are not counted."
)


@dataclass(frozen=True, eq=False)
class Elastic:
    """What a report tells of an elastic machine.

    Attributes:
        home: the machine at home, without loads.
        along: the machine in postures of the motion, under its loads.
        lowest: the vibrations of the posture with the lowest frequency.
        time: of that posture [s].
    """

    home: Elasticity
    along: Elasticity
    lowest: Vibrations
    time: float


def found_in(
    robot: Robot, analysis: Analysis | None, simulation: Any, course: Course
) -> Elastic | str:
    """An elastic machine along a motion; why not, or nothing if it has no elastic data."""
    if not any(elastic_data(robot).values()):
        return ""
    which = course.good[np.linspace(0, len(course.good) - 1, POSTURES).round().astype(int)]
    loads = None
    if analysis is not None:
        loads = analysis.sample_loads.at(which)
    elif isinstance(getattr(simulation, "loads", None), Loads):
        loads = simulation.loads
    try:
        home = elasticity(robot)
        along = elasticity(robot, course.state.T_0p[which], loads=loads)
        lowest = along.vibrations(1).frequencies[:, 0]
        k = int(np.argmin(lowest))
        acting = None if loads is None else loads.at(k)
        one = elasticity(robot, course.state.T_0p[which][k], loads=acting)
        return Elastic(home, along, one.vibrations(3), float(course.t[which][k]))
    except GoughError as err:
        return f"Stiffness and vibrations could not be computed: {err.message}."


def table(found: Elastic) -> Block:
    """At home, and the extremes along the motion."""
    home, along = _figures(found.home), _figures(found.along)
    rows = []
    for name, unit in (
        ("lowest frequency", "Hz"),
        ("smallest stiffness", "N/µm"),
        ("sag", "µm"),
    ):
        low, high = float(np.nanmin(along[name])), float(np.nanmax(along[name]))
        cells = (float(home[name].ravel()[0]), low, high)
        rows.append((f"{name} [{unit}]", *(number(value, full=True) for value in cells)))
    heads = ("", "at home, without loads", "least along the motion", "most along the motion")
    return Block("", heads, rows, NOTE)


def sentences(found: Elastic) -> list[str]:
    """The lowest vibrations, and what was assumed."""
    where = f"Where it vibrates slowest, {found.time:.3g} s after the start, at "
    told = [f"{where}{each}." for each in found.lowest.sentences()[:1]]
    told += [f"There at {each}." for each in found.lowest.sentences()[1:]]
    return [*told, *found.home.notes]


def caption(found: Elastic) -> str:
    """Of the picture."""
    return (
        f"The lowest vibration where it is slowest, {found.time:.3g} s after the start: "
        f"{found.lowest.frequencies[0]:.4g} Hz; grey: undeformed."
    )


def figure(found: Elastic) -> Figure:
    """The shape of the lowest vibration."""
    return found.lowest.draw(1)


def _figures(found: Elasticity) -> dict[str, np.ndarray]:
    flat = np.linalg.eigvalsh(found.compliance[..., :3, :3])[..., -1]
    sag = np.linalg.norm(found.deflection().platform[..., :3], axis=-1)
    return {
        "lowest frequency": found.vibrations(1).frequencies[..., 0],
        "smallest stiffness": 1e-6 / np.where(flat > 0.0, flat, np.nan),
        "sag": 1e6 * sag,
    }
