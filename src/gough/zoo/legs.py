"""Legs of the zoo, by the names that the builders give their parts."""

from __future__ import annotations

from typing import Any

from gough.build import Leg
from gough.build.parts import PLATFORM
from gough.zoo import reading as read


def two_links(leg: read.Leg, proximal: str, distal: str, motor: str = "act") -> Leg:
    """What a leg of two bodies is made of, called by their keys, and the motor between them."""
    return Leg(leg.body(proximal), leg.body(distal), leg.get(read.axis, motor))


def telescope(leg: read.Leg, motor: str = "act") -> Leg:
    """Cylinder and rod of a telescopic leg, and the motor between them."""
    return Leg(leg.body("cylinder", f"cyl{leg.n}"), leg.body("rod"), leg.get(read.axis, motor))


def with_bars(leg: read.Leg, carrier: str, platform: str = PLATFORM) -> Leg:
    """Two parallel bars, as a Delta's, the arm or slider that carries them, and its motor."""
    bars = [leg.body(f"bar_{side}", f"bar{leg.n}{side}") for side in "ab"]
    return Leg(leg.body(carrier), bars, leg.get(read.axis, "act"), platform=platform)


def planar_legs(data: Any, count: int, *points: str) -> dict[str, Any]:
    """Planar R* R R legs, for ``gough.build.planar_rrr`` and ``five_bar``.

    Args:
        data: mappings with ``l_prox``, ``l_dist`` [m], ``mode``, the bodies ``proximal, distal``,
            perhaps ``act``, their motor, and the points.
        count: how many legs there are.
        *points: keys of points of the leg: ``base_point``, ``platform_point``.
    """
    keys = [points[0], "l_prox", "l_dist", "mode", *points[1:], "proximal", "distal"]
    given = read.legs(data, count, keys, optional=["act"])
    return {f"{key}s": read.column(given, read.vector, key) for key in points} | {
        "proximal": read.column(given, read.length, "l_prox").tolist(),
        "distal": read.column(given, read.length, "l_dist").tolist(),
        "modes": read.column(given, read.sign, "mode").tolist(),
        "legs": [_planar(leg) for leg in given],
    }


def _planar(leg: read.Leg) -> Leg:
    proximal, distal = leg.body("proximal", f"prox{leg.n}"), leg.body("distal", f"dist{leg.n}")
    return Leg(proximal, distal, leg.get(read.axis, "act"))


def delta_lengths(L: Any, l: Any, s: Any) -> dict[str, Any]:  # noqa: E741
    """Arms, bars and half the distance of the bars of Delta legs that are all alike [m]."""
    given = {"arm": (L, "L"), "bar": (l, "l"), "half_spacing": (s, "s")}
    return {key: read.length(value, path) for key, (value, path) in given.items()}
