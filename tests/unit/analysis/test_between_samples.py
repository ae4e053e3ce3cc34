"""What happens between the samples that are looked at first, and angles that pass half a turn."""

import numpy as np
import pytest

import gough
from gough import motion
from gough.analysis import analyse
from gough.analysis.legs import COARSE
from gough.errors import InputError
from gough.motion import Samples
from robots import robot
from swinging import hinge

COUNT, PEAK = 2001, 990  # samples; half way between two that are looked at first


def bump(machine, height, width):
    """Out along x and back within some ``width`` samples."""
    t = np.linspace(0.0, 2.0, COUNT)
    s = (t - t[PEAK]) / (width * t[1])
    bell = height * np.exp(-(s**2))
    T = np.tile(machine.home_pose, (COUNT, 1, 1))
    V, Vdot = np.zeros((COUNT, 6)), np.zeros((COUNT, 6))
    T[:, 0, 3] += bell
    V[:, 0] = -2.0 * s * bell / (width * t[1])
    Vdot[:, 0] = (4.0 * s**2 - 2.0) * bell / (width * t[1]) ** 2
    return Samples(t, gough.State(T, V, Vdot))


def elbow(samples):
    """Angle of three_rrr's first elbow by the law of cosines."""
    leg = gough.zoo.parameters("three_rrr")["legs"][0]
    wrist = samples.T_0p @ np.array([*leg["platform_point"], 1.0])
    square = ((wrist[:, :3] - leg["base_point"]) ** 2).sum(axis=1)
    return np.arccos((square - 0.33**2 - 0.35**2) / (2.0 * 0.33 * 0.35))


def test_a_short_excursion_of_a_joint_without_motor_is_seen(limited):
    samples = bump(robot("three_rrr"), 0.05, 3.0)
    angle = elbow(samples)
    worst = angle[np.argmax(np.abs(angle - angle[0]))]
    middle = 0.5 * (angle[0] + worst)
    bounds = (middle, 3.0) if worst < middle else (0.0, middle)
    machine = limited(robot("three_rrr"), elbow1=gough.Limits(position=bounds))
    (found,) = analyse(machine, samples, agreement=False).violations
    k = int(np.flatnonzero((angle - middle) * (angle[0] - middle) <= 0.0)[0])
    assert samples.t[k - 1] <= found.time <= samples.t[k]
    assert np.isclose(found.value, worst, rtol=1e-9)


def test_the_fastest_instant_of_a_joint_without_motor_is_looked_for(limited):
    samples = bump(robot("three_rrr"), 0.05, 12.0)
    speed = np.abs(np.gradient(elbow(samples), samples.t))
    machine = limited(robot("three_rrr"), elbow1=gough.Limits(velocity=0.9 * speed.max()))
    (found,) = analyse(machine, samples, agreement=False).violations
    assert found.kind == "velocity"
    assert np.isclose(found.value, speed.max(), rtol=0.01)  # differences of a bell
    first = samples.t[np.argmax(speed > 0.9 * speed.max())]
    assert abs(found.time - first) < 2.0 * samples.t[1]


def test_the_worst_instant_of_a_leg_is_looked_for():
    machine = robot("three_rrr")
    leg = gough.zoo.parameters("three_rrr")["legs"][0]
    gap = np.array(leg["platform_point"]) - np.array(leg["base_point"])
    way = np.sqrt(0.6799**2 - gap[1] ** 2) - gap[0]  # the elbow is almost stretched there
    found = analyse(machine, bump(machine, way, 12.0), agreement=False)
    assert found.violations[0].kind == "type_1"
    looked = found.conditioning.samples
    assert PEAK in looked
    assert (np.diff(looked) > 0).all()
    assert len(looked) <= COARSE + 60


@pytest.mark.parametrize("rate", [20.0, 70.0])  # by NumPy and by kernels
def test_motors_pass_half_a_turn(rate):
    pin = hinge("pin", "base", "bob", (0.0, 0.0, 0.0))
    bob = gough.Body("bob", 1.0, center=(0.0, 0.0, -1.0))
    plain = gough.Robot("swing", (bob,), (pin,), "bob", motors=["pin"])
    m = motion.point_to_point(plain, [0.0], [5.0], duration=1.0)
    found = analyse(plain, m, rate=rate, agreement=False)
    s = found.t
    course = 5.0 * s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    assert np.allclose(found.q[:, 0], course, atol=1e-9)


def test_an_analysis_is_shown_in_a_line(lift, swing):
    found = analyse(lift(), swing(lift(), count=21), agreement=False)
    assert repr(found) == "<Analysis of 'lifter': samples, 1.571 s, 21 samples, feasible>"


def test_a_motion_of_another_machine_is_refused(lift):
    other = motion.hold(robot("three_rrr"), duration=0.1)
    with pytest.raises(InputError, match=r"motion is of three_rrr.*those of lifter are z"):
        analyse(lift(), other)
