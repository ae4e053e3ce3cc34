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

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.build.deltas import around
from gough.build.homes import choose, poses_above, quality, spread
from gough.build.legs_telescopic import rps_leg
from gough.build.parts import machine
from gough.robot import Frame, Robot
from gough.zoo.reading import axis, body, entries, length, number, vector


def tilt_3rps(
    *,
    gravity: Sequence[float],
    legs: Sequence[Mapping[str, Any]],
    platform: Mapping[str, Any],
) -> Robot:
    """3-RPS; the motors' coordinates are the lengths of the legs [m].

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: three mappings. ``phi``: where the leg stands around base z [rad]; ``rb``: its
            distance from the middle [m]; the hinge is tangential. ``platform_point``: the ball,
            platform axes [m]; ``cylinder``, ``rod``: bodies, z along the leg, y along the hinge,
            the rod's frame at the ball; ``act``: motor axis.
        platform: its body.
    """
    given = entries(
        legs, 3, ["phi", "rb", "cylinder", "rod", "platform_point"], "legs", optional=["act"]
    )
    feet = [
        around(number(leg["phi"], f"legs[{i}].phi"), length(leg["rb"], f"legs[{i}].rb"))
        for i, leg in enumerate(given)
    ]
    points = np.array(
        [vector(g["platform_point"], f"legs[{i}].platform_point") for i, g in enumerate(given)]
    )
    T_0p = _home(feet, points)
    parts = [
        rps_leg(
            i + 1,
            Frame.from_matrix(feet[i]),
            points[i],
            T_0p,
            cylinder=body(f"cyl{i + 1}", leg["cylinder"], f"legs[{i}].cylinder"),
            rod=body(f"rod{i + 1}", leg["rod"], f"legs[{i}].rod"),
            motor=axis(leg.get("act") or {}, f"legs[{i}].act"),
        )
        for i, leg in enumerate(given)
    ]
    return machine(
        "tilt_3rps",
        parts,
        platform=body("platform", platform),
        home=T_0p,
        gravity=gravity,
        label="Tilting table, 3-RPS",
        source="K. Hunt (1983); figures made up",
    )


def _home(feet: list[np.ndarray], points: np.ndarray) -> np.ndarray:
    """A pose near which hinges and slides hold the platform; the loops are closed from it."""
    base, hinges = np.array([T[:3, 3] for T in feet]), np.array([T[:3, 1] for T in feet])

    def worth(T: np.ndarray) -> float:
        struts = T[:3, 3] + points @ T[:3, :3].T - base
        # what lies off a leg's plane is left to the closing of the loops
        off = np.abs((struts * hinges).sum(axis=1)).max()
        if off > 0.3 * spread(base):
            return float("nan")
        along = struts / np.linalg.norm(struts, axis=1)[:, None]
        arms = (points - points.mean(axis=0)) @ T[:3, :3].T
        worth = quality(np.vstack([along, hinges]), np.vstack([arms, arms]), spread(points))
        return worth * float(1.0 - off / spread(base))

    return choose(poses_above(base, points), worth, "tilt_3rps")[0]
