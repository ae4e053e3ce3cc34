"""From where a robot in space is seen, without perspective."""

from __future__ import annotations

import numpy as np

from gough.report.drawing.scene import Scene
from gough.report.drawing.shapes import distinct

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
