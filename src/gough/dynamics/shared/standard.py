"""Standard parameters: those in which the efforts of a motion are linear, ``tau = W chi``.

Ten of every body: its mass, its first moments and its inertia about the origin of its frame.  Of
every axis: rotor, viscous and Coulomb friction, spring; of every motor a constant offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from gough.base.arguments import check_known
from gough.dynamics.shared.masses import Mass
from gough.dynamics.shared.parameters import AxisParameters, own_parameters
from gough.errors import InputError
from gough.robot import Robot
from gough.robot.joint_kinds import BALL, PLANE, SLIDE

MASS, MOMENTS = "m", ("mx", "my", "mz")
INERTIAS = ("Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
OF_BODIES = (MASS, *MOMENTS, *INERTIAS)
"""Parameters of a body: mass, first moments ``m c``, inertia about its origin; body axes."""

ROTOR, VISCOUS, COULOMB, OFFSET = "rotor", "viscous", "coulomb", "offset"
STIFFNESS, PRELOAD = "stiffness", "stiffness_rest"
OF_AXES = (ROTOR, VISCOUS, COULOMB, OFFSET, STIFFNESS, PRELOAD)
"""Parameters of an axis; the last is stiffness times the coordinate at which a spring is slack."""

GROUPS = ("bodies", "rotors", "friction", "offsets", "passive_friction", "springs")
"""Groups of parameters that can be asked for."""


@dataclass(frozen=True)
class StandardParameter:
    """One parameter of a robot.

    Attributes:
        part: name of the body, or of the axis.
        figure: which of its parameters, one of ``OF_BODIES`` or ``OF_AXES``.
        unit: of the parameter.
    """

    part: str
    figure: str
    unit: str

    @property
    def name(self) -> str:
        """Name of the column: ``arm1.Iyy``, ``a1.viscous``."""
        return f"{self.part}.{self.figure}"

    @property
    def of_body(self) -> bool:
        """Whether it belongs to a body, not to an axis."""
        return self.figure in OF_BODIES


def standard_parameters(
    robot: Robot,
    groups: Sequence[str] | None = None,
    *,
    friction: bool = True,
    rotors: bool = True,
) -> tuple[StandardParameter, ...]:
    """Parameters of a robot in order: body by body, then axis by axis.

    Args:
        robot: the machine.
        groups: among ``GROUPS``; without them all that its model has: bodies with mass, rotor,
            friction and offset of motors, and of other axes what the description gives them.
        friction: whether friction counts at all.
        rotors: whether rotors count at all.
    """
    chosen = GROUPS if groups is None else groups
    for group in chosen:
        check_known(group, GROUPS, "unknown group of parameters", "parameters")
    found = []
    if "bodies" in chosen:
        massive = [body.name for body in robot.bodies if not body.massless]
        found += [_of_body(name, figure) for name in massive for figure in OF_BODIES]
    for name, what in axis_kinds(robot).items():
        driven, own = name in robot.motors, own_parameters(robot.axis(name))
        single = what not in (BALL, PLANE)
        figures = []
        if rotors and what != PLANE and "rotors" in chosen and (driven or own.inertia):
            figures.append(ROTOR)
        if friction and ("friction" if driven else "passive_friction") in chosen:
            described = driven or groups is not None
            figures += [VISCOUS] if described or own.viscous else []
            figures += [COULOMB] if described or own.coulomb else []
        if driven and "offsets" in chosen:
            figures.append(OFFSET)
        if single and own.stiffness and "springs" in chosen:
            figures += [STIFFNESS, PRELOAD]
        found += [_of_axis(name, what, figure) for figure in figures]
    return tuple(found)


def chosen_parameters(
    robot: Robot,
    words: Sequence[str] | None = None,
    *,
    friction: bool = True,
    rotors: bool = True,
) -> tuple[StandardParameter, ...]:
    """Parameters that are asked for: by groups, each by its name, which has a dot, or both.

    All of the robot's own if nothing is asked for; one that is named and in a group counts once.
    """
    names = [word for word in words or () if "." in word]
    groups = [word for word in words or () if "." not in word]
    found = named_parameters(robot, names)
    if groups or not names:
        more = standard_parameters(robot, groups or None, friction=friction, rotors=rotors)
        found += tuple(each for each in more if each.name not in names)
    return found


def named_parameters(
    robot: Robot, names: Sequence[str], argument: str = "columns"
) -> tuple[StandardParameter, ...]:
    """Parameters by their names, in the order given; every body and axis has all of its own.

    ``argument`` is what the caller calls the names, for errors.
    """
    known = {p.name: p for body in robot.bodies for p in _all_of_body(body.name)}
    for axis, what in axis_kinds(robot).items():
        single = what not in (BALL, PLANE)
        figures = OF_AXES if single else (VISCOUS, COULOMB)
        figures = (ROTOR, *figures) if what == BALL else figures
        kept = [f for f in figures if f != OFFSET or axis in robot.motors]
        known |= {p.name: p for p in (_of_axis(axis, what, figure) for figure in kept)}
    for name in names:
        check_known(name, known, f"{robot.name} has no parameter", argument)
    twice = next((name for name in names if list(names).count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{argument}: {twice} is named twice", argument=argument)
    return tuple(known[name] for name in names)


def own_figures(robot: Robot, parameters: Sequence[StandardParameter]) -> np.ndarray:
    """Values of parameters as the description has them; offsets are zero."""
    found = []
    for each in parameters:
        if each.of_body:
            body = robot.body(each.part)
            c, inertia = np.array(body.center), np.array(body.inertia)
            about = inertia + body.mass * ((c @ c) * np.eye(3) - np.outer(c, c))
            found.append(_entry(Mass(body.mass, body.mass * c, about), each.figure))
        else:
            own = own_parameters(robot.axis(each.part))
            values = {
                **{ROTOR: own.inertia, VISCOUS: own.viscous, COULOMB: own.coulomb, OFFSET: 0.0},
                **{STIFFNESS: own.stiffness, PRELOAD: own.stiffness * own.rest},
            }
            found.append(float(values[each.figure]))
    return np.array(found)


@cache
def unit_mass(figure: str) -> Mass:
    """A body all of whose parameters are zero but one, which is one."""
    s, inertia = np.zeros(3), np.zeros((3, 3))
    if figure in MOMENTS:
        s[MOMENTS.index(figure)] = 1.0
    if figure in INERTIAS:
        i, j = _place(figure)
        inertia[i, j] = inertia[j, i] = 1.0
    return Mass(float(figure == MASS), s, inertia)


def unit_axis(figure: str) -> AxisParameters:
    """An axis with nothing on it but one of friction, rotor and spring, which is one."""
    parts = (VISCOUS, COULOMB, ROTOR, STIFFNESS)
    viscous, coulomb, rotor, stiffness = (float(figure == part) for part in parts)
    return AxisParameters(viscous, coulomb, rotor, stiffness, rest=0.0)


def mass_entries(mass: Mass) -> np.ndarray:
    """The ten parameters of a body, in order."""
    return np.array([_entry(mass, figure) for figure in OF_BODIES])


def axis_kinds(robot: Robot) -> dict[str, str]:
    """What every axis does: turn, slide, ball or plane; by name, in order."""
    return {name: what for joint in robot.joints for name, what in joint.axis_kinds.items()}


def effort_units(robot: Robot) -> list[str]:
    """Units of the efforts of motors: ``N`` of sliding ones, ``N m`` of others."""
    kinds = axis_kinds(robot)
    return ["N" if kinds[name] == SLIDE else "N m" for name in robot.motors]


def speed_units(robot: Robot) -> list[str]:
    """Units of the speeds of motors."""
    return ["m/s" if unit == "N" else "rad/s" for unit in effort_units(robot)]


def _entry(mass: Mass, figure: str) -> float:
    if figure == MASS:
        return float(mass.m)
    if figure in MOMENTS:
        return float(mass.s[MOMENTS.index(figure)])
    return float(mass.I[_place(figure)])


def _place(figure: str) -> tuple[int, int]:
    """Row and column of ``Ixy`` and its like."""
    return "xyz".index(figure[1]), "xyz".index(figure[2])


def _all_of_body(name: str) -> list[StandardParameter]:
    return [_of_body(name, figure) for figure in OF_BODIES]


def _of_body(name: str, figure: str) -> StandardParameter:
    unit = "kg" if figure == MASS else "kg m" if figure in MOMENTS else "kg m^2"
    return StandardParameter(name, figure, unit)


def _of_axis(name: str, what: str, figure: str) -> StandardParameter:
    slides = what in (SLIDE, PLANE)
    effort = "N" if slides else "N m"
    unit = {
        ROTOR: "kg" if slides else "kg m^2",
        VISCOUS: "N s/m" if slides else "N m s/rad",
        STIFFNESS: "N/m" if slides else "N m/rad",
    }.get(figure, effort)
    return StandardParameter(name, figure, unit)
