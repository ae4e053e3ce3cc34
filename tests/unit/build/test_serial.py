"""Robots on driven axes, and driven bodies on robots."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.errors import DescriptionError, InputError
from robots import robot


def turntable(machine, name="table", **more):
    """A joint between the base and a table, and the table."""
    joint = gough.Joint("yaw", "revolute", machine.base, name, **more)
    return joint, gough.Body(name, 5.0, (0.1, 0.0, 0.0), np.diag([0.1, 0.2, 0.3]).tolist())


def test_a_robot_on_a_table_is_the_same_robot_elsewhere():
    delta = robot("delta")
    frame = gough.Frame.from_rpy((0.2, -0.1, 0.3), (0.1, 0.0, 0.4))
    joint, body = turntable(delta, parent_frame=frame)
    machine = gough.build.carried(delta, joint, body, at=0.7)
    assert machine.motors == ("yaw", *delta.motors)
    core = gough.serial_core(machine) if machine.serial_axes else None
    assert core is None  # the platform's pose tells the yaw of a Delta: four freedoms
    assert machine.mobility == 4
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    np.testing.assert_allclose(machine.home_pose, frame.matrix @ turn @ delta.home_pose, atol=1e-10)
    q = gough.inverse_kinematics(machine, machine.home_pose)
    np.testing.assert_allclose(q[0], 0.7, atol=1e-10)
    np.testing.assert_allclose(q[1:], gough.inverse_kinematics(delta, delta.home_pose), atol=1e-9)


def test_the_core_is_the_robot_that_was_put_there():
    hexapod = robot("gough_stewart")
    machine = gough.build.carried(hexapod, *turntable(hexapod))
    assert machine.serial_axes == ("yaw",)
    core = gough.serial_core(machine)
    assert core.motors == hexapod.motors
    T = hexapod.home_pose
    np.testing.assert_allclose(
        gough.inverse_kinematics(core, T), gough.inverse_kinematics(hexapod, T), atol=1e-12
    )
    turning = gough.State(T, internal={"yaw": 0.3}, internal_rate={"yaw": 2.0})
    moved = gough.serial_state(machine, turning)
    c, s = np.cos(0.3), np.sin(0.3)
    p = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ T[:3, 3]
    np.testing.assert_allclose(moved.T_0p[:3, 3], p, atol=1e-12)
    np.testing.assert_allclose(moved.V_0p, [*np.cross([0, 0, 2.0], p), 0, 0, 2.0], atol=1e-12)


def test_the_doctor_names_serial_axes_and_no_idle_motors():
    hexapod = robot("gough_stewart")
    machine = gough.build.carried(hexapod, *turntable(hexapod))
    jaw = gough.Joint("jaw", "prismatic", machine.platform, "finger")
    machine = gough.build.holding(machine, jaw, gough.Body("finger", 0.1), at=0.02)
    assert machine.motors[-1] == "jaw"
    found = gough.doctor(machine)
    (told,) = [each for each in found.findings if each.code == "serial-axes"]
    assert told.motors == ("yaw", "jaw")
    codes = {each.code for each in found.findings}
    assert not codes & {"idle-motor", "too-many-motors", "frozen-spin"}
    at_home = gough.posture(machine, gough.State(machine.home_pose, internal_rate={"yaw": 0.0}))
    assert at_home.joints["jaw"] == pytest.approx(0.02)


def test_what_is_no_axis_is_refused():
    delta = robot("delta")
    joint, body = turntable(delta)
    with pytest.raises(InputError, match="expected from the base 'base' to the body 'other'"):
        gough.build.carried(delta, joint, gough.Body("other", 1.0))
    ball = gough.Joint("b", "spherical", delta.base, "table")
    with pytest.raises(DescriptionError, match="expected revolute, prismatic or helical"):
        gough.build.carried(delta, ball, body)
    with pytest.raises(InputError, match=r"expected gough\.Body"):
        gough.build.carried(delta, joint, 5.0)
    with pytest.raises(InputError, match="no body 'nobody'"):
        gough.build.holding(delta, gough.Joint("j", "revolute", "nobody", "table"), body)
    with pytest.raises(InputError, match="expected to the body 'table'"):
        gough.build.holding(delta, gough.Joint("j", "revolute", delta.platform, "x"), body)
    with pytest.raises(InputError, match="has no serial axes"):
        gough.serial_core(delta)
