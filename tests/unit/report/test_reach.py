"""The section of the workspace in a report: its plane, and a sentence where there is none."""

from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough.errors import GoughError
from gough.report import reach
from gough.report.gallery import material
from robots import robot


@pytest.mark.parametrize(
    ("name", "spans", "plane"),
    [
        ("five_bar", [0.1, 0.2], ("x", "y")),
        ("delta", [0.3, 0.0, 0.02], ("x", "z")),
        ("delta", [0.3, 0.2, 0.02], ("x", "y")),
        ("delta", [0.0, 0.0, 0.0], ("x", "z")),  # at rest: from the front
        ("gough_stewart", [0.0, 0.1, 0.2, 0.3, 0.0, 0.0], ("y", "z")),
        ("tilt_3rps", [0.2, 0.1, 0.0], ("rx", "ry")),
    ],
)
def test_the_plane_is_that_of_the_path(name, spans, plane):
    x = np.linspace(0.0, 1.0, 5)[:, None] * spans
    assert reach.plane_of(robot(name).assembly, x) == plane


def lifter():
    body = gough.Body("slide", 1.0)
    joint = gough.Joint("lift", "prismatic", "base", "slide")
    return gough.Robot("lifter", [body], [joint], "slide", motors=["lift"])


def course(machine):
    """Two samples at home, which is all that a section asks for."""
    T = np.stack([machine.home_pose] * 2)
    return SimpleNamespace(robot=machine, state=gough.State(T), good=np.arange(2))


def test_no_section_without_two_freedoms():
    assert "not two freedoms" in reach.section(course(lifter()))


def test_what_takes_long_or_cannot_be_is_said(monkeypatch):
    five_bar = course(robot("five_bar"))

    def refuse(*args, **options):
        raise GoughError("five_bar: no way")

    monkeypatch.setattr(reach, "workspace", refuse)
    assert "could not be computed: five_bar: no way." in reach.section(five_bar)
    monkeypatch.setattr(reach, "MOST_JOINTS", 4)
    assert "of 5 joints takes a while" in reach.section(five_bar)


def test_the_section_is_around_the_path(geared, analysis):
    m = material(geared, analysis, None)
    found = m.workspace
    path = reach.coordinates(m.main)
    middle = (path.min(axis=0) + path.max(axis=0)) / 2.0
    for k, values in enumerate(found.section.values):
        assert values[0] + values[-1] == pytest.approx(2.0 * middle[k])
        assert len(values) == reach.POINTS
    inside = [found.reach.flat[found.section.nearest(x)] for x in path]
    assert all(inside)
    said = reach.caption(m.main, found)
    assert "along x and y;" in said
    assert "no joint has limits" in said
