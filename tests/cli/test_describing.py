"""Newer descriptions on the command line: versions, parameters, drives and their units."""

import json
import math
from pathlib import Path

import pytest

import gough as library
from gough.cli.units import Units, find_units
from gough.errors import InputError
from gough.robot.file import read

ROBOTS = Path(__file__).resolve().parents[2] / "examples" / "robots"
GEARED = ROBOTS / "geared_delta.yaml"
OLD = """\
# mine
gough:  1   # of the format
name: mine
motors: [hinge]   # one
platform: rod1
bodies: {rod1: {rod: {mass: 1, start: [0, 0, 0], end: [0.4, 0, 0]}}}
joints:
  hinge: {kind: revolute, parent: base, child: rod1, frame: {z: [0, 1, 0]}}
"""


def test_a_file_is_rewritten_and_nothing_else_in_it_changes(gough, tmp_path):
    (tmp_path / "mine.yaml").write_text(OLD)
    code, out, err = gough("check", "mine.yaml", "--rewrite", "-o", "new.yaml")
    assert (code, err) == (0, "gough: wrote new.yaml, which had version 1 of the format\n")
    assert "mine" in out
    assert (tmp_path / "new.yaml").read_text() == OLD.replace("gough:  1", "gough:  3")
    assert (tmp_path / "mine.yaml").read_text() == OLD
    assert gough("check", "mine.yaml", "--rewrite")[0] == 0
    assert (tmp_path / "mine.yaml").read_text() == (tmp_path / "new.yaml").read_text()
    assert gough("check", "mine.yaml", "--rewrite")[0] == 0  # again: it stays
    assert (tmp_path / "mine.yaml").read_text() == (tmp_path / "new.yaml").read_text()


def test_json_is_rewritten(gough, tmp_path):
    one = library.load(ROBOTS / "pendulum.yaml")
    library.save(one, tmp_path / "one.json")
    before = (tmp_path / "one.json").read_text()
    assert gough("check", "one.json", "--rewrite")[0] == 0
    assert (tmp_path / "one.json").read_text() == before.replace('"gough": 1', '"gough": 3')
    assert library.load(tmp_path / "one.json") == one


def test_a_new_key_in_an_old_file_is_what_rewriting_is_for(gough, tmp_path):
    (tmp_path / "mine.yaml").write_text(OLD + "numbers: {a: 1}\n")
    code, out, err = gough("check", "mine.yaml")
    assert (code, out) == (1, "")
    assert "mine.yaml, line 9: numbers: this key came with 'gough: 2'" in err
    assert "gough check FILE --rewrite" in err
    assert gough("check", "mine.yaml", "--rewrite")[0] == 0
    assert gough("check", "mine.yaml")[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mass: 1", "mass: -1", "mass"),
        ("gough:  1", "gough:  7", "newer than this gough"),
        ("gough:  1", "gough:\n  1", "by hand"),
    ],
)
def test_what_would_not_be_read_is_not_written(gough, tmp_path, old, new, words):
    (tmp_path / "mine.yaml").write_text(OLD.replace(old, new))
    code, _, err = gough("check", "mine.yaml", "--rewrite")
    assert code == 1
    assert words in err
    assert (tmp_path / "mine.yaml").read_text() == OLD.replace(old, new)


def test_where_to_rewrite(gough, tmp_path):
    (tmp_path / "mine.yaml").write_text(OLD)
    assert gough("check", "mine.yaml", "-o", "new.yaml")[0] == 2
    assert gough("check", "mine.yaml", "mine.yaml", "--rewrite", "-o", "new.yaml")[0] == 2
    code, _, err = gough("check", "mine.yaml", "--rewrite", "-o", "mine.yaml")
    assert code == 1
    assert "exists already" in err


def test_new_with_other_figures(gough, tmp_path):
    code, out, _ = gough("new", "mine", "--like", "delta", "--set", "arm=0.3,bar=0.8")
    assert (code, out) == (0, "Wrote mine.yaml. Edit it, then run: gough check mine.yaml\n")
    text = (tmp_path / "mine.yaml").read_text()
    assert "the figures are those of delta with arm=0.3,bar=0.8." in text
    assert read(tmp_path / "mine.yaml").joints == library.zoo.load("delta", L=0.3, l=0.8).joints
    words = "gravity=[0,0,-1.6],platform.mass=1.2"
    assert gough("new", "moon", "--like", "delta", "--set", words)[0] == 0
    moon = read(tmp_path / "moon.yaml")
    assert (moon.gravity, moon.body("platform").mass) == ((0.0, 0.0, -1.6), 1.2)


def test_new_of_a_builder_at_mid_stroke(gough, tmp_path):
    words = (
        "base_radius=0.16,platform_radius=0.05,arm=0.2,bar=0.48,half_spacing=0.035,"
        "legs={motor: {limits: {position: [-0.4, 1.0]}}, passive: {u: {viscous: 0.01}}},home=mid"
    )
    assert gough("new", "mine", "--like", "build.delta", "--set", words)[0] == 0
    mine = read(tmp_path / "mine.yaml")
    assert [round(mine.home.joints[name], 12) for name in mine.motors] == [0.3, 0.3, 0.3]
    assert mine.axis("u2a.second").viscous == 0.01


@pytest.mark.parametrize(
    ("like", "words", "message"),
    [
        ("delta", "armm=1", "Did you mean 'arm'?"),
        ("delta", "arm", "expected NAME=VALUE"),
        ("delta", "arm=-1", "L"),
        ("blank", "arm=1", "the template 'blank' has no parameters"),
        ("hexapod", "home=mid", "--like build.hexapod"),
        ("build.delta", "arm=1", "needs the parameter 'base_radius'"),
    ],
)
def test_new_with_figures_that_there_are_not(gough, tmp_path, like, words, message):
    code, out, err = gough("new", "mine", "--like", like, "--set", words)
    assert (code, out) == (1, "")
    assert message in err
    assert not (tmp_path / "mine.yaml").exists()


def test_drives_are_shown_in_the_units_that_are_asked_for(gough):
    _, plain, _ = gough("info", GEARED)
    assert "highest [rad]" in plain
    assert "speed [rad/s]" in plain
    assert "520" in plain
    _, out, _ = gough("info", GEARED, "--units", "rpm,deg")
    assert "highest [deg]" in out
    assert f"{math.degrees(1.6):.4g}" in out
    assert f"{520 * 30 / math.pi:.4g}" in out
    assert "rad/s]" not in out
    _, out, _ = gough("info", GEARED, "--json", "--units", "rpm")
    motor = json.loads(out)["motors"][0]
    assert motor["motor"]["curve"][-1] == [520.0, 0.9]  # data are SI
    assert (motor["stiffness"], motor["reflected_inertia"]) == (9000.0, pytest.approx(0.016))


def test_speeds_of_motors_in_rpm(gough):
    words = ("idm", "five_bar", "circle:radius=0.02,duration=0.25", "--rate", "40")
    _, plain, _ = gough(*words)
    _, out, _ = gough(*words, "--units", "rpm")
    row, same = (
        next(line.split() for line in text.splitlines() if line.startswith("foot1"))
        for text in (plain, out)
    )
    assert "speed [rpm]" in out
    assert "mean [rpm]" in out
    assert float(same[4]) == pytest.approx(float(row[4]) * 30 / math.pi, rel=1e-3)
    assert same[:4] == row[:4]
    code, _, err = gough(*words, "--units", "furlong")
    assert code == 1
    assert "--units has no 'furlong'" in err


def test_units():
    assert find_units("si") == Units()
    assert find_units("rpm").of("rad") == ("rad", 1.0)
    assert find_units("deg").of("rad/s") == ("deg/s", 180.0 / math.pi)
    assert find_units("rpm,deg").of("rad/s") == ("rpm", 30.0 / math.pi)
    assert find_units("rpm,deg").of("m/s") == ("m/s", 1.0)
    with pytest.raises(InputError, match="--units"):
        find_units("")


def test_schemas_of_all_versions(gough):
    assert json.loads(gough("schema")[1])["$id"] == "gough-robot-3"
    assert json.loads(gough("schema", "--format-version", "2")[1])["$id"] == "gough-robot-2"
    assert json.loads(gough("schema", "--format-version", "1")[1])["$id"] == "gough-robot-1"
    assert gough("schema", "--format-version", "9")[0] == 1
    assert gough("schema", "scenario", "--format-version", "1")[0] == 2
