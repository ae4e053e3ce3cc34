r"""Planar 4-RRR: a platform in the plane on four legs of two links; one motor more than freedoms.

::

    base 4 o------o           o base 3
                  |           |
                  o-------o---o             leg: R* R R
                  | platf |
              o---o-------o                 four motors for x, y and the angle: they may push
              |           |                 against each other without moving anything, which
       base 1 o           o------o base 2   takes the backlash out of their gears

Source: A. Mueller, *Internal preload control of redundantly actuated parallel manipulators*, IEEE
Transactions on Robotics 21 (2005), shows it on a planar 4-RRR.  Where the numbers come from: ours,
the size of a table top, with uneven legs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.build.planar import planar_rrr
from gough.robot import Robot
from gough.zoo.planar import rrr_legs
from gough.zoo.reading import body, placement
from gough.zoo.shapes import disc, link

# places of the motors, and where their legs hold the platform
_LAYOUT = (
    ((-0.42, -0.33), (-0.16, -0.1)),
    ((0.41, -0.35), (0.17, -0.1)),
    ((0.43, 0.34), (0.16, 0.11)),
    ((-0.4, 0.36), (-0.15, 0.1)),
)
LEGS: Sequence[Mapping[str, Any]] = [
    {
        "base_point": [*base_point, 0.0],
        "l_prox": 0.3 + 0.005 * i,
        "l_dist": 0.34 - 0.005 * i,
        "mode": -1,
        "platform_point": [*platform_point, 0.0],
        "proximal": link(0.9 + 0.05 * i, 0.02, 0.3, at=(0.05, 0.012, 0.015)),
        "distal": link(0.55 - 0.02 * i, 0.014, 0.34, at=(0.25, -0.008, 0.01)),
        "act": {
            "viscous": 0.05 + 0.005 * i,
            "coulomb": 0.08 - 0.005 * i,
            "rotor_inertia": 0.008 + 0.001 * i,
            "effort": 12.0,
        },
    }
    for i, (base_point, platform_point) in enumerate(_LAYOUT)
]
PLATFORM: Mapping[str, Any] = disc(1.8, 0.16, 0.015, at=(0.03, -0.04, 0.02))


def four_rrr(
    *,
    gravity: Sequence[float] = (0.0, -9.81, 0.0),
    legs: Sequence[Mapping[str, Any]] = LEGS,
    platform: Mapping[str, Any] = PLATFORM,
    home: Sequence[float] = (0.02, 0.01, 0.0, 0.0, 0.0, 0.2),
) -> Robot:
    """Planar 4-RRR; the motors' coordinates are the angles of the proximal links from base x [rad].

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: four mappings. ``base_point``: place of the motor [m]; ``platform_point``: where the
            leg holds the platform, platform axes [m]; ``l_prox``, ``l_dist``: lengths of the links
            [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the platform point
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
        platform: its body.
        home: position [m] and rotation vector [rad] of the platform.
    """
    return planar_rrr(
        **rrr_legs(legs, 4),
        home=placement(home, "home"),
        name="four_rrr",
        platform=body("platform", platform),
        gravity=gravity,
        label="Planar 4-RRR, redundantly driven: four motors for three freedoms",
        source="A. Mueller, T-RO 2005; numbers of our own",
    )
