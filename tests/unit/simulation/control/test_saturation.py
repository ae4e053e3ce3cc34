"""Motors in simulations give what their curves have, behind gears with losses."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import control, motion
from gough.dynamics.answers.motor_limits import motor_limits
from robots import robot as robot_of

G, MASS, RATIO, LOSSY = 9.81, 2.0, 100.0, 0.8
CURVE = [[0, 0.5], [30, 0.5], [60, 0.2]]  # [rad/s, N m]


def lift(efficiency=LOSSY, **motor):
    """A mass on a vertical slide, lifted by a screw."""
    gear = gough.Transmission(ratio=RATIO, efficiency=efficiency)
    axis = gough.Axis(transmission=gear, motor=gough.Motor(**motor))
    joint = gough.Joint("lift", "prismatic", "base", "slide", axes=[axis])
    body = gough.Body("slide", MASS)
    return gough.Robot("lifter", [body], [joint], platform="slide", motors=["lift"])


def pushed(robot, aim, t_end, rate=0.0, period=None):
    """A simulation in which a stiff controller asks for far more than the motor has."""
    hold = motion.hold(robot, [aim], t_end)
    controller = control.joint_pd(robot, hold, kp=1e5, kd=10.0, saturation="limits", period=period)
    start = gough.state(robot, [0.0], [rate])
    return gough.simulate(robot, start, controller, t_end, step=1e-3)


def shafts(found):
    """Torque and speed on the shafts along a simulation, and accelerations of the axes."""
    qdd = gough.motor_accelerations(found.robot, found.state)
    side = gough.motor_side(found.robot, found.tau, found.qd, qdd)
    return side.torque, side.speed, qdd


@pytest.mark.parametrize("rotor", [0.0, 5e-5])
def test_a_lift_starts_as_its_motor_and_its_gear_allow(rotor):
    robot = lift(curve=CURVE, rotor_inertia=rotor)
    found = pushed(robot, 1.0, 0.025)
    # up to 30 rad/s, 0.3 m/s, there are 0.5 N m: 50 N before the gear, 40 N behind it
    a = (LOSSY * RATIO * 0.5 - MASS * G) / (MASS + RATIO**2 * rotor)
    assert found.qd[-1, 0] == pytest.approx(a * 0.025, rel=1e-9)  # RK4 is exact for a parabola
    torque, speed, qdd = shafts(found)
    assert speed.max() < 30.0
    # the rotor's share does not pass the gear: the motor is that much below its curve
    saved = (1.0 / LOSSY - 1.0) * rotor * RATIO * qdd[1:, 0]
    assert torque[1:, 0] == pytest.approx(0.5 - saved, rel=1e-9)


def test_a_lift_is_braked_with_the_help_of_its_gear_if_it_has_no_rotor():
    for rotor, held in ((0.0, 0.5 * RATIO / LOSSY), (5e-5, 0.5 * RATIO)):
        found = pushed(lift(curve=CURVE, rotor_inertia=rotor), 1.0, 0.005, rate=-0.2)
        assert (found.qd < 0.0).all()  # it falls, and is caught
        assert found.tau[:, 0] == pytest.approx(held)
        assert np.abs(shafts(found)[0]).max() <= 0.5 * (1.0 + 1e-9)


@pytest.mark.parametrize("rotor", [0.0, 5e-5])
def test_whatever_the_acceleration_the_curve_is_passed_by_no_more_than_is_stated(rotor):
    rng = np.random.default_rng(2)
    qd, qdd, share = rng.normal(size=(3, 4000, 1)) * [[[0.3]], [[100.0]], [[1.0]]]
    for efficiency in (1.0, 0.9, 0.4):
        robot = lift(efficiency, curve=CURVE, rotor_inertia=rotor)
        low, high = motor_limits(robot).axis_efforts(qd)
        tau = np.clip(share * RATIO, low, high)
        side = gough.motor_side(robot, tau, qd, qdd)
        inside = np.abs(side.speed) <= 60.0
        stated = (1.0 / efficiency - 1.0) * RATIO * rotor * np.abs(qdd)
        over = np.abs(side.torque) - robot.axis("lift").motor.torque_at(side.speed)
        assert (over <= stated + 1e-12)[inside].all()
        assert (over > -1e-12)[inside].any()  # and no more is left than must be


def test_above_its_top_speed_a_motor_drives_no_more_but_brakes():
    robot = lift(efficiency=1.0, peak=0.5, speed=30.0)
    fast = np.array([[0.2], [0.31], [-0.31]])
    low, high = motor_limits(robot).axis_efforts(fast)
    assert high[:, 0] == pytest.approx([50.0, 0.0, 50.0])
    assert low[:, 0] == pytest.approx([-50.0, -50.0, 0.0])
    found = pushed(robot, 1.0, 0.04, period=1e-3)
    # a sampled controller does not see what the speed gains within a period
    gain = 1e-3 * (50.0 / MASS - G)
    assert 0.3 < found.qd.max() < 0.3 + gain
    assert (found.tau[found.qd > 0.3] == 0.0).all()


def test_torques_on_the_shafts_of_a_delta_keep_to_the_curves():
    plain = robot_of("delta")
    efficiency = dict(zip(plain.motors, (1.0, 0.7, 0.85), strict=True))
    motor = gough.Motor(curve=[[0, 0.3], [60, 0.3], [200, 0.1]], rotor_inertia=4e-5)

    def driven(joint):
        gear = gough.Transmission(ratio=20.0, efficiency=efficiency[joint.name])
        return replace(joint, axes=[gough.Axis(transmission=gear, motor=motor)])

    joints = [driven(j) if j.name in plain.motors else j for j in plain.joints]
    robot = replace(plain, joints=joints)
    home = robot.home_pose[:3, 3]
    aim = home + np.array([0.12, -0.06, -0.04])
    move = motion.point_to_point(robot, home, aim, duration=0.12)
    worst = {}
    for saturation in (None, "limits"):
        controller = control.computed_torque(
            robot, move, bandwidth=40.0, period=1e-3, saturation=saturation
        )
        found = gough.simulate(robot, move(0.0), controller, 0.15, step=1e-3)
        assert found.event is None
        torque, speed, qdd = shafts(found)
        # what rotors that are slowed while motors drive, or sped up by the load, may add
        lost = 1.0 / np.array(list(efficiency.values())) - 1.0
        more = lost * 4e-5 * 20.0 * np.abs(qdd)
        worst[saturation] = ((np.abs(torque) - more) / motor.torque_at(speed)).max(axis=0)
    assert (worst[None][:2] > 1.5).all()  # the third arm has little to do
    # recorded instants are those at which efforts were chosen: no period is added; 1e-9 is rounding
    # of the accelerations that come from the record
    assert (worst["limits"] <= 1.0 + 1e-9).all()
    assert worst["limits"][0] == pytest.approx(1.0, rel=1e-9)  # and all of it is used
    assert worst["limits"][1] > 0.8
