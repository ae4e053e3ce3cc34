"""Motors on their shafts, against what their data say: closed formulas, and a Delta refused."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from driven import slide
from gough import motion
from gough.analysis import analyse
from gough.analysis.sizing import size
from gough.dynamics.answers.motor_limits import unjudged
from gough.report import words
from gough.report.gallery import material
from robots import robot

MASS, G, AMPLITUDE, OMEGA = 2.0, 9.81, 0.1, 4.0
LOSSY = 0.8
SCREW = gough.Transmission.from_screw(0.01, efficiency=LOSSY)
SCREWED = gough.Axis(transmission=SCREW)
N = SCREW.ratio
PUSH = AMPLITUDE * OMEGA**2  # largest acceleration of the swing [m/s^2]
FASTEST = N * AMPLITUDE * OMEGA  # [rad/s]
RMS = MASS / N * np.sqrt(G**2 + PUSH**2 / 2.0) * np.sqrt((LOSSY**2 + LOSSY**-2) / 2.0)
"""Of the torque on the screw: it lifts for half of the time, with losses, and lowers, helped."""


@pytest.fixture
def swung(lift, swing):
    """Analysis of the mass that swings on a screw with a motor; and its uses by kind."""

    def analysed(axis=SCREWED, count=2001, **motor):
        machine = lift(replace(axis, motor=gough.Motor(**motor) if motor else None))
        found = analyse(machine, swing(machine, count=count), agreement=False)
        return found, {use.kind: use for use in found.sizing[0].uses}

    return analysed


def shaft_torque(phase):
    """Of the screw at a phase of the swing, without a rotor."""
    load = MASS * (G - PUSH * np.sin(phase))
    return load * LOSSY ** -np.sign(np.cos(phase)) / N


def test_a_motor_without_data_is_not_judged(swung):
    found, uses = swung()
    assert not uses
    assert found.feasible
    assert len(found.table()[0]) == 10


def test_root_mean_square_and_holding_are_compared_with_continuous(swung):
    for continuous, kept in ((1.001 * RMS, True), (0.998 * RMS, False)):
        found, uses = swung(continuous=continuous)
        # the trapezoid rule over jumps at the ends of the stroke: an error of one step in 2000
        assert uses["motor_rms"].value == pytest.approx(RMS, rel=5e-4)
        assert uses["motor_rms"].share == pytest.approx(RMS / continuous, rel=5e-4)
        assert uses["motor_holding"].value == pytest.approx(MASS * G / N, rel=1e-12)
        assert found.feasible == kept
    (violation,) = found.violations
    assert (violation.kind, violation.name, violation.time) == ("motor_rms", "lift", 0.0)
    assert violation.sentence == (
        f"Motor lift needs {uses['motor_rms'].value:.4g} N m RMS on its shaft over the whole "
        f"motion of 1.571 s, {100.0 * uses['motor_rms'].share:.6g} % of its continuous torque of "
        f"{continuous:.4g} N m: repeated without a pause, the motion overheats it."
    )
    assert uses["motor_rms"].factor == pytest.approx(0.998, rel=5e-4)


def test_torque_is_compared_with_the_curve_at_its_speed(swung):
    # falls from 0.05 N m at rest to 0.02 N m at 300 rad/s
    curve = [[0, 0.05], [300, 0.02]]
    found, uses = swung(curve=curve)
    phase = np.linspace(0.0, 2.0 * np.pi, 200001)
    speed = FASTEST * np.abs(np.cos(phase))
    share = np.abs(shaft_torque(phase)) / (0.05 - 0.03 * speed / 300.0)
    k = int(np.argmax(share))
    use = uses["motor_peak"]
    # samples every thousandth of a cycle see the worst instant to the square of that, or miss the
    # jump at the end of the stroke by one of them
    assert use.share == pytest.approx(share[k], rel=1e-3)
    assert use.limit == pytest.approx(0.05 - 0.03 * use.speed / 300.0, rel=1e-12)
    assert use.share == use.value / use.limit
    assert use.time == pytest.approx(phase[k] / OMEGA, abs=1e-3)
    assert use.value < np.abs(found.motor.torque).max() or use.speed == 0.0
    assert uses["motor_speed"].share == pytest.approx(FASTEST / 300.0, rel=1e-9)
    scale = 0.9 * share[k]  # now 10 % too small in the worst instant
    found, uses = swung(curve=[[s, scale * torque] for s, torque in curve])
    (violation,) = found.violations
    first = phase[int(np.argmax(share > scale))]
    assert violation.kind == "motor_peak"
    assert violation.time == pytest.approx(first / OMEGA, abs=1e-3)  # a step of 0.8 ms
    assert "Motor lift needs" in violation.sentence
    assert f"{100 / 0.9:.0f} % of the" in violation.sentence
    assert (violation.value, violation.limit) == (
        uses["motor_peak"].value,
        uses["motor_peak"].limit,
    )


def test_a_shaft_above_its_top_speed_is_named_and_its_torque_not_judged(swung):
    found, uses = swung(peak=10.0, speed=0.9 * FASTEST)
    (violation,) = found.violations
    assert violation.kind == "motor_speed"
    assert (violation.time, violation.value) == (0.0, pytest.approx(FASTEST))
    assert violation.sentence.startswith("The shaft of motor lift runs at up to")
    assert uses["motor_peak"].share < 0.1


def test_torque_where_the_curve_has_ended_is_named(swung):
    found, uses = swung(curve=[[0, 1.0], [FASTEST, 0.0]])
    assert uses["motor_peak"].limit == pytest.approx(0.0, abs=1e-12)
    (violation,) = found.violations
    assert violation.kind == "motor_peak"
    assert violation.value == pytest.approx(shaft_torque(0.0), rel=1e-9)
    assert "where its curve leaves it none" in violation.sentence or violation.limit > 0.0


def test_samples_that_cannot_be_are_left_out(lift, swing):
    machine = lift(
        replace(SCREWED, motor=gough.Motor(curve=[[0, 1.0], [400, 1.0]], continuous=0.9))
    )
    whole = analyse(machine, swing(machine), agreement=False)
    tau, qd, qdd = (x.copy() for x in (whole.tau, whole.qd, whole.qdd))
    k = int(np.argmax(np.abs(whole.motor.torque[:, 0])))
    for array in (tau, qd, qdd):
        array[:20] = np.nan
        array[k + 20 :] = np.nan
    (one,) = size(machine, whole.t, tau, qd, qdd)
    assert {use.kind for use in one.uses} == {"motor_peak", "motor_rms", "motor_speed"}
    peaks = [sizing.use("motor_peak") for sizing in (one, whole.sizing[0])]
    assert peaks[0] == peaks[1]
    (none,) = size(machine, whole.t, np.nan * tau, np.nan * qd, np.nan * qdd)
    assert none.uses == ()


def test_a_linear_motor_has_forces(swung):
    found, uses = swung(gough.Axis(), continuous=20.0, peak=22.0)
    pushes = MASS * (G + PUSH), MASS * np.sqrt(G**2 + PUSH**2 / 2.0)
    assert uses["motor_peak"].value == pytest.approx(pushes[0], rel=1e-5)
    assert uses["motor_rms"].value == pytest.approx(pushes[1], rel=1e-6)
    assert [v.kind for v in found.violations] == ["motor_peak"]
    assert found.sizing[0].to_dict()["uses"]["motor_rms"]["unit"] == "N"


def test_a_motion_planned_to_its_motor_is_feasible(swung):
    found, uses = swung()
    one = found.sizing[0].motor
    found, uses = swung(peak=one.peak, continuous=max(one.rms, one.holding), speed=one.speed)
    assert found.feasible
    assert uses["motor_peak"].share == uses["motor_speed"].share == 1.0


def test_where_a_pendulum_may_pass_but_not_stay():
    gear = gough.Transmission(ratio=50.0, efficiency=0.7)
    length, hold = 0.4, MASS * G * 0.4 / 50.0  # largest holding torque, arm level [N m]
    motor = gough.Motor(peak=1.0, continuous=0.8 * hold)
    turned = gough.Frame.from_rpy((0.0, 0.0, 0.0), (-np.pi / 2.0, 0.0, 0.0))  # z along y
    arm = gough.Body("arm", MASS, center=(length, 0.0, 0.0), inertia=np.diag([1e-3] * 3))
    hinge = gough.Joint(
        *("hinge", "revolute", "base", "arm"),
        parent_frame=turned,
        child_frame=turned,
        axes=[gough.Axis(transmission=gear, motor=motor)],
    )
    machine = gough.Robot("pendulum", [arm], [hinge], platform="arm", motors=["hinge"])
    move = motion.point_to_point(machine, [-1.3], [0.9], duration=20.0)  # hardly more than statics
    found = analyse(machine, move, rate=50.0, agreement=False)
    kinds = [v.kind for v in found.violations]
    assert kinds == ["motor_holding"]
    (violation,) = found.violations
    assert violation.value == pytest.approx(hold, rel=1e-4)  # a sample 0.02 s from the worst place
    tilt = found.q[:, 0]
    assert np.interp(violation.time, found.t, tilt) == pytest.approx(-np.arccos(0.8), abs=1e-4)
    level = np.interp(0.0, tilt, found.t)
    use = found.sizing[0].use("motor_holding")
    assert use.time == pytest.approx(level, abs=0.02)
    assert "to hold the robot at rest where it is at" in violation.sentence
    assert "may pass there, but not stay" in violation.sentence


def test_a_delta_that_overloads_a_motor_is_refused_with_the_motor_named():
    """3.07 N m of a peak of 3, 1.65 N m RMS of a continuous torque of 1."""
    plain = robot("delta")
    gear = gough.Transmission(ratio=20.0, efficiency=0.9)

    def driven(**data):
        axis = gough.Axis(transmission=gear, motor=gough.Motor(rotor_inertia=6e-5, **data))
        joints = [replace(j, axes=[axis]) if j.name in plain.motors else j for j in plain.joints]
        return replace(plain, joints=joints)

    cycle = motion.pick_and_place(driven(), cycle=0.4)
    hardest = analyse(driven(), cycle, rate=250.0, agreement=False).sizing[0]
    assert hardest.name == "arm1"
    weak = driven(peak=hardest.motor.peak * 3.0 / 3.07, continuous=hardest.motor.rms / 1.65)
    found = analyse(weak, cycle, rate=250.0, agreement=False)
    assert not found.feasible
    of_arm = {v.kind: v for v in found.violations if v.name == "arm1"}
    assert set(of_arm) == {"motor_peak", "motor_rms"}
    shares = {kind: v.value / v.limit for kind, v in of_arm.items()}
    assert shares == pytest.approx({"motor_peak": 3.07 / 3.0, "motor_rms": 1.65}, rel=1e-9)
    assert found.lines()[2] == ("verdict", "not feasible")
    assert found.lines()[3] == ("violation", of_arm["motor_rms"].sentence)
    assert of_arm["motor_peak"].sentence.startswith("Motor arm1 needs")
    assert "165 % of its continuous torque" in of_arm["motor_rms"].sentence
    heads, rows = found.table()
    assert dict(zip(heads, rows[1], strict=True))["RMS of continuous"] == "165 %"


def test_rotors_that_do_not_count_pass_no_gear():
    """2 kg by a screw of efficiency 0.5: without the rotor all of the effort is lost half."""
    gear = gough.Transmission(ratio=20.0, motor_inertia=1e-2, efficiency=0.5)
    r = slide(transmission=gear, motor=gough.Motor(peak=10.0))
    motion = gough.motion.point_to_point(r, [0.0], [0.5], duration=0.5)
    found = gough.analyse(r, motion, loads=gough.Loads(rotors=False), agreement=False)
    hardest = 2.0 * 10.0 / np.sqrt(3.0) * 0.5 / 0.5**2  # of a quintic [N]
    assert found.sizing[0].motor.peak == pytest.approx(hardest / (0.5 * 20.0), rel=1e-4)


def test_what_holds_a_robot_is_also_below_the_curve_at_rest():
    motor = gough.Motor(curve=((0.0, 15.0), (1.0, 40.0)), continuous=30.0)
    r = slide(motor=motor)
    loads = gough.Loads([gough.Force("mass", [20.0, 0.0, 0.0])])
    found = gough.analyse(r, gough.motion.hold(r, [0.0], 0.1), loads=loads, agreement=False)
    assert found.sizing[0].use("motor_holding").limit == 15.0


def delta_with(*axes):
    """The Delta with these axes at its motors."""
    plain = robot("delta")
    by_name = dict(zip(plain.motors, axes, strict=True))
    joints = [replace(j, axes=[by_name[j.name]]) if j.name in by_name else j for j in plain.joints]
    return replace(plain, joints=joints)


KNOWN = gough.Axis(motor=gough.Motor(peak=1e3))
UNKNOWN = gough.Axis(motor=gough.Motor(rotor_inertia=6e-5))  # nothing to compare with
BOUNDED = gough.Axis(limits=gough.Limits(effort=1e3))


@pytest.mark.parametrize(
    ("axes", "remarks"),
    [
        ((KNOWN, KNOWN, KNOWN), []),
        ((UNKNOWN, gough.Axis(), BOUNDED), []),
        (
            (KNOWN, gough.Axis(), UNKNOWN),
            ["arm2 and arm3 have no motor data: they were not judged."],
        ),
        (
            (gough.Axis(), BOUNDED, KNOWN),
            [
                "arm1 has no motor data: it was not judged.",
                "arm2 has no motor data: it was judged by the limits of its axis only.",
            ],
        ),
        (
            (BOUNDED, KNOWN, BOUNDED),
            [
                "arm1 and arm3 have no motor data: "
                "they were judged by the limits of their axes only."
            ],
        ),
    ],
)
def test_who_is_not_judged_beside_others_with_data(axes, remarks):
    machine = delta_with(*axes)
    assert unjudged(machine) == remarks


def test_the_verdict_names_motors_that_were_not_judged():
    machine = delta_with(KNOWN, gough.Axis(), gough.Axis())
    cycle = motion.pick_and_place(machine, cycle=0.4)
    found = analyse(machine, cycle, rate=50.0, agreement=False)
    said = "arm2 and arm3 have no motor data: they were not judged."
    assert found.lines()[2:4] == [("verdict", "feasible"), ("remark", said)]
    assert found.to_dict()["remarks"] == [said]
    summary = words.summary(material(machine, found, None))
    (clear,) = (k for k, sentence in enumerate(summary) if sentence.startswith("Nothing stands"))
    assert summary[clear + 1] == said
