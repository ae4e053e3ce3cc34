"""No text over text, whatever motors are called and however many there are."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

import gough
from gough.analysis.sizing import MotorRating, Sizing
from gough.dynamics.answers.motor_side import MotorSide
from gough.report import bearings, margins, motors, reach, tracking
from gough.report.course import Course
from gough.report.gallery import material
from gough.report.style import legend_above, quiet_style, shortened
from gough.report.tidy import tidy
from overlaps import faults

LONG = [f"prismatic_of_the_hydraulic_leg_number_{k}" for k in range(6)]
LONG += [f"universal_joint_of_the_redundant_leg_{k}.first" for k in range(6)]
NAMES = {
    "delta": ["arm1", "arm2", "arm3"],
    "hexapod": [f"p{k}" for k in range(1, 7)],
    "long": LONG,
    "fewer": LONG[2:10],
}


def course(names):
    """Curves of motors of given names, turning and sliding ones: figures ask for nothing else."""
    t = np.linspace(0.0, 1.25, 60)
    phases = np.arange(len(names))
    curves = 123.4 * np.sin(7.0 * t[:, None] + phases) * (1.0 + 0.1 * phases)
    rating = (150.0, 80.0, 3.0, 0.12, 0.1, 0.05, 1.0, 1.0, 1.0, 1.0, 1.0)
    sizing = []
    for name in names:
        units = ("N m", "rad/s") if "universal" in name else ("N", "m/s")
        figures = MotorRating(*units, *rating)
        sizing.append(Sizing(name, 1.0, figures, figures, None, None))
    robot = SimpleNamespace(motors=tuple(names), axis=lambda name: gough.Axis())
    side = MotorSide(curves, 1e-3 * np.roll(curves, 9, axis=0), curves)
    flat = np.zeros((len(t), 1))
    return Course(
        robot, t, flat, flat, flat, side.speed, curves, side, {}, flat[:, 0], tuple(sizing)
    )


def check(figure):
    assert faults(tidy(figure)) == []


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("delta", motors.power),
        ("hexapod", motors.plane),
        ("long", motors.efforts),
        ("fewer", motors.plane),
    ],
)
def test_motors_of_any_names(name, draw):
    with quiet_style():
        check(draw(course(NAMES[name])))


def test_a_report_with_gears_and_a_controller(geared, analysis, simulation):
    m = material(geared, analysis, simulation)
    with quiet_style():
        check(motors.efforts(m.main, [0.1]))
        check(motors.speeds(m.main))
        check(margins.singularities(analysis))
        check(tracking.errors(simulation))
        check(tracking.compared(m.plan, m.run))
        check(bearings.figure(replace(m.bearings, joints=tuple(LONG[:5]))))
        check(reach.figure(m.main, m.workspace))


def test_the_finder_finds():
    """Two texts in one place, one that is cut off, and long titles side by side."""
    figure = Figure(figsize=(4.0, 2.0))
    one, other = figure.subplots(1, 2)
    one.set_title("a title that is far too long for its panel")
    other.set_title("another one that is too long for it")
    figure.text(0.3, 0.5, "here")
    figure.text(0.31, 0.5, "there")
    figure.text(0.98, 0.5, "outside")
    said = " ".join(faults(figure))
    assert "'here' lies on 'there'" in said
    assert "'outside' is cut off" in said
    assert "'a title that is far too long for its panel' lies on 'another" in said
    titles = tidy(figure)
    assert "title" not in " ".join(faults(titles))


def test_names_are_shortened_in_the_middle():
    assert shortened("arm1", 8) == "arm1"
    found = [shortened(name, 20) for name in LONG]
    assert len(set(found)) == len(LONG)  # ends tell them apart
    assert all(len(name) == 20 and "…" in name for name in found)


def test_a_legend_grows_the_figure():
    figure = Figure(figsize=(8.6, 3.0), layout="constrained")
    axes = figure.subplots()
    for name in LONG:
        axes.plot([0.0, 1.0], label=name)
    legend_above(figure, axes)
    assert figure.get_figheight() > 3.5
