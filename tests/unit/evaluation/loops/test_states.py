"""Robots whose legs decide part of the pose: thousands of samples are those of gough.state."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import motion
from gough.errors import GoughError, InputError, TraceError, UnreachablePose
from gough.evaluation import engine
from gough.evaluation.loops import states as closing
from gough.evaluation.loops.closing import Closer
from gough.evaluation.loops.states import closed_states
from gough.motion.jets import Jet
from gough.motion.space import space_of
from robots import random_freedoms, relative, robot

# how far from home, natural units: rccc reaches little
AMPLITUDES = {
    "five_bar": 0.5,
    "spherical_2dof": 0.9,
    "tilt_3rps": 0.9,
    "pendulum": 1.5,
    "screw_pendulum": 2.0,
    "grounded_parallelogram": 0.3,
    "rccc": 0.1,
}
ROUNDING = 1e-11  # of Newton's method, and of the loops' condition

LARGE = 64


def no_reference(k):
    raise AssertionError(f"sample {k} was not settled by the kernel")


@pytest.mark.parametrize("name", AMPLITUDES)
def test_many_states_are_those_of_gough_state(name):
    x = Jet(*random_freedoms(name, LARGE, AMPLITUDES[name]))
    assert space_of(robot(name)).kind == "closing"
    found = closed_states(robot(name).assembly, x, no_reference)
    assert found.settled.all()
    some = slice(None, None, 11)
    expected = gough.state(robot(name), *(part[some] for part in x))
    for ours, theirs in zip(found[:3], expected.arrays, strict=True):
        for one, other in zip(ours[some], theirs, strict=True):
            assert relative(one, other) < ROUNDING


def test_a_platform_drawn_askew_is_closed_as_well():
    """Psi is constant, but rotation vectors leave the axis of turning."""
    frame = gough.Frame.from_rpy((0.0, 0.0, 0.0), (0.5, 0.3, 0.0))
    r = replace(robot("three_rrr"), platform_frame=frame)
    a = r.assembly
    assert (space_of(r).kind, a.Psi_is_constant) == ("closing", True)
    rng = np.random.default_rng(2)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x = Jet(home + 0.08 * rng.uniform(-1, 1, (LARGE, 3)), *rng.normal(size=(2, LARGE, 3)))
    found = closed_states(a, x, no_reference)
    expected = gough.state(r, *(part[:4] for part in x))
    for ours, theirs in zip(found[:3], expected.arrays, strict=True):
        assert relative(ours[:4], theirs) < ROUNDING


@pytest.mark.parametrize("name", ["five_bar", "spherical_2dof", "tilt_3rps"])
def test_rates_are_differences_of_neighbours(name):
    """Along a curve in time, sampled finely: central differences, their error of order h^2."""
    r = robot(name)
    amplitude = 0.3 * r.assembly.scales.freedoms
    home = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    h, phase = 1e-3, np.arange(r.assembly.mobility)
    t = (h * np.arange(1500))[:, None]
    s, c = np.sin(t + phase), np.cos(t + phase)
    x = Jet(home + amplitude * s, amplitude * c, -amplitude * s)
    T, V, Vdot, _ = closed_states(r.assembly, x, no_reference)
    middle, R = slice(1, -1), T[:, :3, :3]
    # Rdot R^T is the skew matrix of omega
    W = (R[2:] - R[:-2]) / (2 * h) @ np.swapaxes(R[middle], 1, 2)
    omega = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)
    v = (T[2:, :3, 3] - T[:-2, :3, 3]) / (2 * h)
    for found, differences in (
        (V[middle, :3], v),
        (V[middle, 3:], omega),
        (Vdot[middle], (V[2:] - V[:-2]) / (2 * h)),
    ):
        np.testing.assert_allclose(found, differences, atol=2e-5 * max(1.0, np.abs(found).max()))


def test_order_and_neighbours_do_not_matter():
    r = robot("tilt_3rps")
    path = motion.circle(r, radius=0.3, duration=1.0)
    t = np.linspace(0.0, 1.0, 2 * LARGE)
    plain = path(t)
    shuffled = np.random.default_rng(0).permutation(len(t))
    far_apart = np.tile([0, len(t) // 2], LARGE)
    for chosen in (shuffled, far_apart):
        for one, other in zip(path(t[chosen]).arrays, plain.arrays, strict=True):
            np.testing.assert_allclose(one, other[chosen], rtol=1e-12, atol=1e-12)
    assert path(np.zeros(0)).T_0p.shape == (0, 4, 4)
    assert path(0.3).T_0p.shape == (4, 4)


def batch(name, bad, place):
    """States of many samples at home, and of a bad one among them."""
    r = robot(name)
    space = space_of(r)
    home = space.point(None, "")
    moved = np.zeros((LARGE, r.assembly.mobility))
    moved[place:] = np.asarray(bad) - home.x
    zeros = np.zeros_like(moved)
    return space.states(home, Jet(moved, zeros, zeros), np.arange(LARGE) * 0.01)


@pytest.mark.parametrize(
    ("name", "bad", "error", "words"),
    [
        ("five_bar", [0.9, 0.1], UnreachablePose, "five_bar: the freedoms cannot be reached"),
        # it is there again after the straight way from home has left the reach of a leg
        ("five_bar", [0.04519004, -0.04246026], UnreachablePose, "89.2 % of the way"),
        ("five_bar", [180.0, 300.0], UnreachablePose, "millimetres"),
        ("five_bar", [np.nan, 0.2], InputError, r"x\[0\] is nan"),
        ("tilt_3rps", [0.5, 30.0, 0.0], InputError, "a rotation of 30 rad from home"),
    ],
)
def test_the_first_sample_that_cannot_be_is_named(name, bad, error, words):
    with pytest.raises(error, match=r"at t = 0\.37 s: ") as caught:
        batch(name, bad, 37)
    caught.match(words)
    assert np.isclose(caught.value.data["time"], 0.37)


def test_rates_that_are_no_numbers_are_refused():
    r = robot("five_bar")
    x, xd, xdd = random_freedoms("five_bar", LARGE, 0.1)
    xdd[3, 1] = np.inf

    def reference(k):
        return gough.state(r, x[k], xd[k], xdd[k]).arrays

    with pytest.raises(InputError, match=r"xdd\[1\] is inf"):
        closed_states(r.assembly, Jet(x, xd, xdd), reference)


def fresh():
    """A five-bar nobody has asked anything yet."""
    return replace(robot("five_bar"), label="another")


def counted(r, x):
    """States, and which samples gough.state was asked for."""
    asked = []

    def reference(k):
        asked.append(k)
        return gough.state(r, *(part[k] for part in x)).arrays

    return closed_states(r.assembly, x, reference), asked


@pytest.mark.usefixtures("strangers")
def test_few_samples_need_no_kernel_until_it_pays(monkeypatch):
    r = fresh()
    x = Jet(*random_freedoms("five_bar", 3, 0.3))
    by_state, asked = counted(r, x)
    assert asked == [0, 1, 2]
    monkeypatch.setattr(engine, "ASKED", 1)
    by_kernel, asked = counted(r, x)
    assert asked == []
    for one, other in zip(by_kernel[:3], by_state[:3], strict=True):
        assert relative(one, other) < ROUNDING


@pytest.mark.usefixtures("strangers")
def test_a_robot_that_cannot_be_traced_goes_without(monkeypatch):
    tried = []

    def refuse(*arguments):
        tried.append(arguments)
        raise TraceError("cannot be traced")

    monkeypatch.setattr(engine, "whole_program", refuse)
    monkeypatch.setattr(engine, "BATCH", 2)
    r = fresh()
    x = Jet(*random_freedoms("five_bar", 2, 0.3))
    for _ in range(2):
        found, asked = counted(r, x)
        assert asked == [0, 1]
        assert np.isfinite(found.Vdot_0p).all()
    assert len(tried) == 1


def test_what_the_kernel_does_not_settle_is_told_by_gough_state(monkeypatch):
    """A kernel that is always in doubt: the same numbers, slowly; and errors stay errors."""
    r = robot("tilt_3rps")
    x = Jet(*random_freedoms("tilt_3rps", LARGE, 0.4))
    plain = closed_states(r.assembly, x, no_reference)
    monkeypatch.setattr(closing, "is_valid", lambda doubt: np.zeros(len(doubt), dtype=bool))
    some = Jet(*(part[:3] for part in x))
    slow, asked = counted(r, some)
    assert asked == [0, 1, 2]
    for one, other in zip(slow[:3], plain[:3], strict=True):
        assert relative(one, other[:3]) < ROUNDING

    def failing(k):
        raise GoughError(f"sample {k}")

    with pytest.raises(GoughError, match="sample 0"):
        closed_states(r.assembly, some, failing)


@pytest.mark.usefixtures("strangers")
def test_strides_are_not_halved_without_end(monkeypatch):
    """Samples out of reach are given up after strides of a 64th, and `gough.state` says why."""
    monkeypatch.setattr(engine, "BATCH", 2)
    strides = []
    newton = Closer._newton

    def counting(self, *arguments, **options):
        strides.append(len(arguments[0].y))
        return newton(self, *arguments, **options)

    monkeypatch.setattr(Closer, "_newton", counting)
    with pytest.raises(UnreachablePose):
        motion.circle(fresh(), radius=0.5, duration=1.0)
    assert 0 < len(strides) < 500
