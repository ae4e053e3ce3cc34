"""Robots of the reference folder: the ``mechanism`` block of a file becomes a ``gough.Robot``."""

from __future__ import annotations

from typing import Any

import numpy as np

import gough

KINDS = {
    "R": "revolute",
    "P": "prismatic",
    "H": "helical",
    "U": "universal",
    "C": "cylindrical",
    "S": "spherical",
    "PLANE": "planar_contact",
    "F": "fixed",
}


def robot_from_mechanism(mechanism: dict[str, Any]) -> gough.Robot:
    """The robot a mechanism block describes, without loss; motors in the order of its actuators."""
    bodies = tuple(_body(block) for block in mechanism["bodies"])
    moving = {body.name for body in bodies}
    ends = [joint[end] for joint in mechanism["joints"] for end in ("parent", "child")]
    base = next((name for name in ends if name not in moving), "ground")
    joints = tuple(_joint(block) for block in mechanism["joints"])
    first_axis = {joint.name: joint.axis_names[0] for joint in joints if joint.axis_names}
    platform = mechanism["platform"]
    return gough.Robot(
        name="reference",
        bodies=bodies,
        joints=joints,
        platform=platform["body"],
        platform_frame=_frame(platform),
        motors=tuple(first_axis[name] for name in mechanism["actuators"]),
        home=gough.Home(bodies={n: _frame(at) for n, at in mechanism["home"].items()}),
        gravity=mechanism["gravity"],
        base=base,
    )


def pose(case: dict[str, Any]) -> np.ndarray:
    """4x4 platform pose of a case."""
    return _frame(case).matrix


def _body(block: dict[str, Any]) -> gough.Body:
    massless = block["mass"] == 0.0
    return gough.Body(
        block["name"], block["mass"], block["com"], block["inertia_com"], massless=massless
    )


def _joint(block: dict[str, Any]) -> gough.Joint:
    axis = gough.Axis(
        viscous=block.get("viscous", 0.0),
        coulomb=block.get("coulomb", 0.0),
        rotor_inertia=block.get("rotor_inertia", 0.0),
    )
    return gough.Joint(
        block["name"],
        KINDS[block["type"]],
        block["parent"],
        block["child"],
        _frame(block["frame_parent"]),
        _frame(block["frame_child"]),
        axes=(axis,) if axis != gough.Axis() else (),
        pitch=block.get("pitch", 0.0),
    )


def _frame(block: dict[str, Any]) -> gough.Frame:
    return gough.Frame(block["p"], block["R"])
