"""Joints that are locked: names, values, what is refused, and the way back."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError, FileError
from gough.robot.file import dumps, reads
from robots import robot


@pytest.fixture(scope="module")
def held() -> gough.Robot:
    return replace(robot("five_bar"), motors=("foot1",)).with_locked("foot2")


def test_it_is_found_by_its_name(held):
    joint = held.joint("foot2")
    assert held.locked == ("foot2",)
    assert (joint.kind, joint.released) == ("fixed", robot("five_bar").joint("foot2"))
    assert "foot2" not in held.axis_names
    assert "foot2" in gough.reactions(held, held.home_pose).joints
    assert "locked           foot2, revolute, held at 0.827317 rad" in str(gough.sheet(held))
    assert dict(gough.sheet(held).legs)["prox2"] == "F R R"


def test_it_is_the_same_in_a_file_and_in_a_pickle(held):
    text = dumps(held)
    assert text.startswith("gough: 2\n")
    assert "locked: [foot2]" in text
    assert reads(text) == held
    assert pickle.loads(pickle.dumps(held)) == held


def test_release_is_the_way_back(held):
    free = replace(robot("five_bar"), motors=("foot1",))
    assert held.with_released() == held.with_released("foot2") == free
    both = held.with_locked("elbow1")
    assert both.locked == ("foot2", "elbow1")
    assert both.with_released("elbow1").joint("elbow1").kind == "revolute"
    assert both.with_released("elbow1").joints == held.joints


def test_another_home_holds_it_elsewhere(held):
    values = {**held.home.joints, "foot2": 0.7}
    moved = replace(held, home=gough.Home(held.home.bodies, values))
    assert moved.joint("foot2").held.at == (0.7,)
    assert moved.joint("foot2").child_frame != held.joint("foot2").child_frame
    rehomed = held.rehomed(held.home_pose)
    assert rehomed.joint("foot2") == held.joint("foot2")


def test_a_joint_that_was_moved_is_released_where_it_is(held):
    """As errors of assembly move it: what is saved is the machine that is computed."""
    joint = held.joint("foot2")
    moved = replace(
        joint,
        parent_frame=gough.Frame((0.17, 0.01, 0.0)),
        child_frame=gough.Frame((0.01, 0.0, 0.0), joint.child_frame.rotation),
    )
    joints = tuple(moved if j.name == "foot2" else j for j in held.joints)
    there = replace(held, joints=joints)
    free = there.joint("foot2").released
    assert free.parent_frame == moved.parent_frame
    again = reads(dumps(there)).joint("foot2")
    np.testing.assert_allclose(again.child_frame.matrix, moved.child_frame.matrix, atol=1e-15)


def test_the_value_is_that_of_the_closed_home():
    """Rough figures of home: the machine is assembled with the joint free, then held."""
    rough = replace(robot("five_bar"), motors=("foot1",), home=gough.Home(
        {}, {"foot1": 2.3, "elbow1": -1.8, "elbow2": 1.8}))  # fmt: skip
    closed = rough.assembly.home_values["foot2"]
    assert rough.with_locked("foot2").joint("foot2").held.at == (closed,)


@pytest.mark.parametrize(
    ("locked", "path", "hint"),
    [
        (("foot1",), "motors[0]", "motors: []"),
        (("foot3",), "locked[0]", "Did you mean 'foot2'?"),
        (("foot2", "foot2"), "locked", ""),
        ("foot2", "locked", ""),
    ],
)
def test_what_cannot_be_locked(locked, path, hint):
    one = replace(robot("five_bar"), motors=("foot1",))
    with pytest.raises(DescriptionError) as caught:
        replace(one, locked=locked)
    assert caught.value.path == path
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("name", "joint", "words"),
    [("delta", "s1a", "no coordinates"), ("split_hexapod", "weld", "fixed already")],
)
def test_balls_and_fixed_joints_are_not_locked(name, joint, words):
    balls = [j.name for j in robot(name).joints if j.kind == "spherical"]
    with pytest.raises(DescriptionError, match=words):
        robot(name).with_locked(balls[0] if words.startswith("no") else joint)


def test_a_joint_that_is_not_locked_is_not_released(held):
    with pytest.raises(DescriptionError, match="unknown locked joint 'foot1'"):
        held.with_released("foot1")


def test_a_file_locks_by_name():
    text = dumps(replace(robot("five_bar"), motors=("foot1",)))
    text = text.replace("gough: 1", "gough: 2")
    assert reads(text + "locked: [foot2]\n").locked == ("foot2",)
    with pytest.raises(FileError, match=r"locked\[0\]: unknown joint 'foot9'"):
        reads(text + "locked: [foot9]\n")
    with pytest.raises(FileError, match=r"motors\[0\]: 'foot1' belongs to a joint that is locked"):
        reads(text + "locked: [foot1]\n")


def test_it_is_held_within_its_limits():
    one = replace(robot("five_bar"), motors=("foot1",))
    axis = replace(one.axis("foot2"), limits=gough.Limits(position=(1.0, 2.0)))
    joints = (replace(j, axes=(axis,)) if j.name == "foot2" else j for j in one.joints)
    held = replace(one, joints=tuple(joints)).with_locked("foot2")
    assert any("foot2 = 0.8273, outside its limits [1, 2]" in text for text in held.findings)
