r"""H4: four Delta legs carry two half platforms, joined by a bar that turns.

F. Pierrot, O. Company, *H4: a new family of 4-dof parallel robots*, AIM 1999; its nacelle is
the one of [OZ] section 3.2.

::

                 leg 1 (90 deg)                  legs: R* [U S | U S], as the Delta's
                     |
               o=====+=====o---- leg 2 (0)       nacelle from above: the halves keep their
             half1   |                           orientation; the bar turns on two vertical hinges
                     | bar (platform)            y ^
             half2   |                             |
               o=====+=====o---- leg 3 (0)         +--> x
                     |
                 leg 4 (-90 deg)

Mobility 4: x, y, z, yaw.  The arrangement matters.  A leg takes one rotation from its half: ``r_i .
omega = t_i omega_z``, r_i the leg's direction, t_i the slope of its bars.  With legs at 45, 135,
225 and 315 degrees, in the middle, r_1 - r_2 and r_3 - r_4 are parallel: the nacelle can tilt about
y while its halves turn against each other.  (The Quattro's second rod forbids that.)  The H4 has
two legs side by side and two opposite ones instead, one of each on either half: r_1 - r_2 and r_3 -
r_4 are perpendicular.  The bar must not lie along the legs that are side by side.

The platform is the bar, origin in its middle, y along it.  Motor i is 0 with its arm horizontal
outward, positive downward [rad]; arms have x along them, y along the axis; bars of the legs x along
them; half frames are parallel to the base, origin on the hinge.

Where the numbers come from: ours, a machine as large as a Delta with uneven legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import Parts, delta_leg, machine
from gough.robot import Frame, Joint, Robot
from gough.zoo import reading as read
from gough.zoo.legs import delta_lengths, with_bars


def h4(
    *,
    L: float,
    l: float,  # noqa: E741 - as for the Delta
    s: float,
    bar_len: float,
    legs: read.Legs,
    half1: read.Data,
    half2: read.Data,
    bar: read.Data,
    home: Sequence[float],
    **rest: Any,
) -> Robot:
    """The H4.

    Args:
        L: length of the arms [m].
        l: length of the bars of the legs [m].
        s: half the distance of the bars of a leg [m].
        bar_len: length of the nacelle's bar between its hinges [m].
        legs: four of ``phi`` (direction of the leg [rad]), ``base_point`` (middle of its motor
            axis [m]), ``half_point`` (middle of the ends of its bars on its
            half [m]), the bodies ``arm, bar_a, bar_b`` and ``act`` (motor: viscous [N m s/rad],
            coulomb [N m], rotor_inertia [kg m^2]); 1, 2 on half1, 3, 4 on half2.
        half1: body, held by legs 1 and 2.
        half2: body, held by legs 3 and 4.
        bar: body, the platform.
        home: x, y, z [m] and yaw [rad] of the bar.
        **rest: ``gravity`` [m/s^2]; name, label and source.
    """
    lengths = delta_lengths(L, l, s)
    side = np.array([0.0, read.length(bar_len, "bar_len") / 2.0, 0.0])
    x = read.numbers(home, 4, "home")
    R_0p = rotation_z(x[3])
    hinges = (x[:3] + R_0p @ side, x[:3] - R_0p @ side)

    bodies = {"half1": half1, "half2": half2, "bar": bar}
    stand = {"half1": pose(np.eye(3), hinges[0]), "half2": pose(np.eye(3), hinges[1])}
    nacelle = Parts(
        tuple(read.body(name, data) for name, data in bodies.items()),
        (
            Joint("hinge1", "revolute", "bar", "half1", Frame(side.tolist())),
            Joint("hinge2", "revolute", "bar", "half2", Frame((-side).tolist())),
        ),
        poses={
            name: Frame.from_matrix(T) for name, T in (stand | {"bar": pose(R_0p, x[:3])}).items()
        },
    )
    keys = ["phi", "base_point", "half_point", "arm", "bar_a", "bar_b", "act"]
    parts = [nacelle]
    for leg in read.legs(legs, 4, keys):
        held = "half1" if leg.n <= 2 else "half2"
        R_0l = rotation_z(leg.get(read.number, "phi"))
        foot, tip = (leg.get(read.vector, key) for key in ("base_point", "half_point"))
        made_of = with_bars(leg, "arm", held)
        parts.append(delta_leg(leg.n, pose(R_0l, foot), tip, stand[held], made_of, **lengths))
    return machine(parts=parts, platform="bar", **rest)
