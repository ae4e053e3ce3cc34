r"""Five-bar: two cranks and two bars that meet in a tip; two degrees of freedom in the plane.

::

              tip P
               .o.
      dist1  .'   '.  dist2
           .'       '.
          o           o              leg: R* R, closed by an R at the tip
    prox1  \         /  prox2
            o       o
        ///////////////// base

Source: [OZ] section on the five-bar.  Where the numbers come from: the set of this name of the
reference robots.
"""

from __future__ import annotations

from typing import Any

from gough.build.planar import five_bar as build_five_bar
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import planar_legs


def five_bar(*, legs: read.Legs, **rest: Any) -> Robot:
    """Five-bar in the plane x y; its platform is the distal link of leg 1, the frame at the tip.

    Args:
        legs: two mappings. ``base_point``: place of the motor [m]; ``l_prox``, ``l_dist``: lengths
            of the links [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the tip
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
        **rest: ``gravity`` [m/s^2]; name, label and source.
    """
    return build_five_bar(**planar_legs(legs, 2, "base_point"), **rest)
