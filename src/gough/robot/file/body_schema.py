"""The part of the file format that describes bodies: frames, masses, beams, shapes."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict

from gough.robot.file.entries import (
    Entry,
    Inertia,
    Number,
    Quaternion,
    Range,
    Rows,
    Vector,
    exclusive,
    key,
)
from gough.robot.shape import MESH, SIZES

ORIENTATIONS = ("rotation", "quaternion_wxyz", "quaternion_xyzw", "rpy", "z")
SHAPES = ("rod", "cylinder", "box", "sphere")
SECTIONS = ("tube", "box", "section")


def loss_factor() -> Any:
    """The key of a loss factor."""
    return key(None, "loss factor, twice the damping ratio; 0 if absent", minimum=0, maximum=1)


class FrameEntry(Entry):
    """A frame on a body: position, and at most one way to say its orientation."""

    model_config = ConfigDict(
        json_schema_extra={**exclusive(*ORIENTATIONS), "dependentRequired": {"x": ["z"]}}
    )

    position: Vector | None = key(None, "origin of the frame in body axes", "m")
    rotation: Rows | None = key(None, "3x3, row by row; its columns are the frame's axes")
    quaternion_wxyz: Quaternion | None = key(None, "unit quaternion, scalar first")
    quaternion_xyzw: Quaternion | None = key(None, "unit quaternion, scalar last")
    rpy: Vector | None = key(None, "roll, pitch, yaw about the body's fixed x, y, z", "rad")
    z: Vector | None = key(None, "direction of the z axis, of any length but zero")
    x: Vector | None = key(None, "direction the x axis leans towards; only with z")


class RodEntry(Entry):
    """Slender uniform rod."""

    mass: Number = key(..., "mass", "kg", exclusiveMinimum=0)
    start: Vector = key(..., "one end", "m")
    end: Vector = key(..., "the other end", "m")


class CylinderEntry(Entry):
    """Uniform cylinder or tube."""

    mass: Number = key(..., "mass", "kg", exclusiveMinimum=0)
    radius: Number = key(..., "outer radius", "m", exclusiveMinimum=0)
    length: Number = key(..., "length along the axis", "m", minimum=0)
    axis: Vector | None = key(None, "direction of the axis; z if absent")
    center: Vector | None = key(None, "middle of the cylinder", "m")
    inner_radius: Number | None = key(None, "radius of the hole of a tube", "m", minimum=0)


class BoxEntry(Entry):
    """Uniform box along the body axes."""

    mass: Number = key(..., "mass", "kg", exclusiveMinimum=0)
    size: Vector = key(..., "edges along x, y, z", "m")
    center: Vector | None = key(None, "middle of the box", "m")


class SphereEntry(Entry):
    """Uniform ball; radius 0 is a point mass."""

    mass: Number = key(..., "mass", "kg", exclusiveMinimum=0)
    radius: Number = key(..., "radius", "m", minimum=0)
    center: Vector | None = key(None, "middle of the ball", "m")


class SolidEntry(Entry):
    """Mass, centre and inertia as figures, or one shape that has them."""

    mass: Number | None = key(None, "mass", "kg", exclusiveMinimum=0)
    center: Vector | None = key(None, "centre of mass in body axes", "m")
    inertia: Inertia | None = key(
        None, "about the centre of mass, body axes: three rows, or the diagonal", "kg m^2"
    )
    rod: RodEntry | None = key(None, "slender uniform rod instead of figures")
    cylinder: CylinderEntry | None = key(None, "uniform cylinder or tube instead of figures")
    box: BoxEntry | None = key(None, "uniform box instead of figures")
    sphere: SphereEntry | None = key(None, "uniform ball instead of figures")


class PartEntry(SolidEntry):
    """Part of a composite body."""

    model_config = ConfigDict(json_schema_extra=exclusive("mass", *SHAPES, needed=True))

    frame: FrameEntry | None = key(None, "where the part sits on the body")


class MaterialEntry(Entry):
    """A material of beams."""

    E: Number = key(..., "Young's modulus along the beam", "Pa", exclusiveMinimum=0)
    G: Number = key(..., "shear modulus", "Pa", exclusiveMinimum=0)
    density: Number = key(..., "density", "kg/m^3", exclusiveMinimum=0)
    damping: Number | None = loss_factor()


class TubeEntry(Entry):
    """Round tube or bar."""

    radius: Number = key(..., "outer radius", "m", exclusiveMinimum=0)
    inner_radius: Number | None = key(
        None, "radius of the hole; a full bar if absent", "m", minimum=0
    )


class HollowBoxEntry(Entry):
    """Rectangular tube or bar."""

    width: Number = key(..., "along the section's y", "m", exclusiveMinimum=0)
    height: Number = key(..., "along the section's z, which leans to up", "m", exclusiveMinimum=0)
    wall: Number | None = key(
        None, "thickness of the walls; a full bar if absent", "m", exclusiveMinimum=0
    )


class SectionEntry(Entry):
    """Cross-section by its figures; x runs along the beam."""

    area: Number = key(..., "area", "m^2", exclusiveMinimum=0)
    Iy: Number = key(..., "second moment about y: bending in xz", "m^4", exclusiveMinimum=0)
    Iz: Number = key(..., "second moment about z: bending in xy", "m^4", exclusiveMinimum=0)
    J: Number = key(..., "torsion constant, at most Iy + Iz", "m^4", exclusiveMinimum=0)
    shear_y: Number | None = key(
        None,
        "share of the area that carries shear along y; 5/6 if absent",
        exclusiveMinimum=0,
        maximum=1,
    )
    shear_z: Number | None = key(
        None,
        "share of the area that carries shear along z; 5/6 if absent",
        exclusiveMinimum=0,
        maximum=1,
    )


class BeamEntry(Entry):
    """What bends of a body: straight pieces with one cross-section and one material."""

    model_config = ConfigDict(json_schema_extra=exclusive(*SECTIONS, needed=True))

    tube: TubeEntry | None = key(None, "round section")
    box: HollowBoxEntry | None = key(None, "rectangular section")
    section: SectionEntry | None = key(None, "section by its figures")
    material: str = key(..., "name of one of materials, or of a usual one: steel, aluminium, cfrp")
    points: list[Vector] = key(..., "ends of the straight pieces, body axes", "m", minItems=2)
    up: Vector | None = key(None, "direction of the section's z; needed unless it is round")
    lumps: list[Range] | None = key(
        None, "point masses on it: [place along the beam from 0 to 1, mass]", "1, kg"
    )


class StiffnessEntry(Entry):
    """Stiffness of a body between the frames of its joints, body axes, linear first."""

    frames: list[str] = key(
        ..., "joints of the body in the order of the matrix; 'platform' for its frame", minItems=2
    )
    matrix: list[list[Number]] = key(..., "six rows for each frame", "N/m, N, N m/rad")
    mass: list[list[Number]] | None = key(
        None, "mass matrix of the same order; rigid if absent", "kg, kg m, kg m^2"
    )
    damping: Number | None = loss_factor()


class ShapeEntry(Entry):
    """What a body looks like, or a part of it; only pictures use it."""

    kind: str = key(..., "primitive shape, or a mesh", enum=[*SIZES, MESH])
    size: list[Number] | None = key(
        None,
        "edges of a box, radius of a sphere, radius and length along z of a cylinder or of a "
        "capsule between its half balls, half the axes of an ellipsoid",
        "m",
    )
    frame: FrameEntry | None = key(None, "where it sits on the body")
    colour: str | None = key(
        None, "'#rrggbb'; by the body's part in the machine if absent", pattern="^#[0-9A-Fa-f]{6}$"
    )
    points: str | None = key(None, "of a mesh, in its frame: '0 0 0, 0.1 0 0, 0 0.1 0'", "m")
    triangles: str | None = key(
        None, "of a mesh, three places of points each, counter-clockwise from outside: '0 1 2'"
    )


class BodyEntry(SolidEntry):
    """A rigid body."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                *exclusive("mass", *SHAPES, "composite", needed=True)["oneOf"],
                {"required": ["massless"], "properties": {"massless": {"const": True}}},
            ]
        }
    )

    massless: bool | None = key(None, "says that no mass is meant, not forgotten")
    composite: list[PartEntry] | None = key(None, "parts rigidly joined", minItems=1)
    beam: BeamEntry | None = key(None, "what bends of it; rigid-body dynamics does not use it")
    stiffness: StiffnessEntry | None = key(
        None, "instead of a beam: a stiffness matrix between the frames of its joints"
    )
    shapes: list[ShapeEntry] | None = key(
        None, "what it looks like, for pictures alone; from its joints if absent"
    )
    label: str | None = key(None, "free text", maxLength=2000)
