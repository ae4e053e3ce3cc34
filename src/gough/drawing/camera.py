"""From where a robot in space is seen, without perspective."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.drawing.scene import Scene
from gough.drawing.shapes import distinct

ELEVATION = 20.0
AZIMUTHS = tuple(range(-80, -24, 4))
"""Directions to choose from [deg]: x to the right, y to the back."""


def camera(elevation: float, azimuth: float) -> np.ndarray:
    """Rows: to the right, up, and towards the viewer, base axes; angles in degrees."""
    e, a = np.radians([elevation, azimuth])
    towards = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return np.stack([right, np.cross(towards, right), towards])


def best_view(scene: Scene) -> tuple[float, float]:
    """Elevation and azimuth [deg] from which joints and bars are seen well apart."""
    joints = distinct([m.position for m in scene.marks], 0.02 * scene.length)
    middles = [s.points.mean(axis=0) for s in scene.strokes if s.kind != "rail"]
    points = np.concatenate([joints, distinct(middles, 0.02 * scene.length)])

    def score(azimuth: float) -> float:
        seen = points @ camera(ELEVATION, azimuth)[:2].T
        gaps = np.linalg.norm(seen[:, None] - seen[None], axis=2) / scene.length
        return -float((1.0 / (gaps + 0.03)).sum())

    return ELEVATION, float(max(AZIMUTHS, key=score))


def fit(axes: Any, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Fill 3-D axes with points: equal scales, their middle in the middle.

    Returns:
        Middle, and width and height, of what is filled, as shares of those of the axes.
    """
    frame = camera(axes.elev, axes.azim)
    seen = points @ frame.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (low + high) / 2.0 @ frame
    half = float((high - low).max()) / 2.0 or 1.0
    for which, value in zip("xyz", middle, strict=True):
        getattr(axes, f"set_{which}lim")(value - half, value + half)
    axes.set_box_aspect((1.0, 1.0, 1.0))
    # without perspective, what is seen grows with the zoom
    centre = in_axes(axes, middle[None])[0]
    reach = np.abs(in_axes(axes, points) - centre).max(axis=0)
    axes.set_box_aspect((1.0, 1.0, 1.0), zoom=0.48 / float(reach.max()))
    return centre, 0.96 * reach / reach.max()


def in_axes(axes: Any, points: np.ndarray) -> np.ndarray:
    """Where points are seen, as shares of the width and height of 3-D axes ``(k, 2)``."""
    seen = np.column_stack([points, np.ones(len(points))]) @ axes.get_proj().T
    to_axes = axes.transData + axes.transAxes.inverted()
    return np.asarray(to_axes.transform(seen[:, :2] / seen[:, 3:]))
