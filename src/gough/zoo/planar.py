"""Planar R* R R legs as the reference writes them, read for the builders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.zoo.reading import axis, body, entries, length, sign, vector

RRR = ["base_point", "l_prox", "l_dist", "mode", "platform_point", "proximal", "distal"]
"""Keys of a leg of a planar n-RRR; ``act``, its motor, may be left out."""


def rrr_legs(legs: Any, count: int) -> dict[str, Any]:
    """Legs of a planar n-RRR, by the names that ``gough.build.planar_rrr`` gives their parts."""
    given = entries(legs, count, RRR, "legs", optional=["act"])
    points = {
        f"{key}s": [vector(leg[key], f"legs[{i}].{key}") for i, leg in enumerate(given)]
        for key in ("base_point", "platform_point")
    }
    return points | two_link_legs(given)


def two_link_legs(legs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Links, modes, bodies and motors of legs, by the names that the planar builders give them.

    Args:
        legs: mappings with ``l_prox``, ``l_dist`` [m], ``mode``, ``proximal``, ``distal``, ``act``.
    """
    numbered = [(i, leg, f"legs[{i}]") for i, leg in enumerate(legs)]
    return {
        "proximal": [length(leg["l_prox"], f"{at}.l_prox") for _, leg, at in numbered],
        "distal": [length(leg["l_dist"], f"{at}.l_dist") for _, leg, at in numbered],
        "modes": [sign(leg["mode"], f"{at}.mode") for _, leg, at in numbered],
        "proximal_body": [
            body(f"prox{i + 1}", leg["proximal"], f"{at}.proximal") for i, leg, at in numbered
        ],
        "distal_body": [
            body(f"dist{i + 1}", leg["distal"], f"{at}.distal") for i, leg, at in numbered
        ],
        "motor": [axis(leg.get("act") or {}, f"{at}.act") for _, leg, at in numbered],
    }
