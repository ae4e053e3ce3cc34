"""Variants in C: each has a name of its own, and all of them fit into one program."""

import ctypes
import dataclasses
import itertools
import shutil
import subprocess

import numpy as np
import pytest

import gough
from gough.errors import FileError
from robots import random_freedoms, relative, robot

NAME = "five_bar"
COMPILER = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")


def loaded(*bodies, **rest):
    """Loads with a force on each of these bodies."""
    return {"loads": gough.Loads([gough.Force(body) for body in bodies], **rest)}


VARIANTS = {
    "": {},
    "frictionless": loaded(friction=False),
    "smoothing_0p01": loaded(smoothing=0.01),
    "smoothing_0p02": loaded(smoothing=0.02),
    "smoothing_1em05": loaded(smoothing=1e-5),
    "smoothing_2": loaded(smoothing=2.0),
    "rotorless": loaded(rotors=False),
    "load_dist1": loaded("dist1"),
    "load_dist2": loaded("dist2"),
    "load_dist1_load_dist2": loaded("dist1", "dist2"),
    "load_dist2_load_dist1": loaded("dist2", "dist1"),
    "payload": loaded(payload=0.0),
    "load_dist1_payload": loaded("dist1", payload=0.0),
    "tree": {"method": "tree"},
    "smoothing_0p01_rotorless": loaded(smoothing=0.01, rotors=False),
    "f": {"single": True},
    "payload_f": loaded(payload=0.0) | {"single": True},
}


def test_every_variant_has_a_name_of_its_own(tmp_path):
    stem = f"gough_{NAME}_inverse_dynamics"
    for suffix, variant in VARIANTS.items():
        code, header = gough.export_c(robot(NAME), "inverse_dynamics", tmp_path, **variant)
        assert code.stem == header.stem == (f"{stem}_{suffix}" if suffix else stem)
        text = header.read_text()
        assert f"#ifndef {code.stem}_H\n" in text
        assert f"int {code.stem}(" in text
    assert len(list(tmp_path.iterdir())) == 2 * len(VARIANTS)


@needs_compiler
def test_variants_are_linked_into_one_program_and_each_is_its_own(tmp_path):
    r = robot(NAME)
    wanted = ["", "smoothing_0p01", "frictionless", "rotorless"]
    files = [gough.export_c(r, "inverse_dynamics", tmp_path, **VARIANTS[name]) for name in wanted]
    everything = tmp_path / "all.c"
    everything.write_text("".join(f'#include "{header.name}"\n' for _, header in files))
    library = tmp_path / "library.so"
    codes = [str(code) for code, _ in files]
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(
        [COMPILER, *flags, str(everything), *codes, "-o", str(library), "-lm"], check=True
    )
    loaded = ctypes.CDLL(str(library))
    x, xd, xdd = random_freedoms(NAME, 1, 0.1)
    # slow enough for smoothing to count
    states = [np.ascontiguousarray(a[0]) for a in gough.state(r, x, 1e-2 * xd, xdd).arrays]
    found = {}
    for name, (code, _) in zip(wanted, files, strict=True):
        tau = np.zeros(2)
        arguments = [a.ctypes.data_as(ctypes.c_void_p) for a in (*states, tau)]
        assert getattr(loaded, code.stem)(*arguments) == 0
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, gough.State(*states), **VARIANTS[name])
        assert relative(tau, expected) < 1e-9
        found[name] = tau
    for one, other in itertools.combinations(found.values(), 2):
        assert np.abs(one - other).max() > 1e-9 * np.abs(one).max()


def test_the_same_variant_is_replaced_when_the_robot_changes(tmp_path):
    r = robot(NAME)
    first = gough.export_c(r, "inverse_dynamics", tmp_path)[0].read_text()
    heavier = gough.control.perturb(r, masses=1.5)
    second = gough.export_c(heavier, "inverse_dynamics", tmp_path)[0].read_text()
    assert first != second
    assert len(list(tmp_path.iterdir())) == 2


def renamed(r: gough.Robot, body: str, name: str) -> gough.Robot:
    """The robot with another name for a body."""
    bodies = tuple(dataclasses.replace(b, name=name) if b.name == body else b for b in r.bodies)
    joints = tuple(
        dataclasses.replace(
            j,
            parent=name if j.parent == body else j.parent,
            child=name if j.child == body else j.child,
        )
        for j in r.joints
    )
    home = dataclasses.replace(
        r.home, bodies={(name if b == body else b): f for b, f in r.home.bodies.items()}
    )
    platform = name if r.platform == body else r.platform
    return dataclasses.replace(r, bodies=bodies, joints=joints, home=home, platform=platform)


def test_another_function_that_has_the_same_name_is_not_replaced(tmp_path):
    """Bodies may be called so that names of variants meet."""
    r = robot(NAME)
    tricky = renamed(r, "dist1", "dist2_payload")
    both = loaded("dist2", payload=0.0)
    code, header = gough.export_c(r, "inverse_dynamics", tmp_path, **both)
    before = code.read_text(), header.read_text()
    with pytest.raises(FileError, match="holds another function of that name") as caught:
        gough.export_c(tricky, "inverse_dynamics", tmp_path, **loaded("dist2_payload"))
    assert caught.value.file == str(header)
    assert "another folder" in caught.value.hint
    assert (code.read_text(), header.read_text()) == before


def test_long_names_are_cut_and_still_differ(tmp_path):
    r = robot(NAME)
    stems = set()
    for bodies in (["dist1"] * 12, ["dist1"] * 13, ["dist1"] * 11 + ["dist2"]):
        code, _ = gough.export_c(r, "inverse_dynamics", tmp_path, **loaded(*bodies))
        assert len(code.name) < 150
        stems.add(code.stem)
    assert len(stems) == 3
