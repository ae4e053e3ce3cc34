"""Orthoglide: three linear motors at right angles, three parallelograms; it translates.

P. Wenger, D. Chablat, *Kinematic analysis of a new parallel machine tool: the Orthoglide*,
Advances in Robot Kinematics, 2000.

Leg i, 3-PRPaR, has its own axes (x, y, z), (y, z, x), (z, x, y) of the base.

::

                        bar a
                   o===============o       +s
                   |               |
    base --P*-- slider           dist --R-- platform
             R  prox               |
                   o===============o       -s
                        bar b
                   |<----- l ----->|       leg x ->

    slider along leg x; prox on it by R about leg y; bars by R about the z of prox at (0, +-s, 0);
    dist by two R; platform by R about leg y.

Mobility 3: x, y, z.  All joints are true revolutes: 12 constraints are redundant, efforts are
unique.  Motor i is the distance of the slider from ``base_point`` along leg x [m]; slider, prox
and dist frames have the leg's axes at home, bars have x along them.

Where the numbers come from: the set ``orthoglide`` of the reference robots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.spatial import pose
from gough.build.legs_common import ABOUT_X, ABOUT_Y
from gough.build.parts import BASE, PLATFORM, Parts, machine
from gough.errors import DescriptionError
from gough.robot import Frame, Joint, Robot
from gough.zoo import reading as read

_BODIES = ("slider", "prox", "bara", "barb", "dist")


def orthoglide(
    *,
    l: float,  # noqa: E741 - the key of the reference
    s: float,
    legs: read.Legs,
    **rest: Any,
) -> Robot:
    """The Orthoglide.

    Args:
        l: length of the bars [m].
        s: half the distance of the bars [m].
        legs: three of ``base_point`` (of the slider at q = 0), ``platform_point`` (where the leg
            ends on the platform) [m], the bodies ``slider, prox, bara, barb, dist`` and ``act``
            (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        **rest: ``platform``, body in the platform frame, and ``gravity`` [m/s^2]; name, label and
            source.
    """
    bar, half = read.length(l, "l"), read.length(s, "s")
    keys = ["base_point", "platform_point", *_BODIES]
    given = read.legs(legs, 3, keys, optional=["act"])
    feet, tips = (read.column(given, read.vector, key) for key in keys[:2])
    p = _home(feet, tips, bar)

    return machine(
        parts=[_leg(given[i], feet[i], tips[i], p, bar, half) for i in range(3)],
        home=Frame(p.tolist()),
        **rest,
    )


def _leg(
    leg: read.Leg, foot: np.ndarray, tip: np.ndarray, p: np.ndarray, bar: float, half: float
) -> Parts:
    n = leg.n
    slider, prox, bara, barb, dist = (f"{name}{n}" for name in _BODIES)
    R_0l = np.roll(np.eye(3), 1 - n, axis=1)  # columns: x, y, z of the leg
    rail = Frame.from_matrix(pose(R_0l, foot) @ ABOUT_X.matrix)
    pin = Frame.from_matrix(pose(R_0l, tip) @ ABOUT_Y.matrix)
    up, down, end = (Frame(at) for at in ((0.0, half, 0.0), (0.0, -half, 0.0), (bar, 0.0, 0.0)))
    motor = leg.get(read.axis, "act")
    return Parts(
        tuple(leg.body(name) for name in _BODIES),
        (
            Joint(f"p{n}", "prismatic", BASE, slider, rail, ABOUT_X, (motor,)),
            Joint(f"r{n}a", "revolute", slider, prox, ABOUT_Y, ABOUT_Y),
            Joint(f"pa{n}a", "revolute", prox, bara, up),
            Joint(f"pa{n}b", "revolute", prox, barb, down),
            Joint(f"pa{n}c", "revolute", bara, dist, end, up),
            Joint(f"pa{n}d", "revolute", barb, dist, end, down),
            Joint(f"r{n}b", "revolute", dist, PLATFORM, ABOUT_Y, pin),
        ),
        (f"p{n}",),
        _leg_poses(n, R_0l, foot, p + tip, bar, half),
    )


def _home(feet: np.ndarray, tips: np.ndarray, bar: float) -> np.ndarray:
    """Platform origin where the bars are along the rails, less a little: there all is in line."""
    ahead = np.array(
        [
            (feet[j] - tips[j] + feet[k] - tips[k])[i] / 2.0
            for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1)))
        ]
    )
    return ahead - bar / 15.0


def _leg_poses(
    n: int, R_0l: np.ndarray, foot: np.ndarray, tip: np.ndarray, bar: float, half: float
) -> dict[str, Frame]:
    """Poses of the bodies of a leg whose tip is at a point, the slider behind it."""
    _, y, z = R_0l.T @ (tip - foot)
    across = bar * bar - y * y - z * z
    if across <= 0.0:
        raise DescriptionError(
            f"the bars, {bar:g} m, are too short: the rail passes the tip of leg {n} at "
            f"{np.hypot(y, z):.4g} m",
            path="l",
        )
    x = np.sqrt(across)
    flat = np.hypot(x, z)
    R_lc = np.array([[x / flat, 0.0, -z / flat], [0.0, 1.0, 0.0], [z / flat, 0.0, x / flat]])
    R_cb = np.array([[flat, -y, 0.0], [y, flat, 0.0], [0.0, 0.0, bar]]) / bar
    slider = tip - R_0l @ np.array([x, y, z])
    R_c, R_b, side = R_0l @ R_lc, R_0l @ R_lc @ R_cb, R_0l @ R_lc @ np.array([0.0, half, 0.0])
    found = {
        "slider": pose(R_0l, slider),
        "prox": pose(R_c, slider),
        "bara": pose(R_b, slider + side),
        "barb": pose(R_b, slider - side),
        "dist": pose(R_c, tip),
    }
    return {f"{name}{n}": Frame.from_matrix(T) for name, T in found.items()}
