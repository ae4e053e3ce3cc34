"""``gough export c`` as a user meets it: files, words, exit codes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import casadi
import pytest

import gough as library

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "examples" / "robots"


COMMAND = ("export", "c")


def process(folder, *words):
    """Run the command in a folder, in a process of its own, as a shell starts it."""
    source = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "gough.cli", *COMMAND, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": source},
    )


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_robot_of_the_zoo(tmp_path):
    done = process(tmp_path, "five_bar")
    assert (done.returncode, done.stderr) == (0, "")
    stem = "gough_five_bar_inverse_dynamics"
    assert names(tmp_path) == [f"{stem}.c", f"{stem}.h"]
    assert f"Wrote {stem}.c and {stem}.h" in done.stdout
    told = re.search(r"Try it: (.*)$", done.stdout, re.MULTILINE)[1]
    if shutil.which("cc"):  # the advice works as it is
        subprocess.run(told.split(), cwd=tmp_path, check=True, timeout=60)
        assert subprocess.run([tmp_path / "a.out"], check=False, timeout=60).returncode == 0


def test_loads_that_are_written_into_the_equations(gough, tmp_path):
    """Friction, rotors and smoothing, as the library writes them."""
    code, _out, err = gough("five_bar", "--no-rotors", "--smoothing", "0.01")
    assert (code, err) == (0, "")
    (tmp_path / "own").mkdir()
    robot, loads = library.zoo.load("five_bar"), library.Loads(rotors=False, smoothing=0.01)
    for own in library.export_c(robot, folder=tmp_path / "own", loads=loads):
        assert (tmp_path / own.name).read_text() == own.read_text()


def test_a_file_with_all_options(gough, tmp_path):
    (tmp_path / "out").mkdir()
    words = ["--float", "--payload", "--load", "dist1", "--load", "prox2"]
    words += ["--method", "tree", "-o", "out"]
    code, _out, err = gough(ROBOTS / "five_bar.yaml", "forward_dynamics", *words)
    assert (code, err) == (0, "")
    stem = "gough_five_bar_forward_dynamics_tree_load_dist1_load_prox2_payload_f"
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == [f"{stem}.c", f"{stem}.h"]
    header = (tmp_path / "out" / f"{stem}.h").read_text()
    taken = re.search(rf"int {stem}\((.*)\);", header)[1].split(", ")
    loads = [f"const float {name}_{i}[3]" for i in (0, 1) for name in ("point", "f", "n")]
    assert taken[2:] == [
        "const float tau[2]",
        *loads,
        "const float mass[1]",
        "const float center[3]",
        "const float inertia[9]",
        "float Vdot_0p_out[6]",
    ]
    assert "load on prox2: force" in header


def test_a_file_hides_a_robot_of_the_same_name(gough, tmp_path):
    """A file that is there is what is meant."""
    (tmp_path / "delta").write_text((ROBOTS / "five_bar.yaml").read_text())
    code, _out, err = gough("delta", "inverse_kinematics")
    assert code == 0, err
    assert "gough_five_bar_inverse_kinematics.c" in names(tmp_path)


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        (["five_bar", "inverse_dynamic"], "unknown quantity", "Did you mean 'inverse_dynamics'?"),
        (["five_bar", "--method", "leg"], "unknown method", "legs"),
        (["five_bar", "--load", "arm9"], "no body 'arm9'", "Known:"),
        (["five_bar", "-o", "/dev/null"], "null is not a folder", "May you write there"),
        (["five_baa"], "five_baa", ""),
    ],
)
def test_refusals_in_three_lines(gough, tmp_path, words, first, second):
    code, out, err = gough(*words)
    assert code == 1
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 3, err
    assert first in lines[0]
    assert second in lines[1]
    assert "--debug" in lines[2]
    assert not names(tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Missing argument"),
        (["five_bar", "--load"], "requires an argument"),
        (["five_bar", "energy", "more"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(gough, tmp_path, words, message):
    code, _out, err = gough(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert not names(tmp_path)


def test_help_tells_the_options(gough):
    code, out, _err = gough("--help")
    assert code == 0
    for word in ("--float", "--payload", "--load", "--method", "FOLDER"):
        assert word in out


def test_legs_that_share_routines(gough, tmp_path):
    code, _out, err = gough("three_rrr", "--legs", "shared")
    assert (code, err) == (0, "")
    stem = "gough_three_rrr_inverse_dynamics_shared"
    assert names(tmp_path) == [f"{stem}.c", f"{stem}.h"]
    assert "one routine for the legs prox1, prox2, prox3" in (tmp_path / f"{stem}.h").read_text()


def test_legs_that_are_not_alike(gough, tmp_path):
    code, _out, err = gough("five_bar", "--legs", "shared")
    assert code == 1
    assert "no two of its legs are alike" in err
    assert names(tmp_path) == []


@pytest.fixture
def other(request, monkeypatch):
    """Commands beside ``export c``: their words come whole."""
    monkeypatch.setattr(request.module, "COMMAND", ())
    return request.getfixturevalue("gough")


def test_a_folder_of_c(other, tmp_path):
    words = ("export", "bundle", "five_bar", "motor_rates", "energy", "-o", "new/firmware")
    code, out, err = other(*words)
    assert (code, err) == (0, "")
    assert "Try it: make -C new/firmware run" in out
    assert "main.c" in names(tmp_path / "new" / "firmware")
    code, _out, err = other(*words)
    assert code == 1
    assert "already" in err
    assert other(*words, "--force")[0] == 0


def test_a_function_for_casadi(other, tmp_path):
    code, out, err = other("export", "casadi", "five_bar", "motor_rates")
    assert (code, err) == (0, "")
    assert names(tmp_path) == ["five_bar_motor_rates.casadi"]
    assert "(T_0p[4x4],V_0p[6])->(qd[2],doubt[2])" in out
    found = casadi.Function.load(str(tmp_path / "five_bar_motor_rates.casadi"))
    r = library.zoo.load("five_bar")
    state = library.state(r, [0.05, 0.45], [0.3, -0.2])
    expected = library.motor_rates(r, state)
    assert abs(found(state.T_0p, state.V_0p)[0].full()[:, 0] - expected).max() < 1e-12  # rounding
    code, _out, err = other("export", "casadi", "five_bar", "motor_rates")
    assert code == 1
    assert "--force" in err


def test_equations(other, tmp_path):
    code, out, err = other("equations", "five_bar", "motor_rates")
    assert (code, err) == (0, "")
    assert "qd_1 = " in out
    words = ("equations", "five_bar", "motor_rates", "--format", "latex", "-o", "five_bar.tex")
    code, out, err = other(*words)
    assert (code, err) == (0, "")
    assert "lines" in out
    assert r"\begin{align*}" in (tmp_path / "five_bar.tex").read_text()
    assert other(*words)[0] == 1
    assert other("equations", "five_bar", "--parameter", "mass")[0] == 1
