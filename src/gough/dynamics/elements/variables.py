"""State variables of kinematic elements beyond their positions.  [OZ] (67)

Rates of directions, spins and lengths, first and second: what a camera on the legs observes, or
what a motion of the platform makes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gough.base.spatial import Array, cross
from gough.dynamics.elements.decomposition import Key
from gough.dynamics.elements.kinematics import ElementState
from gough.kinematics.motion import Kinematics
from gough.robot import KINDS
from gough.robot.joint import PLANE, SLIDE


class Direction(NamedTuple):
    """First and second order state of an element: what its direction and its spin do.

    Attributes:
        xd, xdd: rates of the direction x.
        spin, spin_rate: ``omega . x`` and its derivative.
        w, wd: angular velocity and acceleration they make up.
    """

    xd: Array
    xdd: Array
    spin: Array
    spin_rate: Array
    w: Array
    wd: Array


class Length(NamedTuple):
    """First and second order state of a length."""

    rate: Array
    acceleration: Array


class Variables(NamedTuple):
    """State variables of all elements and lengths beyond their positions.  [OZ] (67)."""

    directions: Mapping[str, Direction]
    lengths: Mapping[Key, Length]


STILL = Direction(np.zeros(3), np.zeros(3), 0.0, 0.0, np.zeros(3), np.zeros(3))


def direction(x: Array, xd: Array, xdd: Array, spin: Array, spin_rate: Array) -> Direction:
    """State of an element from what can be observed of it.

    Equations:
        [OZ] (12)-(13): ``omega = x x xdot + thetadot x``.
    """
    w = cross(x, xd) + x * spin
    wd = cross(x, xdd) + x * spin_rate + xd * spin
    return Direction(xd, xdd, spin, spin_rate, w, wd)


def variables(state: ElementState, kin: Kinematics | None = None) -> Variables:
    """State variables in a motion of the platform: the state's own, if no other is given."""
    kin = kin or state.kin
    directions: dict[str, Direction] = {}
    for element in state.parts.elements.values():
        if not element.fixed:
            x, motion = state.x[element.name], kin.body_motion(element.name)
            w, wd = motion.w, motion.wd
            xd = cross(w, x)
            directions[element.name] = direction(x, xd, cross(wd, x) + cross(w, xd), w @ x, wd @ x)
    lengths: dict[Key, Length] = {}
    for joint in state.parts.robot.joints:
        for name, what in zip(joint.axis_names, KINDS[joint.kind].values(), strict=True):
            if what in (SLIDE, PLANE) or joint.kind == "helical":
                rate, acceleration = kin.axis_rate(name), kin.axis_acceleration(name)
                for k, (key, _) in enumerate(state.slides(joint)):
                    pitch = joint.pitch if joint.kind == "helical" else 1.0
                    lengths[key] = Length(
                        rate[k] if what == PLANE else rate * pitch,
                        acceleration[k] if what == PLANE else acceleration * pitch,
                    )
    return Variables(directions, lengths)
