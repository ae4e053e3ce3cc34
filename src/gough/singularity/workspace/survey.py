"""A section whose points are closed, each on home's branch, and measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.progress import Progress
from gough.dynamics.quantities.axes import bounded_axes
from gough.errors import InputError, shown
from gough.evaluation.loops.closing import Closer, States
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.assembly import Assembly
from gough.singularity.workspace.flood import flooded
from gough.singularity.workspace.measures import StateMeasures, figures
from gough.singularity.workspace.section import GridRequest, WorkspaceSection, parse_grid

_COARSE = {1: 161, 2: 33, 3: 15}
"""Points along each freedom while the box is sought."""

FARTHEST = 4.0
"""How far a search goes from home, lengths of the robot; a turn goes to half a turn."""

_ENDLESS = (-np.inf, np.inf)
_FIRST = 0.75  # half the first box, natural units

_MARGIN = 1.5  # coarse cells around the reached points: the border lies within one of them
_THIN = 4  # points along a freedom: where fewer are reached, the box is reduced and looked at again
_LEAST = 1e-9  # of a box that is reduced, natural units: states are closed to 1e-11
_ROUNDS = 24  # of looking: a dozen each reduce a box to the least, or make it as large as may be


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
    section: WorkspaceSection
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
    section: WorkspaceSection,
    length: float | None = None,
    progress: Progress = lambda _: None,
) -> Survey:
    """Close all points of a section; the unit of lengths is the robot's own if not given."""
    states = flooded(closer, section, progress)
    return Survey(closer, section, closer.assembly.length if length is None else length, states)


def section_of(
    closer: Closer,
    section: WorkspaceSection | None,
    axes: Mapping[str, Any],
    at: Mapping[str, Any] | None,
    *,
    limits: bool,
) -> WorkspaceSection:
    """The grid of a call: given as a section, or by keywords; missing spans are found."""
    assembly = closer.assembly
    if section is None:
        request = parse_grid(assembly, axes, at)
        return request.section(_spans(closer, request, limits=limits))
    if not isinstance(section, WorkspaceSection) or section.freedoms != assembly.freedoms:
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
    of the robot (legs without limits reach any distance) or half a turn.  Where only a few points
    along a freedom are reached, strokes are short beside the robot: the box is reduced to these.
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
    last = spans
    for _ in range(_ROUNDS):
        section = request.section(spans, _COARSE[len(spans)])
        inside = surveyed(closer, section).inside(limits=limits).reshape(section.shape)
        if not inside.any():
            return last  # something thin was lost between the points
        last, spans, looked = spans, dict(spans), True
        for name in sought:
            k = section.names.index(name)
            reached = np.flatnonzero(inside.any(axis=tuple(set(range(inside.ndim)) - {k})))
            (low, high), (lowest, highest) = spans[name], bounded_span(closer, name, *_ENDLESS)
            step, n = 0.5 * (high - low), len(section.values[k])
            if reached[0] == 0 and low > lowest:
                low, looked = max(low - step, lowest), False
            if reached[-1] == n - 1 and high < highest:
                high, looked = min(high + step, highest), False
            spans[name] = (low, high)
            thin = np.ptp(reached) + 1 < _THIN and step > _LEAST * scale[name]
            if thin and 0 < reached[0] and reached[-1] < n - 1:
                spans[name], looked = _around(closer, section, k, reached), False
        if looked:
            break
    for name in sought:
        k = section.names.index(name)
        reached = np.flatnonzero(inside.any(axis=tuple(set(range(inside.ndim)) - {k})))
        spans[name] = _around(closer, section, k, reached)
    return spans


def _around(
    closer: Closer, section: WorkspaceSection, k: int, reached: np.ndarray
) -> tuple[float, float]:
    """A span with a margin around points of one freedom, by their numbers."""
    values, margin = section.values[k][reached], _MARGIN * section.spacing[k]
    return bounded_span(closer, section.names[k], values[0] - margin, values[-1] + margin)


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
