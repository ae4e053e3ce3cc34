"""Machines with serial axes: a robot carried by a track and a tilted turntable, with more on top.

Bodies are crooked and frames askew, so that no symmetry hides a mistake.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from gough.kinematics.serial import SerialMotion
from gough.mechanism.closure.recursion import Motion, Pose, carried, turned
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
    core = robot(name)
    size, bodies, joints = core.length, [_stout(body) for body in core.bodies], []
    here = core.base
    for k, axis in enumerate(below):
        kind = {"track": "prismatic", "table": "revolute", "lift": "helical"}[axis]
        pitch = {"pitch": 0.05} if kind == "helical" else {}
        on = f"{axis}_body"
        turn = (0.4, -0.3, 0.2) if axis == "table" else (0.1, 1.2, -0.2)
        if name in ("three_rrr",):  # the track stays in the plane
            turn = (0.0, np.pi / 2, 0.0)
        p = (0.1 * size, -0.2 * size, -0.3 * size)
        joints.append(_joint(axis, kind, here, on, p, turn, AXES[axis], **pitch))
        bodies.append(_body(on, 2.0 + k, 0.4 * size))
        here = on

    def named(body):
        return here if body == core.base else body

    joints += [replace(j, parent=named(j.parent), child=named(j.child)) for j in core.joints]
    motors, platform, frame = [*below, *core.motors], core.platform, core.platform_frame
    at_home = gough.posture(core, core.home_pose).bodies[platform]
    for axis in above:
        on = f"{axis}_body"
        place = (0.05 * size, 0.1 * size, 0.02 * size)
        turn = (0.5, 0.3, 0.1) if axis == "finger" else (-0.7, 0.2, 0.4)
        holder = platform if axis == "finger" else core.bodies[0].name
        joints.append(_joint(axis, "revolute", holder, on, place, turn, AXES[axis]))
        bodies.append(_body(on, 0.05, 0.2 * size))
        motors.append(axis)
    if wrist:
        on = f"{wrist}_body"
        place = (0.03 * size, -0.04 * size, 0.05 * size)
        joints.append(_joint(wrist, "revolute", platform, on, place, (0.3, -0.4, 0.2), AXES[wrist]))
        bodies.append(_body(on, 0.3, 0.2 * size))
        motors.append(wrist)
        platform, frame = on, _frame((0.02 * size, 0.01 * size, 0.1 * size), (0.2, 0.1, -0.3))
    home = gough.Home(
        {**core.home.bodies, core.platform: gough.Frame.from_matrix(at_home)}, core.home.joints
    )
    return replace(
        core,
        name=f"{case}",
        bodies=tuple(bodies),
        joints=tuple(joints),
        motors=tuple(motors),
        platform=platform,
        platform_frame=frame,
        home=home,
    )


def moving(case, count=2, seed=11):
    """States of a machine: pose, twist, twist rate, and its serial axes."""
    machine = hybrid(case)
    parts = serial_parts(machine.assembly)
    rng = np.random.default_rng(seed)
    scale = np.array(
        [0.2 * machine.length if parts.kind(name) == "slide" else 0.4 for name in parts.axes]
    )
    for T, V, Vdot in states(parts.core, count, seed):
        q, qd, qdd = (scale * rng.uniform(-1.0, 1.0, len(scale)) * f for f in (1.0, 3.0, 9.0))
        q = q + parts.home(machine.assembly)
        yield (
            *_in_space(SerialMotion(parts, q, qd, qdd), T, V, Vdot),
            gough.SerialAxes(q, qd, qdd),
        )


def _in_space(serial, T, V, Vdot):
    """Pose, twist and twist rate of the platform from those of the core."""
    at, own = Pose(T[:3, :3], T[:3, 3]), Motion(V[:3], V[3:], Vdot[:3], Vdot[3:])
    motion, (R, p) = carried(serial.carried(), own, at.p), serial.carrier
    here = Pose(R @ at.R, p + R @ at.p)
    motion = turned(R, motion)
    if serial.parts.platform is not None:
        _, mount = serial.parts.platform
        branch = serial.above[serial.parts.core.platform]
        motion = branch.motion(mount, turned(here.R.T, motion))
        rest = branch.pose(mount)
        here = Pose(here.R @ rest.R, here.p + here.R @ rest.p)
        motion = turned(here.R, motion)
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = here
    return found, np.concatenate(motion[:2]), np.concatenate(motion[2:])
