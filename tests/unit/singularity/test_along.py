"""Meetings of motions with singularities: times against formulas, also between samples."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import InputError
from gough.motion import Motion
from gough.singularity import course
from gough.singularity.along import singularities_along
from gough.singularity.course import Course
from gough.singularity.roots import zeros
from numbers_robots import gs_ref
from robots import robot


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    """What lies between samples is found all the same."""
    monkeypatch.setattr(course, "FEWEST", 42)
    monkeypatch.setattr(singularities_along, "__kwdefaults__", _with_rate(singularities_along))


def _with_rate(function):
    return {**function.__kwdefaults__, "rate": 40.0}


def turning(amplitude, centre=(0.0, 0.0, 2.0)):
    """GS-REF turned about z there and back, ``amplitude sin(pi t)``, in a second."""

    def evaluate(t):
        T = np.zeros((len(t), 4, 4))
        T[:] = spatial.pose(np.eye(3), np.array(centre))
        T[:, :3, :3] = [spatial.rotation_z(a) for a in amplitude * np.sin(np.pi * t)]
        V = np.zeros((len(t), 6))
        V[:, 5] = amplitude * np.pi * np.cos(np.pi * t)
        return gough.State(T, V)

    return Motion(gs_ref(), 1.0, "there and back", evaluate)


def straight(r, T_0p, way):
    """A platform moved along a line there and back, ``sin(pi t)``."""

    def evaluate(t):
        T = np.broadcast_to(T_0p, (len(t), 4, 4)).copy()
        T[:, :3, 3] += np.sin(np.pi * t)[:, None] * np.array(way)
        return gough.State(T)

    return Motion(r, 1.0, "there and back", evaluate)


@pytest.mark.parametrize(
    ("figure", "expected"),
    [
        (lambda t: t - 0.37, [(0.37, True)]),
        (lambda t: (t - 0.371) ** 2, [(0.371, False)]),
        (lambda t: abs(t - 0.371), [(0.371, False)]),
        (lambda t: (t - 0.371) * (t - 0.3722), [(0.371, True), (0.3722, True)]),
        (lambda t: (t - 0.371) ** 2 + 1e-4, []),
        (lambda t: np.cos(40.0 * t) + 1.5, []),
        (lambda t: np.sqrt(abs(t - 0.371)), [(0.371, False)]),
        (lambda t: t, [(0.0, False)]),
        (lambda t: (t - 0.4) ** 3, [(0.4, True)]),
    ],
)
def test_zeros_of_a_figure(figure, expected):
    t = np.linspace(0.0, 1.0, 101)
    found = zeros(t, np.array([figure(s) for s in t]), figure, 1e-9)
    assert [zero.crossing for zero in found] == [crossing for _, crossing in expected]
    for zero, (time, _) in zip(found, expected, strict=True):
        assert zero.time == pytest.approx(time, abs=1e-9 if figure(0.4) else 1e-2)


def test_a_stay_is_one_zero():
    t = np.linspace(0.0, 1.0, 101)
    values = np.where((t > 0.3) & (t < 0.5), 0.0, 1.0)
    (found,) = zeros(t, values, lambda s: 0.0 if 0.3 < s < 0.5 else 1.0, 1e-9)
    assert (found.time, found.until) == pytest.approx((0.31, 0.49))


def test_crossings_between_samples():
    """Past Fichter's pose by so little that both crossings lie between two samples."""
    amplitude = 0.5 * np.pi * (1.0 + 1e-5)
    seen = Course(gs_ref().assembly, turning(amplitude), samples=201)
    found = seen.type_2_zeros()
    first = np.arcsin(0.5 * np.pi / amplitude) / np.pi
    assert [zero.time for zero in found] == pytest.approx([first, 1.0 - first], abs=1e-9)
    assert 1.0 - 2.0 * first < 1.0 / 41.0
    for zero in found:
        assert zero.crossing
        look = seen.look(zero.time)
        J = gough.inverse_jacobian(gs_ref(), look.state.T_0p)
        assert np.abs(J @ look.softest).max() < 1e-9  # J_inv t_s = 0


def test_a_touch_is_no_crossing():
    found = singularities_along(gs_ref(), turning(0.5 * np.pi))
    (event,) = found.events
    assert (event.kind, event.crossing) == ("Type 2", False)
    assert event.time == pytest.approx(0.5, abs=1e-6)  # flat: known to a root of the rounding
    assert "screw about the axis through (0, 0, 2) m along z" in event.sentence
    assert set(found.sign) <= {-1.0, 0.0, 1.0}
    json.dumps(found.to_dict())


def test_reach_ends_at_a_stretched_leg():
    r = robot("delta")
    home = r.home_pose
    along = np.array([np.cos(1.9), 0.0, -np.sin(1.9)])
    way = np.array([0.11, 0.0, 0.0]) + 0.68 * along - home[:3, 3]
    found = singularities_along(r, straight(r, home, 1.05 * way))
    leaves = np.arcsin(1.0 / 1.05) / np.pi
    assert [event.time for event in found.events] == pytest.approx([leaves, 1 - leaves], abs=1e-5)
    for event in found.events:
        assert (event.kind, event.border) == ("Type 1", True)
        assert [leg.leg for leg in event.found.type_1.loose] == ["arm1"]
    assert found.failed.any()
    assert np.isnan(found.type_2[found.failed]).all()


def test_constraint_singularity_on_the_way():
    r = robot("dymo")
    start = spatial.pose(np.eye(3), np.array([0.1, 0.0, 0.5]))
    found = singularities_along(r, straight(r, start, [-0.2, 0.0, 0.0]))
    assert [event.kind for event in found.events] == ["constraint", "constraint"]
    assert [event.time for event in found.events] == pytest.approx([1 / 6, 5 / 6], abs=1e-8)


def test_arguments():
    r = gs_ref()
    with pytest.raises(InputError, match="the motion is of 'gs_ref'"):
        singularities_along(robot("five_bar"), turning(0.1))
    for bad in (
        {"samples": 1},
        {"samples": 40.0},
        {"samples": 10**6},
        {"length": -1.0},
        {"tolerance": 0},
    ):
        with pytest.raises(InputError):
            singularities_along(r, turning(0.1), **bad)
    with pytest.raises(InputError, match="has no T_0p"):
        singularities_along(r, SimpleNamespace(t=np.arange(5.0)))
    with pytest.raises(InputError):
        Course(r.assembly, None)
