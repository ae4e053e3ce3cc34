"""Tables of motors: what a data sheet says of their axes, their gears and themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from gough.cli.printing import print_table
from gough.cli.units import Units

if TYPE_CHECKING:
    from gough.robot import Robot

Motors = Iterable[tuple[str, str, float]]
"""Name, unit of the coordinate, and position at home of each motor, as a sheet has them."""


def motor_facts(robot: Robot, name: str) -> dict[str, Any]:
    """What a data sheet says of a motor and its axis, plain data in SI units."""
    axis = robot.axis(name)
    limits, gear, motor = axis.limits, axis.transmission, axis.motor
    return {
        "ratio": axis.ratio,
        "position": limits.position,
        "velocity": limits.velocity,
        "effort": limits.effort,
        "viscous": axis.viscous,
        "coulomb": axis.coulomb,
        "efficiency": 1.0 if gear is None else gear.efficiency,
        "stiffness": None if gear is None else gear.stiffness,
        "reflected_inertia": axis.reflected_inertia,
        "motor": None if motor is None else asdict(motor),
    }


def print_axes(robot: Robot, motors: Motors, units: Units) -> None:
    """Limits and friction of the motors' axes; those that turn and those that slide apart."""
    tables: dict[str, list[list[Any]]] = {}
    for name, unit, _ in motors:
        facts = motor_facts(robot, name)
        angle, rate = units.of(unit)[1], units.of(f"{unit}/s")[1]
        ends = [None if q is None else angle * q for q in facts["position"] or (None, None)]
        speed = None if facts["velocity"] is None else rate * facts["velocity"]
        row = [name, facts["ratio"], *ends, speed, facts["effort"]]
        tables.setdefault(unit, []).append([*row, facts["viscous"], facts["coulomb"]])
    for unit, rows in tables.items():
        effort, shown, rate_unit = _effort(unit), units.of(unit)[0], units.of(f"{unit}/s")[0]
        head = ["name", "ratio" if unit == "rad" else "ratio [rad/m]"]
        head += [f"lowest [{shown}]", f"highest [{shown}]", f"speed [{rate_unit}]"]
        head += [f"effort [{effort}]", f"viscous [{effort} s/{unit}]", f"coulomb [{effort}]"]
        print_table(head, rows)


def print_drives(robot: Robot, motors: Motors, units: Units) -> None:
    """Gears and motors where there is more to say of them than a ratio; on the motor's shaft."""
    tables: dict[tuple[str, str], list[list[Any]]] = {}
    for name, unit, _ in motors:
        facts, axis = motor_facts(robot, name), robot.axis(name)
        if axis.motor is None and facts["efficiency"] == 1.0 and facts["stiffness"] is None:
            continue
        shaft = "rad" if axis.transmission is not None else unit
        motor = axis.motor
        top = None if motor is None else motor.top_speed
        row = [name, facts["efficiency"], facts["stiffness"]]
        row += [None, None] if motor is None else [motor.peak, motor.continuous]
        row += [None if top is None else units.of(f"{shaft}/s")[1] * top]
        row += [None if motor is None else motor.rotor_inertia, facts["reflected_inertia"]]
        tables.setdefault((unit, shaft), []).append(row)
    for (unit, shaft), rows in tables.items():
        effort, inertia = _effort(shaft), {"rad": "kg m^2", "m": "kg"}
        head = ["drive", "efficiency", f"stiffness [{_effort(unit)}/{unit}]", f"peak [{effort}]"]
        head += [f"continuous [{effort}]", f"speed [{units.of(f'{shaft}/s')[0]}]"]
        head += [f"rotor [{inertia[shaft]}]", f"at the axis [{inertia[unit]}]"]
        typer.echo()
        print_table(head, rows)


def _effort(unit: str) -> str:
    """Unit of the effort along a coordinate."""
    return "N m" if unit == "rad" else "N"
