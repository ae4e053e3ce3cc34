"""Planar machines: the five-bar, the 3-RRR, and RRR machines with more legs than needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from gough.base.spatial import pose, rotation_z
from gough.build import checks
from gough.build.chains import chain
from gough.build.homes import choose, held, placed, planar_poses, quality, spread
from gough.build.legs_planar import planar_leg
from gough.build.parts import (
    BARE,
    Leg,
    MachineAbout,
    MachineOptions,
    at_home,
    body,
    each_leg,
    machine,
    start_pose,
)
from gough.build.reach import turned, two_links
from gough.build.recording import recorded
from gough.errors import InputError
from gough.robot import Frame, Robot

IN_PLANE = (0, 1, 5)
DOWN_Y = (0.0, -9.81, 0.0)

_LEGS = 3
"""What a platform in the plane needs; every further leg is redundant."""


@recorded(*MachineAbout.__annotations__)
def five_bar(
    base_points: Any,
    proximal: Any,
    distal: Any,
    *,
    legs: Leg | Sequence[Leg] = BARE,
    modes: Any = (-1, 1),
    home: Any = None,
    near: Any = None,
    name: str = "five_bar",
    **rest: Unpack[MachineAbout],
) -> Robot:
    """A five-bar in the plane x y from three lengths.

    The platform is the distal link of leg 1, its frame at the tip, x along the link.  The motors'
    coordinates are the angles of the proximal links from base x [rad].  Link frames sit at the
    link's first joint, x along the link.  Bodies without figures are massless, and declared so.

    Args:
        base_points: the two motors' places [m]; or their distance, about the origin along x.
        proximal: length of the proximal links [m], one for both or two.
        distal: length of the distal links [m], one for both or two.
        legs: what the legs are made of, proximal and distal links, one for both or two; what they
            hold is the distal link of leg 1, whatever ``platform`` they name.
        modes: 1 or -1 for each leg: angle = direction of the tip - mode * acos(...); the default
            has both elbows outside.
        home: where the tip is at home [m]; default above the motors, well conditioned.  Or by
            motors: ``"mid"``, both at the middle of their strokes, or angles by name,
            ``{"foot1": 2.0, "foot2": 1.1}``.
        near: of a home by motors: the tip from which the motors are led there; default as for
            ``home``.
        name: identifier; bodies are ``prox1 dist1 prox2 dist2``, motors ``foot1 foot2``.
        **rest: gravity, label and source, as for :func:`gough.build.machine`; gravity is by default
            in the plane, along -y.

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
    links = _links(2, proximal, distal, modes, legs)
    by_names = home if isinstance(home, (str, Mapping)) else None  # a list is the tip
    given = home if by_names is None and near is None else start_pose(by_names, near)
    tip = _tip(feet, links) if given is None else checks.point(given, "home")
    one, other = links
    q, knee, _ = _pushed(feet[0], tip, one, 1)
    angle = float(np.arctan2(*(tip - knee)[1::-1]))
    T = pose(rotation_z(angle), knee)
    made = one["made_of"]
    platform = checks.solid(made.distal, "dist1")
    end = (one["distal"], 0.0, 0.0)
    leg1 = chain(
        "R* R",
        [(Frame(feet[0].tolist()), Frame()), (Frame((one["proximal"], 0.0, 0.0)), Frame())],
        leg=1,
        links={"prox1": made.proximal},
        values=[turned(q), None],
        names=["foot1", "elbow1"],
        axes=[made.motor, None],
        start=made.base,
        end=platform.name,
        passive={role: axes for role, axes in made.passive.items() if role != "wrist"},
    )
    other["made_of"] = replace(other["made_of"], platform=platform.name)
    parts = [leg1, body(platform, "dist1", T), planar_leg("R* R R", 2, feet[1], end, T, **other)]
    rest.setdefault("gravity", DOWN_Y)
    about: dict[str, Any] = {"platform_frame": Frame(end), "home": by_names}
    return machine(name, parts, platform=platform.name, **about, **rest)


@recorded(*MachineOptions.__annotations__)
def planar_rrr(
    base_points: Any,
    platform_points: Any,
    proximal: Any,
    distal: Any,
    *,
    legs: Leg | Sequence[Leg] = BARE,
    modes: Any = 1,
    home: Any = None,
    near: Any = None,
    name: str = "planar_rrr",
    **rest: Unpack[MachineOptions],
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
        legs: what the legs are made of, proximal and distal links, one for all or one for each.
        modes: 1 or -1, for all legs or for each: angle = direction of the platform point
            - mode * acos(...).
        home: pose of the platform at home, 4x4 or Frame; default in the middle, well conditioned.
            Or by motors: ``"mid"``, all at the middle of their strokes, angles by name,
            as for :func:`gough.build.machine`.
        near: of a home by motors: pose from which they are led there; default as for ``home``.
        name: identifier; bodies are ``prox1 dist1 ... platform``, motors ``foot1 ...``.
        **rest: platform, platform_frame, redundant, gravity, label and source, as for
            :func:`gough.build.machine`; gravity is by default in the plane, along -y.

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
    links = _links(count, proximal, distal, modes, legs)
    given = start_pose(home, near)
    T = _platform(feet, top, links, name) if given is None else checks.pose(given, "home")
    parts = [
        planar_leg("R* R R", i + 1, feet[i], top[i], T, **link) for i, link in enumerate(links)
    ]
    rest.setdefault("gravity", DOWN_Y)
    options: MachineOptions = {"redundant": count > _LEGS, **rest}
    return machine(name, parts, **at_home(home, T), **options)


@recorded("legs", "modes", "home", "near", *MachineOptions.__annotations__)
def three_rrr(
    base_points: Any,
    platform_points: Any,
    proximal: Any,
    distal: Any,
    *,
    name: str = "three_rrr",
    **options: Any,
) -> Robot:
    """A planar 3-RRR in the plane x y: :func:`planar_rrr` with three legs, arguments as there."""
    feet = checks.points(base_points, "base_points", _LEGS)
    top = checks.points(platform_points, "platform_points", _LEGS)
    return planar_rrr(feet, top, proximal, distal, name=name, **options)


def _links(count: int, proximal: Any, distal: Any, modes: Any, legs: Any) -> list[dict[str, Any]]:
    """What each leg is made of, by the names that :func:`planar_leg` gives it."""
    first = [checks.length(v, "proximal") for v in checks.each(proximal, count, "proximal")]
    second = [checks.length(v, "distal") for v in checks.each(distal, count, "distal")]
    signs = [checks.side(mode, "modes") for mode in checks.each(modes, count, "modes")]
    keys = ("proximal", "distal", "mode", "made_of")
    each = zip(first, second, signs, each_leg(legs, count), strict=True)
    return [dict(zip(keys, link, strict=True)) for link in each]


def _pushed(
    foot: np.ndarray, tip: np.ndarray, link: dict[str, Any], leg: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """Angle of a proximal link, its knee, and the direction of the distal link to the tip."""
    first, second = link["proximal"], link["distal"]
    q = two_links(tip - foot, first, second, link["mode"], leg)
    knee = foot + first * np.array([np.cos(q), np.sin(q), 0.0])
    return q, knee, (tip - knee) / second


def _pushes(
    feet: np.ndarray, tips: Any, links: list[dict[str, Any]]
) -> tuple[np.ndarray, np.ndarray]:
    """Directions of the distal links, and the levers that the proximal links have on them."""
    lines, levers = [], []
    for i, (foot, tip, link) in enumerate(zip(feet, tips, links, strict=True)):
        q, _, line = _pushed(foot, tip, link, i + 1)
        lines.append(line)
        levers.append(line @ [-np.sin(q), np.cos(q), 0.0])
    return np.array(lines), np.array(levers)


def _tip(feet: np.ndarray, links: list[dict[str, Any]]) -> np.ndarray:
    """A tip on the left of the line from motor 1 to motor 2."""
    middle, along = feet.mean(axis=0), feet[1] - feet[0]
    ahead = np.array([-along[1], along[0], 0.0]) / np.linalg.norm(along)
    size = sum(max(link[key] for link in links) for key in ("proximal", "distal"))
    steps = [h * size for h in (0.6, 0.7, 0.5, 0.8, 0.4, 0.9, 0.3, 0.2, 0.1)]
    tips = [
        middle + h * ahead + side * along / np.linalg.norm(along) * size
        for side in (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5)
        for h in steps
    ]

    def worth(tip: np.ndarray) -> float:
        lines, levers = _pushes(feet, [tip, tip], links)
        return quality(lines, np.zeros((2, 3)), 1.0, levers, (0, 1))

    return np.asarray(choose(tips, worth, "five_bar")[0])


def _platform(
    feet: np.ndarray, top: np.ndarray, links: list[dict[str, Any]], name: str
) -> np.ndarray:
    """A platform pose between the motors."""

    def worth(T: np.ndarray) -> float:
        return held(T, top, *_pushes(feet, placed(T, top), links), IN_PLANE)

    return choose(planar_poses(feet, top), worth, name)[0]
