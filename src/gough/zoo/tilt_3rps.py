r"""Tilting table, 3-RPS: height and two tilts, with small parasitic x, y and yaw.

::

         platform
      S .--------. S
        \        /
         || P* ||                leg: R P* S, the hinge R tangential
         /      \
     R  o        o  R
    ///////// base /////////

Source: K. Hunt (1983), one of the "beyond the papers" machines of the zoo.  The figures are a
reference set made up for tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.build.deltas import around
from gough.build.homes import choose, held, placed, poses_above, spread
from gough.build.legs_telescopic import rps_leg
from gough.build.parts import machine
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import telescope


def tilt_3rps(*, legs: read.Legs, **rest: Any) -> Robot:
    """3-RPS; the motors' coordinates are the lengths of the legs [m].

    Args:
        legs: three mappings. ``phi``: angle of the leg around base z [rad]; ``rb``: its
            distance from the middle [m]; the hinge is tangential. ``platform_point``: the ball,
            platform axes [m]; ``cylinder``, ``rod``: bodies, z along the leg, y along the hinge,
            the rod's frame at the ball; ``act``: motor axis.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    keys = ["phi", "rb", "cylinder", "rod", "platform_point"]
    given = read.legs(legs, 3, keys, optional=["act"])
    feet = [around(leg.get(read.number, "phi"), leg.get(read.length, "rb")) for leg in given]
    points = read.column(given, read.vector, "platform_point")
    T_0p = _home(feet, points)
    parts = [
        rps_leg(leg.n, foot, point, T_0p, telescope(leg))
        for leg, foot, point in zip(given, feet, points, strict=True)
    ]
    return machine(parts=parts, home=T_0p, **rest)


def _home(feet: list[np.ndarray], points: np.ndarray) -> np.ndarray:
    """A pose near which hinges and slides hold the platform; the loops are closed from it."""
    base, hinges = np.array([T[:3, 3] for T in feet]), np.array([T[:3, 1] for T in feet])

    def worth(T: np.ndarray) -> float:
        struts = placed(T, points) - base
        # what lies off a leg's plane is left to the closing of the loops
        off = np.abs((struts * hinges).sum(axis=1)).max()
        if off > 0.3 * spread(base):
            return float("nan")
        along = struts / np.linalg.norm(struts, axis=1)[:, None]
        return held(T, points, np.vstack([along, hinges])) * float(1.0 - off / spread(base))

    return choose(poses_above(base, points), worth, "tilt_3rps")[0]
