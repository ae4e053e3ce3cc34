"""Parts of a section in which the machine can move freely: no limit, no singularity between."""

from __future__ import annotations

import numpy as np

from gough.closure.axes import is_turn
from gough.loops.closing import Closer, States
from gough.sections.figures import Figures
from gough.sections.flood import chunks
from gough.sections.section import Section
from gough.tracing.stepping import bounded_axes

_LEAP = 0.5  # dependent coordinates that differ by more between neighbours, natural units, leap


def components(
    closer: Closer, section: Section, states: States, figures: Figures, inside: np.ndarray
) -> np.ndarray:
    """Labels of connected parts ``(K,)``: 1, 2, ... from the largest on, 0 outside.

    Args:
        closer: of the robot.
        section: the grid.
        states: of its points.
        figures: of the states.
        inside: points that count ``(K,)``.
    """
    from scipy.sparse import coo_matrix  # noqa: PLC0415  heavy: loaded on first use
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  heavy

    one, other = _edges(section.shape)
    both = inside[one] & inside[other]
    one, other = one[both], other[both]
    free = figures.sign[one] == figures.sign[other]
    free &= _near(closer, states, figures, one, other)
    one, other = one[free], other[free]
    for part in chunks(len(one)):
        same = closer.same_side(states.at(one[part]), states.at(other[part]))
        free[: len(one)][part] = same
    free = free[: len(one)]
    K = len(inside)
    edges = coo_matrix((np.ones(int(free.sum())), (one[free], other[free])), shape=(K, K))
    _, found = connected_components(edges, directed=False)
    labels, sizes = np.unique(found[inside], return_counts=True)
    order = np.zeros(K, dtype=int)
    order[labels[np.argsort(-sizes, kind="stable")]] = np.arange(1, len(labels) + 1)
    return np.where(inside, order[found], 0)


def sides(closer: Closer, section: Section, states: States) -> np.ndarray:
    """On which side of singularities of legs and platform points lie ``(K,)``: 1, -1, 0 outside.

    Neighbours are on different sides where there is one between them.  The largest part is on side
    1, parts that do not touch it are each for themselves.
    """
    from scipy.sparse import coo_matrix  # noqa: PLC0415  heavy: loaded on first use
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  heavy

    one, other = _edges(section.shape)
    both = states.good[one] & states.good[other]
    one, other = one[both], other[both]
    same = np.ones(len(one), dtype=bool)
    for part in chunks(len(one)):
        same[part] = closer.same_side(states.at(one[part]), states.at(other[part]))
    found = states.good.astype(int)
    if same.all():
        return found
    K = len(found)
    kept = coo_matrix((np.ones(int(same.sum())), (one[same], other[same])), shape=(K, K))
    count, part_of = connected_components(kept, directed=False)
    sizes = np.bincount(part_of[states.good], minlength=count)
    across = np.unique(np.stack([part_of[one[~same]], part_of[other[~same]]], axis=1), axis=0)
    side = np.zeros(count, dtype=int)
    for start in np.argsort(-sizes):
        if side[start]:
            continue
        side[start], front = 1, [int(start)]
        while front:
            here = front.pop()
            beside = np.concatenate([across[across[:, k] == here, 1 - k] for k in (0, 1)])
            for next_one in beside[side[beside] == 0].tolist():
                side[next_one] = -side[here]
                front.append(next_one)
    return np.where(states.good, side[part_of], 0)


def _edges(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of neighbours."""
    number = np.arange(int(np.prod(shape))).reshape(shape)
    one, other = [], []
    for axis in range(len(shape)):
        ahead = np.moveaxis(number, axis, 0)
        one.append(ahead[:-1].reshape(-1))
        other.append(ahead[1:].reshape(-1))
    return np.concatenate(one), np.concatenate(other)


def _near(
    closer: Closer, states: States, figures: Figures, one: np.ndarray, other: np.ndarray
) -> np.ndarray:
    """Whether neighbours are near each other in what the grid does not show."""
    assembly = closer.assembly
    natural = assembly.scales.twist
    rest = list(closer.looker.dependent)
    leap = np.abs((states.y[one] - states.y[other]) / natural)[:, rest].max(axis=1, initial=0.0)
    turning = [is_turn(assembly.axes[name]) for name in bounded_axes(assembly)]
    turned = np.abs(figures.bounded[one] - figures.bounded[other])[:, turning]
    return np.asarray((leap < _LEAP) & (turned.max(axis=1, initial=0.0) < np.pi))
