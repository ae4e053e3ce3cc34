"""Outliers and sensors that stand still: named, left out on demand, and not seen where none are."""

import warnings
from functools import cache

import numpy as np
import pytest

import gough
from gough import motion
from gough.base import turns
from gough.errors import GoughWarning, InputError
from gough.motion import series
from gough.motion.faults import faults
from robots import robot

COUNT, OUT, SPAN = 251, 83, (60, 79)
"""Samples in half a second; the one that is an outlier; the first and last that repeat: 40 ms."""
NOISES = [0.0, 1e-6, 1e-5, 1e-4]  # [m]


@cache
def cycle():
    return motion.pick_and_place(robot("delta"), cycle=0.5)


def seen(noise, fault=None, count=COUNT):
    """Times, and positions with noise and a fault."""
    t = np.linspace(0.0, 0.5, count)
    rng = np.random.default_rng(7)
    y = cycle()(t).T_0p[:, :3, 3] + noise * rng.normal(size=(count, 3))
    if fault == "outlier":
        y[OUT] += [3e-3, 0.0, 4e-3]
    if fault == "burst":
        y[OUT : OUT + 3] += [5e-3, 0.0, 0.0]
    if fault == "frozen":
        y[SPAN[0] : SPAN[1] + 1] = y[SPAN[0] - 1]
    return t, y


def off(found, clean):
    """Largest difference of an effort, as a share of the largest effort; the ends left aside."""
    r, t = robot("delta"), np.linspace(0.02, 0.48, 231)
    right, tau = (gough.inverse_dynamics(r, each(t)) for each in (clean, found))
    return float(np.abs(tau - right).max() / np.abs(right).max())


WHERE = {"outlier": [OUT], "burst": list(range(OUT, OUT + 3)), "frozen": list(range(60, 80))}


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("fault", WHERE)
def test_faults_are_named_and_without_them_efforts_are_right(fault, noise):
    r = robot("delta")
    clean = motion.from_samples(r, *seen(noise))
    t, y = seen(noise, fault)
    kind = "frozen" if fault == "frozen" else "outliers"
    when = f"{t[WHERE[fault][0]]:.6g}"
    with pytest.warns(GoughWarning, match=f"t = {when}.*outliers='drop'"):
        kept = motion.from_samples(r, t, y)
    (finding,) = kept.findings
    assert (finding.kind, finding.samples.tolist()) == (kind, WHERE[fault])
    np.testing.assert_array_equal(finding.times, t[WHERE[fault]])
    assert not finding.left_out
    assert off(kept, clean) > 0.1  # what a warning is for
    with pytest.warns(GoughWarning, match=f"t = {when}.*left out"):
        dropped = motion.from_samples(r, t, y, outliers="drop")
    assert dropped.findings[0].left_out
    assert dropped.duration == pytest.approx(0.5)
    # forty milliseconds are missing more than one sample is
    assert off(dropped, clean) < (0.1 if fault == "frozen" else 0.05)


def test_choices():
    r, (t, y) = robot("delta"), seen(1e-5, "outlier")
    quiet = motion.from_samples(r, t, y, outliers="keep")
    assert [one.kind for one in quiet.findings] == ["outliers"]
    with pytest.raises(InputError, match=r"one sample is far .* by up to 0\.0\d+ m: at t = ") as no:
        motion.from_samples(r, t, y, outliers="refuse")
    assert no.value.findings[0].samples.tolist() == [OUT]
    assert "count" not in no.value.message
    assert motion.from_samples(r, *seen(1e-5), outliers="refuse").findings == ()
    for wrong in ("dorp", 3, None):
        with pytest.raises(InputError, match="expected one of warn, drop, keep, refuse"):
            motion.from_samples(r, t, y, outliers=wrong)


def test_the_first_and_the_last_sample():
    r, (t, y) = robot("delta"), seen(1e-5)
    for k in (0, COUNT - 1):
        spoilt = y.copy()
        spoilt[k, 0] += 0.02
        with pytest.warns(GoughWarning, match="one sample is far"):
            found = motion.from_samples(r, t, spoilt, outliers="drop")
        assert found.findings[0].samples.tolist() == [k]


def test_rotations_have_outliers_too():
    r = robot("gough_stewart")
    path = motion.lissajous(
        r,
        amplitude={"rx": 0.1, "rz": 0.2},
        frequency={"rx": 1.0, "rz": 1.5},
        duration=2.0,
        ramp=0.5,
    )
    t = np.linspace(0.0, 2.0, 400)
    T = path(t).T_0p.copy()
    T[200, :3, :3] = turns.rotations(np.array([[0.0, 0.05, 0.0]]))[0] @ T[200, :3, :3]
    with pytest.warns(GoughWarning, match=r"by up to 0\.0\d+ rad"):
        found = motion.from_samples(r, t, T)
    assert found.findings[0].samples.tolist() == [200]


def test_one_axis_that_stands_still():
    t = np.linspace(0.0, 1.0, 301)
    y = np.stack([0.1 * np.sin(6.0 * t), 0.1 * np.cos(6.0 * t)], axis=1)
    y[100:120, 1] = y[99, 1]
    (finding,), sound = faults(t, [(y, "m")], left_out=False)
    assert finding.kind == "frozen"
    assert np.flatnonzero(~sound).tolist() == list(range(100, 120))


def clean_motions(name):
    """Motions of several makers, with corners and pauses."""
    r = robot(name)
    a = r.assembly
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    there = home + [0.06 if f in "xyz" else 0.2 for f in r.freedoms]
    go = motion.point_to_point(r, None, there, duration=0.3)
    back = motion.point_to_point(r, there, None, duration=0.25)
    yield motion.chain(go, motion.hold(r, there, 0.2), back, motion.hold(r, None, 0.3), go)
    yield motion.jerk_limited(r, None, there, velocity=2.0, acceleration=40.0, jerk=4000.0)
    first, last = r.freedoms[0], r.freedoms[-1]
    yield motion.lissajous(
        r, amplitude={first: 0.03, last: 0.02}, frequency={first: 2.0, last: 3.0}, duration=3.0
    )
    if first == "x" and "z" in r.freedoms:
        yield motion.pick_and_place(r, cycle=0.5)
        yield motion.pick_and_place(r, acceleration=100.0, dwell=0.1, blend=0.0)


@pytest.mark.parametrize("name", ["delta", "gough_stewart", "three_rrr"])
def test_no_false_alarm(name):
    """Clean motions, with and without noise, rounded, coarse, fine and unevenly sampled."""
    for path in clean_motions(name):
        for count in (25, 60, 400):
            rng = np.random.default_rng(count)
            even = np.linspace(0.0, path.duration, count)
            jitter = np.clip(even + 0.2 * even[1] * rng.uniform(-1.0, 1.0, count), 0.0, even[-1])
            wild = np.sort(rng.uniform(0.0, path.duration, count))
            for t in (even, jitter, wild):
                T = path(t).T_0p
                y, w = T[:, :3, 3], turns.logs(T[:, :3, :3])
                # every noise, and the digit of a coarse file without noise and beside it
                for noise, digit in (*((n, 0.0) for n in NOISES), (0.0, 1e-5), (1e-5, 1e-5)):
                    groups = []
                    for part, unit in ((y, "m"), (w, "rad")):
                        spoilt = part + noise * rng.normal(size=part.shape)
                        spoilt = np.round(spoilt / digit) * digit if digit else spoilt
                        groups.append((spoilt, unit))
                    found, _ = faults(t, groups, left_out=False)
                    assert not found, (path, count, noise, digit, found[0].sentence)


def test_noise_alone_raises_no_alarm_in_many_samples():
    rng = np.random.default_rng(11)
    t = np.linspace(0.0, 200.0, 200_000)
    for columns in (1, 3):
        y = 1e-4 * rng.normal(size=(len(t), columns)) + 0.1 * np.sin(t)[:, None]
        assert not faults(t, [(y, "m")], left_out=False)[0]


def test_a_digit_that_flickers_at_rest_is_no_outlier():
    y = np.zeros((200, 3))
    y[[50, 51, 120], 0] = 1e-5
    assert not faults(np.arange(200.0), [(y, "m")], left_out=False)[0]


def test_few_samples_are_not_judged():
    t, y = seen(0.0, "outlier", series.FEWEST - 1 + OUT)
    found, sound = faults(t[:20], [(y[:20], "m")], left_out=False)
    assert not found
    assert sound.all()


def test_findings_go_with_the_motion_into_analysis_and_report(tmp_path):
    r, (t, y) = robot("delta"), seen(1e-5, "outlier")
    found = motion.from_samples(r, t + 3.0, y, outliers="keep")
    np.testing.assert_allclose(found.findings[0].spans, [[t[OUT], t[OUT]]])
    twice = found.slower(2.0).findings[0]
    np.testing.assert_allclose(twice.spans, 2.0 * found.findings[0].spans)
    before = motion.hold(r, found.start, 0.1)
    calm = motion.Motion(r, 0.1, "calm", before.evaluate)
    assert calm.findings == ()
    analysis = gough.analyse(r, found, rate=100.0, agreement=False)
    assert analysis.findings == (found.findings[0].sentence,)
    assert ("data", analysis.findings[0]) in analysis.lines()
    assert analysis.to_dict()["findings"] == [analysis.findings[0]]
    from gough.report import words
    from gough.report.gallery import material

    told = [each.replace("\u00a0", " ") for each in words.summary(material(r, analysis, None))]
    assert any("one sample is far from the curve" in each for each in told)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clean = gough.analyse(r, cycle(), rate=100.0, agreement=False)
    assert clean.findings == ()
