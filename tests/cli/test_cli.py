"""The command line as a user meets it: output, exit codes, three lines of error."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROBOTS = ROOT / "examples" / "robots"


def process(*words, **options):
    """The program in a process of its own, as a shell starts it."""
    command = [sys.executable, "-m", "gough.cli", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT, **options
    )


def test_check_prints_the_sheet():
    done = process("check", ROBOTS / "delta.yaml")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    assert "3: x y z" in lines["mobility"]
    assert "R* [U S | U S]" in lines["leg arm1"]
    assert "3, which control every freedom" in lines["motors"]
    assert "\x1b[" not in done.stdout  # no colours into a pipe


def test_check_as_data(gough):
    _, out, _ = gough("check", "--json", ROBOTS / "five_bar.yaml", ROBOTS / "pendulum.yaml")
    five_bar, pendulum = json.loads(out)
    assert five_bar["mobility"] == 2
    assert five_bar["over_constraint"] == 3
    assert [m["name"] for m in five_bar["motors"]] == ["a_1", "a_2"]
    assert pendulum["motors"][0] == {"name": "hinge", "unit": "rad", "home": pytest.approx(0.3)}


def test_remarks_are_part_of_the_sheet(gough, tmp_path):
    text = (ROBOTS / "five_bar.yaml").read_text().replace("motors: [a_1, a_2]", "motors: [a_1]")
    (tmp_path / "lame.yaml").write_text(text)
    code, out, _ = gough("check", tmp_path / "lame.yaml")
    assert code == 0
    assert "1 motor for 2 freedoms: fewer than the mobility" in out
    assert "control 1 of 2 freedoms" in out


def test_redundant_motors_are_told_and_no_fault(gough, tmp_path):
    assert gough("zoo", "four_rrr", "-o", tmp_path / "four.yaml")[0] == 0
    code, out, err = gough("check", tmp_path / "four.yaml")
    assert (code, err) == (0, "")
    assert "4, which control every freedom; 1 redundant, declared" in out
    assert "remark" not in out
    text = (ROBOTS / "five_bar.yaml").read_text().replace("[a_1, a_2]", "[a_1, a_2, e_1]")
    (tmp_path / "more.yaml").write_text(text)
    code, out, _ = gough("doctor", tmp_path / "more.yaml", tmp_path / "four.yaml")
    assert code == 0  # a warning, no error
    assert "warning too-many-motors" in out
    assert "say redundant: true" in " ".join(out.split())
    assert "four_rrr: healthy" in out


def test_a_bad_file_is_refused_in_three_lines(tmp_path):
    text = (ROBOTS / "five_bar.yaml").read_text().replace("kind: revolute", "kind: revolut", 1)
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    done = process("check", path)
    assert done.returncode == 1
    assert done.stdout == ""
    first, second, third = done.stderr.splitlines()
    assert f"{path}, line 26" in first
    assert "joints.a_1.kind" in first
    assert "Did you mean 'revolute'?" in second
    assert "--debug" in third


def test_debug_shows_the_traceback(tmp_path):
    done = process("--debug", "check", tmp_path / "missing.yaml")
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["check"], 2, "Missing argument"),
        (["chekc", "x"], 2, "No such command"),
        (["check", "--colour", "x"], 2, "No such option"),
        (["check", "missing.yaml"], 1, "missing.yaml"),
    ],
)
def test_exit_codes(gough, words, code, message):
    found, _, err = gough(*words)
    assert found == code
    assert message in err
    assert "Traceback" not in err


def test_schema_is_printed(gough):
    code, out, _ = gough("schema")
    assert code == 0
    assert json.loads(out)["$id"] == "gough-robot-3"


def test_version_and_help(gough):
    assert gough("--version")[1].startswith("gough 0.")
    help_text = gough("--help")[1]
    assert "check" in help_text
    assert "schema" in help_text


def test_one_bad_file_does_not_silence_the_others(gough, tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("gough: 1\nbodies: [\n")
    words = ["check", ROBOTS / "pendulum.yaml", bad, ROBOTS / "five_bar.yaml"]
    code, out, err = gough(*words, "--json")
    assert code == 1
    pendulum, refused, five_bar = json.loads(out)
    assert (pendulum["name"], five_bar["name"]) == ("pendulum", "five_bar")
    assert refused["file"] == str(bad)
    assert refused["line"] == 3
    assert "not valid YAML" in refused["error"]
    assert len(err.splitlines()) == 3
    code, out, err = gough(*words)
    assert code == 1
    assert out.count("mobility") == 2
    assert str(bad) in err.replace("\n", "")


def test_a_label_that_the_terminal_cannot_show(tmp_path):
    text = (ROBOTS / "pendulum.yaml").read_text().replace("crane lamp", "Gr\u00f6\u00dfe")
    (tmp_path / "pendulum.yaml").write_text(text, encoding="utf-8")
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = process("check", tmp_path / "pendulum.yaml", env=plain)
    assert done.returncode == 0, done.stderr
    assert "Gr??e" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")
def test_a_full_disk_is_not_a_bug():
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "gough.cli", "schema"]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=120
        )
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "bug" not in done.stderr
