"""``gough excitation-motion``."""

import json

COMMAND = (
    "excitation-motion",
    "three_rrr",
    "--duration",
    "2",
    "--only",
    "friction",
    "--trials",
    "0",
)


def test_a_motion_that_excites_is_written(gough, tmp_path):
    code, out, _ = gough("--motion", "swing.csv", "--rate", "50")
    assert code == 0
    assert "6 of 6 base parameters" in out
    head, *rows = (tmp_path / "swing.csv").read_text().splitlines()
    assert head.startswith("t,x,y")
    assert len(rows) == 101
    code, _, err = gough("--motion", "swing.csv")
    assert code == 1
    assert "--force" in err


def test_the_same_as_data(gough):
    code, out, _ = gough("--json", "--harmonics", "2")
    data = json.loads(out)
    assert code == 0
    assert data["base"]["number"] == 6
    assert data["condition"] >= 1.0
