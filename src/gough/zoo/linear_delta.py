r"""Linear Delta: three sliders on upright rails, three pairs of parallel bars; it translates.

After the Delta (R. Clavel, *Conception d'un robot parallele rapide a 4 degres de liberte*, EPFL
1991), with linear motors for its arms: Linear Delta, Triaglide, and many 3-D printers.

::

      |             |             |
     [ ] slider    [ ]           [ ]        base --P*-- slider --[U bar S | U bar S]-- platform
      |\            |            /|
      | \ bars      |           / |         each pair of bars is parallel, 2 s apart, and ends on
      |  \__________|__________/  |         the platform as it starts on the slider: no rotation
      |      platform             |
      |             |             | rail

Mobility 3: x, y, z.  Leg i stands at ``Rz(phi) (rail_radius, 0, 0)``; its rail is upright, leaned
outward by ``tilt``.  Motor i is the distance of the slider from there, positive up [m].  Sliders
have z along the rail and y along the elbow axis; bars x along them.

Where the numbers come from: ours, the size of a printer, with uneven legs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.build import linear_delta_leg, machine
from gough.robot import Frame, Robot
from gough.spatial import pose, rotation_y, rotation_z
from gough.zoo import reading as read
from gough.zoo.shapes import disc, link

_LAYOUT = ((0.03, 0.31, 0.045, 0.02), (2.08, 0.3, 0.05, -0.03), (4.22, 0.305, 0.048, 0.0))
LEGS: Sequence[Mapping[str, Any]] = [
    {
        "phi": phi,
        "rail_radius": rail_radius,
        "platform_radius": platform_radius,
        "tilt": tilt,
        "slider": link(
            0.8 + 0.1 * i, 0.03, 0.08, axis=(0.0, 0.0, 1.0), start=-0.03, at=(0.03, 0.02, 0.01)
        ),
        "bar_a": link(0.11 + 0.01 * i, 0.006, 0.48, lump=0.2, at=(0.03, 0.002, 0.003)),
        "bar_b": link(0.12 - 0.01 * i, 0.006, 0.48, lump=0.2, at=(0.45, -0.002, 0.001)),
        "act": {"viscous": 6.0 + i, "coulomb": 2.5 - 0.3 * i, "rotor_inertia": 0.6 + 0.1 * i},
    }
    for i, (phi, rail_radius, platform_radius, tilt) in enumerate(_LAYOUT)
]
PLATFORM: Mapping[str, Any] = disc(0.7, 0.05, 0.02, at=(0.01, -0.02, -0.03))


def linear_delta(
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    l: float = 0.48,  # noqa: E741 - as for the Delta
    s: float = 0.035,
    legs: Sequence[Mapping[str, Any]] = LEGS,
    platform: Mapping[str, Any] = PLATFORM,
    home: Sequence[float] = (0.02, -0.015, 0.1),
) -> Robot:
    """The linear Delta.

    Args:
        gravity: acceleration of free fall [m/s^2].
        l: length of the bars [m].
        s: half the distance of the bars of a leg [m].
        legs: three of ``phi`` (direction of the leg [rad]), ``rail_radius`` and
            ``platform_radius`` (distance of rail and of the bars' end from the middle [m]),
            ``tilt`` (of the rail, outward [rad]), the bodies ``slider, bar_a, bar_b`` and ``act``
            (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        platform: body in the platform frame.
        home: position of the platform [m].
    """
    bar, half = read.length(l, "l"), read.length(s, "s")
    T_0p = pose(np.eye(3), read.vector(home, "home"))
    keys = ["phi", "rail_radius", "platform_radius", "tilt", "slider", "bar_a", "bar_b", "act"]
    parts = []
    for i, leg in enumerate(read.entries(legs, 3, keys, "legs")):
        n, path = i + 1, f"legs[{i}]"
        phi, tilt = (read.number(leg[key], f"{path}.{key}") for key in ("phi", "tilt"))
        rail, tip = (
            read.length(leg[key], f"{path}.{key}") for key in ("rail_radius", "platform_radius")
        )
        R_0l = rotation_z(phi)
        foot = pose(R_0l @ rotation_y(tilt), R_0l @ np.array([rail, 0.0, 0.0]))
        parts.append(
            linear_delta_leg(
                n,
                Frame.from_matrix(foot),
                R_0l @ np.array([tip, 0.0, 0.0]),
                T_0p,
                bar=bar,
                half_spacing=half,
                slide="ahead",
                slider=read.body(f"slider{n}", leg["slider"], f"{path}.slider"),
                bar_a=read.body(f"bar{n}a", leg["bar_a"], f"{path}.bar_a"),
                bar_b=read.body(f"bar{n}b", leg["bar_b"], f"{path}.bar_b"),
                motor=read.axis(leg["act"], f"{path}.act"),
            )
        )
    return machine(
        "linear_delta",
        parts,
        platform=read.body("platform", platform),
        home=Frame.from_matrix(T_0p),
        gravity=gravity,
        label="Linear Delta: three sliders on upright rails, three pairs of bars",
        source="Clavel, EPFL 1991; numbers of our own",
    )
