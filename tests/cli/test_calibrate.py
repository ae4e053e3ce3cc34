"""``gough calibrate``: a robot file that predicts what was measured; printers; plans."""

import json
from pathlib import Path

import numpy as np
import pytest

import gough as library
from gough.base import turns
from gough.base.tables import read_gaps
from gough.calibration import read_klipper, write_measurements
from gough.cli.measuring import find_noise, find_prior
from gough.cli.wording import as_typed
from gough.errors import InputError
from measuring import crooked, measured, observed, reachable
from robots import robot

COMMAND = ("calibrate",)
PRINTER = Path(__file__).resolve().parents[2] / "examples" / "printer.cfg"
NOISE = (2e-5, 5e-5)
FREE = (
    "--free",
    "u*.base.position",
    "--free",
    "p*.gain",
    "--free",
    "tool.position",
    "--free",
    "device",
)


@pytest.fixture(scope="module")
def poses():
    """Poses of a crooked hexapod, by a tracker that stands elsewhere; gains are wrong too."""
    rng = np.random.default_rng(4)
    device = np.eye(4)
    device[:3, 3] = 0.4, -0.2, 0.1
    only = {"u*.parent": ("x", "y", "z")}
    r = robot("gough_stewart")
    truth = crooked(r, 5e-4, 5e-4, rng, only=only, parts=("frames", "gains", "tool"), device=device)
    return measured(observed(truth, reachable("gough_stewart", 20)), "pose", NOISE, rng)


def test_the_robot_file_predicts_what_was_measured(gough, poses, tmp_path):
    r = robot("gough_stewart")
    write_measurements("a.csv", r, poses.chosen(slice(0, 12)))
    write_measurements("b.csv", r, poses.chosen(slice(12, 20)))
    words = (
        "-o",
        "new.yaml",
        "--residuals",
        "r.csv",
        "--parameters",
        "p.csv",
        "--held-back",
        "b.csv",
    )
    code, out, err = gough("gough_stewart", "a.csv", *words, *FREE, "--json", "--next", 2)
    assert code == 0, err
    assert "a.csv" in err or "quaternion" in err  # how columns were read
    found = json.loads(out)
    assert [each["kind"] for each in found["next"]] == ["pose", "pose"]
    assert found["files"]["robot"] == "new.yaml"
    # the file, with readings of the motors multiplied by gains as a note says
    made = library.load(tmp_path / "new.yaml")
    gains = np.array(found["gain"])
    assert np.abs(gains - 1.0).max() > 1e-4
    T_d0 = np.linalg.inv(np.array(found["T_0d"]))
    T = T_d0 @ library.state_from_motors(made, gains * poses.motors[:, 0]).T_0p
    off = np.concatenate(
        [
            poses.T[:, :3, 3] - T[:, :3, 3],
            turns.logs(poses.T[:, :3, :3] @ T[:, :3, :3].swapaxes(1, 2)),
        ],
        axis=1,
    )
    # the file has all digits, and loops close to 1e-11
    assert np.allclose(off[:12].ravel(), found["residuals"]["after"], atol=1e-9)
    assert np.allclose(off[12:].ravel(), found["held_back"]["after"], atol=1e-9)
    assert np.sqrt((off[12:, :3] ** 2).mean()) < 3.0 * NOISE[0]  # poses that were not used
    table = read_gaps(tmp_path / "r.csv").columns
    assert np.array_equal(table["after"], found["residuals"]["after"])
    assert (tmp_path / "r.csv").read_text().startswith("label,kind,name,")
    assert "a.csv row 2,pose,x," in (tmp_path / "r.csv").read_text()
    assert len((tmp_path / "p.csv").read_text().splitlines()) == 1 + len(found["parameters"])


def test_a_printer_from_its_own_file(gough, tmp_path, reference_folder):
    firmware = json.loads((reference_folder / "delta_printer.json").read_text())["firmware"]
    code, out, err = gough(PRINTER, "-o", "new.cfg", "--next", 8, "--json")
    assert (code, err) == (0, "")
    made = read_klipper(tmp_path / "new.cfg").robot.parameters
    # what the firmware found itself; it stops 2e-4 mm from the optimum
    assert made["rail_radius"] == pytest.approx(1e-3 * firmware["radius"], abs=2e-7)
    assert made["bar"] == pytest.approx(1e-3 * np.array(firmware["arms"]), abs=2e-7)
    assert made["endstops"] == pytest.approx(1e-3 * np.array(firmware["endstops"]), abs=2e-7)
    found = json.loads(out)
    # the cost is in mm^2, distances weigh 1; they came with a standard deviation of 0.05 mm
    assert found["cost"] * 0.05**2 == pytest.approx(2.332037e-02, rel=1e-6)
    # proposals are where tools touch: parts lie on the bed, the probe has its own height
    levels = {"distance": (-1e-4, 1e-4), "height": (0.0159, 0.0161)}
    assert {each["kind"] for each in found["next"]} == {*levels}
    for each in found["next"]:
        low, high = levels[each["kind"]]
        assert all(low < T[2][3] < high for T in each["pose"])
        assert all(np.hypot(T[0][3], T[1][3]) < 0.15 for T in each["pose"])  # print_radius


def test_lines_tables_and_report(gough, monkeypatch):
    written = {}
    page = "gough.report.write_calibration"  # the page itself has tests of its own
    monkeypatch.setattr(page, lambda *what, **more: written.update(more, path=str(what[1])))
    r, rng = robot("five_bar"), np.random.default_rng(7)
    truth = crooked(r, 3e-4, 3e-4, rng, parts=("frames",))
    found = measured(observed(truth, reachable("five_bar", 10)), "position", 2e-5, rng)
    found.values[6, 0] += 0.01  # a typo
    write_measurements("bar.csv", r, found)
    words = ("--free", "foot*.base.position", "--free", "tool.position", "--noise", "0.02mm")
    frame = ("--device", "1mm,0,0,0,0,0.1deg", "--tool", "0,0,0")
    more = ("--outliers", "drop", "--report", "page.html", "--title", "The bar")
    code, out, err = gough("five_bar", "bar.csv", *words, *frame, *more)
    assert code == 0, err
    assert "9 positions" in out
    assert "outlier" in out
    assert "bar.csv row 8" in out  # the first row is the head
    assert "foot1.base.position.x" in out
    assert "measure next  foot1 [deg]  foot2 [deg]" in out
    more = ("--next", 0, "-o", "new.yaml", "--residuals", "r.csv")
    code, out, err = gough("five_bar", "bar.csv", *words, *frame, *more)
    assert code == 1
    assert "new.yaml is not written: 1 outlier" in err
    assert "10 positions" in out
    assert not Path("new.yaml").exists()
    assert Path("r.csv").exists()  # what helps to find the outlier
    assert (written["path"], written["title"]) == ("page.html", "The bar")
    assert written["command"].startswith("gough calibrate five_bar bar.csv --free foot")


def test_a_plan(gough, tmp_path):
    words = ("--kind", "positions", "--free", "foot*.offset", "--noise", "0.02mm", "-o", "plan.csv")
    code, out, err = gough("five_bar", "--plan", 4, *words, "--stroke", "foot1=90deg:120deg")
    assert (code, err) == (0, "")
    assert "4. position" in out
    assert "tool then known to [mm]" in out
    table = read_gaps(tmp_path / "plan.csv").columns
    assert table["foot1 [deg]"].min() > 90.0
    assert table["foot1 [deg]"].max() < 120.0
    assert np.isnan(table["x [mm]"]).all()


def test_a_plan_of_a_printer_on_which_nothing_was_measured(gough, tmp_path):
    (tmp_path / "new.cfg").write_text(PRINTER.read_text().partition("#*#")[0])
    code, out, err = gough("new.cfg", "--plan", 3, "--noise", "0.02mm")
    assert (code, err) == (0, "")
    assert "slider1 [mm]" in out
    assert "3. height" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing was measured"),
        (("a.csv", "--plan", "3"), "MEASURED does not go with --plan"),
        (("a.csv", "--kind", "poses"), "--kind needs --plan"),
        (("a.csv", "-o", "new.cfg"), "is no robot file"),
        (("a.csv", "--title", "no page"), "none is asked for"),
        (("a.csv", "--residuals", "x.csv", "--parameters", "x.csv"), "name the same file"),
        (("a.csv", "--tool", "1,2"), "--tool has 2 numbers"),
        (("a.csv", "--loss", "cubic"), "--loss is 'cubic'"),
        (("a.csv", "--outliers", "no"), "--outliers is 'no'"),
        (("a.csv", "--next", "-1"), "--next is -1"),
        (("a.csv", "--held-back", "20"), "--held-back is 20"),
        (("a.csv", "--noise", "-1mm"), "--noise '-1mm': a standard deviation must be above 0"),
        (("a.csv", "a.csv"), "a.csv is given twice"),
        (("a.csv", "-o", "."), "is a folder"),
        (("--plan", "0"), "--plan is 0"),
        (("--plan", "3", "--noise", "0.02mm"), "says nothing of angles"),
        (("--plan", "3", "--noise", "scaled"), "does not go with --plan"),
        (("--plan", "3", "--kind", "encoders"), "--kind encoders needs --axis"),
        (("--plan", "3", "--anchor", "0,0,0"), "--anchor needs --kind lengths"),
        (("--plan", "3", "--stroke", "2:1"), "--stroke '2:1': the lowest position"),
        (("--plan", "3", "--free", "foo"), "--free: no parameter of five_bar is called 'foo'"),
        (("--plan", "3", "--stroke", "1:2:3"), "expected LO:HI"),
        (("--plan", "3", "--prior", "0.5mm"), "is neither none nor manufacturing"),
        (("--plan", "3", "--prior", "=2"), "expected PATTERN=SIZE"),
    ],
)
def test_refusals(gough, words, said):
    code, out, err = gough("five_bar", *words)
    assert (code, out) == (1, "")
    assert said in err


def test_messages_name_options(gough, tmp_path):
    (tmp_path / "a.csv").write_text("q,x,y,z\n1,2,3,4\n")
    _, _, err = gough("five_bar", "a.csv")
    assert "--columns 'foot1=encoder 1,x=pos_x,height=probe'" in err
    assert "columns=" not in err
    said = 'Say units={"length": "mm"}, anchor=(0.1, 0.2, 0.0) or rotation=\'zyx fixed\'.'
    assert as_typed(said) == (
        "Say --column-units mm, --anchor 0.1,0.2,0.0 or --rotation 'zyx fixed'."
    )


def test_sizes_in_words(poses):
    assert find_prior("none") is None
    assert find_prior(None, "usual") == "usual"
    assert find_prior("2") == 2.0
    assert find_prior("0.5mm,0.5mrad") == pytest.approx((5e-4, 5e-4))
    assert find_prior("*.position=20um,*.gain=1e-4") == pytest.approx(
        {"*.position": 2e-5, "*.gain": 1e-4}
    )
    assert find_noise("scaled", []) == "scaled"
    assert find_noise("0.02mm,0.05mrad", []) == pytest.approx((2e-5, 5e-5))
    silent = library.calibration.Poses(poses.motors[:, 0], poses.T)
    with pytest.raises(InputError, match="says nothing of angles"):
        find_noise("0.02mm", [silent])
    assert find_noise("0.02mm", [poses])[0] == pytest.approx(2e-5)  # poses come with their own
