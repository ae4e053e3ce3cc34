"""The border of one part of a section over three freedoms: where lattice lines leave it.

Every line of the lattice that leaves the part does so between two neighbours; the place is found by
halving.  Volumes, extents and the surface in pictures are made of these places.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.singularity.workspace.components import edges
from gough.singularity.workspace.survey import Survey
from gough.singularity.workspace.walking import WIDE, Walker

FINE = 1.0 / 128.0
"""To which share of a cell the border is found along lattice lines."""

_THROUGH = (
    2.5  # lengths of the way to the middle of crossings; behind sharp edges the border is far
)


@dataclass(frozen=True, eq=False)
class Shell:
    """The border of a part ``inside``, a lattice of three freedoms.

    Attributes:
        values: of each freedom along its lattice lines.
        inside: lattice points of the part, with a margin of one point around, which is outside.
        index, axis, way: crossings: the lattice point inside (of the padded lattice) ``(k, 3)``,
            the freedom along which the line leaves ``(k,)``, and the direction, 1 or -1.
        share: of the cell that is inside, behind that point ``(k,)``.
        cut: whether the section ends there, and not the part ``(k,)``.
        walls: places inside the part between neighbours with a singularity between them ``(w, 3)``.
    """

    values: tuple[np.ndarray, ...]
    inside: np.ndarray
    index: np.ndarray
    axis: np.ndarray
    way: np.ndarray
    share: np.ndarray
    cut: np.ndarray
    walls: np.ndarray

    @cached_property
    def spacing(self) -> np.ndarray:
        """Distance between lattice points along each freedom ``(3,)``."""
        return np.array([v[1] - v[0] for v in self.values])

    @cached_property
    def places(self) -> np.ndarray:
        """Crossings ``(k, 3)`` [m or rad]."""
        low = np.array([v[0] for v in self.values])
        found = low + (self.index - 1) * self.spacing
        k = np.arange(len(found))
        found[k, self.axis] += self.way * self.share * self.spacing[self.axis]
        return np.asarray(found)

    @cached_property
    def extents(self) -> np.ndarray:
        """Lowest and highest value of each freedom in the part ``(3, 2)``."""
        return np.stack([self.places.min(axis=0), self.places.max(axis=0)], axis=1)

    @cached_property
    def volume(self) -> float:
        """Volume of the part: the mean over sums of lines along each of the three freedoms."""
        return float(np.mean([self._by_lines(axis, (0, 0), 1) for axis in range(3)]))

    @cached_property
    def volume_error(self) -> float:
        """Largest difference to the volumes of the twelve lattices that are twice as coarse."""
        coarse = [
            self._by_lines(axis, (first, second), 2)
            for axis in range(3)
            for first in (0, 1)
            for second in (0, 1)
        ]
        return float(np.abs(np.array(coarse) - self.volume).max())

    def _by_lines(self, axis: int, first: tuple[int, int], stride: int) -> float:
        """Lengths of lattice lines along a freedom, each times the cell around it.

        Args:
            axis: of the lines.
            first: numbers of the first lines across it.
            stride: every line, or every second one.
        """
        others = [k for k in range(3) if k != axis]
        across = self.inside.sum(axis=axis).astype(float)  # points of each line: one cell each
        some = self.axis == axis
        # between its first and last point a piece is one cell shorter, its ends are shares of cells
        np.add.at(across, tuple(self.index[some][:, others].T), self.share[some] - 0.5)
        # lines at the end of the section have half a cell
        weights = [np.ones(n) for n in across.shape]
        for w in weights:
            w[1], w[-2] = 0.5, 0.5
        lines = across * weights[0][:, None] * weights[1]
        counted = lines[1 + first[0] : -1 : stride, 1 + first[1] : -1 : stride]
        return float(counted.sum() * np.prod(self.spacing) * stride**2)

    def mesh(self) -> tuple[np.ndarray, np.ndarray]:
        """A closed surface: corners ``(v, 3)`` and quadrangles of them ``(q, 4)``, outward.

        Each cell that the border passes has one corner, in the middle of the crossings around it;
        the four cells around a crossing are a quadrangle.
        """
        corners, faces, _ = self._net
        return corners, faces

    @cached_property
    def _net(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Corners, quadrangles, and the lattice point at the lower end of each corner's cell."""
        shape = np.array(self.inside.shape) - 1
        cells, others = [], np.array([[1, 2], [2, 0], [0, 1]])[self.axis]
        base = self.index.copy()
        k = np.arange(len(base))
        base[k, self.axis] -= self.way < 0
        for first, second in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
            cell = base.copy()
            cell[k, others[:, 0]] += first
            cell[k, others[:, 1]] += second
            cells.append(np.ravel_multi_index(tuple(cell.T), tuple(shape)))
        quads = np.stack(cells, axis=1)
        quads[self.way < 0] = quads[self.way < 0][:, ::-1]
        used, faces = np.unique(quads, return_inverse=True)
        faces = faces.reshape(quads.shape)
        corners, count = np.zeros((len(used), 3)), np.zeros(len(used))
        for j in range(4):
            np.add.at(corners, faces[:, j], self.places)
            np.add.at(count, faces[:, j], 1.0)
        cell = np.stack(np.unravel_index(used, tuple(shape)), axis=1)
        return corners / count[:, None], faces, cell


def find_between(shell: Shell, survey: Survey, walker: Walker) -> np.ndarray:
    """Places of the border between lattice lines, one in each cell that it passes ``(k, 3)``.

    They lie on the way from a lattice point inside through the middle of the cell's crossings.
    """
    middle, _, cell = shell._net
    low = np.array([v[0] for v in shell.values])
    begin = np.full(middle.shape, np.nan)
    number = np.zeros(len(middle), dtype=int)
    shape = tuple(n - 2 for n in shell.inside.shape)
    away = np.full(len(middle), -np.inf)
    for step in np.ndindex(2, 2, 2):
        index = cell + np.array(step)
        place = low + (index - 1) * shell.spacing
        far = np.linalg.norm((middle - place) / shell.spacing, axis=1)
        # the farthest corner inside: a way from there meets the border most squarely
        better = shell.inside[tuple(index.T)] & (far > away)
        begin[better], away[better] = place[better], far[better]
        number[better] = np.ravel_multi_index(tuple(index[better].T - 1), shape)
    goal = survey.points[number]
    columns = survey.section.columns_varied
    aim = begin + _THROUGH * (middle - begin)
    bounds = np.array([[v[0], v[-1]] for v in shell.values])
    goal[:, columns] = np.clip(aim, bounds[:, 0], bounds[:, 1])
    ends = walker.walked(survey.states.at(number), goal, FINE, WIDE)
    found = ends.last.y[:, walker.closer.free][:, columns]
    return np.asarray(found[ends.share < 1.0])


def find_shell(survey: Survey, walker: Walker, inside: np.ndarray) -> Shell:
    """The border of a part.

    Args:
        survey: of a section over three freedoms.
        walker: of the robot; the part is free for it.
        inside: points of the part ``(K,)``.
    """
    shape = survey.section.shape
    padded = np.pad(inside.reshape(shape), 1)
    number = np.pad(np.arange(len(inside)).reshape(shape), 1, constant_values=-1)
    index, axes, ways, numbers = [], [], [], []
    for axis in range(3):
        for way in (1, -1):
            ahead = np.roll(padded, -way, axis=axis)
            found = np.argwhere(padded & ~ahead)
            index.append(found)
            axes.append(np.full(len(found), axis))
            ways.append(np.full(len(found), way))
            beside = found.copy()
            beside[:, axis] += way
            numbers.append(np.stack([number[tuple(found.T)], number[tuple(beside.T)]], axis=1))
    pairs = np.concatenate(numbers)
    cut = pairs[:, 1] < 0
    share = np.zeros(len(pairs))
    some = np.flatnonzero(~cut)
    states, points = survey.states, survey.points
    ends = walker.walked(states.at(pairs[some, 0]), points[pairs[some, 1]], FINE, WIDE)
    share[some] = ends.share
    one, other, free = edges(survey, inside)
    middle = 0.5 * (points[one[~free]] + points[other[~free]])
    return Shell(
        survey.section.values,
        padded,
        np.concatenate(index),
        np.concatenate(axes),
        np.concatenate(ways),
        share,
        cut,
        middle[:, survey.section.columns_varied],
    )
