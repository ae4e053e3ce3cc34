"""Named numbers of a file: where they stand, what they may say, and what is refused."""

import pickle

import pytest

import gough
from gough.errors import DescriptionError
from gough.robot.file import dumps, read, reads

TEXT = """\
gough: 2
name: arm
label: costs $reach
numbers: {reach: 0.4, heavy: 2}
platform: rod1
motors: [hinge]
bodies:
  rod1:
    mass: $heavy
    center: [$reach/2, -$reach, 2*$reach]
    inertia: [1, 1, $heavy*0.5]
    label: $reach
joints:
  hinge:
    kind: revolute
    parent: base
    child: rod1
    parent_frame: {position: [0, 0, +$reach]}
    limits: {position: [ -1e-1 * $reach , 1.5]}
"""


def test_a_reference_is_a_number():
    robot = reads(TEXT)
    body = robot.body("rod1")
    assert (body.mass, body.center) == (2.0, (0.2, -0.4, 0.8))
    assert body.inertia[2][2] == 1.0
    assert robot.joint("hinge").parent_frame.position == (0.0, 0.0, 0.4)
    assert robot.axis("hinge").limits.position == (-0.1 * 0.4, 1.5)
    assert (robot.label, body.label) == ("costs $reach", "$reach")


def test_it_is_the_robot_with_the_numbers_written_out():
    plain = TEXT.replace("numbers: {reach: 0.4, heavy: 2}\n", "").replace("gough: 2", "gough: 1")
    for old, new in {
        "mass: $heavy": "mass: 2",
        "[$reach/2, -$reach, 2*$reach]": "[0.2, -0.4, 0.8]",
        "$heavy*0.5": "1",
        "+$reach": "0.4",
        "-1e-1 * $reach": str(-0.1 * 0.4),
    }.items():
        assert plain.count(old) == 1
        plain = plain.replace(old, new)
    assert reads(plain) == reads(TEXT)
    assert dumps(reads(TEXT)).startswith("gough: 1\n")  # written out, and nothing new


@pytest.mark.parametrize(
    ("old", "new", "path", "line", "words"),
    [
        ("mass: $heavy", "mass: $heavi", "bodies.rod1.mass", 9, "no number 'heavi'"),
        ("2*$reach]", "$reach+1]", "bodies.rod1.center[2]", 10, "is no reference"),
        ("2*$reach]", "2*$reach/3]", "bodies.rod1.center[2]", 10, "two factors"),
        ("2*$reach]", "$reach/0]", "bodies.rod1.center[2]", 10, "divides by zero"),
        ("2*$reach]", "1e300*$large]", "bodies.rod1.center[2]", 10, "no number 'large'"),
        ("heavy: 2}", "heavy: .inf}", "bodies.rod1.mass", 9, "not a finite number"),
        ("heavy: 2}", "heavy: two}", "numbers.heavy", 4, "expected a number"),
        ("heavy: 2}", "heavy: true}", "numbers.heavy", 4, "expected a number"),
        ("heavy: 2}", "heavy: $reach}", "numbers.heavy", 4, "expected a number"),
        ("name: arm", "name: $reach", "name", 2, "expected text"),
        ("{reach: 0.4, heavy: 2}", "[1, 2]", "numbers", 4, "expected keys with values"),
    ],
)  # fmt: skip
def test_what_is_no_number(refused, old, new, path, line, words):
    error = refused((old, new), text=TEXT)
    assert words in str(error)
    assert (error.path, error.line) == (path, line)


def test_a_reference_without_numbers_says_where_they_stand(refused):
    error = refused(("numbers: {reach: 0.4, heavy: 2}\n", ""), text=TEXT)
    assert "'numbers' at the top level" in error.hint


def test_numbers_are_parameters():
    robot = reads(TEXT)
    assert robot.parameters == {"reach": 0.4, "heavy": 2}
    other = gough.vary(robot, reach=0.5)
    assert other.body("rod1").center == (0.25, -0.5, 1.0)
    assert other.parameters == {"reach": 0.5, "heavy": 2}
    assert robot.parameters["reach"] == 0.4
    again = pickle.loads(pickle.dumps(other))
    assert again == other
    assert gough.vary(again, reach=0.4) == robot
    with pytest.raises(DescriptionError, match=r"bodies\.rod1\.mass"):
        gough.vary(robot, heavy=-1.0)
    with pytest.raises(gough.errors.InputError, match="arm has no parameter 'mass'"):
        gough.vary(robot, mass=1.0)


def test_a_file_of_plain_figures_has_no_parameters(small):
    assert reads(small).parameters == {}
    assert read("examples/robots/five_bar.yaml").parameters == {}
