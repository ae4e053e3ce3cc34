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


def test_columns_and_units_are_named_on_the_command_line_and_in_scenarios(gough, tmp_path):
    t = np.linspace(0.0, 0.5, 60)
    y = motion.pick_and_place(robot("delta"), cycle=0.5)(t).T_0p[:, :3, 3]
    write_table(tmp_path / "plain.csv", {"t": t, **dict(zip("xyz", y.T, strict=True))})
    table = {"clock": 1e3 * t, **dict(zip("uvw", 1e3 * y.T, strict=True))}
    write_table(tmp_path / "poses.csv", table)
    words = ["--columns", "t=clock,x=u,y=v,z=w", "--column-units", "mm,ms"]
    code, out, _ = gough("idm", "delta", "poses.csv", *words, "--json")
    assert code == 0
    found = json.loads(out)
    said = "lengths are in millimetres, time in milliseconds; by the columns t 'clock', x 'u'"
    assert any(sentence.startswith(said) for sentence in found["findings"])
    plain = json.loads(gough("idm", "delta", "plain.csv", "--json")[1])
    for motor, other in zip(found["sizing"], plain["sizing"], strict=True):
        assert (
            abs(motor["axis"]["peak"] / other["axis"]["peak"] - 1.0) < 1e-6
        )  # digits of millimetres
    _, _, err = gough("audit", "delta", "poses.csv", *words, "--samples", "1")
    assert f"gough: remark: {said}" in err
    more = ", columns: {t: clock, x: u, y: v, z: w}, units: {length: mm, time: ms}"
    (tmp_path / "s.yaml").write_text(SCENARIO.format(more=more))
    code, out, _ = gough("run", "s.yaml")
    assert code == 0
    assert said in " ".join(out.split())


def test_options_about_columns_are_checked(gough, tmp_path):
    spoilt(tmp_path)
    for options, says in (
        (["poses.csv", "--columns", "x"], "--columns has 'x', expected NAME=COLUMN"),
        (["poses.csv", "--column-units", "mm,cm"], "'cm', which is a second unit of length"),
        (["poses.csv", "--column-units", "ell"], "'ell', which is no unit"),
        (["circle:radius=0.1,duration=1", "--rotation", "rpy"], "is no table of poses"),
        (["poses.csv:rotation=rpy", "--rotation", "rpy"], "'rotation' is given twice"),
    ):
        code, _, err = gough("idm", "delta", *options)
        assert code == 1
        assert says in " ".join(err.split())
