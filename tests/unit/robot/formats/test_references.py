"""Real files of other programs, and what others have computed for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gough
from foreign import FORMATS, checked, need_reference, reference, serial_work, virtual_work
from gough.robot.formats.loading import read_model

BARE = ("armature", "damping", "friction", "springs")
NECK = ("yaw_body", "right_antenna", "left_antenna")
ROTATING = [f"stewart_{k}" for k in range(1, 7)]

# file, platform, arguments; home where the file's own posture is flat or does not close
FILES = {
    "reachy_mini_locked": ("reachy_mini/reachy_mini.xml", "xl_330", {"lock": NECK}),
    "grbda_four_bar": ("grbda/four_bar.urdf", "link2", {"home": True}),
    "grbda_six_bar": ("grbda/six_bar.urdf", "link3", {"home": True}),
    "grbda_planar_leg_linkage": ("grbda/planar_leg_linkage.urdf", "foot", {"home": True}),
    "hadi_stewart": ("hadi_stewart/stewart_sdf.sdf", "platform_link", {}),
}
SERIAL = {
    "reachy_mini": "reachy_mini/reachy_mini.xml",
    "reachy_mini_urdf": "reachy_mini/robot_no_collision.urdf",
}


def converted(name):
    file, platform, arguments = FILES[name]
    data, given = reference(name), dict(arguments)
    if given.get("home"):
        given["home"] = data["states"][0]["qpos"]
    return gough.convert(FORMATS / file, platform=platform, drop=BARE, **given), data, platform


# rods that are not quite of revolution: gough warns of what freezing their spins costs
FROZEN = pytest.mark.filterwarnings("ignore:.*frozen in all models:gough.GoughWarning")


@FROZEN
@pytest.mark.parametrize("name", FILES)
def test_a_real_file_moves_and_pulls_as_others_say(name):
    """Without idle spins everything is equal to rounding of the reference, in every state."""
    conversion, data, platform = converted(name)
    robot = conversion.robot
    spinning = [body for freedom in robot.assembly.idle for body in freedom.bodies]
    assert robot.mobility + len(robot.assembly.idle) == data["structure"]["mobility"]
    assert list(robot.motors) == data["structure"]["motors"]
    found = checked(robot, data, platform, "idle_held" if spinning else "rigid", spinning)
    assert found.states == len(data["states"])
    assert found.positions < 1e-9
    # the reference holds idle spins by the joints of its own tree, gough in space: light rods turn
    # otherwise, which is what freezing costs; gough says so where it warns
    assert found.efforts < (1e-5 if spinning else 1e-8)
    assert found.accelerations < (5e-5 if spinning else 1e-8)


@pytest.mark.parametrize("name", FILES)
def test_masses_and_geometry_of_a_real_file_are_exact(name):
    """Every body moved as in the reference, idle spins too: efforts by virtual work."""
    conversion, data, platform = converted(name)
    found = virtual_work(conversion.robot, data, platform)
    assert found.states == len(data["states"])
    assert found.efforts < 1e-8


@pytest.mark.parametrize("name", SERIAL)
def test_motors_below_and_above_the_loops(name):
    """A neck on a turntable with two antennas: all nine efforts, in every state of motion."""
    data, file = reference(name), FORMATS / SERIAL[name]

    def load(lock):
        return gough.convert(file, platform="xl_330", motors=ROTATING, lock=lock, drop=BARE).robot

    table = read_model(file).links["body_down_3dprint"]
    found = serial_work(load, data, "xl_330", NECK, table)
    assert found.states == len(data["states"])
    assert found.positions < 1e-9
    # the URDF has balls of hinges with links of 1e-9 kg between them, which are left out
    assert found.efforts < (1e-8 if name == "reachy_mini" else 1e-6)


@FROZEN
def test_both_files_of_one_machine_give_the_same_efforts():
    need_reference()
    mjcf, urdf = (
        gough.convert(
            FORMATS / file, platform="xl_330", motors=ROTATING, lock=NECK, drop=BARE
        ).robot
        for file in SERIAL.values()
    )
    T, V, Vdot = mjcf.home_pose, np.array([0.1, 0.05, -0.1, 0.3, 0.2, 0.5]), np.ones(6)
    a, b = (gough.inverse_dynamics(robot, T, V, Vdot) for robot in (mjcf, urdf))
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
