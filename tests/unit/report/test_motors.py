"""Motors in reports: their envelopes in figures, their verdicts in words."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.analysis import analyse
from gough.motion import Samples
from gough.report import motors, words
from gough.report.envelope import peak_curve
from gough.report.gallery import material
from gough.report.style import WARN, quiet_style


@pytest.fixture(scope="module")
def overloaded(geared, analysis):
    """The same motion with motors whose data are known: too weak by peak, by RMS, and in speed."""
    shaft = analysis.sizing[0].motor
    motor = gough.Motor(
        continuous=0.9 * shaft.rms,
        curve=[[0.0, 0.9 * shaft.peak], [0.5 * shaft.speed, 0.9 * shaft.peak], [shaft.speed, 0.0]],
    )
    weak = replace(
        geared,
        joints=[
            replace(j, axes=[replace(j.axes[0], motor=motor)]) if j.name in geared.motors else j
            for j in geared.joints
        ],
    )
    a = analysis
    return (
        motor,
        weak,
        analyse(weak, Samples(a.t, gough.State(a.T_0p, a.V_0p, a.Vdot_0p)), agreement=False),
    )


def test_the_peak_curve_is_drawn_at_its_corners():
    motor = gough.Motor(curve=[[0, 3.0], [250, 3.0], [400, 1.5]])
    speeds, torques = peak_curve(motor, 400.0)
    assert list(speeds) == [-400.0, -250.0, 0.0, 250.0, 400.0]
    assert list(torques) == [1.5, 3.0, 3.0, 3.0, 1.5]
    assert list(peak_curve(gough.Motor(peak=2.0), 10.0)[1]) == [2.0] * 3


def test_torque_over_speed_has_the_envelope_and_marks_what_is_outside(overloaded):
    motor, weak, found = overloaded
    with quiet_style():
        axes = motors.plane(material(weak, found, None).main).axes
    for i, cell in enumerate(axes):
        named = {line.get_label(): line for line in cell.lines}
        top = motor.top_speed
        assert np.ptp(named["peak torque at that speed"].get_xdata()) == pytest.approx(2.0 * top)
        assert set(named["continuous torque"].get_ydata()) == {motor.continuous}
        (diamond,) = named["RMS at mean speed"].get_xydata()
        assert tuple(diamond) == found.sizing[i].motor.continuous[::-1]
        torque, speed = (np.abs(x[:, i]) for x in found.motor[:2])
        outside = torque > motor.torque_at(speed)
        assert outside.any() == ("beyond the motor" in named)
        if outside.any():
            red = named["beyond the motor"]
            assert red.get_color() == WARN
            assert np.isfinite(red.get_ydata()).sum() == outside.sum()
    assert any(line.get_label() == "beyond the motor" for line in axes[0].lines)


def test_torque_over_time_has_the_curve_at_that_speed(overloaded):
    motor, weak, found = overloaded
    with quiet_style():
        _, shafts = motors.efforts(material(weak, found, None).main).axes
    drawn = [
        line.get_ydata()
        for line in shafts.lines
        if line.get_color() == motors.motor_look(0)["color"]
    ]
    curve = motor.torque_at(found.motor.speed[:, 0])
    below = curve < motor.largest
    assert any(len(line) == len(curve) and np.allclose(line[below], curve[below]) for line in drawn)
    assert {text.get_text() for text in shafts.texts} >= {"peak", "continuous"}


def test_words_name_the_motor_and_the_badge_is_not_green(overloaded):
    _, weak, found = overloaded
    m = material(weak, found, None)
    assert words.verdict(m) == "not feasible"
    told = " ".join(words.obstacles(m)).replace("\u00a0", " ")
    first = weak.motors[0]
    assert f"Motor {first} needs {found.sizing[0].motor.rms:.4g} N m RMS on its shaft" in told
    rows = {(row["motor"], row["what"]): row for row in words.use_rows(m.main)}
    assert rows[first, "RMS on the shaft"]["percent"] == "111"
    assert rows[first, "RMS on the shaft"]["over"]
    assert rows[first, "speed of the shaft"]["percent"] == "100"
    assert "by RMS" in " ".join(words.summary(m))


def test_a_simulation_is_judged_by_the_same_data(overloaded, simulation):
    _, weak, _ = overloaded
    m = material(weak, None, simulation._replace(robot=weak))
    assert words.verdict(m) == "beyond limits"
    told = [sentence for sentence in words.exceeded(m.run) if "RMS" in sentence]
    # its efforts are 1.1 times those of the plan, and so are its torques, almost
    assert told[0].startswith(f"In the simulation motor {weak.motors[0]} needs")
    share = m.run.sizing[0].use("motor_rms").share
    assert share == pytest.approx(1.1 / 0.9, rel=0.02)
    assert m.run.sizing[0].use("motor_holding") is None
