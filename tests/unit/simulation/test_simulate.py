"""gough.simulate: batches, parameters, drives, events, records, and what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import InconsistentPose, InputError, UnreachablePose
from swinging import beside_home, on_springs

ROBOT = gough.zoo.load("five_bar")
PUSH = np.array([1.0, 0.0])
HOME = ROBOT.home_pose
WEIGHT = gough.inverse_dynamics(ROBOT, HOME, loads=gough.Loads(friction=False))


def bounded(robot: gough.Robot, name: str, low: float, high: float) -> gough.Robot:
    def limited(axis_name: str, axis: gough.Axis) -> gough.Axis:
        if axis_name != name:
            return axis
        return replace(axis, limits=replace(axis.limits, position=(low, high)))

    joints = [replace(j, axes=tuple(map(limited, j.axis_names, j.axes))) for j in robot.joints]
    return replace(robot, joints=tuple(joints))


def test_a_machine_at_rest_under_its_weight_stays():
    found = gough.simulate(ROBOT, HOME, WEIGHT, 0.1)
    assert found.event is None
    assert len(found.t) == 101
    assert np.abs(found.T_0p - HOME).max() < 1e-12
    assert found.q[-1] == pytest.approx(gough.inverse_kinematics(ROBOT, HOME))


def test_the_first_instant_is_what_forward_dynamics_says():
    T = beside_home(ROBOT, 0.03)
    found = gough.simulate(ROBOT, T, [0.1, -0.2], 0.01)
    with gough.options(engine="numpy"):
        expected = gough.forward_dynamics(ROBOT, T, np.array([0.1, -0.2])).Vdot_0p
    assert found.Vdot_0p[0] == pytest.approx(expected, rel=1e-9)
    # a step later, to the order of the step
    assert found.V_0p[1] == pytest.approx(expected * 1e-3, rel=0.05, abs=1e-6)


def test_a_batch_is_its_members_and_parameters_are_other_robots():
    starts = np.stack([beside_home(ROBOT, a) for a in (0.01, 0.03)])
    efforts = np.array([[0.1, 0.0], [0.0, -0.1]])
    factors = np.array([1.0, 1.3])
    masses = factors[:, None] * [body.mass for body in ROBOT.bodies]
    inertias = factors[:, None, None, None] * np.array([body.inertia for body in ROBOT.bodies])
    figures = {"masses": masses, "inertias": inertias}
    # one speed for all: another robot would have another one that its steps can follow
    many = gough.simulate(
        ROBOT, starts, efforts, 0.05, parameters=figures, loads=gough.Loads(smoothing=0.01)
    )
    assert many.T_0p.shape == (2, 51, 4, 4)
    assert many.event == (None, None)
    for i, factor in enumerate(factors):
        robot = gough.control.perturb(ROBOT, masses=float(factor))
        one = gough.simulate(robot, starts[i], efforts[i], 0.05, loads=gough.Loads(smoothing=0.01))
        assert many[i].T_0p == pytest.approx(one.T_0p, abs=1e-12)
        assert many[i].kinetic == pytest.approx(one.kinetic, abs=1e-12)
    both = gough.simulate(ROBOT, starts, efforts, 0.02, integrator="dop853")
    assert both[1].T_0p[-1] == pytest.approx(
        gough.simulate(ROBOT, starts[1], efforts[1], 0.02, integrator="dop853").T_0p[-1], abs=1e-12
    )


def test_in_a_batch_one_stops_and_the_others_go_on():
    home = gough.inverse_kinematics(ROBOT, HOME)
    robot = bounded(ROBOT, ROBOT.motors[0], home[0] - 0.1, home[0] + 0.1)
    efforts = np.stack([WEIGHT, WEIGHT + PUSH])
    found = gough.simulate(robot, np.stack([HOME, HOME]), efforts, 0.2)
    assert found.event[0] is None
    assert found.event[1].kind == "limits"
    assert np.isfinite(found.kinetic[0]).all()
    last = found[1]
    assert len(last.t) < len(found.t)
    assert np.isfinite(last.kinetic).all()
    assert last.q[-1, 0] == pytest.approx(home[0] + 0.1, abs=0.02)


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_limit_is_met_at_its_instant(integrator):
    home = gough.inverse_kinematics(ROBOT, HOME)
    robot = bounded(ROBOT, ROBOT.motors[0], -10.0, home[0] + 0.1)
    found = gough.simulate(robot, HOME, WEIGHT + PUSH, 1.0, integrator=integrator)
    assert found.event.kind == "limits"
    assert ROBOT.motors[0] in found.event.reason
    assert "upper" in found.event.reason
    assert found.q[-1, 0] == pytest.approx(home[0] + 0.1, abs=1e-6)
    free = gough.simulate(robot, HOME, WEIGHT + PUSH, found.event.time + 0.02, stop_at=())
    assert free.event is None
    assert free.q[-1, 0] > home[0] + 0.1


def test_type_2_stops_unless_it_is_told_not_to():
    found = gough.simulate(ROBOT, HOME, None, 0.4, stop_at=("type_2",))
    assert found.event.kind == "type_2"
    J = gough.inverse_jacobian(ROBOT, found.T_0p[-1])
    before = gough.inverse_jacobian(ROBOT, found.T_0p[0])
    assert abs(np.linalg.det(J)) < 1e-6 * abs(np.linalg.det(before))
    beyond = gough.simulate(ROBOT, HOME, None, found.event.time + 0.01, stop_at=())
    assert beyond.event is None


def test_efforts_come_as_arrays_tables_functions_and_controllers():
    t = np.linspace(0.0, 0.1, 11)
    ramp = WEIGHT + t[:, None] * [1.0, -2.0]

    def of_time(at: float) -> np.ndarray:
        return WEIGHT + at * np.array([1.0, -2.0])

    by_table = gough.simulate(ROBOT, HOME, (t, ramp), 0.1)
    by_function = gough.simulate(ROBOT, HOME, of_time, 0.1)
    assert by_table.T_0p[-1] == pytest.approx(by_function.T_0p[-1], abs=1e-14)
    assert by_table.tau[50] == pytest.approx(of_time(0.05))

    def damped(_: float, measured: gough.control.Measured) -> np.ndarray:
        assert measured.q.shape == (2,)
        return WEIGHT - 2.0 * measured.qd

    slowed = gough.simulate(ROBOT, gough.State(HOME, found_twist()), damped, 0.2)
    assert slowed.kinetic[-1] < 0.5 * slowed.kinetic[0]
    assert slowed.tau == pytest.approx(WEIGHT - 2.0 * slowed.qd)


def found_twist() -> np.ndarray:
    x = ROBOT.assembly.chart.coordinates(HOME)[list(ROBOT.assembly.free)]
    return gough.state(ROBOT, x, [0.1, -0.2]).V_0p


def crank() -> gough.Robot:
    """One body on an axle of its own, with 0.1 kg m^2."""
    body = gough.Body("wheel", mass=1.0, inertia=((0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)))
    axle = gough.Joint("axle", "revolute", "base", "wheel")
    return gough.Robot("wheel", (body,), (axle,), "wheel", motors=("axle",))


def test_turns_are_counted():
    wheel = crank()
    found = gough.simulate(wheel, np.eye(4), [1.0], 3.0, step=0.01)
    assert found.q[-1, 0] == pytest.approx(0.5 * 10.0 * 9.0, rel=1e-5)
    assert found.qd[-1, 0] == pytest.approx(30.0, rel=1e-9)
    coarse = gough.simulate(wheel, np.eye(4), [1.0], 3.0, step=0.01, output_step=0.5)
    assert coarse.q[-1, 0] == pytest.approx(45.0, rel=1e-5)


def test_records_are_as_dense_as_asked():
    found = gough.simulate(ROBOT, HOME, WEIGHT, 0.1, output_step=0.025)
    assert found.t == pytest.approx([0.0, 0.025, 0.05, 0.075, 0.1])
    uneven = gough.simulate(ROBOT, HOME, WEIGHT, 0.01, step=3e-3)
    assert uneven.t[-1] == pytest.approx(0.01)
    assert np.diff(uneven.t).max() < 3e-3
    columns = found.columns()
    assert set(columns) >= {"t", "x", "kinetic", f"tau_{ROBOT.motors[0]}", f"q_{ROBOT.motors[1]}"}
    assert all(column.shape == (5,) for column in columns.values())


def test_progress_is_told():
    told = []
    gough.simulate(ROBOT, HOME, WEIGHT, 0.2, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"t_end": 0.0}, "t_end"),
        ({"t_end": np.nan}, "t_end"),
        ({"step": -1e-3}, "step"),
        ({"rtol": 0.0}, "rtol"),
        ({"output_step": 0.0}, "output_step"),
        ({"integrator": "euler"}, "integrator"),
        ({"stop_at": ("type2",)}, "type_2"),
        ({"efforts": [1.0, 2.0, 3.0]}, "efforts"),
        ({"efforts": [np.nan, 0.0]}, "efforts"),
        ({"efforts": lambda t: [t]}, "efforts"),
        ({"efforts": ([0.0, 0.0], [[0.0, 0.0], [0.0, 0.0]])}, "increase"),
        ({"parameters": {"weights": 1.0}}, "figure"),
        ({"parameters": {"masses": -np.ones(len(ROBOT.bodies))}}, "below zero"),
        ({"state": np.zeros((0, 4, 4))}, "empty"),
        ({"step": 1e-12}, "steps"),
        ({"output_step": 1e-12, "integrator": "dop853"}, "output_step"),
        ({"rtol": 1e-30, "integrator": "dop853"}, "rtol"),
        ({"loads": gough.Loads(payload=-1.0)}, "payload"),
        ({"loads": "no"}, "loads"),
        ({"stop_at": None}, "stop_at"),
        ({"parameters": [1]}, "parameters"),
        ({"progress": "x"}, "progress"),
        ({"efforts": (["a", "b"], [[0.0, 0.0], [0.0, 0.0]])}, "efforts"),
        ({"state": np.eye(3)}, "shape"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, word):
    given = {"state": HOME, "efforts": WEIGHT, "t_end": 0.01} | arguments
    with pytest.raises(InputError) as error:
        gough.simulate(ROBOT, **given)
    assert word in str(error.value)


def test_a_start_out_of_reach_is_told():
    T = HOME.copy()
    T[0, 3] += 5.0
    with pytest.raises((UnreachablePose, InconsistentPose)):
        gough.simulate(ROBOT, T, WEIGHT, 0.01)


@pytest.mark.filterwarnings("ignore:.*energy is off:gough.GoughWarning")
def test_a_step_that_is_too_long_is_not_believed():
    """Stiff springs and long steps: an explicit method explodes, and says so."""
    robot = on_springs(ROBOT, 2e6)
    found = gough.simulate(robot, beside_home(robot, 0.01), None, 1.0, step=5e-3, stop_at=())
    assert found.event is not None
    assert found.event.kind in ("step", "type_1", "reach")
    assert np.isfinite(found.kinetic).all()


@pytest.mark.filterwarnings("ignore:.*energy is off:gough.GoughWarning")
@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_positions_are_the_integral_of_rates(integrator):
    """Also where trial steps fail and are made again: nothing jumps."""
    found = gough.simulate(ROBOT, HOME, WEIGHT + np.array([0.0, 5.0]), 2.0, integrator=integrator)
    gone = np.cumsum(0.5 * (found.qd[1:] + found.qd[:-1]) * np.diff(found.t)[:, None], axis=0)
    most = np.abs(found.qd).max()
    assert np.abs(found.q[1:] - found.q[0] - gone).max() < 2e-2 * most * found.t[-1]
    assert np.abs(np.diff(found.q, axis=0)).max() < 2.0 * most * 1e-3


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_functions_may_answer_for_each_machine(integrator):
    home = gough.inverse_kinematics(ROBOT, HOME)
    robot = bounded(ROBOT, ROBOT.motors[0], home[0] - 0.05, home[0] + 0.05)
    pushes = np.array([[1.0, 0.0], [0.0, 0.0], [-1.0, 0.1]])
    found = gough.simulate(
        robot, np.stack([HOME] * 3), lambda _: WEIGHT + pushes, 0.15, integrator=integrator
    )
    assert [event is None for event in found.event] == [False, True, False]
    alone = gough.simulate(robot, HOME, WEIGHT, 0.15, integrator=integrator)
    assert found[1].q == pytest.approx(alone.q, abs=1e-12)
    assert found[0].q[-1, 0] > home[0] > found[2].q[-1, 0]


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_limits_beyond_half_a_turn(integrator):
    wheel = bounded(crank(), "axle", -1.0, 10.0)
    found = gough.simulate(wheel, np.eye(4), [1.0], 3.0, step=0.01, integrator=integrator)
    assert found.event.kind == "limits"
    assert "upper" in found.event.reason
    assert found.q[-1, 0] == pytest.approx(10.0, abs=1e-3)
    assert found.event.time == pytest.approx(np.sqrt(2.0), abs=1e-3)


def test_the_end_and_the_outputs_are_kept():
    for integrator in ("rk4", "dop853"):
        found = gough.simulate(ROBOT, HOME, WEIGHT, 0.06, integrator=integrator, output_step=0.05)
        assert found.t == pytest.approx([0.0, 0.05, 0.06])
        assert np.isfinite(found.kinetic).all()


def test_efforts_that_fail_leave_what_was_there():
    def failing(t: float) -> np.ndarray:
        return WEIGHT if t < 0.05 else WEIGHT * np.nan

    for integrator in ("rk4", "dop853"):
        found = gough.simulate(ROBOT, HOME, failing, 0.1, integrator=integrator)
        assert found.event is not None
        assert "efforts" in found.event.reason
        assert 0.04 < found.t[-1] <= 0.0501
        assert np.isfinite(found.kinetic).all()
