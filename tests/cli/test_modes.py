"""``gough modes``: a table, data, a picture, and what it refuses."""

import json

import numpy as np
import pytest

import gough as library
from robots import robot

COMMAND = ("modes",)


def test_a_table(gough):
    code, out, err = gough("five_bar")
    assert (code, err) == (0, "")
    first, motors, _, head, *rows = out.splitlines()
    assert first.startswith("five_bar: 2 assembly modes, by ")
    assert motors == "Motors: foot1 = 2.31428, foot2 = 0.827317"
    assert head.split()[:3] == ["mode", "x", "[m]"]
    # the elbows are level: one tip as far above them as the other is below, turned the other way
    table = np.array([[float(cell) for cell in row.split()[2:]] for row in rows])
    elbows = 0.3 * np.sin(2.3142751870605043)
    np.testing.assert_allclose(table[:, 1].mean(), elbows, rtol=1e-3)
    np.testing.assert_allclose(table[0, 5], -table[1, 5])
    np.testing.assert_allclose(table[:, [0, 2, 3, 4]], 0.0)
    code, out, _ = gough("five_bar", "--motors", "3.14,0")
    assert (code, "no assembly mode" in out) == (0, True)
    assert "No pose has these motor positions: the machine cannot be assembled" in out


def test_data(gough):
    code, out, _ = gough("delta", "--pose", "0.02,-0.03,-0.4", "--json", "--details")
    found = json.loads(out)
    assert (code, found["is_search"], found["lost"], found["files"]) == (0, False, 0, {})
    assert len(found["modes"]) == 2
    one = found["modes"][0]
    np.testing.assert_allclose(np.array(one["T_0p"])[:3, 3], [0.02, -0.03, -0.4], atol=1e-12)
    q = library.inverse_kinematics(robot("delta"), one["T_0p"])
    np.testing.assert_allclose(list(found["motors"].values()), q, atol=1e-12)
    for mode in found["modes"]:
        np.testing.assert_allclose(
            [mode["joints"][name] for name in robot("delta").motors], q, atol=1e-11
        )
    code, out, _ = gough("delta", "--motors", "-0.1,0.3,0.2", "--json")
    found = json.loads(out)
    assert list(found["motors"].values()) == [-0.1, 0.3, 0.2]
    assert "joints" not in found["modes"][0]


def test_a_search_and_all_joints(gough):
    code, out, _ = gough("dymo", "--starts", "96", "--details")
    assert code == 0
    assert "A search: " in out
    assert "of 96 starts ended in one of them; others may exist." in out
    assert "found" in out
    listed = {line.split()[0] for line in out.splitlines() if line}
    assert set(robot("dymo").assembly.home_values) <= listed


def test_a_picture(gough, tmp_path):
    code, out, _ = gough("five_bar", "-o", "modes")
    assert (code, out.splitlines()[-1]) == (0, "picture  modes.png")
    assert (tmp_path / "modes.png").read_bytes().startswith(b"\x89PNG")
    code, _, err = gough("five_bar", "-o", "modes.png")
    assert (code, "exists already" in err) == (1, True)
    assert gough("five_bar", "-o", "modes.svg")[0] == 0
    assert (tmp_path / "modes.svg").read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--motors", "1,two"), "is not a number"),
        (("--motors", "1,2,3"), "expected 2: foot1, foot2"),
        (("--motors", "1,nan"), "not a finite number"),
        (("--pose", "0,0.3,1"), "expected 2: x, y"),
        (("--pose", "0,9"), "cannot be reached"),
        (("--pose", "0,0.4", "--motors", "1,2"), "exclude each other"),
        (("--operation", "other"), "'home' or 'any'"),
        (("--starts", "0"), "starts is 0"),
        (("--motors", "3.14,0", "-o", "none.png"), "nothing to draw"),
        (("-o", "modes.xyz"), "modes.xyz"),
        (("-o", "."), "is a folder"),
    ],
)
def test_refused(gough, tmp_path, words, said):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 3
    assert said in err
    assert not list(tmp_path.iterdir())
