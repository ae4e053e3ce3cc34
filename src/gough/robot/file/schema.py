"""The file format as strict models, and as the JSON Schema published beside this file.

Versions of the format differ in a few keys, which ``versions.py`` lists; the models are those of
the newest.  After a change here, write the schemas anew: ``python -m gough.robot.file``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Tag

from gough.robot.file.entries import (
    NAMES,
    Entry,
    Inertia,
    Number,
    Quaternion,
    Range,
    Rows,
    Vector,
    chosen_by,
    exclusive,
    key,
    without,
)
from gough.robot.file.versions import VERSION
from gough.robot.joint import DRAGS, KINDS, LOCKED
from gough.robot.names import PATTERN
from gough.robot.robot import COARSEST
from gough.robot.shape import MESH, SIZES

ORIENTATIONS = ("rotation", "quaternion_wxyz", "quaternion_xyzw", "rpy", "z")
SHAPES = ("rod", "cylinder", "box", "sphere")
SECTIONS = ("tube", "box", "section")


def _loss() -> Any:
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
    damping: Number | None = _loss()


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
    damping: Number | None = _loss()


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


class TransmissionEntry(Entry):
    """What sits between a motor and its axis."""

    model_config = ConfigDict(json_schema_extra=exclusive("ratio", "lead"))

    ratio: Number | None = key(
        None, "motor turns per joint turn; of a sliding axis motor radians per metre"
    )
    lead: Number | None = key(
        None, "advance of a sliding axis per motor turn", "m", exclusiveMinimum=0
    )
    motor_inertia: Number | None = key(None, "rotor on its own shaft", "kg m^2", minimum=0)
    efficiency: Number | None = key(
        None, "share of the motor's power that arrives", exclusiveMinimum=0, maximum=1
    )
    stiffness: Number | None = key(
        None, "at the axis, the motor held; rigid if absent", "N m/rad or N/m", exclusiveMinimum=0
    )
    damping: Number | None = key(
        None, "of the stiffness, effort per speed; 0 if absent", "N m s/rad or N s/m", minimum=0
    )


class MotorEntry(Entry):
    """Data of a motor on its own shaft; of a linear motor N, m/s and kg."""

    model_config = ConfigDict(json_schema_extra=exclusive("speed", "curve"))

    peak: Number | None = key(None, "largest torque, for a short time", "N m", exclusiveMinimum=0)
    continuous: Number | None = key(
        None, "torque that it can give for ever, at most the peak", "N m", exclusiveMinimum=0
    )
    speed: Number | None = key(None, "largest speed", "rad/s", exclusiveMinimum=0)
    curve: list[Range] | None = key(
        None,
        "points [speed, torque] of the largest torque, speeds growing; instead of speed",
        "rad/s, N m",
        minItems=2,
    )
    rotor_inertia: Number | None = key(None, "of the rotor on its shaft", "kg m^2", minimum=0)


class LimitsEntry(Entry):
    """Bounds of an axis; what is absent is unbounded."""

    position: Range | None = key(None, "lowest and highest coordinate", "rad or m")
    velocity: Number | None = key(None, "largest speed", "rad/s or m/s", exclusiveMinimum=0)
    effort: Number | None = key(None, "largest effort", "N m or N", exclusiveMinimum=0)


class SpringEntry(Entry):
    """A linear spring on an axis: its effort is ``-stiffness * (coordinate - rest)``."""

    stiffness: Number = key(..., "effort per coordinate", "N m/rad or N/m", exclusiveMinimum=0)
    rest: Number | None = key(
        None, "coordinate at which the spring is slack; zero if absent", "rad or m"
    )


class AxisEntry(Entry):
    """What is known of one axis besides its geometry."""

    viscous: Number | None = key(None, "effort per speed", "N m s/rad or N s/m", minimum=0)
    coulomb: Number | None = key(
        None, "constant effort against the motion, none at rest", "N m or N", minimum=0
    )
    rotor_inertia: Number | None = key(
        None, "inertia reflected to the axis", "kg m^2 or kg", minimum=0
    )
    transmission: TransmissionEntry | None = key(None, "between the motor and the axis")
    limits: LimitsEntry | None = key(None, "bounds of position, speed and effort")
    spring: SpringEntry | None = key(None, "linear spring between the two bodies")
    motor: MotorEntry | None = key(None, "data of the motor on its shaft")


class BearingEntry(Entry):
    """Stiffness of a joint in directions that it holds, axes of its frame on the parent."""

    radial: Number | None = key(None, "across z; rigid if absent", "N/m", exclusiveMinimum=0)
    axial: Number | None = key(None, "along z; rigid if absent", "N/m", exclusiveMinimum=0)
    tilt: Number | None = key(
        None, "against turns across z; rigid if absent", "N m/rad", exclusiveMinimum=0
    )
    torsion: Number | None = key(
        None, "against turns about z, of a slide or a fixed joint", "N m/rad", exclusiveMinimum=0
    )
    damping: Number | None = _loss()


class GuideEntry(Entry):
    """Where a telescopic leg is guided."""

    on: str = key(..., "the body that carries the guide, one of the joint's two")
    at: Vector = key(..., "its middle, in that body's frame", "m")


class JointEntry(AxisEntry):
    """A joint; keys of its axis stand directly in it if it has one axis, else under ``axes``."""

    model_config = ConfigDict(
        json_schema_extra={
            "dependentSchemas": {
                "frame": without("parent_frame", "child_frame"),
                "axes": without(*AxisEntry.model_fields),
            },
            "if": {"properties": {"kind": {"const": "helical"}}},
            "then": {"required": ["pitch"]},
            "else": {"properties": {"pitch": {"const": 0}}},
        }
    )

    kind: str = key(..., "what the joint allows", enum=list(KINDS))
    parent: str = key(..., "body that carries the first frame, or the base")
    child: str = key(..., "body that carries the second frame, or the base")
    parent_frame: FrameEntry | None = key(None, "the joint's frame on the parent")
    child_frame: FrameEntry | None = key(None, "the joint's frame on the child")
    frame: FrameEntry | None = key(
        None, "the same frame on both, for bodies whose frames coincide with the base at home"
    )
    axes: dict[str, AxisEntry] | None = key(
        None,
        "keys of each axis of a joint that has several, by its name",
        propertyNames={"enum": sorted({axis for axes in KINDS.values() for axis in axes})},
    )
    pitch: Number | None = key(None, "advance of a helical joint", "m/rad")
    idle: str | None = key(
        None,
        "'locked': a motion of this joint that the platform does not feel is held, as by a brake; "
        "'drags': the joint drags along what spins idly in it",
        enum=[LOCKED, DRAGS],
    )
    bearing: BearingEntry | None = key(None, "stiffness of what the joint holds; rigid if absent")
    guide: GuideEntry | None = key(None, "where a slide between beams is guided")
    label: str | None = key(None, "free text", maxLength=2000)


class CouplingEntry(Entry):
    """A linear relation between joint coordinates: a gear, a belt, a differential."""

    axes: dict[str, Number] = key(
        ..., "coefficient of each axis by its name: sum of coefficient * q = offset"
    )
    offset: Number | None = key(None, "what the sum is; 0 if absent", "rad or m")
    label: str | None = key(None, "free text", maxLength=2000)


class PlatformEntry(Entry):
    """The body that does the work."""

    body: str = key(..., "its name")
    frame: FrameEntry | None = key(None, "frame on it whose pose is the robot's pose")


def _motors_at_home(default: Any) -> Any:
    """The key of a home by motors."""
    return key(
        default,
        "positions to which the motors are moved from there: 'mid', the middle of all strokes, or "
        "by name",
        "rad or m",
    )


MotorHome = Annotated[
    Annotated[str, Tag("<word")] | Annotated[dict[str, Number], Tag("<object")],
    chosen_by("<object", otherwise="<word"),
]


class HomeEntry(Entry):
    """An assembled posture that picks the branch; rough figures will do."""

    bodies: dict[str, FrameEntry] | None = key(None, "poses of bodies in the base", **NAMES)
    joints: dict[str, Number] | None = key(
        None, "coordinates by axis name; zero where absent", "rad or m"
    )
    motors: MotorHome | None = _motors_at_home(None)


class LikeHomeEntry(Entry):
    """A home by motors, of a robot that is like another one."""

    motors: MotorHome = _motors_at_home(...)


def _numbers() -> Any:
    """The key of numbers that are named once."""
    return key(None, "numbers by name, used as $name, -$name, 2*$name or $name/2", **NAMES)


def _locked() -> Any:
    """The key of joints that are held."""
    return key(None, "joints that are held at home, as by a brake")


class RobotEntry(Entry):
    """A parallel robot as bodies and joints. SI units, radians, right-handed frames."""

    gough: int = key(..., "version of the format", enum=[*range(1, VERSION + 1)])
    name: str = key(..., "identifier of the robot", pattern=f"^{PATTERN}$")
    label: str | None = key(None, "free text", maxLength=2000)
    source: str | None = key(None, "where the figures come from", maxLength=2000)
    numbers: dict[str, Number] | None = _numbers()
    base: str | None = key(None, "name of the fixed body in joints; 'base' if absent")
    gravity: Vector | None = key(
        None, "acceleration of free fall in base axes; [0, 0, -9.81] if absent", "m/s^2"
    )
    platform: Annotated[
        Annotated[str, Tag("<name")] | Annotated[PlatformEntry, Tag("<object")],
        chosen_by("<object", otherwise="<name"),
    ] = key(..., "the body that does the work: its name, or name and frame")
    motors: list[str] | None = key(
        None, "actuated axes by name in the order of the efforts; 'u_1.first' for one of several"
    )
    redundant: bool | None = key(
        None, "says that more motors than freedoms are meant, not a mistake; false if absent"
    )
    materials: dict[str, MaterialEntry] | None = key(None, "materials of beams by name", **NAMES)
    bodies: dict[str, BodyEntry] = key(..., "moving bodies by name", minProperties=1, **NAMES)
    joints: dict[str, JointEntry] = key(..., "joints by name", minProperties=1, **NAMES)
    home: HomeEntry | None = key(None, "one assembled posture on the branch that is meant")
    locked: list[str] | None = _locked()
    couplings: dict[str, CouplingEntry] | None = key(
        None, "relations between joint coordinates by name", **NAMES
    )
    base_shapes: list[ShapeEntry] | None = key(None, "what the base looks like, for pictures alone")
    precision: Number | None = key(
        None,
        "how exact the figures of joints are: 1e-5 for six digits; exact if absent",
        "share of the machine's size, rad",
        minimum=0,
        maximum=COARSEST,
    )


class LikeEntry(Entry):
    """A robot of the zoo, or of a builder, with other figures."""

    gough: int = key(..., "version of the format", enum=[VERSION])
    name: str = key(..., "identifier of the robot", pattern=f"^{PATTERN}$")
    like: str = key(..., "a name of the zoo, or build.NAME: delta, build.hexapod")
    parameters: dict[str, Any] | None = key(
        None, "its parameters that differ, by name or path: {L: 0.3, platform.mass: 1.2}"
    )
    label: str | None = key(None, "free text instead of its own", maxLength=2000)
    source: str | None = key(None, "where the figures come from", maxLength=2000)
    numbers: dict[str, Number] | None = _numbers()
    gravity: Vector | None = key(None, "acceleration of free fall in base axes", "m/s^2")
    motors: list[str] | None = key(None, "actuated axes instead of its own, by name")
    redundant: bool | None = key(None, "says that more motors than freedoms are meant")
    axes: dict[str, AxisEntry] | None = key(
        None, "by axis name: keys of an axis that replace its own"
    )
    home: LikeHomeEntry | None = key(None, "a home by motors instead of its own")
    locked: list[str] | None = _locked()
