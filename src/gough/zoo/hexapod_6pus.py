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

from collections.abc import Mapping, Sequence
from typing import Any

from gough.build import machine, pus_leg
from gough.robot import Frame, Robot
from gough.robot.frame import rotation_from_axes
from gough.spatial import E_X, E_Z, pose
from gough.zoo import reading as read


def hexapod_6pus(
    *,
    gravity: Sequence[float],
    legs: Sequence[Mapping[str, Any]],
    platform: Mapping[str, Any],
    home: Sequence[float],
) -> Robot:
    """The Hexaglide.

    Args:
        gravity: acceleration of free fall [m/s^2].
        legs: six of ``rail_point`` (of the slider at q = 0 [m]), ``rail_direction`` (of growing
            q), ``platform_point`` (platform axes [m]), ``rod_length`` [m], ``side`` (the slider
            ``"behind"`` the platform point along the rail, or ``"ahead"`` of it), the bodies
            ``slider, rod`` and ``act`` (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        platform: body in the platform frame.
        home: position [m] and rotation vector [rad] of the platform.
    """
    T_0p = read.placement(home, "home")
    numbers = ["rail_point", "rail_direction", "platform_point", "rod_length", "side"]
    parts = []
    for i, leg in enumerate(read.entries(legs, 6, [*numbers, "slider", "rod", "act"], "legs")):
        n, path = i + 1, f"legs[{i}]"
        along = read.direction(leg["rail_direction"], f"{path}.rail_direction")
        # the first universal axis, y of the rail, is horizontal; an upright rail takes base y
        upright = abs(float(along @ E_Z)) > 0.999
        R_0r = rotation_from_axes(along, E_X if upright else E_Z)
        foot = pose(R_0r, read.vector(leg["rail_point"], f"{path}.rail_point"))
        parts.append(
            pus_leg(
                n,
                Frame.from_matrix(foot),
                read.vector(leg["platform_point"], f"{path}.platform_point"),
                T_0p,
                rod=read.length(leg["rod_length"], f"{path}.rod_length"),
                side=read.word(leg["side"], ("behind", "ahead"), f"{path}.side"),
                slider=read.body(f"slider{n}", leg["slider"], f"{path}.slider"),
                rod_body=read.body(f"rod{n}", leg["rod"], f"{path}.rod"),
                motor=read.axis(leg["act"], f"{path}.act"),
            )
        )
    return machine(
        "hexapod_6pus",
        parts,
        platform=read.body("platform", platform),
        home=Frame.from_matrix(T_0p),
        gravity=gravity,
        label="Hexaglide 6-PUS: six sliders on parallel rails",
        source="Honegger, Codourey, Burdet, ICRA 1997; numbers of our own",
    )
