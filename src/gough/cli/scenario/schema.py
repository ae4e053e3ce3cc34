"""The format of scenario files as strict models, and as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Tag
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from gough.report.parts import PARTS
from gough.robot.file.entries import (
    Entry,
    Inertia,
    Number,
    Vector,
    chosen_by,
    exclusive,
    key,
)

VERSION = 1
"""Of the format: the value of the key ``gough``."""

CONTROLLERS = ("joint_pd", "computed_torque")
INTEGRATORS = ("rk4", "dop853")
TABLES = ("csv", "parquet", "npz", "none")
FIGURES = ("png", "svg", "none")
EVENTS = ("reach", "type_1", "type_2", "limits")

One = Annotated[Number, Tag("<number")]
Several = Annotated[list[Number], Tag("<list")]
Word = Annotated[str, Tag("<text")]

Numbers = Annotated[Several | One, chosen_by("<list", otherwise="<number")]
"""One number for all motors, or one for each."""

Pose = Annotated[Annotated[list[Any], Tag("<list")] | Word, chosen_by("<list", otherwise="<text")]


class RobotChoice(Entry):
    """A robot of the zoo with other parameters."""

    zoo: str = key(..., "name of a robot of the zoo")
    parameters: dict[str, Any] | None = key(None, "those that differ from the defaults")


class PayloadEntry(Entry):
    """A body fixed to the platform."""

    mass: Number = key(..., "mass", "kg", minimum=0)
    center: Vector | None = key(None, "its centre in the frame of the platform's body", "m")
    inertia: Inertia | None = key(None, "about that centre: three rows, or the diagonal", "kg m^2")
    start: Number | None = key(
        None, "time when it is picked up; always carried if absent", "s", "from"
    )
    end: Number | None = key(None, "time when it is put down; never if absent", "s", "to")


Payloads = Annotated[
    One | Annotated[PayloadEntry, Tag("<object")] | Annotated[list[PayloadEntry], Tag("<list")],
    chosen_by("<object", "<list", otherwise="<number"),
]
"""A mass, a body, or several bodies, each with its times."""


class ForceEntry(Entry):
    """A force and a moment that act on a body."""

    body: str = key(..., "name of the body")
    f: Vector | None = key(None, "force in base axes; zero if absent", "N")
    n: Vector | None = key(None, "moment in base axes; zero if absent", "N m")
    point: Vector | None = key(None, "where the force acts, in the body's frame; its origin", "m")
    start: Number | None = key(None, "time from which it acts; always if absent", "s", "from")
    end: Number | None = key(None, "time until which it acts; for ever if absent", "s", "to")
    table: str | None = key(
        None, "instead of f and n: a file with columns t, fx, fy, fz, nx, ny, nz", "s, N, N m"
    )


class LoadsEntry(Entry):
    """What acts on the machine besides motors and gravity."""

    forces: list[ForceEntry] | None = key(None, "forces on bodies")
    payload: Payloads | None = key(
        None,
        "what the platform carries: a mass at its body's origin, a body, or a list of bodies",
        "kg",
    )
    friction: bool | None = key(None, "whether friction counts; true if absent")
    rotors: bool | None = key(None, "whether rotor inertia counts; true if absent")
    smoothing: Number | None = key(
        None,
        "speed that smooths Coulomb friction; if absent the simulation chooses, else zero",
        "rad/s or m/s",
        minimum=0,
    )


class InverseEntry(Entry):
    """How the motion is analysed."""

    rate: Number | None = key(None, "samples per second; 500 if absent", "1/s", exclusiveMinimum=0)
    method: str | None = key(None, "of the dynamics; legs if absent")
    agreement: bool | None = key(None, "whether the four methods are compared; true if absent")


class SineEntry(Entry):
    """``offset + amplitude * sin(2 pi frequency t + phase)``."""

    amplitude: Number = key(..., "amplitude", "N m or N")
    frequency: Number = key(..., "frequency", "Hz", exclusiveMinimum=0)
    phase: Number | None = key(None, "at the beginning; zero if absent", "rad")
    offset: Number | None = key(None, "mean; zero if absent", "N m or N")


class StepEntry(Entry):
    """One value before a time, another from it on."""

    time: Number = key(..., "of the step", "s", minimum=0)
    after: Number = key(..., "value from then on", "N m or N")
    before: Number | None = key(None, "value until then; zero if absent", "N m or N")


class RampEntry(Entry):
    """One value before a time, another after a later one, straight in between."""

    start: Number = key(..., "time when it begins", "s", minimum=0)
    end: Number = key(..., "time when it ends", "s")
    after: Number = key(..., "value from then on", "N m or N")
    before: Number | None = key(None, "value until the start; zero if absent", "N m or N")


class FunctionEntry(Entry):
    """One function of time."""

    model_config = ConfigDict(json_schema_extra=exclusive("sine", "step", "ramp", needed=True))

    sine: SineEntry | None = key(None, "a sine")
    step: StepEntry | None = key(None, "a step")
    ramp: RampEntry | None = key(None, "a ramp")


Function = Annotated[
    One | Annotated[FunctionEntry, Tag("<object")] | Annotated[list[FunctionEntry], Tag("<list")],
    chosen_by("<object", "<list", otherwise="<number"),
]
"""A constant, a function of time, or the sum of several."""


class EffortsEntry(Entry):
    """Efforts of the motors without a controller."""

    model_config = ConfigDict(json_schema_extra=exclusive("table", "motors"))

    table: str | None = key(
        None, "file with a column t [s] and one a motor, by its name or as tau_NAME"
    )
    motors: dict[str, Function] | None = key(
        None,
        "by the name of the motor: a number, a function of time, or a list of functions, "
        "which are added; zero where absent",
        "N m or N",
    )
    hold: bool | None = key(
        None, "whether the efforts that hold the robot at its start are added; false if absent"
    )


class ControllerEntry(Entry):
    """A controller that follows the motion."""

    kind: str = key(..., "which one", enum=list(CONTROLLERS))
    space: str | None = key(
        None,
        "of computed_torque: where errors are fed back; motors if absent",
        enum=["motors", "platform"],
    )
    bandwidth: Number | None = key(
        None,
        "instead of kp and kd: kp = bandwidth^2, kd = 2 bandwidth, times the inertia of each motor "
        "for joint_pd",
        "rad/s",
        exclusiveMinimum=0,
    )
    kp: Numbers | None = key(None, "gain of the error, of all motors or of each")
    kd: Numbers | None = key(None, "gain of its rate")
    gravity: bool | None = key(None, "of joint_pd: whether gravity is compensated; true if absent")
    period: Number | None = key(
        None, "time between two samples; continuous if absent", "s", exclusiveMinimum=0
    )
    delay: Number | None = key(None, "from measuring to acting; zero if absent", "s", minimum=0)
    saturation: (
        Annotated[Word | Several | One, chosen_by("<text", "<list", otherwise="<number")] | None
    ) = key(
        None,
        "largest efforts: 'limits' for those of the robot's axes and motors, or numbers",
        "N m or N",
    )
    quantisation: Numbers | None = key(
        None, "step of the encoders, which space platform does not read", "rad or m"
    )
    noise: Numbers | None = key(None, "standard deviation of the encoders, likewise", "rad or m")
    seed: int | None = key(None, "of the noise; 0 if absent", minimum=0)
    payload: Payloads | None = key(
        None, "what its model carries: that of loads if absent, 0 for nothing", "kg"
    )


class SimulationEntry(Entry):
    """A simulated run."""

    model_config = ConfigDict(json_schema_extra=exclusive("controller", "efforts"))

    controller: ControllerEntry | None = key(None, "follows the motion")
    efforts: (
        Annotated[
            Several | Annotated[EffortsEntry, Tag("<object")],
            chosen_by("<list", otherwise="<object"),
        ]
        | None
    ) = key(None, "constant efforts in the order of the motors, a table, or functions of time")
    start: Pose | None = key(
        None,
        "where it starts: 'motion' (the motion's first state), 'home', the freedoms, or a "
        "matrix; motion if there is one, else home",
    )
    velocity: list[Number] | None = key(
        None, "rates of the freedoms at the start; zero if absent", "m/s, rad/s"
    )
    t_end: Number | None = key(
        None, "when it ends; with the motion if absent", "s", exclusiveMinimum=0
    )
    integrator: str | None = key(
        None,
        "rk4: fixed step, fast; dop853: adaptive, accurate; rk4 if absent",
        enum=list(INTEGRATORS),
    )
    step: Number | None = key(None, "of rk4; 0.001 if absent", "s", exclusiveMinimum=0)
    output_step: Number | None = key(
        None, "between two recorded states; the step if absent", "s", exclusiveMinimum=0
    )
    rtol: Number | None = key(None, "relative tolerance of dop853; 1e-10 if absent")
    atol: Number | None = key(None, "absolute tolerance of dop853; 1e-12 if absent")
    method: str | None = key(None, "of the dynamics; legs if absent")
    stop_at: list[str] | None = key(
        None, "what stops it; all if absent", items={"type": "string", "enum": list(EVENTS)}
    )


class OutputEntry(Entry):
    """What is written, and where."""

    folder: str | None = key(
        None, "where results go, from the scenario's folder; results/NAME if absent"
    )
    report: bool | None = key(None, "whether a report is written; true if absent")
    without: list[str] | None = key(
        None,
        "parts that the report leaves out; none if absent",
        items={"type": "string", "enum": list(PARTS)},
    )
    page: bool | None = key(
        None, "whether a page is written in which the robot moves; false if absent"
    )
    tables: str | None = key(None, "format of the tables; csv if absent", enum=list(TABLES))
    figures: str | None = key(None, "format of single figures; none if absent", enum=list(FIGURES))


class ScenarioEntry(Entry):
    """A robot, a motion, and what is asked of them. SI units, radians."""

    gough: int = key(..., "version of the format", const=VERSION)
    label: str | None = key(None, "free text: the title of the report", maxLength=2000)
    robot: Annotated[
        Word | Annotated[RobotChoice, Tag("<object")],
        chosen_by("<object", otherwise="<text"),
    ] = key(..., "a name of the zoo, the path of a robot file, or zoo and parameters")
    motion: (
        Annotated[
            Annotated[dict[str, Any], Tag("<object")]
            | Annotated[list[dict[str, Any]], Tag("<list")],
            chosen_by("<list", otherwise="<object"),
        ]
        | None
    ) = key(None, "kind and arguments, or a list of such that follow each other")
    loads: LoadsEntry | None = key(None, "what acts on the machine; nothing if absent")
    inverse_dynamics: (
        Annotated[
            Annotated[bool, Tag("<switch")] | Annotated[InverseEntry, Tag("<object")],
            chosen_by("<object", otherwise="<switch"),
        ]
        | None
    ) = key(None, "whether and how the motion is analysed; true if there is a motion")
    simulation: SimulationEntry | None = key(None, "a simulated run; none if absent")
    plant: dict[str, Any] | None = key(
        None, "how the simulated machine differs from the described one: masses: 1.1, ..."
    )
    output: OutputEntry | None = key(None, "what is written, and where")


class _WithoutNulls(GenerateJsonSchema):
    """A schema that does not offer null: absent keys are ``None`` here, but no file can say so."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema 2020-12."""
    body = ScenarioEntry.model_json_schema(schema_generator=_WithoutNulls)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "gough-scenario-1"}
    return {**head, **body, "title": "gough scenario"}
