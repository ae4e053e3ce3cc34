"""``gough fastest``: the sentence, data, the law and the motion as tables, refusals."""

import json

import numpy as np
import pytest

from gough.base.tables import read_table
from gough.motion import from_file
from robots import robot

COMMAND = ("fastest", "five_bar")
STROKE = "point_to_point:start=[0.0, 0.6],end=[0.1, 0.6],duration=1"


def test_data_and_tables(gough, tmp_path):
    words = ("--acceleration", 4.0, "-o", "law.csv", "--motion", "motion.csv", "--json")
    code, out, err = gough(STROKE, *words)
    assert (code, err) == (0, "")
    found = json.loads(out)
    # 0.1 m at 4 m/s^2, half of it to stop
    assert found["period"] == pytest.approx(2.0 * np.sqrt(0.1 / 4.0), rel=1e-4)
    assert found["limiting"] == "platform acceleration"
    assert read_table(tmp_path / "law.csv")["use"].min() > 0.999
    motion = from_file(robot("five_bar"), tmp_path / "motion.csv", smoothing=0.0)
    assert motion.duration == pytest.approx(found["period"])
    assert motion.end[0, 3] == pytest.approx(0.1, abs=1e-6)


def test_without_limits_it_says_what_to_give(gough):
    code, out, err = gough(STROKE)
    assert (code, out) == (1, "")
    assert "nothing limits the acceleration" in err
    assert "peak" in err


def test_tables_have_names_of_their_own(gough):
    code, _, err = gough(STROKE, "-o", "a.csv", "--motion", "a.csv")
    assert code == 1
    assert "name the same file" in err


def test_options_that_would_say_nothing_are_refused(gough):
    code, _, err = gough(STROKE, "--acceleration", 4.0, "--heating")
    assert code == 1
    assert "--heating says of which motion the files are" in err
    code, _, err = gough(STROKE, "--acceleration", 4.0, "--smoothing", 0.1)
    assert code == 2
    assert "--smoothing" in err


def test_a_circle_dwells_if_it_is_not_repeated(gough):
    path = "circle:radius=0.02,duration=1,law=constant"
    words = (path, "--acceleration", 4.0, "--dwell", 0.1, "--json")
    code, _, err = gough(*words)
    assert code == 1
    assert "repeated=False" in err
    code, out, _ = gough(*words, "--no-repeated")
    assert code == 0
    assert json.loads(out)["period"] > 0.1
