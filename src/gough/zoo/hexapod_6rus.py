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

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.build.homes import choose, poses_above, quality, spread
from gough.build.legs_rods import rus_leg
from gough.build.parts import machine
from gough.build.reach import crank_angle
from gough.errors import InputError
from gough.robot import Frame, Robot
from gough.spatial import pose, rotation_z
from gough.zoo.reading import axis, body, entries, length, number, vector

_ARM = {
    "mass": 0.7,
    "com": [0.07, 0.0, 0.001],
    "inertia_com": [
        [0.00018666666666666666, 0.0, 0.0],
        [0.0, 0.001983333333333333, 0.0],
        [0.0, 0.0, 0.001983333333333333],
    ],
}
_ROD = {
    "mass": 0.25,
    "com": [0.275, 0.0, 0.0],
    "inertia_com": [
        [0.0, 0.0, 0.0],
        [0.0, 0.006302083333333334, 0.0],
        [0.0, 0.0, 0.006302083333333334],
    ],
}
_MOTOR = {"viscous": 0.05, "coulomb": 0.05, "rotor_inertia": 0.015}
LEGS = [
    {
        "base_point": base_point,
        "psi": turn * 2.0 * np.pi / 3.0,
        "arm": _ARM,
        "rod": _ROD,
        "act": _MOTOR,
        "platform_point": platform_point,
    }
    for turn, base_point, platform_point in [
        (
            0,
            [0.36871237598487866, -0.09193032032787374, 0.0],
            [0.15282484150097939, -0.15825475607450323, -0.01],
        ),
        (
            0,
            [0.36871237598487866, 0.09193032032787374, 0.0],
            [0.15282484150097939, 0.15825475607450323, -0.01],
        ),
        (
            1,
            [-0.10474219521045965, 0.3652794444565612, 0.0],
            [0.06064021827973982, 0.21147757310643014, -0.01],
        ),
        (
            1,
            [-0.263970180774419, 0.2733491241286874, 0.0],
            [-0.21346505978071922, 0.053222817031926904, -0.01],
        ),
        (
            2,
            [-0.26397018077441897, -0.27334912412868745, 0.0],
            [-0.21346505978071922, -0.05322281703192685, -0.01],
        ),
        (
            2,
            [-0.10474219521045958, -0.36527944445656124, 0.0],
            [0.060640218279739866, -0.21147757310643014, -0.01],
        ),
    ]
]
PLATFORM = {
    "mass": 5.0,
    "com": [0.005, 0.004, 0.03],
    "inertia_com": [
        [0.060898174197919396, -0.0006468192694879665, 5.2974646908436e-05],
        [-0.0006468192694879665, 0.0672922759620941, -0.0011883493355678426],
        [5.2974646908436e-05, -0.0011883493355678426, 0.12680954983998655],
    ],
}


def hexapod_6rus(
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    L: float = 0.18,
    l: float = 0.55,  # noqa: E741
    legs: Sequence[dict[str, Any]] = LEGS,
    platform: dict[str, Any] = PLATFORM,
) -> Robot:
    """6-RUS; the motors' coordinates are the angles of the cranks, 0 along Rz(psi) e_x, down > 0.

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        L: length of the cranks [m].
        l: length of the rods [m].
        legs: six mappings. ``base_point``: place of the motor [m]; ``psi``: direction in which the
            crank points, around base z [rad]; ``platform_point``: end of the rod, platform axes
            [m]; ``arm``: body, x along the crank, y along its axis; ``rod``: body, x along the rod;
            ``act``: motor axis.
        platform: its body.
    """
    given = entries(
        legs, 6, ["base_point", "psi", "arm", "rod", "platform_point"], "legs", optional=["act"]
    )
    crank, rod = length(L, "L"), length(l, "l")
    feet, points = [], []
    for i, leg in enumerate(given):
        turn = rotation_z(number(leg["psi"], f"legs[{i}].psi"))
        feet.append(pose(turn, vector(leg["base_point"], f"legs[{i}].base_point")))
        points.append(vector(leg["platform_point"], f"legs[{i}].platform_point"))
    T_0p = _home(feet, np.array(points), crank, rod)
    parts = [
        rus_leg(
            i + 1,
            Frame.from_matrix(feet[i]),
            points[i],
            T_0p,
            arm=crank,
            rod=rod,
            elbow="out",
            arm_body=body(f"arm{i + 1}", leg["arm"], f"legs[{i}].arm"),
            rod_body=body(f"rod{i + 1}", leg["rod"], f"legs[{i}].rod"),
            motor=axis(leg.get("act") or {}, f"legs[{i}].act"),
        )
        for i, leg in enumerate(given)
    ]
    return machine(
        "hexapod_6rus",
        parts,
        platform=body("platform", platform),
        home=T_0p,
        gravity=gravity,
        label="Hexapod on six cranks, 6-RUS",
        source="K. Hunt (1983); figures made up",
    )


def _home(feet: list[np.ndarray], points: np.ndarray, crank: float, rod: float) -> np.ndarray:
    """A pose above the base in which the rods hold the platform well."""
    base = np.array([T[:3, 3] for T in feet])

    def worth(T: np.ndarray) -> float:
        tips = T[:3, 3] + points @ T[:3, :3].T
        lines, levers = [], []
        for i, foot in enumerate(feet):
            u = foot[:3, :3].T @ (tips[i] - foot[:3, 3])
            try:
                q = crank_angle(u, crank, rod, "out", i + 1)
            except InputError:
                return float("nan")
            line = (u - crank * np.array([np.cos(q), 0.0, -np.sin(q)])) / rod
            lines.append(foot[:3, :3] @ line)
            levers.append(line @ [-np.sin(q), 0.0, -np.cos(q)])
        arms = (points - points.mean(axis=0)) @ T[:3, :3].T
        return quality(np.array(lines), arms, spread(points), np.array(levers))

    # reach is set by crank and rod, not by the size of the base: heights in the middle first
    candidates = poses_above(base, points)
    upright = candidates[0]
    above = []
    for share in sorted(np.arange(0.3, 1.5, 0.05), key=lambda h: abs(h - 0.9)):
        height = base[:, 2].mean() - points[:, 2].mean() + share * rod
        above.append(pose(upright[:3, :3], np.array([*upright[:2, 3], height])))
    return choose(above + candidates, worth, "hexapod_6rus")[0]
