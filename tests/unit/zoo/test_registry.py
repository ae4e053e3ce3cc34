"""The register: names, parameters, and what is refused."""

import math
import subprocess
import sys
from itertools import cycle
from typing import Any

import pytest

import gough
import zoo_index
from gough import zoo
from gough.errors import DescriptionError, InputError
from gough.zoo import registry
from gough.zoo.index import index
from robots import robot


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all numbers in nested data."""
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in leaves(v, (*path, k))]
    if isinstance(value, (list, tuple)):
        return [p for i, v in enumerate(value) for p in leaves(v, (*path, i))]
    return [path] if isinstance(value, (int, float)) else []


def mutable(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: mutable(v) for k, v in value.items()}
    return [mutable(v) for v in value] if isinstance(value, (list, tuple)) else value


def replaced(name: str, path: tuple[Any, ...], new: Any) -> dict[str, Any]:
    """The parameter at the head of a path, with one entry replaced."""
    first, *rest = path
    whole = {first: mutable(zoo.parameters(name)[first])}
    at: Any = whole
    for key in [first, *rest][:-1]:
        at = at[key]
    at[path[-1]] = new
    return whole


def word(path: tuple[Any, ...]) -> str:
    """The innermost key of a path that is a word."""
    return next(str(key) for key in reversed(path) if isinstance(key, str))


def test_every_robot_of_the_design_is_there():
    assert set(zoo.names()) == {
        *(
            "five_bar",
            "three_rrr",
            "four_rrr",
            "gough_stewart",
            "gough_stewart_6spu",
            "space_3ups",
            "c5",
        ),
        *("spherical_2dof", "delta", "delta_4", "quattro", "h4", "orthoglide", "dymo"),
        *("hexapod_6rus", "hexapod_6pus", "tilt_3rps", "linear_delta", "agile_eye"),
    }


def test_the_index_says_what_the_robots_are(monkeypatch):
    monkeypatch.setattr(registry, "load", robot)  # assembled for other tests as well
    told = zoo_index.PAGE.read_text(encoding="utf-8")
    assert told == zoo_index.text(), "python tests/zoo_index.py --write"
    assert list(index()) == list(zoo.names())


def test_the_zoo_is_opened_one_cage_at_a_time():
    code = (
        "import sys, gough.zoo; gough.zoo.load('c5');"
        "print([m for m in sys.modules if m.startswith('gough.zoo.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert "gough.zoo.c5" in done.stdout
    assert "gough.zoo.delta'" not in done.stdout


@pytest.mark.parametrize("name", ["dimo", "", None, 3, "registry", "reading", "../c5"])
def test_an_unknown_robot_is_refused(name):
    with pytest.raises(InputError, match="the zoo has no robot") as caught:
        zoo.load(name)
    assert "dymo" in caught.value.hint


def test_an_unknown_parameter_names_the_nearest():
    with pytest.raises(InputError, match="dymo has no parameter 'driven'") as caught:
        zoo.load("dymo", driven="knee")
    assert "Did you mean 'drive'?" in caught.value.hint


@pytest.mark.parametrize("name", zoo.names())
def test_parameters_are_the_defaults_and_may_be_changed(name):
    found = zoo.parameters(name)
    assert zoo.load(name, **found) == robot(name)
    found["gravity"] = [0.0, 9.81, 0.0]
    assert zoo.load(name, **found).gravity == (0.0, 9.81, 0.0)
    for key, value in found.items():
        if isinstance(value, (list, dict)):
            value.clear()
        assert key in zoo.parameters(name)
    assert zoo.load(name) == robot(name)  # a copy was cleared


@pytest.mark.parametrize("name", zoo.names())
def test_parameters_share_nothing(name):
    """What is changed in one leg stays in that leg, though the file says it once for all."""

    def inside(value: Any) -> list[int]:
        if not isinstance(value, (list, dict)):
            return []
        items = value.values() if isinstance(value, dict) else value
        return [id(value), *(k for item in items for k in inside(item))]

    found = zoo.parameters(name)
    assert len(set(inside(found))) == len(inside(found))


@pytest.mark.parametrize("name", zoo.names())
def test_a_number_that_is_none_is_refused_and_named(name):
    paths = leaves(zoo.parameters(name))
    some = paths[:: 1 + len(paths) // 6]  # of every robot half a dozen entries
    for path, wrong in zip(some, cycle([math.nan, math.inf, "0.3", None, True, [1.0, 2.0]])):
        with pytest.raises((InputError, DescriptionError)) as caught:
            zoo.load(name, **replaced(name, path, wrong))
        assert word(path) in str(caught.value), (path, str(caught.value))


@pytest.mark.parametrize("name", zoo.names())
def test_a_negative_mass_is_refused_and_named(name):
    paths = [p for p in leaves(zoo.parameters(name)) if p[-1] == "mass"]
    assert paths
    for path in paths[:: 1 + len(paths) // 4]:
        with pytest.raises(DescriptionError, match="mass") as caught:
            zoo.load(name, **replaced(name, path, -0.1))
        assert str(path[0]) in str(caught.value)


@pytest.mark.parametrize("name", zoo.names())
def test_lists_of_the_wrong_length_and_odd_keys_are_refused(name):
    for key, value in zoo.parameters(name).items():
        for wrong in (5, [], None, {"odd": 1}):
            if wrong == 5 and not isinstance(value, (list, dict, tuple)):
                continue  # a number among numbers
            if wrong is None and key.startswith("act"):
                continue  # a motor without friction and rotor
            with pytest.raises((InputError, DescriptionError)) as caught:
                zoo.load(name, **{key: wrong})
            assert key in str(caught.value)
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
            odd = {**value[0], "mas": 1.0}
            with pytest.raises(DescriptionError, match="mas") as caught:
                zoo.load(name, **{key: [odd, *value[1:]]})
            lacking = {k: v for i, (k, v) in enumerate(value[0].items()) if i}
            with pytest.raises(DescriptionError, match=next(iter(value[0]))):
                zoo.load(name, **{key: [lacking, *value[1:]]})


def test_mass_properties_and_massless_bodies_are_read():
    ball = gough.inertia.sphere(0.4, 0.05, center=[0.0, 0.01, 0.02])
    robot = zoo.load("spherical_2dof", knob=ball, l21={"mass": 0.0})
    assert robot.body("knob").center == (0.0, 0.01, 0.02)
    assert robot.body("l21").massless
    with pytest.raises(DescriptionError, match=r"knob: .*two names"):
        zoo.load("spherical_2dof", knob={**ball, "com": [0.0, 0.0, 0.0]})
    with pytest.raises(DescriptionError, match=r"l21: has an inertia without a mass"):
        zoo.load("spherical_2dof", l21={"mass": 0.0, "inertia_com": ball["inertia"]})
