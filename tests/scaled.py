"""The same machine in other units: lengths and masses scaled, times as they are.

Efforts then scale with mass times length (forces) or length squared (torques), rates of sliding
axes with length; whatever is an angle, a verdict or a count stays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import gough
from coupled import recoupled
from gough.robot.joint import Limits
from gough.robot.joint_kinds import KINDS

SLIDES = ("slide", "plane")


def scaled(robot: gough.Robot, length: float = 1.0, mass: float = 1.0) -> gough.Robot:
    """The machine with its lengths and masses multiplied, gravity included."""

    def frame(given: gough.Frame) -> gough.Frame:
        return gough.Frame(tuple(length * x for x in given.position), given.rotation)

    def axis(given: Any, what: str) -> Any:
        slide = what in SLIDES
        way = length if slide else 1.0
        effort = mass * length * (1.0 if slide else length)
        limits, spring, gear = given.limits, given.spring, given.transmission
        return replace(
            given,
            viscous=given.viscous * effort / way,
            coulomb=given.coulomb * effort,
            rotor_inertia=given.rotor_inertia * effort / way,
            transmission=gear
            and replace(
                gear,
                ratio=gear.ratio / way,
                motor_inertia=gear.motor_inertia * effort * way,
            ),
            limits=Limits(
                limits.position and tuple(way * x for x in limits.position),
                limits.velocity and way * limits.velocity,
                limits.effort and effort * limits.effort,
            ),
            spring=spring
            and replace(spring, stiffness=spring.stiffness * effort / way, rest=spring.rest * way),
        )

    joints = tuple(
        replace(
            joint,
            parent_frame=frame(joint.parent_frame),
            child_frame=frame(joint.child_frame),
            pitch=length * joint.pitch,
            axes=tuple(
                axis(one, what)
                for one, what in zip(joint.axes, KINDS[joint.kind].axes.values(), strict=True)
            ),
        )
        for joint in robot.joints
    )
    bodies = tuple(
        replace(
            body,
            mass=mass * body.mass,
            center=tuple(length * x for x in body.center),
            inertia=(mass * length**2 * np.array(body.inertia)).tolist(),
        )
        for body in robot.bodies
    )
    ways = {
        name: length if what in SLIDES else 1.0
        for joint in robot.joints
        for name, what in zip(joint.axis_names, KINDS[joint.kind].axes.values(), strict=True)
    }
    home = replace(
        robot.home,
        bodies={name: frame(given) for name, given in robot.home.bodies.items()},
        joints={name: ways[name] * value for name, value in robot.home.joints.items()},
    )
    return replace(
        robot,
        bodies=bodies,
        joints=joints,
        platform_frame=frame(robot.platform_frame),
        home=home,
        gravity=tuple(length * g for g in robot.gravity),
        couplings=recoupled(robot, times=ways.get),
    )


def moved(T_0p: np.ndarray, length: float) -> np.ndarray:
    """Poses of the scaled machine."""
    found = np.array(T_0p, dtype=float)
    found[..., :3, 3] *= length
    return found


def twist(V: np.ndarray, length: float) -> np.ndarray:
    """Twists, or twist rates, of the scaled machine."""
    found = np.array(V, dtype=float)
    found[..., :3] *= length
    return found


def motor_ways(robot: gough.Robot, length: float) -> np.ndarray:
    """By what positions of the motors are multiplied."""
    slides = [robot.assembly.axes[name].what == "slide" for name in robot.motors]
    return np.where(slides, length, 1.0)


def motor_efforts(robot: gough.Robot, length: float, mass: float) -> np.ndarray:
    """By what efforts of the motors are multiplied."""
    return np.asarray(mass * length**2 / motor_ways(robot, length))
