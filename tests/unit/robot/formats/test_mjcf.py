"""MJCF: what is read of a file is what MuJoCo compiles of it."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from engines import need_engine
from gough.errors import FileError, InputError, NotAssembled
from gough.robot.formats.lumping import lumped
from gough.robot.formats.mjcf import read_mjcf

RICH = """
<mujoco model="rich">
  <compiler eulerseq="ZYx" angle="degree" autolimits="true"/>
  <option gravity="0 0.5 -9.7"/>
  <default>
    <joint damping="0.2"/>
    <geom density="700"/>
    <default class="heavy"><geom mass="0.7"/>
      <default class="stiff"><joint stiffness="3" springref="10" armature="0.01"/></default>
    </default>
  </default>
  <default><geom rgba="1 0 0 1"/><motor gear="4"/></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0.1 0.2 0.3" euler="10 20 30">
      <joint name="ja" axis="1 2 3" pos="0.05 0 0.01" range="-40 50" ref="15"/>
      <geom type="capsule" fromto="0 0 0 0.3 0.1 0.2" size="0.02"/>
      <geom type="box" size="0.1 0.05 0.02" pos="0 0.1 0" euler="0 90 0" mass="0.4"/>
      <body pos="0.3 0.1 0.2" axisangle="0 1 0 25" childclass="heavy">
        <joint name="jb1" axis="0 1 0"/>
        <joint name="jb2" axis="1 0 0" pos="0 0 0.1" class="stiff"/>
        <geom type="ellipsoid" size="0.1 0.2 0.05"/>
        <frame pos="0.1 0 0" euler="0 0 45">
          <geom type="cylinder" size="0.03 0.2" pos="0 0 0.1" xyaxes="1 1 0 0 0 1"/>
          <site name="tip" pos="0.2 0 0" zaxis="1 0 1"/>
        </frame>
        <body name="c" pos="0 0 0.4" quat="1 0.2 0.1 0">
          <inertial pos="0.1 0 0" mass="1.5" diaginertia="0.1 0.12 0.15" euler="20 0 0"/>
          <joint name="jc" type="slide" axis="0 0 2" range="-0.1 0.2" frictionloss="0.3"/>
          <body name="d"><geom type="sphere" size="0.05"/></body>
        </body>
      </body>
    </body>
    <body name="e" pos="0 1 0"><joint name="je" type="ball"/><geom type="sphere" size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="ja"/><position joint="jc" kp="10" forcerange="-3 5" gear="2"/></actuator>
  <keyframe><key name="k" qpos="0.1 0.2 -0.3 0.05 1 0.1 0 0"/></keyframe>
</mujoco>
"""


def write(folder, text, name="robot.xml"):
    path = folder / name
    path.write_text(text)
    return path


def test_bodies_joints_and_masses_are_those_of_mujoco(tmp_path):
    need_engine("mujoco")
    import mujoco

    path = write(tmp_path, RICH)
    read, engine = read_mjcf(path), mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(engine)
    np.testing.assert_allclose(read.gravity, engine.opt.gravity)
    for values, qpos in ((None, engine.qpos0), (read.starts["keyframe 'k'"], engine.key_qpos[0])):
        data.qpos[:] = qpos
        mujoco.mj_forward(engine, data)
        poses = read.poses(values)
        for k in range(1, engine.nbody):
            name = engine.body(k).name or f"body{k}"
            link, T, place = read.links[name], poses[name], data.body(k)
            np.testing.assert_allclose(T[:3, 3], place.xpos, atol=1e-12)
            np.testing.assert_allclose(T[:3, :3], place.xmat.reshape(3, 3), atol=1e-12)
            np.testing.assert_allclose(link.mass, engine.body_mass[k], rtol=1e-9)
            np.testing.assert_allclose((T @ [*link.center, 1.0])[:3], place.xipos, atol=1e-9)
            R = place.ximat.reshape(3, 3)
            inertia = T[:3, :3] @ link.inertia @ T[:3, :3].T
            wanted = R @ np.diag(engine.body_inertia[k]) @ R.T
            np.testing.assert_allclose(inertia, wanted, atol=1e-9 * np.abs(wanted).max())
    for tie in read.joints:
        if tie.kind in ("fixed", "spherical"):
            continue
        joint, axis = engine.joint(tie.name), tie.axes[0]
        assert axis.viscous == engine.dof_damping[joint.dofadr[0]]
        assert axis.rotor_inertia == engine.dof_armature[joint.dofadr[0]]
        assert axis.coulomb == engine.dof_frictionloss[joint.dofadr[0]]
        bounds = axis.limits.position
        assert (bounds is not None) == bool(engine.jnt_limited[joint.id])
        if bounds is not None:
            np.testing.assert_allclose(bounds, engine.jnt_range[joint.id])
        if axis.spring is not None:
            np.testing.assert_allclose(axis.spring.stiffness, engine.jnt_stiffness[joint.id])
            np.testing.assert_allclose(axis.spring.rest, engine.qpos_spring[joint.qposadr[0]])
    assert [(d.joint, d.gear, d.effort) for d in read.drives] == [
        ("ja", 4.0, None),
        ("jc", 2.0, 10.0),
    ]
    tip, site = read.marks["tip"], data.site("tip")
    np.testing.assert_allclose((read.poses(values)[tip.link] @ tip.T)[:3, 3], site.xpos, atol=1e-12)
    assert "d" in lumped(read).marks


FOUR_BAR = """
<mujoco model="bars">
  <compiler angle="radian"/>
  <worldbody>
    <body name="crank" pos="0 0 0" {crank}>
      <joint name="q1" axis="0 0 1" {ref}/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.01"/>
      <body name="bar" pos="0.3 0 0" euler="0 0 -1.2">
        <joint name="q2" axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.01"/>
        <site name="end" pos="0.6 0 0"/><site name="end_up" pos="0.6 0 0.05"/>
      </body>
    </body>
    <body name="rocker" pos="0.5 0 0" euler="0 0 1.1">
      <joint name="q3" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.01"/>
      <site name="top" pos="0.4 0 0"/><site name="top_up" pos="0.4 0 0.05"/>
    </body>
  </worldbody>
  <equality>{loops}</equality>
  <actuator><motor name="m" joint="q1"/></actuator>
</mujoco>
"""
SITES = '<connect site1="end" site2="top"/>'
PAIR = SITES + '<connect site1="end_up" site2="top_up"/>'


def bars(folder, loops=SITES, crank='euler="0 0 1.3"', ref="", **arguments):
    text = FOUR_BAR.format(loops=loops, crank=crank, ref=ref)
    return gough.convert(write(folder, text), platform="bar", **arguments)


def test_one_connect_is_a_ball_and_two_are_a_hinge(tmp_path):
    ball, hinge = bars(tmp_path), bars(tmp_path, PAIR)
    assert ball.robot.joint("end_top").kind == "spherical"
    assert hinge.robot.joint("end_top").kind == "revolute"
    assert (ball.robot.mobility, hinge.robot.mobility) == (1, 1)
    assert hinge.robot.assembly.over_constraint - ball.robot.assembly.over_constraint == 2
    T = ball.robot.home_pose
    V = gough.freedom_map(ball.robot, T)[:, 0]
    tau = []
    for machine in (ball.robot, hinge.robot):
        Vdot = gough.posture(machine, gough.State(T, V)).twist_rates["bar"]
        tau.append(gough.inverse_dynamics(machine, gough.State(T, V, Vdot)))
    np.testing.assert_allclose(*tau, rtol=1e-9)


def test_coordinates_count_from_ref(tmp_path):
    plain, counted = bars(tmp_path), bars(tmp_path, ref='ref="0.4"')
    a, b = (c.robot.assembly.home_values["q1"] for c in (plain, counted))
    np.testing.assert_allclose(b - a, 0.4, atol=1e-12)


def test_the_second_point_of_bodies_is_where_the_file_draws_it(tmp_path):
    """The form of bodies takes the second point from the drawing, that of sites does not."""
    sites = bars(tmp_path, SITES)
    bodies = bars(tmp_path, '<connect body1="bar" body2="rocker" anchor="0.6 0 0"/>')
    far = bodies.robot.joint("bar_rocker").child_frame.position
    assert np.linalg.norm(np.subtract(far, (0.4, 0.0, 0.0))) > 0.005
    assert bodies.start == "the posture that the file draws"
    assert sites.robot.joint("end_top").child_frame.position == (0.4, 0.0, 0.0)


def test_a_weld_and_a_gear(tmp_path):
    gear = bars(tmp_path, '<joint joint1="q2" joint2="q1" polycoef="0.1 -2 0 0 0"/>')
    (coupling,) = gear.robot.couplings
    assert coupling.axes == {"q2": 1.0, "q1": 2.0}
    assert coupling.offset == pytest.approx(0.1)
    with pytest.raises(FileError, match="not linear") as caught:
        bars(tmp_path, '<joint joint1="q2" joint2="q1" polycoef="0 1 0.5 0 0"/>')
    assert caught.value.line is not None


def test_home_by_value_by_keyframe_and_in_vain(tmp_path):
    given = bars(tmp_path, home={"q1": 1.0, "q2": -0.8, "q3": 0.9})
    assert "given" in given.start
    with pytest.raises(InputError, match="no joint") as caught:
        bars(tmp_path, home={"q9": 1.0})
    assert "q1" in str(caught.value)
    far = FOUR_BAR.replace('pos="0.5 0 0"', 'pos="5 0 0"')
    with pytest.raises(NotAssembled, match="does not close"):
        gough.convert(write(tmp_path, far.format(loops=SITES, crank="", ref="")), platform="bar")


def test_a_lock_holds_a_joint(tmp_path):
    text = FOUR_BAR.format(loops="", crank='euler="0 0 1.3"', ref="")
    path = write(tmp_path, text)
    held = gough.convert(path, platform="bar", lock={"q2": 0.3}, motors=["q1"])
    assert held.robot.locked == ("q2",)
    assert held.robot.mobility == 1
    assert held.robot.home.joints["q2"] == 0.3
    assert any("'rocker'" in f.sentence for f in held.findings if f.code == "apart")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("</mujoco>", ""), "not well-formed"),
        (('type="capsule"', 'type="mesh" mesh="m"'), "mesh 'm', which is no mesh"),
        (('name="q2"', 'name="q1"'), "given twice"),
        (('axis="0 0 1"', 'axis="0 0 0"'), "zero"),
        (('pos="0.3 0 0"', 'pos="0.3 nan 0"'), "finite number"),
        (('pos="0.3 0 0"', 'pos="0.3 0"'), "2 numbers, expected 3"),
        (('site2="top"', 'site2="tip"'), "unknown site"),
        (('joint="q1"', 'joint="q7"'), "not there"),
        (("<worldbody>", '<include file="../other.xml"/><worldbody>'), "outside the folder"),
        (("<worldbody>", '<include file="gone.xml"/><worldbody>'), "not there"),
        (("<worldbody>", '<include file="robot.xml"/><worldbody>'), "again and again"),
        (('<joint name="q1"', '<joint class="none" name="q1"'), "unknown default class"),
        (("<worldbody>", "<worldbody><composite/>"), "when MuJoCo compiles"),
    ],
)
def test_broken_files_are_refused_with_file_and_line(tmp_path, change, message):
    text = FOUR_BAR.format(loops=SITES, crank='euler="0 0 1.3"', ref="")
    assert change[0] in text
    path = write(tmp_path, text.replace(*change, 1))
    with pytest.raises(FileError, match=message) as caught:
        gough.convert(path, platform="bar")
    assert caught.value.file.startswith(str(path.parent))
    assert caught.value.line


BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<mujoco model="&b;"/>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/hostname">]><mujoco model="&x;"/>
"""
FAR_DTD = '<!DOCTYPE mujoco SYSTEM "http://example.org/m.dtd"><mujoco/>'


@pytest.mark.parametrize("text", [BOMB, OUTSIDE, FAR_DTD])
def test_entities_and_outside_documents_are_refused(tmp_path, text):
    with pytest.raises(FileError, match="declares"):
        gough.convert(write(tmp_path, text), platform="p")


def test_files_that_are_no_robots(tmp_path):
    for text, message in (
        ("", "empty"),
        ("<html/>", "no robot that is known"),
        ("<mujoco/>", "worldbody"),
        ("<mujoco>" + "<a>" * 600 + "</a>" * 600 + "</mujoco>", "deep"),
        ("just words", "well-formed"),
    ):
        with pytest.raises(FileError, match=message):
            gough.convert(write(tmp_path, text), platform="p")
    with pytest.raises(FileError, match="no such file"):
        gough.convert(tmp_path / "gone.xml", platform="p")


ANKLE = """
<mujoco model="walker">
  <compiler angle="radian"/>
  <default><default class="rod"><joint damping="0.01" armature="0.001"/></default></default>
  <worldbody>
    <body name="pelvis/top" pos="0.3 -0.2 0.9" euler="0.1 0.2 0.3">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.05"/>
      <body name="shin-1" pos="0 0 -0.3">
        <joint name="knee" axis="0 1 0"/>
        <geom type="mesh" mesh="shin"/>
        <body name="foot" pos="0 0 -0.4">
          <joint name="pitch" axis="0 1 0"/><joint name="roll" axis="1 0 0"/>
          <geom type="box" size="0.1 0.04 0.02" pos="0.02 0 -0.04"/>
          <site name="sole" pos="0.02 0 -0.06"/>
        </body>
        <body name="2crank" pos="-0.04 0.05 -0.1">
          <joint name="2crank" axis="0 1 0" armature="0.01"/>
          <geom type="capsule" fromto="0 0 0 -0.05 0 0" size="0.01"/>
          <body name="rod_l" pos="-0.05 0 0">
            <joint name="ball_l" type="ball" class="rod"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.006"/>
          </body>
        </body>
        <body name="crank_r" pos="-0.04 -0.05 -0.14">
          <joint name="crank_r" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 -0.05 0 0" size="0.01"/>
          <body name="rod_r" pos="-0.05 0 0">
            <joint name="ball_r" type="ball" class="rod"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.26" size="0.006"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <connect body1="rod_l" body2="foot" anchor="0 0 -0.3"/>
    <connect body1="rod_r" body2="foot" anchor="0 0 -0.26"/>
  </equality>
  <actuator><motor joint="2crank" gear="10"/><motor joint="crank_r" gear="-10"/>
    <motor joint="knee"/></actuator>
</mujoco>
"""


def test_the_ankle_of_a_walker_works_with_its_shin_as_base(tmp_path):
    """Names that are no names, a floating pelvis, a mesh on what stands still, rods that spin."""
    path = write(tmp_path, ANKLE)
    found = gough.convert(path, platform="sole", base="shin-1", drop=["passive"])
    machine = found.robot
    assert (machine.mobility, len(machine.assembly.idle)) == (2, 2)
    assert machine.motors == ("n2crank", "crank_r")
    assert found.names["2crank"] == "n2crank"
    codes = {finding.code for finding in found.findings}
    assert {"base", "apart", "idle", "freezing", "motors", "names", "loop", "home"} <= codes
    # in the place where the file draws the shin, so gravity is that of the world
    np.testing.assert_allclose(machine.gravity, (0.0, 0.0, -9.81))
    T = machine.home_pose
    R = read_mjcf(path).poses()["foot"]
    np.testing.assert_allclose(T[:3, 3], (R @ [0.02, 0.0, -0.06, 1.0])[:3], atol=1e-12)
    tau = gough.inverse_dynamics(machine, T)
    assert np.abs(tau).max() > 1e-3
    with pytest.raises(FileError, match="mesh"):
        gough.convert(path, platform="sole", base="pelvis/top", drop=["passive"])
    with pytest.raises(FileError, match=r"nothing is fixed to the world|mesh"):
        gough.convert(path, platform="sole")
