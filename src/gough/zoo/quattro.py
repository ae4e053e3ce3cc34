r"""Quattro (Par4): four Delta legs carry an articulated nacelle that turns.

V. Nabat, M. Rodriguez, O. Company, S. Krut, F. Pierrot, *Par4: very high speed parallel robot for
pick-and-place*, IROS 2005.

::

       leg 2 (135 deg)        leg 1 (45 deg)         legs: R* [U S | U S], as the Delta's
             \     half1     /
              o======o======o                        nacelle from above: a planar parallelogram,
              |             |                        all four axes vertical;
        rod3  |             |  rod4                  y ^
              |             |                          |
              o======o======o                          +--> x
             /     half2     \
       leg 3 (225 deg)        leg 4 (315 deg)

Mobility 4: x, y, z, yaw.  The halves keep their orientation.  The platform is rod3, its origin
in its middle, y along it.  Motor i is 0 with its arm horizontal outward, positive downward; arm
frames have x along the arm, y along the axis; bar frames x along the bar; half frames their rods
at (-+half_w/2, 0, 0).

Where the numbers come from: the set ``quattro`` of the reference robots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import pose
from gough.build import Parts, delta_leg, machine
from gough.build.deltas import around
from gough.errors import DescriptionError
from gough.robot import Frame, Joint, Robot
from gough.zoo import reading as read
from gough.zoo.legs import delta_lengths, with_bars

# arms a little below the horizontal stand in the middle of the workspace
_ARM_AT_HOME = 0.36


def quattro(
    *,
    Rb: float,
    L: float,
    l: float,  # noqa: E741 - the key of the reference
    s: float,
    rod_len: float,
    half_w: float,
    legs: read.Legs,
    half1: read.Data,
    half2: read.Data,
    rod3: read.Data,
    rod4: read.Data,
    **rest: Any,
) -> Robot:
    """The Quattro.

    Args:
        Rb: distance of the motors from the middle of the base [m].
        L: length of the arms [m].
        l: length of the bars [m].
        s: half the distance of the bars of a leg [m].
        rod_len: length of rod3 and rod4 between their joints [m].
        half_w: distance of the two joints on a half [m].
        legs: four of ``phi`` (direction of the leg [rad]), ``half_point`` (middle of the ends of
            its bars on its half [m]), the bodies ``arm, bar_a, bar_b`` and ``act`` (motor: viscous
            [N m s/rad], coulomb [N m], rotor_inertia [kg m^2]); 1, 2 on half1, 3, 4 on half2.
        half1: body, held by legs 1 and 2.
        half2: body, held by legs 3 and 4.
        rod3: body, the platform.
        rod4: body.
        **rest: ``gravity`` [m/s^2]; name, label and source.
    """
    radius, lengths = read.length(Rb, "Rb"), delta_lengths(L, l, s)
    side, width = read.length(rod_len, "rod_len") / 2.0, read.length(half_w, "half_w") / 2.0
    keys = ["phi", "half_point", "arm", "bar_a", "bar_b"]
    given = read.legs(legs, 4, keys, optional=["act"])
    phis = read.column(given, read.number, "phi")
    tips = read.column(given, read.vector, "half_point")
    middles = np.array([[0.0, side if i < 2 else -side, 0.0] for i in range(4)])
    z = _height(radius, lengths["arm"], lengths["bar"], phis, tips + middles)

    parts = [_nacelle((half1, half2, rod3, rod4), side, width, z)]
    for i, leg in enumerate(given):
        foot, stands = around(phis[i], radius), pose(np.eye(3), middles[i] + [0.0, 0.0, z])
        made_of = with_bars(leg, "arm", "half1" if i < 2 else "half2")
        parts.append(delta_leg(leg.n, foot, tips[i], stands, made_of, **lengths))
    return machine(parts=parts, platform="rod3", **rest)


def _nacelle(bodies: Sequence[Any], side: float, width: float, z: float) -> Parts:
    """Halves and rods at yaw 0, joined by four vertical hinges."""
    names = ("half1", "half2", "rod3", "rod4")
    places = ((0.0, side, z), (0.0, -side, z), (-width, 0.0, z), (width, 0.0, z))
    left, right = Frame((-width, 0.0, 0.0)), Frame((width, 0.0, 0.0))
    ahead, back = Frame((0.0, side, 0.0)), Frame((0.0, -side, 0.0))
    return Parts(
        tuple(read.body(name, data) for name, data in zip(names, bodies, strict=True)),
        (
            Joint("n31", "revolute", "rod3", "half1", ahead, left),
            Joint("n32", "revolute", "rod3", "half2", back, left),
            Joint("n41", "revolute", "half1", "rod4", right, ahead),
            Joint("n42", "revolute", "rod4", "half2", back, right),
        ),
        poses={name: Frame(at) for name, at in zip(names, places, strict=True)},
    )


def _height(Rb: float, arm: float, bar: float, phis: np.ndarray, tips: np.ndarray) -> float:
    """Mean height of the nacelle for arms at their angle at home."""
    ahead = tips[:, 0] * np.cos(phis) + tips[:, 1] * np.sin(phis)
    across = tips[:, 1] * np.cos(phis) - tips[:, 0] * np.sin(phis)
    gap = Rb + arm * np.cos(_ARM_AT_HOME) - ahead
    down = bar * bar - gap**2 - across**2
    if down.min() <= 0.0:
        raise DescriptionError(
            f"the bars, {bar:g} m, do not reach the nacelle: leg {int(down.argmin()) + 1} needs "
            f"more than {float(np.hypot(gap, across).max()):.4g} m",
            path="l",
        )
    return float(-arm * np.sin(_ARM_AT_HOME) - np.sqrt(down).mean() - tips[:, 2].mean())
