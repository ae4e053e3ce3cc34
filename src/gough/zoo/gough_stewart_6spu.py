r"""Gough-Stewart platform of [GA]: balls at the base, universal joints at the platform.

J. Gallardo et al., *Dynamics of parallel manipulators by means of screw theory*, example 2; the
first such machine was V. E. Gough's tyre tester (1947).

::

          U(1) ___________ U(2)             base --S-- cylinder --P*-- rod --U-- platform
             /  platform  \
            /__o_______o___\                S(i), U(i): points on base and platform
              / \     / \   rod             q_i = |S(i) U(i)|
             /   \   /   \
            /     \ /     \  cylinder
       ____o_______o_______o____
      S(1)       base        S(2)

Mobility 6.  The spin of a leg is set by the universal joint at the *platform*, unlike that of
``gough_stewart``.  Motor i is the distance of its two points [m]; cylinder and rod have z along the
leg, the cylinder's frame at the base point, the rod's at the platform point.

Where the numbers come from: [GA] prints none; these are ours, a bench-top hexapod with uneven
points and uneven legs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gough.build import machine, spu_leg
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import telescope


def gough_stewart_6spu(*, legs: read.Legs, home: Sequence[float], **rest: Any) -> Robot:
    """The 6-SPU platform of [GA].

    Args:
        legs: six of ``base_point`` (base axes), ``platform_point`` (platform axes) [m], the bodies
            ``cylinder, rod`` and ``act`` (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        home: position [m] and rotation vector [rad] of the platform.
        **rest: ``platform``, body in the platform frame, and ``gravity`` [m/s^2]; name, label and
            source.
    """
    T_0p = read.placement(home, "home")
    keys = ["base_point", "platform_point", "cylinder", "rod", "act"]
    parts = []
    for leg in read.legs(legs, 6, keys):
        foot, tip = (leg.get(read.vector, key) for key in keys[:2])
        parts.append(spu_leg(leg.n, foot, tip, T_0p, telescope(leg)))
    return machine(parts=parts, home=T_0p, **rest)
