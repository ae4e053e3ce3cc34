"""Angles of motors and springs are counted from home, wherever the joint is."""

import dataclasses

import numpy as np
import pytest

import gough
from machines import BASE, Drawing
from masks import masked
from robots import robot

PITCH = 0.01


def stage(first, second, motor):
    """A slide driven by a screw; of its two turning joints one closes the loop."""
    d = Drawing(9)
    d.body("nut", (0.0, 0.3, 0.0))
    d.body("screw", (0.0, 0.0, 0.0))
    pitch = {"helical": {"pitch": PITCH}}
    d.joint("a", first, BASE, "screw", (0.0, 0.0, 0.0), (0, 0, 1), **pitch.get(first, {}))
    d.joint("b", second, "screw", "nut", (0.0, 0.0, 0.1), (0, 0, 1), **pitch.get(second, {}))
    d.joint("guide", "prismatic", BASE, "nut", (0.0, 0.4, 0.1), (0, 0, 1))
    return d.robot("stage", "nut", [motor], (0.0, 0.0, 0.0))


ORDERS = [("revolute", "helical"), ("helical", "revolute")]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
@pytest.mark.parametrize("motor", ["a", "b"])
def test_motors_that_turn_many_times(order, motor):
    r = stage(*order, motor)
    z = np.array([0.0, 0.01, 0.03, 0.032, 0.05, 0.1, 0.2])[:, None]
    state = gough.state(r, z, np.ones((7, 1)), np.zeros((7, 1)))
    q, qd = gough.inverse_kinematics(r, state), gough.motor_rates(r, state)
    assert np.abs(qd) == pytest.approx(1.0 / PITCH)
    assert q - q[0] == pytest.approx(z * qd)
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            assert gough.observe(r, state, encoders=r.motors).q == pytest.approx(q)


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
@pytest.mark.parametrize("sprung", ["a", "b"])
def test_springs_that_are_wound_up(order, sprung):
    """The motor holds the spring, whose angle is the screw's, turn after turn."""
    r = stage(*order, "guide")
    spring = gough.Axis(spring=gough.Spring(2.0, rest=0.3))
    joints = [dataclasses.replace(j, axes=(spring,)) if j.name == sprung else j for j in r.joints]
    r = dataclasses.replace(r, joints=tuple(joints), gravity=(0.0, 0.0, 0.0))
    z = np.linspace(0.0, 0.15, 6)[:, None]
    T, V, _ = gough.state(r, z, np.ones((6, 1)), np.zeros((6, 1))).arrays
    p = gough.posture(r, gough.State(T, V))
    q, qd = p.joints[sprung], p.joint_rates[sprung]
    assert q - q[0] == pytest.approx(z[:, 0] * qd)
    np.zeros(6)
    tau = gough.inverse_dynamics(r, T)[:, 0]
    assert tau == pytest.approx(2.0 * (q - 0.3) * qd)
    U = gough.energy(r, T).potential
    assert U == pytest.approx((q - 0.3) ** 2)


def test_a_sprung_joint_at_the_platform_passes_half_a_turn():
    """The wrist of a five-bar closes its loop; both elbows together turn it past pi."""
    r = robot("five_bar")
    joint = next(j for j in r.joints if j.name == "wrist2")
    sprung = dataclasses.replace(joint, axes=(gough.Axis(spring=gough.Spring(1.0)),))
    r = dataclasses.replace(r, joints=tuple(sprung if j is joint else j for j in r.joints))
    a = r.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    for target in ([0.35, 0.1], [-0.35, 0.1], [0.0, 0.45]):
        x = home + np.linspace(0.0, 1.0, 21)[:, None] * (np.array(target) - home)
        states, failed = masked(gough.state(r, x, on_error="nan"))
        q, lost = masked(gough.posture(r, states.T_0p, on_error="nan"))
        found = q.joints["wrist2"][~(failed | lost)]
        assert len(found) > 5
        assert np.abs(np.diff(found)).max() < 1.0
