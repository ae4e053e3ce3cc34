r"""Planar 3-RRR: a platform in the plane on three legs of two links, motors on the base.

::

             o base 3
             |\
             | o             leg: R* R R
           .-o-.
          / platform
     o---o-------o---o
    base 1         base 2

Source: C. Gosselin, J. Angeles (1988); reference machine of section 7 of the design.  The figures
are a reference set made up for tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.build.planar import three_rrr as build_three_rrr
from gough.robot import Robot
from gough.zoo.planar import rrr_legs
from gough.zoo.reading import body

_PROXIMAL = {
    "mass": 1.1,
    "com": [0.14, 0.003, 0.0],
    "inertia_com": [
        [0.0003758333333333334, 0.0, 0.0],
        [0.0, 0.009533333333333335, 0.0],
        [0.0, 0.0, 0.009615833333333336],
    ],
}
_DISTAL = {
    "mass": 0.7,
    "com": [0.16, -0.002, 0.0],
    "inertia_com": [
        [0.00014583333333333332, 0.0, 0.0],
        [0.0, 0.006795833333333333, 0.0],
        [0.0, 0.0, 0.006836666666666667],
    ],
}
_MOTOR = {"viscous": 0.05, "coulomb": 0.06, "rotor_inertia": 0.01}
LEGS = [
    {
        "base_point": base_point,
        "l_prox": 0.33,
        "l_dist": 0.35,
        "mode": 1,
        "platform_point": platform_point,
        "proximal": _PROXIMAL,
        "distal": _DISTAL,
        "act": _MOTOR,
    }
    for base_point, platform_point in [
        ([-0.4330127018922193, -0.25, 0.0], [-0.10392304845413262, -0.06, 0.0]),
        ([0.4330127018922193, -0.25, 0.0], [0.10392304845413262, -0.06, 0.0]),
        ([0.0, 0.5, 0.0], [0.0, 0.12, 0.0]),
    ]
]
PLATFORM = {
    "mass": 1.6,
    "com": [0.01, -0.006, 0.0],
    "inertia_com": [
        [0.0044399999999999995, 0.0, 0.0],
        [0.0, 0.005453333333333334, 0.0],
        [0.0, 0.0, 0.009653333333333333],
    ],
}


def three_rrr(
    *,
    gravity: Sequence[float] = (0.0, -9.81, 0.0),
    legs: Sequence[dict[str, Any]] = LEGS,
    platform: dict[str, Any] = PLATFORM,
) -> Robot:
    """Planar 3-RRR; the motors' coordinates are the angles of the proximal links from base x [rad].

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: three mappings. ``base_point``: place of the motor [m]; ``platform_point``: where the
            leg holds the platform, platform axes [m]; ``l_prox``, ``l_dist``: lengths of the links
            [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the platform point
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
        platform: its body.
    """
    return build_three_rrr(
        **rrr_legs(legs, 3),
        platform=body("platform", platform),
        gravity=gravity,
        label="Planar 3-RRR",
        source="C. Gosselin, J. Angeles (1988); figures made up",
    )
