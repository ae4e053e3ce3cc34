"""What files have beside the machine that is meant, and what users say in the words of findings."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.errors import FileError, FrozenFreedom, InputError

BARE = '<inertial pos="0.02 0 0.1" mass="0.4" diaginertia="0.002 0.002 0.001"/>'
# a four-bar between crank and rocker, with a sprung finger that nothing drives on a second one
LEG = f"""<mujoco><compiler angle="radian"/><default>{{defaults}}</default><worldbody>
<body name="crank/1"><joint name="drive-1" axis="0 1 0"/>{BARE}
  <body name="rod-1" pos="0 0 0.2"><joint name="p-1" axis="0 1 0"/>{BARE}
    <body name="tip-1" pos="0.2 0 0.1">
      <joint name="give-1" axis="0 1 0" stiffness="3"/>{BARE}</body>
  </body></body>
<body name="rocker" pos="0.4 0 0.05"><joint name="r-1" axis="0 1 0"/>{BARE}</body>
<body name="other" pos="0 1 0"><joint name="a" axis="0 1 0" {{joint}}/>{BARE}
  <body name="hand" pos="0 0 0.2"><joint name="b" axis="0 1 0"/>{BARE}
    <site name="s"/></body></body>
<body name="ball" pos="0 2 0"><joint name="c" type="ball" {{ball}}/>{BARE}</body>
</worldbody>
<equality><connect body1="rod-1" body2="rocker" anchor="0.4 0 0.1"/>{{equality}}</equality>
<tendon>{{tendon}}</tendon>
<actuator><motor joint="drive-1"/></actuator></mujoco>"""
EMPTY = dict.fromkeys(("defaults", "joint", "ball", "equality", "tendon"), "")
ACTING = '<fixed name="t" stiffness="2"><joint joint="a" coef="1"/></fixed>'
HANGING = '<spatial name="t" damping="2"><site site="s"/><site site="s0"/></spatial>'
CURVED = '<joint joint1="a" joint2="b" polycoef="0 1 0.2 0 0"/>'


def written(tmp_path, **parts):
    path = tmp_path / "leg.xml"
    path.write_text(LEG.format(**(EMPTY | parts)))
    return path


def converted(path, platform="rod-1", **options):
    return gough.convert(path, platform=platform, lock={"give-1": 0.0, **options.pop("lock", {})})


@pytest.mark.parametrize(
    ("parts", "on"),
    [
        ({"tendon": ACTING}, "hand"),
        ({"tendon": HANGING}, "hand"),
        ({"equality": CURVED}, "hand"),
        ({"joint": 'springdamper="0.5 1"'}, "hand"),
        ({"ball": 'stiffness="2"'}, "ball"),
    ],
)
def test_what_cannot_be_held_is_refused_where_the_machine_has_it(tmp_path, parts, on):
    path = written(tmp_path, **parts)
    assert converted(path).robot.mobility == 1  # elsewhere in the file it does not matter
    with pytest.raises(FileError, match=r"leg\.xml, line \d+: <") as caught:
        gough.convert(path, platform=on)
    assert caught.value.hint


def test_what_is_dropped_is_not_refused(tmp_path):
    path = written(tmp_path, tendon=ACTING, ball='stiffness="2"')
    for on in ("hand", "ball"):
        assert gough.convert(path, platform=on, drop="springs").robot.mobility >= 1


def test_a_range_without_width_is_no_limit(tmp_path):
    for text in ("0 0", "1 -1"):
        found = gough.convert(written(tmp_path, joint=f'range="{text}"'), platform="hand")
        assert found.robot.axis("a").limits.position is None
    with pytest.raises(FileError, match="is empty"):
        gough.convert(written(tmp_path, joint='limited="true" range="0 0"'), platform="hand")


def test_names_of_ours_are_understood(tmp_path):
    path = written(tmp_path)
    ours = gough.convert(path, platform="rod_1", lock={"give_1": 0.1}, home={"drive_1": 0.2})
    theirs = gough.convert(path, platform="rod-1", lock={"give-1": 0.1}, home={"drive-1": 0.2})
    assert ours.robot == theirs.robot
    assert gough.convert(path, platform="rod_1", lock="give_1", motors="r_1").robot.motors == (
        "r_1",
    )


def test_a_posture_of_all_joints_is_one_of_the_machine(tmp_path):
    home = {"drive-1": 0.2, "give-1": 0.0, "a": 0.3, "b": 0.1}
    found = gough.convert(written(tmp_path), platform="rod-1", lock=["give-1"], home=home)
    assert "home= names joints that stay as they are: 'a' and 'b'" in str(found)
    with pytest.raises(InputError, match="'drive-2', which is no joint"):
        gough.convert(written(tmp_path), platform="rod-1", home={"drive-2": 0.2})


def test_what_would_be_refused_in_every_state_is_said_at_once(tmp_path):
    found = gough.convert(written(tmp_path), platform="rod-1")
    (finding,) = (each for each in found.findings if each.code == "unheld")
    assert "lock=['give-1']" in finding.advice
    robot = found.robot
    with pytest.raises(FrozenFreedom):
        gough.inverse_dynamics(robot, robot.home_pose)
    held = gough.convert(written(tmp_path), platform="rod-1", lock=["give-1"])
    assert "unheld" not in {each.code for each in held.findings}
    gough.inverse_dynamics(held.robot, held.robot.home_pose)


def test_sprung_joints_are_named_where_motors_are_too_few(tmp_path):
    found = gough.convert(written(tmp_path), platform="tip-1")
    (finding,) = (each for each in found.findings if "fewer than" in each.sentence)
    assert "lock=['give-1']" in finding.advice


def test_a_platform_that_floats(tmp_path):
    path = tmp_path / "lost.xml"
    path.write_text(
        f'<mujoco><worldbody><body name="a"><joint name="j"/>{BARE}</body>'
        f'<body name="plate"><freejoint/>{BARE}</body></worldbody></mujoco>'
    )
    with pytest.raises(FileError, match="'plate' floats: no joint and no loop") as caught:
        gough.convert(path, platform="plate")
    assert "loops" in caught.value.hint


def test_weights_that_are_compensated_are_said_once(tmp_path):
    path = written(tmp_path)
    path.write_text(path.read_text().replace("<body ", '<body gravcomp="1" '))
    found = converted(path)
    (finding,) = (each for each in found.findings if each.code == "gravcomp")
    assert "<body name='crank/1'> in line 2 and 6 other bodies have gravcomp" in finding.sentence


# couplings with an offset ------------------------------------------------------------------------


def test_home_is_where_joints_that_follow_are_led(tmp_path):
    """Within limits: the drawing does not satisfy the coupling, and what leads stays."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    links = "".join(f'<link name="l{k}">{mass}</inertial></link>' for k in range(4))

    def joint(k, more=""):
        return (
            f'<joint name="j{k}" type="revolute"><parent link="l{k}"/><child link="l{k + 1}"/>'
            f'<origin xyz="0.2 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="0"/>{more}</joint>'
        )

    followers = ('<mimic joint="j0" offset="-0.2"/>', '<mimic joint="j1" multiplier="0.5"/>')
    path = tmp_path / "finger.urdf"
    path.write_text(
        f'<robot name="finger">{links}{joint(0)}{joint(1, followers[0])}{joint(2, followers[1])}'
        "</robot>"
    )
    found = gough.convert(path, platform="l3", motors="j0")
    values = found.robot.assembly.home_values
    np.testing.assert_allclose([values[f"j{k}"] for k in range(3)], [0.0, -0.2, -0.1], atol=1e-12)
    assert "outside its limits" not in str(found)


# SDF and SYMORO ----------------------------------------------------------------------------------


def sdf(tmp_path, *, weight="", last="", world=""):
    inertial = "<inertial><mass>1</mass><inertia><ixx>.01</ixx><iyy>.01</iyy><izz>.01</izz>"
    inertial += "</inertia></inertial>"
    links = "".join(
        f'<link name="l{k}"><pose>{0.3 * k} 0 1 0 0 0</pose>{inertial}'
        f"{last if k == 2 else weight}</link>"
        for k in range(3)
    )
    ends = (("world", "l0"), ("l0", "l1"), ("l1", "l2"))
    joints = "".join(
        f'<joint name="j{k}" type="revolute"><parent>{a}</parent><child>{b}</child>'
        "<axis><xyz>0 1 0</xyz></axis></joint>"
        for k, (a, b) in enumerate(ends)
    )
    path = tmp_path / "chain.sdf"
    path.write_text(f'<sdf version="1.6"><model name="m">{world}{links}{joints}</model></sdf>')
    return path


def test_a_link_called_world_is_the_world(tmp_path):
    plain = gough.convert(sdf(tmp_path), platform="l2", motors=["j0", "j1", "j2"])
    found = gough.convert(
        sdf(tmp_path, world="<link name='world'></link>"), platform="l2", motors=["j0", "j1", "j2"]
    )
    assert found.robot == plain.robot
    assert "the link 'world' in line 1 is the world itself" in str(found)


def test_links_that_gravity_does_not_act_on(tmp_path):
    off = "<gravity>false</gravity>"
    found = gough.convert(sdf(tmp_path, weight=off, last=off), platform="l2", motors="j0")
    assert found.robot.gravity == (0.0, 0.0, 0.0)
    some = sdf(tmp_path, last=off)
    with pytest.raises(FileError, match="gravity does not act on it") as caught:
        gough.convert(some, platform="l2", motors="j0")
    assert "loads=" in caught.value.hint


def test_a_gearbox_is_refused_with_what_to_write(tmp_path):
    path = sdf(tmp_path)
    path.write_text(path.read_text().replace('"j2" type="revolute"', '"j2" type="gearbox"'))
    with pytest.raises(FileError, match="type 'gearbox' cannot be held") as caught:
        gough.convert(path, platform="l2")
    assert "<mimic>" in caught.value.hint


PAR = """(* Robotname = 'rhombus' *)
NL = 4
NJ = 5
NF = 6
ant = {0,1,0,3,4,2}
sigma = {0,0,0,0,0,2}
d = {0,0.3,0,0.3,0.3,0.3}
mu = {1,0,1,0,0,0}
theta = {th1,th2,th3,th4,th5,0}
M = {1,1,1,1}
XX = {.1,.1,.1,.1}
YY = {.1,.1,.1,.1}
ZZ = {.1,.1,.1,.1}
"""


def test_a_rhombus_that_is_drawn_flat_is_not_left_on_itself(tmp_path):
    """Folded it moves, but its motors then turn it as one: another start opens it."""
    path = tmp_path / "rhombus.par"
    path.write_text(PAR)
    found = gough.convert(path, platform="link2")
    assert found.start.startswith("random")
    assert found.robot.assembly.motor_rank == found.robot.mobility == 2


def test_no_gravity_is_none_in_a_table(tmp_path):
    path = tmp_path / "rhombus.par"
    for text, wanted in (("", (0.0, 0.0, -9.81)), ("G = {0,0,0}\n", (0.0, 0.0, 0.0))):
        path.write_text(PAR + text)
        found = gough.convert(path, platform="link2", home={"joint1": 0.5, "joint3": 1.2})
        assert found.robot.gravity == wanted


def test_home_names_the_hinges_of_what_becomes_a_ball(tmp_path):
    """The hinges are gone by then; their angles are the ball's."""
    inner = "".join(
        f'<body name="h{k}"><joint name="b{k}" axis="{axis}"/>'
        for k, axis in enumerate(("1 0 0", "0 1 0"))
    )
    path = tmp_path / "hung.xml"
    path.write_text(
        f'<mujoco><compiler inertiafromgeom="false" angle="radian"/><worldbody>{inner}'
        f'<body name="pend"><joint name="b2" axis="0 0 1"/>{BARE}</body></body></body>'
        "</worldbody></mujoco>"
    )
    angles = {"b0": 0.3, "b1": -0.2, "b2": 0.5}
    found = gough.convert(path, platform="pend", home=angles)
    assert [joint.kind for joint in found.robot.joints] == ["spherical"]
    hinges = gough.convert(path, platform="pend", home=angles, motors=["b0", "b1", "b2"])
    np.testing.assert_allclose(found.robot.home_pose, hinges.robot.home_pose, atol=1e-12)


# loops and motors of Gazebo and Drake ------------------------------------------------------------

BAR = (
    '<inertial><origin xyz="0.1 0.01 0"/><mass value="0.5"/>'
    '<inertia ixx=".001" iyy=".004" izz=".004" ixy="0" ixz="0" iyz="0"/></inertial>'
)
HELD = (
    '<plugin filename="libd.so" name="gz::sim::systems::DetachableJoint">'
    "<parent_link>rod</parent_link><child_model>{}</child_model><child_link>pin</child_link>"
    "</plugin>"
)
DRIVEN = '<plugin filename="libc.so" name="Control"><joint_name>a</joint_name></plugin>'
WATCHED = (
    '<plugin filename="libp.so" name="JointStatePublisher"><joint_name>b</joint_name></plugin>'
)


def bars(tmp_path, more, *, pin=True):
    """A four-bar that is cut at the end of its rod."""
    links = ["crank", "rod", "rocker", *(["pin"] if pin else [])]
    joints = [
        ("a", "base", "crank", "0 0 0"),
        ("b", "crank", "rod", "0 0.3 0"),
        ("c", "base", "rocker", "0.5 0 0"),
        ("d", "rocker", "pin", "0.1 0.4 0"),
    ]
    text = "".join(f'<link name="{name}">{BAR}</link>' for name in links)
    text += "".join(
        f'<joint name="{n}" type="continuous"><parent link="{p}"/><child link="{c}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="0 0 1"/></joint>'
        for n, p, c, xyz in joints[: len(links)]
    )
    path = tmp_path / "bars.urdf"
    path.write_text(f'<robot name="bars"><link name="base"/>{text}{more}</robot>')
    return path


def test_loops_that_plugins_hold_and_motors_that_they_drive(tmp_path):
    held = gough.convert(
        bars(tmp_path, f"<gazebo>{HELD.format('bars')}{WATCHED}{DRIVEN}</gazebo>"), platform="rod"
    )
    said = '<loop name="l" type="fixed"><predecessor link="rod"><origin xyz="0.6 0.1 0"/>'
    said += '</predecessor><successor link="pin"/></loop>'
    plain = gough.convert(bars(tmp_path, said), platform="rod", motors="a")
    assert held.robot.motors == ("a",)
    assert held.robot.mobility == plain.robot.mobility == 1
    state = gough.state(plain.robot, plain.robot.home_pose[:1, 3] * 1.001, [0.4], [0.3])
    ours, theirs = (gough.inverse_dynamics(each.robot, state) for each in (held, plain))
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)
    other = bars(tmp_path, f"<gazebo>{HELD.format('tray')}{DRIVEN}</gazebo>")
    assert "holds another model" in str(gough.convert(other, platform="rod"))


def test_a_constraint_with_two_origins(tmp_path):
    more = '<constraint name="k" type="spherical_joint"><parent link="rod"/>'
    more += '<parent_origin xyz="0.6 0.1 0"/><child link="rocker"/><child_origin xyz="0.1 0.4 0"/>'
    found = gough.convert(bars(tmp_path, f"{more}</constraint>", pin=False), platform="rod")
    assert found.robot.joint("k").kind == "spherical"
    assert found.robot.mobility == 1
    with pytest.raises(FileError, match="has no <child>"):
        gough.convert(
            bars(tmp_path, '<constraint><parent link="rod"/></constraint>', pin=False),
            platform="rod",
        )


def test_efforts_of_nought_and_initial_positions_of_sdf(tmp_path):
    path = sdf(tmp_path)
    weak = "<limit><effort>0</effort></limit><initial_position>0.4</initial_position></axis>"
    text = path.read_text()
    first = text.index("</axis>") + len("</axis>")
    path.write_text(text[:first] + text[first:].replace("</axis>", weak))
    found = gough.convert(path, platform="l2", home="initial positions")
    assert found.robot.motors == ("j0",)
    assert found.robot.assembly.home_values["j1"] == pytest.approx(0.4)


# one that stands ----------------------------------------------------------------------------------

STANDING = f"""<mujoco><compiler angle="radian"/><worldbody><body name="pelvis" pos="0 0 0.8">
<freejoint/>{BARE}<body name="thigh" pos="0 0 -0.1"><joint name="hip" axis="0 1 0"/>{BARE}
<body name="shin" pos="0 0 -0.4"><joint name="knee" axis="0 1 0"/>{BARE}
  <body name="foot" pos="0 0 -0.3"><joint name="ankle" axis="0 1 0"/>{BARE}</body>
  <body name="crank" pos="0.05 0 -0.05"><joint name="motor" axis="0 1 0"/>{BARE}
    <body name="rod" pos="0.06 0 0"><joint name="ball" type="ball"/>{BARE}</body></body>
</body></body></body></worldbody>
<equality><connect body1="rod" body2="foot" anchor="0 0 -0.25"/></equality>
<actuator><motor joint="hip"/><motor joint="knee"/><motor joint="motor"/></actuator>
<keyframe><key name="home" qpos="0.3 0 0.7 1 0 0 0 -0.5 0.9 {{}}"/></keyframe></mujoco>"""


def test_a_machine_that_stands_on_its_foot_is_where_its_keyframe_has_it(tmp_path):
    """The pelvis floats in the file, not on the foot: the keyframe moves joints alone."""
    path = tmp_path / "standing.xml"
    path.write_text(STANDING.format("-0.1 0 1 0 0 0"))
    hung = gough.convert(path, platform="foot", base="pelvis").robot.assembly.home_values
    quaternion = "1 0 0 0"
    path.write_text(STANDING.format(f"{hung['ankle']!r} {hung['motor']!r} {quaternion}"))
    stands = gough.convert(path, platform="pelvis", base="foot")
    found = stands.robot.assembly.home_values
    assert stands.start == "its keyframe 'home'"
    for name in ("hip", "knee"):
        assert found[name] == pytest.approx(hung[name], abs=0.05)  # the ball is rough
