"""What the legs share: joint frames on links, and where a leg's ends are at home."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.base import spatial
from gough.build import checks
from gough.build.chains import chain
from gough.build.parts import Leg, Parts, checked_leg
from gough.build.strings import joint_string
from gough.errors import InputError
from gough.robot import Axis, Frame
from gough.robot.joint_kinds.kind import QUARTER

# joint frames about or along a body's y or x axis, by cyclic exchange of the axes
ABOUT_Y = Frame(rotation=((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
ALONG_X = (1.0, 0.0, 0.0)
ABOUT_X = Frame(rotation=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
LEANED = Frame(rotation=QUARTER.tolist())


def two_bodies(
    leg: str | int,
    made_of: Leg,
    joints: str,
    frames: Sequence[tuple[Frame, Frame]],
    links: tuple[str, str],
    **rest: Any,
) -> Parts:
    """The chain of a leg of two bodies between its base and its platform.

    Args:
        leg: what the leg is called.
        made_of: its bodies, and its motor, which belongs to the axis with the star.
        joints: joint string.
        frames: of the joints, as for :func:`gough.build.chain`.
        links: what its bodies are called, without the name of the leg.
        **rest: ``values``, ``names``, ``end_pose`` and ``along`` of :func:`gough.build.chain`.
    """
    made = checked_leg(made_of)
    called = (f"{link}{leg}" for link in links)
    return chain(
        joints,
        frames,
        leg=leg,
        links=dict(zip(called, (made.proximal, made.distal), strict=True)),
        axes=driven(joints, made),
        start=made.base,
        end=made.platform,
        passive=made.passive,
        **rest,
    )


def driven(joints: str, made_of: Leg) -> list[Axis | None]:
    """For every joint of a string the motor, if it has the star."""
    return [made_of.motor if letter.motors else None for letter in joint_string(joints)]


def at_home(T_0p: Any, platform_point: Any) -> np.ndarray:
    """A platform point at home, base axes [m]."""
    T = checks.pose(T_0p, "T_0p")
    return np.asarray(T[:3, 3] + T[:3, :3] @ checks.point(platform_point, "platform_point"))


def on_platform(platform_point: Any) -> Frame:
    """Joint frame on the platform where a leg holds it, parallel to the platform's own."""
    return Frame(checks.point(platform_point, "platform_point").tolist())


def apart(foot: np.ndarray, tip: np.ndarray, leg: str | int) -> np.ndarray:
    """From the foot to the tip, which must not coincide."""
    u = np.asarray(tip - foot[:3, 3])
    size = max(1e-12, 1e-9 * float(np.abs(foot[:3, 3]).max(initial=0.0)))
    if float(np.linalg.norm(u)) < size:
        raise InputError(
            f"leg {leg}: its base point and its platform point coincide at home",
            hint="Give another home pose, or other points.",
            leg=str(leg),
        )
    return u


def across_direction(u: np.ndarray) -> np.ndarray:
    """A horizontal direction across a leg; any, for an upright leg."""
    side = spatial.cross(spatial.E_Z, u)
    if np.linalg.norm(side) < 1e-3 * np.linalg.norm(u):
        side = spatial.cross(spatial.E_X, u)
    return np.asarray(side / np.linalg.norm(side))


def hinge(foot: np.ndarray) -> Frame:
    """Joint frame on the base that turns about y of a foot frame."""
    return Frame.from_matrix(foot @ ABOUT_Y.matrix)


def on_link(x: float, y: float = 0.0) -> Frame:
    """Joint frame on a link, turning about its y axis."""
    return Frame((x, y, 0.0), ABOUT_Y.rotation)


def swing(ahead: np.ndarray) -> tuple[float, float]:
    """Angles of a universal joint about y that point a link's x axis along a direction.

    The joint's frame A is cyclic: its axes z, x, y are the body's y, z, x.  In it the link's x axis
    is ``Rz(q1) Rx(pi/2) Rz(q2) e_x = (c1 c2, s1 c2, s2)``.
    """
    along = np.array([ahead[2], ahead[0], ahead[1]]) / np.linalg.norm(ahead)
    second = np.arcsin(np.clip(along[2], -1.0, 1.0))
    return float(np.arctan2(along[1], along[0])), float(second)
