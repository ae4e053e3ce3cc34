"""Shapes against integrals done by hand, and the laws that bind them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gough
from gough.errors import DescriptionError
from gough.robot.file import reads
from gough.robot.inertia import MassProperties, box, composite, cylinder, rod, sphere

ROUNDING = 1e-13  # relative; a handful of operations


def check(found: MassProperties, mass: float, center: object, inertia: object) -> None:
    scale = float(np.abs(np.array(inertia)).max())
    assert found["mass"] == pytest.approx(mass, rel=ROUNDING)
    np.testing.assert_allclose(found["center"], center, atol=ROUNDING)
    np.testing.assert_allclose(found["inertia"], inertia, atol=ROUNDING * scale)


def test_rod() -> None:
    # integral of (L x)^2 over -1/2..1/2 is L^2/12, here with L = (2, 1, 2): |L|^2 - L_i L_j
    expected = 6.0 / 12.0 * np.array([[5.0, -2, -4], [-2, 8, -2], [-4, -2, 5]])
    check(rod(6.0, [0, 0, 1], [2, 1, 3]), 6.0, [1, 0.5, 2], expected)


def test_cylinder_and_tube() -> None:
    # m r^2/2 about the axis, m (3 r^2 + h^2)/12 across
    check(cylinder(2.0, 0.3, 0.4), 2.0, [0, 0, 0], np.diag([2 * (0.27 + 0.16) / 12] * 2 + [0.09]))
    across, along = 3.0 * (3 * 0.05 + 0.36) / 12, 3.0 * 0.05 / 2  # r^2 sums to 0.04 + 0.01
    found = cylinder(3.0, 0.2, 0.6, axis=[0, -5, 0], center=[1, 2, 3], inner_radius=0.1)
    check(found, 3.0, [1, 2, 3], np.diag([across, along, across]))


def test_tube_is_cylinder_minus_hole() -> None:
    solid, hole = cylinder(4.0, 0.2, 0.6), cylinder(1.0, 0.1, 0.6)  # the same density
    expected = np.array(solid["inertia"]) - np.array(hole["inertia"])
    check(cylinder(3.0, 0.2, 0.6, inner_radius=0.1), 3.0, [0, 0, 0], expected)


def test_box() -> None:
    expected = np.diag([4.0 + 9.0, 9.0 + 1.0, 1.0 + 4.0]) * 12 / 12
    check(box(12.0, [1, 2, 3], center=[0, 1, 0]), 12.0, [0, 1, 0], expected)


def test_sphere_and_point() -> None:
    check(sphere(5.0, 0.1), 5.0, [0, 0, 0], 0.4 * 5.0 * 0.01 * np.eye(3))
    assert sphere(5.0, 0.0, center=[1, 0, 0])["inertia"] == ((0, 0, 0),) * 3


def test_a_box_of_two_halves() -> None:
    halves = [box(6.0, [0.5, 2, 3], center=[x, 0, 0]) for x in (-0.25, 0.25)]
    check(composite(halves), 12.0, [0, 0, 0], box(12.0, [1, 2, 3])["inertia"])


def test_a_part_brings_its_frame() -> None:
    at = gough.Frame.from_axes([1, 2, 3], z=[1, 0, 0], x=[0, 1, 0])
    lying = composite([(cylinder(2.0, 0.3, 0.4, center=[0, 0, 0.1]), at)])
    check(lying, 2.0, [1.1, 2, 3], cylinder(2.0, 0.3, 0.4, axis=[1, 0, 0])["inertia"])


def test_two_points_make_a_dumb_bell() -> None:
    pair = composite([sphere(1.0, 0, center=[0, 0, 0]), sphere(3.0, 0, center=[0, 0, 4.0])])
    check(pair, 4.0, [0, 0, 3.0], np.diag([12.0, 12.0, 0.0]))  # reduced mass 3/4 times 16


def test_small_bodies_keep_their_small_inertia() -> None:
    """A body of a microgram is not rounding dust."""
    assert sphere(1e-9, 1e-5)["inertia"][0][0] == pytest.approx(4e-20, rel=ROUNDING)


lengths = st.floats(0.01, 10.0)


@given(st.lists(st.tuples(lengths, lengths, lengths, lengths), min_size=1, max_size=4))
def test_composites_are_bodies(sizes: list[tuple[float, float, float, float]]) -> None:
    parts = [box(m, [x, y, z], center=[x, -y, z]) for m, x, y, z in sizes]
    assert gough.Body("b", **composite(parts)).mass == pytest.approx(sum(m for m, *_ in sizes))


@pytest.mark.parametrize(
    ("shape", "path"),
    [
        (lambda: rod(0, [0, 0, 0], [1, 0, 0]), "mass"),
        (lambda: rod(1, [0, 0], [1, 0, 0]), "start"),
        (lambda: cylinder(1, 0, 1), "radius"),
        (lambda: cylinder(1, 1, -1), "length"),
        (lambda: cylinder(1, 1, 1, axis=[0, 0, 0]), "axis"),
        (lambda: cylinder(1, 1, 1, inner_radius=-1), "inner_radius"),
        (lambda: cylinder(1, 1, 1, inner_radius=1), ""),
        (lambda: box(1, [1, -1, 1]), "size[1]"),
        (lambda: sphere(1, float("nan")), "radius"),
        (lambda: composite([]), ""),
    ],
)
def test_impossible_shapes(shape: object, path: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        shape()  # type: ignore[operator]
    assert caught.value.path == path


def body(entry: str) -> gough.Body:
    joint = "joints: {j: {kind: fixed, parent: base, child: b}}"
    return reads(f"gough: 1\nname: r\nplatform: b\nbodies:\n  b: {entry}\n{joint}\n").bodies[0]


def test_shapes_in_files() -> None:
    assert body("{rod: {mass: 0.4, start: [0, 0, 0], end: [0.5, 0, 0]}}") == gough.Body(
        "b", **rod(0.4, [0, 0, 0], [0.5, 0, 0])
    )
    tube = "cylinder: {mass: 1, radius: 0.2, length: 1, axis: [1, 1, 0], inner_radius: 0.1}"
    made = cylinder(1, 0.2, 1, axis=[1, 1, 0], inner_radius=0.1)
    assert body(f"{{{tube}}}") == gough.Body("b", **made)
    assert body("{box: {mass: 1, size: [1, 2, 3], center: [1, 0, 0]}, label: x}") == gough.Body(
        "b", **box(1, [1, 2, 3], center=[1, 0, 0]), label="x"
    )
    at = gough.Frame.from_axes([0, 1, 0], z=[1, 0, 0])
    turned = f"{{{tube}, frame: {{position: [0, 1, 0], z: [1, 0, 0]}}}}"
    two = composite([(made, at), sphere(2, 0, center=[1, 0, 0])])
    found = body(f"{{composite: [{turned}, {{mass: 2, center: [1, 0, 0]}}]}}")
    assert found == gough.Body("b", **two)


@pytest.mark.parametrize(
    ("entry", "path", "words"),
    [
        ("{rod: {mass: 0, start: [0, 0, 0], end: [1, 0, 0]}}", "rod.mass", "positive"),
        ("{box: {mass: 1, size: [1, -2, 3]}}", "box.size[1]", "negative"),
        ("{cylinder: {mass: 1, radius: 1, length: 1, inner_radius: 2}}", "cylinder", "hole"),
        ("{sphere: {mass: 1, radius: 1}, mass: 2}", "mass", "beside 'sphere'"),
        ("{sphere: {mass: 1, radius: 1}, massless: true}", "sphere", "beside 'massless'"),
        ("{composite: [{sphere: {mass: 1, radius: 1}}], inertia: [1, 1, 1]}", "inertia", "beside"),
        ("{composite: []}", "composite", "at least one part"),
        ("{composite: [{mass: 1}, {label: x}]}", "composite[1].label", "unknown key"),
        ("{composite: [{mass: 1}, {center: [0, 0, 0]}]}", "composite[1]", "has no mass"),
        ("{composite: [{mass: 1, frame: {z: [0, 0, 0]}}]}", "composite[0].frame.z", "length zero"),
        (
            "{composite: [{mass: 1, inertia: [1, 1, 3]}]}",
            "composite[0].inertia",
            "principal moments",
        ),
        ("{composite: [{mass: -1}]}", "composite[0].mass", "positive"),
        ("{massless: false}", "", "has no mass"),
        ("{massless: true, mass: 1}", "mass", "beside 'massless'"),
        ("{mass: 0}", "mass", "positive"),
        ("{}", "", "has no mass"),
    ],
)
def test_impossible_bodies_in_files(entry: str, path: str, words: str) -> None:
    with pytest.raises(gough.errors.FileError) as caught:
        body(entry)
    assert caught.value.path == f"bodies.b.{path}".rstrip(".")
    assert caught.value.line == 5
    assert words in str(caught.value)
