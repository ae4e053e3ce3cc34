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

from collections.abc import Sequence
from typing import Any

from gough.build.planar import five_bar as build_five_bar
from gough.robot import Robot
from gough.zoo.planar import two_link_legs
from gough.zoo.reading import entries, vector

_PROXIMAL = {
    "mass": 0.85,
    "com": [0.13, 0.004, 0.0],
    "inertia_com": [
        [0.00017708333333333332, 0.0, 0.0],
        [0.0, 0.006438749999999999, 0.0],
        [0.0, 0.0, 0.006488333333333333],
    ],
}
_DISTAL_1 = {
    "mass": 0.75,
    "com": [0.23, 0.002, 0.0],
    "inertia_com": [
        [0.00015625, 0.0, 0.0],
        [0.0, 0.01215625, 0.0],
        [0.0, 0.0, 0.012199999999999999],
    ],
}
_DISTAL_2 = {
    "mass": 0.55,
    "com": [0.19, -0.003, 0.0],
    "inertia_com": [
        [8.25e-05, 0.0, 0.0],
        [0.0, 0.007374583333333336, 0.0],
        [0.0, 0.0, 0.007374583333333336],
    ],
}
_MOTOR = {"viscous": 0.06, "coulomb": 0.05, "rotor_inertia": 0.008}
LEGS = [
    {
        "base_point": point,
        "l_prox": 0.3,
        "l_dist": 0.42,
        "mode": mode,
        "proximal": _PROXIMAL,
        "distal": distal,
        "act": _MOTOR,
    }
    for point, mode, distal in [
        ([-0.16, 0.0, 0.0], -1, _DISTAL_1),
        ([0.16, 0.0, 0.0], 1, _DISTAL_2),
    ]
]


def five_bar(
    *,
    gravity: Sequence[float] = (0.0, -9.81, 0.0),
    legs: Sequence[dict[str, Any]] = LEGS,
) -> Robot:
    """Five-bar in the plane x y; its platform is the distal link of leg 1, the frame at the tip.

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: two mappings. ``base_point``: place of the motor [m]; ``l_prox``, ``l_dist``: lengths
            of the links [m]; ``mode``: 1 or -1, angle of the proximal link = direction of the tip
            - mode * acos(...); ``proximal``, ``distal``: bodies, x along the link; ``act``: motor.
    """
    given = entries(
        legs,
        2,
        ["base_point", "l_prox", "l_dist", "mode", "proximal", "distal"],
        "legs",
        optional=["act"],
    )
    return build_five_bar(
        [vector(leg["base_point"], f"legs[{i}].base_point") for i, leg in enumerate(given)],
        **two_link_legs(given),
        gravity=gravity,
        label="Five-bar",
        source="[OZ]; figures made up",
    )
