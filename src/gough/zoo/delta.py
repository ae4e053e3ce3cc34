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

from typing import Any

from gough.build.deltas import delta as build_delta
from gough.robot import Robot
from gough.zoo import reading as read
from gough.zoo.legs import delta_lengths, with_bars


def delta(
    *,
    Rb: float,
    rp: float,
    L: float,
    l: float,  # noqa: E741
    s: float,
    legs: read.Legs,
    **rest: Any,
) -> Robot:
    """Delta; the motors' coordinates are the angles of the arms, 0 horizontal, positive down.

    Args:
        Rb: distance of the motors from the middle of the base [m].
        rp: distance of the bars' ends from the middle of the platform [m].
        L: length of the arms [m].
        l: length of the bars [m].
        s: half the distance of the two bars of a leg [m].
        legs: three mappings. ``phi``: angle of the leg around base z [rad]; ``arm``: body, x
            along the arm, y along its axis; ``bar_a``, ``bar_b``: bodies of the bars at +s and -s
            along the elbow axis, x along the bar; ``act``: motor axis.
        **rest: ``platform``, its body, and ``gravity`` [m/s^2]; name, label and source.
    """
    keys = ["phi", "arm", "bar_a", "bar_b"]
    given = read.legs(legs, 3, keys, optional=["act"])
    return build_delta(
        read.length(Rb, "Rb"),
        read.length(rp, "rp"),
        **delta_lengths(L, l, s),
        angles=read.column(given, read.number, "phi").tolist(),
        legs=[with_bars(leg, "arm") for leg in given],
        **rest,
    )
