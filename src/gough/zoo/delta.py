r"""Delta: three arms, each with two parallel bars; the platform only translates.

::

    motor  o----------o  base
          /            \
    arm  o              o  elbow          leg: R* [U S | U S]
          \\            //
     bars  \\          //
            ==========   platform

Source: R. Clavel (1988); dynamics by kinematic elements in [OZ].  The figures are a reference set
made up for tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gough.build.deltas import delta as build_delta
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import pair_of_bars, together


def delta(
    *,
    gravity: Sequence[float],
    Rb: float,
    rp: float,
    L: float,
    l: float,  # noqa: E741
    s: float,
    legs: Sequence[Mapping[str, Any]],
    platform: Mapping[str, Any],
) -> Robot:
    """Delta; the motors' coordinates are the angles of the arms, 0 horizontal, positive down.

    Args:
        gravity: acceleration of free fall, base axes [m/s^2].
        Rb: distance of the motors from the middle of the base [m].
        rp: distance of the bars' ends from the middle of the platform [m].
        L: length of the arms [m].
        l: length of the bars [m].
        s: half the distance of the two bars of a leg [m].
        legs: three mappings. ``phi``: where the leg stands around base z [rad]; ``arm``: body, x
            along the arm, y along its axis; ``bar_a``, ``bar_b``: bodies of the bars at +s and -s
            along the elbow axis, x along the bar; ``act``: motor axis.
        platform: its body.
    """
    keys = ["phi", "arm", "bar_a", "bar_b"]
    given = [
        {
            "angles": leg.get(read.number, "phi"),
            "arm_body": leg.body("arm"),
            **pair_of_bars(leg),
        }
        for leg in read.legs(legs, 3, keys, optional=["act"])
    ]
    return build_delta(
        read.length(Rb, "Rb"),
        read.length(rp, "rp"),
        read.length(L, "L"),
        read.length(l, "l"),
        read.length(s, "s"),
        **together(given),
        platform=read.body("platform", platform),
        gravity=gravity,
        label="Delta",
        source="R. Clavel (1988), [OZ]; figures made up",
    )
