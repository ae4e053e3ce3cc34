"""``gough crossing``: verdict, exit codes, data, table."""

import json
import sys

import numpy as np
import pytest

from crossings import looked, planned, three_rrr
from gough.base.tables import read_table
from gough.cli import main
from gough.cli.commands import crossing as _registered  # noqa: F401
from gough.motion import from_file
from gough.zoo import registry

TURN = "point_to_point:start=[0,0,0],end=[0.05,0.03,1.0],duration=1.0"


@pytest.fixture
def known(monkeypatch):
    """Plan and verdict as they were made before: both take seconds, and are tested elsewhere."""
    seen, plans = (
        sys.modules[f"gough.singularity.crossing.{name}"] for name in ("verdict", "plan")
    )
    monkeypatch.setattr(plans, "plan_crossing", lambda *_, **__: planned("three_rrr"))
    monkeypatch.setattr(seen, "crossing", lambda *_, **__: looked("three_rrr", passes=True))


@pytest.fixture
def gough(monkeypatch, capsys, tmp_path):
    """Runs the program in a folder of its own: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "load", lambda _: three_rrr())

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["gough", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capsys.readouterr()
        return done.value.code or 0, out, err

    return run


def test_a_motion_that_cannot_pass(gough):
    code, out, err = gough("crossing", "three_rrr", TURN, "--rate", 10)
    assert (code, err) == (1, "")
    assert "Type 2: free to rotate about the axis" in out
    assert "unbounded" in out


@pytest.mark.usefixtures("known")
def test_planned_data_and_table(gough, tmp_path):
    words = ("--plan", "--json", "--rate", 10, "-o", "efforts.csv")
    code, out, err = gough("crossing", "three_rrr", TURN, *words)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["bounded"] is True
    assert found["instants"][0]["can_pass"] is True
    table = read_table(tmp_path / "efforts.csv")
    assert sum(table["at_limit"]) == 1
    code, out, err = gough("crossing", "three_rrr", TURN, *words)
    assert code == 1
    assert "efforts.csv" in err


def test_the_payload_and_the_planned_motion(gough, monkeypatch, tmp_path):
    """Plan and verdict carry what the machine carries; the motion can be read again."""
    seen, plans = (
        sys.modules[f"gough.singularity.crossing.{name}"] for name in ("verdict", "plan")
    )
    carried = []

    def told(result):
        def call(*_, loads, **__):
            carried.append(float(loads.payload.mass))
            return result

        return call

    monkeypatch.setattr(plans, "plan_crossing", told(planned("three_rrr")))
    monkeypatch.setattr(seen, "crossing", told(looked("three_rrr", passes=True)))
    words = ("--plan", "--payload", 0.5, "--motion", "motion.csv", "--rate", 200, "--json")
    code, out, err = gough("crossing", "three_rrr", TURN, *words)
    assert (code, err) == (0, "")
    assert carried == [0.5, 0.5]
    assert json.loads(out)["files"] == {"motion": "motion.csv"}
    table = read_table(tmp_path / "motion.csv")
    at = planned("three_rrr")(table["t"])
    np.testing.assert_allclose(table["wz"], at.V_0p[:, 5], atol=1e-12)
    np.testing.assert_allclose(table["ax"], at.Vdot_0p[:, 0], atol=1e-12)
    rate = np.gradient(table["q_foot1"], table["t"], edge_order=2)
    np.testing.assert_allclose(rate, table["qd_foot1"], atol=2e-3)
    again = from_file(three_rrr(), tmp_path / "motion.csv", smoothing=0.0)
    np.testing.assert_allclose(again(table["t"]).T_0p, at.T_0p, atol=1e-9)
    same = ("-o", "motion.csv", "--motion", "motion.csv", "--force")
    code, out, err = gough("crossing", "three_rrr", TURN, *same)
    assert code == 1
    assert "same file" in err


def test_words_that_mean_no_motion(gough):
    code, out, err = gough("crossing", "three_rrr", "dance")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3
