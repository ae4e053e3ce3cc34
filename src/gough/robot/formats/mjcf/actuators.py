"""Actuators of MJCF as motors on joints; what they do with their signals is not read."""

from __future__ import annotations

from dataclasses import replace

from gough.robot.formats.mjcf.bodies import coefficient
from gough.robot.formats.mjcf.compiler import Compiler
from gough.robot.formats.mjcf.defaults import ACTUATORS, Defaults
from gough.robot.formats.mjcf.tendons import fixed_tendons, pulled
from gough.robot.formats.model import MOST_RELATIONS, Drive, Model, Tie
from gough.robot.formats.xml import Node

ENDS = ("joint", "jointinparent", "tendon", "site", "body", "slidersite", "cranksite")


def read_actuators(root: Node, model: Model, defaults: Defaults, compiler: Compiler) -> None:
    """Add motors to a model whose joints are there."""
    tendons = fixed_tendons(root)
    ends: dict[str, tuple[str, float]] = {}  # of tendons: many motors may pull one
    skipped = []
    for node in (child for block in root.all("actuator") for child in block.all(*ACTUATORS)):
        full = defaults.apply(node, "")
        name, gear = full.get("name"), _gear(full)
        joint = full.get("joint") or full.get("jointinparent")
        if full.get("tendon") in tendons:
            tendon = full.get("tendon")
            if tendon not in ends:
                if len(ends) >= MOST_RELATIONS:
                    full.refuse(f"motors pull more than {MOST_RELATIONS} fixed tendons")
                ends[tendon] = pulled(tendons[tendon], model)
            joint, factor = ends[tendon]
            gear *= factor
        tie = model.joint(joint) if joint else None
        if joint and tie is None:
            full.refuse(f"acts on the joint {joint!r}, which is not there")
        if tie is None or tie.kind not in ("revolute", "prismatic") or not gear:
            end = next((f"{each} {full.get(each)!r}" for each in ENDS if full.get(each)), "nothing")
            skipped.append(f"{name or node.tag!r} on {end}")
            continue
        _loaded(model, tie, full, gear)
        if tie.name in {drive.joint for drive in model.drives}:
            continue  # a position servo and a damper on one joint are one motor
        model.drives.append(Drive(tie.name, gear, _effort(full, gear, compiler), name))
    if skipped:
        model.warn(
            "actuators",
            f"actuators that pull no single joint of one axis are left out: {', '.join(skipped)}",
            "Name the motors yourself: motors=[...].",
        )


def _loaded(model: Model, tie: Tie, node: Node, gear: float) -> None:
    """Put the rotor and the damper of an actuator, which it has behind its gear, on its joint."""
    rotor, damping = node.number("armature"), coefficient(node, "damping")
    if not rotor and not damping:
        return
    (axis,) = tie.axes
    axis = replace(
        axis,
        rotor_inertia=axis.rotor_inertia + gear**2 * rotor,
        viscous=axis.viscous + gear**2 * damping,
    )
    model.joints[model.joints.index(tie)] = replace(tie, axes=(axis,))


def _gear(node: Node) -> float:
    given = node.numbers("gear", (1.0,))
    return 1.0 if given is None or not len(given) else float(given[0])


def _effort(node: Node, gear: float, compiler: Compiler) -> float | None:
    """Largest effort at the joint, if forces are limited."""
    if not compiler.is_limited(node, "forcelimited", "forcerange"):
        return None
    given = node.numbers("forcerange", (0.0, 0.0), (2,))
    largest = 0.0 if given is None else float(max(abs(given))) * abs(gear)
    return largest or None
