"""``gough singularities``: a pose, a motion, data, and what it refuses."""

import json

import pytest

COMMAND = ("singularities",)


def test_home_in_words_and_as_data(gough):
    code, out, _ = gough("five_bar")
    assert code == 0
    assert "five_bar: regular" in out
    code, out, _ = gough("five_bar", "--pose", "0,0.15", "--json", "--length", "0.5")
    found = json.loads(out)
    assert (code, found["length"]) == (0, 0.5)
    assert found["type_2"]["smallest"] < 0.01


def test_along_a_motion(gough):
    code, out, _ = gough("five_bar", "hold:duration=0.25", "--json")
    found = json.loads(out)
    assert (code, found["is_singular"], found["events"]) == (0, False, [])
    assert len(found["t"]) == len(found["type_2"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--pose", "0,zero"), "is not a number"),
        (("--pose", "0,0.3,1"), "expected 2: x, y"),
        (("--pose", "0,9"), "cannot be reached"),
        (("--length", "-1"), "length"),
        (("circle:radius=0.02,duration=0.25", "--distance"), "takes none of"),
        (("--within-limits",), "2 motors without position limits: 'foot1', 'foot2'"),
        (("--within-limits", "--distance"), "two searches"),
        (("--starts", "3"), "--within-limits"),
    ],
)
def test_refused(gough, words, said):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3
    assert said in err


LIMITED = """
gough: 2
name: limited
like: five_bar
axes:
  foot1: {limits: {position: [2.0, 2.55]}}
  foot2: {limits: {position: [0.6, 1.1]}}
"""


def test_within_the_stroke(gough, tmp_path):
    path = tmp_path / "limited.yaml"
    path.write_text(LIMITED)
    code, out, _ = gough(str(path), "--within-limits", "--starts", "5", "--json")
    found = json.loads(out)
    assert (code, found["found"], found["starts"]) == (0, False, 5)
    assert [corner["corner"] for corner in found["corners"]] == ["--", "-+", "+-", "++"]
    code, out, _ = gough(str(path), "--within-limits", "--starts", "5")
    assert code == 0
    assert f"the smallest measure found is {found['measure']:.4g}" in out
    assert "corner +-" in out
