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

from collections.abc import Callable
from typing import Any

import numpy as np

from gough.build.hexapods import hexapod_home
from gough.build.legs_telescopic import ups_leg
from gough.build.parts import machine
from gough.build.tables import before_joint
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import telescope


def gough_stewart(*, legs: read.Legs, **rest: Any) -> Robot:
    """6-UPS; the motors' coordinates are the distances of the points, ``q_i = |B_i P_i|`` [m].

    Args:
        legs: six mappings. ``gamma`` [rad], ``b`` [m], ``alpha`` [rad], ``d`` [m]: parameters of
            the first joint frame, [BK] Table 1: ``B_i = Rz(gamma) [(0, 0, b) + Rx(alpha)
            (d, 0, 0)]``, its z the first universal axis. ``cross``: body of the universal joint, or
            None; ``cylinder``, with the leg along -y; ``rod``, its frame at P_i, z along the leg.
            ``act_p``: of the slide. ``platform_point``: P_i in the platform [m].
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    return ups_machine(legs, 6, _home, **rest)


def _home(feet: np.ndarray, tips: np.ndarray) -> np.ndarray:
    return hexapod_home(feet[:, :3, 3], tips, feet[:, :3, 2])[0]


def ups_machine(
    legs: Any,
    count: int,
    home: Callable[[np.ndarray, np.ndarray], np.ndarray],
    *,
    turned: bool = False,
    **rest: Any,
) -> Robot:
    """A machine on UPS legs whose feet are given by Khalil-Kleinfinger parameters.

    Args:
        legs: mappings as those of :func:`gough_stewart`.
        count: how many legs there are.
        home: from the first joint frames of the legs, base axes, and their ends on the platform,
            platform axes [m], to the pose of the platform at home.
        turned: whether the first universal axes are driven, too, by motors ``act_u``.
        **rest: name, platform, gravity, label and source for :func:`gough.build.machine`.
    """
    keys = ["gamma", "b", "alpha", "d", "cylinder", "rod", "platform_point"]
    turns = ["act_u"] if turned else []
    given = read.legs(legs, count, keys, optional=["cross", *turns, "act_p"])
    figures = [[leg.get(read.number, key) for key in keys[:4]] for leg in given]
    feet = np.array([before_joint(*four) for four in figures])
    tips = read.column(given, read.vector, "platform_point")
    T_0p = home(feet, tips)
    parts = [
        ups_leg(
            leg.n,
            foot,
            tip,
            T_0p,
            telescope(leg, "act_p"),
            cross=None if leg.data.get("cross") is None else leg.body("cross"),
            first_motor=leg.get(read.axis, "act_u") if turned else None,
            joints="U* P* S" if turned else "U P* S",
        )
        for leg, foot, tip in zip(given, feet, tips, strict=True)
    ]
    return machine(parts=parts, home=T_0p, **rest)
