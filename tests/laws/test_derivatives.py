"""Velocities and accelerations are derivatives: of joints, of bodies, of the state itself."""

import numpy as np
import pytest

import gough
from gough.base import spatial
from robots import ALL_NAMES, random_freedoms, relative, robot

# central differences over h: truncation h^2 = 1e-8 times third derivatives, which reach 1e3 here
H = 1e-4
TOLERANCE = 2e-5


def _around(name, x, xd, xdd):
    """States at t = -h, 0, h of a motion with constant second derivative."""
    t = np.array([-H, 0.0, H])[:, None]
    return gough.state(robot(name), x + xd * t + xdd * t * t / 2.0, xd + xdd * t, xdd + 0.0 * t)


def _slope(values):
    return (values[2] - values[0]) / (2.0 * H)


def _angular_slope(R):
    return spatial.unskew((R[2] - R[0]) / (2.0 * H) @ R[1].T)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_joints_and_bodies(name):
    r = robot(name)
    idle = _idle(r)
    for x, xd, xdd in zip(*random_freedoms(name, 6, 0.04), strict=True):
        state = _around(name, x, xd, xdd)
        T, V, Vdot = state.arrays
        off = np.abs(_slope(T[:, :3, 3]) - V[1, :3]).max()
        assert off < TOLERANCE * np.abs(V[1]).max() * r.length
        assert np.abs(_angular_slope(T[:, :3, :3]) - V[1, 3:]).max() < TOLERANCE * np.abs(V).max()
        assert relative(_slope(V), Vdot[1]) < TOLERANCE

        p = gough.posture(r, state)
        assert p.closure.max() < 1e-12
        speed = max(float(np.abs(v).max()) for v in p.joint_rates.values())
        jolt = max(float(np.abs(v).max()) for v in p.joint_accelerations.values())
        for axis in set(p.joints) - idle:
            q, qd, qdd = p.joints[axis], p.joint_rates[axis], p.joint_accelerations[axis]
            if q.shape[1:] == (3, 3):  # a ball: angular velocity in child axes
                slope = q[1].T @ _angular_slope(q)
            else:
                slope = _slope(q)
            assert np.abs(slope - qd[1]).max() < TOLERANCE * speed, axis
            assert np.abs(_slope(qd) - qdd[1]).max() < TOLERANCE * jolt, axis
        for body in set(p.bodies) - idle:
            T_b, V_b, Vdot_b = p.bodies[body], p.twists[body], p.twist_rates[body]
            assert np.abs(_slope(T_b[:, :3, 3]) - V_b[1, :3]).max() < TOLERANCE * speed, body
            assert np.abs(_angular_slope(T_b[:, :3, :3]) - V_b[1, 3:]).max() < TOLERANCE * speed
            assert np.abs(_slope(V_b) - Vdot_b[1]).max() < TOLERANCE * jolt, body


def _idle(r):
    """Bodies that spin idly, and axes on them: their angle is no function of the pose."""
    bodies = {body for freedom in r.assembly.idle for body in freedom.bodies}
    axes = {
        axis
        for joint in r.joints
        if {joint.parent, joint.child} & bodies
        for axis in joint.axis_names
        if axis not in r.motors
    }
    return bodies | axes


@pytest.mark.parametrize("name", ["sps_hexapod", "ucs_hexapod", "delta_with_balls"])
def test_idle_bodies_do_not_spin(name):
    """X . omega = 0 for the idle body, and its rate; omega itself is the same in any spin."""
    r = robot(name)
    for x, xd, xdd in zip(*random_freedoms(name, 6, 0.04), strict=True):
        state = _around(name, x, xd, xdd)
        p = gough.posture(r, state)
        for freedom in r.assembly.idle:
            body = freedom.bodies[0]
            axis = p.bodies[body][1, :3, :3] @ freedom.spin
            omega, omegadot = p.twists[body][:, 3:], p.twist_rates[body][1, 3:]
            assert abs(axis @ omega[1]) < 1e-12 * np.abs(omega).max()
            assert np.abs(_slope(omega) - omegadot).max() < TOLERANCE * np.abs(omegadot).max()
