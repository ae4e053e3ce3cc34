"""Three hinges in a row that meet in one point: a ball, where the links between them do not count.

Exporters that have no balls write three hinges, with links between them that weigh next to nothing
or nothing.  What is next to nothing beside a machine may still be felt beside a thin rod that spins
about its axis: then the hinges stay as the file has them, unless the user drops the links.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.english import counted, percent
from gough.robot.formats.model import BASE, FREE, Model, Tie
from gough.robot.joint import Axis, Limits

_MEET = 1e-6  # hinges that pass each other nearer than this [m] meet
_ACROSS = 0.1  # |sine| of the angle between neighbours at least: else they are not a ball
_LIGHT = 1e-6  # of all mass, and of mass times size squared: what may be left out on demand
# Of the mass and the smallest moment of the bodies that a ball joins: what links may have and still
# are left out.  Efforts change by less than this share, which is near their rounding.
_UNFELT = 1e-10


class Row(NamedTuple):
    """Three hinges in a row, from the first link to the last, and the links between them."""

    first: Tie
    second: Tie
    third: Tie
    inner: tuple[str, str]


def with_balls(model: Model, keep: set[str], *, drop: bool = False) -> Model:
    """The model with balls in place of three hinges whose links are not felt.

    Args:
        model: the model; its links without mass are as light as those of ``_LIGHT``.
        keep: joints that something names: motors, couplings, locks.
        drop: leave out links that are felt, too.
    """
    busy = keep | {name for relation in model.relations for name in relation.terms}
    made: list[tuple[float, float]] = []
    kept: list[tuple[float, float]] = []
    largest, stay = 0.0, set[str]()
    while True:
        row = next((row for row in _rows(model, busy) if row.first.name not in stay), None)
        if row is None:
            break
        felt = _felt(model, row)
        if felt <= _UNFELT or drop:
            made.append(_weight(model, row))
            model = _joined(model, row)
        else:
            largest = max(largest, felt)
            kept.append(_weight(model, row))
            stay.add(row.first.name)
    if made:
        mass, moment = np.max(made, axis=0)
        model.note(
            "balls",
            f"{counted(len(made), 'ball')} of three hinges each: links between them of up to "
            f"{mass:.1g} kg and {moment:.1g} kg m^2 are left out",
            count=len(made),
        )
    if kept:
        mass, moment = np.max(kept, axis=0)
        share = percent(largest) if np.isfinite(largest) else "more than all"
        model.note(
            "hinges",
            f"{counted(len(kept), 'time')} three hinges meet in a point and stay three hinges, as "
            f"the file has them: the links between them, of up to {mass:.1g} kg and "
            f"{moment:.1g} kg m^2, are up to {share} of what they join. One ball for three hinges "
            "is faster, and has no posture in which two of them are parallel: drop=['links'] "
            "leaves the links out",
            count=len(kept),
            share=largest,
        )
    return model


def _weight(model: Model, row: Row) -> tuple[float, float]:
    """Largest mass and moment of the links of a row, about the point where its hinges meet."""
    points = (row.second.T_A[:3, 3], row.second.T_B[:3, 3])
    masses, moments = [], []
    for name, point in zip(row.inner, points, strict=True):
        link = model.links[name]
        arm = np.linalg.norm(np.asarray(link.center) - point)
        masses.append(link.mass)
        moments.append(float(np.abs(link.inertia).max() + link.mass * arm**2))
    return max(masses), max(moments)


def _felt(model: Model, row: Row) -> float:
    """The links of a row as a share of the bodies that it joins: mass, and smallest moment."""
    mass, moment = _weight(model, row)
    joined = [model.links[end] for end in (row.first.parent, row.third.child) if end != BASE]
    joined = [link for link in joined if link.mass > 0.0]
    shares = [0.0]
    for one, others in (
        (mass, [link.mass for link in joined]),
        (moment, [float(np.linalg.eigvalsh(link.inertia)[0]) for link in joined]),
    ):
        if one > 0.0:
            least = min(others, default=0.0)
            shares.append(one / least if least > 0.0 else np.inf)
    return max(shares)


def _scale(model: Model, poses: dict[str, np.ndarray]) -> tuple[float, float]:
    total = sum(link.mass for link in model.links.values())
    points = np.array([T[:3, 3] for T in poses.values()])
    return total, float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0


def _rows(model: Model, busy: set[str]) -> Iterator[Row]:
    """Rows of three hinges that may be a ball: their links are light beside the machine."""
    total, size = _scale(model, model.poses())
    at: dict[str, list[Tie]] = {}
    for tie in model.joints:
        if tie.kind == FREE:
            continue
        at.setdefault(tie.parent, []).append(tie)
        at.setdefault(tie.child, []).append(tie)

    def passed(name: str) -> bool:
        link, ties = model.links[name], at.get(name, [])
        if name == BASE or len(ties) != 2:
            return False
        light = link.mass <= _LIGHT * total
        still = np.abs(link.inertia).max() <= _LIGHT * total * size**2
        free = all(t.kind == "revolute" and t.name not in busy and _plain(t) for t in ties)
        return light and bool(still) and free and all(m.link != name for m in model.marks.values())

    for second in model.joints:
        if second.kind != "revolute" or not (passed(second.parent) and passed(second.child)):
            continue
        first = next(t for t in at[second.parent] if t is not second)
        third = next(t for t in at[second.child] if t is not second)
        if first is third or first.child != second.parent or third.parent != second.child:
            continue
        if _meet(first, second) and _meet(second, third):
            yield Row(first, second, third, (second.parent, second.child))


def _plain(tie: Tie) -> bool:
    """Whether nothing acts in a hinge: limits alone may go."""
    return all(replace(axis, limits=Limits()) == Axis() for axis in tie.axes)


def _meet(one: Tie, two: Tie) -> bool:
    """Whether two hinges on a common link meet there, across each other."""
    a, b = one.T_B, two.T_A
    across = np.linalg.norm(np.cross(a[:3, 2], b[:3, 2]))
    return bool(np.linalg.norm(a[:3, 3] - b[:3, 3]) < _MEET and across > _ACROSS)


def _joined(model: Model, row: Row) -> Model:
    first, second, third, inner = row
    T_A = spatial.pose(np.eye(3), first.T_A[:3, 3])
    T_B = spatial.pose(np.eye(3), third.T_B[:3, 3])

    def turned(values: dict[str, tuple[float, ...]]) -> np.ndarray:
        T = np.eye(4)
        for tie in (first, second, third):
            T = T @ tie.across(values.get(tie.name))
        return np.asarray(T[:3, :3])

    ball = Tie(
        *(f"{first.name}", "spherical", first.parent, third.child, T_A, T_B),
        axes=(Axis(),),
        drawn=(turned({}),),
        loop=first.loop or second.loop or third.loop,
        place=first.place,
    )
    names = {first.name, second.name, third.name}
    starts = {}
    for start, values in model.starts.items():
        kept = {n: v for n, v in values.items() if n not in names}
        starts[start] = {**kept, ball.name: (turned(values),)}
    joints = [ball if t is first else t for t in model.joints if t not in (second, third)]
    links = {n: link for n, link in model.links.items() if n not in inner}
    return replace(model, joints=joints, links=links, starts=starts)
