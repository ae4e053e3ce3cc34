"""Parts of a section in which the machine can move freely: no limit, no singularity between."""

from __future__ import annotations

import numpy as np

from gough.dynamics.quantities.axes import bounded_axes
from gough.mechanism.closure.axes import is_turn
from gough.singularity.workspace.flood import chunks
from gough.singularity.workspace.survey import Survey

# Dependent coordinates that differ by more between neighbours of the grid, natural units, belong to
# different assembly modes: within one they follow the freedoms, which differ by a cell.
_LEAP = 0.5


def components(survey: Survey, inside: np.ndarray) -> np.ndarray:
    """Labels of connected parts ``(K,)``: 1, 2, ... from the largest on, 0 outside.

    Args:
        survey: of a section.
        inside: points that count ``(K,)``.
    """
    one, other, free = edges(survey, inside)
    found = _parts(len(inside), one[free], other[free])
    labels, sizes = np.unique(found[inside], return_counts=True)
    order = np.zeros(len(inside), dtype=int)
    order[labels[np.argsort(-sizes, kind="stable")]] = np.arange(1, len(labels) + 1)
    return np.where(inside, order[found], 0)


def home_part(survey: Survey, labels: np.ndarray) -> int:
    """The part in which home lies; 0 if in none.

    Where the section does not go through it, the part at the same place of the section.

    Args:
        survey: of a section.
        labels: of parts ``(K,)``.
    """
    section, closer = survey.section, survey.closer
    here = closer.home.y[0, closer.free]
    for k, i in enumerate(section.columns_varied):
        values, step = section.values[k], section.spacing[k]
        if not values[0] - step <= here[i] <= values[-1] + step:
            return 0
    return int(labels[section.nearest(here)])


def edges(survey: Survey, inside: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of neighbours that both count, and whether nothing singular is between them.

    Args:
        survey: of a section.
        inside: points that count ``(K,)``.
    """
    one, other = _edges(survey, inside)
    sign = survey.figures.sign
    free = (sign[one] == sign[other]) & _near(survey, one, other)
    free[free] = _same_side(survey, one[free], other[free])
    return one, other, free


def sides(survey: Survey) -> np.ndarray:
    """On which side of singularities of legs and platform points lie ``(K,)``: 1, -1, 0 outside.

    Neighbours are on different sides where there is one between them.  The largest part is on side
    1, parts that do not touch it are each for themselves.
    """
    good = survey.states.good
    one, other = _edges(survey, good)
    same = _same_side(survey, one, other)
    if same.all():
        return good.astype(int)
    part_of = _parts(len(good), one[same], other[same])
    sizes = np.bincount(part_of[good], minlength=part_of.max() + 1)
    across = np.unique(np.stack([part_of[one[~same]], part_of[other[~same]]], axis=1), axis=0)
    side = np.zeros(len(sizes), dtype=int)
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
    return np.where(good, side[part_of], 0)


def _edges(survey: Survey, inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of neighbours that both count."""
    shape = survey.section.shape
    number = np.arange(len(inside)).reshape(shape)
    one, other = [], []
    for axis in range(len(shape)):
        ahead = np.moveaxis(number, axis, 0)
        one.append(ahead[:-1].reshape(-1))
        other.append(ahead[1:].reshape(-1))
    first, second = np.concatenate(one), np.concatenate(other)
    both = inside[first] & inside[second]
    return first[both], second[both]


def _same_side(survey: Survey, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Whether neighbours have no singularity of legs or platform between them."""
    same, states = np.ones(len(one), dtype=bool), survey.states
    for part in chunks(len(one)):
        same[part] = survey.closer.same_side(states.at(one[part]), states.at(other[part]))
    return same


def _parts(count: int, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """To which connected part points belong ``(count,)``, neighbours in pairs."""
    from scipy.sparse import coo_matrix  # noqa: PLC0415  heavy: loaded on first use
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415  heavy

    edges = coo_matrix((np.ones(len(one)), (one, other)), shape=(count, count))
    return np.asarray(connected_components(edges, directed=False)[1])


def _near(survey: Survey, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Whether neighbours are near each other in dependent coordinates and limited axes."""
    assembly, y, bounded = survey.closer.assembly, survey.states.y, survey.figures.bounded
    rest = list(survey.closer.looker.dependent)
    leap = np.abs((y[one] - y[other]) / assembly.scales.twist)[:, rest].max(axis=1, initial=0.0)
    turning = [is_turn(assembly.axes[name]) for name in bounded_axes(assembly)]
    turned = np.abs(bounded[one] - bounded[other])[:, turning]
    return np.asarray((leap < _LEAP) & (turned.max(axis=1, initial=0.0) < np.pi))
