r"""DYMO, the double-Y multi-operational 3-URU, in any of its operation modes.

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

The drawing has the **translational** mode: the rays of platform and base are parallel, and P has x,
y, z, while the legs turn about their rays.  Each leg takes one freedom, a turn about ``c_i``: OP
less its part along u_i.  With P straight over O all c_i are alike and modes of motion meet, so home
is to the side of that.  The machine is the same in all modes, :mod:`gough.zoo.dymo_modes`, and so
is its mobility of 3; what differs is home, and with it what the platform can do:

    translational         x, y, z; the platform keeps its orientation
    translational_turned  the same, the platform turned half about z
    rotational            P stays in O, the platform turns about it
    planar                P in the plane of the base, the platform turns about z
    planar_overturned     the same, the platform upside down
    mixed                 O and P, and the planes of both Ys, are mirror images: two turns about
                          axes in the mirror, and the distance
    mixed_turned          the same, the platform turned half about its own normal

**Which axes to drive.**  The first ones, on the base, will not do: the plane of leg i holds O, P
and u_i, and its angle about u_i is all that the first axis knows; moving P along OP changes none
of the three.  ``drive="first"`` builds that machine, for the doctor.  (Only in the rotational mode
first axes do.)  The second axes, also on the base, turn the proximal links in the planes of their
legs, which move the platform along the distal links: regular unless these are parallel to one
plane.  The knees work as well, and both do in all modes.

Motor i [rad]: the angle from the ray u_i to the proximal link, about n_i, n_i along ``u_i x OP``
at home, in the rotational mode along ``u_i x v_i``, v_i the ray of P, in the planar ones along z
(``first``: of the leg's plane about u_i, from upright; ``knee``: from the proximal to the
distal link).  Links have x along them, z along n_i, their frames at the first joint.

Where the numbers come from: ours. The Ys are exact, as they must be; all else is uneven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.spatial import E_Z, cross
from gough.build import Parts, machine, uru_leg
from gough.errors import DescriptionError
from gough.robot import Frame, Robot
from gough.zoo import reading as read
from gough.zoo.dymo_modes import MODES, Mode, apart
from gough.zoo.legs import two_links

DRIVES = {"second": "U*2 R U", "first": "U* R U", "knee": "U R* U"}


Home = Sequence[float] | Mapping[str, Sequence[float]]
"""Three figures of the mode that is loaded, or those of several modes by their names."""


def dymo(*, legs: read.Legs, mode: str, home: Home, drive: str, **rest: Any) -> Robot:
    """The 3-URU DYMO.

    Args:
        legs: three of ``angle`` (of the ray in the base plane [rad]), ``base_radius`` and
            ``platform_radius`` (of the universal joints on the rays of O and P [m]),
            ``proximal_length``, ``distal_length`` [m], the bodies ``proximal, distal`` and ``act``
            (motor: viscous [N m s/rad], coulomb [N m], rotor_inertia [kg m^2]).
        mode: ``"translational"``, ``"rotational"``, ``"planar"``, ``"mixed"``, or one of their
            likes ``"translational_turned"``, ``"planar_overturned"``, ``"mixed_turned"``.
        home: three figures, by the name of the mode or of the one that is loaded: position of P
            [m]; ``rotational``: rotation vector [rad]; planar: x and y of P [m] and the angle about
            z [rad].  Not where modes meet: translational and mixed, P not straight over O.
        drive: ``"second"`` or ``"first"`` axis of the joint at the base, or ``"knee"``.
        **rest: ``platform``, body in the platform frame, its origin in P, and ``gravity`` [m/s^2];
            name, label and source.
    """
    chosen = MODES[read.word(mode, MODES, "mode")]
    x, path = _home(home, mode)
    T_0p = chosen.placed(x)
    joints = DRIVES[read.word(drive, DRIVES, "drive")]
    numbers = ["angle", "base_radius", "platform_radius", "proximal_length", "distal_length"]
    keys = [*numbers, "proximal", "distal", "act"]
    given = read.legs(legs, 3, keys)
    angles = [leg.get(read.number, "angle") for leg in given]
    rays = [np.array([np.cos(angle), np.sin(angle), 0.0]) for angle in angles]
    if not apart(T_0p, np.array(rays)):
        raise DescriptionError(
            f"{chosen.border}: there modes of motion meet",
            path=path,
            hint=f"Move home away from that: {chosen.figures}.",
        )
    parts = []
    for leg, u in zip(given, rays, strict=True):
        sizes = [leg.get(read.length, key) for key in numbers[1:]]
        parts.append(_leg(leg, chosen, T_0p, u, sizes, joints))
    rest["label"] = rest["label"].format(mode=mode.replace("_", " "))
    return machine(parts=parts, home=Frame.from_matrix(T_0p), **rest)


def _home(home: Home, mode: str) -> tuple[np.ndarray, str]:
    """The figures of a mode's home, and the path they were read from; all others are checked."""
    if not isinstance(home, Mapping):
        return read.vector(home, "home"), "home"
    given = read.entry(home, [mode], "home", optional=MODES)
    return {key: read.vector(x, f"home.{key}") for key, x in given.items()}[mode], f"home.{mode}"


def _leg(
    leg: read.Leg,
    mode: Mode,
    T_0p: np.ndarray,
    u: np.ndarray,
    sizes: Sequence[float],
    joints: str,
) -> Parts:
    base_radius, platform_radius, first, second = sizes
    R, P = T_0p[:3, :3], T_0p[:3, 3]
    v = R @ u  # the ray of P
    across = mode.normal(u, v, P)
    across = across / np.linalg.norm(across)
    up = cross(across, u)  # with u the axes of the leg's plane
    reach = P + (platform_radius - base_radius) * u + platform_radius * (v - u)
    x, y = float(reach @ u), float(reach @ up)
    distance = np.hypot(x, y)
    c = (first**2 + distance**2 - second**2) / (2.0 * first * distance)
    if abs(c) >= 1.0:
        raise DescriptionError(
            f"links of {first:g} and {second:g} m do not reach {distance:.4g} m", path=leg.path
        )
    lean = float(np.arctan2(y, x) - np.arccos(c))  # in the drawing the knee is outward
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
        R.T @ (tip - P),
        T_0p,
        two_links(leg, "proximal", "distal"),
        first_axis=u,
        middle_axis=across,
        last_axis=v,
        joints=joints,
        values=[(turn, lean), bend, None],
    )
