r"""Hexaglide: six sliders on parallel rails, six rods of fixed length, a platform (6-PUS).

M. Honegger, A. Codourey, E. Burdet, *Adaptive control of the Hexaglide, a 6 dof parallel
manipulator*, ICRA 1997 (ETH Zurich).

::

                 platform
               ____________
              /o____o_____/o                base --P*-- slider --U-- rod --S-- platform
             / |     \     \
      rod   /  |      \     \
           /   |       \     \
     =====[]===|=======[]=====\======       rails along base x, at three depths y
             =[]=======================
     ====[]==================[]======

Mobility 6.  Rails need not be parallel: each leg has its own.  Motor i is the distance of the
slider from ``rail_point`` along ``rail_direction`` [m]; sliders have z along the rail; rods have x
along them, their frames at the slider.

Where the numbers come from: ours, a machine of one metre with uneven rails and legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.base.spatial import E_X, E_Z, pose
from gough.build import machine, pus_leg
from gough.robot import Robot
from gough.robot.frame import rotation_from_axes
from gough.zoo import reading as read
from gough.zoo.legs import two_links


def hexapod_6pus(*, legs: read.Legs, home: Sequence[float], **rest: Any) -> Robot:
    """The Hexaglide.

    Args:
        legs: six of ``rail_point`` (of the slider at q = 0 [m]), ``rail_direction`` (of growing
            q), ``platform_point`` (platform axes [m]), ``rod_length`` [m], ``side`` (the slider
            ``"behind"`` the platform point along the rail, or ``"ahead"`` of it), the bodies
            ``slider, rod`` and ``act`` (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        home: position [m] and rotation vector [rad] of the platform.
        **rest: ``platform``, body in the platform frame, and ``gravity`` [m/s^2]; name, label and
            source.
    """
    T_0p = read.placement(home, "home")
    numbers = ["rail_point", "rail_direction", "platform_point", "rod_length", "side"]
    parts = []
    for leg in read.legs(legs, 6, [*numbers, "slider", "rod", "act"]):
        along = leg.get(read.direction, "rail_direction")
        # the first universal axis, y of the rail, is horizontal; an upright rail takes base y
        upright = abs(float(along @ E_Z)) > 0.999
        R_0r = rotation_from_axes(along, E_X if upright else E_Z)
        parts.append(
            pus_leg(
                leg.n,
                pose(R_0r, leg.get(read.vector, "rail_point")),
                leg.get(read.vector, "platform_point"),
                T_0p,
                two_links(leg, "slider", "rod"),
                rod=leg.get(read.length, "rod_length"),
                side=read.word(leg.data["side"], ("behind", "ahead"), f"{leg.path}.side"),
            )
        )
    return machine(parts=parts, home=T_0p, **rest)
