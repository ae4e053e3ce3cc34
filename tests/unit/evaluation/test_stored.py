"""Kernels on disk: found again by other processes, compiled again where anything is in doubt."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.base import cache
from gough.compiler.machine_code.native import WIDTH
from gough.dynamics.answers.held_bodies import Parts
from gough.dynamics.elements.camera import SensorSet
from gough.dynamics.quantities.variant import Variant
from gough.errors import FrozenFreedom, InputError
from gough.evaluation import compile as compiling
from gough.evaluation import stored, stored_key
from gough.evaluation.stored_key import ROOMS, _spelled, key_of
from house import HOME, ORDER
from robots import ALL_NAMES, random_freedoms, robot

NAME = "five_bar"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder for kernels; the robots of the test are strangers in it."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    # sources of a working tree may be edited while tests run, and what is kept would then be left
    monkeypatch.setattr(stored, "sources_stand", lambda: True)
    monkeypatch.setattr(stored_key, "sources_stand", lambda: True)
    stored_key._library.cache_clear()
    yield tmp_path / "kernels"
    stored_key._library.cache_clear()


@pytest.fixture
def traced(monkeypatch):
    """Quantities that were traced, in order, but for those by which states are found."""
    found, real = [], compiling._traced

    def counted(*request):
        if request[1] not in ("closing_step", "freedom_motion"):
            found.append(request[1])
        return real(*request)

    monkeypatch.setattr(compiling, "_traced", counted)
    return found


pytestmark = pytest.mark.usefixtures("strangers")


def fresh(**options):
    return gough.compile(gough.zoo.load(NAME), "inverse_dynamics", **options)


def states(count=13):
    return gough.state(gough.zoo.load(NAME), *random_freedoms(NAME, count, 0.1))


def test_a_kernel_that_was_kept_is_the_same(folder, traced):
    made, given = fresh(), states()
    assert traced == ["inverse_dynamics"]
    assert len(list(folder.iterdir())) == 1
    found = fresh()
    assert traced == ["inverse_dynamics"]
    assert found.native is not made.native
    assert (found.name, found.inputs, found.outputs) == (made.name, made.inputs, made.outputs)
    assert found.operations == made.operations
    assert repr(found) == repr(made)
    for name, value in made(*given.arrays).items():
        assert (found(*given.arrays)[name] == value).all()  # the very same machine code
    for one, other in zip(found.one(given[0].arrays), made.one(given[0].arrays)):  # noqa: B905
        assert (one == other).all()
    assert traced == ["inverse_dynamics"]
    assert found.program == made.program  # traced when it is asked for
    assert found.program is found.program
    assert len(traced) == 2


def test_calls_with_functions_of_the_mathematics_library(folder):
    """Object files that call sin and atan2 of the process find them again."""
    robot = gough.zoo.load(NAME)
    expected = gough.compile(robot, "inverse_kinematics")(robot.home_pose)["q"]
    assert gough.compile(robot, "inverse_kinematics").operations.functions
    again = gough.zoo.load(NAME)
    assert (gough.compile(again, "inverse_kinematics")(robot.home_pose)["q"] == expected).all()


def test_defaults_and_pickles_of_a_kernel_that_was_found(folder):
    import pickle

    load = gough.Loads(payload=0.5)
    made = fresh(parameters=("masses",), loads=load)
    found = fresh(parameters=("masses",), loads=load)
    assert made.native is not found.native
    assert found.defaults.keys() == made.defaults.keys()
    given = states()
    again = pickle.loads(pickle.dumps(found))
    assert (made(*given.arrays)["tau"] == found(*given.arrays)["tau"]).all()
    assert (made(*given.arrays)["tau"] == again(*given.arrays)["tau"]).all()


def _flipped(raw, place):
    return raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]


SPOILT = {
    "empty": lambda raw: b"",
    "cut in its head": lambda raw: raw[:20],
    "cut at its end": lambda raw: raw[:-1],
    "too long": lambda raw: raw + b"\0",
    "other magic": lambda raw: _flipped(raw, 0),
    "other checksum": lambda raw: _flipped(raw, 30),
    "other key": lambda raw: _flipped(raw, 60),
    "other length": lambda raw: _flipped(raw, 79),
    "other code": lambda raw: _flipped(raw, len(raw) - 1),
    "other words": lambda raw: raw.replace(b"inverse_kinematics", b"motor_rates"),
    "other file": lambda raw: b"not a kernel" * 100,
}


def test_a_spoilt_file_is_compiled_again(folder, traced):
    robot = gough.zoo.load(NAME)

    def answer():
        vars(robot.assembly).pop("_facts", None)  # as in another process
        return gough.compile(robot, "inverse_kinematics")(robot.home_pose)["q"].tolist()

    expected = answer()
    (file,) = folder.iterdir()
    good = file.read_bytes()
    for k, (what, spoil) in enumerate(SPOILT.items(), start=1):
        file.write_bytes(spoil(good))
        file.chmod(0o600)
        assert answer() == expected, what
        assert len(traced) == 1 + k, what
        assert file.read_bytes() == good, what  # and kept again
    answer()
    assert len(traced) == 1 + len(SPOILT)


def _sealed(key, words, code):
    import hashlib
    import struct

    text = json.dumps(words).encode()
    body = bytes.fromhex(key) + struct.pack("<I", len(text)) + text + code
    return b"gough kernel 1\n" + hashlib.sha256(body).digest() + body


@pytest.mark.parametrize(
    "change",
    [
        {"name": "forward_dynamics"},
        {"inputs": [["T_0p", [4, 4]], ["V_0p", [6]]]},
        {"inputs": [["T_0p", [4, 4]], ["V_0p", [6]], ["Vdot_0p", [7]]]},
        {"inputs": 3},
        {"outputs": [["tau", [-2]]]},
        {"outputs": [["tau", [2.0]]]},
        {"operations": [1, 2]},
    ],
)
def test_words_that_do_not_fit_are_refused_whatever_their_checksum(folder, change):
    """A file of the right checksum that means another kernel would write beyond arrays."""
    robot = gough.zoo.load(NAME)
    gough.compile(robot, "inverse_dynamics")
    key = key_of(robot.assembly, "inverse_dynamics", Variant(), ())
    shapes = {"T_0p": (4, 4), "V_0p": (6,), "Vdot_0p": (6,)}
    found = stored.read_kernel(key, "inverse_dynamics", shapes)
    words = {name: getattr(found, name) for name in ("name", "inputs", "outputs", "operations")}
    cache.write_cached(key, _sealed(key, words, found.code))
    assert stored.read_kernel(key, "inverse_dynamics", shapes) == found
    cache.write_cached(key, _sealed(key, words | change, found.code))
    assert stored.read_kernel(key, "inverse_dynamics", shapes) is None
    cache.write_cached(key, _sealed("0" * 64, words, found.code))
    assert stored.read_kernel(key, "inverse_dynamics", shapes) is None
    cache.write_cached(key, _sealed(key, words, b""))
    assert stored.read_kernel(key, "inverse_dynamics", shapes) is None


def test_the_key_has_all_that_a_kernel_depends_on(folder, monkeypatch):
    robot = gough.zoo.load(NAME)

    def key(machine=robot, quantity="inverse_dynamics", variant=None, derivatives=()):
        found = key_of(machine.assembly, quantity, variant or Variant(), derivatives)
        assert found is not None
        return found

    heavy = replace(robot.bodies[0], mass=np.nextafter(robot.bodies[0].mass, 9.0))
    keys = [
        key(),
        key(quantity="forward_dynamics"),
        key(derivatives=("V_0p",)),
        key(derivatives=("V_0p", "pose")),
        key(replace(robot, gravity=(0.0, 0.0, -0.0))),
        key(replace(robot, gravity=(0.0, 0.0, 0.0))),
        key(replace(robot, bodies=(heavy, *robot.bodies[1:]))),
        *(
            key(variant=Variant(**{name: value}))
            for name, value in (
                *(("method", "tree"), ("friction", False), ("rotors", False), ("smoothing", 1e-3)),
                *(("pushed", ("platform",)), ("payload", True), ("weights", (1.0, 2.0))),
                ("base", True),
                *(("single", True), ("parameters", ("masses",)), ("columns", ("prox1.m",))),
                ("parts", Parts(("foot1",), (((3, 1e-4),),))),
                ("parts", Parts(("foot1",), (((3, 2e-4),),))),
                ("sight", SensorSet(("prox1",), (), ())),
                ("sight", SensorSet(("prox1",), (), (), weighted=True)),
            )
        ),
    ]
    for width in ("4", "8"):
        monkeypatch.setenv(WIDTH, width)
        keys.append(key())
    processor = stored_key.processor()
    for other in (("", *processor[1:]), (processor[0], "z80", processor[2]), (*processor[:2], "")):
        monkeypatch.setattr(stored_key, "processor", lambda other=other: other)
        keys.append(key())
    monkeypatch.setattr(np, "__version__", "0.0")
    stored_key._library.cache_clear()
    keys.append(key())
    assert len(set(keys)) == len(keys) - 1  # one width is that of the processor
    assert set(vars(Variant())) == {
        *("method", "friction", "rotors", "smoothing", "pushed", "payload", "weights", "single"),
        *("parameters", "columns", "parts", "base", "sight"),
    }


def test_equal_descriptions_have_one_key(folder):
    one, other = gough.zoo.load(NAME), gough.zoo.load(NAME)
    keys = {key_of(each.assembly, "energy", Variant(), ()) for each in (one, other)}
    assert len(keys) == 1
    assert None not in keys


@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_part_of_a_description_has_a_spelling(name):
    assert b"".join(_spelled(robot(name)))


def test_what_cannot_be_kept_has_no_key(folder, monkeypatch):
    robot = gough.zoo.load(NAME)
    own = replace(compiling.ROWS["energy"], formula=lambda machine, **arrays: {})
    monkeypatch.setitem(compiling.ROWS, "mine", own)  # nobody knows when it changes
    assert key_of(robot.assembly, "mine", Variant(), ()) is None
    other = gough.zoo.load(NAME)
    assert key_of(replace(other.assembly), "energy", Variant(), ()) is None
    strange = Variant(weights=(object(),))
    assert key_of(robot.assembly, "energy", strange, ()) is None


def test_refusals_are_the_same(folder):
    for _ in range(2):
        with pytest.raises(InputError, match="cannot be differentiated by"):
            fresh(derivatives=("T_0p",))
    assert not folder.exists()


def test_a_refusal_comes_before_a_kernel_that_was_kept(folder, monkeypatch):
    fresh()

    def refuse(*_, **__):
        raise FrozenFreedom("a freedom that matters")

    monkeypatch.setattr(compiling, "check_frozen", refuse)
    with pytest.raises(FrozenFreedom):
        fresh()


def test_all_rooms_that_make_kernels_are_in_the_digest():
    above = ORDER[: ORDER.index("evaluation.listings") + 1]
    assert set(ROOMS) == {each.partition(".")[0] for each in above} - {"_version", "synonyms"}


def test_sources_that_change_while_the_process_runs_are_noticed(monkeypatch):
    newest = max(stored_key._changed(entry) for entry in stored_key._sources())
    monkeypatch.setattr(stored_key, "STARTED", newest)
    assert stored_key.sources_stand()
    monkeypatch.setattr(stored_key, "STARTED", newest - 1)
    assert not stored_key.sources_stand()
    stored_key._library.cache_clear()
    robot = gough.zoo.load(NAME)
    assert key_of(robot.assembly, "energy", Variant(), ()) is None
    stored_key._library.cache_clear()


_CHILD = """
import sys, gough
from gough.evaluation import compile as compiling
real, traced = compiling._traced, []
compiling._traced = lambda *a: traced.append(a) or real(*a)
robot = gough.zoo.load("five_bar")
kernel = gough.compile(robot, "inverse_kinematics")
print(gough.__file__, len(traced), kernel(robot.home_pose)["q"].tolist())
"""


def _child(sources: Path, kernels: Path) -> tuple[str, str]:
    """Where a process has gough from and how often it traced, and its answer."""
    env = {**os.environ, "PYTHONPATH": str(sources), cache.VARIABLE: str(kernels)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    found = subprocess.run(
        [sys.executable, "-c", _CHILD], env=env, capture_output=True, text=True, check=True
    )
    place, count, answer = found.stdout.split(maxsplit=2)
    assert Path(place).is_relative_to(sources)
    return count, answer


def test_another_process_finds_it_until_a_line_of_the_sources_changes(tmp_path):
    copied, kernels = tmp_path / "src", tmp_path / "kernels"
    shutil.copytree(HOME, copied / "gough")
    first = _child(copied, kernels)
    second = _child(copied, kernels)
    assert (first[0], second[0]) == ("1", "0")
    assert first[1] == second[1]
    edited = copied / "gough" / "base" / "spatial.py"
    edited.write_text(edited.read_text().replace('"""', '"""So. ', 1))  # of a line, four letters
    assert _child(copied, kernels) == first
    assert len(list(kernels.iterdir())) == 2
