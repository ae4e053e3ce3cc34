"""gough: the dynamics of parallel robots, exact, checked and fast.

Describe a parallel robot once, as bodies and joints, and get the motion of everything in it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gough import errors, screw
from gough._version import __version__
from gough.dynamics.balancing import Balance, balance_gravity
from gough.dynamics.certificate import Certificate, audit
from gough.dynamics.energy import Energy
from gough.dynamics.loading import Payload
from gough.dynamics.models import gravity_wrench
from gough.dynamics.motor_side import MotorSide, motor_side
from gough.dynamics.observed import inverse_dynamics_from_motors, inverse_dynamics_observed
from gough.dynamics.reactions import Reactions, reactions
from gough.dynamics.sharing import Share, internal_efforts
from gough.errors import GoughError, GoughWarning
from gough.geometry.direct import state_from_motors
from gough.geometry.state import state
from gough.kernels.compile import compile_kernel as compile
from gough.kernels.functions import (
    bias_wrench,
    direct_dynamics,
    energy,
    inertia_matrix,
    inverse_acceleration,
    inverse_dynamics,
    inverse_geometry,
    inverse_velocity,
)
from gough.kernels.kernel import Kernel
from gough.kinematics.grammar import Elements, elements
from gough.kinematics.jacobians import freedom_map, inverse_jacobian, jacobian, leg_jacobians
from gough.kinematics.observed import LegStates, observe
from gough.kinematics.posture import Posture, posture
from gough.kinematics.reciprocal import reciprocal_screws
from gough.report.sheet import Sheet, sheet
from gough.robot import Axis, Body, Frame, Home, Joint, Limits, Robot, Spring, Transmission, inertia
from gough.tracing.count import Operations, count
from gough.tracing.interpreter import run
from gough.tracing.program import Program
from gough.tracing.quantities import coordinates, trace

if TYPE_CHECKING:
    from gough import build, control, motion, scenario, zoo
    from gough.analysis.analyse import analyse
    from gough.analysis.result import Analysis
    from gough.diagnosis import Diagnosis, Finding, doctor
    from gough.drawing import draw
    from gough.kernels.export import export_c
    from gough.robot.file import load, save
    from gough.simulation.result import Event, Simulation
    from gough.simulation.simulate import simulate

__all__ = [
    "Analysis",
    "Axis",
    "Balance",
    "Body",
    "Certificate",
    "Diagnosis",
    "Elements",
    "Energy",
    "Event",
    "Finding",
    "Frame",
    "GoughError",
    "GoughWarning",
    "Home",
    "Joint",
    "Kernel",
    "LegStates",
    "Limits",
    "MotorSide",
    "Operations",
    "Payload",
    "Posture",
    "Program",
    "Reactions",
    "Robot",
    "Share",
    "Sheet",
    "Simulation",
    "Spring",
    "Transmission",
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
    "direct_dynamics",
    "doctor",
    "draw",
    "elements",
    "energy",
    "errors",
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
    "observe",
    "posture",
    "reactions",
    "reciprocal_screws",
    "run",
    "save",
    "scenario",
    "screw",
    "sheet",
    "simulate",
    "state",
    "state_from_motors",
    "trace",
    "zoo",
]


# What brings heavy company (pydantic, YAML, matplotlib) is loaded when it is asked for.
_ROOMS = ("analysis", "build", "control", "motion", "report", "scenario", "zoo")
_LAZY = {
    "Analysis": "gough.analysis.result",
    "analyse": "gough.analysis.analyse",
    "Event": "gough.simulation.result",
    "Simulation": "gough.simulation.result",
    "simulate": "gough.simulation.simulate",
    "export_c": "gough.kernels.export",
    "Diagnosis": "gough.diagnosis",
    "Finding": "gough.diagnosis",
    "doctor": "gough.diagnosis",
    "draw": "gough.drawing",
    "load": "gough.robot.file",
    "save": "gough.robot.file",
}


def __getattr__(name: str) -> Any:
    """Names of rooms that are not loaded yet."""
    if name in _ROOMS:
        return import_module(f"gough.{name}")
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'gough' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
