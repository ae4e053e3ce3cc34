"""The doctor on elastic data: what is there, what is rigid, what looks like another unit."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import gough
from elastic_machines import cantilever, with_gears

EXAMPLE = Path(__file__).parents[4] / "examples" / "robots" / "elastic_delta.yaml"


@cache
def delta():
    return gough.load(EXAMPLE)


def test_what_is_there_and_what_is_rigid():
    found = gough.doctor(delta())
    (note,) = found.find("elastic")
    assert "9 beams, 3 bearings and 3 transmissions" in note.sentence
    assert "lowest frequency 34.98 Hz at home" in note.sentence
    assert "rigid, for nothing is said of them: bearings of" in note.sentence
    assert note.data["has"] == {"beams": 9, "bearings": 3, "transmissions": 3}
    assert not found.find("implausible-figure")
    assert not found.find("large-sag")


def test_a_rigid_robot_is_not_blamed():
    assert not gough.doctor(gough.zoo.load("delta")).find("elastic")


def test_gears_alone():
    (note,) = gough.doctor(with_gears(gough.zoo.load("delta"), 5e3)).find("elastic")
    assert "elastic data of 3 transmissions" in note.sentence
    assert "bodies 'arm1'" in note.sentence


def test_data_that_cannot_be_used():
    robot = delta()
    bodies = [replace(b, mass=0.01) if b.name == "bar1a" else b for b in robot.bodies]
    (finding,) = gough.doctor(replace(robot, bodies=tuple(bodies))).find("not-elastic")
    assert "more than the body's 0.01 kg" in finding.sentence
    assert finding.severity == "warning"


def _bar(material=None, section=None, **more):
    material = material or gough.Material.named("steel")
    beam = gough.Beam(section or gough.Tube(0.01, 0.008), material, ((0, 0, 0), (0.4, 0, 0)))
    return cantilever(beam, **more)


@pytest.mark.parametrize(
    ("robot", "path", "guess"),
    [
        (lambda: _bar(gough.Material("m", 70e6, 26e6, 2700.0)), "materials.m.E", "kPa or MPa"),
        (lambda: _bar(gough.Material("m", 70e9, 26e9, 2.7)), "materials.m.density", "g/cm^3"),
        (lambda: _bar(gough.Material("m", 70e9, 81e9, 2700.0)), "materials.m.G", "another"),
        (lambda: _bar(section=gough.Tube(0.4, 0.38)), "bodies.bar.beam.radius", "millimetres"),
        (
            lambda: _bar(bearing=gough.Bearing(radial=2e5)),
            "joints.clamp.bearing.radial",
            "N/mm",
        ),
        (
            lambda: with_gears(gough.zoo.load("delta"), 3.5),
            "joints.arm1.transmission.stiffness",
            "N m/arcmin",
        ),
        (
            lambda: with_gears(gough.zoo.load("linear_delta"), 900.0),
            "joints.slider1.transmission.stiffness",
            "N/mm",
        ),
    ],
)
def test_slips_of_units(robot, path, guess):
    found = gough.doctor(robot()).find("implausible-figure")
    assert any(f.data["path"] == path and guess in f.sentence for f in found), found


def test_a_machine_that_sags_too_far():
    assert gough.doctor(with_gears(gough.zoo.load("delta"), 3.5)).find("large-sag")
