"""Laws between answers of the library, as errors in natural units: no witness is asked."""

from __future__ import annotations

import numpy as np

import gough

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]


def _worst(found: np.ndarray, expected: np.ndarray, units: np.ndarray) -> float:
    """Largest deviation, relative to the largest expected entry, or to 1, in natural units."""
    size = max(1.0, float(np.abs(expected / units).max(initial=0.0)))
    return float(np.abs((found - expected) / units).max(initial=0.0)) / size


def paths(robot: gough.Robot, motion: Motion, natural: np.ndarray) -> float:
    """[KI] (73)-(75): paths through legs carry the platform, and give the motors."""
    T, V, _ = motion
    rates = gough.posture(robot, gough.State(T, V)).joint_rates
    V_r, worst = V[list(robot.assembly.free)], 0.0
    for leg in gough.leg_jacobians(robot, T):
        qd_ci = np.concatenate([np.zeros(0), *(np.atleast_1d(rates[a]) for a in leg.path)])
        qd_ai = np.array([rates[motor] for motor in leg.motors])
        units = np.array([robot.assembly.scales.motors[robot.motors.index(m)] for m in leg.motors])
        worst = max(worst, _worst(leg.J_ci @ qd_ci, V, natural))
        worst = max(worst, _worst(leg.L_ci @ V_r, qd_ai, units))
    return worst


def coordinates(robot: gough.Robot, motion: Motion, natural: np.ndarray) -> float:
    """[OZ] (49)-(50), (55): the motion basis moves bodies as the posture says."""
    T, V, _ = motion
    k, p, worst = (
        gough.kinematic_coordinates(robot, T),
        gough.posture(robot, gough.State(T, V)),
        0.0,
    )
    u = k.M @ V[list(robot.assembly.free)]
    for body in robot.bodies:
        v, w = np.split(p.twists[body.name], 2)
        center = p.bodies[body.name][:3, :3] @ body.center
        expected = np.concatenate([v + np.cross(w, center), w])
        found = np.concatenate([k.velocities[body.name] @ u, k.angular[body.name] @ u])
        worst = max(worst, _worst(found, expected, natural))
    return worst


def platform_axes(robot: gough.Robot, motion: Motion, natural: np.ndarray) -> float:
    """[BK] (33): a motion in the platform's axes moves the motors in the same way."""
    T, V, Vdot = motion
    X = np.kron(np.eye(2), T[:3, :3])
    bent = np.concatenate([np.cross(V[3:], V[:3]), np.zeros(3)])
    turned = (T, X.T @ V, X.T @ (Vdot - bent))
    units = robot.assembly.scales.motors
    with gough.options(engine="numpy"):
        found = gough.motor_accelerations(robot, gough.State(*turned, frame="platform"))
        expected = gough.motor_accelerations(robot, gough.State(*motion))
    Psi = gough.freedom_map(robot, gough.State(T, frame="platform"))
    V_r = turned[1] if robot.mobility == 6 else V[list(robot.assembly.free)]
    return max(_worst(found, expected, units), _worst(Psi @ V_r, turned[1], natural))


LAWS = {"paths": paths, "coordinates": coordinates, "platform axes": platform_axes}
"""Laws by the name of their door."""
