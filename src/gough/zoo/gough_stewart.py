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

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.build.hexapods import hexapod_home
from gough.build.legs_telescopic import ups_leg
from gough.build.parts import machine
from gough.build.tables import before_joint
from gough.robot import Frame, Robot
from gough.zoo.reading import axis, body, entries, number, vector

_CYLINDER = {
    "mass": 4.2,
    "com": [0.003, -0.24, 0.002],
    "inertia_com": [
        [0.10861730417863516, 0.0030885216564641676, 6.179721424323871e-05],
        [0.0030885216564641676, 0.005803893964193683, -0.0020590144376427784],
        [6.179721424323871e-05, -0.0020590144376427784, 0.1086688018571712],
    ],
}
_ROD = {
    "mass": 1.7,
    "com": [0.001, -0.002, -0.31],
    "inertia_com": [
        [0.051206360717996564, 1.0152974335048973e-05, -0.0010151282116250548],
        [1.0152974335048973e-05, 0.05122159017949915, 0.0005075641058125274],
        [-0.0010151282116250548, 0.0005075641058125274, 0.0004787157691709529],
    ],
}
_MOTOR = {"viscous": 12.0, "coulomb": 4.0, "rotor_inertia": 3.5}
_FEET = [
    (-0.19198621771937624, 0.6, [0.2275044061620118, -0.25266924066231405, -0.02]),
    (0.22689280275926285, 0.62, [0.20316828685746724, 0.2600435486902183, -0.02]),
    (1.8849555921538759, 0.59, [0.12542878234085514, 0.3267531492740206, -0.03]),
    (2.2863813201125716, 0.61, [-0.33669114337213396, 0.047318854326422216, -0.02]),
    (3.9968039870670147, 0.63, [-0.35649650474696526, -0.050102316345623586, -0.01]),
    (4.39822971502571, 0.6, [0.11826142334994913, -0.30808154074407657, -0.02]),
]
LEGS = [
    {
        "gamma": gamma,
        "b": 0.0,
        "alpha": -np.pi / 2.0,
        "d": d,
        "cross": None,
        "cylinder": _CYLINDER,
        "rod": _ROD,
        "act_p": _MOTOR,
        "platform_point": point,
    }
    for gamma, d, point in _FEET
]
PLATFORM = {
    "mass": 24.0,
    "com": [0.012, -0.009, 0.05],
    "inertia_com": [
        [0.6948727272488643, -0.008666375838080893, -0.029000956002385385],
        [-0.008666375838080893, 0.7885212162434249, -0.021215808551543897],
        [-0.029000956002385385, -0.021215808551543897, 1.439806056507711],
    ],
}


def gough_stewart(
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    legs: Sequence[dict[str, Any]] = LEGS,
    platform: dict[str, Any] = PLATFORM,
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
