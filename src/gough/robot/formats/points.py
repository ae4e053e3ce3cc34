"""Points of two links that coincide: one is a ball, two are a hinge, three a weld."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.robot.formats.model import MOST_LINKS, Place, Tie
from gough.robot.frame import rotation_from_axes

_APART = 1e-6  # points that are nearer to each other than this [m] are one point given twice


class Point(NamedTuple):
    """A point of one link that is a point of another."""

    name: str
    one: str
    two: str
    T_1: np.ndarray
    T_2: np.ndarray
    how: str
    place: Place


def joined(points: Iterable[Point], taken: set[str]) -> list[Tie]:
    """Joints that points make: those between the same two links together."""
    groups: dict[frozenset[str], list[Point]] = {}
    for k, point in enumerate(points):
        if k >= MOST_LINKS:
            point.place.refuse(f"the file has more than {MOST_LINKS} points that close loops")
        if point.one == point.two:
            point.place.refuse(f"joins {point.one!r} to itself")
        groups.setdefault(frozenset((point.one, point.two)), []).append(point)
    found: list[Tie] = []
    for group in groups.values():
        tie = _tie([_turned(point, group[0].one) for point in group])
        name = tie.name
        while name in taken:
            name = f"{name}_loop"
        taken.add(name)
        found.append(tie if name == tie.name else replace(tie, name=name))
    return found


def _turned(point: Point, first: str) -> Point:
    if point.one == first:
        return point
    return point._replace(one=point.two, two=point.one, T_1=point.T_2, T_2=point.T_1)


def _tie(group: list[Point]) -> Tie:
    first = group[0]
    ends = f"{first.one!r} and {first.two!r}"
    apart = [p for p in group if np.linalg.norm((p.T_1 - first.T_1)[:3, 3]) > _APART]
    if not apart:
        return Tie(
            *(first.name, "spherical", first.one, first.two),
            *(_at(first.T_1), _at(first.T_2)),
            loop=f"{first.name!r} is a ball between {ends}: {first.how}",
            place=first.place,
        )
    far = max(apart, key=lambda p: float(np.linalg.norm((p.T_1 - first.T_1)[:3, 3])))
    x = [(far.T_1 - first.T_1)[:3, 3], (far.T_2 - first.T_2)[:3, 3]]
    off = [p for p in apart if _off_line(first, far, p) > _APART]
    if not off:
        T = [
            spatial.pose(rotation_from_axes(e), P[:3, 3])
            for e, P in zip(x, first[3:5], strict=True)
        ]
        return Tie(
            *(first.name, "revolute", first.one, first.two),
            *(T[0], T[1]),
            loop=f"{first.name!r} and {far.name!r} are two points of {ends}, together a hinge",
            place=first.place,
        )
    side = max(off, key=lambda p: _off_line(first, far, p))
    y = [(side.T_1 - first.T_1)[:3, 3], (side.T_2 - first.T_2)[:3, 3]]
    T = [
        spatial.pose(rotation_from_axes(e, f), P[:3, 3])
        for e, f, P in zip(x, y, first[3:5], strict=True)
    ]
    return Tie(
        *(first.name, "fixed", first.one, first.two),
        *(T[0], T[1]),
        loop=f"{first.name!r} and {len(group) - 1} more are points of {ends}, together a weld",
        place=first.place,
    )


def _at(T: np.ndarray) -> np.ndarray:
    """A ball needs a point only; its axes are kept out of it, so that figures stay exact."""
    return spatial.pose(np.eye(3), T[:3, 3])


def _off_line(a: Point, b: Point, c: Point) -> float:
    along = (b.T_1 - a.T_1)[:3, 3]
    across = np.cross(along, (c.T_1 - a.T_1)[:3, 3])
    return float(np.linalg.norm(across) / np.linalg.norm(along))
