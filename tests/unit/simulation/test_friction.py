"""Coulomb friction of simulated machines: the speeds that smooth it, and what that leaves out."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import control, motion
from gough.dynamics.answers.smoothing import coulomb_axes, smoothing_speeds

HEXAPOD = gough.zoo.load("gough_stewart")
ROBOT = gough.zoo.load("five_bar")


def upwards(robot: gough.Robot, way: float, duration: float) -> motion.Motion:
    x = robot.assembly.chart.coordinates(robot.home_pose)[list(robot.assembly.free)]
    return motion.point_to_point(robot, None, x + way * np.eye(len(x))[2], duration=duration)


def coulomb_work(robot: gough.Robot, task: motion.Motion) -> float:
    """Force times way of every motor."""
    ends = [gough.inverse_kinematics(robot, T) for T in (task(0.0).T_0p, task.end)]
    force = [robot.axis(name).coulomb for name in robot.motors]
    return float(np.abs(ends[1] - ends[0]) @ force)


def viscous_work(run) -> float:
    damping = np.array([run.robot.axis(name).viscous for name in run.robot.motors])
    return float(np.trapezoid((run.qd**2) @ damping, run.t))


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_slow_hexapod_loses_what_coulomb_says(integrator):
    """At most 0.8 mm/s: friction is a force times a way, whatever the speed."""
    task = upwards(HEXAPOD, 4.2e-4, 1.0)
    peak = np.abs(task(np.linspace(0.0, 1.0, 101)).V_0p[:, 2]).max()
    assert 0.7e-3 < peak < 0.8e-3
    law = control.computed_torque(HEXAPOD, task, bandwidth=60.0, period=2e-3)
    run = gough.simulate(HEXAPOD, task(0.0), law, 1.0, step=2e-3, integrator=integrator)
    assert run.event is None
    assert run.findings == ()
    exact = coulomb_work(HEXAPOD, task)
    assert run.loss[-1] - viscous_work(run) == pytest.approx(exact, rel=0.03)
    # what is missing is known
    assert run.loss[-1] + run.missed_loss[-1] - viscous_work(run) == pytest.approx(exact, rel=5e-3)
    assert set(run.smoothing) == set(HEXAPOD.motors)
    assert max(run.smoothing.values()) < 0.2 * peak
    # friction asked for shorter steps; instants are those of the step that was wished for
    assert run.t == pytest.approx(np.linspace(0.0, 1.0, 501))


def test_what_smoothing_leaves_out_is_said():
    task = upwards(HEXAPOD, 4.2e-4, 1.0)
    law = control.computed_torque(HEXAPOD, task, bandwidth=60.0, period=2e-3)
    with pytest.warns(gough.GoughWarning, match="% less than Coulomb friction should") as told:
        run = gough.simulate(
            HEXAPOD, task(0.0), law, 0.5, step=2e-3, loads=gough.Loads(smoothing=0.01)
        )
    assert run.findings == (str(told[0].message),)
    assert "0.01 m/s" in run.findings[0]
    assert "see findings" in repr(run)
    assert set(run.smoothing.values()) == {0.01}


def sliding(mass: float, coulomb: float) -> gough.Robot:
    """A block on a rail along x."""
    body = gough.Body("block", mass=mass, inertia=np.eye(3).tolist())
    frame = gough.Frame.from_axes((0.0, 0.0, 0.0), z=(1.0, 0.0, 0.0))
    rail = gough.Joint(
        *("rail", "prismatic", "base", "block"),
        parent_frame=frame,
        child_frame=frame,
        axes=(gough.Axis(coulomb=coulomb),),
    )
    return gough.Robot("block", (body,), (rail,), "block", motors=("rail",))


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_the_smallest_speed_that_a_step_can_follow(step):
    """``h (c / s) / m = 2``; twice the friction or half the mass, twice the speed."""
    for mass, coulomb in ((2.0, 3.0), (4.0, 3.0), (2.0, 6.0)):
        robot = sliding(mass, coulomb)
        found = smoothing_speeds(robot.assembly, coulomb_axes(robot), step)
        assert found["rail"] == pytest.approx(step * coulomb / mass / 2.0, rel=0.05)


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_a_block_slides_to_rest_where_it_should_and_stays(integrator):
    """``v^2 / (2 a)`` with ``a = c / m``; and it is pushed in vain."""
    robot, start = sliding(2.0, 3.0), gough.State(np.eye(4), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    run = gough.simulate(robot, start, None, 1.0, integrator=integrator)
    assert run.event is None
    assert run.T_0p[-1, 0, 3] == pytest.approx(1.0 / 3.0, rel=1e-4)
    assert run.loss[-1] == pytest.approx(1.0, rel=1e-3)
    # pushed by half of its friction it creeps, by less than the smoothing speed
    with pytest.warns(gough.GoughWarning, match="crept where they should stick"):
        held = gough.simulate(robot, np.eye(4), [1.5], 0.1, integrator=integrator)
    assert 0.0 < held.qd[-1, 0] < run.smoothing["rail"]


def test_model_and_machine_smooth_alike_and_steps_do_not_matter():
    """Computed torque with the exact model: what is zero stays zero."""
    task = motion.point_to_point(ROBOT, None, [0.05, 0.45], duration=0.1)
    law = control.computed_torque(ROBOT, task, bandwidth=60.0, space="platform")
    for step in (1e-3, 2.5e-4):
        run = gough.simulate(ROBOT, task(0.0), law, 0.1, step=step)
        assert run.tracking.position.max() < 1e-8  # of the steps
    coarse = gough.simulate(ROBOT, task(0.0), law, 0.1, loads=gough.Loads(smoothing=0.05))
    assert coarse.tracking.position.max() < 1e-8
    # a controller that was told its own speed keeps it
    own = control.computed_torque(
        ROBOT, task, bandwidth=60.0, space="platform", loads=gough.Loads(smoothing=0.5)
    )
    assert gough.simulate(ROBOT, task(0.0), own, 0.1).tracking.position.max() > 1e-7


def test_a_batch_smooths_as_its_members():
    efforts = np.array([[0.1, 0.0], [0.0, -0.1]])
    start = np.stack([ROBOT.home_pose] * 2)
    many = gough.simulate(ROBOT, start, efforts, 0.02)
    for i in range(2):
        one = gough.simulate(ROBOT, start[i], efforts[i], 0.02)
        assert many[i].smoothing == one.smoothing
        assert many[i].T_0p == pytest.approx(one.T_0p, abs=1e-13)
        assert many[i].missed_loss == pytest.approx(one.missed_loss, abs=1e-13)


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.filterwarnings("ignore::gough.GoughWarning")  # friction that creeps is told
def test_a_machine_does_not_feel_the_friction_of_its_neighbours(integrator):
    """A hundred times the friction beside it: its own is smoothed as if it were alone."""
    home = ROBOT.home_pose
    efforts = 1.3 * gough.inverse_dynamics(ROBOT, home, loads=gough.Loads(friction=False))
    coulomb = np.outer([0.02, 0.0, 2.0], np.ones(len(ROBOT.axis_names)))

    def moved(figures):
        options = {"integrator": integrator, "parameters": {"coulomb": figures}}
        return gough.simulate(ROBOT, home, efforts, 0.03, **options)

    many = moved(coulomb)
    for i, figures in enumerate(coulomb):
        one = moved(figures)
        assert many[i].smoothing == one.smoothing
        assert many[i].T_0p == pytest.approx(one.T_0p, abs=1e-12)
        assert many[i].missed_loss == pytest.approx(one.missed_loss, abs=1e-12)
    assert many[0].smoothing["foot1"] < 0.02 * many[2].smoothing["foot1"]
    assert many.smoothing == many[2].smoothing  # of a batch the largest
    assert many[1].smoothing == {}


def test_parts_of_a_batch_with_two_axes():
    """Each part has its own speeds and events, down to single machines."""
    robot = sliding(2.0, 0.0)
    coulomb = np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])[..., None]
    run = gough.simulate(robot, np.eye(4), None, 0.002, parameters={"coulomb": coulomb})
    alone = gough.simulate(robot, np.eye(4), None, 0.002, parameters={"coulomb": coulomb[1, 2]})
    assert run.event == (None,) * 6
    assert run[1].event == (None,) * 3
    assert run[1][2].event is None
    assert run.smoothing == run[1].smoothing == run[1][2].smoothing == alone.smoothing
    assert run[0][0].smoothing == {}


def test_a_machine_is_smoothed_alike_where_its_neighbours_ask_for_shorter_steps():
    """A slow motion divides steps for the machine with much friction, not for the other."""
    task = upwards(HEXAPOD, 4.2e-4, 1.0)
    law = control.joint_pd(HEXAPOD, task, bandwidth=60.0, period=2e-3)
    own = np.array([HEXAPOD.axis(name).coulomb for name in HEXAPOD.axis_names])

    def run(coulomb):
        start = task(0.0)
        return gough.simulate(HEXAPOD, start, law, 0.02, step=2e-3, parameters={"coulomb": coulomb})

    light, heavy = run(1e-6 * own), run(own)
    assert heavy.steps > light.steps == 10
    many = run(np.stack([1e-6 * own, own]))
    assert many.steps == heavy.steps
    assert many[0].smoothing == light.smoothing
    assert many[1].smoothing == heavy.smoothing


def test_friction_that_parameters_give():
    """A frictionless robot whose batch has some: figures count, the largest of each axis."""
    smooth = sliding(2.0, 0.0)
    start = gough.State(np.stack([np.eye(4)] * 2), [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    run = gough.simulate(smooth, start, None, 0.2, parameters={"coulomb": [[0.0], [3.0]]})
    assert run.smoothing == gough.simulate(sliding(2.0, 3.0), np.eye(4), None, 0.01).smoothing
    assert run.V_0p[:, -1, 0] == pytest.approx([1.0, 0.7], abs=1e-6)
    assert gough.simulate(smooth, np.eye(4), None, 0.01).smoothing == {}


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
@pytest.mark.parametrize(
    "options",
    [
        {"loads": gough.Loads(rotors=False)},
        {"loads": gough.Loads(friction=False)},
        {"loads": gough.Loads((), gough.Payload(2.0, (0.0, 0.0, 0.1)), False, False)},
        {"parameters": {"rotor_inertia": [3.0], "viscous": [0.5]}},
        {
            "parameters": {"gravity": [1.0, 0.0, 0.0], "masses": [0.5]},
            "loads": gough.Loads(rotors=False),
        },
    ],
)
def test_energy_counts_what_the_dynamics_count(integrator, options):
    """A rotor that is heavier than the block, left out or not: the book is balanced."""
    axis = gough.Axis(coulomb=0.3, viscous=0.2, rotor_inertia=5.0, spring=gough.Spring(4.0, 0.1))
    block = sliding(2.0, 0.0)
    robot = replace(
        block, joints=(replace(block.joints[0], axes=(axis,)),), gravity=(-1.0, 0.0, -9.81)
    )
    run = gough.simulate(robot, np.eye(4), [6.0], 0.2, integrator=integrator, **options)
    assert run.event is None
    assert run.kinetic[-1] > 1e-2
    assert np.abs(run.balance).max() < 1e-6 * run.kinetic.max()
    loads, figures = options.get("loads", gough.Loads()), options.get("parameters", {})
    mass = figures.get("masses", [2.0])[0]
    mass += 0.0 if loads.payload is None else float(loads.payload.mass)
    mass += figures.get("rotor_inertia", [5.0])[0] * loads.rotors
    assert run.kinetic == pytest.approx(0.5 * mass * run.V_0p[:, 0] ** 2, rel=1e-9)
