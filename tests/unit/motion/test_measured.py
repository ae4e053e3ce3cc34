"""Motions from samples and files: what was measured comes back, noise does not."""

from functools import cache

import numpy as np
import pytest

import gough
from gough import motion
from gough.base import spatial
from gough.errors import FileError, GoughWarning, InconsistentPose, InputError
from gough.motion.smoothing import smoothed_each
from robots import robot

NOISE = (2e-4, 5e-4)  # [m], [rad]


@cache
def truth():
    return motion.lissajous(
        robot("gough_stewart"),
        amplitude={"x": 0.04, "y": 0.03, "rx": 0.15, "rz": 0.3},
        frequency={"x": 1.0, "y": 1.5, "rx": 0.5, "rz": 1.0},
        duration=2.0,
        ramp=0.5,
    )


@cache
def measured(count):
    """Times, and poses with noise that has no favourite axis."""
    rng = np.random.default_rng(count)
    t = np.linspace(0.0, 2.0, count)
    T = truth()(t).T_0p.copy()
    T[:, :3, 3] += NOISE[0] * rng.normal(size=(count, 3))
    for k, w in enumerate(NOISE[1] * rng.normal(size=(count, 3))):
        T[k, :3, :3] = spatial.rotation_exp(w) @ T[k, :3, :3]
    return t, T


def off(found, t):
    """Root mean square error of linear and angular acceleration, ends left aside."""
    inside = (t > 0.1) & (t < 1.9)
    error = (found - truth()(t).Vdot_0p)[inside]
    return np.sqrt((error**2).mean(axis=0)).reshape(2, 3).max(axis=1)


@pytest.mark.parametrize("count", [150, 1500])
@pytest.mark.parametrize("smoothing", ["auto", NOISE])
def test_accelerations_are_found_through_noise(count, smoothing):
    t, T = measured(count)
    m = motion.from_samples(robot("gough_stewart"), t, T, smoothing=smoothing)
    found = off(m(t).Vdot_0p, t)
    # a few per cent of what there is, 1.6 m/s^2 and 12 rad/s^2
    assert (found < [0.25, 0.6]).all()
    step = t[1] - t[0]
    twice = np.gradient(np.gradient(T[:, :3, 3], step, axis=0), step, axis=0)
    differences = off(np.hstack([twice, truth()(t).Vdot_0p[:, 3:]]), t)[0]
    assert found[0] < differences * (0.12 if count == 150 else 1e-3)
    assert m.label.startswith(f"{count} samples; noise ")
    told = [float(word) for word in m.label.split() if word.startswith(("0.0", "0.00"))]
    np.testing.assert_allclose(told, NOISE, rtol=0.25)


def test_more_samples_help():
    few, many = (
        off(motion.from_samples(robot("gough_stewart"), *measured(n))(t).Vdot_0p, t)
        for n, t in ((n, measured(n)[0]) for n in (150, 1500))
    )
    assert (many < few).all()


def test_without_smoothing_all_samples_are_met():
    t, T = measured(150)
    m = motion.from_samples(robot("gough_stewart"), t, T, smoothing=0)
    np.testing.assert_allclose(m(t).T_0p, T, atol=1e-12)


@pytest.mark.parametrize("smoothing", ["auto", 0])
def test_samples_without_noise_give_the_motion(smoothing):
    t = np.linspace(0.0, 2.0, 400)
    exact = truth()(t)
    m = motion.from_samples(robot("gough_stewart"), t + 5.0, exact.T_0p, smoothing=smoothing)
    assert abs(m.duration - 2.0) < 1e-12
    inside = slice(20, -20)
    # the jerk jumps where the ramp ends, by up to 150 rad/s^3: times step^3 / 10 and so on
    np.testing.assert_allclose(m(t).T_0p, exact.T_0p, atol=1e-6)
    np.testing.assert_allclose(m(t).V_0p[inside], exact.V_0p[inside], atol=1e-4)
    np.testing.assert_allclose(m(t).Vdot_0p[inside], exact.Vdot_0p[inside], atol=0.05)


def test_the_smoothing_spline_is_the_best_there_is():
    """Of the sum of misfit and roughness no neighbour has less: checked on a dense grid."""
    rng = np.random.default_rng(2)
    t = np.sort(rng.uniform(0.0, 3.0, 40))
    y = np.sin(2.0 * t)[:, None] + 0.02 * rng.normal(size=(40, 1))
    (found,) = smoothed_each(t, [(y, None)])
    weight = (39.0 / (t[-1] - t[0])) / (2.0 * np.pi * found.cut_off) ** 6
    fine = np.linspace(t[0], t[-1], 20_001)

    def cost(by, k):
        spline = found.spline.construct_fast(found.spline.t, found.spline.c.copy(), 5)
        spline.c[k] += by
        rough = np.trapezoid(spline.derivative(3)(fine)[:, 0] ** 2, fine)
        return float(((spline(t) - y) ** 2).sum() + weight * rough)

    for k in (0, 7, len(found.spline.c) - 1):
        # a parabola whose lowest point is at zero
        low, middle, high = (cost(by, k) for by in (-0.01, 0.0, 0.01))
        assert abs(high - low) < 0.02 * (high + low - 2.0 * middle)
        assert middle < min(low, high)


def test_a_straight_line_stays_one_under_any_noise_level():
    t = np.linspace(0.0, 1.0, 60)
    for sigma in (None, 1.0, 1e-6):
        line = smoothed_each(t, [(3.0 * t[:, None] - 1.0, sigma)])[0].spline
        np.testing.assert_allclose(line(t)[:, 0], 3.0 * t - 1.0, atol=1e-9)


def test_uneven_times_and_crowded_samples():
    rng = np.random.default_rng(4)
    t = np.unique(np.concatenate([rng.uniform(0.0, 2.0, 300), [1.0, 1.0 + 1e-9, 1.0 + 2e-9]]))
    steps = np.diff(t)
    assert steps.min() < 1e-8
    T = truth()(t).T_0p
    with pytest.warns(GoughWarning, match="the motion is a guess there"):
        m = motion.from_samples(robot("gough_stewart"), t, T, smoothing=1e-5)
    np.testing.assert_allclose(m(t - t[0]).T_0p, T, atol=2e-4)


def test_gaps_are_told():
    t, T = measured(150)
    kept = (t < 0.5) | (t > 0.75)
    with pytest.warns(GoughWarning, match=r"gap is 0\.2\d+ s, after t = 0\.4\d+ s"):
        motion.from_samples(robot("gough_stewart"), t[kept], T[kept])


def test_angles_measured_within_a_turn_are_continued():
    r = robot("quattro")
    a = r.assembly
    x = np.tile(a.chart.coordinates(a.T_home)[list(a.free)], (40, 1))
    x[:, 3] += np.linspace(-0.5, 0.5, 40) + 2.0 * np.pi * (np.arange(40) > 25)
    m = motion.from_samples(r, np.linspace(0.0, 1.0, 40), x, smoothing=0)
    np.testing.assert_allclose(m([0.2, 0.8]).V_0p[:, 5], 1.0, atol=1e-9)


def test_matrices_of_a_robot_with_fewer_freedoms():
    r = robot("five_bar")
    m = motion.circle(r, radius=0.03, duration=1.0)
    s = m.sample(30.0)
    found = motion.from_samples(r, s.t, s.T_0p, smoothing=0)
    np.testing.assert_allclose(found(0.37).T_0p, m(0.37).T_0p, atol=1e-5)
    wrong = s.T_0p.copy()
    wrong[:, :3, :3] = spatial.rotation_z(0.3) @ wrong[:, :3, :3]
    with pytest.raises(InconsistentPose, match=r"its rz is off by 0\.3 rad"):
        motion.from_samples(r, s.t, wrong)


def test_files_of_freedoms_and_of_poses(tmp_path):
    t, T = measured(60)
    r = robot("gough_stewart")
    expected = motion.from_samples(r, t, T)([0.3, 1.1])
    vectors = np.array([spatial.rotation_log(each[:3, :3]) for each in T])
    angle = np.linalg.norm(vectors, axis=1, keepdims=True)
    q = np.hstack([np.cos(angle / 2.0), np.sin(angle / 2.0) * vectors / angle])
    q[1::2] *= -1.0  # the same rotation
    position = dict(zip("xyz", T[:, :3, 3].T, strict=True))
    for name, how, more in (
        ("freedoms.csv", "rotation_vector", dict(zip(("rx", "ry", "rz"), vectors.T, strict=True))),
        ("poses.npz", None, dict(zip(("qw", "qx", "qy", "qz"), q.T, strict=True))),
    ):
        path = tmp_path / name
        gough.base.tables.write_table(path, {"t": t, **position, **more, "tau_0": 0.0 * t})
        found = motion.from_file(r, path, rotation=how)([0.3, 1.1])
        assert found.allclose(expected, rtol=1e-7, atol=1e-8)


def write(path, **columns):
    gough.base.tables.write_table(path, columns)
    return path


def test_files_that_do_not_fit(tmp_path):
    r = robot("delta")
    t = np.linspace(0.0, 1.0, 9)
    good = {"t": t, "x": 0.0 * t, "y": 0.0 * t, "z": 0.0 * t - 0.5}
    assert motion.from_file(r, write(tmp_path / "good.csv", **good)).duration == 1.0
    renamed = {("clock" if name == "t" else name): c for name, c in good.items()}
    with pytest.raises(FileError, match=r"(?s)named.csv: there is no column 't'.*Known: clock, x"):
        motion.from_file(r, write(tmp_path / "named.csv", **renamed))
    assert motion.from_file(r, tmp_path / "named.csv", time="clock").duration == 1.0
    with pytest.raises(FileError, match=r"(?s)no column 'x'; wanted: x, y, z.*Did you mean 'x1'"):
        motion.from_file(r, write(tmp_path / "x.csv", t=t, x1=t, y=t, z=t))
    double = {"qw": 0 * t + 2, "qx": 0 * t, "qy": 0 * t, "qz": 0 * t}
    with pytest.raises(FileError, match="row 0 has length 2, expected 1"):
        motion.from_file(r, write(tmp_path / "q.csv", **good, **double))
    with pytest.raises(FileError, match="no column 'qz'"):
        motion.from_file(r, write(tmp_path / "three.csv", **good, qw=t, qx=t, qy=t))
    late = {**good, "t": np.roll(t, 1)}
    with pytest.raises(
        InputError, match=r"late.csv: t: time stamps do not rise: 1 s is followed by 0 s"
    ):
        motion.from_file(r, write(tmp_path / "late.csv", **late))
    turned = {"rx": 0 * t, "ry": 0 * t, "rz": 0 * t + 0.2}
    with pytest.raises(InconsistentPose, match=r"its rz is off by 0\.2 rad"):
        motion.from_file(r, write(tmp_path / "turned.csv", **good, **turned))


@pytest.mark.parametrize(
    ("t", "poses", "options", "says"),
    [
        (
            np.arange(4.0),
            np.zeros((4, 3)),
            {},
            "t has 4 samples: velocities and accelerations of measured poses need 5 or more",
        ),
        ([0, 1, 2, 2, 3], np.zeros((5, 3)), {}, "2 s is followed by 2 s, samples 2 and 3"),
        ([0, 1, np.nan, 3, 4], np.zeros((5, 3)), {}, r"t\[2\] is nan"),
        (np.arange(5.0), np.full((5, 3), np.inf), {}, r"poses\[0, 0\] is inf"),
        (np.arange(5.0), np.zeros((4, 3)), {}, r"poses has shape \(4, 3\), expected \(5, 3\)"),
        (np.arange(5.0), np.zeros((5, 2)), {}, r"poses has shape \(5, 2\)"),
        (np.arange(5.0), np.zeros((5, 4, 4)), {}, r"poses\[0\]: the last row"),
        (np.arange(5.0), "poses", {}, "not an array of numbers"),
        (np.arange(5.0), np.zeros((5, 3)), {"smoothing": "some"}, "smoothing is 'some'"),
        (np.arange(5.0), np.zeros((5, 3)), {"smoothing": -1.0}, "must not be negative, is -1"),
        (np.arange(5.0), np.zeros((5, 3)), {"smoothing": (1, 2, 3)}, "a number or a pair"),
    ],
)
def test_samples_that_make_no_sense(t, poses, options, says):
    with pytest.raises(InputError, match=says):
        motion.from_samples(robot("delta"), t, poses, **options)
