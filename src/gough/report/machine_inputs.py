"""The machine that went into a report: masses, drives, friction, springs, limits."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import rotation_log
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import assembled
from gough.report.blocks import Block, alike, facts, quantity, vector
from gough.report.figures import number
from gough.report.motors import RPM
from gough.robot import Axis, Body, Motor, Robot
from gough.robot.joint_kinds import PLANE, SLIDE

_DUST = 1e-9  # products of inertia, beside the largest entry, that are not printed


def machine(robot: Robot) -> Block:
    """What the machine is, where home is, which way it is pulled."""
    a = assembled(robot)
    p, r = a.T_home[:3, 3], rotation_log(a.T_home[:3, :3])
    held = [joint.name for joint in robot.joints if joint.held]
    scalars = {k: v for k, v in robot.parameters.items() if isinstance(v, (int, float))}
    known = ", ".join(f"{name} = {number(float(v), digits=5)}" for name, v in scalars.items())
    home = vector(p, "m")
    if np.abs(r).max() > _DUST:
        home += f", turned by {vector(r, 'rad')}"
    motors = (_position(robot, name) for name in robot.motors)
    return facts(
        "The machine",
        (
            ("robot", robot.name + (f": {robot.label}" if robot.label else "")),
            ("source", robot.source),
            ("parameters", known),
            ("degrees of freedom", f"{a.mobility}: {', '.join(a.freedoms)}"),
            ("home, pose of the platform", home),
            ("home, motors", ", ".join(motors)),
            ("moving mass", quantity(sum(body.mass for body in robot.bodies), "kg")),
            ("gravity", vector(robot.gravity, "m/s²")),
            ("locked joints", ", ".join(held)),
            ("couplings", "; ".join(f"{one.name}: {one.relation}" for one in robot.couplings)),
        ),
    )


def _position(robot: Robot, name: str) -> str:
    a = assembled(robot)
    value = float(a.home_values[name])
    value = 0.0 if abs(value) < 1e-12 else value
    if not is_turn(a.axes[name]):
        return f"{name} {number(value, digits=5)} m"
    return f"{name} {number(value, digits=5)} rad ({number(np.degrees(value), digits=4)}°)"


def masses(robot: Robot) -> Block:
    """Mass, centre and inertia of every body; those that are alike share a row."""
    rows = alike((body.name, _body(body)) for body in robot.bodies)
    heads = ("body", "mass", "centre of mass", "inertia [kg m²]")
    note = "Centre in the body's own axes, inertia about it: (xx, yy, zz), and (xy, xz, yz) if any."
    return Block("Masses", heads, rows, note)


def _body(body: Body) -> tuple[str, ...]:
    if body.massless:
        return ("none", "–", "–")
    inertia = np.array(body.inertia)
    products = inertia[[0, 0, 1], [1, 2, 2]]
    text = vector(np.diag(inertia))
    if np.abs(products).max() > _DUST * np.abs(inertia).max(initial=0.0):
        text += f", {vector(products)}"
    return quantity(body.mass, "kg"), vector(body.center, "m"), text


def drives(robot: Robot) -> Block:
    """Transmission and motor of every actuated joint; those that are alike share a row."""
    rows = alike((name, _drive(robot, name)) for name in robot.motors)
    heads = ("actuated joint", "ratio", "efficiency", "rotor inertia", "peak", "continuous")
    note = "Rotor, torques and speed on the motor's own shaft; a dash is not known."
    curves = [one for row in alike((n, (_curve(robot, n),)) for n in robot.motors) for one in [row]]
    for names, curve in curves:
        note += f" Torque over speed of {names}: {curve}." if curve else ""
    return Block("Gears and motors", (*heads, "largest speed"), rows, note)


def _drive(robot: Robot, name: str) -> tuple[str, ...]:
    axis, turn = robot.axis(name), is_turn(assembled(robot).axes[name])
    gear, motor = axis.transmission, axis.motor or Motor()
    turning = turn or gear is not None
    effort, speed, inertia = ("N m", "rad/s", "kg m²") if turning else ("N", "m/s", "kg")
    ratio = "none" if gear is None else quantity(gear.ratio, "" if turn else "rad/m").strip()
    top = quantity(motor.top_speed, speed)
    if turning and motor.top_speed is not None:
        top += f" ({motor.top_speed * RPM:.0f} rpm)"
    return (
        ratio,
        "–" if gear is None else f"{100.0 * gear.efficiency:.4g} %",
        _rotor(axis, inertia, "kg m²" if turn else "kg"),
        quantity(motor.largest, effort),
        quantity(motor.continuous, effort),
        top,
    )


def _rotor(axis: Axis, shaft: str, at_axis: str) -> str:
    """Inertia of a rotor, on its shaft or as it is given at the axis."""
    own = (axis.motor.rotor_inertia if axis.motor else 0.0) or (
        axis.transmission.motor_inertia if axis.transmission else 0.0
    )
    if own:
        return quantity(own, shaft)
    if axis.rotor_inertia:
        return quantity(axis.rotor_inertia, at_axis) + " at the axis" * (axis.ratio != 1.0)
    return "none"


def _curve(robot: Robot, name: str) -> str:
    motor = robot.axis(name).motor
    if motor is None or motor.curve is None:
        return ""
    turning = is_turn(assembled(robot).axes[name]) or robot.axis(name).transmission is not None
    effort, speed = ("N m", "rad/s") if turning else ("N", "m/s")
    points = (
        f"{number(torque, digits=4)} {effort} at {number(rate, digits=4)} {speed}"
        + (f" ({rate * RPM:.0f} rpm)" if turning else "")
        for rate, torque in motor.curve
    )
    return ", ".join(points)


def friction(robot: Robot) -> Block:
    """Friction, springs and rotors of all axes that have some; those alike share a row."""
    found = []
    for name in robot.axis_names:
        axis, actuated = robot.axis(name), name in robot.motors
        passive_rotor = 0.0 if actuated else axis.reflected_inertia
        if axis.viscous or axis.coulomb or axis.spring or passive_rotor:
            found.append((name, _resistance(robot, name, actuated=actuated)))
    heads = ("joint axis", "kind", "viscous", "Coulomb", "spring", "rotor")
    if not found:
        return facts("Friction and springs", [("friction and springs", "none in any joint")])
    silent = len(robot.axis_names) - len(found)
    note = f"{silent} of {len(robot.axis_names)} axes have neither." if silent else ""
    return Block("Friction and springs", heads, alike(found), note, left=2)


def _resistance(robot: Robot, name: str, *, actuated: bool) -> tuple[str, ...]:
    axis = robot.axis(name)
    slides = assembled(robot).axes[name].what in (SLIDE, PLANE)
    effort, per, unit = ("N", "m", "kg") if slides else ("N m", "rad", "kg m²")
    spring = "–"
    if axis.spring is not None:
        stiffness = quantity(axis.spring.stiffness, f"{effort}/{per}")
        spring = f"{stiffness}, at rest at {quantity(axis.spring.rest, per)}"
    return (
        "actuated" if actuated else "passive",
        quantity(axis.viscous or None, f"{effort} s/{per}"),
        quantity(axis.coulomb or None, effort),
        spring,
        "–" if actuated else quantity(axis.reflected_inertia or None, unit),
    )


def limits(robot: Robot) -> Block:
    """Limits of all axes that have some; those alike share a row."""
    found = []
    for name in robot.axis_names:
        given = robot.axis(name).limits
        if given.position is None and given.velocity is None and given.effort is None:
            continue
        slides = assembled(robot).axes[name].what in (SLIDE, PLANE)
        effort, unit = ("N", "m") if slides else ("N m", "rad")
        span = "–"
        if given.position is not None:
            low, high = given.position
            span = f"{number(low, digits=5)} to {number(high, digits=5)} {unit}"
            if not slides:
                span += f" ({np.degrees(low):.4g}° to {np.degrees(high):.4g}°)"
        velocity = quantity(given.velocity, f"{unit}/s")
        found.append((name, (span, velocity, quantity(given.effort, effort))))
    if not found:
        return facts("Limits of joints", [("limits", "none in any joint")])
    return Block("Limits of joints", ("joint axis", "position", "speed", "effort"), alike(found))
