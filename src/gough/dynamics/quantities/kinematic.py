"""Quantities of a state about its motion alone: motors, Jacobians, joints, bodies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.base.linalg import least_squares
from gough.base.spatial import Array, collect, total
from gough.dynamics.elements.camera import (
    seen_at,
    seen_axes,
    seen_elements,
    spinning_elements,
)
from gough.dynamics.elements.coordinates import partial_velocities
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.legs.dynamics import motor_factor
from gough.dynamics.quantities.axes import counted_names, passive_axes
from gough.dynamics.quantities.figures import open_by
from gough.dynamics.quantities.row import (
    MOTION,
    Model,
    at_counted_pose,
    at_loaded_pose,
    at_open_pose,
    by_formula,
    quantity,
)
from gough.dynamics.quantities.states import Rules
from gough.errors import TraceError
from gough.geometry.constant_entries import reaches_all
from gough.geometry.inverse import motor_positions
from gough.geometry.joints_from_pose import closing, posed_by_form, unsettled
from gough.kinematics.conditions import improper
from gough.kinematics.jacobians import leg_matrices
from gough.kinematics.jerk import AllowedJerk, Jerks
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import MotorsHold
from gough.mechanism.closure.axes import coordinate, is_scalar
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.closure.dense import natural_gaps, natural_rows
from gough.mechanism.closure.recursion import Motion, Pose
from gough.mechanism.mobility.varying import row_pattern
from gough.robot.joint_kinds import BALL


@quantity(("T_0p",), ("q",), at_counted_pose)
def inverse_kinematics(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Positions of the motors."""
    return {"q": motor_positions(kin.assembly, kin.at)}


@quantity(("T_0p",), ("q", "J_inv", "Psi"), at_counted_pose)
def inverse_jacobian(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Motors and their rates by the freedoms, ``qd = J_inv V_r``, and the twist ``V = Psi V_r``."""
    return {
        "q": motor_positions(kin.assembly, kin.at),
        "J_inv": kin.J_inv,
        "Psi": kin.solution.Psi,
    }


@quantity(("T_0p",), ("J_inv", "Psi"), public=False)
def jacobians(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rates of motors and platform by the freedoms: ``qd = J_inv V_r``, ``V = Psi V_r``."""
    return {"J_inv": kin.J_inv, "Psi": kin.solution.Psi}


@quantity(("T_0p",), ("leg_matrices",), seated=False, public=False)
def leg_jacobians(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Jacobians of all legs, and of the paths through them."""
    return {"leg_matrices": _in_a_row(leg_matrices(kin))}


@quantity(("T_0p",), ("J_inv",), seated=False, public=False)
def internal_efforts(kin: Kinematics, model: Model) -> dict[str, Array]:
    """``J_inv`` where motors hold the platform: efforts cancel that are in its left null space."""
    kin.rules.require(MotorsHold(kin.assembly, kin.solution))
    return {"J_inv": kin.J_inv}


@quantity(("T_0p",), ("M_basis", "partial_velocities"), seated=False, public=False)
def kinematic_coordinates(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Motion constraints of the elements, partial velocities over the motion basis.  [OZ] (55)"""
    M, maps = partial_velocities(ElementState(kin))
    return {"M_basis": M, "partial_velocities": maps}


@quantity(MOTION[:3], ("seen_directions", "seen_turns", "seen_axes"), seated=False, public=False)
def seen_legs(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Whatever sensors on the legs may see: directions, turns about them, slides and motors."""
    assembly = kin.assembly
    names = seen_elements(assembly), spinning_elements(assembly), seen_axes(assembly)
    seen = seen_at(ElementState(kin), *names)
    return {
        "seen_directions": seen.directions,
        "seen_turns": seen.turns,
        "seen_axes": seen.axes,
    }


@quantity(("T_0p",), ("J_inv", "Psi", "row_entries"), seated=False, public=False)
def distances(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Jacobians, and what varies of the closure rows: distances to singularities follow."""
    entries = row_pattern(kin.assembly).entries(kin.at, kin.assembly.length)
    return {"J_inv": kin.J_inv, "Psi": kin.solution.Psi, "row_entries": entries}


@quantity(("T_0p",), ("J_p",))
def jacobian(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Twist of the platform by motor rates, ``V = J_p qd_a``.  [BK] (7), [KI] (8), (72).

    With more motors than freedoms it is the pseudo-inverse in natural units.
    """
    assembly, motors = kin.assembly, len(kin.assembly.robot.motors)
    kin.rules.require(MotorsHold(assembly, kin.solution))
    if not assembly.mobility:
        return {"J_p": np.zeros((6, motors))}
    if motors < assembly.mobility:  # numbers have refused it
        raise TraceError("there are fewer motors than freedoms")
    units = np.eye(motors)
    if motors == assembly.mobility:
        factor = motor_factor(kin)
        columns = [collect(factor.solve_transposed(unit)) for unit in units]
    else:
        scales = assembly.scales
        scaled = scales.jacobian(kin.J_inv)
        columns = [least_squares(scaled, u / scales.motors) * scales.freedoms for u in units]
    return {"J_p": kin.solution.Psi @ collect(columns).T}


@quantity(("T_0p", "V_r"), ("Psi", "closing", "drift", "joints"), at_open_pose)
def freedom_map(kin: Kinematics, model: Model, T_0p: Array, V_r: Array) -> dict[str, Array]:
    """``Psi`` and the bias acceleration ``drift``: ``Vdot = Psi Vdot_r + drift``, ``V = Psi V_r``.

    ``closing`` brings components that depend on the others to where the loops close, to first
    order; ``joints`` are the rates of all links by ``V_r``.
    """
    solution = unsettled(kin.assembly, T_0p)
    drift = Kinematics(kin.assembly, solution, solution.Psi @ V_r, rules=kin.rules).Vdot
    rates = [solution.rates(solution.Psi[:, i]) for i in range(kin.assembly.mobility)]
    return {
        "Psi": solution.Psi,
        "closing": closing(solution),
        "drift": drift,
        "joints": collect([each.together for each in rates]).T,
    }


@quantity(MOTION[:2], ("qd",))
def motor_rates(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rates of the motors."""
    return {"qd": kin.motor_rates()}


@quantity(MOTION[:3], ("qdd",))
def motor_accelerations(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Accelerations of the motors."""
    return {"qdd": kin.motor_accelerations()}


@quantity(MOTION[:3], ("q", "qd", "qdd", "J_inv", "Psi"))
def motor_motion(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Positions, rates and accelerations of the motors, ``qd = J_inv V_r`` and ``V = Psi V_r``.

    Positions are those nearest home: how often a motor has gone round does not matter.
    """
    return {
        "q": motor_positions(kin.assembly, kin.at),
        "qd": kin.motor_rates(),
        "qdd": kin.motor_accelerations(),
        "J_inv": kin.J_inv,
        "Psi": kin.solution.Psi,
    }


@quantity(MOTION[:2], ("closure_rows", "passive", "passive_rates"), at_loaded_pose, public=False)
def legs_at(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Closure rows, natural units, and positions and speeds of limited joints without motors."""
    assembly, names = kin.assembly, passive_axes(kin.assembly)
    return {
        "closure_rows": natural_rows(kin.solution.equations, assembly.length),
        "passive": collect([_position(kin, name) for name in names]),
        "passive_rates": collect([_size(kin.axis_rate(name)) for name in names]),
    }


@quantity(MOTION[:2], ("axis_speeds",), public=False)
def axis_speeds(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Magnitude of the rate of every axis, in the order of ``robot.axis_names``."""
    names = kin.assembly.robot.axis_names
    return {"axis_speeds": collect([_size(kin.axis_rate(name)) for name in names])}


POSTURE = (
    *("closure", "axis_positions", "axis_rates", "axis_accelerations"),
    *("body_poses", "body_twists", "body_twist_rates"),
)


@quantity(MOTION[:3], POSTURE, at_counted_pose, public=False)
def posture(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Position, velocity and acceleration of every axis and every body.

    Axes stand one behind the other: a turn or slide is one number, a ball a rotation and three
    rates, a plane two numbers each.
    """
    names, bodies = kin.assembly.axes, kin.assembly.robot.bodies
    axes = [(axis_place(kin, n), kin.axis_rate(n), kin.axis_acceleration(n)) for n in names]
    moving = [(kin.at.body_poses[b.name], kin.body_motion(b.name)) for b in bodies]
    return arrange_posture(kin, axes, moving)


def axis_place(kin: Kinematics, name: str) -> Array:
    """Where an axis is: a turn or slide as a number, a ball as a rotation, a plane as two."""
    place = kin.assembly.axes[name]
    if is_scalar(place):
        return kin.assembly.axis_position(kin.at, name)
    return coordinate(kin.at, place)


def arrange_posture(
    core: Kinematics, axes: Sequence[Sequence[Array]], bodies: Sequence[tuple[Pose, Motion]]
) -> dict[str, Array]:
    """Outputs of a posture.

    Args:
        core: the machine whose loops are closed.
        axes: place, rate and acceleration of each.
        bodies: pose and motion of each, base axes.
    """
    open_by: Array = 0.0
    for gap in natural_gaps(core.at, core.assembly.length):
        open_by = np.maximum(open_by, np.abs(gap))
    places, rates, accelerations = ([each[k] for each in axes] for k in range(3))
    motions = [motion for _, motion in bodies]
    return {
        "closure": collect([open_by]),
        "axis_positions": _in_a_row(places),
        "axis_rates": _in_a_row(rates),
        "axis_accelerations": _in_a_row(accelerations),
        "body_poses": _stacked([pose for pose, _ in bodies]),
        "body_twists": collect([np.concatenate([v, w]) for v, w, _, _ in motions]),
        "body_twist_rates": collect([np.concatenate([a, wd]) for _, _, a, wd in motions]),
    }


quantity(MOTION[:2], POSTURE, at_counted_pose, name="posture_of_rates", public=False)(posture)


@quantity(MOTION, (*POSTURE, "axis_jerks", "body_twist_jerks"), at_counted_pose, public=False)
def posture_of_jerks(kin: Kinematics, model: Model, Vddot_0p: Array) -> dict[str, Array]:
    """The same, and jerks of every axis and every body."""
    assembly = kin.assembly
    jerks = kin.rules.require(AllowedJerk(Jerks(kin, Vddot_0p))).jerks
    return {
        **posture(kin, model),
        "axis_jerks": _in_a_row([jerks.axis(name) for name in assembly.axes]),
        "body_twist_jerks": collect([jerks.body(body.name) for body in assembly.robot.bodies]),
    }


def _in_a_row(parts: list[Array]) -> Array:
    """Scalars, vectors and matrices, one behind the other."""
    flat = [x for part in parts for x in np.asarray(part).reshape(-1)]
    return collect(flat)


@quantity(("T_0p",), ("body_poses",), public=False)
def bodies_at(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Rotation and position of every body in the base, in the order of ``robot.bodies``."""
    return {"body_poses": body_poses(kin)}


def body_poses(kin: Kinematics) -> Array:
    """Rotation and position of every body in the base, in the order of ``robot.bodies``."""
    return _stacked([kin.at.body_poses[body.name] for body in kin.assembly.robot.bodies])


def _stacked(poses: Sequence[Pose]) -> Array:
    """Rotations and positions beside each other ``(k, 3, 4)``."""
    return collect([np.concatenate([R, p[:, None]], axis=1) for R, p in poses])


@quantity(("T_0p",), ("coordinates",), at_counted_pose, seated=False, public=False)
def coordinates(kin: Kinematics, model: Model) -> dict[str, Array]:
    """Coordinates of all joints, as programs with given joints take them."""
    return {"coordinates": pack(kin.at.configuration)}


@quantity(("T_0p",), ("coordinates",), by_formula, public=False)
def closed_form(rules: Rules, model: Model, T_0p: Array) -> dict[str, Array]:
    """Coordinates of all joints by the closed form on home's branch; NaN out of reach."""
    return {"coordinates": pack(posed_by_form(model.assembly, T_0p)[0].configuration)}


@quantity(("T_0p",), ("margins", "off"), by_formula, seated=False)
def reach(rules: Rules, model: Model, T_0p: Array) -> dict[str, Array]:
    """Margins and residuals that decide whether the robot can have a pose.

    The margin of a root of the closed form is its distance from where branches meet (negative:
    there is no root); residuals are those of the loops, natural units, without flipped ones.
    """
    at, margins = posed_by_form(model.assembly, T_0p)
    off = total(map(np.abs, improper(model.assembly, at)), open_by(model.assembly, at))
    return {"margins": collect(margins), "off": collect([off])}


@quantity(
    ("T_0p",), ("q", "angles", "rates", "closing", "margins", "off"), at_open_pose, seated=False
)
def turning(kin: Kinematics, model: Model, T_0p: Array) -> dict[str, Array]:
    """Motors, turning axes, their rates by ``V_r``, and the step that closes the loops.

    They judge a way from home: angles are the nearest to home's, and whole turns do not count
    against the state; the caller, which goes along a way, counts them.
    """
    assembly, names = kin.assembly, counted_names(kin.assembly)
    moving = [kin.moving_by(V_r) for V_r in np.eye(assembly.mobility)]
    rates = [collect([each.axis_rate(name) for each in moving]) for name in names]
    angles = [assembly.axis_position(kin.at, name) for name in names]
    straight = assembly.mobility == 6 or reaches_all(assembly)
    return {
        "q": motor_positions(assembly, kin.at),
        "angles": collect(angles),
        "rates": collect(rates, empty=(0, assembly.mobility)),
        "closing": np.zeros(6) if straight else closing(unsettled(assembly, T_0p)),
        **reach(kin.rules, model, T_0p),
    }


def _position(kin: Kinematics, name: str) -> Array:
    """Coordinate of a turn or slide [rad or m]; of a ball its tilt, of a plane its distance."""
    place, carried = kin.assembly.axes[name], axis_place(kin, name)
    if is_scalar(place):
        return carried
    if place.what == BALL:
        return np.arccos(np.minimum(np.maximum(carried[2, 2], -1.0), 1.0))
    return np.sqrt(carried @ carried)


def _size(rate: Array) -> Array:
    return np.sqrt(rate @ rate) if np.ndim(rate) else np.abs(rate)
