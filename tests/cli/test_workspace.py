"""``gough workspace``: facts, data, tables, pictures, and what it refuses."""

import json

import numpy as np
import pytest

COMMAND = ("workspace",)


def test_facts_data_and_files(gough, tmp_path):
    code, out, err = gough("five_bar", "--x", "11", "--y", "-0.7:0.7:13", "-o", "parts.png")
    assert (code, err) == (0, "")
    assert "in part 1" in out
    assert (tmp_path / "parts.png").stat().st_size > 10_000
    words = ("--x", "11", "--at", "y=0.4", "--capability", "payload", "--efforts", "5,6")
    code, out, err = gough("five_bar", *words, "-o", "t.npz", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["held"] == {"y": 0.4}
    assert data["axes"]["x"]["points"] == 11
    assert data["capability"]["payload"]["unit"] == "kg"
    with np.load(tmp_path / "t.npz") as table:
        assert len(table["payload"]) == 11
        assert set(table) >= {"x", "y", "component"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--x", "0:a"], "not a number"),
        (["--x", "0:1:2:3"], "expected LO:HI"),
        (["--x", "0.5"], "number of points"),
        (["--rz", "0:1"], "no freedom 'rz'"),
        (["--at", "y"], "expected NAME=VALUE"),
        (["--capability", "payload"], "no effort limit and no motor torque is known of foot1"),
        (["-o", "map.xyz"], "no table"),
        (["--height", "0.1"], "--height needs --volume"),
        (["--diameter", "0.1"], "--diameter needs --volume"),
        (["--shape", "box"], "--shape needs --volume"),
    ],
)
def test_what_is_refused(gough, words, told):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert told in err
    assert len(err.splitlines()) == 3


def test_a_volume_in_numbers_and_as_a_picture(gough, tmp_path):
    around = ("--x", "-0.02:0.02:4", "--y", "-0.02:0.02:4", "--z", "-0.48:-0.44:4")
    code, out, err = gough("delta", "--volume", *around, "-o", "space.png", "--shape", "box")
    assert (code, err) == (0, "")
    assert "the section ends before the workspace along x, y and z" in out
    assert (tmp_path / "space.png").stat().st_size > 10_000
    code, out, err = gough("delta", "--volume", *around, "--height", "0.03", "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    # all of the section is free
    assert data["volume"] == pytest.approx(0.04**3)
    assert data["box"]["volume"] == pytest.approx(0.04**3)
    assert 2.0 * data["cylinder"]["radius"] == pytest.approx(0.04, rel=0.01)
    assert data["cylinder"]["height"] == pytest.approx(0.03)
    for words in (["--map", "sign"], ["--height", "1", "--diameter", "1"]):
        code, out, err = gough("delta", "--volume", *around, *words)
        assert (code, out) == (1, "")
        assert ("does not go with" in err) or ("both height and diameter" in err)
