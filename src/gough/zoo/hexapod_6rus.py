r"""Hexapod on six cranks, 6-RUS: rotary motors on the base, rods up to the platform.

::

             platform
          .------------.
         /              \
    rod /                \ rod         leg: R* U S, the crank turns about a horizontal axis,
       /                  \            its elbow points outward
      o--o motor    motor o--o
      crank  //// base ////

Source: K. Hunt (1983), one of the "beyond the papers" machines of the zoo.  The figures are a
reference set made up for tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build.homes import choose, held, placed, poses_above
from gough.build.legs_rods import rus_leg
from gough.build.parts import machine
from gough.build.reach import crank_angle
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import two_links


def hexapod_6rus(
    *,
    L: float,
    l: float,  # noqa: E741
    legs: read.Legs,
    **rest: Any,
) -> Robot:
    """6-RUS; the motors' coordinates are the angles of the cranks, 0 along Rz(psi) e_x, down > 0.

    Args:
        L: length of the cranks [m].
        l: length of the rods [m].
        legs: six mappings. ``base_point``: place of the motor [m]; ``psi``: direction in which the
            crank points, around base z [rad]; ``platform_point``: end of the rod, platform axes
            [m]; ``arm``: body, x along the crank, y along its axis; ``rod``: body, x along the rod;
            ``act``: motor axis.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    keys = ["base_point", "psi", "arm", "rod", "platform_point"]
    given = read.legs(legs, 6, keys, optional=["act"])
    crank, rod = read.length(L, "L"), read.length(l, "l")
    places, points = (read.column(given, read.vector, k) for k in ("base_point", "platform_point"))
    turns = read.column(given, read.number, "psi")
    feet = [pose(rotation_z(psi), place) for psi, place in zip(turns, places, strict=True)]
    T_0p = _home(feet, points, crank, rod)
    parts = [
        rus_leg(leg.n, foot, point, T_0p, two_links(leg, "arm", "rod"), arm=crank, rod=rod)
        for leg, foot, point in zip(given, feet, points, strict=True)
    ]
    return machine(parts=parts, home=T_0p, **rest)


def _home(feet: list[np.ndarray], points: np.ndarray, crank: float, rod: float) -> np.ndarray:
    """A pose above the base in which the rods hold the platform well."""
    base = np.array([T[:3, 3] for T in feet])

    def worth(T: np.ndarray) -> float:
        lines, levers = [], []
        for foot, tip in zip(feet, placed(T, points), strict=True):
            u = foot[:3, :3].T @ (tip - foot[:3, 3])
            q = crank_angle(u, crank, rod, "out", 0)
            line = (u - crank * np.array([np.cos(q), 0.0, -np.sin(q)])) / rod
            lines.append(foot[:3, :3] @ line)
            levers.append(line @ [-np.sin(q), 0.0, -np.cos(q)])
        return held(T, points, np.array(lines), np.array(levers))

    # reach is set by crank and rod, not by the size of the base: heights in the middle first
    candidates = poses_above(base, points)
    upright = candidates[0]
    above = []
    for share in sorted(np.arange(0.3, 1.5, 0.05), key=lambda h: abs(h - 0.9)):
        height = base[:, 2].mean() - points[:, 2].mean() + share * rod
        above.append(pose(upright[:3, :3], np.array([*upright[:2, 3], height])))
    return choose(above + candidates, worth, "hexapod_6rus")[0]
