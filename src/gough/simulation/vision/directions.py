"""Directions of legs from their images, and how far noise throws them off.

A line ``l`` of the image is the plane with normal ``n ~ K^T l`` through the camera's centre; a leg
points along ``n1 x n2``, whatever its radius is.  Of the camera's pose only the orientation counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gough.errors import InputError
from gough.simulation.vision.camera import Camera
from gough.simulation.vision.image import Image, Outline


class Direction(NamedTuple):
    """Where a leg points, as an image shows it.

    Attributes:
        x: unit direction, base axes.
        spread: covariance of x for edge points that are off by one pixel, base axes ``(3, 3)``
            [1/px^2]: times ``noise**2`` it is that of the camera's noise, to first order.
    """

    x: np.ndarray
    spread: np.ndarray


def directions(
    camera: Camera, image: Image, near: Mapping[str, np.ndarray]
) -> dict[str, Direction]:
    """Directions of the legs that an image shows.

    Args:
        camera: as it is known: its focal length, its middle and its orientation count.
        image: from :func:`take`.
        near: where each leg points roughly, base axes: two lines do not show which end is which.

    Raises:
        InputError: a leg in the image has no direction nearby.
    """
    found = {}
    for name, outline in image.outlines.items():
        if name not in near:
            raise InputError(f"near: no direction of leg {name!r}", argument="near")
        found[name] = _direction(camera, outline, near[name])
    return found


def _direction(camera: Camera, outline: Outline, near: np.ndarray) -> Direction:
    R, K = camera.T_0c[:3, :3], camera.intrinsics
    planes = outline.lines @ K
    sizes = np.linalg.norm(planes, axis=1)
    n = planes / sizes[:, None]
    across = np.cross(n[0], n[1])
    size = float(np.linalg.norm(across))
    x = across / size
    tangent = np.eye(3) - np.outer(x, x)
    spread = np.zeros((3, 3))
    for i, other in enumerate((n[1], -n[0])):
        a, b, _ = outline.lines[i]
        along = np.array([-b, a])
        # a line turns about the middle of its points and shifts across, independently
        turn = np.append(along, -(along @ outline.middle[i]))
        shift = np.array([0.0, 0.0, 1.0])
        for d_line, variance in (
            (turn, 1.0 / outline.spread[i]),
            (shift, 1.0 / outline.counts[i]),
        ):
            dn = d_line @ K / sizes[i]
            dx = tangent @ np.cross(dn - n[i] * (n[i] @ dn), other) / size
            spread += variance * np.outer(dx, dx)
    x, spread = R @ x, R @ spread @ R.T
    return Direction(x if x @ near >= 0.0 else -x, spread)
