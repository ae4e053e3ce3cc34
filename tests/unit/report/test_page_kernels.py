"""The page of every robot: its size, and its WebAssembly against Python."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

import gough
from gough.base.conditions import is_valid
from gough.compiler.targets.wasm import wasm_module
from gough.compiler.tracing.program import Program
from gough.dynamics.quantities.axes import shown_axes
from gough.evaluation.loops.closing import Closer
from gough.mechanism.closure.coordinates import pack
from gough.mechanism.mobility.leading import leading_motors
from gough.report.view.computing import step_of_motors
from pages import content, programs, text
from robots import random_freedoms, relative, robot
from wasm import Module

MOST = 700_000  # bytes: a page is sent by mail
EXACT = 1e-12  # the same operations in another order: rounding, grown by what is solved
NAMES = gough.zoo.names()


class Carried(NamedTuple):
    """A robot, its module, and a posture near home with all joints, in motion."""

    robot: gough.Robot
    run: Module
    state: dict[str, np.ndarray]


@pytest.fixture(scope="module", params=NAMES)
def carried(request: Any) -> Carried:
    name = request.param
    r, (x, xd, xdd) = robot(name), random_freedoms(name, 1, 0.05)
    closer = Closer(r.assembly)
    found = closer.walked(closer.home, x, 0.05)
    T, V, Vdot = gough.state(r, x[0], xd[0], xdd[0]).arrays
    state = {"y": found.y[0], "coordinates": found.joints[0], "x": x[0]}
    state |= {"T_0p": T, "V_0p": V, "Vdot_0p": Vdot}
    code = base64.b64decode(content(text(name))["kernels"]["module"])
    return Carried(r, Module(programs(r.assembly)[0], code), state)


LOADS = {
    "mass": [1.3],
    "center": [0.02, -0.01, 0.03],
    "inertia": np.zeros((3, 3)),
    "gravity": [0.4, -0.3, -9.0],
}


def test_a_page_is_small_and_knows_the_robot(carried: Carried) -> None:
    r = carried.robot
    page = text(r.name)
    known = content(page)
    assert len(page.encode()) < MOST
    assert known["robot"] == r.name
    assert [each["name"] for each in known["freedoms"]] == list(r.freedoms)
    assert [each["name"] for each in known["motors"]] == list(r.motors)
    assert all(each["low"] < each["high"] for each in known["freedoms"] + known["motors"])
    assert {"step_of_freedoms", "view", "efforts_in_view"} <= set(known["kernels"]["functions"])


def test_a_view_is_what_python_says(carried: Carried) -> None:
    r, run, s = carried
    seen, posture = run("view", **s), gough.posture(r, s["T_0p"])
    assert relative(seen["T_0p"], s["T_0p"]) < EXACT
    assert relative(seen["q"], gough.inverse_kinematics(r, s["T_0p"])) < EXACT
    assert relative(seen["J_inv"], gough.inverse_jacobian(r, s["T_0p"])) < EXACT
    assert relative(seen["Psi"], gough.freedom_map(r, s["T_0p"])) < EXACT
    bodies = np.array([posture.bodies[body.name] for body in r.bodies])
    assert np.abs(seen["bodies"][:, :9].reshape(-1, 3, 3) - bodies[:, :3, :3]).max() < EXACT
    off = (seen["bodies"][:, 9:] - bodies[:, :3, 3]) / r.assembly.length
    assert np.abs(off).max() < EXACT
    for name, value in zip(shown_axes(r.assembly), seen["positions"], strict=True):
        expected = posture.joints[name]
        if np.ndim(expected):  # the tilt of a ball, whose arc cosine is known to the root only
            expected = np.arccos(np.clip(expected[2, 2], -1.0, 1.0))
            assert value == pytest.approx(expected, abs=1e-7)
        else:
            assert value == pytest.approx(expected, abs=EXACT)
    assert is_valid(seen["doubt"])


def test_efforts_with_payload_and_gravity_are_those_of_python(carried: Carried) -> None:
    r, run, s = carried
    found = run("efforts_in_view", **s, **LOADS)
    elsewhere = replace(r, gravity=tuple(LOADS["gravity"]))
    payload = gough.Payload(LOADS["mass"][0], tuple(LOADS["center"]))
    states = (s["T_0p"], s["V_0p"], s["Vdot_0p"])
    tau = gough.inverse_dynamics(
        elsewhere, gough.State(*states), loads=gough.Loads(payload=payload)
    )
    assert relative(found["tau"], tau) < EXACT
    assert relative(found["qd"], gough.motor_rates(r, gough.State(s["T_0p"], s["V_0p"]))) < EXACT
    assert is_valid(found["doubt"])


def test_reactions_are_those_of_python(carried: Carried) -> None:
    r, run, s = carried
    found = run("reactions_in_view", **s, **LOADS | {"mass": [0.0], "gravity": r.gravity})
    expected = gough.reactions(r, gough.State(s["T_0p"], s["V_0p"], s["Vdot_0p"]))
    wrench, unique = expected.wrench, expected.unique
    assert np.array_equal(found["unique"] > 0.5, unique)
    # all bodies are cut free at once: a large system, with other pivots
    assert relative(found["wrench"][unique], wrench[unique]) < 100 * EXACT


def test_steps_lead_to_freedoms_and_back_to_motors(carried: Carried) -> None:
    r, run, s = carried
    T_0p, configuration = r.assembly.start
    home = {
        "y": r.assembly.chart.coordinates(np.asarray(T_0p)),
        "coordinates": np.asarray(pack(configuration), dtype=float),
    }
    there = _led(run, "step_of_freedoms", home, x=s["x"])
    assert relative(run("view", **there)["T_0p"], s["T_0p"]) < EXACT
    q, name = run("view", **home)["q"], step_of_motors(r.assembly)
    if len(r.motors) == r.mobility:
        back = _led(run, name, there, q=q)
        assert relative(run("view", **back)["T_0p"], np.asarray(T_0p)) < EXACT
        return
    for k in range(len(r.motors)):  # whoever leads, the others follow
        lead = np.isin(np.arange(len(r.motors)), leading_motors(r.assembly, k)).astype(float)
        assert (lead[k], lead.sum()) == (1.0, r.mobility)
        back = _led(run, name, there, q=np.where(lead > 0.0, q, 0.0), lead=lead)
        assert relative(run("view", **back)["T_0p"], np.asarray(T_0p)) < EXACT


def test_only_functions_that_are_called_are_imported(carried: Carried) -> None:
    assert carried.run.names <= {"__linear_memory", "atan2", "sin", "cos"}


def test_a_name_must_be_an_identifier() -> None:
    made = programs(robot("five_bar").assembly)[0]["view"]
    assert isinstance(made, Program)
    with pytest.raises(gough.errors.InputError, match="cannot be called"):
        wasm_module({"a b": made})


def _led(run: Module, name: str, posture: dict[str, Any], **goal: Any) -> dict[str, Any]:
    """A posture after Newton's steps, which end with one that is nothing."""
    for _ in range(14):
        found = run(name, **posture, **goal)
        posture = {key: found[key] for key in ("y", "coordinates")}
        if found["size"][0] < 1e-13:
            break
    return posture
