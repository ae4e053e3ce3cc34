"""Planar R* R R legs as the reference writes them, read for the builders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.zoo.reading import axis, body, length, sign


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
