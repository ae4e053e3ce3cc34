"""The tool of a linear Delta from its sliders in closed form; takes nothing from the library.

A slider stands over its rail at a height, the tool hangs at a given distance from each of three
sliders: the lower one of the two points where three spheres meet.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def tool(radius: float, angles: Any, arms: Any, endstops: Any, sliders: Any) -> np.ndarray:
    """Positions of the tool ``(..., 3)``.

    Args:
        radius: horizontal distance that bars span with the tool in the middle.
        angles: of the three rails about z [rad].
        arms: lengths of the bars, one a leg.
        endstops: heights of the tool in the middle with each slider at its end stop.
        sliders: heights of the sliders above their end stops ``(..., 3)``.
    """
    angles, arms, endstops = (np.asarray(each, dtype=float) for each in (angles, arms, endstops))
    heights = endstops + np.sqrt(arms**2 - radius**2) + np.asarray(sliders, dtype=float)
    flat = np.broadcast_to(
        radius * np.stack([np.cos(angles), np.sin(angles)], 1), (*heights.shape, 2)
    )
    centres = np.concatenate([flat, heights[..., None]], axis=-1)
    # |p - c_i| = r_i; the first less the others leaves two planes, which meet in p = a + b z
    power = (centres**2).sum(axis=-1) - arms**2
    normals = 2.0 * (centres[..., 1:, :] - centres[..., :1, :])
    right = power[..., 1:] - power[..., :1]
    a = np.linalg.solve(normals[..., :2], right[..., None])[..., 0]
    b = np.linalg.solve(normals[..., :2], -normals[..., 2:])[..., 0]
    # put into the first sphere: a quadratic in z, of which the lower root is meant
    off = a - centres[..., 0, :2]
    top = heights[..., 0]
    square = 1.0 + (b * b).sum(axis=-1)
    half = (off * b).sum(axis=-1) - top
    rest = (off * off).sum(axis=-1) + top**2 - arms[0] ** 2
    z = (-half - np.sqrt(half**2 - square * rest)) / square
    return np.concatenate([a + b * z[..., None], z[..., None]], axis=-1)
