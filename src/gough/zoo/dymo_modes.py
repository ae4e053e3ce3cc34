"""Operation modes of the DYMO: poses of its platform in which it has three freedoms of one kind.

With ``u`` a ray of the base, ``v = R u`` its like on the platform and ``p = OP``, a leg allows the
poses with ``p . (u x v) = 0``: O, P and both rays are in its plane.  With the quaternion ``(w, a)``
of R this is a quadratic form in u, and as three rays of one plane make all of it zero, so do all
others::

    w (p . a) = 0   and   one of  (a_x, a_y)  and  (w p - a x p)_xy  is zero

Its solutions are the seven modes below, whatever the angles and lengths of the legs.  They meet in
constraint singularities: where the rows ``[u x v, v x (p x u)]`` of the three legs, the gradient of
what they allow, depend on each other.

With P in O and rays on rays, ``v = u`` or ``v = -u``, no leg knows its plane.  There the legs may
turn about their rays, one by one, and the platform is locked: no mode to work in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gough.base.spatial import E_Z, cross, pose, rotation_exp

_APART = 1e-6  # of the size of the machine: nearer than this to each other, modes meet


@dataclass(frozen=True)
class Mode:
    """One operation mode.

    Attributes:
        figures: what the three numbers of a home mean.
        placed: pose of the platform for these numbers.
        normal: of the plane of a leg, from ``u``, ``v`` and ``p``, of any length.
        border: where the mode meets others, in words.
    """

    figures: str
    placed: Callable[[np.ndarray], np.ndarray]
    normal: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    border: str


def apart(T_0p: np.ndarray, rays: np.ndarray) -> bool:
    """Whether a pose belongs to one mode only."""
    R, p = T_0p[:3, :3], T_0p[:3, 3]
    size = float(np.linalg.norm(p)) or 1.0
    rows = [[*cross(u, R @ u), *cross(R @ u, cross(p, u)) / size] for u in rays]
    return bool(np.linalg.svd(np.array(rows), compute_uv=False)[-1] > _APART)


def _shifted(p: np.ndarray) -> np.ndarray:
    return pose(np.eye(3), p)


def _shifted_turned(p: np.ndarray) -> np.ndarray:
    return pose(np.diag([-1.0, -1.0, 1.0]), p)


def _about_center(turn: np.ndarray) -> np.ndarray:
    return pose(rotation_exp(turn), np.zeros(3))


def _in_plane(x: np.ndarray) -> np.ndarray:
    return pose(rotation_exp(x[2] * E_Z), np.array([x[0], x[1], 0.0]))


def _in_plane_overturned(x: np.ndarray) -> np.ndarray:
    T = _in_plane(x)
    return pose(T[:3, :3] @ np.diag([1.0, -1.0, -1.0]), T[:3, 3])


def _half_turn(p: np.ndarray) -> np.ndarray:
    """The platform turned half about OP."""
    d = p / np.linalg.norm(p)
    return pose(2.0 * np.outer(d, d) - np.eye(3), p)


def _mirrored(p: np.ndarray) -> np.ndarray:
    """The plane of the platform as the base's seen in a mirror across OP, without twist."""
    T = _half_turn(p)
    return pose(T[:3, :3] @ np.diag([-1.0, -1.0, 1.0]), p)


def _through_P(u: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    return np.asarray(cross(u, p))


def _through_both_rays(u: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    return np.asarray(cross(u, v))


def _upright(u: np.ndarray, v: np.ndarray, p: np.ndarray) -> np.ndarray:
    return E_Z


_POSITION = "position of P [m]"
_BESIDE = "P is straight over O, or in the plane of the base"
_IN_PLANE = "x and y of P [m], angle about z [rad]"

MODES = {
    "translational": Mode(_POSITION, _shifted, _through_P, _BESIDE),
    "translational_turned": Mode(_POSITION, _shifted_turned, _through_P, _BESIDE),
    "rotational": Mode(
        "rotation vector [rad]",
        _about_center,
        _through_both_rays,
        "the platform turns about z alone, about an axis of the base plane, or half a turn",
    ),
    "planar": Mode(
        _IN_PLANE, _in_plane, _upright, "P is in O, or the rays of P are parallel to those of O"
    ),
    "planar_overturned": Mode(
        _IN_PLANE,
        _in_plane_overturned,
        _upright,
        "P is in O, on the axis of the half-turn, or straight beside it",
    ),
    "mixed": Mode(_POSITION, _mirrored, _through_P, _BESIDE),
    "mixed_turned": Mode(_POSITION, _half_turn, _through_P, _BESIDE),
}
"""All modes by their names; the first is the one in which the zoo loads the machine."""
