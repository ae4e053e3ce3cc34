"""Faults at the ends of a record, jumps that stay, and corners, which are no faults."""

import numpy as np
import pytest

from gough import motion
from gough.errors import GoughWarning, InputError
from gough.motion.faults import faults
from robots import robot

COUNT, STEP = 400, 4e-3
"""Samples, and their distance [s]."""
NOISES = [0.0, 1e-6, 1e-4]  # [m]


def clean(noise, seed=0):
    """Times and positions of a platform that moves at both ends of the record."""
    t = STEP * np.arange(COUNT)
    y = np.stack(
        [
            0.05 * np.sin(2 * np.pi * t),
            0.03 * np.cos(2 * np.pi * 1.7 * t),
            0.01 * np.sin(2 * np.pi * 0.8 * t),
        ],
        axis=1,
    )
    return t, y + noise * np.random.default_rng(seed).normal(size=y.shape)


def told(t, y):
    return faults(t, [(y, "m")], left_out=False)


def kinds(t, y):
    return [(one.kind, one.samples.tolist()) for one in told(t, y)[0]]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("samples", [[0], [COUNT - 1], [0, 1], [COUNT - 2, COUNT - 1], [1]])
def test_outliers_at_the_ends(samples, noise):
    for seed in range(3):
        t, y = clean(noise, seed)
        assert kinds(t, y) == []
        y[samples, 0] += 5e-3
        assert kinds(t, y) == [("outliers", samples)]


def ramp(t):
    return 0.1 * np.clip((t - 0.3) / 0.5, 0.0, 1.0)


def triangle(t):
    return 0.05 * np.abs((2.0 * t) % 2.0 - 1.0)


@pytest.mark.parametrize("noise", [0.0, 1e-7, 1e-6, 1e-5, 1e-4])
@pytest.mark.parametrize("digit", [0.0, 1e-6, 1e-5])
@pytest.mark.parametrize("path", [ramp, triangle])
def test_corners_are_no_faults(path, digit, noise):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        for step in (1e-3, 4e-3, 1e-2):
            t = np.arange(0.05 * rng.uniform(), 1.6, step)
            y = np.zeros((len(t), 3))
            y[:, 0] = path(t)
            y += noise * rng.normal(size=y.shape)
            y = np.round(y / digit) * digit if digit else y
            assert kinds(t, y) == []


@pytest.mark.parametrize("noise", [1e-6, 1e-5, 1e-4])
def test_an_outlier_on_a_ramp_is_one(noise):
    t = STEP * np.arange(COUNT)
    y = np.stack([ramp(t), 0.0 * t, 0.0 * t], axis=1)
    y += noise * np.random.default_rng(3).normal(size=y.shape)
    y[[130, 250], 2] += 5e-3
    assert kinds(t, y) == [("outliers", [130, 250])]


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("columns", [slice(None), [0]])
def test_a_sensor_that_stands_still_until_the_end_or_from_the_start(columns, noise):
    for seed in range(3):
        t, y = clean(noise, seed)
        late = y.copy()
        late[-10:, columns] = late[-10, columns]
        assert kinds(t, late) == [("frozen", list(range(COUNT - 9, COUNT)))]
        early = y.copy()
        early[:13, columns] = early[12, columns]
        assert kinds(t, early) == [("frozen", list(range(12)))]


def test_a_machine_that_slows_down_and_stands_is_not_frozen():
    """Neither are numbers that repeat because they have few digits, nor the end of a ramp."""
    t = np.linspace(0.0, 1.0, 301)
    s = np.clip(t / 0.8, 0.0, 1.0)
    for way in (s**3 * (10 - 15 * s + 6 * s**2), s * (2 - s), (1 - np.cos(np.pi * s)) / 2, s):
        for digit in (0.0, 1e-6, 1e-5, 1e-4):
            y = 0.1 * np.stack([way, 2.0 * way, 0.0 * way], axis=1)
            y = np.round(y / digit) * digit if digit else y
            for each in (y, y[::-1]):
                assert kinds(t, each) == []


@pytest.mark.parametrize("noise", NOISES)
def test_jumps_are_named_and_not_left_out(noise):
    for seed in range(3):
        t, y = clean(noise, seed)
        step, row = y.copy(), y.copy()
        step[200:, 0] += 5e-3
        row[100:112, 0] += 5e-3
        assert kinds(t, step) == [("jump", [200])]
        assert kinds(t, row) == [("jump", [100, 112])]
        assert told(t, row)[1].all()


def test_a_jump_says_what_to_do_and_can_be_refused():
    r = robot("delta")
    path = motion.pick_and_place(r, cycle=0.5)
    t = np.linspace(0.0, 0.5, 251)
    y = path(t).T_0p[:, :3, 3] + 1e-5 * np.random.default_rng(1).normal(size=(251, 3))
    y[125:, 2] += 5e-3
    with pytest.warns(
        GoughWarning, match=r"jump once, by up to 0\.0\d+ m .* t = 0\.248 to 0\.25 s"
    ):
        found = motion.from_samples(r, t, y, outliers="drop")
    assert [(one.kind, one.left_out) for one in found.findings] == [("jump", False)]
    assert found.duration == 0.5
    with pytest.raises(InputError, match="jump once") as no:
        motion.from_samples(r, t, y, outliers="refuse")
    assert no.value.message.endswith("t = 0.248 to 0.25 s")


@pytest.mark.parametrize("noise", NOISES)
def test_outliers_near_each_other(noise):
    for seed in range(3):
        t, y = clean(noise, seed)
        y[100:140:4, 0] += 5e-3
        assert kinds(t, y) == [("outliers", list(range(100, 140, 4)))]
