"""A machine whose every figure is known in closed form: a mass that a screw lifts."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import gough
from gough.motion import Samples

MASS, G = 2.0, 9.81
AMPLITUDE, OMEGA = 0.1, 4.0


@cache
def lift(axis=None, mass=MASS):
    """A mass on a vertical slide."""
    joint = gough.Joint("lift", "prismatic", "base", "slide", axes=[axis or gough.Axis()])
    body = gough.Body("slide", mass)
    return gough.Robot("lifter", [body], [joint], platform="slide", motors=["lift"])


def swing(robot, periods=1.0, count=501):
    """Samples of z = A sin(w t), by hand."""
    t = np.linspace(0.0, periods * 2.0 * np.pi / OMEGA, count)
    T = np.tile(np.eye(4), (count, 1, 1))
    V, Vdot = np.zeros((count, 6)), np.zeros((count, 6))
    T[:, 2, 3] = AMPLITUDE * np.sin(OMEGA * t)
    V[:, 2] = AMPLITUDE * OMEGA * np.cos(OMEGA * t)
    Vdot[:, 2] = -AMPLITUDE * OMEGA**2 * np.sin(OMEGA * t)
    return Samples(t, gough.State(T, V, Vdot))


def limited(robot, **limits):
    """The robot with limits on some of its axes, by name; a dot is two underscores."""
    limits = {name.replace("__", "."): value for name, value in limits.items()}
    joints = [
        replace(
            joint,
            axes=[
                replace(axis, limits=limits.get(name, axis.limits))
                for name, axis in zip(joint.axis_names, joint.axes, strict=True)
            ],
        )
        for joint in robot.joints
    ]
    return replace(robot, joints=joints)


@pytest.fixture(name="lift")
def _lift():
    return lift


@pytest.fixture(name="swing")
def _swing():
    return swing


@pytest.fixture(name="limited")
def _limited():
    return limited
