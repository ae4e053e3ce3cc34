"""Robots with motors of which something is known, and their fastest motions, each found once."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import gough
from robots import robot
from swinging import simple_pendulum


def with_motors(r: gough.Robot, **figures: Any) -> gough.Robot:
    """The robot with other figures of its motors' axes."""
    joints = []
    for joint in r.joints:
        axes = [
            replace(r.axis(name), **figures) if name in r.motors else r.axis(name)
            for name in joint.axis_names
        ]
        joints.append(replace(joint, axes=tuple(axes)))
    return replace(r, joints=tuple(joints))


@cache
def slide(**figures: Any) -> gough.Robot:
    """2 kg on a horizontal slide along x, moved by a linear motor."""
    x = gough.Frame.from_axes((0.0, 0.0, 0.0), z=(1.0, 0.0, 0.0))
    along = gough.Joint("rail", "prismatic", "base", "mass", x, x, axes=(gough.Axis(**figures),))
    body = gough.Body("mass", mass=2.0, center=(0.0, 0.0, 0.0), inertia=np.zeros((3, 3)).tolist())
    return gough.Robot("slide", (body,), (along,), "mass", motors=("rail",))


@cache
def pendulum(torque: float) -> gough.Robot:
    """1 kg on a massless bar of 1 m, with a motor in its pin."""
    swing = replace(simple_pendulum(), motors=("pin",))
    return with_motors(swing, motor=gough.Motor(peak=torque))


CURVE = ((0.0, 3.0), (150.0, 2.6), (400.0, 0.6))
"""Torque of the Delta's motors over their speed."""


@cache
def delta() -> gough.Robot:
    """The Delta of the zoo with gears that lose power, and motors with a falling curve."""
    gear = gough.Transmission(ratio=10.0, efficiency=0.9)
    return with_motors(
        robot("delta"), transmission=gear, motor=gough.Motor(continuous=1.0, curve=CURVE)
    )


@cache
def five_bar() -> gough.Robot:
    """The five-bar of the zoo with motors of constant torque."""
    return with_motors(robot("five_bar"), motor=gough.Motor(peak=8.0, continuous=4.0, speed=60.0))


@cache
def tour() -> gough.Motion:
    """A closed path of the Delta, bent all the way, on which every motor turns back."""
    poses = np.array([[0.0, -0.1, -0.42], [0.1, 0.05, -0.38], [-0.05, 0.1, -0.43]])
    return gough.motion.through(delta(), [*poses, poses[0]], [0.0, 0.3, 0.6, 1.0])


@cache
def touring() -> gough.timing.Fastest:
    """The same, as fast as can be."""
    return gough.motion.fastest(delta(), tour())
