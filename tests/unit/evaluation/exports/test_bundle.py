"""A folder of C that works as it is: built with every warning an error, and run."""

import re
import shutil
import subprocess

import pytest

import gough
from gough.errors import FileError, InputError
from robots import robot

STRICT = "-std=c99 -O0 -Wall -Wextra -Werror -pedantic"
needs_make = pytest.mark.skipif(
    not (shutil.which("gcc") and shutil.which("make")), reason="there is no gcc, or no make"
)


def built(folder):
    """What the sample prints, and what it returns."""
    done = subprocess.run(
        ["make", "-s", "-C", folder, "CC=gcc", f"CFLAGS={STRICT}", "sample"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    ran = subprocess.run([folder / "sample"], capture_output=True, text=True, check=False)
    return ran.stdout, ran.returncode


@needs_make
def test_several_quantities_in_one_program(tmp_path):
    """No name of one file collides with those of another, and the numbers are gough's."""
    quantities = ("inverse_kinematics", "inverse_dynamics", "accelerations_from_freedoms")
    loads = gough.Loads([gough.Force("dist2")], payload=0.0)  # inverse geometry has none
    found = gough.export_bundle(robot("five_bar"), quantities, tmp_path / "c", loads=loads)
    assert found.names == (
        "gough_five_bar_inverse_kinematics",
        "gough_five_bar_inverse_dynamics_load_dist2_payload",
        "gough_five_bar_accelerations_from_freedoms_load_dist2_payload",
    )
    assert sorted(path.name for path in found.folder.iterdir()) == list(found.files)
    printed, code = built(found.folder)
    assert code == 0
    assert printed.endswith("functions called: 3, different from gough: 0\n")
    assert [*re.findall(r"^(\w+): status 0$", printed, re.MULTILINE)] == list(quantities)
    assert len(re.findall(r"^  tau\[\d\] = ", printed, re.MULTILINE)) == 2


@needs_make
def test_shared_legs_in_single_precision_and_a_sample_that_fails(tmp_path):
    found = gough.export_bundle(
        robot("three_rrr"), "inverse_dynamics", tmp_path, single=True, legs="shared"
    )
    printed, code = built(found.folder)
    assert code == 0, printed
    main = tmp_path / "main.c"
    text = main.read_text()
    known = re.search(r"tau_known\[3\] = \{\s*(\S+),", text)[1]
    main.write_text(text.replace(known, "1234.5f", 1))
    printed, code = built(found.folder)
    assert code == 1
    assert "WRONG" in printed
    assert "gough found 1234.5" in printed


def test_readme_says_order_frames_and_units(tmp_path):
    found = gough.export_bundle(robot("delta"), ("motor_rates", "energy"), tmp_path)
    text = (tmp_path / "README.txt").read_text()
    header = (tmp_path / f"{found.names[1]}.h").read_text()
    taken = re.findall(r"(\w+)\[\d+\](?=[,)])", re.search(r"^int .*;$", header, re.MULTILINE)[0])
    block = text.split(f"int {found.names[1]}(...)")[1].split("\n\n")[0]
    assert (
        re.findall(r"(\w+)\[\d+\]", block)
        == taken
        == ["T_0p", "V_0p", "kinetic_out", "potential_out"]
    )
    assert "[v; omega], base axes [m/s, rad/s]" in block
    assert ", ".join(robot("delta").motors) in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_files_that_are_there(tmp_path):
    made = gough.export_bundle(robot("five_bar"), "inverse_kinematics", tmp_path)
    (tmp_path / "main.c").write_text("mine")
    with pytest.raises(FileError, match="already"):
        gough.export_bundle(robot("five_bar"), "inverse_kinematics", tmp_path)
    assert (tmp_path / "main.c").read_text() == "mine"
    assert (
        gough.export_bundle(robot("five_bar"), "inverse_kinematics", tmp_path, force=True) == made
    )
    assert (tmp_path / "main.c").read_text() != "mine"


@pytest.mark.parametrize("quantities", [(), ("energy", "energy"), ("energies",)])
def test_refusals(quantities, tmp_path):
    with pytest.raises(InputError):
        gough.export_bundle(robot("five_bar"), quantities, tmp_path / "new")
    assert not (tmp_path / "new").exists()
