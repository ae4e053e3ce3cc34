"""Figures in words."""

import numpy as np
import pytest

import gough
from gough.report import figures, words
from gough.report.gallery import material
from gough.report.pictures import apart
from gough.report.tracking import scaled


@pytest.mark.parametrize(
    ("value", "text", "full"),
    [
        (22.452, "22.5", "22.5"),
        (7.9, "7.9", "7.90"),
        (0.0, "0", "0"),
        (1830.4, "1830", "1830"),
        (159.0, "159", "159"),
        (-0.0374, "−0.0374", "−0.0374"),  # noqa: RUF001  a true minus
        (np.nan, "–", "–"),
        (1.5e-7, "1.5e-07", "1.50e-07"),
    ],
)
def test_numbers_are_written_as_people_do(value, text, full):
    assert figures.number(value) == text
    assert figures.number(value, full=True) == full


def test_lengths_have_handy_units():
    assert figures.length_text(0.00128) == "1.28 mm"
    assert figures.length_text(2.0) == "2 m"
    assert figures.length_text(3.2e-6) == "3.2 µm"
    assert figures.length_text(1e-12) == "0.001 nm"
    values, unit = scaled(np.array([0.0, -0.0004]), "rad")
    assert unit == "mrad"
    assert np.allclose(values, [0.0, -0.4])
    assert scaled(np.zeros(2), "m")[1] == "m"


def test_figures_stay_with_their_units():
    assert words.unbroken("22 N m in 5 s, 3 % of 7 rpm") == (
        "22\u00a0N\u00a0m in 5\u00a0s, 3\u00a0% of 7\u00a0rpm"
    )


def test_the_summary_names_the_motor_that_needs_the_most(geared, analysis, simulation):
    m = material(geared, analysis, simulation)
    hardest = max(analysis.sizing, key=lambda one: one.effort_use).name
    told = " ".join(words.summary(m)).replace("\u00a0", " ")
    assert f"Motor {hardest} is nearest its limits" in told
    assert "rpm" in told  # behind a gear
    assert analysis.violations[0].sentence in told
    assert "within 0.1 mm" not in told
    assert "within 100 µm of the motion" in told
    peak = np.asarray(analysis.motor.power).sum(axis=1).max()
    assert f"at most {figures.number(peak)} W" in told
    uses = words.use_rows(m.main)
    assert [u["over"] for u in uses if u["what"] == "effort"] == [
        one.effort_use > 1.0 for one in analysis.sizing
    ]


def test_poses_are_far_apart_and_in_order(geared, analysis):
    chosen = apart(geared, analysis.T_0p)
    assert 2 <= len(chosen) <= 4
    assert list(chosen) == sorted(chosen)
    assert {0, len(analysis.t) - 1} <= set(chosen)


def test_what_is_not_known_is_not_called_clear():
    robot = gough.zoo.load("five_bar")  # no limits, and no data of motors
    motion = gough.motion.circle(robot, radius=0.02, duration=1.0)
    found = gough.analyse(robot, motion, rate=20.0, agreement=False)
    told = " ".join(words.summary(material(robot, found, None)))
    assert "reach and singularities are clear. No motor data are known" in told
