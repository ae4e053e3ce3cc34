"""What all commands have in common: they are listed, and refuse before they work."""

import numpy as np
import pytest

from gough.base.tables import read_table, write_table
from gough.cli import app


def test_every_command_is_listed(gough):
    out = gough("--help")[1]
    for command in (*app.registered_commands, *app.registered_groups):
        name = command.name or command.callback.__name__.replace("_", "-")
        assert f"\n  {name} " in out, name


@pytest.mark.parametrize("words", [["modes"], ["draw"], ["info", "--draw", "a.xyz"]])
def test_a_picture_that_nobody_can_draw_is_refused_before_the_work(gough, monkeypatch, words):
    monkeypatch.setattr("gough.zoo.registry.load", None)  # no robot is asked for
    ending = [] if "--draw" in words else ["-o", "a.xyz"]
    code, _, err = gough(words[0], "five_bar", *words[1:], *ending)
    assert code == 1
    assert "a.xyz: is no picture" in err
    assert ".png, .svg" in err


def test_hints_name_options(gough):
    t = np.linspace(0.0, 1.0, 30)
    write_table("poses.csv", {"t": t, "x": 20.0 * t, "y": 432.0 + 0.0 * t})
    code, _, err = gough("idm", "five_bar", "poses.csv")
    assert (code, "millimetres?" in err, "--column-units mm" in err) == (1, True, True)
    code, _, err = gough("audit", "five_bar", "--load", "dist2:0,0,1@0.1,0.3")
    assert (code, "knows no times" in err) == (1, True)


def test_angles_that_look_like_degrees_get_a_remark(gough):
    assert "is 120deg meant?" in gough("modes", "five_bar", "--motors", "120,1")[2]
    assert "remark" not in gough("modes", "five_bar", "--motors", "120deg,1")[2]


def test_loads_of_a_scenario_are_not_taken_silently(gough, tmp_path):
    text = "gough: 1\nrobot: five_bar\nmotion: {kind: hold, duration: 0.01}\nloads: {payload: 1}\n"
    (tmp_path / "s.yaml").write_text(text)
    code, _, err = gough("idm", "five_bar", "s.yaml", "--rate", "200")
    assert (code, "its loads are not" in err) == (0, True)


def test_columns_of_words_are_left_alone(tmp_path):
    (tmp_path / "a.csv").write_text("t,state,x\n0,run,1\n0.1,hold,2\n")
    found = read_table(tmp_path / "a.csv")
    assert {name: array.tolist() for name, array in found.items()} == {"t": [0, 0.1], "x": [1, 2]}
