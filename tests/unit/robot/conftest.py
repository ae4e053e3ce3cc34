"""A small robot as text, and robots of every kind as objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import gough
from conftest import REFERENCE, need_reference
from gough.errors import FileError
from gough.robot.file import reads
from reference import robot_from_mechanism

SMALL = """\
gough: 1
name: small
platform: rod1
motors: [hinge]
bodies:
  rod1:
    mass: 0.4
    center: [0.1, 0, 0]
    inertia: [1e-4, 2e-3, 2e-3]
joints:
  hinge:
    kind: revolute
    parent: base
    child: rod1
    parent_frame: {position: [0, 0, 1]}
    viscous: 0.1
"""

Refused = Callable[..., FileError]


@pytest.fixture
def small() -> str:
    return SMALL


@pytest.fixture
def refused() -> Refused:
    """The error of the small robot's text after replacements, which must change it."""

    def check(*changes: tuple[str, str], text: str = SMALL) -> FileError:
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
            text = text.replace(old, new)
        with pytest.raises(FileError) as caught:
            reads(text, "small.yaml")
        assert caught.value.file == "small.yaml"
        assert str(caught.value).startswith("small.yaml")
        return caught.value

    return check


def reference_robots() -> list[gough.Robot]:
    files = sorted((REFERENCE / "robots").glob("*.json"))
    return [_reference_robot(file) for file in files]


def _reference_robot(file: Path) -> gough.Robot:
    return robot_from_mechanism(json.loads(file.read_text(encoding="utf-8"))["mechanism"])


@pytest.fixture(scope="session")
def robots() -> list[gough.Robot]:
    """The eleven reference robots."""
    need_reference()
    found = reference_robots()
    assert len(found) == 11
    return found


@pytest.fixture(scope="session")
def every_kind() -> gough.Robot:
    """A chain with every joint kind and every key away from its default."""
    turned = gough.Frame.from_axes((0.1, -0.2, 0.3), z=(1, 2, 3), x=(1, 0, 0))
    full = gough.Axis(
        viscous=0.1,
        coulomb=1 / 3,
        rotor_inertia=2e-5,
        transmission=gough.Transmission(ratio=-50.0, motor_inertia=1e-5, efficiency=0.9),
        limits=gough.Limits(position=(-2.0, 0.0), velocity=10, effort=1e3),
        spring=gough.Spring(stiffness=1e3 / 3, rest=-1 / 7),
    )
    wound = gough.Axis(spring=gough.Spring(4.0))
    bare = gough.Axis(transmission=gough.Transmission(), limits=gough.Limits(position=(0, 0)))
    motor = gough.Motor(2.4, 0.8, curve=((0.0, 2.4), (100 / 3, 1.0)), rotor_inertia=1e-5 / 3)
    driven = gough.Axis(transmission=gough.Transmission(stiffness=1e4 / 3), motor=motor)
    soft = gough.Axis(viscous=0.5, limits=gough.Limits(position=(0.0, 0.7)))
    axes = {
        "revolute": (full,),
        "prismatic": (bare,),
        "helical": (full,),
        "universal": (gough.Axis(), full),
        "cylindrical": (driven, wound),
        "spherical": (soft,),
        "planar_contact": (gough.Axis(), soft),
        "fixed": (),
    }
    bodies = [
        gough.Body("true", massless=True, center=(1, 0, 0), label="a cross: \x07 'é' \U0001f600")
    ]
    joints, parent = [], "ground"
    for i, (kind, given) in enumerate(axes.items()):
        child = "true" if i == 0 else f"b{i}"
        if i:
            inertia = [[2.0, 0.1, 0], [0.1, 2.5, -1 / 7], [0, -1 / 7, 3.0]]
            bodies.append(gough.Body(child, 0.1 * i, (1e-17, 0, -i / 3), inertia))
        pitch = 0.0008 if kind == "helical" else 0.0
        joints.append(
            gough.Joint(f"j_{i}", kind, parent, child, turned, gough.Frame(), given, pitch, "null")
        )
        parent = child
    return gough.Robot(
        name="null",
        bodies=tuple(bodies),
        joints=tuple(joints),
        platform=parent,
        platform_frame=turned,
        motors=("j_3.second", "j_0"),
        home=gough.Home({"b1": turned, "b2": gough.Frame()}, {"j_3.first": 0.0, "j_0": -1 / 3}),
        gravity=(0.0, 0.0, 0.0),
        base="ground",
        label=" two\nlines # not a comment",
        source="12",
        redundant=True,
    )
