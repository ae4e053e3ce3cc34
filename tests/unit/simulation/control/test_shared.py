"""One controller for many simulations at once: the runs of one after the other, bit by bit."""

import numpy as np
import pytest

import gough
from crossings import five_bar, upwards
from gough import control, motion
from gough.simulation.control import calls
from gough.singularity.crossing import crossing, crossing_control
from together import together

ROBOT = gough.zoo.load("five_bar")
HOME = np.array(ROBOT.home_pose[:2, 3])
MOVE = motion.point_to_point(ROBOT, HOME, HOME + np.array([0.02, -0.03]), duration=0.05)
RUNS = 6

CONTROLLERS = {
    "joint_pd": lambda: control.joint_pd(ROBOT, MOVE, bandwidth=60.0),
    "motors": lambda: control.computed_torque(ROBOT, MOVE, bandwidth=60.0),
    "platform": lambda: control.computed_torque(ROBOT, MOVE, bandwidth=60.0, space="platform"),
    "encoders": lambda: control.computed_torque(
        ROBOT, MOVE, bandwidth=60.0, period=1e-3, delay=1e-3, quantisation=1e-5, noise=1e-4
    ),
}


def run(controller, k: int) -> gough.Simulation:
    """Simulations that differ in what is carried, in time and in how many they are."""
    start = MOVE(0.0)
    if k % 2:
        start = gough.State.stack([start] * 3)
    return gough.simulate(
        ROBOT, start, controller, 0.03 + 0.002 * k, loads=gough.Loads(payload=0.05 * (k + 1))
    )


def same(one: gough.Simulation, other: gough.Simulation) -> bool:
    names = ("t", "T_0p", "V_0p", "tau", "q", "qd")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("name", CONTROLLERS)
def test_threads_share_a_controller(name):
    for k in range(RUNS):  # from now on programs are there, which round in their own way
        run(CONTROLLERS[name](), k)
    controller = CONTROLLERS[name]()
    alone = [run(CONTROLLERS[name](), k) for k in range(RUNS)]
    after = [run(controller, k) for k in range(RUNS)]
    at_once = together(RUNS, lambda k: run(controller, k))
    for one, two, three in zip(alone, after, at_once, strict=True):
        assert same(one, two)
        assert same(one, three)


def test_threads_share_a_controller_that_crosses_singularities():
    robot, move = five_bar(), upwards()
    controller = crossing_control(
        robot, move, bandwidth=40.0, period=1e-3, plan=crossing(robot, move, rate=60.0)
    )

    def cross(k: int) -> gough.Simulation:
        given = {"loads": gough.Loads(payload=0.01 * (k + 1)), "stop_at": ()}
        return gough.simulate(robot, move(0.0), controller, 0.1, **given)

    alone = [cross(k) for k in range(3)]
    for one, other in zip(alone, together(3, cross), strict=True):
        assert same(one, other)


class Own:
    """A controller of a user's, by the documented protocol, with memory."""

    period, delay, reference = 1e-3, 0.0, None

    def __init__(self) -> None:
        self.started, self.seen = [], 0

    def start(self, count: int) -> None:
        self.started.append(count)
        self.seen = 0

    def efforts(self, t: float, measured) -> np.ndarray:
        self.seen += 1
        return np.zeros((len(measured.q), 2))


def test_controllers_of_users_are_started_themselves():
    own = Own()
    gough.simulate(ROBOT, MOVE(0.0), own, 0.01)
    assert own.started == [1]
    assert own.seen in (10, 11)


class Begun(Own):
    """One that makes a run of its own for each simulation."""

    def begin(self, count: int) -> Own:
        run = Own()
        run.start(count)
        self.run = run
        return run


def test_controllers_of_users_may_begin_runs():
    own = Begun()
    gough.simulate(ROBOT, MOVE(0.0), own, 0.01)
    assert (own.started, own.seen) == ([], 0)
    assert own.run.started == [1]
    assert own.run.seen in (10, 11)


def test_a_loop_is_used_by_hand_as_before():
    loop = CONTROLLERS["encoders"]()
    T, V, _ = MOVE(0.0).arrays
    q = gough.inverse_kinematics(ROBOT, T)
    seen = control.Measured(T[None], V[None], q[None], np.zeros((1, 2)))
    answers = []
    for _ in range(2):
        loop.start(1)
        loop.prepare(np.array([0.0, 1e-3]))
        answers.append([loop.efforts(t, seen) for t in (0.0, 1e-3)])
    assert np.array_equal(answers[0], answers[1])
    assert answers[0][0].shape == (1, 2)


def test_encoders_are_followed_without_the_reference(monkeypatch):
    """A pose nearby takes Newton's steps of the kernel, and not milliseconds of NumPy."""
    asked = []
    reference = calls.state_from_motors

    def counting(*arguments, **options):
        asked.append(arguments)
        return reference(*arguments, **options)

    monkeypatch.setattr(calls, "state_from_motors", counting)
    for k in range(2):
        run(CONTROLLERS["motors"](), k)
    assert not asked
