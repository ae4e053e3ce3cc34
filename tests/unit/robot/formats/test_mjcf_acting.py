"""What acts on a machine of MJCF beside its masses: options, bounds, actuators, welds with anchors.

MuJoCo's own tree, loops closed exactly, says the same; what is not held is said or refused.
"""

from __future__ import annotations

import pytest

import gough
from compiled_files import compared
from engines import need_engine
from gough.errors import DescriptionWarning, FileError, InputError

FOUR_BAR = """<mujoco model="bars"><compiler angle="radian" {compiler}/><option {option}/>
<worldbody>
<body name="crank" pos="0 0 0.2"><joint name="m" axis="0 1 0" damping="0.02" armature="0.001"/>
  <inertial mass="1" pos=".15 0 .01" fullinertia=".002 .01 .011 1e-4 2e-4 0"/>
  <body name="rod" pos="0.3 0 0" {rod}><joint name="p" axis="0 1 0" {joint}/>
    <inertial mass=".7" pos=".15 0 0" diaginertia=".0012 .004 .005"/>{inside}</body></body>
<body name="rocker" pos="0.5 0 0.1"><joint name="r" axis="0 1 0" stiffness="2" damping="0.1"/>
  <geom type="box" size=".01 .02 .1" pos="0 0 .1" density="500"/></body>
{world}</worldbody>
<equality><connect body1="rod" body2="rocker" anchor=".3 0 .2"/>{equality}</equality>
<tendon>{tendon}</tendon>
<actuator><motor name="a" joint="m" gear="3" {motor}/></actuator></mujoco>"""
LOAD = '<body name="load" pos=".4 .1 .2"><freejoint/><geom size=".03"/></body>'
WELD = '<weld body1="load" body2="rod" anchor=".2 .1 .3" relpose=".1 .02 0 1 .1 .2 .3"/>'


def written(folder, **parts):
    names = ("compiler", "option", "rod", "joint", "inside", "world", "equality", "tendon", "motor")
    path = folder / "bars.xml"
    path.write_text(FOUR_BAR.format(**{**dict.fromkeys(names, ""), **parts}))
    return path


SAME = {
    "bounds of bodies with geoms and with nothing": {
        "compiler": 'boundmass="0.9" boundinertia="0.003"',
        "inside": '<frame pos="0.1 0 0.2" euler="0 0 1"><body name="empty" pos="0 .1 .2"/></frame>',
    },
    "rotor and damper of an actuator": {"motor": 'armature="0.01" damping="0.02"'},
    "a weld whose anchor is not the origin": {"world": LOAD, "equality": WELD},
    "springs off": {"option": '><flag spring="disable"/></option><option'},
    "damping off": {"option": '><flag damper="disable"/></option><option'},
}


@pytest.mark.parametrize("what", SAME)
def test_what_acts_is_what_mujoco_has(tmp_path, what):
    need_engine("mujoco")
    errors, found = compared(written(tmp_path, **SAME[what]), platform="rod", count=1)
    assert found.robot.mobility == 1
    assert errors.max() < 1e-9


def test_gravity_that_is_switched_off(tmp_path):
    path = written(tmp_path, option='><flag gravity="disable"/></option><option')
    found = gough.convert(path, platform="rod")
    assert found.robot.gravity == (0.0, 0.0, 0.0)
    assert "the file switches gravity off" in str(found)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"rod": 'gravcomp="1"'}, "<body name='rod'> in line 5 has gravcomp='1'"),
        ({"option": 'density="1.2" viscosity="1e-5"'}, "a medium that slows bodies down"),
        ({"option": '><flag equality="disable"/></option><option'}, "here they hold"),
    ],
)
def test_what_is_not_used_is_said(tmp_path, parts, sentence):
    with pytest.warns(DescriptionWarning, match=sentence):
        gough.load(written(tmp_path, **parts), platform="rod")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"joint": 'springdamper="0.5 1"'}, "line 5: <joint name='p'>: springdamper is made"),
        (
            {"tendon": '<fixed name="t" armature=".3"><joint joint="m" coef="2"/></fixed>'},
            "<fixed name='t'>: a tendon with stiffness, damping, friction or armature",
        ),
        ({"compiler": 'inertiafromgeom="maybe"'}, "inertiafromgeom is 'maybe'"),
        ({"option": '><flag gravity="off"/></option><option'}, "gravity is 'off'"),
    ],
)
def test_what_cannot_be_held_is_refused(tmp_path, parts, message):
    with pytest.raises(FileError, match=message):
        gough.convert(written(tmp_path, **parts), platform="rod")


def test_a_machine_that_cannot_move_or_starts_outside_its_limits_is_said(tmp_path):
    """Findings have all that ``gough.load`` warns of, with what to do."""
    path = written(tmp_path, rod='euler="0 0 0.1"')
    stuck = gough.convert(path, platform="rod")
    assert stuck.robot.mobility == 0
    assert "the platform cannot move" in str(stuck)
    assert "redundant, as is meant" not in str(stuck)
    outside = gough.convert(written(tmp_path, joint='range="0.5 1"'), platform="rod")
    assert "home has p = 0, outside its limits" in str(outside)
    guessed = gough.convert(written(tmp_path, inside='<site name="platform"/>'))
    assert "'platform' is the platform, by its name." in str(guessed)


def test_a_lock_is_a_number_and_leaves_the_platform_free(tmp_path):
    path = written(tmp_path)
    with pytest.raises(InputError, match=r"lock of 'm' is nan, not a finite number"):
        gough.convert(path, platform="rod", lock={"m": float("nan")})
    arm = '<body name="arm"><joint name="alone"/><geom size=".1"/></body>'
    with pytest.raises(FileError, match=r"'arm' is fixed to the base once its joints are held"):
        gough.convert(written(tmp_path, world=arm), platform="arm", lock="alone")


def test_a_floating_body_that_is_welded_to_the_world_is_the_base(tmp_path):
    """As exporters hold a robot: its free joint stays, and an equality welds it."""
    arm = (
        '<body name="frame" pos="0 0 1"><freejoint/><geom size=".1"/><body name="arm">'
        '<joint name="q" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></body>'
    )
    path = tmp_path / "arm.xml"
    text = '<mujoco><worldbody>{}</worldbody><equality><weld body1="frame" body2="world"/>{}'
    path.write_text(text.format(arm, "</equality></mujoco>"))
    found = gough.convert(path, motors="q")
    assert [body.name for body in found.robot.bodies] == ["arm"]
    assert "'frame_world' welds 'frame' to 'world'" in str(found)
    assert gough.inverse_kinematics(found.robot, found.robot.home_pose) == pytest.approx([0.0])


def test_several_pairs_may_join_the_same_two_bodies(tmp_path):
    """The second does not take the place of the first."""
    path = written(tmp_path, inside='<site name="a" pos=".3 0 .2"/><site name="b" pos=".3 .1 .2"/>')
    ends = '<site name="c" pos=".1 0 .3"/><site name="d" pos=".1 .1 .3"/></body>\n</worldbody>'
    text = path.read_text().replace("</body>\n</worldbody>", ends)
    connect = '<connect body1="rod" body2="rocker" anchor=".3 0 .2"/>'
    path.write_text(text.replace(connect, ""))
    found = gough.convert(path, platform="rod", loops=[("a", "c"), ("b", "d")])
    assert [j.kind for j in found.robot.joints].count("spherical") == 2
    assert found.robot.mobility == 1
