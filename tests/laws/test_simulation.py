"""Laws that a simulated machine keeps: energy, work, order of convergence, known motions."""

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import gough
from swinging import beside_home, on_springs, parallelogram, simple_pendulum, without_friction

ACCURATE = {"integrator": "dop853", "rtol": 1e-12, "atol": 1e-13}
STIFFNESS = {"gough_stewart": 5e4, "delta": 20.0, "five_bar": 20.0, "three_rrr": 20.0}


@cache
def swinging(name: str) -> tuple[gough.Robot, np.ndarray, np.ndarray]:
    """A robot on springs, efforts that carry it at home, and a pose beside home."""
    robot = on_springs(gough.zoo.load(name), STIFFNESS[name])
    np.zeros(6)
    tau = gough.inverse_dynamics(robot, robot.home_pose)
    return robot, tau, beside_home(robot, 0.04)


@pytest.mark.parametrize("name", STIFFNESS)
def test_ten_seconds_of_bounded_motion_keep_their_energy(name):
    """Efforts = gravity efforts at home - k (q - q_home): springs and constant efforts."""
    robot, tau, start = swinging(name)
    found = gough.simulate(robot, start, tau, 10.0, output_step=0.02, **ACCURATE)
    energy = found.energy - found.q @ tau
    assert found.event is None
    assert np.abs(energy - energy[0]).max() < 1e-9 * found.kinetic.max()
    assert found.closure.max() < 1e-10
    # what the record says is what independent functions say
    for k in (0, 137, 500):
        with gough.options(engine="numpy"):
            kinetic, potential = gough.energy(robot, found.state[k])
            q = gough.inverse_kinematics(robot, found.state[k])
        assert found.energy[k] == pytest.approx(kinetic + potential, rel=1e-12)
        assert found.q[k] == pytest.approx(q, abs=1e-12)
        certificate = gough.audit(robot, found.state[k])
        assert certificate.passed


def test_fixed_steps_converge_with_order_four():
    robot, tau, start = swinging("five_bar")
    exact = gough.simulate(robot, start, tau, 0.4, **ACCURATE).T_0p[-1, :2, 3]
    errors = []
    for step in (8e-3, 4e-3, 2e-3):
        found = gough.simulate(robot, start, tau, 0.4, step=step)
        errors.append(np.abs(found.T_0p[-1, :2, 3] - exact).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.8).all(), orders
    assert (orders < 4.4).all(), orders


def test_the_adaptive_method_follows_its_tolerance():
    robot, tau, start = swinging("three_rrr")
    exact = gough.simulate(robot, start, tau, 1.0, **ACCURATE).T_0p[-1]
    errors = [
        np.abs(
            gough.simulate(
                robot, start, tau, 1.0, integrator="dop853", rtol=tolerance, atol=tolerance
            ).T_0p[-1]
            - exact
        ).max()
        for tolerance in (1e-4, 1e-7, 1e-10)
    ]
    assert errors[0] > 10.0 * errors[1] > 100.0 * errors[2]
    assert errors[2] < 1e-8


@pytest.mark.parametrize("integrator", ["rk4", "dop853"])
def test_work_is_the_change_of_energy(integrator):
    """Motors, a load on the platform and friction everywhere, along a driven motion."""
    robot = gough.zoo.load("delta")
    home = robot.home_pose
    weight = gough.inverse_dynamics(robot, home, loads=gough.Loads(friction=False))

    def efforts(t: float) -> np.ndarray:
        return weight + 0.3 * np.sin([20.0 * t, 17.0 * t + 1.0, 23.0 * t + 2.0])

    loads = gough.Loads([gough.Force(robot.platform, (1.0, -2.0, 0.5))], smoothing=0.05)
    found = gough.simulate(robot, home, efforts, 0.3, integrator=integrator, loads=loads)
    assert found.event is None
    assert found.loss[-1] > 1e-3
    assert abs(found.work[-1]) > 1e-2
    assert abs(found.external_work[-1]) > 1e-3
    assert np.abs(found.balance).max() < 2e-6 * found.kinetic.max()
    # work, by another way: the integral of power over the record
    power = np.sum(found.tau * found.qd, axis=1)
    assert found.work[-1] == pytest.approx(np.trapezoid(power, found.t), abs=2e-5)
    assert found.external_work[-1] == pytest.approx(
        np.array([1.0, -2.0, 0.5]) @ (found.T_0p[-1, :3, 3] - home[:3, 3]), rel=1e-6
    )


def test_the_pendulum_keeps_its_period():
    robot = simple_pendulum()
    period = 2.3678419475762  # a quarter of a turn to either side, NUMBERS.md
    T, V, _ = gough.state(robot, [np.pi / 2.0]).arrays
    found = gough.simulate(robot, T, None, period / 4.0, **ACCURATE)
    direction = found.T_0p[-1, :3, 2]  # the bar: hanging after a quarter of the period
    speed = np.linalg.norm(found.V_0p[-1, 3:])
    assert np.linalg.norm(direction[:2]) / speed * 4.0 < 1e-8 * period
    once = gough.simulate(robot, T, None, 3.0 * period, output_step=period / 8.0, **ACCURATE)
    assert once.T_0p[-1] == pytest.approx(T, abs=1e-8)
    assert once.V_0p[-1] == pytest.approx(V, abs=1e-7)


def test_the_parallelogram_falls_as_it_must():
    robot = parallelogram(0.3)
    found = gough.simulate(robot, robot.home_pose, None, 0.6, **ACCURATE)
    known = solve_ivp(
        lambda _, y: [y[1], 1.2 * 9.81 * np.sin(y[0])],
        (0.0, 0.6),
        [0.3, 0.0],
        rtol=1e-12,
        atol=1e-13,
    ).y[0, -1]
    assert 0.9 < known < 1.4
    x, z = found.T_0p[-1, [0, 2], 3]
    assert np.arctan2(x, z) == pytest.approx(known, abs=1e-8)


@pytest.mark.filterwarnings("ignore:delta. energy is off:gough.GoughWarning")
def test_a_delta_without_efforts_meets_type_1_and_says_so():
    robot = gough.zoo.load("delta")
    for integrator in ("rk4", "dop853"):
        found = gough.simulate(robot, robot.home_pose, None, 2.0, integrator=integrator)
        assert found.event.kind == "type_1"
        assert found.event.time < 1.0
        assert "arm" in found.event.reason
        assert found.t[-1] == pytest.approx(found.event.time)
        assert np.isfinite(found.kinetic).all()
        assert found.closure.max() < 1e-10


def test_steps_that_lose_energy_are_a_finding():
    """Towards Type 1 steps of 1 ms miss a hundredth of the energy; none is lost by others."""
    robot = gough.zoo.load("delta")
    with pytest.warns(gough.GoughWarning, match="energy is off"):
        found = gough.simulate(robot, robot.home_pose, None, 2.0)
    (told,) = found.findings
    assert f"energy is off by {np.abs(found.balance[-1]):.2g} J" in told
    assert "shorter than 0.001 s, or integrator='dop853'" in told
    assert np.abs(found.balance[-1]) > 1e-3 * found.kinetic[-1]
    assert ("finding", told) in found.lines()
    for better in ({"integrator": "dop853"}, {"step": 1e-5}):
        again = gough.simulate(robot, robot.home_pose, None, 0.28, **better)
        assert again.findings == ()
        assert np.abs(again.balance).max() < 1e-4 * found.kinetic[-1]


def test_one_machine_of_a_batch_that_loses_energy_is_told():
    robot = gough.zoo.load("delta")
    weight = gough.inverse_dynamics(robot, robot.home_pose)
    poses, efforts = np.stack([robot.home_pose] * 2), np.stack([weight, 0.0 * weight])
    with pytest.warns(gough.GoughWarning, match="energy is off"):
        found = gough.simulate(robot, poses, efforts, 0.3)
    (told,) = found.findings
    assert "in the worst of 1 such machines of 2" in told


def test_both_integrators_agree():
    robot = without_friction(gough.zoo.load("three_rrr"))
    T = beside_home(robot, 0.02)
    found = gough.simulate(robot, T, [0.1, 0.2, -0.1], 0.1)
    other = gough.simulate(robot, T, [0.1, 0.2, -0.1], 0.1, integrator="dop853")
    assert found.T_0p[-1] == pytest.approx(other.T_0p[-1], abs=1e-9)
