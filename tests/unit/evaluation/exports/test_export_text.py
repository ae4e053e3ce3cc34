"""C for a controller: what its text contains, and where it goes."""

import dataclasses
import hashlib
import locale
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import gough
from gough.errors import DescriptionError, FileError, GoughError, InputError, WrongMotors
from gough.robot.file.writing import dumps
from robots import robot

COMPILERS = [name for name in ("gcc", "clang") if shutil.which(name)]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
needs_compiler = pytest.mark.skipif(not COMPILERS, reason="there is no C compiler")


def compiled(code, target, *flags):
    """Compile a file with every warning an error."""
    command = [COMPILERS[0], *STRICT, *flags, str(code), "-o", str(target), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return target


def text_of(tmp_path, r, quantity="inverse_dynamics", **variant):
    """Code and header."""
    return [path.read_text() for path in gough.export_c(r, quantity, tmp_path, **variant)]


class TestText:
    def test_nothing_but_mathematics(self, tmp_path):
        code, header = text_of(tmp_path, robot("five_bar"), loads=gough.Loads(payload=1.0))
        bare = re.sub(r"/\*.*?\*/", "", code + header, flags=re.DOTALL)
        assert re.findall(r"#include .*", bare) == [
            '#include "gough_five_bar_inverse_dynamics_payload.h"',
            "#include <math.h>",
        ]
        for word in ("malloc", "calloc", "free", "static", "extern double", "errno", "goto"):
            assert not re.search(rf"\b{word}\b", bare), word
        # outside of functions there are only functions
        depth, outside = 0, ""
        for line in bare.splitlines():
            if depth == 0 and not line.startswith("#"):
                outside += line
            depth += line.count("{") - line.count("}") if 'extern "C"' not in line else 0
            depth = max(depth, 0)
        assert not re.search(r"\b(double|float)\s+\w+\s*(\[|=|;)", re.sub(r"\(.*?\)", "", outside))

    def test_every_argument_has_a_unit(self, tmp_path):
        loads = gough.Loads([gough.Force("dist1"), gough.Force("prox2")], payload=1.0)
        for quantity in ("inverse_dynamics", "forward_dynamics", "bias_wrench", "energy"):
            _, header = text_of(tmp_path, robot("five_bar"), quantity, loads=loads)
            self._check_arguments(header)
            assert "load on prox2: force, base axes [N]" in header
        for quantity in ("inverse_kinematics", "motor_rates", "forward_kinematics_step"):
            self._check_arguments(text_of(tmp_path, robot("five_bar"), quantity)[1])
        self._check_arguments(text_of(tmp_path, robot("five_bar"), "inertia_matrix")[1])

    def _check_arguments(self, header):
        told = dict(re.findall(r"^ \*   (?:in |out)  (\w+\[\d+\]): (.*)$", header, re.MULTILINE))
        prototype = re.search(r"^int \w+\((.*)\);$", header, re.MULTILINE)[1]
        taken = [words.split()[-1] for words in prototype.split(",")]
        assert list(told) == taken
        assert all(re.search(r"\[.+\]$", text) for text in told.values()), told

    def test_printed_twice_it_is_the_same(self, tmp_path):
        r = robot("five_bar")
        first = text_of(tmp_path, r)
        again = dataclasses.replace(r, motors=tuple(reversed(r.motors)))
        again = dataclasses.replace(again, motors=r.motors)
        assert again is not r
        assert text_of(tmp_path, again) == first
        assert sorted(p.name for p in tmp_path.iterdir()) == [
            "gough_five_bar_inverse_dynamics.c",
            "gough_five_bar_inverse_dynamics.h",
        ]

    def test_the_checksum_is_of_the_robot(self, tmp_path):
        r = robot("five_bar")
        _, header = text_of(tmp_path, r)
        assert hashlib.sha256(dumps(r).encode()).hexdigest() in header
        body = r.bodies[0]
        heavier = dataclasses.replace(body, mass=body.mass * (1.0 + 1e-15))
        assert heavier != body
        other = dataclasses.replace(r, bodies=(heavier, *r.bodies[1:]))
        checksums = [
            re.search(r"[0-9a-f]{64}", h)[0] for h in (header, text_of(tmp_path, other)[1])
        ]
        assert checksums[0] != checksums[1]

    def test_no_text_of_users(self, tmp_path):
        evil = '*/ int stolen; /* \n#error "\\\n??/ \u202e'
        r = robot("five_bar")
        bodies = tuple(dataclasses.replace(b, label=evil) for b in r.bodies)
        joints = tuple(dataclasses.replace(j, label=evil) for j in r.joints)
        hostile = dataclasses.replace(r, label=evil, source=evil, bodies=bodies, joints=joints)
        for text, plain in zip(text_of(tmp_path, hostile), text_of(tmp_path, r), strict=True):
            assert "stolen" not in text
            assert text.isascii()
            assert re.sub("[0-9a-f]{64}", "", text) == re.sub("[0-9a-f]{64}", "", plain)

    @needs_compiler
    @pytest.mark.parametrize("name", ["n" * 64, "main", "sin", "NAN", "T_0p"])
    def test_names_that_mean_something_in_c(self, tmp_path, name):
        r = dataclasses.replace(robot("five_bar"), name=name)
        code, header = gough.export_c(r, "inverse_kinematics", tmp_path)
        assert code.stem == header.stem == f"gough_{name}_inverse_kinematics"
        program = compiled(code, tmp_path / "program", "-DGOUGH_SELF_TEST")
        assert subprocess.run([program], check=False, timeout=60).returncode == 0

    @pytest.mark.parametrize("name", ["int", "a b", "../x", "*/", "n" * 65])
    def test_names_that_no_robot_has(self, name):
        with pytest.raises(DescriptionError):
            dataclasses.replace(robot("five_bar"), name=name)

    def test_a_decimal_comma_changes_nothing(self, tmp_path):
        plain, before = text_of(tmp_path, robot("five_bar")), locale.setlocale(locale.LC_ALL)
        for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "pt_BR.UTF-8"):
            try:
                locale.setlocale(locale.LC_ALL, name)
                break
            except locale.Error:
                continue
        else:
            # no such locale here: at least no decimal number is in the code that one could spoil
            bare = re.sub(r"/\*.*?\*/", "", plain[0], flags=re.DOTALL)
            assert not re.search(r"(?<![0-9a-fx])\d+\.\d+(?!p)", bare)
            return
        try:
            assert text_of(tmp_path, robot("five_bar")) == plain
        finally:
            locale.setlocale(locale.LC_ALL, before)

    @needs_compiler
    def test_both_files_serve_cpp_and_many_units(self, tmp_path):
        """Included twice, from two units, double beside float."""
        r = robot("five_bar")
        names = []
        for single in (False, True):
            code, header = gough.export_c(r, "inverse_kinematics", tmp_path, single=single)
            names.append((code, header))
        lines = [f'#include "{h.name}"\n' for _, h in names] * 2
        calls = " + ".join(f"{h.stem}_self_test()" for _, h in names)
        (tmp_path / "unit.c").write_text("".join(lines) + f"int main(void) {{ return {calls}; }}\n")
        program = compiled(tmp_path / "unit.c", tmp_path / "program", *(str(c) for c, _ in names))
        assert subprocess.run([program], check=False, timeout=60).returncode == 0


class TestFiles:
    def test_a_folder_that_is_not_there(self, tmp_path):
        code, _ = gough.export_c(robot("five_bar"), "inverse_kinematics", tmp_path / "a" / "b")
        assert code.parent == tmp_path / "a" / "b"
        with pytest.raises(FileError, match="exists already"):
            gough.export_c(robot("five_bar"), "inverse_kinematics", code.parent, force=False)
        (tmp_path / "file").write_text("")
        with pytest.raises(FileError, match="is not a folder"):
            gough.export_c(robot("five_bar"), "inverse_kinematics", tmp_path / "file")

    def test_a_place_that_cannot_be_written(self, tmp_path):
        (tmp_path / "gough_five_bar_inverse_kinematics.c").mkdir()
        with pytest.raises(FileError, match="is a folder"):
            gough.export_c(robot("five_bar"), "inverse_kinematics", tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == ["gough_five_bar_inverse_kinematics.c"]

    def test_both_files_or_none(self, tmp_path):
        (tmp_path / "gough_five_bar_inverse_kinematics.h").mkdir()
        with pytest.raises(FileError, match="is a folder"):
            gough.export_c(robot("five_bar"), "inverse_kinematics", tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == ["gough_five_bar_inverse_kinematics.h"]

    def test_older_files_are_replaced(self, tmp_path):
        for ending in ("c", "h"):
            (tmp_path / f"gough_five_bar_inverse_kinematics.{ending}").write_text("old")
        code, header = gough.export_c(robot("five_bar"), "inverse_kinematics", str(tmp_path))
        assert isinstance(code, Path)
        assert "old" not in (code.read_text(), header.read_text())
        assert len(list(tmp_path.iterdir())) == 2

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"quantity": "inverse_dynamic"}, "unknown quantity 'inverse_dynamic'"),
            ({"quantity": 3}, "unknown quantity 3"),
            ({"quantity": "inverse_dynamics", "method": "leg"}, "unknown method"),
            (
                {"quantity": "inverse_dynamics", "loads": gough.Loads([gough.Force("arm9")])},
                "no body 'arm9'",
            ),
            (
                {"quantity": "inverse_kinematics", "loads": gough.Loads(payload=0.0)},
                "knows no loads",
            ),
            ({"quantity": "inverse_dynamics", "loads": -1.0}, "loads is -1.0"),
        ],
    )
    def test_refusals_write_nothing(self, tmp_path, arguments, words):
        with pytest.raises(InputError, match=words):
            gough.export_c(robot("five_bar"), folder=tmp_path, **arguments)
        assert not list(tmp_path.iterdir())

    def test_too_few_motors(self, tmp_path):
        with pytest.raises(WrongMotors):
            gough.export_c(robot("contact_tripod"), "inverse_dynamics", tmp_path)

    @needs_compiler
    @pytest.mark.parametrize(
        "quantity", ["inertia_matrix", "inverse_kinematics", "forward_dynamics"]
    )
    def test_a_robot_without_motors(self, tmp_path, quantity):
        """An array of C has something in it: what comes compiles, or nothing comes."""
        r = dataclasses.replace(robot("five_bar"), motors=())
        try:
            code, _ = gough.export_c(r, quantity, tmp_path)
        except GoughError:
            assert quantity != "inertia_matrix"
            assert not list(tmp_path.iterdir())
            return
        program = compiled(code, tmp_path / "program", "-DGOUGH_SELF_TEST")
        assert subprocess.run([program], check=False, timeout=60).returncode == 0
