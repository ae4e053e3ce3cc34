"""gough: the dynamics of parallel robots, exact, checked and fast.

Describe a parallel robot once, as bodies and joints, and get the motion of everything in it.
"""

from typing import TYPE_CHECKING, Any

from gough import errors
from gough._version import __version__
from gough.dynamics.certificate import Certificate, audit
from gough.dynamics.energy import Energy, energy
from gough.dynamics.models import (
    bias_wrench,
    direct_dynamics,
    gravity_wrench,
    inertia_matrix,
    inverse_dynamics,
)
from gough.errors import GoughError, GoughWarning
from gough.geometry.direct import state_from_motors
from gough.geometry.inverse import inverse_geometry
from gough.geometry.state import state
from gough.kinematics.inverse import inverse_acceleration, inverse_velocity
from gough.kinematics.jacobians import freedom_map, inverse_jacobian, jacobian, leg_jacobians
from gough.kinematics.posture import Posture, posture
from gough.report.sheet import Sheet, sheet
from gough.robot import Axis, Body, Frame, Home, Joint, Limits, Robot, Transmission, inertia
from gough.tracing.count import Operations, count
from gough.tracing.interpreter import run
from gough.tracing.program import Program
from gough.tracing.quantities import coordinates, trace

if TYPE_CHECKING:
    from gough.robot.file import load, save

__all__ = [
    "Axis",
    "Body",
    "Certificate",
    "Energy",
    "Frame",
    "GoughError",
    "GoughWarning",
    "Home",
    "Joint",
    "Limits",
    "Operations",
    "Posture",
    "Program",
    "Robot",
    "Sheet",
    "Transmission",
    "__version__",
    "audit",
    "bias_wrench",
    "coordinates",
    "count",
    "direct_dynamics",
    "energy",
    "errors",
    "freedom_map",
    "gravity_wrench",
    "inertia",
    "inertia_matrix",
    "inverse_acceleration",
    "inverse_dynamics",
    "inverse_geometry",
    "inverse_jacobian",
    "inverse_velocity",
    "jacobian",
    "leg_jacobians",
    "load",
    "posture",
    "run",
    "save",
    "sheet",
    "state",
    "state_from_motors",
    "trace",
]


def __getattr__(name: str) -> Any:
    """The file room comes with pydantic and YAML: it is loaded when a file is."""
    if name in ("load", "save"):
        from gough.robot import file  # noqa: PLC0415

        return getattr(file, name)
    raise AttributeError(f"module 'gough' has no attribute {name!r}")
