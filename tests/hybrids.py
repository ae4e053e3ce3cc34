"""Machines with serial axes: a robot carried by a track and a tilted turntable, with more on top.

Bodies are crooked and frames askew, so that no symmetry hides a mistake.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from gough.mechanism.serial import serial_parts
from robots import robot
from round_trips import states


def _frame(p, rotvec):
    return gough.Frame(tuple(p), Rotation.from_rotvec(rotvec).as_matrix().tolist())


def _body(name, mass, size):
    crooked = np.array([[2.0, 0.1, -0.2], [0.1, 1.5, 0.3], [-0.2, 0.3, 1.0]]) * mass * size**2 / 8
    return gough.Body(name, mass, (0.1 * size, -0.2 * size, 0.15 * size), crooked.tolist())


def _stout(body):
    """A body that MuJoCo takes: slender bars have some inertia about their axis as well."""
    inertia = np.array(body.inertia)
    least = 1e-3 * np.abs(inertia).max() + 1e-6 * body.mass
    return replace(body, inertia=(inertia + least * np.eye(3)).tolist())


def _joint(name, kind, parent, child, p, rotvec, axis, **more):
    """A joint whose frames coincide at zero, so that both bodies do."""
    at = _frame(p, rotvec)
    return gough.Joint(name, kind, parent, child, at, at, (axis,), **more)


AXES = {
    "track": gough.Axis(viscous=3.0, coulomb=0.4, rotor_inertia=0.7),
    "table": gough.Axis(viscous=0.2, rotor_inertia=0.02, spring=gough.Spring(5.0, 0.1)),
    "lift": gough.Axis(viscous=0.1),
    "finger": gough.Axis(coulomb=0.01, rotor_inertia=1e-4),
    "fan": gough.Axis(rotor_inertia=1e-5),
    "wrist": gough.Axis(viscous=0.02),
}
"""What acts in the serial axes."""

CASES = {
    "table_below": ("gough_stewart", ("table",), (), ""),
    "track_and_table": ("hexapod_6rus", ("track", "table"), ("finger",), ""),
    "screw_below": ("gough_stewart", ("lift",), ("finger", "fan"), ""),
    "wrist_above": ("gough_stewart", ("track",), (), "wrist"),
    "delta_on_track": ("delta", ("track",), ("finger",), ""),
    "delta_on_table_and_track": ("delta", ("table", "track"), (), ""),
    "nacelle_on_track": ("quattro", ("track",), ("finger",), ""),
    "tripod_with_finger": ("tilt_3rps", (), ("finger",), ""),
    "planar_on_track": ("three_rrr", ("track",), ("finger",), ""),
}
"""Robot, serial axes below in order, serial axes above, and one that carries the platform."""


@cache
def hybrid(case):
    """A machine by name."""
    name, below, above, wrist = CASES[case]
    found = robot(name)
    found = replace(found, name=case, bodies=tuple(_stout(body) for body in found.bodies))
    size, platform, first = found.length, found.platform, found.bodies[0].name
    at_home = gough.posture(found, found.home_pose).bodies
    home = {body: gough.Frame.from_matrix(pose) for body, pose in at_home.items()}
    found = replace(found, home=gough.Home(home, found.home.joints))
    for k, axis in enumerate(reversed(below)):
        kind = {"track": "prismatic", "table": "revolute", "lift": "helical"}[axis]
        pitch = {"pitch": 0.05} if kind == "helical" else {}
        turn = (0.4, -0.3, 0.2) if axis == "table" else (0.1, 1.2, -0.2)
        if name == "three_rrr":  # the track stays in the plane
            turn = (0.0, np.pi / 2, 0.0)
        p, body = (0.1 * size, -0.2 * size, -0.3 * size), _body(f"{axis}_body", 2.0 + k, 0.4 * size)
        joint = _joint(axis, kind, found.base, body.name, p, turn, AXES[axis], **pitch)
        found = gough.build.carried(found, joint, body, at=0.1 * k)
    for axis in (*above, *([wrist] if wrist else [])):
        p = (0.05 * size, 0.1 * size, 0.02 * size)
        turn = (0.5, 0.3, 0.1) if axis == "finger" else (-0.7, 0.2, 0.4)
        body = _body(f"{axis}_body", 0.3 if axis == wrist else 0.05, 0.2 * size)
        holder = first if axis == "fan" else platform
        joint = _joint(axis, "revolute", holder, body.name, p, turn, AXES[axis])
        found = gough.build.holding(found, joint, body, at=0.2)
    if wrist:
        frame = _frame((0.02 * size, 0.01 * size, 0.1 * size), (0.2, 0.1, -0.3))
        found = replace(found, platform=f"{wrist}_body", platform_frame=frame)
    return found


def on_platform(found, names):
    """A robot with driven fingers on its platform, each at zero."""
    for k, name in enumerate(names):
        at = np.array((0.05, 0.1, 0.02)) * found.length * (k + 1)
        turn = (0.5 - 0.3 * k, 0.3 + 0.4 * k, 0.1)
        body = _body(f"{name}_body", 0.1, 0.2 * found.length)
        joint = _joint(name, "revolute", found.platform, body.name, at, turn, gough.Axis())
        found = gough.build.holding(found, joint, body)
    return found


def moving(case, count=2, seed=11):
    """States of a machine, with its serial axes."""
    machine = hybrid(case)
    parts = serial_parts(machine.assembly)
    rng = np.random.default_rng(seed)
    scale = np.array(
        [0.2 * machine.length if parts.kind(name) == "slide" else 0.4 for name in parts.axes]
    )
    for state in states(parts.core, count, seed):
        q, qd, qdd = (scale * rng.uniform(-1.0, 1.0, len(scale)) * f for f in (1.0, 3.0, 9.0))
        q = q + parts.home(machine.assembly)
        axes = along(machine, q, qd, qdd)
        yield gough.serial_state(machine, state.replace(**axes))


def along(machine, *figures):
    """Positions, rates and accelerations of serial axes in order, as arguments of a state."""
    names = ("internal", "internal_rate", "internal_acceleration")
    return {
        name: dict(zip(machine.serial_axes, x, strict=True))
        for name, x in zip(names, figures, strict=False)
    }


def figures(state):
    """Positions, rates and accelerations of the serial axes of a state, in order."""
    parts = (state.internal, state.internal_rate, state.internal_acceleration)
    return tuple(np.array([*part.values()]) for part in parts)
