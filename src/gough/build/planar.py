"""Planar machines: the five-bar, the 3-RRR, and RRR machines with more legs than needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.build import checks
from gough.build.chains import chain
from gough.build.checks import Solid
from gough.build.homes import choose, planar_poses, quality, spread
from gough.build.legs_planar import planar_leg
from gough.build.parts import body, machine
from gough.build.reach import two_links
from gough.errors import InputError
from gough.robot import Frame, Robot
from gough.spatial import pose, rotation_z

IN_PLANE = (0, 1, 5)
DOWN_Y = (0.0, -9.81, 0.0)

_LEGS = 3
"""What a platform in the plane needs; every further leg is redundant."""


def five_bar(
    base_points: Any,
    proximal: Any,
    distal: Any,
    *,
    modes: Any = (-1, 1),
    home: Any = None,
    name: str = "five_bar",
    proximal_body: Any = None,
    distal_body: Any = None,
    motor: Any = None,
    gravity: Any = DOWN_Y,
    label: str = "",
    source: str = "",
) -> Robot:
    """A five-bar in the plane x y from three lengths.

    The platform is the distal link of leg 1, its frame at the tip, x along the link.  The motors'
    coordinates are the angles of the proximal links from base x [rad].  Link frames sit at the
    link's first joint, x along the link.  Bodies without figures are massless, and declared so.

    Args:
        base_points: the two motors' places [m]; or their distance, about the origin along x.
        proximal: length of the proximal links [m], one for both or two.
        distal: length of the distal links [m], one for both or two.
        modes: 1 or -1 for each leg: angle = direction of the tip - mode * acos(...); the default
            has both elbows outside.
        home: where the tip is at home [m]; default above the motors, well conditioned.
        name: identifier; bodies are ``prox1 dist1 prox2 dist2``, motors ``foot1 foot2``.
        proximal_body: mass properties of the proximal links, one for both or two.
        distal_body: of the distal links.
        motor: an Axis for both motors or two: friction, rotor, transmission, limits.
        gravity: acceleration of free fall in base axes [m/s^2]; default in the plane, along -y.
        label: free text.
        source: where the figures come from.

    Raises:
        InputError: lengths that are not positive or reach nowhere, motors in one place.
    """
    if np.ndim(base_points) == 0:
        half = checks.length(base_points, "base_points") / 2.0
        base_points = [[-half, 0.0, 0.0], [half, 0.0, 0.0]]
    feet = checks.points(base_points, "base_points", 2)
    checks.flat(feet, "base_points")
    if float(np.linalg.norm(feet[1] - feet[0])) == 0.0:
        raise InputError("base_points: the two motors coincide", argument="base_points")
    first = [checks.length(v, "proximal") for v in checks.each(proximal, 2, "proximal")]
    second = [checks.length(v, "distal") for v in checks.each(distal, 2, "distal")]
    signs = _modes(modes, 2)
    tip = _tip(feet, first, second, signs) if home is None else checks.point(home, "home")
    near = checks.each(proximal_body, 2, "proximal_body")
    far = checks.each(distal_body, 2, "distal_body")
    motors = checks.each(motor, 2, "motor")
    q = two_links(tip - feet[0], first[0], second[0], signs[0], 1)
    knee = feet[0] + first[0] * np.array([np.cos(q), np.sin(q), 0.0])
    angle = float(np.arctan2(*(tip - knee)[1::-1]))
    T = pose(rotation_z(angle), knee)
    held = checks.solid(far[0], "dist1")
    leg1 = chain(
        "R* R",
        [(Frame(feet[0].tolist()), Frame()), (Frame((first[0], 0.0, 0.0)), Frame())],
        leg=1,
        links={"prox1": near[0]},
        values=[float(np.arctan2(np.sin(q), np.cos(q))), None],
        names=["foot1", "elbow1"],
        axes=[motors[0], None],
        end=held.name,
    )
    leg2 = planar_leg(
        "R* R R",
        2,
        feet[1],
        (second[0], 0.0, 0.0),
        T,
        proximal=first[1],
        distal=second[1],
        mode=signs[1],
        proximal_body=near[1],
        distal_body=far[1],
        motor=motors[1],
        platform=held.name,
    )
    return machine(
        name,
        [leg1, body(held, "dist1", T), leg2],
        platform=held.name,
        platform_frame=Frame((second[0], 0.0, 0.0)),
        gravity=gravity,
        label=label,
        source=source,
    )


def planar_rrr(
    base_points: Any,
    platform_points: Any,
    proximal: Any,
    distal: Any,
    *,
    modes: Any = 1,
    home: Any = None,
    name: str = "planar_rrr",
    platform: Solid = None,
    proximal_body: Any = None,
    distal_body: Any = None,
    motor: Any = None,
    platform_frame: Frame | None = None,
    gravity: Any = DOWN_Y,
    label: str = "",
    source: str = "",
) -> Robot:
    """A planar n-RRR in the plane x y, a motor on the base for each of its three legs or more.

    The platform has three freedoms, x, y and its angle.  With more than three legs the motors are
    redundant, and declared so.

    The motors' coordinates are the angles of the proximal links from base x [rad].  Link frames sit
    at the link's first joint, x along the link.  Bodies without figures are massless, and declared
    so; there are no limits.

    Args:
        base_points: places of the motors [m], shape (n, 3) or (n, 2).
        platform_points: where the legs hold the platform, platform axes [m], same shape.
        proximal: length of the proximal links [m], one for all or one for each leg.
        distal: length of the distal links [m], one for all or one for each leg.
        modes: 1 or -1, for all legs or for each: angle = direction of the platform point
            - mode * acos(...).
        home: pose of the platform at home, 4x4 or Frame; default in the middle, well conditioned.
        name: identifier; bodies are ``prox1 dist1 ... platform``, motors ``foot1 ...``.
        platform: its Body or mass properties.
        proximal_body: mass properties of the proximal links, one for all or one for each leg.
        distal_body: of the distal links.
        motor: an Axis for all motors, or one for each: friction, rotor, transmission, limits.
        platform_frame: frame on the platform whose pose is ``T_0p``.
        gravity: acceleration of free fall in base axes [m/s^2]; default in the plane, along -y.
        label: free text.
        source: where the figures come from.

    Raises:
        InputError: fewer than three legs, points that coincide, lengths that are not positive or
            reach nowhere.
    """
    feet = checks.points(base_points, "base_points")
    count = len(feet)
    if count < _LEGS:
        raise InputError(
            f"a platform in the plane needs three legs, got {count}",
            argument="base_points",
            count=count,
        )
    top = checks.points(platform_points, "platform_points", count)
    if spread(feet) == 0.0 or spread(top) == 0.0:
        raise InputError(
            "the points coincide: the legs cannot hold the platform",
            argument="base_points" if spread(feet) == 0.0 else "platform_points",
        )
    checks.flat(feet, "base_points")
    checks.flat(top, "platform_points")
    first = [checks.length(v, "proximal") for v in checks.each(proximal, count, "proximal")]
    second = [checks.length(v, "distal") for v in checks.each(distal, count, "distal")]
    signs = _modes(modes, count)
    if home is None:
        T = _platform(feet, top, first, second, signs, name)
    else:
        T = checks.pose(home, "home")
    near = checks.each(proximal_body, count, "proximal_body")
    far = checks.each(distal_body, count, "distal_body")
    motors = checks.each(motor, count, "motor")
    legs = [
        planar_leg(
            "R* R R",
            i + 1,
            feet[i],
            top[i],
            T,
            proximal=first[i],
            distal=second[i],
            mode=signs[i],
            proximal_body=near[i],
            distal_body=far[i],
            motor=motors[i],
        )
        for i in range(count)
    ]
    return machine(
        name,
        legs,
        platform=platform,
        platform_frame=platform_frame,
        home=T,
        gravity=gravity,
        redundant=count > _LEGS,
        label=label,
        source=source,
    )


def three_rrr(
    base_points: Any,
    platform_points: Any,
    proximal: Any,
    distal: Any,
    *,
    modes: Any = 1,
    home: Any = None,
    name: str = "three_rrr",
    platform: Solid = None,
    proximal_body: Any = None,
    distal_body: Any = None,
    motor: Any = None,
    platform_frame: Frame | None = None,
    gravity: Any = DOWN_Y,
    label: str = "",
    source: str = "",
) -> Robot:
    """A planar 3-RRR in the plane x y: :func:`planar_rrr` with three legs, arguments as there."""
    return planar_rrr(
        checks.points(base_points, "base_points", _LEGS),
        checks.points(platform_points, "platform_points", _LEGS),
        proximal,
        distal,
        modes=modes,
        home=home,
        name=name,
        platform=platform,
        proximal_body=proximal_body,
        distal_body=distal_body,
        motor=motor,
        platform_frame=platform_frame,
        gravity=gravity,
        label=label,
        source=source,
    )


def _modes(given: Any, count: int) -> list[int]:
    return [checks.side(mode, "modes") for mode in checks.each(given, count, "modes")]


def _pushes(
    feet: np.ndarray, tips: np.ndarray, first: Any, second: Any, modes: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Directions of the distal links, and the levers that the proximal links have on them."""
    lines, levers = [], []
    for i, (foot, tip) in enumerate(zip(feet, tips, strict=True)):
        q = two_links(tip - foot, first[i], second[i], modes[i], i + 1)
        knee = foot + first[i] * np.array([np.cos(q), np.sin(q), 0.0])
        lines.append((tip - knee) / second[i])
        levers.append(lines[-1] @ [-np.sin(q), np.cos(q), 0.0])
    return np.array(lines), np.array(levers)


def _tip(feet: np.ndarray, first: Any, second: Any, modes: Any) -> np.ndarray:
    """A tip on the left of the line from motor 1 to motor 2."""
    middle, along = feet.mean(axis=0), feet[1] - feet[0]
    ahead = np.array([-along[1], along[0], 0.0]) / np.linalg.norm(along)
    size = max(first) + max(second)
    steps = [h * size for h in (0.6, 0.7, 0.5, 0.8, 0.4, 0.9, 0.3, 0.2, 0.1)]
    tips = [
        middle + h * ahead + side * along / np.linalg.norm(along) * size
        for side in (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5)
        for h in steps
    ]

    def worth(tip: np.ndarray) -> float:
        try:
            lines, levers = _pushes(feet, np.array([tip, tip]), first, second, modes)
        except InputError:
            return float("nan")
        return quality(lines, np.zeros((2, 3)), 1.0, levers, (0, 1))

    tip, _ = choose(tips, worth, "five_bar")
    return np.asarray(tip)


def _platform(
    feet: np.ndarray, top: np.ndarray, first: Any, second: Any, modes: Any, name: str
) -> np.ndarray:
    """A platform pose between the motors."""

    def worth(T: np.ndarray) -> float:
        tips = T[:3, 3] + top @ T[:3, :3].T
        try:
            lines, levers = _pushes(feet, tips, first, second, modes)
        except InputError:
            return float("nan")
        arms = (top - top.mean(axis=0)) @ T[:3, :3].T
        return quality(lines, arms, spread(top), levers, IN_PLANE)

    return choose(planar_poses(feet, top), worth, name)[0]
