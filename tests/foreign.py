"""Robots from files of other programs beside the reference states that others have computed.

A reference has states of a tree with its loops closed exactly: coordinates, poses, velocities and
accelerations of bodies, efforts of motors.  A robot that is read from the same file takes the
motion of its platform from a state, and must answer everything else.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

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
    """Largest errors over the states of a reference, each relative to the largest figure."""

    positions: float = 0.0
    efforts: float = 0.0
    accelerations: float = 0.0
    falling: float = 0.0
    states: int = 0
    notes: list = field(default_factory=list)


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


def checked(robot, data, platform, kind="rigid", names=None, bodies=True):
    """Errors of a robot over all states of a reference.

    Args:
        robot: read from the reference's file.
        data: the reference.
        platform: name of the platform's body in the reference.
        kind: of the dynamics in the reference.
        names: our names of the reference's, where they differ.
        bodies: whether poses of all bodies are compared, or of those that idle spins do not turn.
    """
    names, found = names or {}, Errors()
    frame = robot.platform_frame.matrix
    for state in data["states"]:
        T, V, _ = motion(state["bodies"][platform], frame)
        answer = state[kind]
        at = gough.inverse_geometry(robot, T)
        q = np.array([state["qpos"][n] for n in data_names(robot, names)])
        found.positions = max(found.positions, np.abs(at[..., :] - q).max())
        qdd = np.array([answer["qacc"][n] for n in data_names(robot, names)])
        Vdot = gough.state_rate(robot, T, V, qdd) if hasattr(gough, "state_rate") else None
        Vdot = twist_rate(robot, T, V, qdd) if Vdot is None else Vdot
        tau = gough.inverse_dynamics(robot, T, V, Vdot)
        want = np.array([answer["motor_effort"][n] for n in data_names(robot, names)])
        scale = max(np.abs(want).max(), 1e-9)
        found.efforts = max(found.efforts, np.abs(tau - want).max() / scale)
        back = gough.joint_accelerations(robot, T, V, want)
        scale = max(np.abs(qdd).max(), 1.0)
        found.accelerations = max(found.accelerations, np.abs(back - qdd).max() / scale)
        if bodies and "rigid" == kind:
            p = gough.posture(robot, T, V, Vdot)
            for name, entry in state["bodies"].items():
                ours = names.get(name, name)
                if ours in p.bodies:
                    found.positions = max(found.positions, np.abs(p.bodies[ours] - pose(entry)).max())
        found.states += 1
    return found


def data_names(robot, names):
    back = {new: old for old, new in names.items()}
    return [back.get(name, name) for name in robot.motors]


def twist_rate(robot, T, V, qdd):
    """Twist rate of the platform from accelerations of the motors."""
    Vdot_0 = gough.posture(robot, T, V).twist_rates  # at rest of the freedoms: what is imposed
    J = gough.inverse_jacobian(robot, T)
    Psi = gough.freedom_map(robot, T)
    drift = gough.inverse_acceleration(robot, T, V, _imposed(robot, T, V, Vdot_0))
    rest = np.linalg.lstsq(J, qdd - drift, rcond=None)[0]
    return _imposed(robot, T, V, Vdot_0) + Psi @ rest


def _imposed(robot, T, V, rates):
    """Twist rate of the platform's origin when its freedoms do not accelerate."""
    Vdot, w = rates[robot.platform].copy(), V[3:]
    r = T[:3, 3] - (T @ np.linalg.inv(robot.platform_frame.matrix))[:3, 3]
    Vdot[:3] += np.cross(Vdot[3:], r) + np.cross(w, np.cross(w, r))
    return Vdot
