"""Legs of the zoo, by the names that the builders give their parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.zoo import reading as read
from gough.zoo.reading import Leg


def together(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Figures of legs as builders of whole machines take them: by name a list, one for each leg."""
    return {key: [row[key] for row in rows] for key in rows[0]}


def planar_legs(data: Any, count: int, *points: str) -> dict[str, Any]:
    """Planar R* R R legs, for ``gough.build.planar_rrr`` and ``five_bar``.

    Args:
        data: mappings with ``l_prox``, ``l_dist`` [m], ``mode``, the bodies ``proximal, distal``,
            perhaps ``act``, their motor, and the points.
        count: how many legs there are.
        *points: keys of points of the leg: ``base_point``, ``platform_point``.
    """
    keys = [points[0], "l_prox", "l_dist", "mode", *points[1:], "proximal", "distal"]
    return together(
        [
            {f"{key}s": leg.get(read.vector, key) for key in points}
            | {
                "proximal": leg.get(read.length, "l_prox"),
                "distal": leg.get(read.length, "l_dist"),
                "modes": leg.get(read.sign, "mode"),
                "proximal_body": leg.body("proximal", f"prox{leg.n}"),
                "distal_body": leg.body("distal", f"dist{leg.n}"),
                "motor": leg.get(read.axis, "act"),
            }
            for leg in read.legs(data, count, keys, optional=["act"])
        ]
    )


def delta_lengths(L: Any, l: Any, s: Any) -> dict[str, Any]:  # noqa: E741
    """Arms, bars and half the distance of the bars of Delta legs that are all alike [m]."""
    given = {"arm": (L, "L"), "bar": (l, "l"), "half_spacing": (s, "s")}
    return {key: read.length(value, path) for key, (value, path) in given.items()}


def pair_of_bars(leg: Leg) -> dict[str, Any]:
    """Two parallel bars, as those of a Delta, and the motor of their leg."""
    return {
        "bar_a": leg.body("bar_a", f"bar{leg.n}a"),
        "bar_b": leg.body("bar_b", f"bar{leg.n}b"),
        "motor": leg.get(read.axis, "act"),
    }


def telescope(leg: Leg, motor: str = "act") -> dict[str, Any]:
    """Cylinder and rod of a telescopic leg, and the motor between them."""
    return {
        "cylinder": leg.body("cylinder", f"cyl{leg.n}"),
        "rod": leg.body("rod"),
        "motor": leg.get(read.axis, motor),
    }
