"""Sound robots get a clean bill, and the figures in it are right."""

import json
from functools import cache

import numpy as np
import pytest

import gough
from conftest import need_reference
from gough import zoo
from gough.analysis.doctor import doctor
from machines import Drawing, pendulum, screw_pendulum
from robots import ALL_NAMES, mechanism, robot


@cache
def examined(name):
    return doctor(robot(name))


@pytest.mark.parametrize("name", ["orthoglide", "quattro", "space_3ups", "spherical_2dof"])
def test_other_frames_and_cuts_of_the_same_machines_are_healthy(name):
    need_reference()
    found = doctor(mechanism(name))
    assert found.healthy, str(found)
    assert {"mobility", "motors"} <= set(found.codes)


@pytest.mark.parametrize("name", zoo.names())
def test_zoo_robots_are_healthy(name):
    found = examined(name)
    assert found.healthy, str(found)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_figures_of_the_mobility(name):
    """Freedoms less rank is what moves; Gruebler's count is off by what is redundant."""
    found = examined(name)
    data = found.find("mobility")[0].data
    assembly = robot(name).assembly
    idle = len(assembly.idle)
    assert data["joint_rates"] + 6 - data["rank"] == data["mobility"] + idle
    assert data["closure_rows"] - data["rank"] == assembly.over_constraint
    assert data["gruebler"] == data["mobility"] + idle - assembly.over_constraint
    assert data["gruebler"] == data["joint_freedoms"] - 6 * data["loops"] - data["couplings"]


@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_robot_can_be_examined(name):
    """No look fails, and all that is found is plain data."""
    found = examined(name)
    assert "not-examined" not in found.codes
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["robot"] == robot(name).name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("delta", "translate along x, y and z, in the same way in every posture"),
        ("quattro", "translate along x, y and z and rotate about z, in the same way"),
        ("three_rrr", "translate along x and y and rotate about z, in the same way"),
        ("gough_stewart", "moves freely in space"),
        ("five_bar", "in the plane normal to z: x and y may be chosen"),
        ("spherical_2dof", "turns about the fixed point (0, 0, 0) m by rx and ry"),
        ("tilt_3rps", "z, rx and ry may be chosen, x, y and rz follow with the pose"),
    ],
)
def test_freedoms_in_words(name, words):
    assert words in examined(name).find("mobility")[0].sentence


def test_one_freedom_is_named_by_its_axis():
    hinge = doctor(pendulum()).find("mobility")[0].sentence
    assert "rotate about the axis through" in hinge
    assert "along (0.976, 0.195, 0.0976)" in hinge  # (1, 0.2, 0.1) as a unit vector
    screw = doctor(screw_pendulum()).find("mobility")[0].sentence
    assert "screw about" in screw
    assert "0.07 m forward per radian" in screw
    rccc = doctor(robot("rccc")).find("mobility")[0].sentence
    assert "at home; elsewhere its motion is another" in rccc


def test_condition_number_is_that_of_the_inverse_jacobian():
    r = robot("gough_stewart")
    a = r.assembly
    J = gough.inverse_jacobian(r, a.T_home) / a.scales.motors[:, None] * a.scales.freedoms
    data = doctor(r).find("motors")[0].data
    # 1e-9: the same matrix, factored twice
    assert data["condition"] == pytest.approx(np.linalg.cond(J), rel=1e-9)


def test_a_machine_without_masses_is_told_so():
    d = Drawing(8)
    d.body("bob")
    d.joint("hinge", "revolute", "base", "bob", (0.0, 0.0, 0.0))
    r = d.robot("p", "bob", ["hinge"], (0.1, 0.0, 0.0))
    bare = gough.Robot("p", (gough.Body("bob", massless=True),), r.joints, "bob",
                       r.platform_frame, r.motors, r.home)  # fmt: skip
    found = doctor(bare)
    assert found.healthy
    assert "massless" in found.codes
