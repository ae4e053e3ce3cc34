"""Robots survive the way into a file and back, exactly; files appear whole or not at all."""

from __future__ import annotations

import dataclasses
import json
import locale
import math
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gough
from gough.errors import FileError
from gough.robot.file import composer, dumps, read, reads, save
from gough.robot.file.text import LARGEST_FILE
from gough.robot.robot import LARGEST


def test_round_trip_of_every_reference_robot(robots: list[gough.Robot], tmp_path: Path) -> None:
    for i, robot in enumerate(robots):
        assert reads(dumps(robot)) == robot
        # both layouts of every robot, and both ways to name a file of the second
        for name in (f"{i}.json",) if i else ("0.yaml", "0.json", "0.JSON"):
            save(robot, tmp_path / name)
            assert read(tmp_path / name) == robot


def test_round_trip_of_every_joint_kind_and_key(every_kind: gough.Robot, tmp_path: Path) -> None:
    assert reads(dumps(every_kind)) == every_kind
    save(every_kind, tmp_path / "r.json")
    assert read(tmp_path / "r.json") == every_kind
    # equal in every bit, and in the order of the home joints, which dictionaries do not compare
    assert dumps(reads(dumps(every_kind))) == dumps(every_kind)
    assert hash(reads(dumps(every_kind))) == hash(every_kind)


def one_body(body: gough.Body, **more: object) -> gough.Robot:
    joint = gough.Joint("j", "revolute", "base", body.name)
    return gough.Robot("r", (body,), (joint,), body.name, **more)  # type: ignore[arg-type]


figures = st.floats(-1e100, 1e100)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(mass=st.floats(0, 1e100, exclude_min=True), center=st.tuples(*[figures] * 3), label=text)
def test_round_trip_is_exact_for_any_figures_and_text(
    mass: float, center: tuple[float, float, float], label: str
) -> None:
    robot = one_body(gough.Body("b", mass, center, label=label), source=label, gravity=center)
    assert reads(dumps(robot)) == robot


@given(st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,63}", fullmatch=True))
def test_round_trip_of_any_name(name: str) -> None:
    try:
        body = gough.Body(name, 1.0)
    except gough.GoughError:
        return
    if name.lower() != "base":
        assert reads(dumps(one_body(body))) == one_body(body)


@pytest.mark.parametrize("name", ["null", "true", "y", "no", "on", "e3", "Null", "inf", "nan"])
def test_round_trip_of_names_that_yaml_might_mistake(name: str) -> None:
    robot = one_body(gough.Body(name, 1.0))
    assert reads(dumps(robot)) == robot


def wordiest(count: int) -> gough.Robot:
    """Bodies and joints with longest names, figures with all their digits, every key."""
    turned = gough.Frame.from_axes((1 / 3, 2 / 7, -3 / 11), z=(1, 2, 3), x=(3, 1, 4))
    inertia = [
        [1 / 3, 0.01 / 7, 0.02 / 3],
        [0.01 / 7, 1 / 3, 0.01 / 3],
        [0.02 / 3, 0.01 / 3, 2 / 7],
    ]
    limits = gough.Limits((-math.pi / 3, math.pi / 3), 10 / 3, 100 / 3)
    gear, spring = gough.Transmission(100 / 3, 1e-5 / 3, 0.9), gough.Spring(100 / 3, 1 / 3)
    axis = gough.Axis(1 / 3, 1 / 7, 1 / 9, gear, limits, spring)
    names = [f"b{i:_<63}" for i in range(count)]
    robot = gough.Robot(
        "largest",
        tuple(gough.Body(n, 1 / 3, (1 / 3, 1 / 7, 1 / 9), inertia) for n in names),
        tuple(
            gough.Joint(f"j{i:_<63}", "universal", a, b, turned, turned, (axis, axis))
            for i, (a, b) in enumerate(zip(["base", *names], names, strict=False))
        ),
        names[-1],
        home=gough.Home(dict.fromkeys(names, turned)),
    )
    axes = robot.axis_names
    home = gough.Home(robot.home.bodies, dict.fromkeys(axes, 1 / 3))
    return dataclasses.replace(robot, motors=axes, home=home)


def values(data: object) -> int:
    """Values of a document, keys and those that hold others included."""
    if isinstance(data, dict):
        return 1 + len(data) + sum(map(values, data.values()))
    return 1 + sum(map(values, data)) if isinstance(data, list) else 1


def test_the_largest_robot_fits_into_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most bodies and joints in the wordier layout: neither too many letters nor values."""
    save(wordiest(LARGEST), tmp_path / "largest.json")
    assert values(json.loads((tmp_path / "largest.json").read_text())) <= composer.LARGEST
    assert len(dumps(wordiest(LARGEST)).encode()) < LARGEST_FILE
    assert (tmp_path / "largest.json").stat().st_size < LARGEST_FILE
    # so many are read, and counted like that; on a robot that is read in less than seconds
    small = wordiest(LARGEST // 20)
    save(small, tmp_path / "small.json")
    count = values(json.loads((tmp_path / "small.json").read_text()))
    monkeypatch.setattr(composer, "LARGEST", count)
    assert read(tmp_path / "small.json") == small
    monkeypatch.setattr(composer, "LARGEST", count - 1)
    with pytest.raises(FileError, match=f"more than {count - 1} values"):
        read(tmp_path / "small.json")


def test_what_equals_its_default_is_not_written(small: str) -> None:
    written = dumps(reads(small))
    assert "gravity" not in written
    assert "label" not in written
    assert "child_frame" not in written
    assert "rotation" not in written
    assert "home" not in written
    assert "spring" not in written
    assert "redundant" not in written
    assert "    inertia: [0.0001, 0.002, 0.002]\n" in written


def test_springs_and_redundant_motors_are_written(every_kind: gough.Robot, small: str) -> None:
    assert "\nredundant: true\n" in dumps(every_kind)
    spring = gough.Axis(spring=gough.Spring(400.0))
    robot = reads(small)
    robot = dataclasses.replace(
        robot, joints=(dataclasses.replace(robot.joints[0], axes=(spring,)),)
    )
    assert dumps(robot).endswith("    spring:\n      stiffness: 400.0\n")


def test_matrices_stand_on_one_line(every_kind: gough.Robot) -> None:
    lines = dumps(every_kind).splitlines()
    assert all(line.count("[") == line.count("]") for line in lines)


def test_save_replaces_and_keeps_permissions(small: str, tmp_path: Path) -> None:
    file = tmp_path / "r.yaml"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o640)
    save(reads(small), file)
    assert read(file) == reads(small)
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["r.yaml"]  # noqa: PTH208


def test_save_through_a_link_keeps_the_link(small: str, tmp_path: Path) -> None:
    (tmp_path / "real.yaml").write_text("old", encoding="utf-8")
    (tmp_path / "link.yaml").symlink_to("real.yaml")
    save(reads(small), tmp_path / "link.yaml")
    assert (tmp_path / "link.yaml").is_symlink()
    assert read(tmp_path / "real.yaml") == reads(small)


def test_unwritable_output_folder(small: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        save(reads(small), tmp_path)
    with pytest.raises(FileError, match="cannot be written"):
        save(reads(small), tmp_path / "a\0b")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        save(reads(small), tmp_path / "file" / "r.yaml")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_full_output_folder_and_interrupted_run_leave_the_old_file(
    small: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    file = tmp_path / "r.yaml"
    file.write_text("old", encoding="utf-8")

    def fail(_descriptor: int) -> None:
        raise fault

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((FileError, KeyboardInterrupt)) as caught:
        save(reads(small), file)
    if isinstance(fault, OSError):
        assert "No space left" in str(caught.value)
    assert file.read_text(encoding="utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["r.yaml"]


def test_save_refuses_what_load_would(tmp_path: Path) -> None:
    label = "\u2028" * 2000  # six characters each as an escape
    names = [f"b{i}" for i in range(200)]
    bodies = tuple(gough.Body(n, 1.0, label=label) for n in names)
    joints = tuple(gough.Joint(f"j{n}", "fixed", "base", n) for n in names)
    with pytest.raises(FileError, match="would have"):
        save(gough.Robot("r", bodies, joints, "b0"), tmp_path / "r.yaml")
    assert not list(tmp_path.iterdir())


def test_locale_with_a_decimal_comma(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated where no such locale is installed: nothing may ask the locale how to write."""
    before = dumps(reads(small))
    available = [name for name in ("de_DE.UTF-8", "fr_FR.UTF-8") if _has_locale(name)]
    if available:
        old = locale.setlocale(locale.LC_ALL)
        try:
            locale.setlocale(locale.LC_ALL, available[0])
            assert dumps(reads(small)) == before
        finally:
            locale.setlocale(locale.LC_ALL, old)
    monkeypatch.setattr(locale, "localeconv", lambda: {"decimal_point": ",", "grouping": [3]})
    assert dumps(reads(small)) == before
    assert reads(before) == reads(small)


def _has_locale(name: str) -> bool:
    old = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_ALL, old)
    return True
