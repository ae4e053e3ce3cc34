"""Zoo robots against the reference: the set of the folder, and sets made from it."""

import copy
import json
from functools import cache
from typing import Any

import numpy as np
import pytest

import gough
from conftest import REFERENCE, need_reference
from gough import zoo
from reference import robot_from_mechanism
from robots import cases, condition, relative
from robots import robot as standard

NAMES = ["c5", "orthoglide", "quattro", "spherical_2dof"]


@cache
def block(name: str) -> dict[str, Any]:
    need_reference()
    return json.loads((REFERENCE / "robots" / f"{name}.json").read_text())


def params(name: str) -> dict[str, Any]:
    return copy.deepcopy(block(name)["params"])


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_efforts_are_those_of_the_reference(name):
    robot = zoo.load(name, **params(name))
    case = cases(name)
    q = gough.inverse_kinematics(robot, case["T"])
    tau = gough.inverse_dynamics(robot, gough.State(case["T"], case["twist"], case["dtwist"]))
    # the reference program is good to 4e-15; 1e-10 is what is promised
    assert np.abs(q - case["q"]).max() < 1e-10
    assert relative(tau, case["tau"]) < 1e-10


def close(a: Any, b: Any) -> bool:
    """Nested data alike, but for dust of 1e-15 in the reference's products."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(close, a, b))
    return abs(a - b) <= 1e-15


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_the_reference_set(name):
    assert close(zoo.parameters(name), params(name))


def bodies_of(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(data, dict):
        if "mass" in data:
            return [path]
        return [p for k, v in data.items() for p in bodies_of(v, (*path, k))]
    if isinstance(data, list):
        return [p for i, v in enumerate(data) for p in bodies_of(v, (*path, i))]
    return []


@pytest.mark.filterwarnings("ignore::gough.errors.DescriptionWarning")  # lopsided on purpose
@pytest.mark.parametrize("name", NAMES)
def test_every_mass_goes_to_the_body_it_belongs_to(name):
    """All bodies made heavier and lopsided, each its own way: parameters against mechanism."""
    changed, mechanism = params(name), copy.deepcopy(block(name)["mechanism"])
    for k, path in enumerate(bodies_of(changed)):
        at: Any = changed
        for key in path:
            at = at[key]
        at["mass"] += 0.1 * (k + 1)
        at["com"] = [
            c + d * (k + 1) for c, d in zip(at["com"], (0.002, -0.003, 0.004), strict=True)
        ]
        body = next(b for b in mechanism["bodies"] if b["name"] == reference_name(path))
        body.update(mass=at["mass"], com=at["com"])
    state = [cases(name)[key][3] for key in ("T", "twist", "dtwist")]
    expected = gough.inverse_dynamics(robot_from_mechanism(mechanism), gough.State(*state))
    found = gough.inverse_dynamics(zoo.load(name, **changed), gough.State(*state))
    assert relative(found, expected) < 1e-12  # two descriptions of one machine: rounding


def reference_name(path: tuple[Any, ...]) -> str:
    """What the mechanism calls the body of a parameter."""
    if path[0] != "legs":
        return path[0]
    n, key = path[1] + 1, path[2]
    return {"moving": f"leg{n}", "bar_a": f"bar{n}a", "bar_b": f"bar{n}b"}.get(key, f"{key}{n}")


RELATIVES = {
    "c5": lambda p, w: [
        leg.update(base_point=[c + 0.03 * w() for c in leg["base_point"]], plane_offset=0.02 * w())
        for leg in p["legs"]
    ],
    "orthoglide": lambda p, w: [
        p.update(l=0.4 + 0.05 * w(), s=0.05 + 0.01 * w()),
        *(
            leg.update(
                base_point=[1.4 * c for c in leg["base_point"]],
                platform_point=[c * (1.0 + 0.3 * w()) for c in leg["platform_point"]],
            )
            for leg in p["legs"]
        ),
    ],
    "quattro": lambda p, w: [
        p.update({k: p[k] * (1.0 + 0.1 * w()) for k in ("Rb", "L", "l", "s", "rod_len", "half_w")}),
        *(
            leg.update(
                phi=leg["phi"] + 0.04 * w(),
                half_point=[c + 0.005 * w() for c in leg["half_point"]],
            )
            for leg in p["legs"]
        ),
    ],
    "spherical_2dof": lambda p, w: p.update(gravity=[w(), w(), -9.0]),
}


@pytest.mark.parametrize("name", NAMES)
def test_relatives_stand_as_well(name):
    rng = np.random.default_rng(1)
    varied = params(name)
    RELATIVES[name](varied, lambda: float(rng.uniform(-1.0, 1.0)))
    robot = zoo.load(name, **varied)
    original = standard(name)
    assert robot != original
    assert robot.freedoms == original.freedoms
    assert robot.assembly.findings == ()
    assert condition(robot.assembly, 0) < 50.0
