"""Controllers: exact models track exactly, wrong ones as far off as theory says."""

import numpy as np
import pytest

import gough
from gough import control, motion
from gough.errors import InputError
from swinging import without_friction

DELTA = without_friction(gough.zoo.load("delta"))
HOME = np.array(DELTA.home_pose[:3, 3])
AIM = HOME + np.array([0.03, -0.02, -0.04])
MOVE = motion.point_to_point(DELTA, HOME, AIM, duration=0.4).then(motion.hold(DELTA, AIM, 0.4))
START = MOVE(0.0)
HEAVY = control.perturb(DELTA, masses=1.1)


@pytest.mark.parametrize("space", ["motors", "platform"])
def test_the_exact_model_tracks_to_rounding(space):
    controller = control.computed_torque(DELTA, MOVE, space=space, bandwidth=60.0)
    found = gough.simulate(DELTA, START, controller, 0.4, integrator="dop853", output_step=0.02)
    assert found.event is None
    assert found.tracking.position.max() < 1e-10
    assert np.abs(found.tracking.motors).max() < 1e-9


def test_wrong_masses_cost_what_theory_says_and_pd_costs_more():
    """At rest ``M kp e = 0.1 c``: the weight that the model does not know."""
    bandwidth = 60.0
    controller = control.computed_torque(DELTA, MOVE, space="platform", bandwidth=bandwidth)
    found = gough.simulate(HEAVY, START, controller, 0.8)
    end = MOVE(0.8).T_0p
    M, weight = gough.inertia_matrix(DELTA, end), gough.gravity_wrench(DELTA, end)
    expected = 0.1 * np.linalg.solve(M, weight) / bandwidth**2
    assert end[:3, 3] - found.T_0p[-1, :3, 3] == pytest.approx(
        expected, abs=1e-3 * abs(expected).max()
    )
    springs = control.joint_pd(DELTA, MOVE, bandwidth=bandwidth)
    alone = gough.simulate(HEAVY, START, springs, 0.8)
    weightless = control.joint_pd(DELTA, MOVE, bandwidth=bandwidth, gravity=False)
    bare = gough.simulate(HEAVY, START, weightless, 0.8)
    worst = [sim.tracking.position.max() for sim in (found, alone, bare)]
    assert worst[0] < worst[1] < worst[2]


def test_sampling_and_delay_cost_accuracy():
    worst = []
    for period, delay in ((1e-3, 0.0), (4e-3, 0.0), (4e-3, 4e-3)):
        controller = control.computed_torque(
            DELTA, MOVE, bandwidth=60.0, period=period, delay=delay
        )
        found = gough.simulate(DELTA, START, controller, 0.4)
        worst.append(found.tracking.position.max())
        held = found.tau[:: round(period / 1e-3)]
        assert len(np.unique(found.tau[:, 0])) <= len(held) + 1
    assert 1e-9 < worst[0] < worst[1] < worst[2]


def test_efforts_act_after_their_delay():
    controller = control.joint_pd(DELTA, MOVE, kp=10.0, kd=0.1, period=2e-3, delay=1e-3)
    found = gough.simulate(DELTA, START, controller, 0.01)
    assert (found.tau[0] == 0.0).all()
    assert (found.tau[1] != 0.0).all()
    assert (found.tau[1] == found.tau[2]).all()
    assert (found.tau[3] != found.tau[2]).any()


def test_saturation_bounds_efforts():
    controller = control.joint_pd(DELTA, MOVE, bandwidth=60.0, saturation=0.3, period=1e-3)
    found = gough.simulate(DELTA, START, controller, 0.2)
    assert np.abs(found.tau).max() == pytest.approx(0.3)


def test_encoders_have_steps_and_noise_that_repeats():
    def run(**options):
        controller = control.joint_pd(DELTA, MOVE, bandwidth=40.0, period=1e-3, **options)
        return gough.simulate(DELTA, START, controller, 0.1)

    fine, coarse = run(), run(quantisation=1e-3)
    noisy, again, other = run(noise=1e-4), run(noise=1e-4), run(noise=1e-4, seed=1)
    assert (noisy.tau == again.tau).all()
    assert (noisy.tau != other.tau).any()
    assert np.abs(coarse.tau - fine.tau).max() > 1e-3
    assert np.std(np.diff(noisy.tau[:, 0])) > 3.0 * np.std(np.diff(fine.tau[:, 0]))


def test_a_batch_is_controlled_as_one():
    controller = control.computed_torque(DELTA, MOVE, bandwidth=60.0, period=1e-3)
    factors = np.array([1.0, 1.1])
    masses = factors[:, None] * [body.mass for body in DELTA.bodies]
    inertias = factors[:, None, None, None] * np.array([body.inertia for body in DELTA.bodies])
    both = gough.simulate(
        DELTA, START, controller, 0.1, parameters={"masses": masses, "inertias": inertias}
    )
    alone = gough.simulate(HEAVY, START, controller, 0.1)
    assert both.tau[1] == pytest.approx(alone.tau, abs=1e-9)
    assert both.tracking.position[1] == pytest.approx(alone.tracking.position, abs=1e-12)


def test_redundant_motors_are_controlled():
    robot = without_friction(gough.zoo.load("four_rrr"))
    x = robot.assembly.chart.coordinates(robot.home_pose)[list(robot.assembly.free)]
    move = motion.point_to_point(robot, x, x + np.array([0.02, 0.01, 0.05]), duration=0.2)
    controller = control.computed_torque(robot, move, space="platform", bandwidth=50.0)
    found = gough.simulate(robot, move(0.0), controller, 0.2)
    assert found.tracking.position.max() < 1e-8


def test_perturbed_scales_what_it_is_told():
    robot = gough.zoo.load("delta")
    name = robot.bodies[0].name
    other = control.perturb(robot, masses={name: 2.0}, inertias=1.0, friction=0.5)
    assert other.bodies[0].mass == 2.0 * robot.bodies[0].mass
    assert other.bodies[0].inertia == robot.bodies[0].inertia
    assert other.bodies[1].mass == robot.bodies[1].mass
    axis = robot.motors[0]
    assert other.axis(axis).viscous == 0.5 * robot.axis(axis).viscous


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: control.joint_pd(DELTA, MOVE), "kp"),
        (lambda: control.joint_pd(DELTA, MOVE, kp=-1.0, kd=1.0), "kp"),
        (lambda: control.joint_pd(DELTA, MOVE, kp=1.0, kd=1.0, bandwidth=3.0), "bandwidth"),
        (lambda: control.joint_pd(DELTA, MOVE, bandwidth=0.0), "bandwidth"),
        (lambda: control.computed_torque(DELTA, MOVE, bandwidth=9.0, space="joints"), "space"),
        (lambda: control.computed_torque(DELTA, MOVE, bandwidth=9.0, delay=1e-3), "sampled"),
        (lambda: control.computed_torque(DELTA, MOVE, bandwidth=9.0, period=0.0), "period"),
        (lambda: control.computed_torque(DELTA, MOVE, bandwidth=9.0, saturation="max"), "limits"),
        (lambda: control.computed_torque(DELTA, 3.0, bandwidth=9.0), "motion"),
        (lambda: control.perturb(DELTA, masses={"rod": 1.1}), "rod"),
        (lambda: control.perturb(DELTA, masses=np.nan), "factor"),
    ],
)
def test_what_makes_no_sense_is_refused(make, word):
    with pytest.raises(InputError) as error:
        make()
    assert word in str(error.value)


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_controller_that_fails_leaves_what_was_there(integrator):
    class Failing:
        period, delay, reference = 1e-3, 0.0, None

        def start(self, count):
            self.looks = 0

        def efforts(self, t, measured):
            self.looks += 1
            if self.looks > 20:
                raise InputError("the camera is blind")
            return np.zeros((len(measured.q), 3))

    found = gough.simulate(DELTA, START, Failing(), 0.1, integrator=integrator)
    assert found.event.kind == "efforts"
    assert "blind" in found.event.reason
    assert found.t[-1] == pytest.approx(0.0195, abs=6e-4)
    assert np.isfinite(found.kinetic).all()
