"""Homes by positions of the motors: the middle of all strokes, or given ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gough
from gough.errors import FileError, InputError, UnreachablePose
from robots import robot

EXACT = 1e-12  # Newton's method closes loops and motors to rounding


def limited(r: gough.Robot, strokes: dict[str, tuple[float, float]]) -> gough.Robot:
    """The robot with strokes of its motors, each the only axis of its joint."""
    joints = []
    for joint in r.joints:
        if joint.name in strokes:
            limits = gough.Limits(position=strokes[joint.name])
            joint = replace(joint, axes=(replace(joint.axes[0], limits=limits),))
        joints.append(joint)
    return replace(r, joints=tuple(joints))


def motors_at_home(r: gough.Robot) -> np.ndarray:
    return np.array([r.assembly.home_values[name] for name in r.motors])


@pytest.mark.parametrize("name", ["hexapod_6pus", "linear_delta", "tilt_3rps"])
def test_mid_is_the_middle_of_all_strokes(name: str) -> None:
    r = robot(name)
    q = motors_at_home(r)
    uneven = np.linspace(0.02, 0.1, len(q))
    strokes = {m: (a - 0.1 + d, a + 0.1 + d) for m, a, d in zip(r.motors, q, uneven, strict=True)}
    mid = limited(r, strokes).rehomed("mid")
    np.testing.assert_allclose(motors_at_home(mid), q + uneven, atol=EXACT)
    # by the inverse geometry of the pose, and in the record
    np.testing.assert_allclose(gough.inverse_kinematics(mid, mid.home_pose), q + uneven, atol=EXACT)
    recorded = [mid.home.joints[name] for name in mid.motors]
    np.testing.assert_allclose(recorded, q + uneven, atol=EXACT)


def test_positions_by_name_and_in_a_list() -> None:
    r = robot("hexapod_6pus")
    q = motors_at_home(r)
    there = r.rehomed({r.motors[2]: q[2] + 0.05})
    wanted = q + 0.05 * (np.arange(6) == 2)
    np.testing.assert_allclose(motors_at_home(there), wanted, atol=EXACT)
    np.testing.assert_allclose(motors_at_home(r.rehomed(wanted)), wanted, atol=EXACT)
    np.testing.assert_allclose(r.rehomed(wanted).home_pose, there.home_pose, atol=EXACT)


def test_the_working_mode_stays() -> None:
    """The five-bar's elbow 1 is bent to one side; a home with it on the other side is refused."""
    bent = gough.build.five_bar(0.32, 0.3, 0.42)
    near = bent.rehomed({"foot1": 1.5})
    assert near.assembly.home_values["elbow1"] < -0.5  # as at home
    with pytest.raises(UnreachablePose, match=r"come 9\d % of the way; there a leg would be"):
        bent.rehomed({"foot1": 1.0})  # direct geometry: elbow1 at +0.04 rad
    with pytest.raises(UnreachablePose, match=r"foot1 4 and foot2 .*\(Type 2\)"):
        bent.rehomed({"foot1": 4.0})


def test_redundant_motors_must_fit_together() -> None:
    r = robot("four_rrr")
    q = motors_at_home(r)
    with pytest.raises(UnreachablePose, match="must fit together"):
        r.rehomed({"foot1": q[0] + 0.1})
    x = r.assembly.chart.coordinates(r.home_pose)[list(r.assembly.free)]
    wanted = gough.inverse_kinematics(r, gough.state(r, x + 0.03).T_0p)
    np.testing.assert_allclose(motors_at_home(r.rehomed(wanted)), wanted, atol=EXACT)


@pytest.mark.parametrize(
    ("home", "says"),
    [
        ("mid", "there is no stroke of 'arm1', 'arm2' and 'arm3'"),
        ("middle", "home is 'middle', expected 'mid'"),
        ({"arm4": 0.2}, "delta has no motor 'arm4'"),
        ({"arm1": "half"}, r"home\.arm1"),
        ({"arm1": 180.0}, r"arm1 would have to move from .* to 180"),
        ([0.1, 0.2, 0.3], "positions of motors, or a point"),
        ([0.1, 0.2, 0.3, 0.4], "home has 4 positions, delta has 3 motors"),
    ],
)
def test_what_is_no_home(home: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        robot("delta").rehomed(home)


LIKE = """gough: 2
name: table
like: tilt_3rps
axes:
  p1: {limits: {position: [0.4, 0.7]}}
  p2: {limits: {position: [0.42, 0.7]}}
  p3: {limits: {position: [0.4, 0.72]}}
home: {motors: HOME}
"""


def test_files_have_a_home_by_motors(tmp_path) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(LIKE.replace("HOME", "mid"))
    table = gough.load(path)
    np.testing.assert_allclose(motors_at_home(table), [0.55, 0.56, 0.56], atol=EXACT)
    heavier = gough.vary(table, {"platform.mass": 9.0, "legs[0].rb": 0.36})
    np.testing.assert_allclose(motors_at_home(heavier), [0.55, 0.56, 0.56], atol=EXACT)
    gough.save(table, tmp_path / "whole.yaml")  # bodies and joints, home by their poses
    text = (tmp_path / "whole.yaml").read_text()
    np.testing.assert_allclose(
        motors_at_home(gough.load(tmp_path / "whole.yaml")), [0.55, 0.56, 0.56], atol=EXACT
    )
    moved = text.replace("gough: 1", "gough: 2").replace("home:", "home:\n  motors: {p1: 0.6}")
    (tmp_path / "moved.yaml").write_text(moved)
    np.testing.assert_allclose(
        motors_at_home(gough.load(tmp_path / "moved.yaml")), [0.6, 0.56, 0.56], atol=EXACT
    )
    path.write_text(LIKE.replace("HOME", "{p1: 0.5, p4: 0.5}"))
    with pytest.raises(FileError, match=r"line 8: home\.motors: home: table has no motor 'p4'"):
        gough.load(path)
