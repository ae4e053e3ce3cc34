"""Materials, beams and stiffness of bodies from their entries in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.base.arguments import nearest
from gough.errors import DescriptionError, shown
from gough.robot.beam import Beam
from gough.robot.body_stiffness import BodyStiffness
from gough.robot.file.body_schema import SECTIONS, BeamEntry, BodyEntry, MaterialEntry
from gough.robot.file.paths import join
from gough.robot.file.problems import Problem, collecting, within
from gough.robot.material import MATERIALS, Material
from gough.robot.section import Box, CrossSection, Tube

_KINDS = {"tube": Tube, "box": Box, "section": CrossSection}


def materials(given: Any, refused: set[str], problems: list[Problem]) -> dict[str, Material]:
    """Materials of a file, and the usual ones, by name.

    One that is refused is noted once: beams that are made of it find another one in its place.
    """
    found = dict(MATERIALS)
    for name, entry in given.items() if isinstance(given, dict) else ():
        found[name] = MATERIALS["steel"]
        if join("materials", name) not in refused:
            with collecting(problems):
                found[name] = Material(name, **MaterialEntry.model_validate(entry).given())
    return found


def parts(entry: BodyEntry, known: Mapping[str, Material]) -> dict[str, Any]:
    """What bends of a body, as arguments of :class:`gough.Body`."""
    found: dict[str, Any] = {}
    if entry.beam is not None:
        found["beam"] = _beam(entry.beam, known)
    if entry.stiffness is not None:
        figures = entry.stiffness.given()
        found["stiffness"] = BodyStiffness(**figures)
    return found


def _beam(entry: BeamEntry, known: Mapping[str, Material]) -> Beam:
    given = list(entry.given(*SECTIONS))
    if len(given) != 1:
        raise DescriptionError(
            f"has {' and '.join(given) or 'no section'}, expected one of {', '.join(SECTIONS)}",
            path="beam",
        )
    if entry.material not in known:
        raise DescriptionError(
            f"unknown material {shown(entry.material)}",
            path="beam.material",
            hint=nearest(entry.material, known),
        )
    with within("beam"):
        section = _KINDS[given[0]](**getattr(entry, given[0]).given())
    return Beam(section, known[entry.material], **entry.given("points", "up", "lumps"))
