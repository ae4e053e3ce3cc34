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
    ],
)
def test_what_is_refused(gough, words, told):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert told in err
    assert len(err.splitlines()) == 3
