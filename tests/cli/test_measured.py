"""Measured motions on the command line: what is wrong with a table is told, and left out."""

import json

import numpy as np

from gough import motion
from gough.base.tables import write_table
from robots import robot

SCENARIO = """gough: 1
robot: delta
motion: {{kind: from_file, path: poses.csv{more}}}
output: {{folder: out, report: false}}
"""


def spoilt(folder):
    t = np.linspace(0.0, 0.5, 251)
    y = motion.pick_and_place(robot("delta"), cycle=0.5)(t).T_0p[:, :3, 3].copy()
    y[83, 0] += 5e-3
    write_table(folder / "poses.csv", {"t": t, "x": y[:, 0], "y": y[:, 1], "z": y[:, 2]})


def test_an_outlier_is_told_and_left_out(gough, tmp_path):
    spoilt(tmp_path)
    code, out, err = gough("idm", "delta", "poses.csv", "--json")
    assert code == 0
    assert err.startswith("gough: warning: one sample is far from the curve")
    assert "t = 0.166 s" in err
    kept = json.loads(out)
    assert "0.166 s" in kept["findings"][0]
    code, out, _ = gough("idm", "delta", "poses.csv:outliers=drop")
    assert code == 0
    words = " ".join(out.split())
    assert "data one sample is far" in words
    assert "left out" in words
    code, _, err = gough("idm", "delta", "poses.csv:outliers=refuse")
    assert code == 1
    assert "Mend the data" in err


def test_a_scenario_says_the_same(gough, tmp_path):
    spoilt(tmp_path)
    (tmp_path / "s.yaml").write_text(SCENARIO.format(more=", outliers: drop"))
    code, out, err = gough("run", "s.yaml")
    assert code == 0
    assert "left out" in " ".join(out.split())
    assert "gough: warning: one sample" in err
    (tmp_path / "s.yaml").write_text(SCENARIO.format(more=", outliers: gone"))
    code, _, err = gough("run", "s.yaml")
    assert code == 1
    assert "s.yaml, line 3: motion: outliers is 'gone'" in err


def test_a_scenario_does_not_write_elsewhere(gough, tmp_path):
    spoilt(tmp_path)
    inner = tmp_path / "inner"
    inner.mkdir()
    text = SCENARIO.format(more=", outliers: drop").replace("poses.csv", "../poses.csv")
    (inner / "s.yaml").write_text(text.replace("folder: out", "folder: ../out"))
    code, _, err = gough("run", "inner/s.yaml")
    assert code == 1
    assert "line 4: output.folder: '../out' leads out of the scenario's folder" in err
    assert not (tmp_path / "out").exists()
    assert gough("run", "inner/s.yaml", "-o", "out")[0] == 0
    assert (tmp_path / "out" / "efforts.csv").exists()
