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
from gough.zoo.legs import planar_legs
from gough.zoo.reading import body, placement


def four_rrr(
    *,
    gravity: Sequence[float],
    legs: Sequence[Mapping[str, Any]],
    platform: Mapping[str, Any],
    home: Sequence[float],
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
        **planar_legs(legs, 4, "base_point", "platform_point"),
        home=placement(home, "home"),
        name="four_rrr",
        platform=body("platform", platform),
        gravity=gravity,
        label="Planar 4-RRR, redundantly driven: four motors for three freedoms",
        source="A. Mueller, T-RO 2005; numbers of our own",
    )
