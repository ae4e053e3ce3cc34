"""Contours of cylinders and spheres against brute force."""

import numpy as np
import pytest

from gough.errors import InputError
from gough.simulation.vision.contours import contour_normals, ellipse_centre

RNG = np.random.default_rng(4)
CASES = [
    (RNG.normal(size=3) + 3.0 * np.eye(3)[2], RNG.normal(size=3), r) for r in (0.001, 0.05, 0.4)
]


@pytest.mark.parametrize(("point", "along", "radius"), CASES)
def test_planes_through_the_camera_touch_the_cylinder(point, along, radius):
    x = along / np.linalg.norm(along)
    normals = contour_normals(point, x, radius)
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(normals @ x, 0.0, atol=1e-14)
    np.testing.assert_allclose(normals @ point, -radius, atol=1e-14)
    # no point of the surface is beyond them, and the nearest one is on them
    e = np.linalg.svd(x[None])[2][1:]
    turns = np.linspace(0.0, 2.0 * np.pi, 7201)
    surface = point + radius * (np.cos(turns)[:, None] * e[0] + np.sin(turns)[:, None] * e[1])
    beyond = (surface @ normals.T).max(axis=0)
    assert (beyond < 1e-14).all()
    assert (beyond > -1e-6 * radius).all()  # a step of the circle is 9e-4 rad, squared over 8


@pytest.mark.parametrize(("point", "along", "radius"), CASES)
def test_the_direction_does_not_depend_on_the_radius(point, along, radius):
    x = along / np.linalg.norm(along)
    n = contour_normals(point, x, radius)
    across = np.cross(n[0], n[1])
    # sin(2 b) of the angle between the planes; rounding counts by its reciprocal
    size = np.linalg.norm(across)
    np.testing.assert_allclose(-across / size, x, atol=1e-15 / size)
    sine = radius / np.linalg.norm(np.cross(point, x))
    np.testing.assert_allclose(size, np.sin(2.0 * np.arcsin(sine)), rtol=1e-12)


def test_a_camera_inside_a_leg_is_refused():
    with pytest.raises(InputError, match="the camera is inside a leg: 0") as got:
        contour_normals(np.array([0.03, 0.0, 2.0]), np.array([0.0, 0.0, 1.0]), 0.05)
    assert got.value.argument == "T_0c"


@pytest.mark.parametrize("radius", [0.01, 0.3])
def test_the_middle_of_a_sphere_in_an_image(radius):
    centre = np.array([0.7, -0.4, 1.5])
    d = np.linalg.norm(centre)
    sine = radius / d
    a = centre / d
    e = np.linalg.svd(a[None])[2][1:]
    turns = np.linspace(0.0, 2.0 * np.pi, 20001)
    ring = np.cos(turns)[:, None] * e[0] + np.sin(turns)[:, None] * e[1]
    rays = np.sqrt(1.0 - sine**2) * a + sine * ring  # of the cone that touches it
    seen = rays[:, :2] / rays[:, 2:]
    middle = 0.5 * (seen.max(axis=0) + seen.min(axis=0))  # of the ellipse
    np.testing.assert_allclose(ellipse_centre(centre, radius), middle, atol=1e-7)
    if radius > 0.1:  # and it is not the image of the sphere's own middle
        assert np.linalg.norm(middle - centre[:2] / centre[2]) > 1e-2


def test_a_sphere_around_the_camera_is_refused():
    with pytest.raises(InputError, match="not in front of the camera"):
        ellipse_centre(np.array([0.0, 0.0, 0.1]), 0.2)
