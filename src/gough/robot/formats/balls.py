"""Three hinges in a row that meet in one point, with nothing between them: a ball."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.base import spatial
from gough.base.english import counted
from gough.robot.formats.model import BASE, FREE, Model, Tie
from gough.robot.joint import Axis, Limits

_MEET = 1e-6  # hinges that pass each other nearer than this [m] meet
_ACROSS = 0.1  # |sine| of the angle between neighbours at least: else they are not a ball
_LIGHT = 1e-6  # of all mass, and of mass times size squared: what may be left out


def with_balls(model: Model, keep: set[str]) -> Model:
    """The model with balls in place of three hinges whose links weigh next to nothing.

    Args:
        model: the model; its links without mass are as light as those of ``_LIGHT``.
        keep: joints that something names: motors, couplings, locks.
    """
    made, dropped = 0, 0.0
    busy = keep | {name for relation in model.relations for name in relation.terms}
    poses = model.poses()
    total, size = _scale(model, poses)
    while True:
        found = _row(model, busy, total, size)
        if found is None:
            break
        first, second, third, inner = found
        dropped = max([dropped, *(model.links[name].mass for name in inner)])
        model = _joined(model, first, second, third, inner)
        made += 1
    if made:
        model.note(
            "balls",
            f"{counted(made, 'ball')} of three hinges each: links between them of up to "
            f"{dropped:.1g} kg are left out",
            count=made,
        )
    return model


def _scale(model: Model, poses: dict[str, np.ndarray]) -> tuple[float, float]:
    total = sum(link.mass for link in model.links.values())
    points = np.array([T[:3, 3] for T in poses.values()])
    return total, float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0


def _row(
    model: Model, busy: set[str], total: float, size: float
) -> tuple[Tie, Tie, Tie, tuple[str, str]] | None:
    """Three hinges in a row that may be a ball."""
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
            return first, second, third, (second.parent, second.child)
    return None


def _plain(tie: Tie) -> bool:
    """Whether nothing acts in a hinge: limits alone may go."""
    return all(replace(axis, limits=Limits()) == Axis() for axis in tie.axes)


def _meet(one: Tie, two: Tie) -> bool:
    """Whether two hinges on a common link meet there, across each other."""
    a, b = one.T_B, two.T_A
    across = np.linalg.norm(np.cross(a[:3, 2], b[:3, 2]))
    return bool(np.linalg.norm(a[:3, 3] - b[:3, 3]) < _MEET and across > _ACROSS)


def _joined(model: Model, first: Tie, second: Tie, third: Tie, inner: tuple[str, str]) -> Model:
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
