r"""DYMO, the double-Y multi-operational 3-URU, in its translational mode.

D. Zlatanov, I. A. Bonev, C. M. Gosselin, *Constraint singularities as C-space singularities*,
Advances in Robot Kinematics, 2002; [OZ] 3.1.1 names it for its spindle elements.

Two equal Ys of axes, one on the base and one on the platform; each leg joins a ray to its like.

::

    a leg in its plane                    from above: the rays of O

            tip                                  u_2 o
             o------P  platform                       \
            /                                          O------o u_1
      knee o                                          /
            \                                    u_3 o
             o------O  base
           foot                           those of P are parallel to them
       <-- u_i

    base --U-- proximal --R-- distal --U-- platform
    foot: first axis along u_i, second n_i, across the plane; knee along n_i;
    tip: first axis along n_i, second along the ray of P

Mobility 3 where the rays of platform and base are parallel: x, y, z, while the legs turn about
their rays.  Each leg takes one freedom, a turn about ``c_i``: OP less its part along u_i.  With P
straight over O all c_i are alike and modes of motion meet, so home is to the side of that.

**Which axes to drive.**  The first ones, on the base, will not do: the plane of leg i holds O, P
and u_i, and its angle about u_i is all that the first axis knows; moving P along OP changes none
of the three.  ``drive="first"`` builds that machine, for the doctor.  The second axes, also on the
base, turn the proximal links in the planes of their legs, which move the platform along the distal
links: regular unless these are parallel to one plane.  The knees work as well.

Motor i [rad]: the angle from the ray u_i to the proximal link, about n_i, n_i along ``u_i x OP``
at home (``first``: of the leg's plane about u_i, from upright; ``knee``: from the proximal to the
distal link).  Links have x along them, z along n_i, their frames at the first joint.

Where the numbers come from: ours. The Ys are exact, as they must be; all else is uneven.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import E_Z, cross, pose
from gough.build import Parts, machine, uru_leg
from gough.errors import DescriptionError
from gough.robot import Frame, Robot
from gough.zoo import reading as read
from gough.zoo.legs import two_links

DRIVES = {"second": "U*2 R U", "first": "U* R U", "knee": "U R* U"}


def dymo(*, legs: read.Legs, home: Sequence[float], drive: str, **rest: Any) -> Robot:
    """The 3-URU DYMO in its translational mode.

    Args:
        legs: three of ``angle`` (of the ray in the base plane [rad]), ``base_radius`` and
            ``platform_radius`` (of the universal joints on the rays of O and P [m]),
            ``proximal_length``, ``distal_length`` [m], the bodies ``proximal, distal`` and ``act``
            (motor: viscous [N m s/rad], coulomb [N m], rotor_inertia [kg m^2]).
        home: position of P [m]; not straight over O.
        drive: ``"second"`` or ``"first"`` axis of the joint at the base, or ``"knee"``.
        **rest: ``platform``, body in the platform frame, its origin in P, and ``gravity`` [m/s^2];
            name, label and source.
    """
    P = read.vector(home, "home")
    joints = DRIVES[read.word(drive, DRIVES, "drive")]
    if P[2] == 0.0 or np.hypot(P[0], P[1]) < 1e-6 * abs(P[2]):
        raise DescriptionError(
            "P is straight over O, or in the plane of the base: there modes of motion meet",
            path="home",
            hint="Move home to the side: the three planes of rays and OP must differ.",
        )
    numbers = ["angle", "base_radius", "platform_radius", "proximal_length", "distal_length"]
    keys = [*numbers, "proximal", "distal", "act"]
    parts = []
    for leg in read.legs(legs, 3, keys):
        angle = leg.get(read.number, "angle")
        sizes = [leg.get(read.length, key) for key in numbers[1:]]
        parts.append(_leg(leg, P, angle, sizes, joints))
    return machine(parts=parts, home=Frame(P.tolist()), **rest)


def _leg(leg: read.Leg, P: np.ndarray, angle: float, sizes: Sequence[float], joints: str) -> Parts:
    base_radius, platform_radius, first, second = sizes
    u = np.array([np.cos(angle), np.sin(angle), 0.0])
    across = cross(u, P)
    across = across / np.linalg.norm(across)
    up = cross(across, u)  # with u the axes of the leg's plane
    reach = P + (platform_radius - base_radius) * u
    x, y = float(reach @ u), float(reach @ up)
    distance = np.hypot(x, y)
    c = (first**2 + distance**2 - second**2) / (2.0 * first * distance)
    if abs(c) >= 1.0:
        raise DescriptionError(
            f"links of {first:g} and {second:g} m do not reach {distance:.4g} m", path=leg.path
        )
    lean = float(np.arctan2(y, x) - np.arccos(c))  # the knee outward
    foot = base_radius * u
    knee = foot + first * (np.cos(lean) * u + np.sin(lean) * up)
    tip = foot + reach
    forward = np.array([x, y]) - first * np.array([np.cos(lean), np.sin(lean)])
    turn = float(np.arctan2(up @ cross(u, E_Z), up @ E_Z))
    bend = float(np.arctan2(forward[1], forward[0])) - lean
    return uru_leg(
        leg.n,
        foot,
        knee,
        tip - P,
        pose(np.eye(3), P),
        two_links(leg, "proximal", "distal"),
        first_axis=u,
        middle_axis=across,
        last_axis=u,
        joints=joints,
        values=[(turn, lean), bend, None],
    )
