"""Three hinges that meet in one point, in the loops of a machine: one ball, and a loop of its own.

If a body behind them may spin idly, a pose does not tell where each of them stands, and no step
finds one.  The ball in their place swings, as any ball does: it has the smallest swing from home
against the body before it.  The hinges follow from it in a loop of four moves, three turns there
and the ball back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from gough.geometry.closed_form.loops import Key, Loop, Stage
from gough.mechanism.closure.recursion import Pose
from gough.robot.joint_kinds import BALL, TURN

_MEET = 1e-13  # of the machine: axes that meet but for rounding, which closed forms may leave open
_ACROSS = 1e-3  # |sine| between neighbours at least, for their axes to have one common point
_E_Z = np.eye(3)[2]

Values = Mapping[Key, np.ndarray]
Row = tuple[list[Stage], np.ndarray]


def with_hinges_joined(
    loops: Sequence[Loop], samples: Sequence[Values], length: float
) -> tuple[Loop, ...]:
    """The loops with a ball in place of three hinges that meet; none where there are no such.

    Args:
        loops: of the machine.
        samples: coordinates of all links in every sample of the machine.
        length: of the machine [m].
    """
    found: list[Loop] = []
    rows: dict[Key, Loop] = {}
    for loop in loops:
        stages, end = list(loop.stages), loop.end
        k = 0
        while k + 3 <= len(stages):
            row = _row(stages[k : k + 3], _MEET * length)
            if row is None:
                k += 1
                continue
            turns, after = row
            key, backwards = _key(turns), False
            if key in rows:
                same = [each.key for each in rows[key].stages[:3]]
                backwards = same != [each.key for each in turns]
            else:
                values = [{**at, **closed} for at, closed in zip(samples, loop.closed, strict=True)]
                rows[key] = _own(turns, key, values)
            ball = Stage(stages[k].R, turns[0].p, BALL, 0.0, backwards, key)
            stages[k : k + 3] = [ball]
            if k + 1 < len(stages):
                stages[k + 1] = replace(stages[k + 1], p=stages[k + 1].p - after)
            else:
                end = Pose(end.R, end.p - after)
            k += 1
        found.append(replace(loop, stages=tuple(stages), end=end))
    return (*found, *rows.values()) if rows else ()


def whole_rows(loops: Sequence[Loop]) -> set[Key]:
    """Balls in the place of three links of a tree, from its root outwards; no joint is cut."""
    own = [loop.stages for loop in loops if loop.stages and loop.stages[-1].key[0] == "row"]
    return {
        ball.key
        for *hinges, ball in own
        if all(each.key[0] == "link" and not each.backwards for each in hinges)
    }


def _row(stages: Sequence[Stage], near: float) -> Row | None:
    """Three turns with their origins where their axes meet, and where that is on the last axis."""
    if any(stage.move != TURN for stage in stages):
        return None
    one, two, three = stages
    first, second = _meeting(two, near), _meeting(three, near)
    if first is None or second is None or abs(first[1] - second[0]) > near:
        return None
    turns = [
        replace(one, p=one.p + one.R @ _E_Z * first[0]),
        replace(two, p=np.zeros(3)),
        replace(three, p=np.zeros(3)),
    ]
    return turns, _E_Z * second[1]


def _meeting(stage: Stage, near: float) -> tuple[float, float] | None:
    """How far along the axis before a stage, and along its own, the two meet; none if they miss."""
    a, b = _E_Z, stage.R @ _E_Z
    if np.linalg.norm(np.cross(a, b)) < _ACROSS:
        return None
    (s, t), *_ = np.linalg.lstsq(np.column_stack([a, -b]), stage.p, rcond=None)
    return None if np.linalg.norm(s * a - t * b - stage.p) > near else (float(s), float(t))


def _key(turns: Sequence[Stage]) -> Key:
    tree, link = min(each.key[1:] for each in turns if each.key[0] == "link")
    return "row", tree, link


def _own(turns: Sequence[Stage], key: Key, samples: Sequence[Values]) -> Loop:
    """The loop of three hinges and the ball in their place."""
    first = replace(turns[0], R=np.eye(3), p=np.zeros(3))
    stages = (first, *turns[1:])
    ball = Stage(np.eye(3), np.zeros(3), BALL, 0.0, True, key)
    closed = []
    for values in samples:
        R = np.eye(3)
        for stage in stages:
            c, s = values[stage.key]
            s = -s if stage.backwards else s
            R = R @ stage.R @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        closed.append({key: R})
    name = f"hinges of {key[2]}"
    return Loop(name, (*stages, ball), Pose(np.eye(3), np.zeros(3)), False, tuple(closed))
