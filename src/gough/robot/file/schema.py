"""The file format as strict models, and as the JSON Schema published beside this file.

Versions of the format differ in a few keys, which ``versions.py`` lists; the models are those of
the newest.  After a change here, write the schemas anew: ``python -m gough.robot.file``.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Tag

from gough.robot.file.body_schema import (
    BodyEntry,
    FrameEntry,
    MaterialEntry,
    ShapeEntry,
    loss_factor,
)
from gough.robot.file.entries import (
    NAMES,
    Entry,
    Number,
    Range,
    Vector,
    chosen_by,
    exclusive,
    key,
    without,
)
from gough.robot.file.versions import VERSION
from gough.robot.joint import DRAGS, LOCKED
from gough.robot.joint_kinds import KINDS
from gough.robot.names import PATTERN
from gough.robot.robot import COARSEST


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
    damping: Number | None = loss_factor()


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
        propertyNames={"enum": sorted({axis for kind in KINDS.values() for axis in kind.axes})},
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

    gough: int = key(..., "version of the format", enum=[*range(2, VERSION + 1)])
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
