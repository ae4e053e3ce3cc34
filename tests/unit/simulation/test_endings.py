"""Runs that cannot go on, or not begin: each says its own reason, alone and in a batch."""

import numpy as np
import pytest

import gough
from gough.errors import FrozenFreedom, InputError, SingularInertia
from gough.simulation.events import Advice, ending
from machines import BASE, Drawing

DELTA = gough.zoo.load("delta")
HOME, STILL = DELTA.home_pose, np.zeros(6)
BOTH = pytest.mark.parametrize("integrator", ["rk4", "dop853"])


@pytest.fixture(scope="module")
def spinning():
    """A slider on a crank by a rod that can spin about its axis, and a torque across that axis."""
    d, ends = Drawing(5), np.array([[0.0, 0.0, 0.2], [0.5, 0.1, 0.0]])
    for name, at in (("crank", ends[0]), ("rod", ends.mean(axis=0)), ("slider", ends[1])):
        d.body(name, at)
    d.bodies[1] = gough.Body("rod", massless=True)
    d.joint("motor", "revolute", BASE, "crank", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    d.joint("big_end", "spherical", "crank", "rod", ends[0])
    d.joint("small_end", "spherical", "rod", "slider", ends[1])
    d.joint("rail", "prismatic", BASE, "slider", ends[1], (1.0, 0.0, 0.0))
    across = np.cross(ends[1] - ends[0], [0.0, 1.0, 0.0])
    torque = 50.0 * across / np.linalg.norm(across)
    robot = d.robot("slider_crank", "slider", ["motor"], ends[1])
    return robot, gough.Loads([gough.Force("rod", n=torque)])


@pytest.mark.parametrize(
    ("integrator", "batch"), [("rk4", False), ("rk4", True), ("dop853", False)]
)
@pytest.mark.filterwarnings("ignore:.*frozen in all models:gough.GoughWarning")
def test_a_load_that_comes_to_act_on_a_frozen_spin_is_named(spinning, integrator, batch):
    """The bar turns, and the torque is no longer across its axis: no step is to blame."""
    robot, loads = spinning
    home, V = robot.home_pose, np.array([-10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    start = gough.State(home, np.stack([V, 0.01 * V]) if batch else V)
    options = {"integrator": integrator, "rtol": 1e-5, "output_step": 3e-3}
    run = gough.simulate(robot, start, None, 6e-3, loads=loads, **options)
    event = run.event[0] if batch else run.event
    assert event.kind == "frozen"
    assert "of the loads act on a freedom that the platform does not feel" in event.reason
    assert 2e-3 < event.time < 5e-3
    assert not batch or run.event[1] is None
    # the reason is the one that inverse dynamics gives a little later
    later = home.copy()
    later[:3, 3] += V[:3] * 6e-3
    with pytest.raises(FrozenFreedom, match="of the loads act on a freedom"):
        gough.inverse_dynamics(robot, later, loads=loads)


@pytest.mark.parametrize(
    ("error", "kind"), [(FrozenFreedom, "frozen"), (SingularInertia, "inertia")]
)
def test_errors_that_are_the_reason_become_events_with_their_own_words(error, kind):
    advice = Advice("rk4", 1e-3, 0.0, controlled=False)
    told = ending(DELTA.assembly, error("this is why"), None, advice)
    assert told == (kind, "this is why")


@pytest.fixture(scope="module")
def stretched():
    """The lowest pose at which direct dynamics still answers."""

    def lowered(by):
        T = HOME.copy()
        T[2, 3] -= by
        return T

    low, high = 0.2, 0.22
    while high - low > 1e-13:
        middle = 0.5 * (low + high)
        found = gough.forward_dynamics(DELTA, lowered(middle), np.zeros(3), on_error="nan").Vdot_0p
        low, high = (middle, high) if np.isfinite(found).all() else (low, middle)
    return lowered(low)


@BOTH
def test_a_start_beside_type_1_is_an_event_at_once(stretched, integrator):
    """Direct dynamics answers there, but no step leads on: the start is all there is."""
    expected = gough.forward_dynamics(DELTA, stretched, np.zeros(3)).Vdot_0p
    alone = gough.simulate(DELTA, stretched, None, 0.01, integrator=integrator)
    assert (alone.event.time, alone.event.kind) == (0.0, "type_1")
    assert alone.t.tolist() == [0.0]
    assert alone.T_0p[0] == pytest.approx(stretched, abs=1e-12)
    assert alone.Vdot_0p[0] == pytest.approx(expected, abs=1e-6)
    # one of several does not keep the others from moving
    many = gough.simulate(DELTA, np.stack([HOME, stretched]), None, 0.01, integrator=integrator)
    assert many.event[0] is None
    assert many.event[1] == alone.event
    assert many[1].t.tolist() == [0.0]
    assert many[0].t[-1] == pytest.approx(0.01)


@BOTH
@pytest.mark.parametrize("output_step", [1e-9, 1e-12, 1e-300])
def test_more_instants_than_anyone_reads_are_refused_at_once(integrator, output_step):
    with pytest.raises(InputError, match="instants are too much to record") as told:
        gough.simulate(DELTA, HOME, None, 0.01, output_step=output_step, integrator=integrator)
    assert "longer output_step" in told.value.hint
    assert told.value.argument == "output_step"


def _servo(period):
    move = gough.motion.point_to_point(DELTA, None, HOME[:3, 3] + [0.0, 0.0, 0.02], duration=1.0)
    return gough.control.joint_pd(DELTA, move, kp=10.0, kd=1.0, period=period)


@pytest.mark.parametrize(
    ("asked", "period"),
    [({"step": 1e-9}, None), ({"step": 1e-320}, None), ({"t_end": 1e7}, None), ({}, 1e-9)],
    ids=["step", "smallest step", "end", "period"],
)
def test_more_steps_than_anyone_waits_for_are_refused_before_the_first(asked, period):
    """The error has their number, how many are taken, and what to do."""
    efforts = None if period is None else _servo(period)
    asked = {"t_end": 1.0} | asked
    with pytest.raises(
        InputError, match=r"are (1e\+09|1e\+10|inf) steps, more than 1e\+07"
    ) as told:
        gough.simulate(DELTA, HOME, efforts, **asked)
    assert "longer step" in told.value.hint


def test_steps_of_a_batch_count_for_every_machine():
    """1e6 steps are few for one machine, and a day's work for 2000 of them."""
    poses = np.broadcast_to(HOME, (2000, 4, 4))
    with pytest.raises(InputError, match=r"1e\+06 steps of 2000 machines, more than 5e\+05"):
        gough.simulate(DELTA, poses, None, 1.0, step=1e-6)


def test_samples_that_fill_the_memory_are_refused():
    move = gough.motion.point_to_point(DELTA, None, HOME[:3, 3] + [0.0, 0.0, 0.02], duration=1.0)
    with pytest.raises(InputError, match=r"1e\+07 samples, more than 5e\+06") as told:
        gough.analyse(DELTA, move, rate=1e7)
    assert "lower rate" in told.value.hint
    with pytest.raises(InputError, match=r"1e\+06 samples, more than 200000"):
        gough.elastic_motion(DELTA, move, rate=1e6, estimate=True)
