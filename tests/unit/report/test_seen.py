"""What a reader must not miss: another machine than the model, and curves on top of each other."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.report import motors, words
from gough.report.differences import differences
from gough.report.gallery import material
from gough.report.style import curve_looks, quiet_style
from gough.simulation.control import perturb


def test_a_machine_that_is_not_the_model_is_told(geared, analysis, simulation):
    quiet = words.summary(material(geared, analysis, simulation))
    assert not any("not the model" in sentence for sentence in quiet)
    heavy = perturb(geared, masses=1.1, friction=0.5)
    total = sum(body.mass for body in geared.bodies)
    told = words.summary(material(geared, analysis, simulation._replace(robot=heavy)))
    (sentence,) = [one.replace("\u00a0", " ") for one in told if "not the model" in one]
    assert "moving mass 10 % more" in sentence
    assert f"{words.number(1.1 * total)} kg instead of {words.number(total)} kg" in sentence
    assert "moments of inertia" not in sentence  # they go with the masses


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"inertias": 0.9}, "moments of inertia 10 % less"),
        ({"friction": 1.5}, "friction 50 % more"),
        ({"friction": 0.0}, "no friction"),
        ({"rotors": {"a": 2.0}}, "inertia of rotors between the same and 100 % more"),
    ],
)
def test_every_figure_has_its_words(change, phrase):
    axis = gough.Axis(viscous=0.1, coulomb=0.2, rotor_inertia=1e-3)
    joints = (
        gough.Joint("a", "prismatic", "base", "one", axes=[axis]),
        gough.Joint("b", "revolute", "one", "two", axes=[axis]),
    )
    bodies = (gough.inertia.box(1.0, (0.1, 0.1, 0.1)), gough.inertia.box(2.0, (0.1, 0.1, 0.2)))
    named = tuple(gough.Body(n, **each) for n, each in zip(("one", "two"), bodies, strict=True))
    model = gough.Robot("two", named, joints, "two", motors=["a", "b"])
    assert differences(model, perturb(model, **change)) == [phrase]
    assert differences(model, replace(model, label="the same")) == []
    off = replace(named[1], center=(0.0, 0.003, 0.0))
    assert differences(model, replace(model, bodies=(named[0], off))) == [
        "centres of mass up to 3 mm off"
    ]
    longer = replace(joints[1], parent_frame=gough.Frame((0.1, 0.0, 0.0)))
    assert differences(model, replace(model, joints=(joints[0], longer))) == [
        "its bodies, joints or lengths are others"
    ]


def test_curves_on_top_of_each_other_are_both_seen(geared, analysis):
    t = np.linspace(0.0, 1.0, 50)
    curves = np.stack([t, np.sin(9.0 * t), t + 1e-4, t], axis=1)
    solid, other, second, third = [look["ls"] for look in curve_looks(curves, range(4))]
    assert solid == other == "-"
    on = [np.zeros(8, dtype=bool) for _ in range(2)]  # a period of dashes, in widths of the line
    for (begin, (dash, gap)), seen in zip((second, third), on, strict=True):
        assert dash + gap == 8.0
        seen[(np.arange(int(dash)) - int(begin)) % 8] = True
    assert not (on[0] & on[1]).any()
    assert not (on[0] | on[1]).all()  # the first shows between them
    twin = np.stack([analysis.tau[:, 0]] * 2, axis=1)
    course = replace(material(geared, analysis, None).main, tau=twin)
    with quiet_style():
        axes = motors.efforts(course).axes[0]
    lines = [line for line in axes.get_lines() if line.get_label() in geared.motors]
    assert [line.is_dashed() for line in lines] == [False, True]
