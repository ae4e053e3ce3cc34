"""``gough stiffness`` and ``gough vibrations``: words, data, tables, and what they refuse."""

import json
from pathlib import Path

import numpy as np
import pytest

import gough as library
from gough.base.tables import read_table

DELTA = Path(__file__).parents[2] / "examples" / "robots" / "elastic_delta.yaml"


def test_stiffness_in_words(gough):
    code, out, _ = gough("stiffness", DELTA, "--payload", "1")
    assert code == 0
    assert "9 beams, 3 bearings, 3 gears" in out
    for word in ("compliance [um/N]", "stiffness [N/um]", "sag [um]", "gear of motor1", "offset"):
        assert word in out


def test_stiffness_as_data_and_table(gough, tmp_path):
    table = tmp_path / "stiffness.csv"
    pose = ("--pose", "0.1,0,0.05")
    code, out, _ = gough("stiffness", DELTA, *pose, "--payload", "0.5", "--json", "-o", table)
    found = json.loads(out)
    assert code == 0
    robot = library.load(DELTA)
    T = library.state(robot, [0.1, 0.0, 0.05]).T_0p
    e = library.elasticity(robot, T, loads=library.Loads(payload=0.5))
    assert np.array(found["compliance"]) == pytest.approx(e.compliance)
    assert found["sag"] == pytest.approx(e.deflection().platform)
    assert list(found["offsets"].values()) == pytest.approx(e.compensation().offsets)
    assert sum(found["shares"].values()) == pytest.approx(1.0)
    columns = read_table(table)
    assert list(columns["compliance"]) == pytest.approx(np.diag(e.compliance))


def test_vibrations_in_words_and_tables(gough, tmp_path):
    table, response = tmp_path / "vibrations.csv", tmp_path / "response.csv"
    code, out, _ = gough(
        *("vibrations", DELTA, "--count", "3", "-o", table),
        *("--response", response, "--frequencies", "10:60:11"),
    )
    assert code == 0
    assert "Hz: the platform moves along y" in out
    assert "of the energy is in the gear of" in out
    assert "damping ratio" in out
    assert len(read_table(table)["frequency"]) == 3
    rows = read_table(response)
    assert list(rows["frequency"]) == pytest.approx(np.linspace(10.0, 60.0, 11))
    assert "x_by_fx" in rows


def test_a_motion_and_a_shaper(gough, tmp_path):
    picture = tmp_path / "ringing.png"
    words = ("--motion", "point_to_point:start=[0,0,0],end=[0.08,0,0],duration=0.1")
    more = ("--shaper", "zv", "--amplitude", "20um", "--draw", picture)
    code, out, err = gough("vibrations", DELTA, "--count", "1", *words, *more, "--json")
    assert (code, err) == (0, "")
    plain, shaped = json.loads(out)["motions"]
    assert shaped["residual"]["m"] < 0.5 * plain["residual"]["m"]
    assert shaped["settles_after"] < plain["settles_after"]
    assert picture.stat().st_size > 1000


def test_gains_of_controllers(gough):
    locked, held = (
        json.loads(gough("vibrations", DELTA, "--count", "1", "--json", "--drives", how)[1])
        for how in ("locked", "kp=2e4,kd=50")
    )
    assert held["frequencies"][0] < locked["frequencies"][0]
    assert held["damping"][0] > locked["damping"][0]


def test_a_rigid_robot_says_what_is_missing(gough):
    code, out, err = gough("stiffness", "delta")
    assert (code, out) == (1, "")
    assert "no elastic part" in err
    assert "transmission.stiffness of 'arm1', 'arm2' and 'arm3'" in err
    assert "--estimate" in err
    code, out, _ = gough("vibrations", "delta", "--estimate", "--count", "1")
    assert code == 0
    assert "guessed" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("stiffness", "--drives", "loose"), "expected locked, free, or gains"),
        (("stiffness", "--drives", "free"), "--drives locked"),
        (("vibrations", "--shaper", "zv"), "--shaper needs --motion"),
        (("vibrations", "--frequencies", "1:2"), "--frequencies needs --response"),
        (("vibrations", "--response", "a.csv", "--frequencies", "9:2"), "expected LO:HI"),
        (("vibrations", "--damping", "-1"), "--damping"),
        (("vibrations", "--motion", "hold", "--amplitude", "0"), "expected more than 0"),
        (("vibrations", "--motion", "hold", "--shaper", "zx"), "--shaper is 'zx'"),
    ],
)
def test_refused(gough, words, said):
    command, *rest = words
    code, out, err = gough(command, DELTA, *rest)
    assert (code, out) == (1, "")
    assert said in err
    assert len(err.splitlines()) == 3
