"""Shapes of files: which ones are drawn, and that they survive a round trip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError, DescriptionWarning
from gough.robot import Shape
from gough.robot.file.reading import loads
from gough.robot.file.writing import dumps
from gough.robot.frame import Frame
from robots import robot

MJCF = """<mujoco>
  <compiler angle="radian"/>
  <default><default class="touch"><geom group="3" rgba="1 0 0 1"/></default></default>
  <asset><material name="grey" rgba="0.5 0.5 0.5 1"/></asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <geom type="cylinder" size="0.1 0.02" pos="0 0 -0.02" contype="0" conaffinity="0"/>
    <body name="arm">
      <joint name="q" axis="0 1 0"/>
      <geom type="box" size="0.1 0.02 0.03" pos="0.1 0 0" euler="0 0 0.3" material="grey"
            contype="0" conaffinity="0" group="2"/>
      <geom type="sphere" size="0.2" rgba="0 0 0 0" contype="0" conaffinity="0"/>
      <geom type="sphere" size="0.05" class="touch" mass="0.3"/>
      <body name="lid" pos="0 0 0.2">
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
URDF = """<robot name="arm">
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="ground"><visual><geometry><box size="0.3 0.2 0.1"/></geometry></visual></link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual>
      <origin xyz="0.1 0 0" rpy="0 1.5707963267948966 0"/>
      <geometry><cylinder radius="0.02" length="0.2"/></geometry><material name="red"/>
    </visual>
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
  </link>
  <link name="tip"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
  <joint name="q" type="continuous"><parent link="ground"/><child link="arm"/></joint>
  <joint name="w" type="fixed">
    <parent link="arm"/><child link="tip"/><origin xyz="0.2 0 0"/>
  </joint>
</robot>
"""
SDF = """<sdf version="1.8"><model name="arm">
  <link name="arm">
    <pose>0 0 1 0 0 0</pose>
    <visual name="a">
      <pose>0.1 0 0 0 0 0</pose>
      <geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry>
      <material><diffuse>0 0 1 1</diffuse></material>
    </visual>
    <visual name="b">
      <pose relative_to="__model__">0 0 1.5 0 0 0</pose>
      <geometry><box><size>0.1 0.2 0.3</size></box></geometry>
    </visual>
  </link>
  <joint name="q" type="revolute"><parent>world</parent><child>arm</child></joint>
</model></sdf>
"""


def read(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    return gough.convert(tmp_path / name, platform="arm").robot


def placed(shape):
    return (shape.kind, shape.size, shape.frame.position, shape.colour)


def test_mjcf_shows_what_is_for_the_eye(tmp_path):
    found = read(tmp_path, "arm.xml", MJCF)
    box, capsule = found.body("arm").shapes  # neither the invisible ball nor the one for contacts
    assert placed(box) == ("box", (0.2, 0.04, 0.06), (0.1, 0.0, 0.0), "#808080")
    turned = Frame.from_rpy((0, 0, 0), (0, 0, 0.3)).matrix
    np.testing.assert_allclose(box.frame.matrix[:3, :3], turned[:3, :3], atol=1e-15)
    assert placed(capsule) == (
        "capsule",
        (0.01, 0.2),
        (0.1, 0.0, 0.2),
        "",
    )  # of what is fixed to it
    assert abs(capsule.frame.matrix[0, 2]) == 1.0  # along x
    assert [placed(each) for each in found.base_shapes] == [
        ("cylinder", (0.1, 0.04), (0.0, 0.0, -0.02), "")
    ]


def test_urdf_shows_visuals_and_contacts_where_there_are_none(tmp_path):
    found = read(tmp_path, "arm.urdf", URDF)
    cylinder, ball = found.body("arm").shapes
    assert placed(cylinder) == ("cylinder", (0.02, 0.2), (0.1, 0.0, 0.0), "#ff0000")
    np.testing.assert_allclose(cylinder.frame.matrix[:3, 2], [1.0, 0.0, 0.0], atol=1e-15)
    assert placed(ball) == ("sphere", (0.05,), (0.2, 0.0, 0.0), "")
    assert [placed(each) for each in found.base_shapes] == [
        ("box", (0.3, 0.2, 0.1), (0.0, 0.0, 0.0), "")
    ]


def test_sdf_shows_visuals(tmp_path):
    egg, box = read(tmp_path, "arm.sdf", SDF).body("arm").shapes
    assert placed(egg) == ("ellipsoid", (0.1, 0.2, 0.3), (0.1, 0.0, 0.0), "#0000ff")
    assert placed(box) == ("box", (0.1, 0.2, 0.3), (0.0, 0.0, 0.5), "")


FRAME = Frame.from_rpy((0.1, 0.2, 0.3), (0.3, 0.2, 0.1))
TETRAHEDRON = Shape(
    "mesh",
    frame=FRAME,
    colour="#102030",
    points=((0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (0.0, 0.0, 0.1)),
    triangles=((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
)
ROUND = (
    Shape("sphere", (0.05,), FRAME, "#ff0000"),
    Shape("cylinder", (0.05, 0.2), FRAME),
    Shape("capsule", (0.02, 0.2), FRAME),
    Shape("ellipsoid", (0.02, 0.1, 0.2), FRAME),
)


def dressed(*shapes):
    """A robot that is not planar, its base and one of its legs with shapes."""
    plain = robot("delta")
    first = replace(plain.bodies[0], shapes=shapes)
    return replace(plain, bodies=(first, *plain.bodies[1:]), base_shapes=shapes[:1])


def test_our_files_hold_shapes():
    machine = dressed(Shape("box", (0.1, 0.2, 0.3), FRAME), *ROUND, TETRAHEDRON)
    assert loads(dumps(machine)) == machine
    assert "gough: 2" in dumps(machine)


@pytest.mark.parametrize(
    ("suffix", "lost"), [("xml", ()), ("sdf", ("mesh",)), ("drake.sdf", ("mesh",))]
)
def test_shapes_come_back(tmp_path, suffix, lost):
    machine = dressed(Shape("box", (0.1, 0.2, 0.3), FRAME), *ROUND, TETRAHEDRON)
    path = tmp_path / f"robot.{suffix}"
    if lost:
        with pytest.warns(DescriptionWarning, match="cannot hold all shapes"):
            gough.save(machine, path)
    else:
        gough.save(machine, path)
    back = gough.convert(path).robot
    wanted = [shape for shape in machine.bodies[0].shapes if shape.kind not in lost]
    for one, two in zip(wanted, back.body(machine.bodies[0].name).shapes, strict=True):
        assert (one.kind, one.colour, one.triangles) == (two.kind, two.colour, two.triangles)
        np.testing.assert_allclose(one.size, two.size, rtol=1e-12)
        np.testing.assert_allclose(one.frame.matrix, two.frame.matrix, atol=1e-12)
        np.testing.assert_allclose(one.points, two.points, atol=1e-6)  # in single precision
    assert [shape.kind for shape in back.base_shapes] == ["box"]
    rest = machine.home_pose
    tau, same = (gough.inverse_dynamics(each, rest) for each in (robot("delta"), back))
    np.testing.assert_allclose(same, tau, rtol=0.0, atol=1e-10)


def test_urdf_has_a_capsule_as_cylinder_and_balls(tmp_path):
    with pytest.warns(DescriptionWarning, match="cannot hold all shapes"):
        gough.save(dressed(*ROUND, TETRAHEDRON), tmp_path / "robot.urdf")
    back = gough.convert(tmp_path / "robot.urdf").robot
    kinds = [shape.kind for shape in back.bodies[0].shapes]
    assert kinds == ["sphere", "cylinder", "cylinder", "sphere", "sphere"]
    *_, one, two = back.bodies[0].shapes
    between = np.subtract(two.frame.position, one.frame.position)
    np.testing.assert_allclose(between, 0.2 * FRAME.matrix[:3, 2], atol=1e-12)


WRONG = {
    "kind": ({"kind": "bocks", "size": (1.0, 1.0, 1.0)}, "unknown kind"),
    "count": ({"kind": "box", "size": (1.0,)}, "has 3 sizes"),
    "sign": ({"kind": "sphere", "size": (-1.0,)}, "positive"),
    "colour": ({"kind": "sphere", "size": (1.0,), "colour": "red"}, "#rrggbb"),
    "no triangles": ({"kind": "mesh", "points": ((0.0, 0.0, 0.0),)}, "triangles"),
    "far point": (
        {"kind": "mesh", "points": ((0.0, 0.0, 0.0),), "triangles": ((0, 0, 1),)},
        "places of points",
    ),
    "points of a box": (
        {"kind": "box", "size": (1.0, 1.0, 1.0), "points": ((0.0, 0.0, 0.0),)},
        "no points",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_shapes_are_refused(fault):
    given, message = WRONG[fault]
    with pytest.raises(DescriptionError, match=message):
        Shape(**given)
