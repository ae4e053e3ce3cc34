"""Robots with something on every axis, in a state, and their answers: worked out once for all laws.

Whatever holds for every robot asks here, so that a robot is assembled, its plans are chosen and its
answers are found once a process, however many laws look at them.
"""

from __future__ import annotations

import dataclasses
from functools import cache

import numpy as np

import gough
from gough.dynamics.answers.frozen import frozen_freedoms
from robots import random_freedoms, robot

State = tuple[np.ndarray, np.ndarray, np.ndarray]


@cache
def loaded(name: str) -> gough.Robot:
    """The robot with friction, rotors and springs on every axis, passive and cut ones too."""
    r = robot(name)
    idle = {joint for freedom in frozen_freedoms(r.assembly) for joint in freedom.joints}
    joints = []
    for j in r.joints:
        axes = []
        for what, axis in zip(gough.robot.KINDS[j.kind].axes.values(), j.axes, strict=True):
            changes = {"viscous": 0.05, "coulomb": 0.02}
            # a rotor or a spring on what the platform does not feel would be refused
            if what not in ("ball", "plane") and not (what == "turn" and j.name in idle):
                changes |= {"rotor_inertia": 0.003, "spring": gough.Spring(0.8, rest=0.3)}
            axes.append(dataclasses.replace(axis, **changes))
        joints.append(dataclasses.replace(j, axes=tuple(axes)))
    return dataclasses.replace(r, joints=tuple(joints))


def acting(r: gough.Robot) -> gough.Loads:
    """A payload, and wrenches on the platform and on the first body, at points off their origin."""
    force, moment = np.array([1.0, -2.0, 3.0]), np.array([-0.3, 0.2, 0.1])
    on_leg = gough.Force(r.bodies[0].name, 0.4 * force, point=(0.02, 0.03, -0.05))
    on_top = gough.Force(r.platform, force, moment, (0.1, -0.04, 0.03))
    return gough.Loads([on_leg, on_top], gough.Payload(0.7, (0.02, -0.03, 0.05), 0.004 * np.eye(3)))


@cache
def motion(name: str, count: int = 1, amplitude: float = 0.03, seed: int = 0) -> State:
    """States of a robot around home in any motion; not to be written into."""
    found = gough.state(robot(name), *random_freedoms(name, count, amplitude, seed))
    for array in found.arrays:
        array.flags.writeable = False
    return found


@cache
def efforts(name: str, method: str) -> np.ndarray:
    """Efforts of the loaded robot under all its loads, one state."""
    r = loaded(name)
    return gough.inverse_dynamics(r, motion(name), method=method, loads=acting(r))


@cache
def certificate(name: str) -> gough.Certificate:
    """What the audit says of the loaded robot under all its loads, one state."""
    return gough.audit(loaded(name), motion(name), loads=acting(loaded(name)))


def twist_rates(name: str, method: str, tau: np.ndarray) -> np.ndarray:
    """How the loaded robot accelerates under efforts and all its loads."""
    state = motion(name)
    return gough.forward_dynamics(
        loaded(name), state, tau, method=method, loads=acting(loaded(name))
    ).Vdot_0p
