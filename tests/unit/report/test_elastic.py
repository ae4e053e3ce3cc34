"""Elastic machines in pictures and in reports."""

from functools import cache

import numpy as np
import pytest

import gough
from elastic_machines import cantilever
from gough.errors import InputError
from gough.report import write_report
from gough.report.drawing.bent import bent, displacement_of
from gough.report.drawing.figure import assembled_scenes
from overlaps import faults

STEEL = gough.Material.named("steel")
REST = ("workspace", "bearings", "inputs")


@cache
def bar():
    beam = gough.Beam(gough.Tube(0.01, 0.008), STEEL, ((0, 0, 0), (0.4, 0, 0)))
    return cantilever(beam)


@cache
def geared():
    """A pendulum whose gear gives way."""
    axis = gough.Axis(transmission=gough.Transmission(stiffness=900.0))
    frame = gough.Frame.from_axes((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0))
    joint = gough.Joint("hip", "revolute", "base", "arm", frame, frame, axes=(axis,))
    arm = gough.Body("arm", **gough.inertia.rod(2.0, (0, 0, 0), (0.5, 0, 0)))
    return gough.Robot("pendulum", (arm,), (joint,), "arm", gough.Frame((0.5, 0, 0)), ("hip",))


@cache
def moved(robot):
    x = robot.assembly.chart.coordinates(robot.home_pose)[list(robot.assembly.free)]
    return gough.analyse(
        robot, gough.motion.point_to_point(robot, x, x - 0.05, duration=0.3), agreement=False
    )


def test_a_beam_is_drawn_bent():
    """A cantilever's line follows its deflection, with as many points as it takes."""
    found = gough.elasticity(bar())
    deflection = found.deflection()
    solved, x = deflection._shapes[0]
    scene = assembled_scenes(solved.system.assembly, [solved.system.at])[0]
    after = bent(scene, solved.system, displacement_of(solved.system, 1000.0 * x))
    before = next(s for s in scene.strokes if s.body == "bar")
    line = next(s for s in after.strokes if s.body == "bar").points
    assert len(line) > 10
    share = np.linspace(0.0, 1.0, len(line))
    straight = before.points[0] + share[:, None] * (before.points[-1] - before.points[0])
    sag = (line - straight)[:, 2]
    s = np.linalg.norm(straight - straight[0], axis=1) / 0.4
    s = s if abs(sag[0]) < abs(sag[-1]) else 1.0 - s
    # slender: the curve of an even load, w (s^4 - 4 s^3 + 6 s^2) / 3
    shape = (s**4 - 4.0 * s**3 + 6.0 * s**2) / 3.0
    assert sag / sag[np.argmax(s)] == pytest.approx(shape, abs=0.01)


def test_pictures_say_what_they_show():
    found = gough.elasticity(geared())
    texts = [text.get_text() for text in found.vibrations(1).draw(1).texts]
    assert any("vibration 1" in text and "not to scale" in text for text in texts)
    texts = [text.get_text() for text in found.deflection().draw(magnified=50).texts]
    assert any("magnified 50 times" in text for text in texts)


def test_no_text_lies_over_text():
    found = gough.elasticity(geared())
    assert not faults(found.vibrations(1).draw(1))
    motion = gough.motion.point_to_point(geared(), [0.0], [0.1], duration=0.2)
    assert not faults(gough.elastic_motion(geared(), motion).draw())


def test_pictures_that_cannot_be():
    found = gough.elasticity(geared())
    with pytest.raises(InputError, match="there are 1 vibrations"):
        found.vibrations(1).draw(2)
    with pytest.raises(InputError, match="magnified"):
        found.deflection().draw(magnified=0.0)
    several = gough.elasticity(geared(), np.stack([geared().home_pose] * 2))
    with pytest.raises(InputError, match="several postures"):
        several.vibrations(1).draw()
    with pytest.raises(InputError, match="several postures"):
        several.deflection().draw()


def test_a_report_has_a_section(tmp_path):
    robot = geared()
    path = write_report(tmp_path / "a.html", robot=robot, analysis=moved(robot), without=REST)
    text = path.read_text(encoding="utf-8")
    assert "Stiffness and vibrations" in text
    frequency = gough.elasticity(robot).vibrations(1).frequencies[0]
    assert f"{frequency:.3g}" in text
    assert "in the gear of hip" in text
    left = (*REST, "elastic")
    path = write_report(tmp_path / "b.html", robot=robot, analysis=moved(robot), without=left)
    assert "Stiffness and vibrations" not in path.read_text(encoding="utf-8")
