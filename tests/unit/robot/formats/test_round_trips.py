"""Every robot of the zoo to every format and back."""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import pytest

import formats_table
import gough
from gough.errors import FileError
from gough.zoo.registry import names
from robots import robot
from round_trips import FORMATS, error, round_trip


@pytest.mark.parametrize("suffix", [*FORMATS.values(), "drake.sdf"])
@pytest.mark.parametrize("name", names())
def test_a_robot_comes_back_or_is_refused_by_name(name, suffix):
    found = round_trip(name, suffix)
    if isinstance(found, FileError):
        assert "cannot hold" in found.message
        assert found.hint
        return
    assert len(found.motors) == len(robot(name).motors)
    # all digits are written; what is left is rounding of frames that are multiplied
    assert error(name, suffix) < 1e-10


@pytest.mark.parametrize(
    ("suffix", "least"), [("xml", 15), ("sdf", 12), ("urdf", 12), ("drake.sdf", 15)]
)
def test_enough_robots_come_back(suffix, least):
    back = [name for name in names() if not isinstance(round_trip(name, suffix), FileError)]
    assert len(back) >= least


def test_the_table_of_the_docs_is_what_is_found():
    found = formats_table.table()
    assert formats_table.written("formats") == found, "python tests/formats_table.py --write"


@pytest.mark.parametrize(
    ("change", "suffix", "what"),
    [
        ({"spring": gough.Spring(3.0, 0.1)}, "urdf", "spring"),
        ({"limits": gough.Limits(velocity=3.0)}, "xml", "largest speed"),
        ({"motor": gough.Motor(peak=3.0)}, "xml", "data of the motor"),
        ({"transmission": gough.Transmission(5.0, efficiency=0.8)}, "sdf", "losses"),
    ],
)
def test_what_a_format_cannot_hold_is_refused_not_dropped(tmp_path, change, suffix, what):
    machine = robot("delta")
    axis = dataclasses.replace(machine.joint("arm1").axes[0], **change)
    first = dataclasses.replace(machine.joint("arm1"), axes=(axis,))
    joints = tuple(first if j.name == "arm1" else j for j in machine.joints)
    machine = dataclasses.replace(machine, joints=joints)
    path = tmp_path / f"d.{suffix}"
    with pytest.raises(FileError, match=what) as caught:
        gough.save(machine, path)
    assert "drop=" in caught.value.hint
    assert not path.exists()
    word = caught.value.hint.split("'")[1]
    gough.save(machine, path, drop=[word])
    assert path.exists()


def test_gears_springs_screws_and_couplings_come_back(tmp_path):
    machine = robot("delta")
    axis = dataclasses.replace(
        machine.joint("arm1").axes[0],
        spring=gough.Spring(3.0, 0.1),
        transmission=gough.Transmission(5.0),
        limits=gough.Limits((-1.0, 2.0), effort=40.0),
    )
    first = dataclasses.replace(machine.joint("arm1"), axes=(axis,))
    joints = tuple(first if j.name == "arm1" else j for j in machine.joints)
    machine = dataclasses.replace(machine, joints=joints)
    for suffix in ("xml", "sdf"):
        gough.save(machine, tmp_path / f"d.{suffix}")
        back = gough.convert(tmp_path / f"d.{suffix}").robot
        found = back.axis(back.motors[0])
        assert found.ratio == pytest.approx(5.0)
        assert found.limits.effort == pytest.approx(40.0)
        assert found.spring.stiffness == pytest.approx(3.0)
        shift = back.assembly.home_values[back.motors[0]] - machine.assembly.home_values["arm1"]
        assert found.spring.rest == pytest.approx(0.1 + shift, abs=1e-9)
        assert found.limits.position == pytest.approx((-1.0 + shift, 2.0 + shift), abs=1e-9)


@pytest.mark.parametrize("suffix", ["urdf", "sdf"])
@pytest.mark.parametrize("name", ["agile_eye", "quattro", "orthoglide", "gough_stewart"])
def test_machines_of_six_digits_move_as_they_are_meant_to(tmp_path, name, suffix):
    """Over-constrained loops of rounded figures close to 1e-7 only, and are closed exactly."""
    path = tmp_path / f"{name}.{suffix}"
    gough.save(robot(name), path)
    head, end, rest = path.read_text().partition(">\n  <")  # not the version of the format
    path.write_text(head + end + re.sub(r"-?\d+\.\d+(?:e-?\d+)?", _six, rest))
    found = gough.convert(path).robot
    assert found.mobility == robot(name).mobility
    assert found.assembly.over_constraint == robot(name).assembly.over_constraint
    assert (found.precision > 0.0) == (found.assembly.over_constraint > 0)
    np.zeros(6)
    machines = (robot(name), found)
    weight = [gough.inverse_dynamics(r, r.home_pose) for r in machines]
    # six digits, and one of them lost where orientations are levers
    np.testing.assert_allclose(*weight, atol=1e-4 * np.abs(weight[0]).max())


def _six(match):
    return f"{float(match[0]):.6g}"
