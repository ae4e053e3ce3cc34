"""Robots of one geometry are assembled once, and each keeps its own figures."""

import dataclasses
import gc
import weakref

import numpy as np
import pytest

import gough
from gough.geometry.closed_form.search import closed_form
from gough.mechanism.mobility.assembly import assemble
from machines import Drawing
from robots import random_freedoms, relative, robot

pytestmark = pytest.mark.usefixtures("strangers")


def _other(r):
    """The robot with everything changed that is no geometry."""
    bodies = [
        dataclasses.replace(b, mass=2.0 * b.mass + 0.1, center=(0.001, 0.0, 0.002))
        for b in r.bodies
    ]
    joints = [
        dataclasses.replace(
            j, axes=tuple(dataclasses.replace(a, viscous=0.3, coulomb=0.1) for a in j.axes)
        )
        for j in r.joints
    ]
    return dataclasses.replace(
        r, name="twin", bodies=tuple(bodies), joints=tuple(joints), gravity=(1.0, 2.0, 3.0)
    )


@pytest.mark.parametrize("name", ["delta", "quattro", "tilt_3rps", "split_hexapod"])
def test_twins_answer_as_if_they_were_alone(name):
    r = robot(name)
    twin, state = _other(r), gough.state(r, *random_freedoms(name, 2, 0.03))
    assert twin.assembly.T_home is r.assembly.T_home
    assert twin.assembly.robot is twin
    alone = assemble(twin)
    assert alone.T_home is not r.assembly.T_home
    for own, found in zip(twin.assembly.samples, alone.samples, strict=True):
        assert (own[0] == found[0]).all()
    for each in ("length", "mobility", "free", "home_values", "modes", "idle_motors"):
        assert getattr(twin.assembly, each) == getattr(alone, each)
    tau = gough.inverse_dynamics(twin, state)
    lonely = dataclasses.replace(twin, name="alone")
    vars(lonely)["assembly"] = dataclasses.replace(alone, robot=lonely)
    assert (gough.inverse_dynamics(lonely, state) == tau).all()
    assert relative(gough.inverse_dynamics(r, state), tau) > 0.01


def test_closed_forms_are_shared_whoever_asks_first():
    r = gough.zoo.load("delta")
    first, second = _other(r), dataclasses.replace(r, name="second")
    assert first.assembly is not second.assembly
    assert closed_form(second.assembly) is closed_form(first.assembly) is not None


def _hung(height):
    d = Drawing(4)
    d.body("bob", (0.0, 0.0, -0.5))
    d.joint("hinge", "revolute", "base", "bob", (0.0, 0.0, height), (1.0, 0.0, 0.0))
    return d.robot("hung", "bob", ["hinge"], (0.0, 0.0, -0.6))


@pytest.mark.parametrize(
    "change",
    [
        lambda r: dataclasses.replace(r, motors=()),
        lambda r: dataclasses.replace(r, platform_frame=gough.Frame((0.0, 0.1, 0.0))),
        lambda r: dataclasses.replace(r, base="ground", joints=_on_ground(r.joints)),
        lambda r: dataclasses.replace(r, home=gough.Home()),
        lambda _: _hung(0.2),
    ],
)
def test_other_geometries_are_no_twins(change):
    r = _hung(0.1)
    assert change(r).assembly.T_home is not r.home_pose


def _on_ground(joints):
    swap = {"base": "ground"}
    return tuple(
        dataclasses.replace(
            j, parent=swap.get(j.parent, j.parent), child=swap.get(j.child, j.child)
        )
        for j in joints
    )


def test_centres_of_mass_count_where_they_decide_the_length():
    """A bob whose joint and frame are in one point is as large as it is drawn."""
    d = Drawing(4)
    d.body("bob", (0.0, 0.0, 0.0))
    d.joint("ball", "spherical", "base", "bob", (0.0, 0.0, 0.0))
    small = d.robot("bob", "bob", [], (0.0, 0.0, 0.0))
    body = dataclasses.replace(small.bodies[0], center=(0.0, 0.0, 2.0))
    large = dataclasses.replace(small, bodies=(body,))
    assert small.assembly.length < 1.0
    assert large.assembly.length >= 2.0


def test_what_is_shared_goes_with_the_last_twin():
    r = _hung(0.37)
    twin = _other(r)
    gone = weakref.ref(vars(r.assembly)["_shared"])
    assert vars(twin.assembly)["_shared"] is gone()
    del r
    gc.collect()
    assert gone() is not None
    assert np.isfinite(gough.inverse_kinematics(twin, twin.home_pose)).all()
    del twin
    gc.collect()
    assert gone() is None
