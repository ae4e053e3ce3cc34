"""What stands in the way of a motion, and when."""

import numpy as np
import pytest

import gough
from gough import motion
from gough.analysis import analyse
from gough.analysis.violations import first_time
from gough.errors import UnreachablePose
from gough.mechanism.mobility.singular import NEAR
from gough.motion import Samples
from robots import robot

MASS, G, AMPLITUDE, OMEGA = 2.0, 9.81, 0.1, 4.0


def along(machine, by, count=101, duration=1.0):
    """Samples of a straight way from home at constant speed, whether it can be or not."""
    t = np.linspace(0.0, duration, count)
    T = np.tile(machine.home_pose, (count, 1, 1))
    T[:, :3, 3] += np.outer(t / duration, by)
    V = np.zeros((count, 6))
    V[:, :3] = np.array(by) / duration
    return Samples(t, gough.State(T, V))


def test_the_first_time_is_found_between_samples():
    t = np.linspace(0.0, 1.0, 11)
    assert np.isclose(first_time(t, t - 0.234), 0.234)
    assert first_time(t, t + 1.0) == 0.0
    assert first_time(t, t - 2.0) is None
    assert first_time(t, np.where(t < 0.45, np.nan, 1.0)) == t[5]


def test_limits_of_a_motor_are_met_when_the_formula_says(lift, swing, limited):
    limits = gough.Limits(position=(-0.05, 0.08), velocity=0.39, effort=22.0)
    machine = limited(lift(), lift=limits)
    found = analyse(machine, swing(machine, count=2001), agreement=False)
    by_kind = {(v.kind, v.limit): v for v in found.violations}
    # z = A sin(w t) passes 0.08 on its way up and -0.05 on its way down; speed is largest at the
    # start; the effort m (g - A w^2 sin) passes 22 N in the second half
    up, down = np.arcsin(0.08 / AMPLITUDE), np.pi + np.arcsin(0.05 / AMPLITUDE)
    heavy = np.pi + np.arcsin((22.0 / MASS - G) / (AMPLITUDE * OMEGA**2))
    expected = {
        ("position", 0.08): (up / OMEGA, 0.1),
        ("position", -0.05): (down / OMEGA, -0.1),
        ("velocity", 0.39): (0.0, 0.4),
        ("effort", 22.0): (heavy / OMEGA, MASS * (G + AMPLITUDE * OMEGA**2)),
    }
    assert set(by_kind) == set(expected)
    for key, (time, worst) in expected.items():
        # a straight line between samples 0.8 ms apart
        assert abs(by_kind[key].time - time) < 1e-6
        assert np.isclose(by_kind[key].value, worst, rtol=1e-5)
        assert "lift" in by_kind[key].sentence
    assert [v.time for v in found.violations] == sorted(v.time for v in found.violations)
    assert not found.feasible
    assert found.lines()[3] == ("violation", found.violations[0].sentence)


def test_a_limit_that_is_just_kept_is_kept(lift, swing, limited):
    machine = limited(lift(), lift=gough.Limits(position=(-0.1, 0.1), velocity=0.4))
    assert analyse(machine, swing(machine), agreement=False).feasible


def test_joints_without_motors_have_limits_too(limited):
    plain, goal = robot("three_rrr"), [0.1, 0.05, 0.3]
    m = motion.point_to_point(plain, None, goal, duration=0.5)
    t = np.linspace(0.0, 0.5, 1001)
    # the law of cosines gives the elbow from the distance between foot and wrist
    leg = gough.zoo.parameters("three_rrr")["legs"][0]
    wrist = m(t).T_0p @ np.array([*leg["platform_point"], 1.0])
    square = ((wrist[:, :3] - leg["base_point"]) ** 2).sum(axis=1)
    angle = np.arccos((square - 0.33**2 - 0.35**2) / (2.0 * 0.33 * 0.35))
    assert np.isclose(angle[0], plain.assembly.home_values["elbow1"])
    rate = np.abs(np.gradient(angle, t))
    lowest, fastest = 0.5 * (angle.min() + angle.max()), 0.8 * rate.max()
    bounds = gough.Limits(position=(lowest, 10.0), velocity=fastest)
    machine = limited(plain, elbow1=bounds)
    found = {v.kind: v for v in analyse(machine, m, rate=40.0, agreement=False).violations}
    for kind, wrong in (("position", angle < lowest), ("velocity", rate > fastest)):
        assert found[kind].name == "elbow1"
        # a straight line between samples 25 ms apart
        assert abs(found[kind].time - t[np.flatnonzero(wrong)[0]]) < 5e-3
    assert found["position"].sentence.startswith("Joint elbow1")
    assert np.isclose(found["position"].value, angle.min())


def test_the_tilt_of_a_ball_is_limited(limited):
    """A ball tilts by the angle between the z axes of its frames."""
    plain = robot("tilt_3rps")
    name = next(j.name for j in plain.joints if j.kind == "spherical")
    home = plain.home_pose[2, 3]
    m = motion.point_to_point(plain, None, [home, 0.2, 0.1], duration=0.4)
    t = np.linspace(0.0, 0.4, 11)
    R = gough.posture(plain, m(t)).joints[name]
    tilt = np.arccos(R[:, 2, 2])
    middle = 0.5 * (tilt[0] + tilt[-1])
    bounds = (0.0, middle) if tilt[-1] > tilt[0] else (middle, 3.0)
    machine = limited(plain, **{name: gough.Limits(position=bounds)})
    (found,) = analyse(machine, m, rate=25.0, agreement=False).violations
    k = int(np.flatnonzero((tilt - middle) * (tilt[0] - middle) <= 0.0)[0])
    assert found.name == name
    assert t[k - 1] <= found.time <= t[k]
    assert np.isclose(found.value, tilt.min() if tilt[-1] < tilt[0] else tilt.max(), rtol=1e-6)


def test_the_end_of_reach_is_named_with_its_time():
    machine = robot("three_rrr")
    samples = along(machine, (0.5, 0.0, 0.0))
    # leg 1 is stretched when its wrist is 0.33 + 0.35 m from its foot
    leg = gough.zoo.parameters("three_rrr")["legs"][0]
    foot, wrist = np.array(leg["base_point"]), np.array(leg["platform_point"])
    gap = wrist - foot
    border = (np.sqrt(0.68**2 - gap[1] ** 2) - gap[0]) / 0.5
    with pytest.raises(UnreachablePose, match=r"three_rrr: at 0\.\d+ s: leg") as raised:
        analyse(machine, samples)
    assert border <= raised.value.time <= border + samples.t[1]
    found = analyse(machine, samples, on_error="nan", agreement=False)
    reach = [v for v in found.violations if v.kind == "reach"]
    assert len(reach) == 1
    assert border <= reach[0].time <= border + samples.t[1]
    assert reach[0].name == raised.value.leg
    assert reach[0].value > 0.0
    assert np.array_equal(found.failed, samples.t > border)
    assert np.isnan(found.tau[found.failed]).all()
    assert np.isfinite(found.tau[~found.failed]).all()
    assert np.isfinite(found.sizing[0].axis.peak)


def test_a_leg_that_is_almost_stretched_is_near_type_1():
    machine = robot("three_rrr")
    leg = gough.zoo.parameters("three_rrr")["legs"][0]
    gap = np.array(leg["platform_point"]) - np.array(leg["base_point"])
    # sin of the elbow's angle from being stretched becomes small at the end
    way = np.sqrt(0.6799**2 - gap[1] ** 2) - gap[0]
    found = analyse(machine, along(machine, (way, 0.0, 0.0)), agreement=False)
    near = [v for v in found.violations if v.kind == "type_1"]
    assert [v.name for v in near] == [machine.assembly.topology.legs[0].name]
    assert near[0].value < NEAR
    assert near[0].time > 0.9
    assert not found.failed.any()


def test_a_type_2_singularity_between_two_samples_is_seen():
    machine = robot("three_rrr")
    m = motion.point_to_point(machine, None, [0.0, 0.0, 1.4], duration=1.0)
    t = np.linspace(0.0, 1.0, 21)
    sign = np.linalg.det(gough.inverse_jacobian(machine, m(t).T_0p))
    flips = np.flatnonzero(sign[:-1] * sign[1:] < 0.0)
    assert len(flips)
    found = analyse(machine, m, rate=17.0, on_error="nan", agreement=False)
    (violation,) = [v for v in found.violations if v.kind == "type_2"]
    assert "passes a Type 2 singularity" in violation.sentence
    assert violation.value == 0.0
    passed = float(violation.sentence.partition(" at ")[2].partition(" s")[0])
    assert t[flips[0]] - 1e-3 <= passed <= t[flips[0] + 1] + 1e-3
