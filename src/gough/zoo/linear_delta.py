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

Mobility 3: x, y, z.  Leg i starts at ``Rz(phi) (rail_radius, 0, 0)``; its rail is upright, leaned
outward by ``tilt``.  Motor i is the distance of the slider from there, positive up [m].  Sliders
have z along the rail and y along the elbow axis; bars x along them.

Where the numbers come from: ours, the size of a printer, with uneven legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_y, rotation_z
from gough.build import linear_delta_leg, machine
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import with_bars


def linear_delta(
    *,
    l: float,  # noqa: E741 - as for the Delta
    s: float,
    legs: read.Legs,
    home: Sequence[float],
    **rest: Any,
) -> Robot:
    """The linear Delta.

    Args:
        l: length of the bars [m].
        s: half the distance of the bars of a leg [m].
        legs: three of ``phi`` (direction of the leg [rad]), ``rail_radius`` and
            ``platform_radius`` (distance of rail and of the bars' end from the middle [m]),
            ``tilt`` (of the rail, outward [rad]), the bodies ``slider, bar_a, bar_b`` and ``act``
            (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        home: position of the platform [m].
        **rest: ``platform``, body in the platform frame, and ``gravity`` [m/s^2]; name, label and
            source.
    """
    bar, half = read.length(l, "l"), read.length(s, "s")
    T_0p = pose(np.eye(3), read.vector(home, "home"))
    keys = ["phi", "rail_radius", "platform_radius", "tilt", "slider", "bar_a", "bar_b", "act"]
    parts = []
    for leg in read.legs(legs, 3, keys):
        R_0l = rotation_z(leg.get(read.number, "phi"))
        rail, tip = (
            R_0l @ np.array([leg.get(read.length, key), 0.0, 0.0])
            for key in ("rail_radius", "platform_radius")
        )
        foot = pose(R_0l @ rotation_y(leg.get(read.number, "tilt")), rail)
        shape: dict[str, Any] = {"bar": bar, "half_spacing": half, "slide": "ahead"}
        parts.append(linear_delta_leg(leg.n, foot, tip, T_0p, with_bars(leg, "slider"), **shape))
    return machine(parts=parts, home=T_0p, **rest)
