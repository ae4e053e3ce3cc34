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

from typing import Any

from gough.build.planar import three_rrr as build_three_rrr
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import planar_legs


def three_rrr(*, legs: read.Legs, **rest: Any) -> Robot:
    """Planar 3-RRR; the motors' coordinates are the angles of the proximal links from base x [rad].

    Args:
        legs: three mappings. ``base_point``: place of the motor [m]; ``platform_point``: where the
            leg holds the platform, platform axes [m]; ``l_prox``, ``l_dist``: lengths of the links
            [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the platform point
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    return build_three_rrr(**planar_legs(legs, 3, "base_point", "platform_point"), **rest)
