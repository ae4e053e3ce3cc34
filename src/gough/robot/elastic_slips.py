"""Elastic data that are accepted but look like a mistake: GPa, g/cm^3, N/mm, N m/arcmin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gough.robot.finding import Finding
from gough.robot.joint_kinds import KINDS, SLIDE
from gough.robot.robot import Robot
from gough.robot.section import Box, Tube
from gough.robot.slips import slip

# Figures of real parts lie within these; a slip of a unit passes them.
MODULUS = (2e8, 1.3e12)
"""Young's modulus of beams [Pa]: soft plastics to diamond."""
DENSITY = (50.0, 25_000.0)
"""Of beams [kg/m^3]: foam to osmium."""
SOFTEST_SLIDE = 2e4
"""Stiffness of the drive of a slide [N/m]; belts have more."""
SOFTEST_GEAR = 20.0
"""Stiffness of a gear at its joint [N m/rad]; data sheets say N m/arcmin, 3438 times as much."""
SOFTEST_BEARING = 1e6
"""Stiffness of a bearing, radial and axial [N/m]; bushings of plastic have more."""
_ISOTROPIC = 0.5 * 1.02  # G by E of a material that does not grow thicker when pulled


def elastic_slips(robot: Robot) -> Iterator[Finding]:
    """Likely slips in materials, sections, transmissions and bearings."""
    yield from _materials(robot)
    yield from _sections(robot)
    yield from _transmissions(robot)
    yield from _bearings(robot)


def _materials(robot: Robot) -> Iterator[Finding]:
    found = {body.beam.material.name: body.beam.material for body in robot.bodies if body.beam}
    for name, material in found.items():
        path = f"materials.{name}"
        if not MODULUS[0] <= material.E <= MODULUS[1]:
            guess = "is that in Pa" if material.E > MODULUS[1] else "kPa or MPa"
            yield slip(f"{path}.E", material.E, f"{material.E:g} Pa, unlike any beam's", guess)
        if material.G > _ISOTROPIC * material.E:
            text = f"{material.G:g} Pa, more than half of E = {material.E:g} Pa"
            yield slip(f"{path}.G", material.G, text, "is it that of another material")
        if not DENSITY[0] <= material.density <= DENSITY[1]:
            guess = "g/cm^3" if material.density < DENSITY[0] else "g/m^3"
            text = f"{material.density:g} kg/m^3, unlike any beam's"
            yield slip(f"{path}.density", material.density, text, guess)


def _sections(robot: Robot) -> Iterator[Finding]:
    for body in robot.bodies:
        if body.beam is None:
            continue
        section, length = body.beam.section, body.beam.length
        size = {Tube: "radius", Box: "height"}.get(type(section))
        figures = section.figures
        wide = float(np.sqrt(max(figures.Iy, figures.Iz) / figures.area))  # radius of gyration
        if wide > length / 3.0:
            key = f"bodies.{body.name}.beam" + (f".{size}" if size else ".section")
            text = f"the section is as wide as the beam is long, {length:g} m: it is no beam"
            yield slip(key, wide, text, "millimetres", bodies=(body.name,))


def _transmissions(robot: Robot) -> Iterator[Finding]:
    for joint in robot.joints:
        for (short, kind), axis in zip(KINDS[joint.kind].axes.items(), joint.axes, strict=True):
            gear = axis.transmission
            if gear is None or gear.stiffness is None:
                continue
            slides = kind == SLIDE
            least, unit = (SOFTEST_SLIDE, "N/m") if slides else (SOFTEST_GEAR, "N m/rad")
            if gear.stiffness < least:
                inner = f".axes.{short}" if len(KINDS[joint.kind].axes) > 1 else ""
                path = f"joints.{joint.name}{inner}.transmission.stiffness"
                text = f"{gear.stiffness:g} {unit}, softer than usual drives"
                guess = "N/mm" if slides else "N m/arcmin, or on the motor's side of the gear"
                yield slip(path, gear.stiffness, text, guess, joints=(joint.name,))


def _bearings(robot: Robot) -> Iterator[Finding]:
    for joint in robot.joints:
        for key in ("radial", "axial"):
            value = getattr(joint.released.bearing, key, None)
            if value is not None and value < SOFTEST_BEARING:
                text = f"{value:g} N/m, softer than usual bearings"
                path = f"joints.{joint.name}.bearing.{key}"
                yield slip(path, value, text, "N/mm", joints=(joint.name,))
