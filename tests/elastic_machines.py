"""Elastic machines of the tests: the reference's, published platforms, a few bars of our own."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import gough
from conftest import REFERENCE
from reference import pose
from robots import mechanism, robot

STEEL = gough.Material("steel", 210e9, 81e9, 7850.0)
STIFF = 3e4
"""Stiffness of transmissions [N m/rad or N/m]."""

ELASTIC = ["five_bar", "delta", "orthoglide", "three_rrr", "hexapod_6rus", "quattro", "four_rrr"]
"""Machines of all kinds that take part with beams and bearings."""


@cache
def cases() -> dict[str, Any]:
    """Cases of the reference: three elastic machines."""
    return json.loads((REFERENCE / "elasticity.json").read_text())


def machine(case: dict[str, Any]) -> tuple[gough.Robot, np.ndarray]:
    """The robot of a case, elastic, and its pose.

    Bodies that bend there have the mass of their beams and lumps, nothing else.
    """
    robot = mechanism(case["robot"])
    if "drive" in case["model"]:
        robot = with_gears(robot, case["model"]["drive"])
    bodies = tuple(_bending(body, case["elastic"].get(body.name)) for body in robot.bodies)
    return replace(robot, bodies=bodies), pose(case)


def _bending(body: gough.Body, data: dict[str, Any] | None) -> gough.Body:
    if data is None:
        return body
    s = data["section"]
    section = gough.CrossSection(s["A"], s["Iy"], s["Iz"], s["J"], s["kappa"], s["kappa"])
    material = gough.Material(f"of_{body.name}", s["E"], s["G"], s["rho"])
    lumps = tuple((place, m) for place, m in data["lumps"])
    return beam_body(body.name, gough.Beam(section, material, data["points"], lumps=lumps))


def beam_body(name: str, beam: gough.Beam, **more: Any) -> gough.Body:
    """A body that is its beam with its lumps, and nothing else; of one straight piece."""
    s, (a, b) = beam.section.figures, np.array(beam.points)
    length = float(np.linalg.norm(b - a))
    mass = beam.material.density * s.area * length
    bar = gough.inertia.cylinder(
        mass, np.sqrt(4.0 * s.Iy / s.area), length, axis=b - a, center=(a + b) / 2.0
    )
    balls = [gough.inertia.sphere(m, 0.0, center=a + (b - a) * x) for x, m in beam.lumps]
    return gough.Body(name, **gough.inertia.composite([bar, *balls]), beam=beam, **more)


def with_axes(robot: gough.Robot, change: Any, names: Any = None) -> gough.Robot:
    """A robot whose axes, all or some, are what a function makes of them and their names."""
    joints = []
    for joint in robot.joints:
        axes = zip(joint.axis_names, joint.axes, strict=True)
        found = tuple(change(n, a) if names is None or n in names else a for n, a in axes)
        joints.append(replace(joint, axes=found))
    return replace(robot, joints=tuple(joints))


def with_gears(robot: gough.Robot, stiffness: float, damping: float = 0.0) -> gough.Robot:
    """A robot with the same elastic transmission on every motor."""
    gear = gough.Transmission(stiffness=stiffness, damping=damping)
    return with_axes(robot, lambda _, axis: replace(axis, transmission=gear), robot.motors)


def cantilever(
    beam: gough.Beam, *, bearing: gough.Bearing | None = None, **platform: Any
) -> gough.Robot:
    """A beam that is clamped to the base at its first point; the platform's frame is its last."""
    joint = gough.Joint("clamp", "fixed", "base", "bar", bearing=bearing)
    return gough.Robot(
        "cantilever",
        (beam_body("bar", beam, **platform),),
        (joint,),
        "bar",
        gough.Frame(beam.points[-1]),
    )


def hexapod(base: Any, top: Any, stiffness: float, *, center: Any, **figures: Any) -> gough.Robot:
    """A hexapod drawn as it stands: universal joints below, balls above, elastic slides between.

    Args:
        base: points of the universal joints ``(6, 3)``.
        top: points of the balls ``(6, 3)``.
        stiffness: of every slide [N/m].
        center: the platform's origin.
        **figures: ``platform``, mass properties of the platform; ``half``, mass and length of the
            two cylinders of a leg, and their radius.
    """
    bodies = [gough.Body("platform", **figures["platform"])]
    joints = []
    for i, (a, b) in enumerate(zip(np.array(base), np.array(top), strict=True), start=1):
        e = (b - a) / np.linalg.norm(b - a)
        across = np.cross(e, [0.3, -0.5, 0.81])
        across = across / np.linalg.norm(across)
        m, length, radius = figures.get("half", (1e-6, 0.01, 0.001))
        for name, at in ((f"low{i}", a + e * length / 2.0), (f"high{i}", b - e * length / 2.0)):
            solid = gough.inertia.cylinder(m, radius, length, axis=e, center=at)
            bodies.append(gough.Body(name, **solid))
        first = gough.Frame.from_axes(a, z=across, x=e)
        second = gough.Frame.from_axes(a, z=np.cross(e, across), x=e)
        slide = gough.Frame.from_axes(b, z=e, x=across)
        gear = gough.Axis(transmission=gough.Transmission(stiffness=stiffness))
        joints += [
            gough.Joint(f"u{i}", "universal", "base", f"low{i}", first, second),
            gough.Joint(f"p{i}", "prismatic", f"low{i}", f"high{i}", slide, slide, axes=(gear,)),
            gough.Joint(f"s{i}", "spherical", f"high{i}", "platform", slide, slide),
        ]
    motors = tuple(f"p{i}" for i in range(1, 7))
    frame = gough.Frame(tuple(center))
    return gough.Robot("hexapod", tuple(bodies), tuple(joints), "platform", frame, motors)


def geared(name: str) -> gough.Robot:
    """A robot with elastic transmissions, everything else rigid."""
    return with_gears(robot(name), STIFF)


def beams_and_bearings(name: str) -> gough.Robot:
    """A robot of which every body between two joints is a tube, and every joint has a bearing."""
    own = geared(name)
    bodies = []
    for body in own.bodies:
        points = [
            np.array(frame.position)
            for joint in own.joints
            for end, frame in (
                (joint.parent, joint.parent_frame),
                (joint.child, joint.child_frame),
            )
            if end == body.name
        ]
        ends = points[:2]
        if len(points) < 2 or np.linalg.norm(ends[1] - ends[0]) < 1e-3:
            bodies.append(body)
            continue
        tube = gough.Tube(0.011, 0.009)
        material = gough.Material("light", 70e9, 26e9, 1e-3)
        bodies.append(replace(body, beam=gough.Beam(tube, material, [p.tolist() for p in ends])))
    joints = []
    for i, joint in enumerate(own.joints):
        held = gough.robot.KINDS[joint.kind].bearing
        size = {"radial": 2e7, "axial": 3e7, "tilt": 4e4, "torsion": 5e4}
        bearing = gough.Bearing(**{key: size[key] * (1.0 + 0.1 * i) for key in held})
        joints.append(replace(joint, bearing=bearing))
    return replace(own, bodies=tuple(bodies), joints=tuple(joints))
