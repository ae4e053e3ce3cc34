"""No text over text, whatever motors are called and however many there are."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure

import gough
from gough.analysis.sizing import size
from gough.dynamics.answers.motor_side import motor_side
from gough.report import bearings, margins, motors, reach, tracking
from gough.report.course import Course
from gough.report.gallery import material
from gough.report.style import legend_above, quiet_style, shortened
from gough.report.tidy import tidy
from overlaps import faults
from robots import robot

CALLED = {
    "prismatic": "prismatic_joint_of_the_hydraulic_leg_number_",
    "universal": "universal_joint_of_the_redundant_leg_",
    "spherical": "ball_at_the_platform_of_leg_",
}


@cache
def long_named():
    """A hexapod of twelve motors, six of them redundant, and all names long."""
    plain = robot("gough_stewart")
    new = {joint.name: CALLED[joint.kind] + joint.name for joint in plain.joints}
    joints = [replace(joint, name=new[joint.name]) for joint in plain.joints]
    motors = [new[name] for name in plain.motors]
    motors += [f"{new[f'u{k}']}.first" for k in range(1, 7)]
    home = gough.Home(plain.home.bodies, {new[k]: v for k, v in plain.home.joints.items()})
    return replace(plain, joints=joints, home=home, motors=motors, redundant=True)


def machine(name):
    if not name.startswith("long"):
        return robot(name)
    found = long_named()
    return found if name == "long" else replace(found, motors=found.motors[2:10])


def course(machine):
    """Made up curves of the motors of a machine: figures of motors ask for nothing else."""
    t = np.linspace(0.0, 1.25, 60)
    phases = np.arange(len(machine.motors))
    tau = 123.4 * np.sin(7.0 * t[:, None] + phases) * (1.0 + 0.1 * phases)
    qd = 1e-3 * np.roll(tau, 9, axis=0)
    sizing = size(machine, t, tau, qd, 0.0 * qd)
    side = motor_side(machine, tau, qd, 0.0 * qd)
    still = gough.State(np.broadcast_to(machine.home_pose, (len(t), 4, 4)))
    return Course(machine, t, still, qd, tau, side, {}, 0.0 * t, sizing)


def check(figure):
    assert faults(tidy(figure)) == []


@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("delta", motors.power),
        ("gough_stewart", motors.plane),
        ("long", motors.efforts),
        ("long, some", motors.plane),
    ],
)
def test_motors_of_any_names(name, draw):
    with quiet_style():
        check(draw(course(machine(name))))


def test_a_report_with_gears_and_a_controller(geared, analysis, simulation):
    m = material(geared, analysis, simulation)
    with quiet_style():
        check(motors.efforts(m.main, [0.1]))
        check(motors.speeds(m.main))
        check(margins.singularities(analysis))
        check(tracking.errors(simulation))
        check(tracking.compared(m.plan, m.run))
        check(bearings.figure(replace(m.bearings, joints=tuple(long_named().motors[:5]))))
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
    names = long_named().motors
    found = [shortened(name, 20) for name in names]
    assert len(set(found)) == len(names)  # ends tell them apart
    assert all(len(name) == 20 and "…" in name for name in found)


def test_a_legend_grows_the_figure():
    figure = Figure(figsize=(8.6, 3.0), layout="constrained")
    axes = figure.subplots()
    for name in long_named().motors:
        axes.plot([0.0, 1.0], label=name)
    legend_above(figure, axes)
    assert figure.get_figheight() > 3.5
