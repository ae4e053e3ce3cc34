"""Robots from files of other programs beside the reference states that others have computed.

A reference has states of a tree with its loops closed exactly: coordinates, poses, velocities and
accelerations of bodies, efforts of motors.  A robot that is read from the same file takes the
motion of its platform from a state, and must answer everything else.
"""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from conftest import REFERENCE, need_reference

FORMATS = REFERENCE / "formats"


def reference(name):
    need_reference()
    return json.loads((FORMATS / f"{name}.json").read_text())


@dataclass
class Errors:
    """Largest errors over the states of a reference; but for positions, shares of the largest."""

    positions: float = 0.0
    efforts: float = 0.0
    accelerations: float = 0.0
    states: int = 0

    def add(self, **found):
        for name, values in found.items():
            setattr(self, name, max(getattr(self, name), float(np.max(values, initial=0.0))))


def share(found, wanted, least):
    """Error as a share of the largest figure that is wanted."""
    return np.abs(found - wanted).max() / max(np.abs(wanted).max(), least)


def pose(entry):
    w, x, y, z = entry["quat"]
    T = np.eye(4)
    T[:3, :3] = Rotation.from_quat([x, y, z, w]).as_matrix()
    T[:3, 3] = entry["pos"]
    return T


def motion(entry, frame=None):
    """Pose, twist and twist rate of a body, or of a frame on it."""
    T = pose(entry)
    v, w = np.array(entry["velocity"]), np.array(entry["omega"])
    a, wd = np.array(entry["acceleration"]), np.array(entry["alpha"])
    if frame is not None:
        r = T[:3, :3] @ frame[:3, 3]
        T = T @ frame
        v, a = v + np.cross(w, r), a + np.cross(wd, r) + np.cross(w, np.cross(w, r))
    return T, np.concatenate([v, w]), np.concatenate([a, wd])


def checked(robot, data, platform, kind="rigid", spinning=()):
    """Errors of a robot over all states of a reference, moved as the reference moves its platform.

    Args:
        robot: read from the reference's file.
        data: the reference.
        platform: name of the platform's body in the reference.
        kind: of the dynamics in the reference.
        spinning: bodies that spin idly: a pose does not tell how far, so theirs are not compared.
    """
    found = Errors()
    for state in data["states"]:
        T, V, Vdot = motion(state["bodies"][platform], robot.platform_frame.matrix)
        moving = gough.State(T, V, Vdot, **serial_axes(robot, state, kind))
        q, qd, qdd, tau = (of_motors(robot, x) for x in figures(state, kind))
        found.add(positions=np.abs(gough.inverse_kinematics(robot, moving) - q))
        p = gough.posture(robot, moving)
        placed = [n for n in state["bodies"] if n in p.bodies and n not in spinning]
        found.add(positions=[np.abs(p.bodies[n] - pose(state["bodies"][n])).max() for n in placed])
        found.add(efforts=share(gough.inverse_dynamics(robot, moving), tau, 1e-9))
        rates = gough.motor_rates(robot, moving)
        found.add(accelerations=share(rates, qd, 1.0))
        asked = gough.motor_accelerations(robot, moving)
        found.add(accelerations=share(asked, qdd, 1.0))
        caused = gough.motor_accelerations(robot, gough.forward_dynamics(robot, moving, tau))
        found.add(accelerations=share(caused, qdd, 1.0))
        found.add(accelerations=list(_passive(p, state, kind)))
        # without effort the reference lets idle spins go; armature on balls holds them all the same
        if "qacc_without_effort" in state[kind] and (kind == "full" or not spinning):
            fall = of_motors(robot, state[kind]["qacc_without_effort"])
            ours = gough.motor_accelerations(
                robot, gough.forward_dynamics(robot, moving, np.zeros(len(robot.motors)))
            )
            found.add(accelerations=share(ours, fall, 1.0))
        found.states += 1
    return found


def serial_axes(robot, state, kind):
    """Motion of the motors below and above the loops, as arguments of a state."""
    names = ("internal", "internal_rate", "internal_acceleration")
    return {
        part: {name: x[name] for name in robot.serial_axes}
        for part, x in zip(names, figures(state, kind)[:3], strict=True)
    }


def _passive(posture, state, kind):
    """Errors of rates and accelerations of all hinges and slides, idle spins included.

    The axes of a universal joint are two hinges in the reference.
    """
    ends = {".first": "_1", ".second": "_2"}
    for name, rate in posture.joint_rates.items():
        joint, dot, axis = name.partition(".")
        there = joint + ends.get(dot + axis, "")
        wanted = state["qvel"].get(there)
        if np.ndim(rate) == 0 and wanted is not None:
            yield abs(rate - wanted)
            yield abs(posture.joint_accelerations[name] - state[kind]["qacc"][there])


def figures(state, kind):
    """Positions, rates, accelerations and efforts of a state, by joint."""
    return state["qpos"], state["qvel"], state[kind]["qacc"], state[kind]["motor_effort"]


def of_motors(robot, values):
    return np.array([values[name] for name in robot.motors])


def inertial_forces(robot, state):
    """What all bodies resist with: their own masses, moved as the reference moves them."""
    found = []
    for body in robot.bodies:
        if body.massless or body.name not in state["bodies"]:
            continue
        entry = state["bodies"][body.name]
        T = pose(entry)
        _, V, Vdot = motion(entry, shift(body.center))
        inertia = T[:3, :3] @ np.array(body.inertia) @ T[:3, :3].T
        n = inertia @ Vdot[3:] + np.cross(V[3:], inertia @ V[3:])
        found.append(gough.Force(body.name, -body.mass * Vdot[:3], -n, body.center))
    return found


def shift(p):
    T = np.eye(4)
    T[:3, 3] = p
    return T


def virtual_work(robot, data, platform):
    """Error of the efforts when every body moves as in the reference, idle spins included.

    The masses are the robot's, moved by its own Jacobians: nothing is frozen, for a spin that no
    motor feels does no work on the motors.
    """
    found = Errors()
    for state in data["states"]:
        T, *_ = motion(state["bodies"][platform], robot.platform_frame.matrix)
        tau = of_motors(robot, state["rigid"]["motor_effort"])
        loads = gough.Loads(forces=inertial_forces(robot, state))
        still = gough.State(T, internal=serial_axes(robot, state, "rigid")["internal"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", gough.GoughWarning)  # of moments on idle spins
            ours = gough.inverse_dynamics(robot, still, loads=loads)
        found.add(efforts=share(ours, tau, 1e-9))
        found.states += 1
    return found
