"""What motors can hold and accelerate: put into inverse dynamics, efforts are at their limits."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.optimize import linprog

import gough
from gough.singularity.workspace import capability as able
from gough.singularity.workspace.workspace import workspace
from robots import robot as robot_of

LIMITS = {"delta": np.array([20.0, 15.0, 25.0])}


@cache
def delta(what, **options):
    efforts = dict(zip(robot_of("delta").motors, LIMITS["delta"], strict=True))
    where = {"x": (-0.1, 0.15, 3), "y": (-0.1, 0.1, 2), "at": {"z": -0.45}}
    direction = {"x": 1.0, "z": 2.0} if what == "acceleration" else None
    return workspace(
        robot_of("delta"), capability=what, efforts=efforts, direction=direction, **where, **options
    )


def use(robot, T, a, limits, payload=None):
    """Largest share of its limit that a motor needs to accelerate from rest."""
    Vdot = np.zeros((*np.shape(a)[:-1], 6))
    Vdot[..., :3] = a
    tau = gough.inverse_dynamics(
        robot, gough.State(T, np.zeros(6), Vdot), loads=gough.Loads(payload=payload)
    )
    return np.abs(tau / limits).max(axis=-1)


def test_the_payload_that_is_held_takes_a_motor_to_its_limit():
    found = delta("payload")
    mass = found.maps["payload"]
    assert found.capability.unit == "kg"
    assert (mass > 1.0).all()
    for index in np.ndindex(mass.shape):
        T, p = found.T_0p[index], float(mass[index])
        assert use(robot_of("delta"), T, np.zeros(3), LIMITS["delta"], p) == pytest.approx(1.0)
        assert use(robot_of("delta"), T, np.zeros(3), LIMITS["delta"], 0.9 * p) < 1.0


def test_accelerations_take_motors_to_their_limits():
    found = delta("acceleration", loads=gough.Loads(payload=0.3))
    rng = np.random.default_rng(1)
    ways = rng.normal(size=(400, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    along = np.array([1.0, 0.0, 2.0]) / np.sqrt(5.0)
    assert found.capability.unit == "m/s²"
    assert found.capability.freedoms == ("x", "y", "z")
    for index in [(0, 0), (2, 1)]:
        T = found.T_0p[index]
        worst, best, there = (
            float(found.maps[f"acceleration_{name}"][index]) for name in ("worst", "best", "along")
        )
        limits = LIMITS["delta"]
        shares = use(robot_of("delta"), T, worst * ways, limits, 0.3)
        assert shares.max() < 1.0 + 1e-9
        assert shares.max() > 0.97
        assert use(robot_of("delta"), T, there * along, limits, 0.3) == pytest.approx(1.0)
        assert use(robot_of("delta"), T, 1.0001 * best * ways, limits, 0.3).min() > 1.0
        assert worst <= there <= best
        # the best direction is a corner, where as many motors as freedoms are at their limits
        J = np.linalg.inv(gough.inverse_jacobian(robot_of("delta"), T)).T
        M = gough.inertia_matrix(robot_of("delta"), T, loads=gough.Loads(payload=0.3))
        c = gough.bias_wrench(robot_of("delta"), T, loads=gough.Loads(payload=0.3))
        corners = [
            np.linalg.solve(M, np.linalg.solve(J, limits * signs) - c)
            for signs in np.array(np.meshgrid(*[[-1, 1]] * 3)).reshape(3, -1).T
        ]
        assert best == pytest.approx(np.linalg.norm(corners, axis=1).max())


BEARABLE = {"arm1": 25.0, "arm2": None, "arm3": 1e3}
"""Effort limits of axes beside data of motors: one that counts, none, one that does not [N m]."""


@cache
def driven():
    """The Delta with a lossy gear and a motor on every arm."""
    plain = robot_of("delta")
    axis = gough.Axis(
        transmission=gough.Transmission(ratio=20.0, efficiency=0.8),
        motor=gough.Motor(peak=1.5, continuous=0.5, rotor_inertia=1e-4),
    )
    joints = [
        replace(j, axes=[replace(axis, limits=gough.Limits(effort=BEARABLE[j.name]))])
        if j.name in BEARABLE
        else j
        for j in plain.joints
    ]
    return replace(plain, joints=joints)


def test_motors_accelerate_from_rest_by_peak_torque_behind_a_gear_that_drives():
    robot = driven()
    up = workspace(
        robot,
        x=(-0.1, 0.1, 2),
        y=(-0.1, 0.1, 2),
        at={"z": -0.45},
        capability="acceleration",
        direction={"x": 0.3, "z": 1.0},
    )
    way = np.array([0.3, 0.0, 1.0, 0.0, 0.0, 0.0]) / np.hypot(0.3, 1.0)
    rest, limiting = np.zeros(6), set()
    for index in np.ndindex(2, 2):
        T, most = up.T_0p[index], float(up.maps["acceleration_along"][index])
        tau = gough.inverse_dynamics(robot, gough.State(T, rest, most * way))
        qdd = gough.motor_accelerations(robot, gough.State(T, rest, most * way))
        # an instant later the axes move as they are accelerated: all of them drive
        shaft = gough.motor_side(robot, tau, 1e-6 * qdd, qdd)
        assert (shaft.power > 0.0).all()
        peak, effort = np.abs(shaft.torque).max() / 1.5, abs(tau[0]) / BEARABLE["arm1"]
        assert max(peak, effort) == pytest.approx(1.0, rel=1e-9)
        limiting.add("peak" if peak > effort else "effort")
        assert up.maps["acceleration_worst"][index] <= most <= up.maps["acceleration_best"][index]
    assert limiting == {"peak", "effort"}


def test_motors_hold_by_continuous_torque_and_at_rest_gears_lose_nothing():
    robot = driven()
    held = workspace(
        robot, x=(-0.1, 0.1, 2), y=(-0.1, 0.1, 2), at={"z": -0.45}, capability="payload"
    )
    assert (held.capability.efforts == 10.0).all()  # 20 x 0.5 N m
    for index in np.ndindex(2, 2):
        T, mass = held.T_0p[index], float(held.maps["payload"][index])
        assert use(robot, T, np.zeros(3), np.full(3, 10.0), mass) == pytest.approx(1.0)
    # efforts of the call stand instead of the motor's data
    other = workspace(robot, held.section, capability="payload", efforts={"arm1": 5.0})
    assert list(other.capability.efforts) == [5.0, 10.0, 10.0]


def test_more_motors_than_freedoms_agree_with_linear_programs():
    robot = robot_of("four_rrr")
    found = workspace(
        robot,
        x=(-0.1, 0.1, 3),
        y=(-0.1, 0.1, 3),
        capability="acceleration",
        direction={"x": 0.6, "y": -0.8},
    )
    held = workspace(robot, found.section, capability="payload")
    limit = robot.axis(robot.motors[0]).limits.effort  # of its file
    way = np.array([0.6, -0.8, 0.0])
    for index in [(0, 0), (1, 2), (2, 1)]:
        T = found.T_0p[index]
        J = gough.inverse_jacobian(robot, T)
        M = gough.inertia_matrix(robot, T)
        c, heavy = (gough.bias_wrench(robot, T, loads=gough.Loads(payload=m)) for m in (0.0, 1.0))
        for unknown, value in (
            (M @ way, found.maps["acceleration_along"][index]),
            (heavy - c, held.maps["payload"][index]),
        ):
            program = linprog(
                [0.0] * 4 + [-1.0],
                A_eq=np.column_stack([J.T, -unknown]),
                b_eq=c,
                bounds=[(-limit, limit)] * 4 + [(0.0, None)],
            )
            assert value == pytest.approx(-program.fun, rel=1e-7)


def test_too_weak_motors_can_do_nothing_and_centres_of_rotation_hold_everything():
    weak = workspace(
        robot_of("delta"), x=(-0.1, 0.1, 3), y=(-0.1, 0.1, 3), capability="payload", efforts=0.1
    )
    assert (weak.maps["payload"] == 0.0).all()
    still = workspace(
        robot_of("spherical_2dof"),
        rx=(-0.2, 0.2, 3),
        ry=(-0.2, 0.2, 3),
        capability="payload",
        efforts=10.0,
    )
    assert np.isinf(still.maps["payload"]).all()


def test_polytopes_with_many_faces_are_left_to_a_program_for_hulls(monkeypatch):
    rng = np.random.default_rng(3)
    J, c, M = rng.normal(size=(4, 5, 3)), 0.1 * rng.normal(size=(4, 3)), rng.normal(size=(4, 3, 2))
    faces = able.faces(J, np.ones(5))
    tried = able.in_the_best_direction(faces, c, M)
    monkeypatch.setattr(able, "_MOST_CORNERS", 0)
    np.testing.assert_allclose(able.in_the_best_direction(faces, c, M), tried, rtol=1e-9)
