"""Robots dressed with elastic parts at random: beams, bearings, gears, springs, rotors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import gough
from gough.robot.elastic import body_frames
from gough.robot.joint_kinds import KINDS
from yielding import element, section_axes

SIZES = {"radial": 2e7, "axial": 3e7, "tilt": 4e4, "torsion": 5e4}


def dressed(robot: gough.Robot, seed: int = 0) -> gough.Robot:
    """A robot of which most parts give way; bodies that slide on others stay rigid."""
    rng = np.random.default_rng(seed)
    bodies = tuple(_body(robot, body, rng, i) for i, body in enumerate(robot.bodies))
    joints = tuple(_joint(joint, robot.motors, rng) for joint in robot.joints)
    return replace(robot, bodies=bodies, joints=joints)


def _body(robot: gough.Robot, body: gough.Body, rng: Any, i: int) -> gough.Body:
    points = [np.array(f.position) for f in body_frames(body.name, robot.joints).values()]
    if body.is_elastic:
        return body
    slides = any(
        joint.released.kind in ("prismatic", "cylindrical")
        for joint in robot.joints
        if body.name in (joint.parent, joint.child)
    )
    if slides or len(points) < 2 or np.linalg.norm(points[1] - points[0]) < 1e-3:
        return body
    a, b = points[:2]
    along = b - a
    if rng.random() < 0.5:
        section: Any = gough.Tube(0.011, 0.009)
        up = None
    else:
        section = gough.Box(0.02, 0.03, 0.002)
        up = tuple(np.cross(along, rng.normal(size=3)))
    # a tenth of the mass bends; thick enough that what is left is a body
    length = float(np.linalg.norm(along))
    density = 0.1 * body.mass / (section.figures.area * length)
    material = gough.Material(f"material{i}", *rng.uniform([4e10, 1e10], [2e11, 8e10]), density)
    second = body.mass * (0.03 * length**2 + 0.2 * float(np.max(np.abs([a, b]))) ** 2)
    inertia = np.array(body.inertia) + second * np.eye(3)
    lumps = ((0.3, 0.01 * body.mass),)
    beam = gough.Beam(section, material, (tuple(a), tuple(b)), up=up, lumps=lumps)
    return replace(body, inertia=inertia.tolist(), beam=beam)


def _joint(joint: gough.Joint, motors: tuple[str, ...], rng: Any) -> gough.Joint:
    if joint.held is None and rng.random() < 0.6:
        held = KINDS[joint.kind].bearing
        keys = [key for key in held if rng.random() < 0.7] or [held[0]]
        joint = replace(
            joint, bearing=gough.Bearing(**{k: SIZES[k] * rng.uniform(0.3, 3.0) for k in keys})
        )
    axes = []
    for name, axis, what in zip(
        joint.axis_names, joint.axes, KINDS[joint.kind].axes.values(), strict=True
    ):
        if name in motors and rng.random() < 0.8:
            gear = axis.transmission or gough.Transmission()
            axis = replace(axis, transmission=replace(gear, stiffness=rng.uniform(1e4, 1e5)))
        if name in motors:
            axis = replace(axis, rotor_inertia=rng.uniform(0.001, 0.02))
        elif what in ("turn", "slide") and rng.random() < 0.2:
            spring = gough.Spring(rng.uniform(10.0, 1000.0), rng.normal())
            axis = replace(axis, spring=spring, rotor_inertia=rng.uniform(0.001, 0.02))
        axes.append(axis)
    return replace(joint, axes=tuple(axes))


def matrix_five_bar() -> gough.Robot:
    """A five-bar whose first bar is a stiffness matrix between its joints, its mass partly so."""
    own = gough.zoo.load("five_bar")
    steel = gough.Material("steel", 210e9, 81e9, 7850.0)
    K, M = element(gough.Box(0.02, 0.03, 0.002).figures, steel, 0.3, shear=True)
    turn = np.kron(np.eye(4), section_axes(np.array([1.0, 0.0, 0.0]), (0.0, 0.3, 1.0)))
    given = gough.BodyStiffness(
        ("foot1", "elbow1"), turn @ K @ turn.T, 0.2 * turn @ M @ turn.T, damping=0.01
    )
    bodies = tuple(
        replace(body, inertia=(np.array(body.inertia) + 0.02 * np.eye(3)).tolist(), stiffness=given)
        if body.name == "prox1"
        else body
        for body in own.bodies
    )
    return replace(own, bodies=bodies)


def telescopic_hexapod() -> gough.Robot:
    """A hexapod whose cylinders and rods are beams that slide in guides."""
    own = gough.zoo.load("gough_stewart")
    steel = gough.Material("steel", 210e9, 81e9, 100.0)
    bodies = []
    for body in own.bodies:
        if body.name == own.platform:
            bodies.append(body)
            continue
        ends = [np.array(f.position) for f in body_frames(body.name, own.joints).values()]
        joint = next(
            j for j in own.joints if j.kind == "prismatic" and body.name in (j.parent, j.child)
        )
        frame = joint.parent_frame if joint.parent == body.name else joint.child_frame
        axis = np.array(frame.rotation)[:, 2]
        start = next((e for e in ends if not np.allclose(e, frame.position)), ends[0])
        way = 0.5 if joint.parent == body.name else -0.7
        beam = gough.Beam(gough.Tube(0.02, 0.017), steel, (tuple(start), tuple(start + way * axis)))
        inertia = np.array(body.inertia) + 0.3 * body.mass * np.eye(3)
        bodies.append(replace(body, inertia=inertia.tolist(), beam=beam))
    joints = []
    for joint in own.joints:
        if joint.kind == "prismatic":
            body = next(b for b in bodies if b.name == joint.parent)
            joint = replace(joint, guide=gough.Guide(joint.parent, body.beam.points[1]))
        joints.append(joint)
    return replace(own, bodies=tuple(bodies), joints=tuple(joints))
