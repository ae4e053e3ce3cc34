"""Contours of cylinders and spheres as a pinhole camera sees them.  A leaf that knows no robot.

The planes through the camera's centre that touch a cylinder contain its direction x.  With h the
moment of its axis about the centre, its distance is ``|h|``, and the planes are turned from that
through the axis by b, ``sin b = r / |h|``.  Whatever r is, both contain x: ``x ~ n1 x n2``.
"""

from __future__ import annotations

import numpy as np

from gough.errors import InputError


def contour_normals(point: np.ndarray, x: np.ndarray, radius: float) -> np.ndarray:
    """Unit normals ``(2, 3)`` of the planes through the origin that touch a cylinder.

    Both point away from it: its axis is at the distance ``-radius`` of either plane, and
    ``point + s x + radius n`` is on it.

    Args:
        point: of the axis [m], camera axes.
        x: unit direction of the axis.
        radius: of the cylinder [m].

    Raises:
        InputError: the origin, where the camera is, is inside the cylinder.
    """
    foot = point - x * (x @ point)  # of the perpendicular from the camera, = x cross h
    distance = float(np.linalg.norm(foot))
    if distance <= radius:
        raise InputError(
            f"the camera is inside a leg: {distance:.3g} m from its axis, radius {radius:.3g} m",
            hint="Likely: T_0c is another pose than meant, or the radius is in millimetres.",
            argument="T_0c",
        )
    f = foot / distance
    n = np.cross(f, x)  # of the plane through the axis, = h / |h|
    sine = radius / distance
    cosine = np.sqrt(1.0 - sine**2)
    return np.stack([cosine * n - sine * f, -cosine * n - sine * f])


def ellipse_centre(centre: np.ndarray, radius: float) -> np.ndarray:
    """Where the middle of a sphere's image is: ``(x, y)`` at unit focal length.

    A sphere is seen as an ellipse, whose middle is not the image of the sphere's own: it is the
    pole of the line at infinity in ``(|c|^2 - r^2) I - c c^T``.

    Args:
        centre: of the sphere [m], camera axes.
        radius: of the sphere [m].

    Raises:
        InputError: the sphere is not wholly in front of the camera.
    """
    if centre[2] <= radius:
        raise InputError(
            f"a sphere of radius {radius:.3g} m is not in front of the camera: "
            f"its middle is {centre[2]:.3g} m away along the camera's axis",
            argument="centre",
        )
    return np.asarray(centre[:2] * centre[2] / (centre[2] ** 2 - radius**2))
