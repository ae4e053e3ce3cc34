"""``gough base-parameters``."""

import json

import pytest

COMMAND = ("base-parameters", "five_bar")


def test_base_parameters_are_listed(gough):
    code, out, _ = gough("--only", "bodies")
    assert code == 0
    assert "base parameters    11" in out
    assert "dist1.mx + dist2.mx" in out


def test_base_parameters_are_data(gough):
    code, out, _ = gough("circle:radius=0.05,duration=1", "--only", "bodies", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["number"] == len(data["matrix"]) == 11
    assert data["robot"] == "five_bar"
    assert data["condition"] > 1.0
    assert data["unexcited"] == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--only", "masses"), "unknown group of parameters 'masses'"),
        (("--only", "bodies,"), "--only"),
        (("--share", "legs"), "no two of its legs are built alike"),
    ],
)
def test_what_makes_no_sense_is_refused(gough, words, why):
    code, out, err = gough(*words)
    assert (code, out) == (1, "")
    assert why in err
