"""``gough identify``."""

import json

import numpy as np
import pytest

import gough as library
from gough.base.tables import read_table, write_table
from robots import robot

COMMAND = ("identify", "five_bar")


@pytest.fixture
def log(tmp_path):
    """A run of the five-bar whose currents are half its efforts."""
    r = robot("five_bar")
    motion = library.motion.lissajous(
        r, amplitude={"x": 0.06, "y": 0.05}, frequency={"x": 2.0, "y": 3.0}, duration=2.0
    )
    t = np.linspace(0.0, 2.0, 501)
    state = motion(t)
    q = library.inverse_kinematics(r, state.T_0p)
    tau = library.inverse_dynamics(r, state)
    columns = {"t": t}
    for k, name in enumerate(r.motors):
        columns[f"q_{name}"], columns[f"current_{name}"] = q[:, k], tau[:, k] / 2.0
    write_table(tmp_path / "log.csv", columns)


def test_parameters_are_found_and_written(gough, log, tmp_path):
    words = ("log.csv", "--validation", "log.csv", "--gains", "2", "--only", "friction,rotors")
    tables = ("--parameters", "p.csv", "--efforts", "e.csv", "-o", "new.yaml")
    code, out, _ = gough(*words, *tables)
    assert code == 0
    assert "foot1.viscous" in out
    assert library.load(tmp_path / "new.yaml").motors == robot("five_bar").motors
    assert (tmp_path / "p.csv").read_text().startswith("parameter,")
    assert (tmp_path / "e.csv").read_text().startswith("t,measured_foot1")
    code, _, err = gough(*words, *tables)
    assert code == 1
    assert "--force" in err
    code, out, _ = gough(*words, "--json")
    assert code == 0
    assert len(json.loads(out)["values"]) == 6


def test_a_report_is_written(gough, log, monkeypatch):
    written = {}
    page = "gough.report.write_identification"  # the page itself has tests of its own
    monkeypatch.setattr(page, lambda *what, **more: written.update(more, path=str(what[1])))
    words = ("log.csv", "--gains", "2", "--only", "friction", "--title", "The bar")
    code, _, err = gough(*words, "--report", "page.html")
    assert code == 0, err
    assert (written["title"], written["path"]) == ("The bar", "page.html")
    assert "identify" in written["command"]
    code, _, err = gough(*words)
    assert code == 1
    assert "--title" in err


def test_columns_of_other_names(gough, log, tmp_path):
    given = read_table(tmp_path / "log.csv")
    other = {"clock": 1e3 * given["t"]}
    for k, motor in enumerate(("foot1", "foot2")):
        other[f"enc {k}"] = given[f"q_{motor}"]
        other[f"T{k}"] = 2.0 * given[f"current_{motor}"]
    write_table(tmp_path / "other.csv", other)
    names = "t=clock,q_foot1=enc 0,q_foot2=enc 1,tau_foot1=T0,tau_foot2=T1"
    code, _, err = gough("other.csv", "--only", "friction")
    assert code == 1
    assert "--columns" in err
    words = ("other.csv", "--only", "friction", "--columns", names, "--column-units", "ms")
    code, out, err = gough(*words, "--json")
    assert code == 0, err
    assert len(json.loads(out)["values"]) == 4


def test_what_makes_no_sense_is_refused(gough, log):
    code, out, err = gough("log.csv")
    assert (code, out) == (1, "")
    assert "A weighed payload is needed" in err  # currents alone do not show gains
    code, _, err = gough("log.csv", "--loaded", "log.csv")
    assert code == 1
    assert "--payload" in err
    code, _, err = gough("log.csv", "--gains", "two")
    assert code == 1
    assert "--gains" in err
