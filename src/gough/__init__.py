"""gough: the dynamics of parallel robots, exact, checked and fast.

Describe a parallel robot once, as bodies and joints, and get the motion of everything in it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gough import errors
from gough._version import __version__

if TYPE_CHECKING:
    from gough import build, control, motion, scenario, screw, zoo
    from gough.analysis.analyse import analyse
    from gough.analysis.result import Analysis
    from gough.diagnosis import Diagnosis, Finding, doctor
    from gough.drawing import draw, draw_modes
    from gough.dynamics.balancing import Balance, balance_gravity
    from gough.dynamics.certificate import Certificate, audit
    from gough.dynamics.elements.camera import LegStates, observe
    from gough.dynamics.elements.grammar import Elements, elements
    from gough.dynamics.elements.observed import inverse_dynamics_observed
    from gough.dynamics.energy import Energy
    from gough.dynamics.loads import Force, Loads, Payload
    from gough.dynamics.motor_side import MotorSide, motor_side
    from gough.dynamics.reactions import Reactions, reactions
    from gough.dynamics.screws.reciprocal import reciprocal_screws
    from gough.dynamics.sharing import Share, internal_efforts
    from gough.errors import GoughError, GoughWarning
    from gough.geometry.inverse import explain
    from gough.geometry.state import state
    from gough.kernels.compile import compile_kernel as compile
    from gough.kernels.export import export_c
    from gough.kernels.from_motors import inverse_dynamics_from_motors
    from gough.kernels.functions import (
        bias_wrench,
        direct_dynamics,
        energy,
        gravity_wrench,
        inertia_matrix,
        inverse_acceleration,
        inverse_dynamics,
        inverse_geometry,
        inverse_velocity,
    )
    from gough.kernels.kernel import Kernel
    from gough.kinematics.from_motors import state_from_motors
    from gough.kinematics.jacobians import freedom_map, inverse_jacobian, jacobian, leg_jacobians
    from gough.kinematics.posture import Posture, posture
    from gough.modes.direct import direct_geometry
    from gough.modes.follow import pose_from_motors
    from gough.modes.mode import Mode, Modes
    from gough.modes.poses import Poses
    from gough.modes.track import Track, track
    from gough.passage import Crossing, crossing, crossing_control, plan_crossing
    from gough.report.sheet import Sheet, sheet
    from gough.robot import (
        Axis,
        Body,
        Frame,
        Home,
        Joint,
        Limits,
        Robot,
        Spring,
        Transmission,
        inertia,
    )
    from gough.robot.file import load, save
    from gough.sections.locus import Locus, singularity_locus
    from gough.sections.result import Capability, Workspace
    from gough.sections.section import Section
    from gough.sections.workspace import workspace
    from gough.simulation.result import Event, Simulation
    from gough.simulation.simulate import simulate
    from gough.singularity.along import singularities_along
    from gough.singularity.found import Singularities
    from gough.singularity.nearest import nearest_type_2
    from gough.singularity.singularities import singularities
    from gough.tracing.count import Operations, count
    from gough.tracing.interpreter import run
    from gough.tracing.program import Program
    from gough.tracing.quantities import coordinates, trace

__all__ = [
    "Analysis",
    "Axis",
    "Balance",
    "Body",
    "Capability",
    "Certificate",
    "Crossing",
    "Diagnosis",
    "Elements",
    "Energy",
    "Event",
    "Finding",
    "Force",
    "Frame",
    "GoughError",
    "GoughWarning",
    "Home",
    "Joint",
    "Kernel",
    "LegStates",
    "Limits",
    "Loads",
    "Locus",
    "Mode",
    "Modes",
    "MotorSide",
    "Operations",
    "Payload",
    "Poses",
    "Posture",
    "Program",
    "Reactions",
    "Robot",
    "Section",
    "Share",
    "Sheet",
    "Simulation",
    "Singularities",
    "Spring",
    "Track",
    "Transmission",
    "Workspace",
    "__version__",
    "analyse",
    "audit",
    "balance_gravity",
    "bias_wrench",
    "build",
    "compile",
    "control",
    "coordinates",
    "count",
    "crossing",
    "crossing_control",
    "direct_dynamics",
    "direct_geometry",
    "doctor",
    "draw",
    "draw_modes",
    "elements",
    "energy",
    "errors",
    "explain",
    "export_c",
    "freedom_map",
    "gravity_wrench",
    "inertia",
    "inertia_matrix",
    "internal_efforts",
    "inverse_acceleration",
    "inverse_dynamics",
    "inverse_dynamics_from_motors",
    "inverse_dynamics_observed",
    "inverse_geometry",
    "inverse_jacobian",
    "inverse_velocity",
    "jacobian",
    "leg_jacobians",
    "load",
    "motion",
    "motor_side",
    "nearest_type_2",
    "observe",
    "plan_crossing",
    "pose_from_motors",
    "posture",
    "reactions",
    "reciprocal_screws",
    "run",
    "save",
    "scenario",
    "screw",
    "sheet",
    "simulate",
    "singularities",
    "singularities_along",
    "singularity_locus",
    "state",
    "state_from_motors",
    "trace",
    "track",
    "workspace",
    "zoo",
]

# Everything is loaded when it is asked for first: `import gough` takes no time.
_ROOMS = {
    name: f"gough.{name}"
    for name in ("analysis", "build", "control", "motion", "report", "scenario", "screw", "zoo")
}
_ROOMS["inertia"] = "gough.robot.inertia"
_PLACES = {
    "gough.analysis.analyse": ("analyse",),
    "gough.analysis.result": ("Analysis",),
    "gough.diagnosis": ("Diagnosis", "Finding", "doctor"),
    "gough.drawing": ("draw", "draw_modes"),
    "gough.dynamics.balancing": ("Balance", "balance_gravity"),
    "gough.dynamics.certificate": ("Certificate", "audit"),
    "gough.dynamics.energy": ("Energy",),
    "gough.dynamics.loads": ("Force", "Loads", "Payload"),
    "gough.dynamics.motor_side": ("MotorSide", "motor_side"),
    "gough.dynamics.elements.observed": ("inverse_dynamics_observed",),
    "gough.dynamics.reactions": ("Reactions", "reactions"),
    "gough.dynamics.sharing": ("Share", "internal_efforts"),
    "gough.errors": ("GoughError", "GoughWarning"),
    "gough.kinematics.from_motors": ("state_from_motors",),
    "gough.geometry.inverse": ("explain",),
    "gough.geometry.state": ("state",),
    "gough.kernels.compile": ("compile",),
    "gough.kernels.export": ("export_c",),
    "gough.kernels.from_motors": ("inverse_dynamics_from_motors",),
    "gough.kernels.functions": (
        "bias_wrench",
        "direct_dynamics",
        "energy",
        "gravity_wrench",
        "inertia_matrix",
        "inverse_acceleration",
        "inverse_dynamics",
        "inverse_geometry",
        "inverse_velocity",
    ),
    "gough.kernels.kernel": ("Kernel",),
    "gough.dynamics.elements.grammar": ("Elements", "elements"),
    "gough.kinematics.jacobians": ("freedom_map", "inverse_jacobian", "jacobian", "leg_jacobians"),
    "gough.dynamics.elements.camera": ("LegStates", "observe"),
    "gough.kinematics.posture": ("Posture", "posture"),
    "gough.dynamics.screws.reciprocal": ("reciprocal_screws",),
    "gough.modes.direct": ("direct_geometry",),
    "gough.modes.mode": ("Mode", "Modes"),
    "gough.report.sheet": ("Sheet", "sheet"),
    "gough.robot": (
        "Axis",
        "Body",
        "Frame",
        "Home",
        "Joint",
        "Limits",
        "Robot",
        "Spring",
        "Transmission",
    ),
    "gough.robot.file": ("load", "save"),
    "gough.simulation.result": ("Event", "Simulation"),
    "gough.simulation.simulate": ("simulate",),
    "gough.tracing.count": ("Operations", "count"),
    "gough.tracing.interpreter": ("run",),
    "gough.tracing.program": ("Program",),
    "gough.tracing.quantities": ("coordinates", "trace"),
    "gough.modes.follow": ("pose_from_motors",),
    "gough.modes.poses": ("Poses",),
    "gough.modes.track": ("Track", "track"),
    "gough.singularity.singularities": ("singularities",),
    "gough.singularity.found": ("Singularities",),
    "gough.singularity.along": ("singularities_along",),
    "gough.singularity.nearest": ("nearest_type_2",),
    "gough.sections.workspace": ("workspace",),
    "gough.sections.locus": ("Locus", "singularity_locus"),
    "gough.sections.result": ("Capability", "Workspace"),
    "gough.sections.section": ("Section",),
    "gough.passage": ("Crossing", "crossing", "crossing_control", "plan_crossing"),
}
_HOME = {name: module for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Names that are not loaded yet."""
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name not in _HOME:
        raise AttributeError(f"module 'gough' has no attribute {name!r}")
    # `compile` is a word of Python: the function has another name at home
    found = getattr(import_module(_HOME[name]), _OTHERWISE.get(name, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_OTHERWISE = {"compile": "compile_kernel"}
