"""Loads that change in time, as users give them: what acts when, and what is refused."""

import numpy as np
import pytest

import gough
from gough.errors import InputError
from robots import robot

BOX = gough.Payload(0.3, (0.0, 0.1, -0.05), 1e-3 * np.diag([1.0, 2.0, 2.5]))
PUSH = gough.Force("platform", (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (0.01, 0.0, 0.0))


def test_a_load_acts_from_its_start_until_just_before_its_end():
    schedule = gough.LoadSchedule(
        [gough.TimedLoad(BOX, 0.1, 0.3), gough.TimedLoad(PUSH, start=0.2), PUSH]
    )
    t = np.array([[0.0, 0.1, 0.2], [0.25, 0.3, 9.0]])
    loads = schedule.at(t)
    assert loads.payload.mass.tolist() == [[0.0, 0.3, 0.3], [0.3, 0.0, 0.0]]
    assert loads.payload.inertia.shape == (2, 3, 3, 3)
    late, always = loads.forces
    assert late.f[..., 0].tolist() == [[0.0, 0.0, 1.0], [1.0, 1.0, 1.0]]
    assert late.n[..., 2].tolist() == [[0.0, 0.0, 0.3], [0.3, 0.3, 0.3]]
    assert (always.f == PUSH.f).all()
    assert (late.point == PUSH.point).all()
    one = schedule.at(0.2)
    assert one.payload.mass.shape == ()
    assert (one.payload.center == BOX.center).all()
    assert schedule.jumps.tolist() == [0.1, 0.2, 0.3]


def test_times_that_differ_by_rounding_are_one():
    """0.1 + 0.2 is not 0.3: the second takes over from the first, and nothing is in between."""
    parts = [gough.TimedLoad(BOX, 0.1, 0.3), gough.TimedLoad(gough.Payload(2.0), 0.1 + 0.2)]
    schedule = gough.LoadSchedule(parts)
    assert len(schedule.jumps) == 2
    times = [0.3 - 2e-9, np.nextafter(0.3, 0.0), 0.3, 0.1 + 0.2, np.nextafter(0.3, 1.0)]
    assert schedule.at(times).payload.mass.tolist() == [0.3, 2.0, 2.0, 2.0, 2.0]


def test_payloads_that_are_carried_together_are_one_body():
    other = gough.Payload(1.2, (0.2, 0.0, 0.0))
    both = gough.LoadSchedule([BOX, gough.TimedLoad(other, 1.0)]).at([0.0, 2.0]).payload
    assert both.mass == pytest.approx([0.3, 1.5])
    center = (0.3 * BOX.center + 1.2 * other.center) / 1.5
    assert both.center[1] == pytest.approx(center)

    def about_origin(m, c, inertia):
        return inertia + m * (c @ c * np.eye(3) - np.outer(c, c))

    whole = about_origin(0.3, BOX.center, BOX.inertia) + about_origin(1.2, other.center, 0.0)
    assert about_origin(1.5, both.center[1], both.inertia[1]) == pytest.approx(whole)
    assert (both.inertia[0] == BOX.inertia).all()


def test_forces_by_table_and_function():
    table = gough.Force("platform", [[0, 0, 0], [2, 0, 0], [2, 4, 0]], n=(0, 0, 1.0))
    by_table = gough.TimedLoad(table, end=3.0, times=[0.0, 1.0, 2.0])
    by_function = gough.TimedLoad(lambda t: gough.Force("arm1", (0, 0, t)), 0.5)
    f, g = gough.LoadSchedule([by_table, by_function]).at([-1.0, 0.25, 1.5, 2.5, 3.0]).forces
    assert f.f.tolist() == [[0, 0, 0], [0.5, 0, 0], [2, 2, 0], [2, 4, 0], [0, 0, 0]]
    assert f.n[:, 2].tolist() == [1, 1, 1, 1, 0]
    assert g.f[:, 2].tolist() == [0, 0, 1.5, 2.5, 3.0]


def test_it_says_what_acts_when():
    parts = [gough.TimedLoad(BOX, 0.1, 0.3), gough.TimedLoad(PUSH, end=2), gough.Payload(1)]
    schedule = gough.LoadSchedule(parts, friction=False)
    assert schedule.lines() == [
        ("payload", "0.3 kg at (0, 0.1, -0.05) m from 0.1 s to 0.3 s"),
        ("payload", "1 kg"),
        ("force", "(1, 2, 3) N and (0.1, 0.2, 0.3) N m on platform to 2 s"),
        ("left out", "friction"),
    ]
    assert "0.3 kg" in str(schedule)
    assert schedule.never(0.0, 1.0) == []
    assert "does not act between 5 s and 9 s" in schedule.never(5.0, 9.0)[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: gough.TimedLoad(BOX, 0.3, 0.1), "ends at 0.1 s, not after its start at 0.3 s"),
        (lambda: gough.TimedLoad(BOX, np.nan), "start"),
        (lambda: gough.TimedLoad(2.0), "expected gough.Payload"),
        (lambda: gough.TimedLoad(gough.Payload([1, 2])), "does not change while it is carried"),
        (lambda: gough.TimedLoad(BOX, times=[0, 1]), "does not change while it is carried"),
        (lambda: gough.TimedLoad(gough.Payload(-1)), "payload.mass is -1"),
        (lambda: gough.TimedLoad(gough.Force("x", [[0, 0, 1]] * 3)), "expected \\(3,\\)"),
        (lambda: gough.TimedLoad(PUSH, times=[0, 2, 1]), "do not increase at row 2"),
        (lambda: gough.TimedLoad(PUSH, times=[0]), "two instants"),
        (lambda: gough.LoadSchedule(BOX), "expected a list of gough.TimedLoad"),
        (lambda: gough.LoadSchedule([2.0]), "expected a list of gough.TimedLoad"),
        (lambda: gough.LoadSchedule([], friction="no"), "loads.friction"),
        (lambda: gough.LoadSchedule([gough.TimedLoad(lambda t: t)]).at(1), "answers 1.0 at 1 s"),
        (lambda: gough.LoadSchedule([BOX]).at("x"), "t is not an array"),
        (
            lambda: gough.LoadSchedule(
                [gough.TimedLoad(lambda t: gough.Force("a" if t < 1 else "b"))]
            ).at([0.0, 2.0]),
            "one on 'b' at 2 s",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()


def test_functions_that_know_no_time_refuse_it():
    r, schedule = robot("delta"), gough.LoadSchedule([gough.TimedLoad(BOX, 0.1, 0.3)])
    T, V = r.home_pose, np.zeros(6)
    for call in (
        lambda: gough.inverse_dynamics(r, gough.State(T, V, V), loads=schedule),
        lambda: gough.compile(r, "inverse_dynamics", loads=schedule),
        lambda: gough.workspace(r, loads=schedule),
        lambda: gough.crossing(r, gough.motion.hold(r), loads=schedule),
    ):
        with pytest.raises(InputError, match=r"loads is a gough\.LoadSchedule") as caught:
            call()
        assert "schedule.at(t)" in caught.value.hint
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, gough.State(T, V, V), loads=schedule.at([0.0, 0.2]))
    assert np.abs(tau[1] - tau[0]).min() > 0.1
