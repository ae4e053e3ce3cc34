"""Shapes and solids: convex hulls, arcs, and surfaces that close."""

import numpy as np
import pytest

from gough.base import spatial
from gough.report.drawing import shapes, solids

RNG = np.random.default_rng(4)
NORMAL = np.array([0.48, -0.6, 0.64])


def test_a_hull_holds_all_points_and_runs_counter_clockwise():
    x, y = shapes.across(NORMAL)
    points = RNG.normal(size=(40, 2)) @ np.stack([x, y]) + 0.3 * NORMAL
    corners = shapes.hull(points, NORMAL)
    assert {tuple(c) for c in corners} <= {tuple(p) for p in points}
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside = np.cross(b - a, points - a) @ NORMAL
        assert inside.min() > -1e-12  # rounding: the corners themselves are on the edge


def test_a_rounded_outline_is_a_radius_away_from_its_points():
    corners = shapes.hull(RNG.normal(size=(9, 2)) @ shapes.across(NORMAL), NORMAL)
    grown = shapes.rounded(corners, NORMAL, 0.1, steps=16)
    nearest = np.linalg.norm(grown[:, None] - corners[None], axis=2).min(axis=1)
    assert np.allclose(nearest, 0.1, atol=1e-12)


def test_distinct_points_keep_the_first():
    points = [np.zeros(3), np.array([0.01, 0, 0]), np.array([1.0, 0, 0])]
    assert np.array_equal(shapes.distinct(points, 0.02), [[0, 0, 0], [1, 0, 0]])
    assert shapes.distinct([], 0.02).shape == (0, 3)


def test_ends_of_points_on_a_line():
    direction = np.array([0.6, 0.0, -0.8])
    points = np.outer([0.4, -1.0, 2.5, 0.0], direction) + np.array([1.0, 2.0, 3.0])
    assert shapes.is_line(points, 1e-9)
    found = {tuple(p) for p in shapes.ends(points)}
    assert found == {tuple(points[1]), tuple(points[2])}


def test_a_tree_joins_all_points_and_makes_a_t_of_a_delta_arm():
    hinge, left, right = np.array([[0, 0, 0], [1, 0.1, 0], [1, -0.1, 0]], dtype=float)
    crossbar, arm = shapes.tree(np.stack([hinge, left, right]))
    assert {tuple(p) for p in crossbar} == {tuple(left), tuple(right)}
    assert {tuple(p) for p in arm} == {tuple(hinge), (1.0, 0.0, 0.0)}
    assert len(shapes.tree(RNG.normal(size=(7, 3)))) == 6


def test_an_arc_keeps_its_radius_and_its_ends():
    centre, start, end = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 3.0]), np.array([1, 2, 5.0])
    points = shapes.arc(start, end, centre)
    assert np.allclose(points[[0, -1]], [start, end])
    radii = np.linalg.norm(points - centre, axis=1)
    assert np.allclose(radii, np.linspace(1.0, 2.0, len(points)))
    opposite = shapes.arc(start, 2 * centre - start, centre)
    assert np.array_equal(opposite, [start, 2 * centre - start])


A, B = np.array([0.1, -0.2, 0.3]), np.array([0.7, 0.3, -0.4])
LENGTH = float(np.linalg.norm(B - A))
FRAME = spatial.rotation_exp(np.array([0.3, -0.4, 0.5]))
TRIANGLE = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)


def polygon(sides: int) -> float:
    """Area of a regular polygon in a circle of radius 1."""
    return sides / 2.0 * np.sin(2.0 * np.pi / sides)


SOLIDS = {
    "round bar": (
        solids.bar(np.stack([A, B]), 0.2, 0.15, sides=14),
        polygon(14) * 0.04 * LENGTH,
    ),
    "square bar": (solids.bar(np.stack([A, B]), 0.2, 0.15, square=True), 0.16 * LENGTH),
    "block": (solids.block(A, FRAME[2], 0.1, 0.3), 8 * 0.003),
    "cone": (solids.cone(A, B, 0.2, 12), polygon(12) * 0.04 * LENGTH / 3.0),
    # many faces: within 1 % of the round one
    "ball": (solids.ball(A, 0.5, 40, 60), 4.0 / 3.0 * np.pi * 0.125),
    "plate": (
        solids.plate(TRIANGLE, np.array([0.0, 0, 1]), 0.05, 0.1, 0.2),
        0.1 * (0.5 + 0.1 * (2 + np.sqrt(2)) + np.pi * 0.01),
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_close_and_face_outwards(name):
    faces, volume = SOLIDS[name]
    halves = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1]) / 2.0
    assert np.abs(halves.sum(axis=0)).max() < 1e-12  # a closed surface has no net area
    # by the theorem of Gauss; faces are flat
    found = float(np.einsum("ij,ij->", faces[:, 0], halves)) / 3.0
    exact = name not in ("ball", "plate")
    assert found == pytest.approx(volume, rel=1e-9 if exact else 1e-2)
    assert np.allclose(np.linalg.norm(solids.normals(faces), axis=1), 1.0)
