"""Where fastest motions are hard: friction that jumps, steep curves, seams, rests, late loads."""

from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

import gough
from driven import pendulum, slide, with_motors
from gough.errors import EffortsInfeasible, InputError
from robots import robot

WAY = 0.5  # m: of the slide


@cache
def gantry():
    """Two slides, one on the other, with Coulomb friction and gears that lose power."""
    frames = [gough.Frame.from_axes((0.0, 0.0, 0.0), z=z) for z in ((1, 0, 0), (0, 1, 0))]
    gear = gough.Transmission(ratio=20.0, efficiency=0.6)
    axis = gough.Axis(coulomb=4.0, transmission=gear, motor=gough.Motor(peak=2.0))
    names, bodies = ("x", "y"), ("base", "bridge", "mass")
    joints = [
        gough.Joint(name, "prismatic", *pair, frame, frame, axes=(axis,))
        for name, pair, frame in zip(names, pairwise(bodies), frames, strict=True)
    ]
    no = np.zeros((3, 3)).tolist()
    masses = [gough.Body(name, mass=1.5, center=(0.0, 0.0, 0.0), inertia=no) for name in bodies[1:]]
    return gough.Robot("gantry", tuple(masses), tuple(joints), "mass", motors=names)


def circle(phase):
    return gough.motion.circle(gantry(), radius=0.1, duration=1.0, law="constant", phase=phase)


def uses(found, t):
    """Use of the shafts' torques at times, by public functions alone."""
    r, states = found.robot, found.motion(t)
    tau = gough.inverse_dynamics(r, states)
    qd, qdd = gough.motor_rates(r, states), gough.motor_accelerations(r, states)
    peak = r.axis(r.motors[0]).motor.peak
    return np.abs(gough.motor_side(r, tau, qd, qdd).torque).max(axis=1) / peak


def beside_reversals(found):
    """Times just before and after the motors of a motion turn back."""
    t = np.linspace(0.0, found.period, 2001)

    def rates(at):
        return gough.motor_rates(found.robot, found.motion(at))

    qd = rates(t)
    cell, column = np.nonzero(qd[:-1] * qd[1:] < 0.0)
    low, high, first = t[cell], t[cell + 1], np.sign(qd[cell, column])
    for _ in range(24):
        middle = 0.5 * (low + high)
        same = np.sign(rates(middle)[np.arange(len(cell)), column]) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    # at the instant itself friction has no direction
    return np.concatenate([low - 1e-9, high + 1e-9])


def test_a_bounded_jerk_keeps_limits_where_motors_turn_back():
    found = gough.motion.fastest(gantry(), circle(1.0), jerk=1e5, grid=60)
    at = beside_reversals(found)
    assert len(at) == 8  # each motor twice, from both sides
    # friction and losses jump there by more than half of the torque; corners of the law are sharp
    t = np.concatenate([at, found.grid.t, np.linspace(0.0, found.period, 2001)])
    use = uses(found, t).max()
    # samples of a four-thousandth of the duration: second order between them
    assert use < 1.0 + 1e-5
    assert found.grid.use.max() == pytest.approx(use, abs=1e-5)
    assert np.all(np.diff(found.grid.t) > 0.0)


@pytest.mark.parametrize("phase", [0.0, -1e-9])
def test_a_seam_is_looked_at_from_both_sides(phase):
    # the circle begins where a motor turns back: within rounding friction has either sign
    found = gough.motion.fastest(gantry(), circle(phase), grid=60)
    beside = np.array([0.0, 1e-12, 1e-10, 3e-9])
    use = uses(found, found.period * np.concatenate([beside, 1.0 - beside]))
    assert use.max() < 1.0 + 1e-6
    assert use.min() > 0.9  # the side that takes less is not far from its limit either
    np.testing.assert_allclose(*found.motion([0.0, found.period]).V_0p, rtol=1e-6, atol=1e-9)


def test_friction_of_other_joints_does_not_slow_the_whole_motion():
    # six legs whose joints turn back at three dozen places, several of them in one cell
    r = robot("gough_stewart")
    joints = [
        joint
        if set(joint.axis_names) & set(r.motors)
        else replace(joint, axes=tuple(replace(r.axis(n), coulomb=0.7) for n in joint.axis_names))
        for joint in r.joints
    ]
    r = with_motors(replace(r, joints=tuple(joints)), motor=gough.Motor(peak=240.0))
    path = gough.motion.circle(r, radius=0.03, duration=1.0)
    found = gough.motion.fastest(r, path, grid=60)
    assert found.grid.use.min() > 0.999
    assert not found.slack


# curves -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stall", [1.0, 0.01])
def test_a_curve_that_rises_from_standstill(stall):
    # v' = c + k v up to the top speed of 1 m/s, and the same back
    r = slide(motor=gough.Motor(curve=((0.0, stall), (1.0, 40.0))))
    found = gough.motion.fastest(r, [[0.0], [WAY]])
    c, k = stall / 2.0, (40.0 - stall) / 2.0
    ramp = np.log1p(k / c) / k
    expected = 2.0 * ramp + WAY - 2.0 * (1.0 - c * ramp) / k
    assert found.period == pytest.approx(expected, rel=1e-3)  # a thousandth is what it promises
    assert found.grid.use.min() > 0.999


def test_no_torque_at_standstill_is_refused():
    r = slide(motor=gough.Motor(curve=((0.0, 0.0), (1.0, 40.0))))
    with pytest.raises(EffortsInfeasible, match="motor rail has no torque at standstill"):
        gough.motion.fastest(r, [[0.0], [WAY]])


# what it says -----------------------------------------------------------------------------------


def test_motors_that_cannot_rest_there_are_named():
    # 9.81 N m sin(1.2) = 9.14 N m to hold at the end; on the way down the pace is by heating
    r = with_motors(pendulum(12.0), motor=gough.Motor(peak=12.0, continuous=8.0))
    found = gough.motion.fastest(r, [[0.0], [1.2]])
    held = 9.81 * np.sin(1.2)
    assert found.held[0] == pytest.approx(held)
    share = f"{100.0 * held / 8.0:.0f} %"
    assert found.hanging == {"pin": pytest.approx(held / 8.0)}
    assert f"; pin cannot hold the robot for ever where it rests: {share}." in found.sentence
    assert f"pin {share} of continuous torque to hold" in dict(found.lines())["rests"]
    # through the horizontal, from rest to rest near the vertical
    over = gough.motion.fastest(r, [[0.3], [np.pi - 0.3]])
    assert not over.hanging
    assert "; pin cannot hold it for ever on the way, if it stops: 123 %." in over.sentence


def test_a_law_below_its_limits_says_so():
    r = slide(motor=gough.Motor(peak=40.0))
    found = gough.motion.fastest(r, [[0.0], [WAY]])
    assert not found.slack
    less = replace(found, grid=found.grid._replace(shares=0.97 * found.grid.shares))
    assert "no limit is used by more than 97.00%, so that it may not be" in less.sentence
    assert "larger grid" in str(less)


def test_a_motion_that_is_cool_is_not_slower():
    found = gough.motion.fastest(
        slide(motor=gough.Motor(peak=40.0, continuous=40.0)), [[0.0], [WAY]]
    )
    assert found.factor == 1.0
    assert "the same motion, motors stay cool" in str(found)
    assert "1 times as slow" not in str(found)


def test_a_dwell_needs_a_rest():
    r = robot("delta")
    path = gough.motion.circle(r, radius=0.05, duration=1.0, law="constant")
    with pytest.raises(InputError, match="round after round without a rest") as refused:
        gough.motion.fastest(r, path, acceleration=10.0, dwell=0.1)
    assert "repeated=False" in refused.value.hint
    carried = gough.LoadSchedule([gough.TimedLoad(gough.Payload(0.1), 0.0, 0.5)])
    with pytest.raises(InputError, match="moves without a rest between"):
        gough.motion.fastest(r, path, acceleration=10.0, loads=carried)


def test_a_path_that_only_turns_is_told_what_to_give():
    r = robot("gough_stewart")
    turned = gough.motion.point_to_point(r, None, r.home_pose @ _about_z(0.1), duration=1.0)
    with pytest.raises(InputError, match="nothing limits") as refused:
        gough.motion.fastest(r, turned, acceleration=1.0)
    assert "turning_acceleration=..." in refused.value.hint


def _about_z(angle):
    T = np.eye(4)
    T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return T


@pytest.mark.parametrize(("start", "end"), [(1.0, None), (1.5, 2.0), (None, 1.0)])
def test_loads_that_change_at_the_end_do_so_after_the_new_one(start, end):
    r = slide(motor=gough.Motor(peak=40.0))
    path = gough.motion.point_to_point(r, [0.0], [WAY], duration=1.0)
    carried = gough.LoadSchedule([gough.TimedLoad(gough.Payload(3.0), start, end)])
    found = gough.motion.fastest(r, path, loads=carried)
    part = found.loads.parts[0]
    for given, new in ((start, part.start), (end, part.end)):
        if given is None:
            assert new is None
        else:
            assert new > found.period
            # one microsecond of a second at least, and as long after the end as it was
            assert new - found.period == pytest.approx(given - 1.0, abs=1e-6)
    looked = gough.analyse(r, found.motion, loads=found.loads, agreement=False)
    assert looked.sizing[0].use("motor_peak").share < 1.0 + 1e-9


def test_rotors_that_do_not_count():
    """2 kg by a gear of efficiency 0.5: 50 m/s^2 at most to drive, 200 to brake."""
    gear = gough.Transmission(ratio=20.0, motor_inertia=1e-2, efficiency=0.5)
    r = slide(transmission=gear, motor=gough.Motor(peak=10.0))
    found = gough.motion.fastest(r, [[0.0], [0.5]], loads=gough.Loads(rotors=False))
    expected = np.sqrt(2.0 * 0.5 * (1.0 / 50.0 + 1.0 / 200.0))
    assert found.period == pytest.approx(expected, rel=1e-4)  # cells of constant acceleration


def test_a_small_jump_of_friction_is_found_where_limits_show_it():
    # joints of six legs rub beside motors that rub far more: some jumps are thousandths of the
    # efforts, and no search among efforts alone finds them
    r = robot("gough_stewart")
    gear = gough.Transmission(ratio=-28.6, efficiency=0.6)
    torque = 149.14 / 28.6 / 0.6  # [N m]
    curve = ((0.0, torque), (85.8, torque), (343.2, 0.3 * torque))
    driven = {"transmission": gear, "motor": gough.Motor(curve=curve)}
    joints = [
        replace(
            joint,
            axes=tuple(
                replace(r.axis(n), coulomb=7.457, viscous=1.491, **driven)
                if n in r.motors
                else replace(r.axis(n), coulomb=0.4474, viscous=0.04474)
                for n in joint.axis_names
            ),
        )
        for joint in r.joints
    ]
    r = replace(r, joints=tuple(joints))
    path = gough.motion.circle(r, radius=0.010149, duration=1.0, law="quintic", phase=0.926766)
    found = gough.motion.fastest(r, path, loads=gough.Loads(payload=2.983))
    assert found.grid.use.min() > 0.999
