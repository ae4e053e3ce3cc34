"""Zoo robots from the reference parameters give the reference answers, and vary with them."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest

import gough
from conftest import REFERENCE, need_reference
from gough.errors import DescriptionError, GoughError
from gough.zoo import load
from robots import cases, relative
from robots import robot as default

NAMES = [
    "gough_stewart",
    "space_3ups",
    "delta",
    "five_bar",
    "three_rrr",
    "hexapod_6rus",
    "tilt_3rps",
]


def params(name: str) -> dict[str, Any]:
    need_reference()
    found: dict[str, Any] = json.loads((REFERENCE / "robots" / f"{name}.json").read_text())
    return dict(found["params"])


def first_motor(leg: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = leg.get("act") or leg["act_p"]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_reference_parameters_give_the_reference_answers(name: str) -> None:
    robot, known = load(name, **params(name)), cases(name)
    # the reference answers agree among engines to 4e-15
    assert relative(gough.inverse_kinematics(robot, known["T"]), known["q"]) < 1e-10
    tau = gough.inverse_dynamics(robot, gough.State(known["T"], known["twist"], known["dtwist"]))
    assert relative(tau, known["tau"]) < 1e-10


@pytest.mark.parametrize("name", NAMES)
def test_defaults_are_the_reference_set(name: str) -> None:
    """In their answers, not digit by digit: 0.25000000000000006 stands as 0.25 in the file."""
    known, robot = {key: value[:2] for key, value in cases(name).items()}, default(name)
    tau = gough.inverse_dynamics(robot, gough.State(known["T"], known["twist"], known["dtwist"]))
    assert relative(tau, known["tau"]) < 1e-10
    assert robot.name == name
    assert robot.assembly.findings == ()


@pytest.mark.parametrize("name", NAMES)
def test_parameters_vary_the_robot(name: str) -> None:
    data = copy.deepcopy(params(name))
    heavy = data["platform"] if "platform" in data else data["legs"][0]["distal"]
    heavy["mass"] *= 3.0
    heavy["inertia_com"] = (3.0 * np.array(heavy["inertia_com"])).tolist()
    first_motor(data["legs"][1])["viscous"] += 7.0
    known = {key: value[:2] for key, value in cases(name).items()}
    changed = load(name, **data)
    tau = gough.inverse_dynamics(changed, gough.State(known["T"], known["twist"], known["dtwist"]))
    assert relative(tau, known["tau"]) > 1e-2
    assert changed.axis(changed.motors[2 if name == "space_3ups" else 1]).viscous != 0.0


@pytest.mark.parametrize(("name", "scale"), list(zip(NAMES, [0.01, 7.0] * 4, strict=False)))
def test_homes_are_found_for_machines_of_any_size(name: str, scale: float) -> None:
    data = copy.deepcopy(params(name))
    for key in {"Rb", "rp", "L", "l", "s"} & data.keys():
        data[key] *= scale
    for i, leg in enumerate(data["legs"]):
        for key in {"b", "d", "rb", "l_prox", "l_dist"} & leg.keys():
            leg[key] *= scale * (1.0 + 0.02 * i)
        for key in {"base_point", "platform_point"} & leg.keys():
            leg[key] = (scale * np.array(leg[key])).tolist()
    robot = load(name, **data)
    assert robot.mobility == default(name).mobility
    assert robot.assembly.findings == ()


@pytest.mark.parametrize("name", NAMES)
def test_errors_name_the_parameter(name: str) -> None:
    data = copy.deepcopy(params(name))
    first_motor(data["legs"][1])["viscous"] = -1.0
    with pytest.raises(DescriptionError, match=r"legs\[1\]\.act"):
        load(name, **data)
    with pytest.raises(GoughError, match="legs"):
        load(name, legs=data["legs"][:1])
    with pytest.raises(GoughError, match="gravty"):
        load(name, gravty=(0, 0, 0))
