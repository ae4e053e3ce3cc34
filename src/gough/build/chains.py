"""Serial chains from a joint string: in link frames, or drawn in base coordinates at home.

    base --U--> cylinder --P*--> rod --S--> platform          "U P* S"

All legs are calls of :func:`chain`.  Chains add up; one that starts at a link of another branches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.base import spatial
from gough.base.arguments import number
from gough.base.english import counted
from gough.build import checks
from gough.build.checks import Solid
from gough.build.parts import BASE, PLATFORM, Parts
from gough.build.passive import find_passive
from gough.build.strings import Letter, joint_string
from gough.errors import InputError, shown
from gough.robot import Axis, Frame, Joint
from gough.robot.frame import rotation_from_axes
from gough.robot.joint_kinds import KINDS

_SHAPES = {"universal": (2,), "cylindrical": (2,), "planar": (3,), "spherical": (3, 3)}


def chain(
    joints: str,
    frames: Sequence[tuple[Frame, Frame]],
    *,
    leg: str | int,
    links: Mapping[str, Solid],
    values: Sequence[Any] | None = None,
    names: Sequence[str] | None = None,
    axes: Sequence[Any] | None = None,
    pitch: float = 0.0,
    start: str = BASE,
    start_pose: Any = None,
    end: str = PLATFORM,
    end_pose: Any = None,
    passive: Mapping[str, Any] | None = None,
    along: tuple[float, float, float] | None = None,
) -> Parts:
    """A serial chain in link frames.

    Args:
        joints: joint string, ``"U P* S"``.
        frames: for every joint, frame A on its parent and frame B on its child.
        leg: what the leg is called; joints without a name become ``u1``, ``p1``, ``s1``.
        links: the bodies between the joints, ``{name: body}``, one less than joints; a body is a
            Body, mass properties, or None for one without mass.
        values: coordinates of every joint at home [rad or m]: a number, two for a joint with two
            axes, three for a planar one, a rotation R_AB for a ball; None is zero.
        names: names of the joints.
        axes: friction, rotor, transmission and limits: for every joint an Axis (of its motor, or
            its first axis), a tuple of them, or None.
        pitch: of the helical joints [m/rad].
        start: body at which the chain starts; ``start_pose``: its pose at home, if not the base.
        end: body at which it ends; ``end_pose``: its pose at home, if it is known.
        start_pose: see ``start``.
        end_pose: see ``end``.
        passive: friction, springs and limits of passive joints by role, as of
            :class:`gough.build.Leg`: positions count from home, those of ``axes`` do not.
        along: direction of the links in their own axes, from which balls in ``passive`` tilt;
            default z of the ball's frame on its link.

    Returns:
        The links, the joints, their motors, and the poses of the links at home.
    """
    letters = joint_string(joints)
    count = len(letters)
    pitch = number(pitch, "pitch")
    _check_leg(leg)
    pairs = [_pair(pair, k) for k, pair in enumerate(checks.listed(frames, "frames", count))]
    coordinates = _coordinates(letters, values)
    called = _names(letters, leg) if names is None else checks.listed(names, "names", count)
    figures = [None] * count if axes is None else checks.listed(axes, "axes", count)
    if not isinstance(links, Mapping):
        raise InputError(
            f"links: expected {{name: body, ...}}, got {shown(links)}",
            hint="None is a body without mass: links={'cylinder': None, 'rod': None}.",
            argument="links",
        )
    if len(links) != count - 1:
        raise InputError(
            f"leg {leg}: {counted(count, 'joint')} have {counted(count - 1, 'link')} between them, "
            f"got {len(links)}",
            argument="links",
        )
    bodies = [checks.solid(value, name) for name, value in links.items()]
    ends = [start, *(b.name for b in bodies), end]
    made: list[Joint] = []
    motors: list[str] = []
    turns: dict[str, float] = {}
    T = np.eye(4) if start_pose is None else checks.pose(start_pose, "start_pose")
    poses: dict[str, Frame] = {}
    for k, (letter, (A, B)) in enumerate(zip(letters, pairs, strict=True)):
        value = coordinates[k]
        joint = Joint(
            called[k],
            letter.kind,
            ends[k],
            ends[k + 1],
            A,
            B,
            axes=_axes(letter, figures[k], f"axes of {called[k]}"),
            pitch=pitch if letter.kind == "helical" else 0.0,
        )
        made.append(joint)
        for i in letter.motors:
            motors.append(joint.axis_names[i])
            if value is not None:
                turns[joint.axis_names[i]] = float(np.atleast_1d(value)[i])
        if k < count - 1:
            T = T @ A.matrix @ KINDS[letter.kind].across(value, pitch) @ np.linalg.inv(B.matrix)
            poses[ends[k + 1]] = Frame.from_matrix(tidy(T))
    ends_at = (
        {} if end_pose is None else {end: Frame.from_matrix(checks.pose(end_pose, "end_pose"))}
    )
    known = find_passive({} if passive is None else passive, made, letters, leg, along)
    return Parts(tuple(bodies), tuple(made), tuple(motors), poses, turns, ends_at, known)


def drawn_chain(
    joints: str,
    points: Any,
    directions: Sequence[Any],
    *,
    leg: str | int,
    links: Mapping[str, Solid],
    poses: Sequence[Any] | None = None,
    values: Sequence[Any] | None = None,
    end_pose: Any = None,
    start_pose: Any = None,
    **rest: Any,
) -> Parts:
    """A serial chain drawn in its home posture: points and directions in base coordinates.

    Args:
        joints: joint string, ``"U P* S"``.
        points: where every joint sits [m].
        directions: of every joint's axis; a pair for a universal joint, the first and the second;
            None for a ball or a weld. Of a planar contact: the normal.
        leg: what the leg is called.
        links: the bodies between the joints, ``{name: body}``.
        poses: poses of the links at home; mass properties are written in these frames. Default:
            every frame coincides with the base, as in a robot file drawn in base coordinates.
        values: coordinates that the joints have in the drawing [rad or m]; default 0.
        end_pose: pose of the end body at home; default the base's.
        start_pose: pose of the start body at home; default the base's.
        **rest: ``names, axes, passive, pitch, start, end`` of :func:`chain`.
    """
    letters = joint_string(joints)
    count = len(letters)
    where = checks.points(points, "points", count)
    ways = checks.listed(directions, "directions", count)
    wanted = _coordinates(letters, values)
    stand = [np.eye(4)] * (count - 1)
    if poses is not None:
        stand = [checks.pose(T, "poses") for T in checks.listed(poses, "poses")]
    if len(stand) != count - 1:
        raise InputError(f"poses: expected {count - 1}, got {len(stand)}", argument="poses")
    first = np.eye(4) if start_pose is None else checks.pose(start_pose, "start_pose")
    last = np.eye(4) if end_pose is None else checks.pose(end_pose, "end_pose")
    all_poses = [first, *stand, last]
    pitch = number(rest.get("pitch", 0.0), "pitch")
    frames = []
    for k, letter in enumerate(letters):
        value = wanted[k]
        R_B = _drawn_axes(letter, ways[k], f"directions[{k}]")
        if letter.kind == "universal":
            R_B = R_B @ spatial.rotation_z(0.0 if value is None else float(value[1]))
        T_B = spatial.pose(R_B, where[k])
        T_A = T_B @ np.linalg.inv(KINDS[letter.kind].across(value, pitch))
        T_parent, T_child = all_poses[k], all_poses[k + 1]
        frames.append((seen_from(T_parent, T_A), seen_from(T_child, T_B)))
    rest |= {"values": wanted, "start_pose": start_pose, "end_pose": end_pose}
    return chain(joints, frames, leg=leg, links=links, **rest)


def seen_from(T_0a: np.ndarray, T_0b: np.ndarray) -> Frame:
    """Frame b on a body whose frame is a."""
    return Frame.from_matrix(tidy(np.linalg.inv(T_0a) @ T_0b))


def tidy(T: np.ndarray) -> np.ndarray:
    """A pose without rounding dust: what is meant as 0 or 1 is 0 or 1."""
    R, p = T[:3, :3], T[:3, 3].copy()
    p[np.abs(p) < 4e-16 * max(1.0, float(np.abs(p).max()))] = 0.0
    return spatial.pose(spatial.snap(R), p)


def _drawn_axes(letter: Letter, given: Any, what: str) -> np.ndarray:
    """Axes of frame B in the drawing, for coordinates zero."""
    if letter.kind == "universal":
        if not isinstance(given, (list, tuple, np.ndarray)) or len(given) != 2:
            raise InputError(
                f"{what}: a universal joint has two directions, the first and the second",
                argument="directions",
            )
        first, second = (checks.direction(v, what) for v in given)
        if abs(float(first @ second)) > 1e-6:
            raise InputError(
                f"{what}: the axes of a universal joint are perpendicular; these make "
                f"{np.degrees(np.arccos(np.clip(first @ second, -1, 1))):.4g} degrees",
                argument="directions",
            )
        second = second - (first @ second) * first
        # y_B is the first axis when the second coordinate is zero: R_AB = Rz(q1) Rx(pi/2) Rz(q2)
        return np.stack([spatial.cross(first, second), first, second], axis=1)
    if letter.kind in ("spherical", "fixed") and given is None:
        return np.eye(3)
    if given is None:
        raise InputError(f"{what}: a {letter.kind} joint needs a direction", argument="directions")
    return rotation_from_axes(checks.direction(given, what))


def _axes(letter: Letter, given: Any, what: str) -> tuple[Axis, ...]:
    if given is None:
        return ()
    if isinstance(given, (tuple, list)):
        return tuple(checks.motor(axis, what) for axis in given)
    before = letter.motors[0] if letter.motors else 0
    return (*(Axis() for _ in range(before)), checks.motor(given, what))


def _pair(given: Any, k: int) -> tuple[Frame, Frame]:
    if not (isinstance(given, (tuple, list)) and [type(f) for f in given] == [Frame, Frame]):
        raise InputError(
            f"frames[{k}]: expected two gough.Frame, on the parent and on the child, "
            f"got {shown(given)}",
            argument="frames",
        )
    return given[0], given[1]


def _coordinates(letters: Sequence[Letter], given: Any) -> list[Any]:
    """Coordinates of joints: as many numbers as a joint has, a rotation for a ball, or None."""
    if given is None:
        return [None] * len(letters)
    found = checks.listed(given, "values", len(letters))
    for k, (letter, value) in enumerate(zip(letters, found, strict=True)):
        shape = _SHAPES.get(letter.kind, ())
        if value is None:
            continue
        try:
            right = np.array(value, dtype=float).shape in (shape, (1,) if shape == () else shape)
        except (TypeError, ValueError):
            right = False
        if not right or not np.isfinite(np.array(value, dtype=float)).all():
            words = {(): "a number", (2,): "two numbers", (3,): "three numbers"}
            wanted = words.get(shape, "a rotation, 3x3")
            raise InputError(
                f"values[{k}]: a {letter.kind} joint has {wanted}, got {shown(value)}",
                argument="values",
            )
    return found


def _check_leg(leg: object) -> None:
    if not isinstance(leg, (str, int)) or isinstance(leg, bool):
        raise InputError(f"leg: expected a name or a number, got {shown(leg)}", argument="leg")


def _names(letters: Sequence[Letter], leg: str | int) -> list[str]:
    """``u1 p1 s1``; letters that come twice get one more: ``r1a r1b``."""
    small = [letter.letter.lower() for letter in letters]
    again = [chr(ord("a") + small[:k].count(one)) for k, one in enumerate(small)]
    return [
        f"{one}{leg}{more if small.count(one) > 1 else ''}"
        for one, more in zip(small, again, strict=True)
    ]
