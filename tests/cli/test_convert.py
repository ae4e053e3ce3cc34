"""``gough convert``: sentences, data, files."""

import json
from pathlib import Path

import pytest

COMMAND = ("convert",)
HEAD = Path(__file__).resolve().parents[2] / "examples" / "robots" / "tilting_head.xml"


def test_it_says_what_it_found_and_writes(gough):
    code, out, err = gough(HEAD, "head.yaml", "--platform", "head")
    assert (code, err) == (0, "")
    for word in ("ball between", "assembled from", "motors of the file", "spin", "Wrote head.yaml"):
        assert word in out
    assert Path("head.yaml").read_text().startswith("gough:")
    code, out, _ = gough("head.yaml", "head.sdf")
    assert code == 0
    assert "<sdf" in Path("head.sdf").read_text()
    code, _, err = gough("head.yaml", "head.sdf")
    assert code == 1
    assert "exists already" in err


def test_findings_as_data_and_without_a_file(gough):
    words = ("--lock", "roll=0.1", "--motors", "left_servo", "--json")
    code, out, _ = gough(HEAD, "--platform", "head", *words)
    found = json.loads(out)
    assert code == 0
    assert found["file"] is None
    assert {"loop", "home", "mobility"} <= {each["code"] for each in found["findings"]}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--platform", "hat"), "no body, site, frame or link"),
        (("--platform", "head", "--lock", "yaw"), "unknown joint"),
        (("--platform", "head", "--home", "pitch=much"), "NAME=VALUE"),
        (("--platform", "head", "--loops", "gaze:hat"), "no body, site, frame or link"),
        (("--platform", "head", "--drop", "mass"), "drop"),
        (("--platform", "post"), "fixed to the base"),
    ],
)
def test_refusals_take_three_lines(gough, words, message):
    code, out, err = gough(HEAD, *words)
    assert (code, out) == (1, "")
    assert message in err
    assert len(err.strip().splitlines()) <= 3


def test_a_robot_of_the_zoo_goes_elsewhere(gough):
    code, out, _ = gough("five_bar", "five.xml")
    assert (code, out.strip()) == (0, "Wrote five.xml.")
    code, _, err = gough("five_bar", "five.urdf")
    assert code == 1
    assert "gravity" in err
    code, out, _ = gough("five_bar", "five.urdf", "--without", "gravity")
    assert (code, out.strip()) == (0, "Wrote five.urdf.")


def test_a_robot_of_our_own_says_all_itself(gough):
    code, out, err = gough("five_bar", "five.xml", "--lock", "foot1")
    assert (code, out) == (1, "")
    assert "--lock is for files of other programs: five_bar says it itself" in err
    assert not Path("five.xml").exists()


def test_the_precision_of_a_file(gough):
    code, _, err = gough(HEAD, "--platform", "head", "--precision", "0.5")
    assert code == 1
    assert "precision" in err
    code, _, _ = gough(HEAD, "--platform", "head", "--precision", "1e-6")
    assert code == 0


TABLE = """NL = 2
NJ = 2
NF = 2
ant = {0,1}
sigma = {0,0}
d = {0,L}
mu = {1,1}
theta = {th1,th2}
M = {1,M2}
ZZ = {1,1}
XX = {1,1}
YY = {1,1}
"""


def test_symbols_of_a_table_get_numbers(gough):
    Path("arm.par").write_text(TABLE)
    code, _, err = gough("arm.par", "--platform", "link2")
    assert code == 1
    assert "2 symbols without a value" in err
    assert "--numbers" in err
    code, _, _ = gough("arm.par", "a.yaml", "--platform", "link2", "--numbers", "L=0.3,M2=2")
    assert code == 0
    Path("numbers.yaml").write_text("L: 0.3\nM2: 2\n")
    code, _, _ = gough("arm.par", "b.yaml", "--platform", "link2", "--numbers", "numbers.yaml")
    assert code == 0
    assert Path("a.yaml").read_text() == Path("b.yaml").read_text()
