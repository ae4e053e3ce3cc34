"""What a page computes with: the robot's programs as WebAssembly, and all that its script needs.

The script knows nothing of robots but what is said here: places of numbers in the memory, natural
units, and which rows of the closure belong to which leg.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from gough.compiler.targets.wasm import wasm_module
from gough.compiler.tracing.program import Port, Program
from gough.dynamics.quantities import ROWS
from gough.dynamics.quantities.variant import Variant
from gough.errors import GoughError
from gough.evaluation.compile import whole_program
from gough.geometry.closed_form.search import closed_form
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import part_names
from gough.mechanism.mobility.newton import CONTRACTION, FINE
from gough.mechanism.mobility.singular import NEAR, SINGULAR
from gough.mechanism.mobility.varying import row_pattern

LOADED = Variant(payload=True, parameters=("gravity",))
"""Efforts with payload and gravity as inputs: what can be set on every page."""

QUANTITIES = (
    *("step_of_freedoms", "step_of_motors", "step_of_leading_motors"),
    *("view", "efforts_in_view", "reactions_in_view"),
)
"""What a page computes."""

LARGEST = 300_000
"""Of a larger module reactions are left out [bytes]: a page is to be sent by mail."""


def step_of_motors(assembly: Assembly) -> str:
    """Name of the program that follows motors; empty where they do not lead the platform."""
    if assembly.is_square:
        return "step_of_motors"
    enough = len(assembly.robot.motors) > assembly.mobility > 0
    return "step_of_leading_motors" if enough else ""


def programs(assembly: Assembly, loaded: Variant = LOADED) -> tuple[dict[str, Program], list[str]]:
    """Programs by name, and sentences on those that there are not.

    Args:
        assembly: the robot.
        loaded: the model of what knows loads.
    """
    found, missing = {}, []
    unwanted = {"step_of_motors", "step_of_leading_motors"} - {step_of_motors(assembly)}
    if len(assembly.robot.motors) < assembly.mobility:
        unwanted |= {"efforts_in_view", "reactions_in_view"}
        missing.append(
            f"{len(assembly.robot.motors)} motors do not hold {assembly.mobility} freedoms: "
            "no efforts are shown."
        )
    for name in (each for each in QUANTITIES if each not in unwanted):
        try:
            variant = loaded if ROWS[name].loaded else Variant()
            found[name] = whole_program(assembly, name, variant)
        except GoughError as err:
            if name in ("view", "step_of_freedoms"):
                raise
            what = name.replace("_in_view", "").replace("_", " ")
            missing.append(f"This page does not compute {what}: {err.message}.")
    return found, missing


def computing(assembly: Assembly, loaded: Variant) -> tuple[dict[str, Any], list[str]]:
    """The module with its functions, natural units and rules, ready for JSON; and sentences."""
    found, notes = programs(assembly, loaded)
    code = wasm_module(found)
    if len(code) > LARGEST and found.pop("reactions_in_view", None) is not None:
        code = wasm_module(found)
        notes.append("Reactions in joints are left out: their program is too large.")
    if closed_form(assembly) is None:
        notes.append(
            "The legs have no closed form: the page follows them step by step from where they are. "
            "gough.inverse_kinematics searches, from anywhere."
        )
    return {
        "module": base64.b64encode(code).decode(),
        "functions": {
            name: {"inputs": _ports(each.inputs), "outputs": _ports(each.outputs)}
            for name, each in found.items()
        },
        "follow": step_of_motors(assembly),
        "scales": _scales(assembly),
        "rules": {
            "contraction": CONTRACTION,
            "fine": FINE,
            "singular": SINGULAR,
            "near": NEAR,
        },
    }, notes


def _ports(ports: tuple[Port, ...]) -> list[list[Any]]:
    """Names and numbers of doubles, in the order of the memory."""
    return [[port.name, port.size] for port in ports]


def _scales(assembly: Assembly) -> dict[str, Any]:
    """Natural units, and what the closure rows are made of."""
    scales, topology = assembly.scales, assembly.topology
    of_hub, *of_legs = (len(rows) for rows in scales.rows)
    return {
        "length": scales.length,
        "twist": scales.twist.tolist(),
        "freedoms": scales.freedoms.tolist(),
        "motors": scales.motors.tolist(),
        "free": list(assembly.free),
        "only_position": assembly.only_position,
        "hub": {"rows": of_hub, "rates": topology.hub.rates},
        "legs": [
            {"rows": rows, "rates": leg.tree.rates}
            for rows, leg in zip(of_legs, topology.legs, strict=True)
        ],
        "parts": list(part_names(assembly)),
        "pattern": _pattern(assembly),
    }


def _pattern(assembly: Assembly) -> dict[str, Any]:
    """Closure rows as they always are, and the places of what a program answers."""
    constant, places = row_pattern(assembly)
    flat = constant.reshape(-1)
    return {
        "size": flat.size,
        "constant": [[int(k), float(flat[k])] for k in np.flatnonzero(flat)],
        "places": places.tolist(),
    }


def packed(values: Any) -> str:
    """Numbers as base64 of little-endian doubles: short, and exact."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode()
