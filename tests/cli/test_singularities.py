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
        (("--pose", "0,zero"), "expected numbers"),
        (("--pose", "0,0.3,1"), "expected 2: x, y"),
        (("--pose", "0,9"), "cannot be reached"),
        (("--length", "-1"), "length"),
        (("circle:radius=0.02,duration=0.25", "--distance"), "neither"),
    ],
)
def test_refused(gough, words, said):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3
    assert said in err
