"""What a group of neighbouring moves leaves where it is: a point, a direction, a plane.

Turns whose axes cross keep the point where they do, and a ball its centre; parallel turns keep the
direction of their axes and, together with slides across it, the planes at right angles to it.
Guessed from the axes in one posture, and kept if every sample confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gough.base.spatial import E_X, E_Y, E_Z
from gough.geometry.closed_form.loops import (
    DIRECTION,
    PLANE,
    POINT,
    Carried,
    Loop,
    Values,
    clean,
    leftwards,
    moved,
    rightwards,
)
from gough.robot.joint_kinds import BALL, SLIDE

Sample = tuple[np.ndarray, Values]
"""A platform pose, and the coordinates of every move of every loop."""

_NOTHING = np.zeros(3)
# figures of samples closed to 1e-15, in shares of the robot's length
_SAME = 1e-10


class Feature(NamedTuple):
    """A feature that a block keeps: as seen before its first move, and behind its last."""

    before: Carried
    behind: Carried


def kept(
    loop: Loop, block: Sequence[int], samples: Sequence[Sample], length: float
) -> list[Feature]:
    """Features kept by a block of neighbouring moves (what lies between them is known)."""
    found: list[Feature] = []
    for guess in _guesses(loop, block, samples[0]):
        first = _through(loop, block, samples[0], guess)
        scale = length if guess.kind == POINT else 1.0
        # lazily: most guesses fail in the second sample
        others = (_through(loop, block, sample, guess) for sample in samples[1:])
        if all(_same(f, first, scale, length) for f in others):
            found.append(Feature(_clean(guess), _clean(first)))
    return found


def _same(f: Carried, other: Carried, scale: float, length: float) -> bool:
    """Whether two features are one; entries of their vectors have the given size."""
    apart = np.abs(f.v - other.v).max() / scale, abs(f.h - other.h) / length
    return bool(max(apart) < _SAME)


def _clean(f: Carried) -> Carried:
    """A feature read off a sample, freed of its rounding."""
    return Carried(f.kind, clean(f.v), 0.0 if abs(f.h) < 1e-14 else float(f.h))


def _through(loop: Loop, block: Sequence[int], sample: Sample, f: Carried) -> Carried:
    """A feature before the block's first move, seen from behind its last."""
    T_0p, values = sample
    for i, j in zip(block, [*block[1:], None], strict=True):
        f = moved(loop.stages[i], values[loop.stages[i].key], f, undo=True)
        if j is not None:
            f = rightwards(loop, values, T_0p, i, j, f)
    return f


def _guesses(loop: Loop, block: Sequence[int], sample: Sample) -> Iterator[Carried]:
    """Points, directions and planes that the block might keep, before its first move."""
    stages = [loop.stages[i] for i in block]
    balls = [i for i, s in enumerate(stages) if s.move == BALL]
    turns = [i for i, s in enumerate(stages) if s.move not in (BALL, SLIDE)]
    slides = [i for i, s in enumerate(stages) if s.move == SLIDE]
    origins, axes = _axes(loop, block, sample)
    if balls:
        yield Carried(POINT, origins[balls[0]], 0.0)
        return
    if turns:
        first = turns[0]
        if not slides:
            yield from (Carried(POINT, x, 0.0) for x in _points(origins, axes, first, turns))
        yield from _planes(axes[first], origins[first])
        return
    directions = [axes[i] for i in slides]
    if len(slides) == 1:
        normals = [E_X, E_Y] if slides[0] == 0 else []
    elif len(slides) == 2:
        normal = np.cross(directions[0], directions[1])
        size = float(np.linalg.norm(normal))
        normals = [normal / size] if size > 1e-9 else []
    else:
        normals = []
    for normal in normals:
        yield from _planes(normal, _NOTHING)
    yield from (Carried(DIRECTION, e, 0.0) for e in (E_X, E_Y, E_Z))


def _planes(normal: np.ndarray, point: np.ndarray) -> Iterator[Carried]:
    yield Carried(PLANE, normal, float(normal @ point))
    yield Carried(DIRECTION, normal, 0.0)


def _points(
    origins: list[np.ndarray], axes: list[np.ndarray], first: int, turns: list[int]
) -> Iterator[np.ndarray]:
    """Where the first axis crosses the next one; its own origin if it is alone."""
    others = [i for i in turns if i != first and np.linalg.norm(_across(axes, first, i)) > 1e-6]
    if not others:
        yield origins[first]
        return
    n = _across(axes, first, others[0])
    between = origins[others[0]] - origins[first]
    along = float(np.cross(between, axes[others[0]]) @ n / (n @ n))
    yield origins[first] + along * axes[first]


def _across(axes: list[np.ndarray], i: int, j: int) -> np.ndarray:
    return np.asarray(np.cross(axes[i], axes[j]))


def _axes(
    loop: Loop, block: Sequence[int], sample: Sample
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Origin and axis of every move of the block in a sample, seen from before its first."""
    T_0p, values = sample
    R, p = np.eye(3), np.zeros(3)
    origins, axes = [p], [R[:, 2]]
    for i, j in pairwise(block):
        # the frame before move j, seen from before move i, by its origin and axes
        behind = [
            leftwards(loop, values, T_0p, j, i, Carried(POINT, x, 0.0))
            for x in (_NOTHING, E_X, E_Y, E_Z)
        ]
        stage = loop.stages[i]
        seen = [moved(stage, values[stage.key], f).v for f in behind]
        p = p + R @ seen[0]
        R = R @ np.stack([x - seen[0] for x in seen[1:]]).T
        origins.append(p)
        axes.append(R[:, 2])
    return origins, axes
