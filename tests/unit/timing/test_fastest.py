"""The fastest motion: at its limits, within them, and what it says."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import gough
from driven import delta, pendulum, slide, tour, touring, with_motors
from gough.errors import EffortsInfeasible, InputError
from robots import robot

FORCE, MASS = 40.0, 2.0  # N, kg: of the slide
WAY = 0.5  # m


def stroke(r, length=WAY):
    return gough.motion.point_to_point(r, [0.0], [length], duration=1.0)


def uses(r, states, torque):
    """Largest use of the shafts' torques at states, by public functions alone."""
    tau = gough.inverse_dynamics(r, states)
    qd, qdd = gough.motor_rates(r, states), gough.motor_accelerations(r, states)
    side = gough.motor_side(r, tau, qd, qdd)
    return (np.abs(side.torque) / torque(side.speed)).max(axis=1)


# closed forms -----------------------------------------------------------------------------------


def test_a_mass_on_a_slide():
    # full force there, full force back: t = 2 sqrt(m s / F); cells of constant acceleration are
    # exact, so what is left is the place at which the passes meet
    found = gough.motion.fastest(slide(motor=gough.Motor(peak=FORCE)), stroke(slide()))
    assert found.period == pytest.approx(2.0 * np.sqrt(MASS * WAY / FORCE), rel=1e-4)
    assert found.unit == "m"
    assert found.sentence == "0.316 s by peak; rail limits. No continuous torque is known."


def test_a_slide_with_friction_gear_and_a_top_speed():
    coulomb, ratio, efficiency, top = 6.0, 20.0, 0.8, 1.2  # N, rad/m, share, m/s
    gear = gough.Transmission(ratio=ratio, efficiency=efficiency)
    motor = gough.Motor(peak=FORCE / ratio, speed=top * ratio)
    r = slide(coulomb=coulomb, transmission=gear, motor=motor)
    found = gough.motion.fastest(r, stroke(r))
    # the gear takes from what drives, and helps to brake; so does friction
    gain, loss = (FORCE * efficiency - coulomb) / MASS, (FORCE / efficiency + coulomb) / MASS
    ramps = top**2 / 2.0 * (1.0 / gain + 1.0 / loss)
    expected = top * (1.0 / gain + 1.0 / loss) + (WAY - ramps) / top
    # ends of ramps lie inside cells of a hundredth of the way: second order in their size
    assert found.period == pytest.approx(expected, rel=2e-4)
    assert set(found.times()) == {"rail torque", "rail speed"}


def test_viscous_friction():
    # m v' = F - d v: full force to the switch, and back from the end, solved for the same v there
    viscous = 15.0  # N s/m
    r = slide(viscous=viscous, motor=gough.Motor(peak=FORCE))
    found = gough.motion.fastest(r, stroke(r))
    rate, most = viscous / MASS, FORCE / viscous

    def way_and_time(v, sign):
        # from rest to v under sign * F, sign -1: braking, backwards in time
        t = -sign * np.log1p(-sign * v / most) / rate
        return (sign * most * t - sign * v / rate), t

    v = np.linspace(0.0, 0.999 * most, 200_001)
    there, back = way_and_time(v, 1.0), way_and_time(v, -1.0)
    total = there[0] + back[0]
    at = np.interp(WAY, total, v)
    expected = way_and_time(at, 1.0)[1] + way_and_time(at, -1.0)[1]
    assert found.period == pytest.approx(expected, rel=2e-4)  # as above


@pytest.mark.parametrize(
    ("torque", "start", "end"),
    # the second cannot be held where gravity takes 9.8 N m: it is swung through there
    [(12.0, 0.0, 1.3), (8.0, 0.3, np.pi - 0.3)],
)
def test_a_pendulum(torque, start, end):
    r, g = pendulum(torque), 9.81  # 1 kg at 1 m
    found = gough.motion.fastest(r, [[start], [end]])
    # squared rate by energy: work of the motor less that against gravity
    phi = start + (end - start) * (0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, 200_001)))
    up = 2.0 * (torque * (phi - start) - g * (np.cos(start) - np.cos(phi)))
    down = 2.0 * (torque * (end - phi) + g * (np.cos(phi) - np.cos(end)))
    x = np.minimum(up, down)
    middle = 0.5 * (np.sqrt(x[1:]) + np.sqrt(x[:-1]))
    expected = (np.diff(phi) / middle).sum()
    # the slow passage of the second goes with the root of what is left of a thousandth
    assert found.period == pytest.approx(expected, rel=1e-3)
    assert found.grid.use.min() > 0.999


def test_a_pendulum_that_is_too_weak():
    with pytest.raises(EffortsInfeasible, match=r"to hold the robot at rest, 1\.3 of 1\.3"):
        gough.motion.fastest(pendulum(9.0), [[0.0], [1.3]])
    with pytest.raises(EffortsInfeasible, match="no law within all limits was found"):
        gough.motion.fastest(pendulum(6.0), [[0.3], [np.pi - 0.3]])


def test_a_circle_round_after_round():
    r, radius, most = robot("delta"), 0.08, 40.0  # m, m/s^2
    path = gough.motion.circle(r, radius=radius, duration=1.0, law="constant")
    found = gough.motion.fastest(r, path, acceleration=most)
    # v^2 / r = a all the way round
    assert found.period == pytest.approx(2.0 * np.pi * np.sqrt(radius / most), rel=1e-6)
    assert np.linalg.norm(found.motion(0.0).V_0p) == pytest.approx(np.sqrt(radius * most), rel=1e-6)
    rest = gough.motion.fastest(r, path, acceleration=most, repeated=False)
    assert rest.period > found.period
    assert not rest.motion(0.0).V_0p.any()
    assert set(rest.times()) == {"platform acceleration"}


# a real machine ---------------------------------------------------------------------------------


def test_some_limit_is_reached_at_every_grid_point():
    found, r = touring(), delta()
    use = uses(r, found.motion(found.grid.t), r.axis(r.motors[0]).motor.torque_at)
    assert use.min() > 1.0 - 1e-3
    np.testing.assert_allclose(use, found.grid.use, atol=1e-3)
    assert len(set(found.grid.active)) > 1


def test_no_limit_is_passed_between():
    found, r = touring(), delta()
    t = np.linspace(0.0, found.period, 9001)
    use = uses(r, found.motion(t), r.axis(r.motors[0]).motor.torque_at)
    assert use.max() < 1.0 + 1e-6  # five places of every cell are looked at; no more than rounding


def test_derivatives_are_those_of_the_poses():
    found, step = touring().motion, 1e-6
    t = np.linspace(0.002, found.duration - 0.002, 400)
    beside = found(t - step), found(t + step)
    for k, size in ((0, 5.0), (1, 200.0)):  # m/s and m/s^2 of this motion
        part = [s.T_0p[:, :3, 3] if k == 0 else s.V_0p[:, :3] for s in beside]
        change = (part[1] - part[0]) / (2.0 * step)
        off = np.abs(change - found(t).arrays[k + 1][:, :3]).max(axis=1)
        # the acceleration jumps here and there; elsewhere the step's square, and rounding
        assert np.median(off) < 1e-6 * size
        assert (off < 1e-3 * size).mean() > 0.97


def test_the_path_is_kept():
    found, path = touring().motion, tour()
    p, q = (m(np.linspace(0.0, m.duration, 3001)).T_0p[:, :3, 3] for m in (found, path))
    apart = np.linalg.norm(p[::50, None] - q, axis=2).min(axis=1)
    assert apart.max() < 5e-4  # half the distance of samples
    np.testing.assert_allclose(found.end, path.end, atol=1e-9)


def test_heating():
    found, r = touring(), delta()
    looked = gough.analyse(r, found.cool(), agreement=False, rate=2000.0)
    rms = [one.motor.rms for one in looked.sizing]
    # the trapezoid rule of 2000 samples a second through jumps
    assert max(rms) == pytest.approx(1.0, abs=2e-3)
    np.testing.assert_allclose(rms, found.cool_rms, rtol=5e-3)
    assert found.cool_period == pytest.approx(found.factor * found.period)
    assert found.limiting == r.motors[int(np.argmax(rms))]


def test_what_it_says():
    found = touring()
    peak, cool = 60.0 / found.period, 60.0 / found.cool_period
    assert found.sentence == (
        f"{peak:.0f} cycles a minute by peak, {cool:.0f} by heating; {found.limiting} limits."
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert data["period"] == found.period
    assert data["limiting"] == "arm1"
    columns = found.columns()
    assert {"t", "s", "sd", "sdd", "use", "use_arm1_torque"} <= set(columns)
    assert {len(each) for each in columns.values()} == {len(found.grid.t)}
    assert "by heating" in str(found)
    assert [row[0] for row in found.table()[1]] == list(delta().motors)
    again = pickle.loads(pickle.dumps(found.motion))
    np.testing.assert_array_equal(again(0.1).T_0p, found.motion(0.1).T_0p)


def test_a_picture():
    found = touring()
    rate, use = found.draw().axes
    np.testing.assert_array_equal(rate.lines[0].get_ydata(), found.grid.rate)
    assert "arm1 torque" in [line.get_label() for line in use.lines]


# heating, rests and jerk in closed form ---------------------------------------------------------


def test_heating_of_a_slide():
    # slowed by f the force is F / f^2 all the time
    continuous = 10.0
    r = slide(motor=gough.Motor(peak=FORCE, continuous=continuous))
    found = gough.motion.fastest(r, stroke(r))
    assert found.factor == pytest.approx(np.sqrt(FORCE / continuous), rel=1e-3)
    # a rest cools: f^-4 f T / (f T + rest) = (continuous / F)^2
    rest = 0.4
    found = gough.motion.fastest(r, stroke(r), dwell=rest)
    f, T = found.factor, 2.0 * np.sqrt(MASS * WAY / FORCE)
    assert f * T / (f * T + rest) / f**4 == pytest.approx((continuous / FORCE) ** 2, rel=2e-3)
    assert found.cool_period == pytest.approx(f * T + rest, rel=1e-3)


def test_a_motor_that_is_too_hot_at_any_pace():
    r = slide(coulomb=12.0, motor=gough.Motor(peak=FORCE, continuous=10.0))
    found = gough.motion.fastest(r, stroke(r))
    assert found.factor is None
    assert "at no pace by heating: rail takes 12 of 10 N continuous" in found.sentence
    with pytest.raises(EffortsInfeasible, match="at no pace by heating"):
        found.cool()


def test_a_payload_is_carried_there_and_not_back():
    r, carried = slide(motor=gough.Motor(peak=FORCE, continuous=20.0)), 3.0  # kg
    there, back = stroke(r), gough.motion.point_to_point(r, [WAY], [0.0], duration=1.0)
    picked = gough.TimedLoad(gough.Payload(carried), 0.0, 1.0)
    found = gough.motion.fastest(r, there.then(back), loads=gough.LoadSchedule([picked]))
    expected = [2.0 * np.sqrt(m * WAY / FORCE) for m in (MASS + carried, MASS)]
    assert found.period == pytest.approx(sum(expected), rel=1e-4)  # as above
    # put down where it rests, at its new time; the cool motion is twice as slow as its force halves
    np.testing.assert_allclose(found.loads.jumps, [0.0, expected[0]], rtol=1e-4)
    np.testing.assert_allclose(found.cool_loads.jumps, np.sqrt(2.0) * found.loads.jumps, rtol=1e-3)
    for motion, loads in ((found.motion, found.loads), (found.cool_motion, found.cool_loads)):
        looked = gough.analyse(r, motion, loads=loads, agreement=False)
        assert looked.sizing[0].use("motor_peak").share < 1.0 + 1e-9
    assert looked.feasible
    pushed = gough.TimedLoad(lambda t: gough.Force("mass", [t, 0.0, 0.0]))
    late = gough.TimedLoad(gough.Payload(carried), 0.0, 0.5)
    for part, words in ((late, "change at 0.5 s, while"), (pushed, "by a table or a function")):
        with pytest.raises(InputError, match=words):
            gough.motion.fastest(r, there.then(back), loads=gough.LoadSchedule([part]))


def test_rests_of_a_motion_are_kept():
    r, wait = slide(motor=gough.Motor(peak=FORCE)), 0.03
    poses = ([0.0], [0.3], [0.4], [0.0])
    strokes = [gough.motion.point_to_point(r, a, b, duration=0.5) for a, b in pairwise(poses)]
    path = strokes[0].then(gough.motion.hold(r, poses[1], wait), *strokes[1:])
    found = gough.motion.fastest(r, path)
    # from rest to rest in 2 sqrt(m s / F), also where the motion stops for a moment only
    expected = sum(2.0 * np.sqrt(MASS * way / FORCE) for way in (0.3, 0.1, 0.4))
    assert found.period == pytest.approx(expected + wait, rel=1e-4)
    still = ~found.motion(np.linspace(0.0, found.period, 4001)).V_0p.any(axis=1)
    assert still.mean() * found.period == pytest.approx(wait, rel=0.05)  # samples at its edges
    assert found.closed
    bare = gough.motion.fastest(r, path, dwell=0.0)
    assert bare.period == pytest.approx(expected, rel=1e-4)


def test_jerk():
    r, most = slide(motor=gough.Motor(peak=FORCE)), 500.0
    found = gough.motion.fastest(r, stroke(r), jerk=most)
    motion, step = found.motion, 1e-6
    # averaged over F / (m j) at the ends; where the force turns round, twice as long is needed
    a = FORCE / MASS
    assert found.period == pytest.approx(2.0 * np.sqrt(WAY / a) + 2.0 * a / most, rel=2e-3)
    t = np.linspace(0.0, found.period, 2001)[1:-1]
    jerk = (motion(t + step).Vdot_0p - motion(t - step).Vdot_0p)[:, 0] / (2.0 * step)
    assert np.abs(jerk).max() < most * (1.0 + 1e-4)
    assert not motion(found.period).V_0p.any()
    assert np.abs(motion([0.0, found.period]).Vdot_0p).max() < 1e-6
    assert motion.end[0, 3] == pytest.approx(WAY, abs=1e-9)
    assert np.abs(gough.inverse_dynamics(r, motion(t))).max() < FORCE * (1.0 + 1e-6)


# refusals ---------------------------------------------------------------------------------------


def test_refusals():
    r = robot("delta")
    path = gough.motion.point_to_point(r, None, [0.05, 0.0, -0.42], duration=1.0)
    fastest = gough.motion.fastest
    with pytest.raises(InputError, match="nothing limits the acceleration"):
        fastest(r, path)
    with pytest.raises(EffortsInfeasible, match=r"limit of arm\d torque"):
        fastest(with_motors(r, motor=gough.Motor(peak=0.3)), path)
    with pytest.raises(InputError, match="does not move"):
        fastest(r, gough.motion.hold(r), acceleration=1.0)
    with pytest.raises(InputError, match="smoothing"):
        fastest(r, path, acceleration=1.0, loads=gough.Loads(smoothing=0.1))
    with pytest.raises(InputError, match="share has bounds"):
        fastest(r, path, acceleration=1.0, share=gough.EffortSharing(bounds=(-9.0, 9.0)))
    with pytest.raises(InputError, match="round after round"):
        fastest(r, path, acceleration=1.0, repeated=True)
    with pytest.raises(InputError, match="no motor"):
        fastest(r, path, motor_acceleration={"arm9": 1.0})
    with pytest.raises(gough.errors.UnreachablePose):
        fastest(r, [None, [0.9, 0.0, -0.4]], acceleration=1.0)


def test_motors_without_data_are_named_beside_the_verdict():
    found = touring()
    assert [heading for heading, _ in found.lines()[2:4]] == ["verdict", "by peak"]
    assert found.to_dict()["remarks"] == []
    r = delta()
    joints = [replace(j, axes=(gough.Axis(),)) if j.name == "arm2" else j for j in r.joints]
    partly = replace(found, robot=replace(r, joints=tuple(joints)))
    said = "arm2 has no motor data: it was not judged."
    assert partly.lines()[3] == ("remark", said)
    assert partly.to_dict()["remarks"] == [said]
