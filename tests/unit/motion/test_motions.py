"""Motions of every maker: derivatives, ends, shapes, and what each promises."""

from functools import cache

import numpy as np
import pytest

from gough import motion
from gough.base import spatial
from gough.motion.laws import time_law
from robots import robot

WAY = np.array([0.04, -0.02, 0.03, 0.2, 0.1, -0.3])


@cache
def home(name):
    a = robot(name).assembly
    return a.chart.coordinates(a.T_home)[list(a.free)]


def stroke(**law_or_limits):
    x = home("gough_stewart")
    return motion.point_to_point(robot("gough_stewart"), x - WAY, x + WAY, **law_or_limits)


LIMITS = {"velocity": 0.8, "acceleration": 6.0, "jerk": 200.0}
MAKERS = {
    "quintic": lambda: stroke(duration=0.5),
    "septic": lambda: stroke(duration=0.5, law="septic"),
    "cruise": lambda: stroke(duration=0.5, law="cruise"),
    "jerk_limited": lambda: motion.jerk_limited(
        robot("gough_stewart"), None, home("gough_stewart") + WAY, **LIMITS
    ),
    "circle": lambda: motion.circle(
        robot("gough_stewart"), radius=0.05, duration=1.0, turns=1.5, plane=(1.0, 2.0, -2.0)
    ),
    "cone": lambda: motion.circle(
        robot("agile_eye"), radius=0.2, duration=1.0, law="constant", plane=("ry", "rz")
    ),
    "lissajous": lambda: motion.lissajous(
        robot("gough_stewart"),
        amplitude={"x": 0.03, "rx": 0.2, "rz": 0.1},
        frequency={"x": 1.0, "rx": 1.5, "rz": 2.0},
        phase={"rx": 0.4},
        duration=2.0,
    ),
    "fourier": lambda: motion.fourier(
        robot("delta"),
        sines=[[0.02, 0.0, 0.01], [0.0, 0.01, 0.0]],
        cosines=[[0.0, 0.01, 0.0], [0.005, 0.0, -0.01]],
        duration=1.0,
    ),
    "sweep": lambda: motion.sine_sweep(
        robot("gough_stewart"), amplitude={"z": 0.004, "ry": 0.02}, frequencies=(1, 9), duration=2.0
    ),
    "linear sweep": lambda: motion.sine_sweep(
        robot("delta"), amplitude=0.004, frequencies=(9, 1), duration=2.0, spacing="linear"
    ),
    "through": lambda: motion.through(
        robot("gough_stewart"),
        [None, home("gough_stewart") + WAY, home("gough_stewart") - WAY[[2, 0, 1, 4, 5, 3]]],
        [0.3, 0.6, 1.4],
    ),
    "pick_and_place": lambda: motion.pick_and_place(
        robot("quattro"), cycle=0.6, turn=1.0, dwell=0.05, blend=0.7
    ),
    "closing": lambda: motion.circle(robot("five_bar"), radius=0.04, duration=0.8),
    "tilting": lambda: motion.circle(robot("tilt_3rps"), radius=0.1, duration=0.8),
    "chain": lambda: chained(0.1),
    "slower": lambda: stroke(duration=0.5).slower(1.7),
}
MOVING = {"cone"}  # at its ends


def chained(rest):
    there = stroke(duration=0.4)
    back = motion.point_to_point(there.robot, there.end, there.start, duration=0.3, law="septic")
    return there.then(motion.hold(there.robot, there.end, rest), back)


@cache
def make(name):
    return MAKERS[name]()


@pytest.mark.parametrize("name", MAKERS)
def test_rates_are_derivatives(name):
    """Twist and twist rate against central differences of pose and twist."""
    m = make(name)
    h = 2e-5
    # not at the joints of laws, where the jerk jumps
    t = m.duration * np.array([0.0631, 0.2917, 0.4733, 0.7121, 0.9377])
    before, now, after = (m(t + shift) for shift in (-h, 0.0, h))
    V = np.zeros((len(t), 6))
    V[:, :3] = (after.T_0p - before.T_0p)[:, :3, 3] / (2.0 * h)
    for k in range(len(t)):
        turn = spatial.rotation_log(after.T_0p[k, :3, :3] @ before.T_0p[k, :3, :3].T)
        V[k, 3:] = turn / (2.0 * h)
    Vdot = (after.V_0p - before.V_0p) / (2.0 * h)
    # differences err by h^2/6 times the third derivative (here up to 1e4), and by rounding
    np.testing.assert_allclose(now.V_0p, V, atol=2e-6)
    np.testing.assert_allclose(now.Vdot_0p, Vdot, atol=5e-5)
    assert np.abs(now.Vdot_0p).max() > 0.1


@pytest.mark.parametrize("name", MAKERS)
def test_ends_are_at_rest_and_stay(name):
    m = make(name)
    ends, outside = m([0.0, m.duration]), m([-1.0, m.duration + 1.0])
    np.testing.assert_array_equal(ends.T_0p, outside.T_0p)
    assert not outside.V_0p.any()
    assert not outside.Vdot_0p.any()
    if name not in MOVING:
        assert np.abs(ends.V_0p).max() < 1e-12
        assert np.abs(ends.Vdot_0p).max() < 1e-10
    np.testing.assert_array_equal(m.start, ends.T_0p[0])
    np.testing.assert_array_equal(m.end, ends.T_0p[1])


@pytest.mark.parametrize("name", ["quintic", "closing"])
def test_times_have_any_shape(name):
    m = make(name)
    t = np.array([[0.1, 0.2, 0.05], [0.3, -1.0, 7.0]])
    many = m(t)
    assert many.T_0p.shape == (2, 3, 4, 4)
    assert m(0.2).V_0p.shape == (6,)
    assert m([]).Vdot_0p.shape == (0, 6)
    for whole, one in zip(many.arrays, m(0.2).arrays, strict=True):
        np.testing.assert_allclose(whole[0, 1], one, atol=1e-14)


def test_samples_include_both_ends():
    m = make("quintic")
    s = m.sample(rate=30.0)
    assert (s.t[0], s.t[-1], len(s.t)) == (0.0, 0.5, 16)
    assert np.ptp(np.diff(s.t)) < 1e-14
    assert len(m.sample().t) == 251
    np.testing.assert_array_equal(m(s.t).T_0p, s.T_0p)


@pytest.mark.parametrize(("name", "zeros"), [("quintic", 2), ("septic", 3), ("cruise", 2)])
def test_laws_begin_and_end_as_they_say(name, zeros):
    """From 0 to 1; the first derivatives vanish at both ends, the next does not."""
    at = time_law(name, 2.0)
    s, sd, sdd = at(np.array([0.0, 2.0]))
    np.testing.assert_allclose(s, [0.0, 1.0], atol=1e-14)
    np.testing.assert_allclose([sd, sdd], 0.0, atol=1e-13)
    h = 1e-4
    jerk = at(np.array([h, 2.0 - h])).acceleration / h
    assert (np.abs(jerk) < 0.1).all() == (zeros == 3)
    # half the way in half the time, and never back
    fine = at(np.linspace(0.0, 2.0, 201))
    assert abs(fine.value[100] - 0.5) < 1e-14
    assert (fine.rate >= 0.0).all()


def test_cruise_keeps_its_speed():
    found = time_law("cruise", 2.0)(np.linspace(0.4, 1.6, 7))
    np.testing.assert_allclose(found.rate, 0.5 / 0.8, rtol=1e-13)
    np.testing.assert_allclose(found.acceleration, 0.0, atol=1e-12)


def test_jerk_limits_are_kept_and_used():
    s = make("jerk_limited").sample(20_000.0)
    way = np.linalg.norm(WAY[3:])  # turning is the longer way of the two
    assert way > np.linalg.norm(WAY[:3])
    speed, acceleration = (np.linalg.norm(a[:, 3:], axis=1) for a in (s.V_0p, s.Vdot_0p))
    jerk = np.linalg.norm(np.diff(s.Vdot_0p[:, 3:], axis=0), axis=1) / np.diff(s.t)
    for found, limit in zip((speed, acceleration, jerk), LIMITS.values(), strict=True):
        assert found.max() <= limit * (1.0 + 1e-7)
    assert jerk.max() > 0.999 * LIMITS["jerk"]
    # seven phases by hand: the acceleration is reached, the speed is not
    a, j = LIMITS["acceleration"], LIMITS["jerk"]
    top = -(a**2) / (2 * j) + np.sqrt((a**2 / (2 * j)) ** 2 + a * way)
    assert abs(speed.max() - min(top, LIMITS["velocity"])) < 1e-3
    assert np.abs(np.diff(s.Vdot_0p, axis=0)).max() < 1.01 * j / 20_000.0  # it is continuous


def test_jerk_limits_of_single_freedoms():
    r, x = robot("quattro"), home("quattro")
    limits = {"velocity": {"rz": 2.0}, "acceleration": [5, 5, 5, 30], "jerk": 1e9}
    m = motion.jerk_limited(r, x, x + np.array([0.1, 0.05, 0.0, 1.5]), **limits)
    s = m.sample(5_000.0)
    assert abs(np.abs(s.V_0p[:, 5]).max() - 2.0) < 1e-9
    assert abs(np.abs(s.Vdot_0p[:, 5]).max() - 30.0) < 1e-3
    # without a limit of jerk worth the name: speed up and down in v / a each
    assert abs(m.duration - (1.5 / 2.0 + 2.0 / 30.0)) < 2e-3


def test_circle_is_one_about_its_normal():
    m = make("circle")
    normal, center = np.array([1.0, 2.0, -2.0]) / 3.0, robot("gough_stewart").assembly.T_home
    s = m.sample(50.0)
    arm = s.T_0p[:, :3, 3] - center[:3, 3]
    np.testing.assert_allclose(np.linalg.norm(arm, axis=1), 0.05, rtol=1e-12)
    np.testing.assert_allclose(arm @ normal, 0.0, atol=1e-14)
    assert (np.cross(arm, s.V_0p[:, :3]) @ normal >= -1e-12).all()
    np.testing.assert_allclose(arm[-1], -arm[0], atol=1e-13)  # one turn and a half


def test_constant_speed_is_constant():
    m = motion.circle(robot("delta"), radius=0.05, duration=0.5, turns=-2, law="constant")
    s = m.sample(100.0)
    speed = 2.0 * np.pi * 0.05 * 4.0
    np.testing.assert_allclose(np.linalg.norm(s.V_0p, axis=1), speed, rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(s.Vdot_0p, axis=1), speed**2 / 0.05, rtol=1e-12)


def test_sweep_runs_from_one_frequency_to_the_other():
    for spacing, between in (("exponential", 3.0), ("linear", 5.0)):
        m = motion.sine_sweep(
            robot("delta"), amplitude={"z": 0.003}, frequencies=(1.0, 9.0), duration=40.0,
            spacing=spacing, ramp=1.0,
        )  # fmt: skip
        # half the time between crossings of the centre is half a period
        t = np.linspace(19.0, 21.0, 20_001)
        z = m(t).T_0p[:, 2, 3] - m.start[2, 3]
        crossings = t[1:][np.diff(np.sign(z)) != 0.0]
        assert abs((len(crossings) - 1) / 2.0 / np.ptp(crossings) - between) < 0.05
        assert abs(np.abs(z).max() - 0.003) < 1e-5


def test_pick_and_place_has_a_pace_of_its_own():
    assert motion.pick_and_place(robot("delta")).duration == pytest.approx(0.5)


def test_pick_and_place_goes_where_it_should():
    r = robot("delta")
    along = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    m = motion.pick_and_place(r, cycle=0.5, dwell=0.04, along=along, cycles=2)
    assert abs(m.duration - 1.0) < 1e-12
    s = m.sample(2000.0)
    p = s.T_0p[:, :3, 3] - m.start[:3, 3]
    assert abs((p @ along).max() - 0.305) < 1e-12
    assert abs(p[:, 2].max() - 0.025) < 1e-12
    assert p.min() > -1e-12
    np.testing.assert_allclose(m.start[:3, 3], home("delta") - 0.1525 * along, atol=1e-12)
    # the pick lies half a stroke before home, the place half a stroke after it, and there is a rest
    place = m(np.array([0.21, 0.25, 0.71]))
    np.testing.assert_allclose(
        place.T_0p[:, :3, 3] - home("delta"), 0.1525 * along * np.ones((3, 1))
    )
    assert not place.V_0p.any()
    # the way back is the way there
    np.testing.assert_allclose(m(0.25 + 0.07).T_0p[:3, 3], m(0.21 - 0.07).T_0p[:3, 3], atol=1e-12)


def test_pick_and_place_as_hard_as_told():
    for figures in ({"blend": 0.0}, {"blend": 1.0}, {"stroke": 0.02, "height": 0.05}):
        m = motion.pick_and_place(robot("delta"), acceleration=80.0, **figures)
        a = np.linalg.norm(m.sample(20_000.0).Vdot_0p[:, :3], axis=1)
        assert abs(a.max() / 80.0 - 1.0) < 1e-4, figures


def test_corners_without_blending_are_sharp():
    m = motion.pick_and_place(robot("delta"), cycle=0.6, blend=0.0)
    s = m.sample(3000.0)
    p = s.T_0p[:, :3, 3] - m.start[:3, 3]
    beside = np.minimum(p[:, 0], 0.305 - p[:, 0])  # of the two uprights
    assert np.minimum(beside, 0.025 - p[:, 2]).max() < 1e-12
    rounded = motion.pick_and_place(robot("delta"), cycle=0.6).sample(3000.0)
    hardest = [np.linalg.norm(each.Vdot_0p, axis=1).max() for each in (s, rounded)]
    assert hardest[1] < 0.85 * hardest[0]  # less hard in the same time


def test_planar_robots_pick_and_place_in_their_plane():
    m = motion.pick_and_place(robot("three_rrr"), cycle=1.0, stroke=0.1, height=0.02)
    p = m.sample(100.0).T_0p[:, :3, 3]
    np.testing.assert_allclose(np.ptp(p, axis=0), [0.1, 0.02, 0.0], atol=1e-12)


def test_spline_passes_all_poses_smoothly():
    r, x = robot("gough_stewart"), home("gough_stewart")
    poses, times = [x, x + WAY, x - WAY, x + 0.5 * WAY], np.array([1.0, 1.3, 1.9, 2.4])
    m = motion.through(r, poses, times)
    for pose, t in zip(poses, times - 1.0, strict=True):
        found = r.assembly.chart.coordinates(m(t).T_0p)
        np.testing.assert_allclose(found, pose, atol=1e-12)
    # jerk is continuous: differences of accelerations before and after a pose agree
    h = 1e-5
    a = m(0.3 + h * np.array([-1.0, 0.0, 1.0])).Vdot_0p
    jerk = np.diff(a, axis=0) / h
    assert np.abs(jerk[1] - jerk[0]).max() < 1e-3 * np.abs(jerk).max()


def test_spline_through_two_is_the_quintic_stroke():
    r, x = robot("gough_stewart"), home("gough_stewart")
    t = np.linspace(0.0, 0.5, 9)
    spline = motion.through(r, [x - WAY, x + WAY], [0.0, 0.5])(t)
    assert spline.allclose(make("quintic")(t), rtol=1e-7, atol=1e-11)


def test_slower_is_the_same_path():
    fast, slow = make("quintic"), make("slower")
    t = np.linspace(0.0, 0.5, 6)
    (T, V, Vdot), found = fast(t).arrays, slow(1.7 * t)
    np.testing.assert_allclose(found.T_0p, T, atol=1e-14)
    np.testing.assert_allclose(found.V_0p * 1.7, V, atol=1e-14)
    np.testing.assert_allclose(found.Vdot_0p * 1.7**2, Vdot, atol=1e-13)


def test_chain_says_what_it_is():
    m = make("chain")
    assert abs(m.duration - 0.8) < 1e-12
    assert m.label == "quintic stroke, then hold, then septic stroke"
    assert repr(m) == f"<Motion of 'gough_stewart': {m.label}, 0.8 s>"
    one = stroke(duration=0.4)
    back = motion.point_to_point(one.robot, one.end, one.start, duration=0.4)
    assert motion.chain(one, back, one).label == "3 x quintic stroke"
