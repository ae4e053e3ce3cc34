"""Leg by leg, or many postures at once: the same machine as one system about each posture.

Three ways must agree wherever they answer: joint loads times constant flexibilities (a kernel),
condensed bodies with fixed pivots (many postures), and the whole system of one posture.  1e-9 is
what is promised of each of them; most agree to 1e-13.
"""

from dataclasses import replace

import numpy as np
import pytest

import gough
from cases import loaded, motion
from coupled import amplified_quattro, geared_delta, geared_five_bar, rack
from elastic_machines import ELASTIC, STIFF, beams_and_bearings, cases, geared, machine, with_gears
from gough.dynamics.quantities.variant import Variant
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.elastic.compliances import compliances
from gough.elastic.drives import drives_of
from gough.elastic.leg_wise import parts_of
from gough.elastic.many import condense, many
from gough.elastic.modelling import Options
from gough.elastic.postures import of_bodies
from gough.evaluation.evaluator import Evaluator, usual
from robots import DRIVEN_NAMES

SERVO = gough.Servo(2e4, 10.0)
CLOSE = 1e-9


def same(found, expected):
    """Arrays of postures agree, each in units of its own largest entry; NaN where there is none."""
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        return False
    found, expected = np.nan_to_num(found), np.nan_to_num(expected)
    size = np.abs(expected).max(axis=tuple(range(1, expected.ndim)), keepdims=True)
    return bool((np.abs(found - expected) <= CLOSE * size).all())


def at_once(robot, T, drives="locked", payload=None):
    bodies = usual(robot.assembly, "bodies_at")({"T_0p": (T, 2)}, engine="numpy").values[0]
    held = drives_of(robot, drives)
    return many(robot.assembly, of_bodies(robot.assembly, bodies), held, Options(), payload)


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_gears_alone(name):
    own, T = geared(name), motion(name, 3, 0.08).T_0p
    e = gough.elasticity(own, T)
    machine = at_once(own, T)
    assert machine.good.all()
    assert same(machine.compliance, e.compliance)
    count = own.mobility
    assert same(machine.frequencies(count), e.vibrations(count).frequencies)
    parts = parts_of(own.assembly, drives_of(own, "locked"), Options())
    if name == "dymo":  # it has motors on universal joints
        assert parts is None
        return
    kernel = Evaluator(own.assembly, "compliance", Variant(parts=parts))
    assert same(kernel({"T_0p": (T, 2)}, engine="compiled").values[0], e.compliance)


@pytest.mark.parametrize("drives", ["locked", SERVO, "free"], ids=["locked", "servo", "free"])
@pytest.mark.parametrize("name", ELASTIC)
def test_beams_and_bearings(name, drives):
    """Over-constrained and redundant machines and nacelles among them."""
    own, T = beams_and_bearings(name), motion(name, 4, 0.1).T_0p
    e = gough.elasticity(own, T, drives=drives)
    machine = at_once(own, T, drives)
    assert machine.good.all()
    assert same(machine.frequencies(8), e.vibrations(8).frequencies)
    held = drives_of(own, drives)
    if drives == "free":  # nothing holds the platform: neither way answers
        assert np.isnan(machine.compliance).all()
        assert parts_of(own.assembly, held, Options()) is None
        return
    expected = e.compliance
    assert same(machine.compliance, expected)
    assert same(machine.sag(np.array(own.gravity), None), e.deflection().platform)
    evaluate = Evaluator(
        own.assembly, "compliance", Variant(parts=parts_of(own.assembly, held, Options()))
    )
    for engine in ("numpy", "compiled"):
        assert same(evaluate({"T_0p": (T, 2)}, engine=engine).values[0], expected), engine


@pytest.mark.parametrize("name", ["five_bar", "delta", "four_rrr", "gough_stewart"])
def test_springs_and_rotors_on_every_axis(name):
    """Springs hold beside the motors: machines become statically indeterminate."""
    own, T = with_gears(loaded(name), STIFF), motion(name, 3, 0.05).T_0p
    e = gough.elasticity(own, T)
    machine = at_once(own, T)
    assert same(machine.compliance, e.compliance)
    assert same(machine.frequencies(6), e.vibrations(6).frequencies)
    parts = parts_of(own.assembly, drives_of(own, "locked"), Options())
    universal = any(joint.kind == "universal" for joint in own.joints)
    assert (parts is None) == universal
    if parts is not None:
        kernel = Evaluator(own.assembly, "compliance", Variant(parts=parts))
        assert same(kernel({"T_0p": (T, 2)}, engine="compiled").values[0], e.compliance)


@pytest.mark.parametrize("build", [rack, geared_five_bar, geared_delta, amplified_quattro])
def test_couplings(build):
    own = with_gears(build(), STIFF)
    T = np.repeat(own.home_pose[None], 2, axis=0)
    e = gough.elasticity(own, T)
    machine = at_once(own, T)
    assert same(machine.compliance, e.compliance)
    assert same(machine.frequencies(2), e.vibrations(2).frequencies)
    assert same(compliances(own.assembly, T, drives_of(own, "locked"), Options()), e.compliance)


@pytest.mark.parametrize("name", ["five_bar", "delta", "quattro"])
def test_a_payload_shakes_along(name):
    own, T = beams_and_bearings(name), motion(name, 3, 0.05).T_0p
    loads = gough.Loads(payload=gough.Payload(1.3, (0.02, -0.03, 0.05), 0.004 * np.eye(3)))
    e = gough.elasticity(own, T, loads=loads)
    payload = LoadArguments(own.assembly, loads).only().payload
    machine = at_once(own, T, payload=payload)
    assert same(machine.frequencies(8), e.vibrations(8).frequencies)
    assert same(machine.sag(np.array(own.gravity), payload), e.deflection().platform)


@pytest.mark.parametrize("case", ["gough_stewart", "five_bar", "delta"])
def test_the_reference_machines(case):
    data = next(
        each
        for each in cases().get("cases", cases().values())
        if isinstance(each, dict) and each.get("robot") == case
    )
    own, T = machine(data)
    e = gough.elasticity(own, T[None])
    found = at_once(own, T[None])
    assert same(found.compliance, e.compliance)
    expected = e.vibrations(8).frequencies
    known = np.isfinite(expected)
    assert found.frequencies(8)[known] == pytest.approx(expected[known], rel=CLOSE)
    assert same(
        compliances(own.assembly, T[None], drives_of(own, "locked"), Options()), e.compliance
    )


def test_elements_instead_of_modes():
    own, T = beams_and_bearings("five_bar"), motion("five_bar", 3, 0.05).T_0p
    e = gough.elasticity(own, T, elements=3)
    held, options = drives_of(own, "locked"), Options(elements=3)
    bodies = usual(own.assembly, "bodies_at")({"T_0p": (T, 2)}, engine="numpy").values[0]
    machine = many(own.assembly, of_bodies(own.assembly, bodies), held, options)
    assert same(machine.frequencies(8), e.vibrations(8).frequencies)
    assert same(machine.compliance, e.compliance)


def test_what_neither_knows():
    """Guides move along beams, locked joints hold more than they bear: one system each."""
    own = with_gears(gough.zoo.load("gough_stewart"), 1e7)
    joints = tuple(
        replace(joint, guide=gough.Guide(joint.parent, (0.0, 0.0, 0.1)))
        if joint.kind == "prismatic"
        else joint
        for joint in own.joints
    )
    guided = replace(own, joints=joints)
    held = drives_of(guided, "locked")
    assert parts_of(guided.assembly, held, Options()) is None
    assert condense(guided.assembly, held, Options()) is None
    T = motion("gough_stewart", 70, 0.02).T_0p
    found, expected = gough.elasticity(guided, T), gough.elasticity(guided, T[:2])
    assert same(found.compliance[:2], expected.compliance)
    assert same(found.frequencies(6)[:2], expected.frequencies(6))
