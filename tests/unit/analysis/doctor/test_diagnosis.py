"""The verdict as a sequence, as a page and as data; motions in words."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from gough.analysis.doctor import Diagnosis, Finding, doctor
from gough.base.english import direction, echelon, motion, motions, simplest
from gough.cli import app
from robots import robot

ROBOTS = Path(__file__).resolve().parents[4] / "examples" / "robots"
NOTE = Finding("a", "note", "one.")
WARNING = Finding("b", "warning", "two.", advice="do this.", joints=("j",))
ERROR = Finding("c", "error", "three.", data={"x": 1.0})


def test_the_worst_comes_first():
    found = Diagnosis("r", (NOTE, WARNING, ERROR))
    assert [f.code for f in found] == ["c", "b", "a"]
    assert found[0] is ERROR
    assert found[-1:] == (NOTE,)
    assert (found.errors, found.warnings, found.notes) == ((ERROR,), (WARNING,), (NOTE,))
    assert len(found) == 3


@pytest.mark.parametrize(("findings", "healthy"), [
    ((), True), ((NOTE,), True), ((WARNING,), False), ((ERROR, NOTE), False),
])  # fmt: skip
def test_healthy_is_neither_error_nor_warning(findings, healthy):
    assert Diagnosis("r", findings).healthy is healthy


def test_page_and_data():
    found = Diagnosis("r", (NOTE, WARNING, ERROR))
    assert str(found).splitlines() == [
        "r: 1 error, 1 warning",
        "  error c: three.",
        "  warning b: two.",
        "    > do this.",
        "  note a: one.",
    ]
    data = json.loads(json.dumps(found.to_dict()))
    assert data["findings"][1]["joints"] == ["j"]
    assert data["findings"][0]["data"] == {"x": 1.0}
    assert str(Diagnosis("r", ())) == "r: healthy"


def test_assembly_and_doctor_say_the_same():
    """Light findings of the assembly are the beginning of the doctor's."""
    r = robot("five_bar")
    lame = dataclasses.replace(r, motors=r.motors[:1])
    (sentence,) = lame.assembly.findings
    assert doctor(lame).errors[0].sentence.startswith(sentence)


# words


def test_directions():
    assert direction(np.array([0.0, -2.0, 0.0])) == "y"
    assert direction(np.array([-3.0, 4.0, 0.0])) == "(-0.6, 0.8, 0)"


def test_a_twist_in_words():
    at = np.array([1.0, 0.0, 0.5])
    assert motion(np.array([0, 0, 2.0, 0, 0, 0]), at, 1.0) == "translate along z"
    # a point on the x axis turning about z through the origin moves along y
    turn = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    assert motion(turn, at, 1.0) == "rotate about the axis through (0, 0, 0.5) m along z"
    screw = turn + np.array([0.0, 0.0, 0.25, 0.0, 0.0, 0.0])
    expected = "screw about the axis through (0, 0, 0.5) m along z, 0.25 m forward per radian"
    assert motion(screw, at, 1.0) == expected
    assert motion(-screw, at, 1.0) == expected


def test_simplest_motions_span_the_same_space():
    rng = np.random.default_rng(0)
    planar = np.zeros((6, 3))
    planar[[0, 1, 5], [0, 1, 2]] = 1.0
    mixed = planar @ rng.normal(size=(3, 3))
    found = simplest(mixed, 0.4)
    # 1e-10: two projectors on the same space, from matrices of condition ten
    P = [B @ np.linalg.pinv(B) for B in (mixed, found)]
    np.testing.assert_allclose(P[0], P[1], atol=1e-10)
    assert motions(mixed, np.zeros(3), 0.4) == ["translate along x and y", "rotate about z"]
    assert np.linalg.matrix_rank(echelon(mixed)) == 3


# command line


def gough(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def test_command_line(tmp_path):
    done = gough("doctor", ROBOTS / "delta.yaml", ROBOTS / "five_bar.yaml")
    assert done.exit_code == 0
    assert done.stdout.count("healthy") == 2
    text = (ROBOTS / "five_bar.yaml").read_text().replace("motors: [a_1, a_2]", "motors: [a_1]")
    (tmp_path / "lame.yaml").write_text(text)
    done = gough("doctor", "--json", tmp_path / "lame.yaml")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["findings"][0]["code"] == "too-few-motors"
    assert done.stderr == ""
    done = gough("doctor", tmp_path / "none.yaml", ROBOTS / "five_bar.yaml")
    assert done.exit_code == 1
    assert "none.yaml: there is no such file" in done.stderr
    assert "five_bar: healthy" in done.stdout  # told all the same
