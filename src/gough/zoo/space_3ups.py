r"""Space robot, 3-UPS with two motors a leg: the slide and the first axis of the universal joint.

::

            platform
         P1 .---------. P2
           /     . P3  \
          || q31       ||              leg: R* on the base, R, P*, S: the R pair is a
          /            ||              universal joint with a cross of its own
    q11  o B1           o B2           order of motors: q11 q31 q12 q32 q13 q33
    ///////// base /////////

Source: [KI] section 4, legs in the frames of its Table 1; the machine of L. Beji (1997).  The
figures are a reference set made up for tests.  It is singular wherever P1 P2 is parallel to the
first axes' plane of legs 1 and 2; home is away from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.build.homes import choose, poses_above, quality, spread
from gough.build.legs_telescopic import ups_leg
from gough.build.parts import machine
from gough.robot import Frame, Robot
from gough.zoo.gough_stewart import foot, optional_body
from gough.zoo.reading import axis, body, entries, vector

_CROSS = {
    "mass": 0.9,
    "com": [0.0, 0.0, 0.0],
    "inertia_com": [[0.00123, 0.0, 0.0], [0.0, 0.00123, 0.0], [0.0, 0.0, 0.00096]],
}
_CYLINDER = {
    "mass": 5.0,
    "com": [0.002, -0.22, 0.001],
    "inertia_com": [
        [0.10829333999955555, 0.0019993333999968254, 1.9996666888883386e-05],
        [0.0019993333999968254, 0.008383325000555539, -0.0009996666999984127],
        [1.9996666888883386e-05, -0.0009996666999984127, 0.1083233349998889],
    ],
}
_ROD = {
    "mass": 2.0,
    "com": [0.0, 0.001, -0.3],
    "inertia_com": [
        [0.06024277651894119, 0.0, -0.0011943481143741402],
        [0.0, 0.06026666666666666, 0.0],
        [-0.0011943481143741402, 0.0, 0.0005572234810587921],
    ],
}
_TURN = {"viscous": 0.8, "coulomb": 0.5, "rotor_inertia": 0.12}
_SLIDE = {"viscous": 15.0, "coulomb": 5.0, "rotor_inertia": 4.0}
LEGS = [
    {
        "gamma": gamma,
        "b": 0.0,
        "alpha": -np.pi / 2.0,
        "d": d,
        "cross": _CROSS,
        "cylinder": _CYLINDER,
        "rod": _ROD,
        "act_u": _TURN,
        "act_p": _SLIDE,
        "platform_point": point,
    }
    for gamma, d, point in [
        (0.0, 0.0, [0.0, 0.0, 0.0]),
        (0.0, 1.0, [0.55, 0.0, 0.0]),
        (1.0821041362364843, 0.98, [0.27, 0.5, 0.0]),
    ]
]
PLATFORM = {
    "mass": 18.0,
    "com": [0.27, 0.17, 0.03],
    "inertia_com": [
        [0.31020943502422677, -0.007264558117251497, 0.011276791731751078],
        [-0.007264558117251497, 0.3797876210727998, -0.005298628198541131],
        [0.011276791731751078, -0.005298628198541131, 0.6783029439029733],
    ],
}


def space_3ups(
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    legs: Sequence[dict[str, Any]] = LEGS,
    platform: dict[str, Any] = PLATFORM,
) -> Robot:
    """3-UPS with six motors: angle of the first universal axis [rad] and length of each leg [m].

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        legs: three mappings, as those of ``gough_stewart``; ``act_u``: motor of the first
            universal axis, ``act_p``: of the slide.
        platform: its body.
    """
    given = entries(
        legs,
        3,
        ["gamma", "b", "alpha", "d", "cylinder", "rod", "platform_point"],
        "legs",
        optional=["cross", "act_u", "act_p"],
    )
    feet = [foot(leg, f"legs[{i}]") for i, leg in enumerate(given)]
    points = np.array(
        [vector(g["platform_point"], f"legs[{i}].platform_point") for i, g in enumerate(given)]
    )
    T_0p = _home(feet, points)
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
            first_motor=axis(leg.get("act_u") or {}, f"legs[{i}].act_u"),
            joints="U* P* S",
        )
        for i, leg in enumerate(given)
    ]
    return machine(
        "space_3ups",
        parts,
        platform=body("platform", platform),
        home=T_0p,
        gravity=gravity,
        label="Space robot, 3-UPS with two motors a leg",
        source="[KI] section 4 and Table 1; figures made up",
    )


def _home(feet: list[np.ndarray], points: np.ndarray) -> np.ndarray:
    """A pose in which slides and first axes hold the platform well."""
    base, first = np.array([T[:3, 3] for T in feet]), np.array([T[:3, 2] for T in feet])

    def worth(T: np.ndarray) -> float:
        struts = T[:3, 3] + points @ T[:3, :3].T - base
        lengths = np.linalg.norm(struts, axis=1)
        if lengths.min() < 0.1 * spread(base):
            return float("nan")
        along = struts / lengths[:, None]
        across = np.cross(first, along)
        sines = np.linalg.norm(across, axis=1)
        if sines.min() < 1e-3:
            return 0.0
        arms = (points - points.mean(axis=0)) @ T[:3, :3].T
        lines = np.vstack([along, across / sines[:, None]])
        return quality(lines, np.vstack([arms, arms]), spread(points), sines)

    # good poses are rare: none is taken because it is upright
    return choose(poses_above(base, points), worth, "space_3ups", good=1.0)[0]
