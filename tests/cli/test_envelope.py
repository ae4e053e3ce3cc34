"""``gough envelope``: tables in degrees or radians, data, files."""

import json

import numpy as np

COMMAND = ("envelope",)


def test_tables_data_and_files(gough, tmp_path):
    code, out, err = gough("five_bar", "--starts", "1", "-o", "reach.csv")
    assert (code, err) == (0, "")
    assert "together +" in out
    assert "leg prox2 is stretched" in out
    lines = (tmp_path / "reach.csv").read_text().splitlines()
    assert lines[0].startswith("freedom,alone_minus,alone_plus")
    assert len(lines) == 3
    code, out, _ = gough("five_bar", "--starts", "1", "--json")
    data = json.loads(out)
    assert code == 0
    # the leg at -0.16 m is stretched to 0.72 m, at home's height
    right = np.sqrt(0.72**2 - data["home"][1] ** 2) - 0.16 - data["home"][0]
    assert abs(data["alone"]["x"]["plus"] - right) < 2e-6
    code, out, err = gough("five_bar", "-o", "reach.csv")
    assert code == 1
    assert "exists already" in err
