"""What is wrong with a robot file is said with file, line, key and what to do."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gough
from gough.errors import DescriptionWarning, FileError, NotAssembled
from gough.robot.file import load, loads, read, reads, save

Refused = Callable[..., FileError]


def test_small_robot_is_what_it_says(small: str) -> None:
    robot = reads(small)
    hinge = robot.joint("hinge")
    assert robot.body("rod1").inertia == ((1e-4, 0, 0), (0, 2e-3, 0), (0, 0, 2e-3))
    assert hinge.parent_frame.position == (0.0, 0.0, 1.0)
    assert hinge.axes == (gough.Axis(viscous=0.1),)
    assert robot.gravity == (0.0, 0.0, -9.81)
    assert robot.motors == ("hinge",)


# NaN or inf anywhere in a file: refused with the path


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1e999"])
@pytest.mark.parametrize(
    ("old", "new", "path", "line"),
    [
        ("mass: 0.4", "mass: {}", "bodies.rod1.mass", 7),
        ("center: [0.1, 0, 0]", "center: [0.1, {}, 0]", "bodies.rod1.center[1]", 8),
        ("[1e-4, 2e-3, 2e-3]", "[1e-4, 2e-3, {}]", "bodies.rod1.inertia[2]", 9),
        ("[0, 0, 1]", "[0, 0, {}]", "joints.hinge.parent_frame.position[2]", 15),
        ("viscous: 0.1", "limits: {{position: [0, {}]}}", "joints.hinge.limits.position[1]", 16),
        ("platform: rod1", "platform: rod1\ngravity: [0, 0, {}]", "gravity[2]", 4),
        ("viscous: 0.1", "viscous: 0.1\nhome: {{joints: {{hinge: {}}}}}", "home.joints.hinge", 17),
    ],
)
def test_nan_or_inf_anywhere_in_a_file(
    refused: Refused, value: str, old: str, new: str, path: str, line: int
) -> None:
    error = refused((old, new.format(value)))
    assert (error.path, error.line) == (path, line)
    assert "not a finite number" in str(error)
    assert path in str(error)


# unknown or misspelt key; unknown joint kind; missing body


@pytest.mark.parametrize(
    ("old", "new", "path", "line", "meant"),
    [
        ("mass: 0.4", "mas: 0.4", "bodies.rod1.mas", 7, "'mass'"),
        ("parent: base", "parrent: base", "joints.hinge.parrent", 13, "'parent'"),
        ("{position:", "{positon:", "joints.hinge.parent_frame.positon", 15, "'position'"),
        ("motors:", "motor:", "motor", 4, "'motors'"),
        ("viscous: 0.1", "limits: {velocty: 1}", "joints.hinge.limits.velocty", 16, "'velocity'"),
        (
            "viscous: 0.1",
            "axes: {angle: {viscos: 1}}",
            "joints.hinge.axes.angle.viscos",
            16,
            "'viscous'",
        ),
        ("platform: rod1", "platform: {bdy: rod1}", "platform.bdy", 3, "'body'"),
        ("kind: revolute", "kind: revolut", "joints.hinge.kind", 12, "'revolute'"),
        ("kind: revolute", "kind: hinge", "joints.hinge.kind", 12, "'revolute'"),
        ("kind: revolute", "kind: cardan", "joints.hinge.kind", 12, "'universal'"),
        ("kind: revolute", "kind: Hooke's joint", "joints.hinge.kind", 12, "'universal'"),
        ("kind: revolute", "kind: ball", "joints.hinge.kind", 12, "'spherical'"),
        ("kind: revolute", "kind: sliding", "joints.hinge.kind", 12, "'prismatic'"),
        ("kind: revolute", "kind: screw", "joints.hinge.kind", 12, "'helical'"),
        ("child: rod1", "child: rod_1", "joints.hinge.child", 14, "'rod1'"),
        ("platform: rod1", "platform: rod2", "platform", 3, "'rod1'"),
        ("[hinge]", "[hinje]", "motors[0]", 4, "'hinge'"),
        (
            "viscous: 0.1",
            "viscous: 0.1\nhome: {bodies: {rod: {}}}",
            "home.bodies.rod",
            17,
            "'rod1'",
        ),
        (
            "viscous: 0.1",
            "viscous: 0.1\nhome: {joints: {hing: 1}}",
            "home.joints.hing",
            17,
            "'hinge'",
        ),
        ("viscous: 0.1", "axes: {angel: {}}", "joints.hinge.axes.angel", 16, "'angle'"),
    ],
)
def test_unknown_or_misspelt_names_the_nearest_known(
    refused: Refused, old: str, new: str, path: str, line: int, meant: str
) -> None:
    error = refused((old, new))
    assert (error.path, error.line) == (path, line)
    assert f"Did you mean {meant}?" in error.hint
    assert "Known: " in error.hint


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("viscous: 0.1", "axis: [0, 0, 1]", "The axis of a joint is the z axis of its frames"),
        ("viscous: 0.1", "origin: [0, 0, 1]", "A joint sits where its frames are"),
        ("viscous: 0.1", "motor: true", "Motors are listed at the top level"),
        ("viscous: 0.1", "damping: 0.1", "Did you mean 'viscous'?"),
        ("viscous: 0.1", "stiffness: 400", "spring: {stiffness: 400, rest: 0.1}"),
        ("viscous: 0.1", "spring: {stiffness: 400, reference: 1}", "Did you mean 'rest'?"),
        ("kind: revolute", "type: revolute", "Did you mean 'kind'?"),
        ("position: [0, 0, 1]", "axis: [0, 0, 1]", "Did you mean 'z'?"),
        ("position: [0, 0, 1]", "xyz: [0, 0, 1]", "Did you mean 'position'?"),
        ("center: [0.1, 0, 0]", "com: [0.1, 0, 0]", "Did you mean 'center'?"),
    ],
)
def test_keys_of_other_formats_get_what_is_meant(
    refused: Refused, old: str, new: str, hint: str
) -> None:
    """Not the key that is nearest in letters: an axis is not ``axes``, ``com`` no composite."""
    error = refused((old, new))
    assert hint in error.hint
    assert error.data["more"] == 0  # a key under another name is one problem, not two


def test_unknown_key_of_a_body_called_like_a_key(refused: Refused) -> None:
    """The names of bodies do not lead the search for known keys astray."""
    text = "gough: 1\nname: r\nplatform: rod\nbodies:\n  rod: {mass: 1, centr: [0, 0, 0]}\n"
    error = refused(text=text + "joints: {a: {kind: revolute, parent: base, child: rod}}\n")
    assert "Did you mean 'center'?" in error.hint
    assert "sphere" in error.hint


@pytest.mark.parametrize(
    ("old", "path", "line", "key"),
    [
        ("name: small\n", "name", 1, "name"),
        ("platform: rod1\n", "platform", 1, "platform"),
        ("    kind: revolute\n", "joints.hinge.kind", 11, "kind"),
        ("    child: rod1\n", "joints.hinge.child", 11, "child"),
    ],
)
def test_missing_key(refused: Refused, old: str, path: str, line: int, key: str) -> None:
    error = refused((old, ""))
    assert (error.path, error.line) == (path, line)
    assert f"the key '{key}' is missing" in str(error)


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ("mass: 0.4", "mass: true", "bodies.rod1.mass", "expected a number, got true"),
        ("mass: 0.4", "mass: '0.4'", "bodies.rod1.mass", "expected a number, got '0.4'"),
        ("mass: 0.4", "mass: 0,4", "bodies.rod1.mass", "expected a number, got '0,4'"),
        ("mass: 0.4", "mass: 400 g", "bodies.rod1.mass", "expected a number, got '400 g'"),
        ("mass: 0.4", "mass: [1]", "bodies.rod1.mass", "expected a number, got a list"),
        ("mass: 0.4", "mass:", "bodies.rod1.mass", "has no value"),
        ("mass: 0.4", "massless: 1", "bodies.rod1.massless", "expected true or false, got 1"),
        ("[0.1, 0, 0]", "[0.1, 0]", "bodies.rod1.center", "expected three entries, got 2"),
        ("[0.1, 0, 0]", "0.1", "bodies.rod1.center", "expected a list, got 0.1"),
        ("[0.1, 0, 0]", "[0.1, no, 0]", "bodies.rod1.center[1]", "expected a number, got 'no'"),
        ("[1e-4, 2e-3, 2e-3]", "[[1, 0, 0]]", "bodies.rod1.inertia", "three entries, got 1"),
        ("[1e-4, 2e-3, 2e-3]", "[[1, 0, 0], 2, 3]", "bodies.rod1.inertia[1]", "a list, got 2"),
        ("name: small", "name: 12", "name", "expected text, got 12"),
        ("platform: rod1", "platform: 5", "platform", "expected text, got 5"),
        ("[hinge]", "hinge", "motors", "expected a list, got 'hinge'"),
        ("{position: [0, 0, 1]}", "[0, 0, 1]", "joints.hinge.parent_frame", "expected keys"),
        ("{position: [0, 0, 1]}", "{}\n    label: [a]", "joints.hinge.label", "expected text"),
    ],
)
def test_wrong_type_is_one_sentence(
    refused: Refused, old: str, new: str, path: str, message: str
) -> None:
    error = refused((old, new))
    assert error.path == path
    assert message in str(error)
    assert "pydantic" not in str(error)


def test_decimal_comma_and_quotes_are_explained(refused: Refused) -> None:
    assert "Write 0.4" in refused(("mass: 0.4", "mass: 0,4")).hint
    assert "Write 0.4" in refused(("mass: 0.4", "mass: '0.4'")).hint
    assert "SI units" in refused(("mass: 0.4", "mass: 400 g")).hint


def test_whole_numbers_are_numbers(small: str) -> None:
    assert reads(small.replace("mass: 0.4", "mass: 2")).body("rod1").mass == 2.0


# newer format version


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        ("4", "pip install --upgrade gough"),
        ("0", "Write 'gough: 1'"),
        ("'1'", "Write 'gough: 1'"),
        ("1.0", "Write 'gough: 1'"),
        ("true", "Write 'gough: 1'"),
        ("", "Write 'gough: 1'"),
    ],
)
def test_newer_format_version_and_odd_ones(refused: Refused, version: str, advice: str) -> None:
    error = refused(("gough: 1", f"gough: {version}"), ("mass", "masse_totale"))
    assert advice in error.hint
    assert (error.path, error.line) == ("gough", 1)


def test_missing_version(refused: Refused) -> None:
    error = refused(("gough: 1\n", ""))
    assert error.path == "gough"
    assert "gough: 1" in error.hint


@pytest.mark.parametrize("text", ["just text", "[1, 2]", "3", "robots/delta.yaml"])
def test_not_a_mapping(refused: Refused, text: str) -> None:
    assert "expected keys with values" in str(refused(text=text))


# several problems


def test_first_in_file_order_and_how_many_more(refused: Refused) -> None:
    """A type, a sign, an unknown key: the first that stands in the file, whoever finds it."""
    error = refused(
        ("mass: 0.4", "mass: -1"),
        ("parent: base", "parant: base"),
        ("viscous: 0.1", "viscous: text"),
    )
    assert (error.path, error.line) == ("bodies.rod1.mass", 7)
    # that 'parent' is missing is the same mistake as 'parant', and not counted
    assert error.more == 2  # type: ignore[attr-defined]
    assert "and 2 more problems" in str(error)


def test_all_parts_of_a_joint_are_tried(refused: Refused) -> None:
    error = refused(
        ("[0, 0, 1]", "[0, 0, 1], z: [0, 0, 0]"),
        (
            "viscous: 0.1",
            "viscous: -1\n    child_frame: {rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}",
        ),
    )
    assert error.path == "joints.hinge.parent_frame.z"
    assert error.more == 2  # type: ignore[attr-defined]


# frames


def frame(text: str) -> gough.Frame:
    body = "gough: 1\nname: r\nplatform: b\nbodies: {b: {mass: 1}}\n"
    joint = f"joints: {{a: {{kind: fixed, parent: base, child: b, frame: {text}}}}}\n"
    robot = reads(body + joint)
    assert robot.joints[0].parent_frame == robot.joints[0].child_frame
    return robot.joints[0].parent_frame


# a turn of 0.3 about x, then 0.5 about y, then -0.7 about z, worked out with SciPy
RPY = [0.3, 0.5, -0.7]


def rotations() -> dict[str, str]:
    from scipy.spatial.transform import Rotation

    turn = Rotation.from_euler("xyz", RPY)
    x, y, z, w = turn.as_quat().tolist()
    matrix = turn.as_matrix()
    z_axis, leaning = 3 * matrix[:, 2], 2 * matrix[:, 0] + matrix[:, 2]
    return {
        "rpy": f"rpy: {RPY}",
        "rotation": f"rotation: {matrix.tolist()}",
        "quaternion_wxyz": f"quaternion_wxyz: {[w, x, y, z]}",
        "quaternion_xyzw": f"quaternion_xyzw: {[x, y, z, w]}",
        "z and x": f"z: {z_axis.tolist()}, x: {leaning.tolist()}",
    }


@pytest.mark.parametrize(
    "form", ["rpy", "rotation", "quaternion_wxyz", "quaternion_xyzw", "z and x"]
)
def test_every_form_of_orientation_is_the_same_rotation(form: str) -> None:
    from scipy.spatial.transform import Rotation

    found = frame(f"{{position: [1, 2, 3], {rotations()[form]}}}")
    expected = Rotation.from_euler("xyz", RPY).as_matrix()
    np.testing.assert_allclose(found.rotation, expected, atol=1e-14)  # rounding
    assert found.position == (1.0, 2.0, 3.0)


def test_z_alone_turns_as_little_as_possible() -> None:
    found = np.array(frame("{z: [0, 3, 0]}").rotation)
    np.testing.assert_allclose(found, [[1, 0, 0], [0, 0, 1], [0, -1, 0]], atol=1e-14)


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ("{z: [0, 0, 0]}", "z", "length zero"),
        ("{z: [0, 0, 1], x: [0, 0, 2]}", "x", "parallel"),
        ("{x: [0, 0, 2]}", "x", "without z"),
        ("{rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}", "rotation", "reflection"),
        ("{rotation: [[1, 0, 0], [0, 1, 0], [0, 1, 1]]}", "rotation", "not a rotation"),
        ("{quaternion_wxyz: [1, 1, 0, 0]}", "quaternion_wxyz", "1.41421"),
        ("{quaternion_xyzw: [0, 0, 0, 0]}", "quaternion_xyzw", "its length is 0"),
        ("{quaternion_xyzw: [0, 0, 1]}", "quaternion_xyzw", "four entries"),
        ("{rpy: [0, 0, 1], z: [0, 0, 1]}", "", "two orientations, rpy and z"),
    ],
)
def test_zero_axis_rotation_not_orthogonal_quaternion_not_unit(
    given: str, path: str, words: str
) -> None:
    with pytest.raises(FileError) as caught:
        frame(given)
    assert caught.value.path == f"joints.a.frame.{path}".rstrip(".")
    assert caught.value.line == 5
    assert words in str(caught.value)


# joints and axes


def joint(entry: str) -> gough.Joint:
    text = "gough: 1\nname: r\nplatform: b\nbodies: {b: {mass: 1}}\n"
    return reads(f"{text}joints:\n  j_1: {{parent: base, child: b, {entry}}}\n").joints[0]


def test_screw_lead_is_metres_per_turn() -> None:
    gear = (
        joint("kind: prismatic, transmission: {lead: 0.005, efficiency: 0.9}").axes[0].transmission
    )
    assert gear == gough.Transmission.from_screw(0.005, efficiency=0.9)
    assert gear is not None
    assert gear.ratio == pytest.approx(2 * np.pi / 0.005)


def test_axes_of_a_joint_with_several() -> None:
    found = joint("kind: universal, axes: {second: {viscous: 0.1, limits: {position: [-1, 1]}}}")
    limits = gough.Limits(position=(-1.0, 1.0))
    assert found.axes == (gough.Axis(), gough.Axis(viscous=0.1, limits=limits))


def test_springs_of_a_joint_with_one_axis_and_of_one_of_several() -> None:
    (axis,) = joint("kind: prismatic, spring: {stiffness: 400, rest: 0.1}").axes
    assert axis == gough.Axis(spring=gough.Spring(400.0, rest=0.1))
    found = joint("kind: cylindrical, axes: {angle: {spring: {stiffness: 2}}}")
    assert found.axes == (gough.Axis(spring=gough.Spring(2.0)), gough.Axis())


def test_redundant_is_read(small: str) -> None:
    assert reads(small).redundant is False
    for word, value in (("true", True), ("false", False)):
        assert reads(small.replace("motors:", f"redundant: {word}\nmotors:")).redundant is value


@pytest.mark.parametrize("value", ["1", "yes", "'true'", "[true]"])
def test_redundant_is_no_number_and_no_text(refused: Refused, value: str) -> None:
    error = refused(("motors:", f"redundant: {value}\nmotors:"))
    assert (error.path, error.line) == ("redundant", 4)
    assert "expected true or false" in str(error)


def test_axes_also_of_a_joint_with_one() -> None:
    assert joint("kind: revolute, axes: {angle: {viscous: 1}}").axes == (gough.Axis(viscous=1),)


@pytest.mark.parametrize(
    ("entry", "path", "words"),
    [
        ("kind: universal, viscous: 1", "viscous", "axes first and second"),
        ("kind: fixed, viscous: 1", "viscous", "no axis"),
        ("kind: revolute, viscous: 1, axes: {angle: {}}", "axes", "cannot stand beside 'viscous'"),
        ("kind: universal, axes: {frist: {}}", "axes.frist", "no such axis"),
        ("kind: revolute, transmission: {lead: 1}", "transmission.lead", "sliding"),
        (
            "kind: prismatic, transmission: {lead: 1, ratio: 2}",
            "transmission.lead",
            "beside 'ratio'",
        ),
        ("kind: prismatic, transmission: {lead: 0}", "transmission.lead", "positive"),
        ("kind: prismatic, transmission: {ratio: 0}", "transmission.ratio", "zero"),
        (
            "kind: prismatic, transmission: {efficiency: 90}",
            "transmission.efficiency",
            "more than 1",
        ),
        ("kind: prismatic, viscous: -1", "viscous", "negative"),
        ("kind: prismatic, limits: {position: [1, 0]}", "limits.position", "above"),
        ("kind: prismatic, limits: {effort: 0}", "limits.effort", "positive"),
        (
            "kind: universal, axes: {first: {limits: {position: [1, 0]}}}",
            "axes.first.limits.position",
            "above",
        ),
        ("kind: helical", "pitch", "pitch"),
        ("kind: revolute, pitch: 0.1", "pitch", "pitch"),
        ("kind: spherical, transmission: {ratio: 2}", "axes.ball", "no transmission"),
        ("kind: planar_contact, axes: {plane: {rotor_inertia: 1}}", "axes.plane", "no rotor"),
        ("kind: prismatic, spring: {stiffness: 0}", "spring.stiffness", "positive"),
        ("kind: prismatic, spring: {stiffness: -1}", "spring.stiffness", "positive"),
        ("kind: prismatic, spring: {rest: 1}", "spring.stiffness", "is missing"),
        ("kind: prismatic, spring: 400", "spring", "keys with values"),
        ("kind: prismatic, spring: {stiffness: 1, rest: .inf}", "spring.rest", "finite"),
        ("kind: universal, spring: {stiffness: 1}", "spring", "axes first and second"),
        (
            "kind: universal, axes: {first: {spring: {stiffness: -1}}}",
            "axes.first.spring.stiffness",
            "positive",
        ),
        ("kind: spherical, spring: {stiffness: 1}", "spring", "no spring"),
        (
            "kind: planar_contact, axes: {plane: {spring: {stiffness: 1}}}",
            "axes.plane.spring",
            "no spring",
        ),
        ("kind: fixed, frame: {}, child_frame: {}", "child_frame", "beside 'frame'"),
        ("kind: fixed, parent_frame: {z: [0, 0, 0]}", "parent_frame.z", "length zero"),
        (
            "kind: fixed, child_frame: {position: [0, 0, 1e200]}",
            "child_frame.position[2]",
            "measure",
        ),
    ],
)
def test_joint_errors_have_complete_paths(entry: str, path: str, words: str) -> None:
    with pytest.raises(FileError) as caught:
        joint(entry)
    assert caught.value.path == f"joints.j_1.{path}"
    assert caught.value.line == 6
    assert words in str(caught.value)


# names


@pytest.mark.parametrize(
    "name",
    [
        "''",
        "x" * 65,
        "class",
        "double",
        "a'b",
        "'a\"b'",
        '"a\\nb"',
        "'*/'",
        "a/b",
        "'a\\b'",
        "é",
        "_a",
        "1a",
        "a-b",
    ],
)
def test_names_empty_long_keyword_quote_newline_comment_end_path_non_ascii(
    refused: Refused, name: str
) -> None:
    error = refused(("  rod1:", f"  {name}:"))
    assert error.line == (6 if name != "''" else 5)  # a path cannot end in an empty key
    assert "name" in str(error)
    assert "\n" not in error.message


def test_case_twin_names_among_bodies(refused: Refused) -> None:
    error = refused(("joints:", "  Rod1: {massless: true}\njoints:"))
    assert "'rod1' and 'Rod1' differ only in case" in str(error)


def test_a_body_and_a_joint_may_share_a_name(small: str) -> None:
    assert reads(small.replace("hinge", "rod1")).joints[0].name == "rod1"


# loading


def test_load_is_read_then_assembly_then_remarks(tmp_path: Path, small: str) -> None:
    file = tmp_path / "robot.yaml"
    text = small.replace("mass: 0.4", "mass: 4e6").replace("motors: [hinge]", "motors: []")
    assert "motors: []" in text
    file.write_text(text, encoding="utf-8")
    with pytest.warns(DescriptionWarning) as told:
        robot = load(file)
    assert robot == read(file)
    assert "assembly" in robot.__dict__
    sentences = [str(w.message) for w in told]
    assert f"{file}: bodies.rod1.mass: 4e+06 kg; grams?" in sentences
    assert f"{file}: 0 motors for 1 freedom: fewer than the mobility" in sentences
    assert {w.filename for w in told} == {__file__}


def test_load_without_remarks_is_silent(tmp_path: Path, small: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot = loads(small)
        save(robot, tmp_path / "robot.yaml")
        assert load(tmp_path / "robot.yaml") == robot


def test_home_that_does_not_close_is_not_assembled() -> None:
    """Two bars of 1 m cannot span 3 m; ``read`` describes them all the same."""
    text = """
gough: 1
name: torn
platform: a
bodies: {a: {mass: 1}, b: {mass: 1}}
joints:
  j: {kind: revolute, parent: base, child: a}
  k: {kind: revolute, parent: a, child: b, parent_frame: {position: [1, 0, 0]}}
  l: {kind: revolute, parent: b, child: base, parent_frame: {position: [1, 0, 0]},
      child_frame: {position: [3, 0, 0]}}
"""
    assert reads(text).name == "torn"
    with pytest.raises(NotAssembled):
        loads(text)


@given(st.data())
def test_any_mutilation_is_a_robot_or_a_file_error(data: st.DataObject) -> None:
    """Lines removed, doubled or swapped, values replaced: never a traceback of something else."""
    from conftest import ROOT

    text = (ROOT / "examples" / "robots" / "five_bar.yaml").read_text(encoding="utf-8")
    lines = text.splitlines()
    values = st.sampled_from(
        ["1", "-1", "x", "[]", "{}", "[1, 2, 3]", "null", "true", "1e300", "''"]
    )
    for _ in range(data.draw(st.integers(1, 3))):
        i = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "value", "cut"]))
        key, colon, _ = lines[i].partition(":")
        lines[i : i + 1] = {
            "drop": [],
            "double": [lines[i]] * 2,
            "value": [f"{key}{colon} {data.draw(values)}"],
            "cut": [lines[i][: data.draw(st.integers(0, 40))]],
        }[change]
    error = error_of("\n".join(lines))
    assert error is None or (error.line is not None and 1 <= error.line <= len(lines) + 1)


def error_of(text: str) -> FileError | None:
    try:
        reads(text)
    except FileError as error:
        return error
    return None
