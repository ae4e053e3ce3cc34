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

from collections.abc import Sequence
from typing import Any

from gough.build.planar import planar_rrr
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import planar_legs


def four_rrr(*, legs: read.Legs, home: Sequence[float], **rest: Any) -> Robot:
    """Planar 4-RRR; the motors' coordinates are the angles of the proximal links from base x [rad].

    Args:
        legs: four mappings. ``base_point``: place of the motor [m]; ``platform_point``: where the
            leg holds the platform, platform axes [m]; ``l_prox``, ``l_dist``: lengths of the links
            [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the platform point
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
        home: position [m] and rotation vector [rad] of the platform.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    return planar_rrr(
        **planar_legs(legs, 4, "base_point", "platform_point"),
        home=read.placement(home, "home"),
        **rest,
    )
