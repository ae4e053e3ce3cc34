"""Real files of other programs, and what others have computed for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import formats_table
import gough
import real_files
from foreign import FORMATS, need_reference, virtual_work
from gough.mechanism.serial import core_of
from real_files import BARE, FILES, NECK, ROTATING, compared, converted, said, spinning


@pytest.mark.parametrize("name", FILES)
def test_a_real_file_moves_and_pulls_as_others_say(name):
    """In every state, to rounding: idle spins are held in the joints that others hold them by."""
    robot, data, file = converted(name).robot, said(name), FILES[name]
    assert robot.mobility + len(robot.assembly.idle) == data["structure"]["mobility"]
    assert list(robot.motors) == data["structure"]["motors"]
    found = compared(name)
    assert found.states == len(data["states"])
    assert found.positions < real_files.POSITIONS
    assert found.efforts < file.efforts
    assert found.accelerations < file.accelerations


@pytest.mark.parametrize("name", FILES)
def test_spins_of_a_real_file_are_dragged_along_by_its_joints(name):
    robot = converted(name).robot
    core = core_of(robot.assembly)
    locks = [lock for own in core.locks.legs for lock in own]
    assert len(locks) == len(core.idle)
    assert all(lock.beside for lock in locks)
    # without, what light rods do differs: the comparison above would fail
    if spinning(robot):
        assert {lock.share for lock in locks} <= {1.0, 0.5}


@pytest.mark.parametrize("name", [name for name in FILES if not FILES[name].full])
def test_masses_and_geometry_of_a_real_file_are_exact(name):
    """Every body moved as in the reference, idle spins too: efforts by virtual work."""
    data = said(name)
    found = virtual_work(converted(name).robot, data, FILES[name].platform)
    assert found.states == len(data["states"])
    assert found.efforts < 1e-8


def test_motors_that_the_platform_does_not_feel_are_serial_axes():
    """The platform's pose does not tell where a turntable and antennas stand."""
    need_reference()
    found = converted("reachy_mini")
    (told,) = [each for each in found.findings if each.code == "serial-axes"]
    assert told.data["motors"] == list(NECK)
    assert "internal={name: position} of gough.State" in told.advice
    robot = found.robot
    assert robot.serial_axes == NECK
    with pytest.raises(gough.errors.FrozenFreedom, match="does not tell how") as caught:
        gough.inverse_dynamics(robot, robot.home_pose)
    assert f"lock={list(NECK)}" in caught.value.hint


def test_both_files_of_one_machine_give_the_same_efforts():
    need_reference()
    mjcf, urdf = (
        gough.convert(
            FORMATS / file, platform="xl_330", motors=ROTATING, lock=NECK, drop=BARE
        ).robot
        for file in (FILES[name].path for name in ("reachy_mini", "reachy_mini_urdf"))
    )
    T, V, Vdot = mjcf.home_pose, np.array([0.1, 0.05, -0.1, 0.3, 0.2, 0.5]), np.ones(6)
    a, b = (gough.inverse_dynamics(robot, gough.State(T, V, Vdot)) for robot in (mjcf, urdf))
    # six digits of orientation in each file, a lever of 20 between weight and efforts
    np.testing.assert_allclose(a, b, rtol=0.0, atol=1e-5 * np.abs(a).max())


def test_no_machine_is_known_by_name():
    """What is right for these files is right for all: no name of theirs is in the library."""
    need_reference()
    source = Path(gough.__file__).parent
    names = {path.stem for path in FORMATS.iterdir() if path.suffix == ".json"}
    names |= {path.name for path in FORMATS.iterdir() if path.is_dir()}
    names |= {"reachy", "grbda", "xl_330", "yaw_body", "onshape"}
    for file in source.rglob("*.py"):
        text = file.read_text(encoding="utf-8").lower()
        assert not [name for name in names if name.lower() in text], file


def test_the_table_of_the_docs_says_what_is_compared():
    need_reference()
    found = real_files.table()
    assert formats_table.written("real files") == found, "python tests/formats_table.py --write"
