"""C5 joint parallel robot: six linear motors push balls that slide on the faces of a corner.

[KI] section 5; E.-M. Dafaoui, Y. Amirat, J. Pontnau, C. Francois, *Analysis and design of a six-DOF
parallel manipulator*, IEEE Transactions on Robotics and Automation 14(1), 1998.

Legs 1 and 2 slide along base x, 3 and 4 along y, 5 and 6 along z; the tip of each is the centre
of a ball that stays in a plane of the platform: five freedoms (the C5 joint), one constraint.

::

        leg 5, 6 (z)               base --P*-- leg i --C5-- platform
           |  |
         __o__o____                o   ball, its tip at base_point + q_i e_k
        /         /|_o--- leg 2 (x)
       / platform/ |_o--- leg 1        face k: {x : n . (x - p) = plane_offset},
      /_________/  /                           n the k-th column of R
      |   o o   | /
      |___|_|___|/
          | |
        leg 3, 4 (y)

Mobility 6.  Motor i is the distance of tip i from ``base_point`` along its axis [m]; leg frames
are parallel to the base, origin at the tip; the platform frame meets its faces' normals.

Where the numbers come from: the set ``c5`` of the reference robots; [KI] prints none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.build.parts import BASE, PLATFORM, Parts, machine
from gough.robot import Frame, Joint, Robot
from gough.zoo import reading as read


def c5(*, legs: read.Legs, **rest: Any) -> Robot:
    """The C5 joint robot of [KI].

    Args:
        legs: six of ``base_point`` (of the tip at q = 0 [m]), ``plane_offset`` (of the face from
            the platform origin along its normal [m]), ``moving`` (body that slides) and ``act``
            (motor: viscous [N s/m], coulomb [N], rotor_inertia [kg]).
        **rest: ``platform``, body in the platform frame, and ``gravity`` [m/s^2]; name, label and
            source.
    """
    given = read.legs(legs, 6, ["base_point", "plane_offset", "moving"], optional=["act"])
    feet = read.column(given, read.vector, "base_point")
    # any point will do where the faces are parallel to the base planes: one beyond all tips
    at_home = feet.max(axis=0) + (feet.max(axis=0) - feet.min(axis=0)) / 8.0

    parts = []
    for i, leg in enumerate(given):
        n, name, k = leg.n, f"leg{leg.n}", i // 2
        along = np.eye(3)[k]
        offset = leg.get(read.number, "plane_offset") * along
        tip = feet[i] + (at_home + offset - feet[i])[k] * along
        motor = leg.get(read.axis, "act")
        rail, face = (Frame.from_axes(at.tolist(), z=along) for at in (feet[i], offset))
        slide = Joint(f"p{n}", "prismatic", BASE, name, rail, Frame.from_axes(z=along), (motor,))
        # the face, a plane of the platform, is frame A of the contact
        contact = Joint(f"e{n}", "planar_contact", PLATFORM, name, face)
        slider, pose = leg.body("moving", name), Frame(tip.tolist())
        parts.append(Parts((slider,), (slide, contact), (slide.name,), {name: pose}))
    return machine(parts=parts, home=Frame(at_home.tolist()), **rest)
