"""Which points of a section can be reached: from cell to cell, beginning at home.

Every point is continued from a neighbour that is assembled, so it stays on the branch it came
from, and a point out of reach costs a few steps of Newton's method, not a search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.progress import Progress
from gough.evaluation.loops.closing import RELAXED, Closer, States, nothing
from gough.geometry.closed_form.search import closed_form
from gough.singularity.workspace.section import WorkspaceSection

_STRIDE = 0.1  # on the way from home, natural units: Newton's method follows it on one branch
_SEEDS = 11  # along each freedom: points that are sought from home at first
_FINER: dict[str, Any] = {"strides": 6, "contraction": RELAXED}
CHUNK = 4096
"""States that are computed together: few enough for their matrices to stay in the cache."""


def flooded(closer: Closer, section: WorkspaceSection, progress: Progress) -> States:
    """States of all points of a section, on home's branch.

    Args:
        closer: of the robot.
        section: the grid.
        progress: called with the share of points that are decided.
    """
    goal = section.points
    states = nothing(len(goal), closer.home.joints.shape[1])
    _by_closed_form(closer, states, goal)
    _seed(closer, section, states, goal)
    _spread(closer, section, states, goal, progress)
    return states


def _by_closed_form(closer: Closer, states: States, goal: np.ndarray) -> None:
    """Points at once, where the pose follows from the freedoms and the joints from the pose."""
    assembly = closer.assembly
    Psi = np.eye(6) if assembly.mobility == 6 else assembly.constant_Psi
    if Psi is None or closed_form(assembly) is None:
        return
    home = closer.home.y
    y = home + (goal - home[:, closer.free]) @ Psi.T
    y[:, closer.free] = goal
    for part in chunks(len(goal)):
        with np.errstate(all="ignore"):
            joints = closer.looker.closed_form(closer.poses(y[part]))
        finite = np.flatnonzero(np.isfinite(joints).all(axis=1))
        at = np.arange(len(goal))[part][finite]
        trial = States(y[at], joints[finite], np.ones(len(at), dtype=bool))
        states.put(at, closer.settled(trial, goal[at]))


def _seed(closer: Closer, section: WorkspaceSection, states: States, goal: np.ndarray) -> None:
    """Some points straight from home; the nearest one, and others in case it fails."""
    some = np.array([section.nearest(closer.home.y[0, closer.free])])
    if not _led_to(closer, states, goal, some) and not states.good.any():
        axes = [np.unique(np.linspace(0, n - 1, min(n, _SEEDS)).astype(int)) for n in section.shape]
        grid = np.meshgrid(*axes, indexing="ij")
        _led_to(closer, states, goal, np.ravel_multi_index(grid, section.shape).reshape(-1))


def _led_to(closer: Closer, states: States, goal: np.ndarray, some: np.ndarray) -> bool:
    """Lead home straight to some points; whether any is reached."""
    home = closer.home
    way = np.abs((goal[some] - home.y[:, closer.free]) / closer.assembly.scales.freedoms).max(
        initial=0.0
    )
    found = closer.led(home.repeated(len(some)), goal[some], max(int(np.ceil(way / _STRIDE)), 1))
    new = found.good & ~states.good[some]
    states.put(some[new], found.at(new))
    return bool(states.good[some].any())


def _spread(
    closer: Closer, section: WorkspaceSection, states: States, goal: np.ndarray, progress: Progress
) -> None:
    """Continue reached points to their neighbours, wave after wave.

    Points that fail in one stride are tried again in shorter ones after the last wave: at the
    border of reach most of them fail again.
    """
    tried = np.zeros(len(goal), dtype=bool)
    front, later = np.flatnonzero(states.good), _no_pairs()
    while len(front) or later.shape[1]:
        finer = not len(front)
        pairs, later = (later, _no_pairs()) if finer else (_neighbours(section.shape, front), later)
        reached: list[np.ndarray] = []
        while True:
            pairs = pairs[:, ~states.good[pairs[1]]]
            if not pairs.shape[1]:
                break
            # one try at a time for each target; others of its neighbours wait
            _, first = np.unique(pairs[1], return_index=True)
            source, target = pairs[:, first]
            found = closer.continued(states.at(source), goal[target], **(_FINER if finer else {}))
            states.put(target[found.good], found.at(found.good))
            reached.append(target[found.good])
            if not finer:
                later = np.concatenate([later, pairs[:, first][:, ~found.good]], axis=1)
            tried[target] = True
            pairs = np.delete(pairs, first, axis=1)
        progress(float((states.good | tried).mean()))
        front = np.concatenate([front[:0], *reached])


def _no_pairs() -> np.ndarray:
    return np.zeros((2, 0), dtype=int)


def _neighbours(shape: tuple[int, ...], front: np.ndarray) -> np.ndarray:
    """Pairs of points of a front and points beside them ``(2, pairs)``."""
    place = np.unravel_index(front, shape)
    strides = np.array([int(np.prod(shape[k + 1 :])) for k in range(len(shape))])
    source, target = [], []
    for k, stride in enumerate(strides):
        for way in (-1, 1):
            inside = (place[k] + way >= 0) & (place[k] + way < shape[k])
            source.append(front[inside])
            target.append(front[inside] + way * stride)
    return np.stack([np.concatenate(source), np.concatenate(target)])


def chunks(count: int) -> list[slice]:
    """Pieces of a batch."""
    return [slice(k, min(k + CHUNK, count)) for k in range(0, count, CHUNK)]
