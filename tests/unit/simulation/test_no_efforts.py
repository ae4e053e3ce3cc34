"""Controllers and functions that have no answer end a run by name, and of a batch one machine."""

import numpy as np
import pytest

import gough
from gough import control, motion
from gough.errors import InputError

ROBOT = gough.zoo.load("five_bar")
HOME = ROBOT.home_pose
WEIGHT = gough.inverse_dynamics(ROBOT, HOME, loads=gough.Loads(friction=False))
FIRST, SECOND = ROBOT.motors
INTEGRATORS = pytest.mark.parametrize("integrator", ["rk4", "dop853"])
LATE = 0.0205


def odd_from_time(t, measured):
    tau = WEIGHT - 0.5 * measured.qd
    return tau if t < LATE else tau * [1.0, np.nan]


def silent_from_time(t, measured):
    if t >= LATE:
        raise InputError("the encoder is gone")
    return WEIGHT - 0.5 * measured.qd


def odd_in_time(t):
    return WEIGHT if t < LATE else np.add(WEIGHT, (np.inf, 0.0))


class Sampled:
    """Answers not a number for the machines whose first motor has gone forward."""

    period, delay, reference = 1e-3, 0.0, None

    def start(self, count):
        self.home = gough.inverse_kinematics(ROBOT, HOME)[0]

    def efforts(self, t, measured):
        tau = np.tile(WEIGHT, (len(measured.q), 1))
        tau[measured.q[:, 0] > self.home + 1e-3, 1] = np.nan
        return tau


@INTEGRATORS
@pytest.mark.parametrize(
    ("efforts", "said"),
    [
        (odd_from_time, f"the function answers nan for motor {SECOND!r}"),
        (silent_from_time, "the function says: the encoder is gone"),
        (odd_in_time, f"the function answers inf for motor {FIRST!r}"),
    ],
)
def test_no_answer_is_an_event(integrator, efforts, said):
    found = gough.simulate(ROBOT, HOME, efforts, 0.04, integrator=integrator)
    assert found.event.kind == "efforts"
    assert said in found.event.reason
    assert found.event.time == pytest.approx(LATE, abs=1e-8)
    assert found.t[-1] == pytest.approx(LATE, abs=1e-8)
    for array in (found.kinetic, found.tau, found.Vdot_0p):
        assert np.isfinite(array).all()


@INTEGRATORS
def test_of_a_batch_only_the_one_without_efforts_stops(integrator):
    x = ROBOT.assembly.chart.coordinates(HOME)[list(ROBOT.assembly.free)]
    forward = gough.state(ROBOT, x, [0.1, -0.2]).V_0p
    first = gough.motor_rates(ROBOT, gough.State(HOME, forward))[0]
    twists = np.stack([-forward, forward, -forward]) * np.sign(first)
    start = gough.State(np.stack([HOME] * 3), twists)
    found = gough.simulate(ROBOT, start, Sampled(), 0.05, integrator=integrator)
    assert [event is None for event in found.event] == [True, False, True]
    assert found.event[1].kind == "efforts"
    assert SECOND in found.event[1].reason
    alone = gough.simulate(
        ROBOT, gough.State(HOME, twists[1]), Sampled(), 0.05, integrator=integrator
    )
    assert alone.event == found.event[1]
    assert alone.t == pytest.approx(found[1].t)
    assert "1 of them stopped" in repr(found)

    def looking(t, measured):
        if (measured.q[:, 0] > alone.q[-1, 0]).any():
            raise InputError("too far")
        return np.tile(WEIGHT, (len(measured.q), 1))

    found = gough.simulate(ROBOT, start, looking, 0.05, integrator=integrator)
    assert [event is None for event in found.event] == [True, False, True]
    assert "too far" in found.event[1].reason
    assert np.isfinite(found.kinetic[[0, 2]]).all()


def test_at_the_start_it_is_an_error():
    for efforts in (lambda t: WEIGHT * np.nan, lambda t, measured: [0.0], lambda t: [t]):
        with pytest.raises(InputError, match="efforts"):
            gough.simulate(ROBOT, HOME, efforts, 0.01)


@pytest.mark.filterwarnings("ignore:.*energy is off:gough.GoughWarning")
@pytest.mark.parametrize("space", ["motors", "platform"])
@pytest.mark.parametrize("count", [0, 2])
def test_a_controller_that_diverges_ends_with_an_event(space, count):
    """Gains far beyond what the period allows: numbers grow, and nothing is raised."""
    task = motion.point_to_point(ROBOT, None, [0.05, 0.45], duration=0.3)
    heavier = control.perturb(ROBOT, masses=1.1)
    law = control.computed_torque(ROBOT, task, bandwidth=3000.0, period=1e-3, space=space)
    start = np.stack([task(0.0).T_0p] * count) if count else task(0.0)
    found = gough.simulate(heavier, start, law, 0.3)
    for event in found.event if count else (found.event,):
        assert event.time < 0.1
        assert "nan" not in event.reason
    assert np.isfinite(np.asarray(found.kinetic)[..., :5]).all()


def test_numbers_that_overflow_end_with_an_event():
    task = motion.hold(ROBOT, None, 0.1)
    law = control.joint_pd(ROBOT, task, kp=1e12, kd=1e300)
    x = ROBOT.assembly.chart.coordinates(HOME)[list(ROBOT.assembly.free)]
    found = gough.simulate(ROBOT, gough.state(ROBOT, x, [0.1, -0.2]), law, 0.1)
    assert found.event is not None
    assert np.isfinite(found.kinetic).all()


def test_advice_fits_the_integrator_in_use():
    from gough.simulation.events import Advice

    fixed = Advice("rk4", 1e-3, 0.0, controlled=False).too_long(1.0)
    assert "shorter than 0.001 s" in fixed
    assert "dop853" in fixed
    own = Advice("dop853", 0.1, 1e-6, controlled=True)
    assert "dop853" not in own.too_long(1.0) + own.too_short()
    assert "rtol below 1e-06" in own.too_long(1.0)
    assert "controller" in own.too_long(1.0)
    assert "300 of the machine's size" in Advice("rk4", 1e-2, 0.0, controlled=False).too_long(300.0)
