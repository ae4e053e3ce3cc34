r"""Agile Eye: a camera turned about its centre by three motors (spherical 3-RRR).

C. M. Gosselin, J.-F. Hamel, *The agile eye: a high-performance three-degree-of-freedom
camera-orienting device*, ICRA 1994.

All nine axes meet in O; three motors sit on the base, about axes at right angles.

::

            u_1 motor
             |                          base --R*(u)-- proximal --R(w)-- distal --R(v)-- platform
         .-'"|"'-.  proximal
        /    |    \                     arcs: from u to w by alpha, from w to v by beta;
    u_3 *----O----* w_1                 90 degrees all, in the Agile Eye
        \    |    /
         '-. | .-'  distal              v_1 on the platform, seen from which the next leg is alike:
             |                          at home w_1, w_2, w_3 are about u_2, u_3, u_1
            v_1 camera

Mobility 3: rx, ry, rz.  The platform's origin is O: the twist has v = 0.  Motor i is 0 where w_i
points from its axis towards u of the next leg, positive about u_i [rad].  Link frames sit in O: z
along the link's first axis, the second axis in the plane x z.

Where the numbers come from: ours; axes and arcs differ from 90 degrees by up to three, so that
nothing is symmetric.  All axes must meet in one point, and do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base.spatial import cross, pose
from gough.build import Parts, drawn_chain, machine
from gough.errors import DescriptionError
from gough.robot import Robot
from gough.robot.frame import rotation_from_axes
from gough.zoo import reading as read


def agile_eye(
    *, legs: read.Legs, radius: float, branch: int, home: Sequence[float], **rest: Any
) -> Robot:
    """The Agile Eye.

    Args:
        legs: three of ``base_axis`` (of the motor, base axes), ``platform_axis`` (platform axes),
            ``alpha`` (arc of the proximal link from u to w [rad]), ``beta`` (arc of the distal
            link from w to v [rad]), the bodies ``proximal, distal`` and ``act`` (motor: viscous
            [N m s/rad], coulomb [N m], rotor_inertia [kg m^2]).
        radius: distance of the joints from O, for size and picture only [m].
        branch: 1, w on the side of ``v x u``, or -1.
        home: rotation vector of the platform [rad].
        **rest: ``platform``, body in the platform frame, its origin in O, and ``gravity`` [m/s^2];
            name, label and source.
    """
    T_0p = read.placement([0.0, 0.0, 0.0, *read.vector(home, "home")], "home")
    r = read.length(radius, "radius")
    side = read.sign(branch, "branch")
    keys = ["base_axis", "platform_axis", "alpha", "beta", "proximal", "distal", "act"]
    given = read.legs(legs, 3, keys)
    u = [leg.get(read.direction, "base_axis") for leg in given]
    parts = [_leg(leg, u[i], u[(i + 1) % 3], T_0p, r, side) for i, leg in enumerate(given)]
    return machine(parts=parts, home=T_0p, **rest)


def _leg(
    leg: read.Leg, u: np.ndarray, u_next: np.ndarray, T_0p: np.ndarray, r: float, branch: int
) -> Parts:
    v = T_0p[:3, :3] @ leg.get(read.direction, "platform_axis")
    alpha, beta = (leg.get(read.length, key) for key in ("alpha", "beta"))
    w = _elbow(u, v, alpha, beta, branch, leg.path)
    ahead = rotation_from_axes(u, u_next)
    q = float(np.arctan2(w @ ahead[:, 1], w @ ahead[:, 0]))
    return drawn_chain(
        "R* R R",
        [r * u, r * w, r * v],
        [u, w, v],
        leg=leg.n,
        links={f"{key}{leg.n}": leg.body(key) for key in ("proximal", "distal")},
        poses=[pose(rotation_from_axes(*pair), np.zeros(3)) for pair in ((u, w), (w, v))],
        values=[q, None, None],
        axes=[leg.get(read.axis, "act"), None, None],
        end_pose=T_0p,
    )


def _elbow(
    u: np.ndarray, v: np.ndarray, alpha: float, beta: float, branch: int, path: str
) -> np.ndarray:
    """Unit vector at an arc alpha from u and beta from v."""
    along, n = u @ v, cross(v, u)
    sine2 = float(n @ n)
    a, b = np.cos(alpha), np.cos(beta)
    out2 = sine2 - a * a - b * b + 2.0 * a * b * along
    if sine2 < 1e-12 or out2 <= 0.0:
        raise DescriptionError(
            f"arcs of {alpha:g} and {beta:g} rad do not join axes "
            f"{float(np.arccos(np.clip(along, -1.0, 1.0))):.4g} rad apart",
            path=path,
            hint="Give another home, or other arcs.",
        )
    flat = ((a - along * b) * u + (b - along * a) * v) / sine2
    return np.asarray(flat + branch * np.sqrt(out2) / sine2 * n)
