"""One table of what quantities take and answer: names, meanings with frames and units, shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from gough.base.once import known_of
from gough.dynamics.elements.camera import (
    SensorSet,
    seen_axes,
    seen_elements,
    spinning_elements,
    usual_sight,
)
from gough.dynamics.elements.coordinates import basis_size
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities.axes import (
    bounded_axes,
    limited_axes,
    margin_count,
    passive_axes,
    shown_axes,
)
from gough.geometry.turns import counted_axes
from gough.kinematics.jacobians import leg_shapes
from gough.mechanism.closure.coordinates import packed_length
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.varying import row_pattern
from gough.mechanism.serial import serial_parts

Shape = tuple[int, ...]

POWERS = 4
"""Number of works that are integrated with a state.

They are those of motors, friction and loads, and the work that smoothing leaves out of friction.
"""


POSITIONS = {"turn": 1, "slide": 1, "ball": 9, "plane": 2}
"""Numbers that say where an axis is, by what it is."""

RATES = {"turn": 1, "slide": 1, "ball": 3, "plane": 2}
"""Numbers that say how fast it moves."""


@dataclass(frozen=True)
class Sizes:
    """Numbers of a robot that shapes are made of."""

    of: Assembly

    @cached_property
    def motors(self) -> int:
        """Motors of the whole machine."""
        return len(self.of.robot.motors)

    @cached_property
    def n(self) -> int:
        """Freedoms."""
        return self.of.mobility

    @cached_property
    def links(self) -> int:
        """Rates of all links."""
        return len(self.of.scales.rates)

    @cached_property
    def rows(self) -> int:
        """Closure rows."""
        return sum(len(rows) for rows in self.of.scales.rows)

    @cached_property
    def serial(self) -> int:
        """Serial axes."""
        parts = serial_parts(self.of)
        return 0 if parts is None else len(parts.axes)


class Port(NamedTuple):
    """An input or output of a quantity.

    Attributes:
        meaning: with frame and unit.
        shape: of one state.
    """

    meaning: str
    shape: Callable[[Sizes], Shape]


def _motors(s: Sizes) -> Shape:
    return (s.motors,)


def _freedoms(s: Sizes) -> Shape:
    return (s.n,)


def _square(s: Sizes) -> Shape:
    return (s.n, s.n)


def _links(s: Sizes) -> Shape:
    return (s.links,)


def _by_freedoms(s: Sizes) -> Shape:
    return (s.links, s.n)


def _joints(s: Sizes) -> Shape:
    return (len(s.of.robot.joints), 6)


def _bodies(s: Sizes) -> Shape:
    return (len(s.of.robot.bodies), 6)


def _axis_rates(s: Sizes) -> Shape:
    return (sum(RATES[place.what] for place in s.of.axes.values()),)


def _serial(s: Sizes) -> Shape:
    return (s.serial,)


def _passive(s: Sizes) -> Shape:
    return (len(passive_axes(s.of)),)


def _one(_: Sizes) -> Shape:
    return (1,)


def _six(_: Sizes) -> Shape:
    return (6,)


PORTS: dict[str, Port] = {
    # the state
    "T_0p": Port("platform pose, 4x4 row by row [1, m]", lambda s: (4, 4)),
    "V_0p": Port("platform twist [v; omega], base axes [m/s, rad/s]", _six),
    "Vdot_0p": Port("plain time derivative of the twist [m/s^2, rad/s^2]", _six),
    "Vddot_0p": Port("plain time derivative of Vdot_0p [m/s^3, rad/s^3]", _six),
    "x": Port("the robot's freedoms, in their order [m, rad]", _freedoms),
    "xd": Port("rates of the freedoms [m/s, rad/s]", _freedoms),
    "xdd": Port("accelerations of the freedoms [m/s^2, rad/s^2]", _freedoms),
    "xddd": Port("rates of their accelerations [m/s^3, rad/s^3]", _freedoms),
    "V_r": Port(
        "components of the twist along the freedoms, in their order [m/s, rad/s]", _freedoms
    ),
    "Vdot_r": Port("plain time derivatives of V_r [m/s^2, rad/s^2]", _freedoms),
    "step": Port(
        "step from the pose: translation, Cayley vector, change of V_r [m, rad, m/s, rad/s]",
        lambda s: (6 + s.n,),
    ),
    "tau": Port("motor efforts, in the order of the motors [N m or N]", _motors),
    "q": Port("motor positions [rad or m]", _motors),
    "qd": Port("motor rates [rad/s or m/s]", _motors),
    "qdd": Port("motor accelerations [rad/s^2 or m/s^2]", _motors),
    "q_s": Port("positions of the serial axes, in their order [rad or m]", _serial),
    "qd_s": Port("rates of the serial axes [rad/s or m/s]", _serial),
    "qdd_s": Port("accelerations of the serial axes [rad/s^2 or m/s^2]", _serial),
    "Vdot_s": Port(
        "twist rate of the platform, base axes, then accelerations of the serial axes",
        lambda s: (6 + s.serial,),
    ),
    "coordinates": Port(
        "all joints: (cos, sin) of a turn, distance of a slide, matrix of a ball",
        lambda s: (packed_length(s.of.topology),),
    ),
    "y": Port("six coordinates of the platform: position, rotation vector [m, rad]", _six),
    "lead": Port("1 for motors that lead, 0 for those that follow", _motors),
    "joint_step": Port("step of all links [rad or m]", _links),
    "platform_step": Port("translation and Cayley vector of the platform [m, rad]", _six),
    # kinematics
    "J_inv": Port(
        "motor rates by freedoms, row by row [1, 1/m, m, rad]", lambda s: (s.motors, s.n)
    ),
    "J_p": Port("platform twist by motor rates, 6 rows [1, 1/m, m, rad]", lambda s: (6, s.motors)),
    "fit_step": Port("step of the freedoms to what sensors see best [1]", _freedoms),
    "Psi": Port("platform twist by freedoms, 6 rows [1, 1/m, m, rad]", lambda s: (6, s.n)),
    "M_basis": Port(
        "numbers of the motion basis by freedoms, row by row",
        lambda s: (basis_size(s.of), s.n),
    ),
    "partial_velocities": Port(
        "velocity of every body's mass centre, and its angular velocity, by the motion basis",
        lambda s: (len(s.of.robot.bodies), 2, 3, basis_size(s.of)),
    ),
    "leg_matrices": Port(
        "J_i, J_vi, K_i, J_ci of every leg, and equations of L_ci, row by row [1, 1/m, m, rad]",
        lambda s: (sum(map(prod, leg_shapes(s.of))),),
    ),
    "influence_of_motors": Port(
        "rates of all axes, one behind the other, by motor rates [1, 1/m, m, rad]",
        lambda s: (*_axis_rates(s), s.motors),
    ),
    "influence_of_freedoms": Port(
        "rates of all axes, one behind the other, by freedoms [1, 1/m, m, rad]",
        lambda s: (*_axis_rates(s), s.n),
    ),
    "screws_of_motors": Port(
        "screws [omega; v_O] of all bodies, six rows each, by motor rates [1, 1/m, m, rad]",
        lambda s: (6 * len(s.of.robot.bodies), s.motors),
    ),
    "screws_of_freedoms": Port(
        "screws [omega; v_O] of all bodies, six rows each, by freedoms [1, 1/m, m, rad]",
        lambda s: (6 * len(s.of.robot.bodies), s.n),
    ),
    "joint_screws": Port(
        "screws of all joints at the platform's origin, base axes [1, m]",
        lambda s: (*_axis_rates(s), 6),
    ),
    "origin": Port("platform's origin in the base [m]", lambda s: (3,)),
    "seen_directions": Port(
        "of legs, with first and second derivatives, base axes [1, 1/s, 1/s^2]",
        lambda s: (len(seen_elements(s.of)), 3, 3),
    ),
    "seen_turns": Port(
        "of legs about their directions, likewise [rad, rad/s, rad/s^2]",
        lambda s: (len(spinning_elements(s.of)), 3),
    ),
    "seen_axes": Port(
        "slides inside legs and motors, likewise [rad or m, ...]",
        lambda s: (len(seen_axes(s.of)), 3),
    ),
    "drift": Port("twist rate with freedoms that do not accelerate [m/s^2, rad/s^2]", _six),
    "closing": Port("step of the pose to where the loops close [m, rad]", _six),
    "joints": Port("rates of all joints by freedoms, row by row", _by_freedoms),
    "joint_rates": Port("rates of all joints by freedoms, row by row", _by_freedoms),
    "rates_closing": Port("step of all links to where the loops close [rad or m]", _links),
    "link_rates": Port("rates of all links [rad/s or m/s]", _links),
    "accelerations": Port("accelerations of all links [rad/s^2 or m/s^2]", _links),
    "closure_rows": Port(
        "closure rows over all links and the twist, natural units", lambda s: (s.rows, s.links + 6)
    ),
    "row_entries": Port(
        "entries of the closure rows that vary, natural units",
        lambda s: (len(row_pattern(s.of).places),),
    ),
    "gaps": Port("how far the rows are open, natural units", lambda s: (s.rows,)),
    "residual": Port("how far the rows are open, their own units", lambda s: (s.rows,)),
    "biases": Port("biases of the closure rows", lambda s: (s.rows,)),
    "open": Port("how far the loops are open, natural units", _one),
    "error": Port("how far the motors are from their positions [rad or m]", _motors),
    "off": Port(
        "sum of what motors and loops are off by, lengths in units of the robot's [rad]", _one
    ),
    "size": Port("square of the step's size, lengths in units of the robot's [rad^2]", _one),
    "type_2": Port("figure that changes its sign at a Type 2 singularity [1]", _one),
    "closure": Port("how far the loops are open, natural units", _one),
    "stretch": Port(
        "bound on the square of the norm of Psi, natural units: large where V_r is poor", _one
    ),
    "margins": Port(
        "distances of the closed form's roots from where branches meet",
        lambda s: (margin_count(s.of),),
    ),
    "angles": Port(
        "positions of axes whose turns count [rad]", lambda s: (len(counted_axes(s.of)),)
    ),
    "rates": Port("their rates by freedoms", lambda s: (len(counted_axes(s.of)), s.n)),
    "bounded": Port(
        "positions of axes with limits [rad or m]", lambda s: (len(bounded_axes(s.of)),)
    ),
    "limited": Port(
        "positions of motors and limited axes [rad or m]", lambda s: (len(limited_axes(s.of)),)
    ),
    "limited_rows": Port(
        "their rates by all links and the twist, natural units",
        lambda s: (len(limited_axes(s.of)), s.links + 6),
    ),
    "passive": Port("positions of limited axes without motors [rad or m]", _passive),
    "passive_rates": Port("their speeds [rad/s or m/s]", _passive),
    "axis_speeds": Port(
        "magnitudes of the rates of all axes [rad/s or m/s]",
        lambda s: (len(s.of.robot.axis_names),),
    ),
    "wound": Port("positions of axes whose springs feel whole turns [rad]", lambda s: (0,)),
    "body_poses": Port(
        "rotation and position of every body in the base [1, m]",
        lambda s: (len(s.of.robot.bodies), 3, 4),
    ),
    "body_twists": Port("twists [v; omega] of all bodies' frames, base axes [m/s, rad/s]", _bodies),
    "body_twist_rates": Port("their plain time derivatives [m/s^2, rad/s^2]", _bodies),
    "body_twist_jerks": Port("their second time derivatives [m/s^3, rad/s^3]", _bodies),
    "axis_positions": Port(
        "positions of all axes, one behind the other [rad or m]",
        lambda s: (sum(POSITIONS[place.what] for place in s.of.axes.values()),),
    ),
    "axis_rates": Port("their rates [rad/s or m/s]", _axis_rates),
    "axis_accelerations": Port("their accelerations [rad/s^2 or m/s^2]", _axis_rates),
    "axis_jerks": Port("their jerks [rad/s^3 or m/s^3]", _axis_rates),
    "bodies": Port(
        "rotation and position of every body in the base [1, m]",
        lambda s: (len(s.of.robot.bodies), 12),
    ),
    "positions": Port(
        "positions of axes that are shown [rad or m]", lambda s: (len(shown_axes(s.of)),)
    ),
    # dynamics
    "M_rob": Port("inertia matrix in the robot's freedoms [kg, kg m, kg m^2]", _square),
    "c_rob": Port("bias wrench in the robot's freedoms [N, N m]", _freedoms),
    "g_rob": Port("weight in the robot's freedoms [N, N m]", _freedoms),
    "w_r": Port("generalised force on the robot's freedoms [N, N m]", _freedoms),
    "W": Port(
        "efforts by parameters, one row a motor [N m or N by the unit of the parameter]",
        lambda s: (s.motors, 0),
    ),
    "tau_0": Port(
        "efforts that forces and a payload ask for, in the order of the motors [N m or N]", _motors
    ),
    "A": Port("matrix of A tau + b = 0, row by row", lambda s: (s.n, s.motors)),
    "b": Port("vector of A tau + b = 0 [N, N m]", _freedoms),
    "wrench": Port("[f; n] in every joint, row by row, in the joint's frame [N, N m]", _joints),
    "unique": Port("1 where a component of a wrench is determined, else 0", _joints),
    "ground": Port(
        "[f; n] of the base on the machine, at the base's origin, base axes [N, N m]", _six
    ),
    "frozen": Port(
        "moments or forces that idle freedoms need to stay frozen [N m or N]",
        lambda s: (len(s.of.idle),),
    ),
    "couplings": Port(
        "efforts of the couplings [N m or N]", lambda s: (len(s.of.robot.couplings),)
    ),
    "efforts": Port("motor efforts by every method [N m or N]", lambda s: (len(METHODS), s.motors)),
    "powers": Port("of motors, friction, loads and all inertia [W]", lambda s: (4,)),
    "slope": Port(
        "rates of the step, and powers of motors, friction, loads, smoothing [W]",
        lambda s: (6 + s.n + POWERS,),
    ),
    "energy": Port("kinetic and potential energy [J]", lambda s: (2,)),
    "kinetic": Port("kinetic energy [J]", _one),
    "potential": Port("potential energy [J]", _one),
    "momentum": Port(
        "linear and angular, about the centre of mass, base axes [kg m/s, N m s]", _six
    ),
    "center_of_mass": Port("of the whole machine, in the base [m]", lambda s: (3,)),
    "compliance": Port("displacement of the platform per wrench, 6x6", lambda s: (6, 6)),
}
"""Inputs of states and outputs of quantities."""

RESIDUAL = "whether the state is consistent, and whether it is regular: the sum below 1 [1]"

_OBSERVED = {
    "x": "directions of the legs, base axes, row by row [1]",
    "xd": "their rates [1/s]",
    "xdd": "their accelerations [1/s^2]",
    "d": "lengths of slides inside legs [m]",
    "dd": "their rates [m/s]",
    "ddd": "their accelerations [m/s^2]",
    "theta": "turns of legs about their directions [rad]",
    "spin": "their rates [rad/s]",
    "spin_rate": "their accelerations [rad/s^2]",
}
OBSERVED = tuple(_OBSERVED)
"""What is seen of the legs by default, as inputs of ``inverse_dynamics_observed``."""

SENSED = (*OBSERVED, "q", "qd", "qdd", "weights")
"""What any sensors measure: the same, encoders, and how much each counts."""

_LOADS = {
    "mass": "mass of the payload [kg]",
    "center": "centre of the payload in the platform's body [m]",
    "inertia": "inertia of the payload about its centre, 3x3 row by row [kg m^2]",
    "base_felt": "acceleration of the base's origin less free fall, base axes [m/s^2]",
    "base_omega": "angular velocity of the base, base axes [rad/s]",
    "base_alpha": "angular acceleration of the base, base axes [rad/s^2]",
}
_FIGURES = {
    "gravity": "acceleration of free fall, base axes [m/s^2]",
    "masses": "masses of the bodies [kg]",
    "centers": "centres of mass, body axes [m]",
    "inertias": "inertias about the centres of mass, body axes [kg m^2]",
    "viscous": "viscous friction of the axes [N m s/rad or N s/m]",
    "coulomb": "Coulomb friction of the axes [N m or N]",
    "rotor_inertia": "rotors at the axes [kg m^2 or kg]",
    "stiffness": "springs of the axes [N m/rad or N/m]",
    "rest": "where springs are at rest [rad or m]",
    "parent_points": "origins of the joints' frames on the parents, body axes [m]",
    "child_points": "origins of the joints' frames on the children, body axes [m]",
    "parent_turns": "turns of the joints' frames on the parents, body axes [rad]",
    "child_turns": "turns of the joints' frames on the children, body axes [rad]",
}
_FORCES = {
    "point": "point in the body's frame [m]",
    "f": "force, base axes [N]",
    "n": "moment [N m]",
}


class PortShapes(dict[str, Shape]):
    """Shapes of the ports of a robot, each worked out when it is asked for first.

    Those of elements and screws take as long to find as a program to be traced.
    """

    def __init__(self, assembly: Assembly) -> None:
        super().__init__()
        self._sizes = Sizes(assembly)

    def __missing__(self, name: str) -> Shape:
        found = self[name] = PORTS[name].shape(self._sizes)
        return found


@known_of(Assembly)
def shapes_of(assembly: Assembly) -> PortShapes:
    """Shapes of all ports of a robot; kept with it, for every call asks."""
    return PortShapes(assembly)


def sensed_shapes(assembly: Assembly, sight: SensorSet | None) -> dict[str, Shape]:
    """Shapes of what sensors measure, by default of the legs alone."""
    return (sight or usual_sight(assembly)).shapes


def meaning(name: str, quantity: str = "", loads: Sequence[str] = ()) -> str:
    """What an input or output is; empty if that is not known.

    Args:
        name: of the port.
        quantity: it belongs to.
        loads: bodies that forces act on, in order.
    """
    if name.startswith("d_"):
        return "derivatives, row by row"
    stem, _, index = name.partition("_")
    if stem in _FORCES and index.isdigit():
        return f"load on {loads[int(index)]}: {_FORCES[stem]}"
    if quantity == "inverse_dynamics_observed" and name in _OBSERVED:
        return _OBSERVED[name]
    if name in PORTS:
        return PORTS[name].meaning
    return {**_LOADS, **_FIGURES, "doubt": RESIDUAL}.get(name, "")
