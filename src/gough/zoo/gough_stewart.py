r"""Gough-Stewart platform, 6-UPS: six telescopic legs between base and platform.

::

            platform
         P1 .--------. P2 ...
           /          \
    q1 -> ||          || <- q2         leg: U at the base, motor on the slide P,
          /            \               ball S at the platform
      B1 o              o B2 ...
    ///////// base /////////

Source: [BK] section 4, legs in the frames of its Table 1; the machine of E. Gough (1955) and D.
Stewart (1965).  Where the numbers come from: the set of this name of the reference robots, not
symmetric on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.build.hexapods import hexapod_home
from gough.build.legs_telescopic import ups_leg
from gough.build.parts import machine
from gough.build.tables import before_joint
from gough.robot import Frame, Robot
from gough.zoo.reading import axis, body, entries, number, vector


def gough_stewart(
    *,
    gravity: Sequence[float],
    legs: Sequence[Mapping[str, Any]],
    platform: Mapping[str, Any],
) -> Robot:
    """6-UPS; the motors' coordinates are the distances of the points, ``q_i = |B_i P_i|`` [m].

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: six mappings. ``gamma`` [rad], ``b`` [m], ``alpha`` [rad], ``d`` [m]: parameters of
            the first joint frame, [BK] Table 1: ``B_i = Rz(gamma) [(0, 0, b) + Rx(alpha)
            (d, 0, 0)]``, its z the first universal axis. ``cross``: body of the universal joint, or
            None; ``cylinder``, with the leg along -y; ``rod``, its frame at P_i, z along the leg.
            ``act_p``: of the slide. ``platform_point``: P_i in the platform [m].
        platform: its body.
    """
    given = entries(
        legs,
        6,
        ["gamma", "b", "alpha", "d", "cylinder", "rod", "platform_point"],
        "legs",
        optional=["cross", "act_p"],
    )
    feet = [foot(leg, f"legs[{i}]") for i, leg in enumerate(given)]
    points = np.array(
        [vector(g["platform_point"], f"legs[{i}].platform_point") for i, g in enumerate(given)]
    )
    base = np.array([T[:3, 3] for T in feet])
    T_0p, _ = hexapod_home(base, points, np.array([T[:3, 2] for T in feet]))
    parts = [
        ups_leg(
            i + 1,
            Frame.from_matrix(feet[i]),
            points[i],
            T_0p,
            cross=optional_body(f"cross{i + 1}", leg.get("cross"), f"legs[{i}].cross"),
            cylinder=body(f"cyl{i + 1}", leg["cylinder"], f"legs[{i}].cylinder"),
            rod=body(f"rod{i + 1}", leg["rod"], f"legs[{i}].rod"),
            motor=axis(leg.get("act_p") or {}, f"legs[{i}].act_p"),
        )
        for i, leg in enumerate(given)
    ]
    return machine(
        "gough_stewart",
        parts,
        platform=body("platform", platform),
        home=T_0p,
        gravity=gravity,
        label="Gough-Stewart platform, 6-UPS",
        source="[BK] section 4 and Table 1; figures made up",
    )


def foot(leg: Any, path: str) -> np.ndarray:
    """First joint frame of a leg in the base, from its four Khalil-Kleinfinger parameters."""
    gamma, b, alpha, d = (number(leg[k], f"{path}.{k}") for k in ("gamma", "b", "alpha", "d"))
    return before_joint(gamma, b, alpha, d)


def optional_body(name: str, data: Any, path: str) -> Any:
    """A body, or None where there is none."""
    return None if data is None else body(name, data, path)
