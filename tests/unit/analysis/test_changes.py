"""Samples at changes of loads: one on either side, wherever the change falls."""

import numpy as np
import pytest

import gough
from gough.analysis.changes import with_changes
from gough.motion.motion import Samples


def line(t):
    """A motion along x whose acceleration jumps at 0.25 s; only what is moved here matters."""
    t = np.asarray(t, dtype=float)
    T = np.broadcast_to(np.eye(4), (*t.shape, 4, 4)).copy()
    T[..., 0, 3] = t
    V, Vdot = np.zeros((*t.shape, 6)), np.zeros((*t.shape, 6))
    Vdot[..., 0] = np.where(t < 0.25, 1.0, -1.0)
    return gough.State(T, V, Vdot)


T = np.linspace(0.0, 1.0, 11)
TRACK = Samples(T, line(T))


def scheduled(*times):
    return gough.LoadSchedule([gough.TimedLoad(gough.Payload(1.0), *times)])


@pytest.mark.parametrize(
    ("times", "more"),
    [
        ((0.25, 0.4), 3),
        ((0.1 + 0.2, 0.55), 3),
        ((0.0, 1.0), 1),
        ((-1.0, 2.0), 0),
        ((0.25, 0.27), 4),
    ],
)
def test_a_motion_is_asked_on_either_side_of_a_change(times, more):
    found = with_changes(line, TRACK, scheduled(*times))
    assert len(found.track.t) == len(TRACK.t) + more
    assert (np.diff(found.track.t) > 0.0).all()
    assert set(TRACK.t) <= set(found.track.t)
    inside = [t for t in times if 0.0 < t <= 1.0]
    assert found.track.t[found.breaks] == pytest.approx(inside, abs=1e-15)
    mass = scheduled(*times).at(found.when).payload.mass
    assert np.abs(np.diff(mass))[found.breaks - 1].tolist() == [1.0] * len(inside)
    assert np.abs(np.diff(mass)).sum() == len(inside)
    assert found.track.state == line(found.track.t)  # accelerations of before a change, too


def test_samples_change_at_the_first_one_that_is_not_before():
    found = with_changes(TRACK, TRACK, scheduled(0.25, 0.4))
    assert found.track.t[found.breaks] == pytest.approx([0.3, 0.4])
    mass = scheduled(0.25, 0.4).at(found.when).payload.mass
    assert mass.tolist() == [0.0] * 4 + [1.0] * 2 + [0.0] * 7
    assert found.track.T_0p[3, 0, 3] == found.track.T_0p[4, 0, 3] == 0.30000000000000004
    both = with_changes(TRACK, TRACK, scheduled(0.22, 0.27))  # between two samples: an instant
    mass = scheduled(0.22, 0.27).at(both.when).payload.mass
    assert mass.tolist() == [0.0] * 4 + [1.0] + [0.0] * 8
    assert both.breaks.tolist() == [4, 5]
    assert (np.diff(both.track.t) > 0.0).all()
