"""Elastic parts of descriptions and files."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError
from gough.robot.file import loads
from gough.robot.file.writing import describe, dumps

TEXT = """
gough: 2
name: arm
platform: arm
motors: [turn]
materials:
  alloy: {E: 70.0e+9, G: 26.0e+9, density: 2700, damping: 0.002}
bodies:
  arm:
    rod: {mass: 1.0, start: [0, 0, 0], end: [0.5, 0, 0]}
    beam:
      box: {width: 0.02, height: 0.03, wall: 0.002}
      material: alloy
      points: [[0, 0, 0], [0.5, 0, 0]]
      up: [0, 0, 1]
      lumps: [[1, 0.1]]
joints:
  turn:
    kind: revolute
    parent: base
    child: arm
    bearing: {radial: 1.0e+7, axial: 2.0e+7, damping: 0.01}
    transmission: {stiffness: 1.0e+4, damping: 2}
"""


def test_a_file_is_read_and_written():
    robot = loads(TEXT)
    beam = robot.body("arm").beam
    assert beam.material == gough.Material("alloy", 70e9, 26e9, 2700.0, 0.002)
    assert beam.section == gough.Box(0.02, 0.03, 0.002)
    assert beam.lumps == ((1.0, 0.1),)
    assert robot.joint("turn").bearing == gough.Bearing(1e7, 2e7, damping=0.01)
    assert robot.axis("turn").transmission.damping == 2.0
    assert loads(dumps(robot)) == robot
    assert describe(robot)["gough"] == 2
    assert gough.inverse_dynamics(robot, robot.home_pose).shape == (1,)


def test_usual_materials_need_no_entry():
    robot = loads(TEXT.replace("material: alloy", "material: steel"))
    assert robot.body("arm").beam.material == gough.robot.MATERIALS["steel"]
    assert "materials" not in describe(robot)
    assert loads(dumps(robot)) == robot


def test_a_guide_and_a_matrix_are_written():
    K = np.zeros((12, 12))
    K[:6, :6] = K[6:, 6:] = np.eye(6)
    K[:6, 6:] = K[6:, :6] = -np.eye(6)
    # frames at one place: only then the plain difference takes no force
    solid = gough.inertia.box(1.0, [0.1, 0.2, 0.3])
    body = gough.Body("part", **solid, stiffness=gough.BodyStiffness(("a", "b"), K.tolist()))
    rod = gough.Body("rod", **solid)
    joints = (
        gough.Joint("a", "revolute", "base", "part"),
        gough.Joint("b", "prismatic", "part", "rod", guide=gough.Guide("rod", (0.0, 0.0, 0.1))),
    )
    robot = gough.Robot("matrix", (body, rod), joints, "rod", motors=("a", "b"))
    assert loads(dumps(robot)) == robot


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("material: alloy", "material: aloy", "Did you mean 'alloy'"),
        ("box: {", "bax: {", "Did you mean 'box'"),
        ("wall: 0.002", "wall: 0.2", r"bodies\.arm\.beam\.box\.wall: is 0\.2 m"),
        ("      up: [0, 0, 1]\n", "", r"beam\.up: is missing, and the section is not round"),
        ("up: [0, 0, 1]", "up: [1, 0, 0]", r"beam\.up: has no direction across piece 1"),
        ("[[1, 0.1]]", "[[2, 0.1]]", r"lumps\[0\]\[0\]: is 2, expected 0 to 1"),
        ("[0.5, 0, 0]]", "[0, 0, 0]]", r"points\[1\]: is the point before it"),
        ("70.0e+9", "70", r"materials\.alloy\.E: is 70 Pa, softer than any beam"),
        ("damping: 0.002", "damping: 2", r"materials\.alloy\.damping: is 2, more than 1"),
        ("axial: 2.0e+7", "torsion: 1.0e+3", r"bearing\.torsion: a revolute joint is free there"),
        ("radial: 1.0e+7", "radial: -1", r"bearing\.radial: must be positive"),
        ("stiffness: 1.0e+4, ", "", r"transmission\.damping: is 2 without a stiffness"),
        ("kind: revolute", "kind: revolute\n    guide: {on: arm, at: [0, 0, 0]}", "has no guide"),
        ("gough: 2", "gough: 1", "version"),
    ],
)
def test_mistakes_are_named(old, new, match):
    assert old in TEXT
    with pytest.raises(DescriptionError, match=match):
        loads(TEXT.replace(old, new, 1))


def test_sections():
    tube, bar = gough.Tube(0.02, 0.0199).figures, gough.Tube(0.02).figures
    assert tube.shear_y == pytest.approx(0.5, abs=1e-3)
    assert bar.shear_y == pytest.approx(6 / 7)
    assert bar.J == pytest.approx(np.pi / 2 * 0.02**4)
    square = gough.Box(0.03, 0.03).figures
    assert square.J == pytest.approx(0.1406 * 0.03**4, rel=5e-3)
    assert square.shear_y == square.shear_z == pytest.approx(5 / 6)
    thin = gough.Box(0.1, 0.06, 0.001).figures
    assert thin.Iy == pytest.approx((0.1 * 0.06**3 - 0.098 * 0.058**3) / 12)
    assert 0.2 < thin.shear_z < 0.45  # the two short walls carry it
    with pytest.raises(DescriptionError, match=r"section\.J: is 3e-08, more than Iy \+ Iz"):
        gough.CrossSection(1e-4, 1e-8, 1e-8, 3e-8)


def test_a_matrix_must_let_the_body_move():
    K = np.diag(np.full(12, 1e6))
    body = gough.Body("part", 1.0, stiffness=gough.BodyStiffness(("a", "b"), K.tolist()))
    joints = (
        gough.Joint("a", "fixed", "base", "part"),
        gough.Joint("b", "fixed", "part", "tool", gough.Frame((0.1, 0.0, 0.0))),
    )
    with pytest.raises(DescriptionError, match=r"bodies\.part\.stiffness\.matrix: the body turned"):
        gough.Robot("matrix", (body, gough.Body("tool", 1.0)), joints, "tool")
    K[0, 1] = 5.0
    with pytest.raises(DescriptionError, match=r"not symmetric: entries \[0\]\[1\]"):
        gough.BodyStiffness(("a", "b"), K.tolist())
    wrong = gough.BodyStiffness(("a", "c"), np.zeros((12, 12)).tolist())
    third = gough.Joint("c", "fixed", "part", "tool")
    bodies = (replace(body, stiffness=wrong), gough.Body("tool", 1.0))
    with pytest.raises(DescriptionError, match="lacks 'b'"):
        gough.Robot("matrix", bodies, (*joints, third), "tool")


def test_two_materials_of_one_name():
    tube, points = gough.Tube(0.01), [[0, 0, 0], [0.1, 0, 0]]
    bodies = tuple(
        gough.Body(f"b{i}", 1.0, beam=gough.Beam(tube, gough.Material("x", E, 1e9, 1e3), points))
        for i, E in enumerate((1e9, 2e9))
    )
    joints = tuple(gough.Joint(f"j{i}", "fixed", "base", f"b{i}") for i in range(2))
    with pytest.raises(DescriptionError, match="another material is called 'x'"):
        gough.Robot("twins", bodies, joints, "b0")


@pytest.mark.parametrize(
    ("points", "again"),
    [
        ([[0, 0, 0], [0.4, 0, 0], [0.4, 0.3, 0], [0, 0.3, 0], [0, 0, 0]], 0),  # a frame
        ([[0, 0, 0], [0.4, 0, 0], [0.8, 0, 0], [0.4, 0, 0], [0.4, 0.3, 0]], 1),  # a branch
    ],
)
def test_a_beam_that_comes_back_to_a_point_is_refused(points, again):
    """Its pieces would pass there without being joined: a frame would be an open hook."""
    with pytest.raises(DescriptionError, match=rf"is beam\.points\[{again}\] again") as error:
        gough.Beam(gough.Tube(0.02), "steel", points)
    assert "'fixed'" in error.value.hint


def test_stiffness_that_is_meant_to_be_rigid_is_left_out():
    """1e30 N/m beside a beam: softer parts would vanish by rounding, and count as free."""
    for stiff in (lambda k: gough.Bearing(radial=k), lambda k: gough.Transmission(stiffness=k)):
        stiff(1e18)
        with pytest.raises(DescriptionError, match="cannot tell from rigid") as error:
            stiff(1e30)
        assert "Leave it out" in error.value.hint
