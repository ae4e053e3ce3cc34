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

from collections.abc import Mapping, Sequence
from typing import Any

from gough.build import machine, spu_leg
from gough.robot import Frame, Robot
from gough.zoo import reading as read
from gough.zoo.shapes import disc, link

_Z = (0.0, 0.0, 1.0)
_BASE_POINTS = (
    (0.512, -0.108, 0.0),
    (0.508, 0.117, 0.01),
    (-0.168, 0.494, 0.0),
    (-0.345, 0.381, -0.01),
    (-0.339, -0.392, 0.0),
    (-0.152, -0.501, 0.015),
)
_PLATFORM_POINTS = (
    (0.182, -0.212, 0.0),
    (0.171, 0.221, -0.01),
    (0.097, 0.266, 0.0),
    (-0.281, 0.052, 0.01),
    (-0.276, -0.061, 0.0),
    (0.105, -0.258, -0.005),
)
LEGS: Sequence[Mapping[str, Any]] = [
    {
        "base_point": list(_BASE_POINTS[i]),
        "platform_point": list(_PLATFORM_POINTS[i]),
        "cylinder": link(2.1 + 0.1 * i, 0.03, 0.42, axis=_Z, at=(0.05, 0.01 * i - 0.02, 0.08)),
        "rod": link(0.9 - 0.04 * i, 0.015, 0.4, axis=_Z, start=-0.4, at=(0.012, -0.008, -0.05)),
        "act": {"viscous": 40.0 + 2.0 * i, "coulomb": 8.0 - 0.5 * i, "rotor_inertia": 3.0},
    }
    for i in range(6)
]
PLATFORM: Mapping[str, Any] = disc(8.0, 0.28, 0.03, at=(0.09, -0.06, 0.05))


def gough_stewart_6spu(
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    legs: Sequence[Mapping[str, Any]] = LEGS,
    platform: Mapping[str, Any] = PLATFORM,
    home: Sequence[float] = (0.02, -0.03, 0.62, 0.05, -0.04, 0.1),
) -> Robot:
    """The 6-SPU platform of [GA].

    Args:
        gravity: acceleration of free fall [m/s^2].
        legs: six of ``base_point`` (base axes), ``platform_point`` (platform axes) [m], the bodies
            ``cylinder, rod`` and ``act`` (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        platform: body in the platform frame.
        home: position [m] and rotation vector [rad] of the platform.
    """
    T_0p = read.placement(home, "home")
    keys = ["base_point", "platform_point", "cylinder", "rod", "act"]
    parts = []
    for i, leg in enumerate(read.entries(legs, 6, keys, "legs")):
        n, path = i + 1, f"legs[{i}]"
        parts.append(
            spu_leg(
                n,
                read.vector(leg["base_point"], f"{path}.base_point"),
                read.vector(leg["platform_point"], f"{path}.platform_point"),
                T_0p,
                cylinder=read.body(f"cyl{n}", leg["cylinder"], f"{path}.cylinder"),
                rod=read.body(f"rod{n}", leg["rod"], f"{path}.rod"),
                motor=read.axis(leg["act"], f"{path}.act"),
            )
        )
    return machine(
        "gough_stewart_6spu",
        parts,
        platform=read.body("platform", platform),
        home=Frame.from_matrix(T_0p),
        gravity=gravity,
        label="Gough-Stewart platform 6-SPU: balls at the base, universal joints at the platform",
        source="[GA] section 6; numbers of our own",
    )
