"""A section whose points are closed, each on home's branch, and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.progress import Progress
from gough.errors import InputError, shown
from gough.kernels.loops.closing import Closer, States
from gough.singularity.workspace.flood import flooded
from gough.singularity.workspace.measures import StateMeasures, figures
from gough.singularity.workspace.section import GridRequest, Section, parse_grid

_COARSE = {1: 161, 2: 33, 3: 15}
"""Points along each freedom while the box is sought."""

_FIRST, _MOST = 0.75, 4.0
"""Half the first box and half the largest one, natural units; a turn goes to half a turn."""

_MARGIN = 1.5  # coarse cells around the reached points: the border lies within one of them


@dataclass(frozen=True, eq=False)
class Survey:
    """Every point of a section.

    Attributes:
        closer: of the robot.
        section: the grid.
        length: characteristic length, the unit of lengths in figures [m].
        states: of all points.
    """

    closer: Closer
    section: Section
    length: float
    states: States

    @cached_property
    def points(self) -> np.ndarray:
        """Freedoms of every point ``(K, n)``."""
        return self.section.points

    @cached_property
    def figures(self) -> StateMeasures:
        """Distances to singularities and limits of every point."""
        return figures(self.closer, self.states, self.length)

    def inside(self, *, limits: bool) -> np.ndarray:
        """Points that are reached, within limits of axes if these count ``(K,)``."""
        return self.states.good & (self.figures.beyond < 0) if limits else self.states.good


def surveyed(
    closer: Closer,
    section: Section,
    length: float | None = None,
    progress: Progress = lambda _: None,
) -> Survey:
    """Close all points of a section; the unit of lengths is the robot's own if not given."""
    states = flooded(closer, section, progress)
    return Survey(closer, section, closer.assembly.length if length is None else length, states)


def section_of(
    closer: Closer,
    section: Section | None,
    axes: Mapping[str, Any],
    at: Mapping[str, Any] | None,
    *,
    limits: bool,
) -> Section:
    """The grid of a call: given as a section, or by keywords; missing spans are found."""
    assembly = closer.assembly
    if section is None:
        request = parse_grid(assembly, axes, at)
        return request.section(_spans(closer, request, limits=limits))
    if not isinstance(section, Section) or section.freedoms != assembly.freedoms:
        raise InputError(
            f"section is {shown(section)}, expected a section of {assembly.robot.name}",
            hint="Keywords make one: x=(-0.2, 0.2, 101), y=None, at={'z': 0.3}.",
            argument="section",
        )
    if axes or at:
        raise InputError("both a section and keywords are given", argument="section")
    return section


def _spans(closer: Closer, request: GridRequest, *, limits: bool) -> dict[str, tuple[float, float]]:
    """Lowest and highest value of every freedom that varies; given ones stay.

    A box grows from home on every side where something at its border is reached, up to four lengths
    of the robot (legs without limits reach any distance) or half a turn.
    """
    scales = closer.assembly.scales.freedoms
    here = dict(zip(request.freedoms, closer.home.y[0, closer.free], strict=True))
    scale = dict(zip(request.freedoms, scales, strict=True))

    def around(name: str, half: float) -> tuple[float, float]:
        return _turned(name, here[name] - half * scale[name], here[name] + half * scale[name])

    spans = {name: axis.span or around(name, _FIRST) for name, axis in request.axes.items()}
    sought = [name for name, axis in request.axes.items() if axis.span is None]
    if not sought:
        return spans
    for _ in range(12):
        section = request.section(spans, _COARSE[len(spans)])
        inside = surveyed(closer, section).inside(limits=limits)
        if not inside.any():
            return spans
        grown = False
        for name in sought:
            k = section.names.index(name)
            ends = np.moveaxis(inside.reshape(section.shape), k, 0)[[0, -1]].reshape(2, -1)
            (low, high), (lowest, highest) = spans[name], around(name, _MOST)
            step = 0.5 * (high - low)
            if ends[0].any() and low > lowest:
                low, grown = max(low - step, lowest), True
            if ends[1].any() and high < highest:
                high, grown = min(high + step, highest), True
            spans[name] = (low, high)
        if not grown:
            break
    # reduced to the reached points
    where = np.unravel_index(np.flatnonzero(inside), section.shape)
    for name in sought:
        k = section.names.index(name)
        reached, margin = section.values[k][where[k]], _MARGIN * section.spacing[k]
        spans[name] = _turned(name, reached.min() - margin, reached.max() + margin)
    return spans


def _turned(name: str, low: float, high: float) -> tuple[float, float]:
    """A span of a freedom, of a turn not beyond half a turn."""
    return (max(low, -np.pi), min(high, np.pi)) if name.startswith("r") else (low, high)
