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
from gough.kernels.tracing.integration_quantities import bounded_axes
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.singularity.workspace.flood import flooded
from gough.singularity.workspace.measures import StateMeasures, figures
from gough.singularity.workspace.section import GridRequest, Section, parse_grid

_COARSE = {1: 161, 2: 33, 3: 15}
"""Points along each freedom while the box is sought."""

FARTHEST = 4.0
"""How far a search goes from home, lengths of the robot; a turn goes to half a turn."""

_ENDLESS = (-np.inf, np.inf)
_FIRST = 0.75  # half the first box, natural units

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
        low, high = here[name] - half * scale[name], here[name] + half * scale[name]
        return bounded_span(closer, name, low, high)

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
            (low, high), (lowest, highest) = spans[name], bounded_span(closer, name, *_ENDLESS)
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
        spans[name] = bounded_span(closer, name, reached.min() - margin, reached.max() + margin)
    return spans


def bounded_span(closer: Closer, name: str, low: float, high: float) -> tuple[float, float]:
    """A span of a freedom, not beyond half a turn or what a search goes to."""
    if name.startswith("r"):
        return max(low, -np.pi), min(high, np.pi)
    home = float(closer.home.y[0, closer.free[closer.assembly.freedoms.index(name)]])
    far = farthest(closer.assembly)
    return max(low, home - far), min(high, home + far)


def farthest(assembly: Assembly) -> float:
    """How far a search goes from home [m]: lengths of the robot, or all strokes in a row."""
    robot = assembly.robot
    slides = [n for n in bounded_axes(assembly) if not is_turn(assembly.axes[n])]
    spans = [robot.axis(name).limits.position or (0.0, 0.0) for name in slides]
    strokes = sum(high - low for low, high in spans if np.isfinite(high - low))
    return max(FARTHEST * assembly.length, float(strokes))
