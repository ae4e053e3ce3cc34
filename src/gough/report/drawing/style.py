"""Colours, thicknesses and letters of both painters; thicknesses in units of a joint's radius."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

INK = "#1f2933"
"""Text, outlines and the scale bar."""

COLOURS = {
    "base": "#aab4bf",
    "link": "#5b6b7f",
    "rod": "#c3ccd6",
    "hub": "#7fb0e6",
    "platform": "#2f78c8",
    "motor": "#e8701a",
    "joint": "#e4e9ee",
    "pin": "#3d4956",
    "x": "#d64545",
    "y": "#3f9d4f",
    "z": "#3457c9",
}

RADIUS = {"bar": 0.46, "tube": 0.7, "rod": 0.4, "rail": 0.34}
"""Of strokes."""

PLATE = 0.3
"""Half the thickness of a plate."""

ROUNDING = {"hull": 1.15, "face": 1.7}
"""How far a plate reaches beyond the joints at its corners."""

TRIAD = 0.15
"""Length of a frame's axes, as a share of the robot's size."""

BELT: dict[str, Any] = {"color": COLOURS["motor"], "linestyle": (0, (4, 2)), "linewidth": 1.3}
"""The line of a coupling over its joints."""

GHOSTS = (0.62, 0.86)
"""How far the nearest and the farthest of the earlier poses fade to white."""


class Filled(NamedTuple):
    """What a picture fills of its axes: its middle, width and height, as shares of theirs."""

    centre: np.ndarray
    shares: np.ndarray


def rgb(colour: str) -> np.ndarray:
    """Red, green and blue from 0 to 1 of ``#rrggbb``."""
    return np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0


def faded(colour: np.ndarray, share: float) -> np.ndarray:
    """A colour mixed with white."""
    return np.asarray(colour + (1.0 - colour) * share)


def ghost_shares(count: int) -> list[float]:
    """How far each of several poses fades; the last one does not."""
    if count == 1:
        return [0.0]
    near, far = GHOSTS
    if count == 2:
        return [near, 0.0]
    return [*np.linspace(far, near, count - 1).tolist(), 0.0]


def stroke_colour(kind: str, role: str) -> str:
    """Colour of a stroke: a rod shines, others show what their body is."""
    return COLOURS["rod" if kind == "rod" and role == "link" else role]


def round_length(length: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not above a length."""
    power = 10.0 ** np.floor(np.log10(length))
    return float(max(m * power for m in (1.0, 2.0, 5.0) if m * power <= length * (1.0 + 1e-9)))


def length_text(length: float) -> str:
    """A round length with the unit one would say."""
    for unit, name in ((1.0, "m"), (1e-2, "cm"), (1e-3, "mm")):
        if length >= unit * (1.0 - 1e-9):
            return f"{length / unit:g} {name}"
    return f"{length:g} m"


def add_names(axes: Any, places: Mapping[str, np.ndarray]) -> None:
    """Names beside what they belong to, readable on everything."""
    from matplotlib.patheffects import withStroke  # noqa: PLC0415

    halo = [withStroke(linewidth=2.0, foreground="white")]
    for name, at in places.items():
        axes.text(*at, name, fontsize=7, color=INK, zorder=1000, path_effects=halo)
