"""``gough.workspace_volume``: the workspace over three freedoms in numbers, and what fits in it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from gough.base.arguments import number, one_of, switch
from gough.base.english import listed
from gough.base.options import chosen
from gough.base.progress import Progress, reporter
from gough.errors import InputError
from gough.evaluation.loops.closing import Closer
from gough.mechanism.by_pose import assembled_by_pose
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.singularity.workspace.components import components, home_part
from gough.singularity.workspace.inscribed import (
    SAMPLES,
    first_boxes,
    first_cylinders,
    inscribed,
)
from gough.singularity.workspace.section import WorkspaceSection, unit_of
from gough.singularity.workspace.shapes import BoxFit, CylinderFit, Fit
from gough.singularity.workspace.shell import Shell, find_between, find_shell
from gough.singularity.workspace.solid import InscribedBox, InscribedCylinder, WorkspaceVolume
from gough.singularity.workspace.survey import Survey, bounded_span, section_of, surveyed
from gough.singularity.workspace.walking import WIDE, Walker

_POINTS = 41  # along each freedom, if nothing is said
_COARSE = 21  # while the span of home's part is sought
_FILLED, _REDUCTIONS = 0.4, 4  # share of that span which the part has, or it is sought again
_AROUND = 2.0  # coarse cells around the part: thin tips are seen by finer cells only
_WIDER, _WIDENINGS = 0.15, 4  # of its span, where a lattice cuts the part, and how often
_BEYOND = 3.0  # cells that a shape may grow beyond its candidate of the lattice
_ROUGH = 1.0 / 32.0  # to which share of such a way a place is found
_INWARD = 1.3  # cells from a point of a shape's surface to where it is followed from


def workspace_volume(
    robot: Robot,
    section: WorkspaceSection | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    limits: bool = True,
    axis: str | None = None,
    height: float | None = None,
    diameter: float | None = None,
    progress: Progress | None = None,
    **axes: Any,
) -> WorkspaceVolume:
    """Volume, extents, largest cylinder and largest box of the workspace over three freedoms.

    The workspace is the part that home lies in: reached from there within the section, from lattice
    point to lattice point, without passing a limit or a singularity.  Where lattice lines leave it,
    the border is found to 1/128 of a cell.  Something thinner than a cell may be missed.

    The cylinder has the largest volume, or with ``height`` the largest diameter of that height, or
    with ``diameter`` the largest height.  The box lies along the axes and has the largest volume.
    They are the largest that were found by random changes from the best ones of the lattice; each
    was checked with 2000 fresh points on its surface, followed from lattice points inside, all of
    which hold.

    Args:
        robot: the machine, in home's working mode.
        section: the lattice; of another workspace, or by keywords.
        at: freedoms that are held, by name [m or rad]; home's values if not given.
        limits: whether limits of joints count.
        axis: the freedom along which the cylinder lies; if not given the one along gravity, or
            another one so that the two across it have the same unit.
        height: of the cylinder [m or rad].
        diameter: of the cylinder [m or rad].
        progress: called with the share done, 0 to 1.
        **axes: three freedoms that vary, as for :func:`gough.workspace`; 41 points each and the
            span of the part if not said otherwise; the first three freedoms if none is named.

    Returns:
        A :class:`WorkspaceVolume`.

    Raises:
        InputError: there are no three freedoms, or home's place is in no part of the section.
    """
    assembly = assembled_by_pose(robot)
    report_share = reporter(progress)
    limits = switch(limits, "limits")
    threads = chosen().threads
    wanted = _wanted(height, diameter)
    closer = Closer(assembly, threads)
    grid, sought = _lattice(closer, section, axes, at, limits=limits)
    along = _axis(assembly, grid, axis)
    report_share(0.2)
    for _ in range(_WIDENINGS):
        survey = surveyed(closer, grid)
        inside, walker = _part(survey, limits=limits)
        wider = _widened(closer, grid, inside.reshape(grid.shape), sought)
        if wider is None:
            break
        grid = wider
    report_share(0.5)
    shell = find_shell(survey, walker, inside)
    report_share(0.7)
    look = _Looking(survey, walker, shell)
    cylinder = _cylinder(look, along, *wanted)
    why = "" if cylinder else _no_cylinder(grid, along, *wanted)
    report_share(0.85)
    box = _box(look)
    report_share(1.0)
    return WorkspaceVolume(
        robot=assembly.robot,
        section=grid,
        limits=limits,
        inside=inside.reshape(grid.shape),
        volume=shell.volume,
        volume_error=shell.volume_error,
        extents=shell.extents,
        open_ends=tuple(grid.names[k] for k in np.unique(shell.axis[shell.cut])),
        cylinder=cylinder,
        no_cylinder=why,
        box=box,
        _shell=shell,
    )


def _wanted(height: float | None, diameter: float | None) -> tuple[float | None, float | None]:
    """Height and radius that a cylinder must have."""
    if height is not None and diameter is not None:
        raise InputError(
            "both height and diameter of the cylinder are given",
            hint="Give one of them: the other is found.",
            argument="diameter",
        )
    radius = None if diameter is None else 0.5 * number(diameter, "diameter", positive=True)
    return (None if height is None else number(height, "height", positive=True)), radius


def _lattice(
    closer: Closer,
    section: WorkspaceSection | None,
    axes: Mapping[str, Any],
    at: Mapping[str, Any] | None,
    *,
    limits: bool,
) -> tuple[WorkspaceSection, list[str]]:
    """The lattice, as it is given or over home's part; and freedoms whose span is found."""
    known, held = closer.assembly.freedoms, at if isinstance(at, Mapping) else {}
    if section is None and not axes:
        axes = dict.fromkeys([name for name in known if name not in held][:3])
    names = section.names if isinstance(section, WorkspaceSection) else tuple(axes)
    if (section is None or isinstance(section, WorkspaceSection)) and len(names) != 3:
        raise InputError(
            f"a volume is over three freedoms, not {len(names)}: {', '.join(names)}",
            hint=f"{closer.assembly.robot.name} has {', '.join(known)}; gough.workspace takes one "
            "or two.",
            argument="section",
        )
    sought = [name for name, given in axes.items() if given is None or np.ndim(given) == 0]
    if section is not None or not sought:
        return section_of(closer, section, axes, at, limits=limits), []
    counts = {name: _POINTS if axes[name] is None else axes[name] for name in sought}
    # checked with what was asked for, then coarse
    fine = section_of(closer, None, {**axes, **counts}, at, limits=limits)
    spans = {n: (float(v[0]), float(v[-1])) for n, v in zip(fine.names, fine.values, strict=True)}
    for _ in range(_REDUCTIONS):
        coarse = section_of(
            closer, None, {n: (*span, _COARSE) for n, span in spans.items()}, at, limits=limits
        )
        survey = surveyed(closer, coarse)
        labels = components(survey, survey.inside(limits=limits))
        part = home_part(survey, labels)
        if not part:
            break
        where = np.nonzero(labels.reshape(coarse.shape) == part)
        filled = True
        for name in sought:
            k = coarse.names.index(name)
            reached, margin = coarse.values[k][where[k]], _AROUND * coarse.spacing[k]
            low, high = reached.min() - margin, reached.max() + margin
            spans[name] = bounded_span(closer, name, low, high)
            filled &= bool(np.ptp(where[k]) >= _FILLED * _COARSE)
        if filled:
            break
    final = {
        name: (*spans[name], counts[name]) if name in counts else given
        for name, given in axes.items()
    }
    return section_of(closer, None, final, at, limits=limits), sought


def _widened(
    closer: Closer, grid: WorkspaceSection, inside: np.ndarray, sought: list[str]
) -> WorkspaceSection | None:
    """A lattice that goes further where it cuts the part; ``None`` where it need not or cannot."""
    values, changed = [], False
    for k, (name, v) in enumerate(zip(grid.names, grid.values, strict=True)):
        ends = np.moveaxis(inside, k, 0)[[0, -1]].any(axis=(1, 2))
        more = _WIDER * np.ptp(v) * ends * (name in sought)
        low, high = bounded_span(closer, name, float(v[0] - more[0]), float(v[-1] + more[1]))
        changed |= low < v[0] or high > v[-1]
        values.append(np.linspace(low, high, len(v)))
    return (
        WorkspaceSection(grid.freedoms, grid.names, tuple(values), grid.held) if changed else None
    )


def _axis(assembly: Assembly, grid: WorkspaceSection, axis: str | None) -> int:
    """Number of the freedom along the cylinder's axis."""
    if axis is not None:
        return grid.names.index(one_of(axis, "axis", grid.names))
    upright = "xyz"[int(np.abs(assembly.gravity).argmax())] if assembly.gravity.any() else "z"
    first = grid.names.index(upright) if upright in grid.names else 2
    # a planar machine turns about the axis of its cylinder: the other two have one unit
    for k in (first, 2, 1, 0):
        if len({unit_of(name) for name in grid.names if name != grid.names[k]}) == 1:
            return k
    return first


def _part(survey: Survey, *, limits: bool) -> tuple[np.ndarray, Walker]:
    """Points of the part that home lies in ``(K,)``, and what walks through it."""
    labels = components(survey, survey.inside(limits=limits))
    part = home_part(survey, labels)
    inside = labels == part
    if not part:
        Walker(survey.closer, limits=limits)  # home itself may be the reason
        raise InputError(
            f"{survey.closer.assembly.robot.name}: home's place is in no part of the section",
            hint="Take more points, a section through home, or other values of held freedoms.",
            argument="section",
        )
    side = float(survey.figures.sign[inside][0]) or 1.0
    return inside, Walker(survey.closer, limits=limits, side=side)


class _Looking:
    """Follows points of shapes from lattice points inside them."""

    def __init__(self, survey: Survey, walker: Walker, shell: Shell) -> None:
        self.survey, self.walker, self.shell = survey, walker, shell
        self.inside = shell.inside[1:-1, 1:-1, 1:-1]
        self.columns = survey.section.columns_varied

    @cached_property
    def border(self) -> np.ndarray:
        """Points that no shape may hold: of the border on lattice lines and between, of walls."""
        between = find_between(self.shell, self.survey, self.walker)
        return np.concatenate([self.shell.places[~self.shell.cut], self.shell.walls, between])

    def largest(self, fit: Fit, first: np.ndarray, spread: np.ndarray) -> np.ndarray | None:
        """The largest shape of a kind, from first candidates."""
        reach = _BEYOND * self.shell.spacing
        return inscribed(fit, first, self.border, spread, reach, self.refused)

    @property
    def bounds(self) -> np.ndarray:
        """Of the section ``(3, 2)``."""
        return np.array([[v[0], v[-1]] for v in self.shell.values])

    def refused(self, points: np.ndarray, span: np.ndarray) -> np.ndarray:
        """Places before those points that are not free."""
        centre, h = span.mean(axis=1), self.shell.spacing
        inward = (centre - points) / h
        far = np.linalg.norm(inward, axis=1, keepdims=True)
        begin = points + np.minimum(1.0, _INWARD / np.maximum(far, 1e-12)) * inward * h
        index = self._nearest(begin)
        middle = self._nearest(centre[None])[0]
        good = self.inside[tuple(index.T)]
        index[~good] = middle
        if not self.inside[tuple(middle)] and not good.all():
            return np.asarray(
                centre[None]
            )  # the shape is smaller than a cell, or its middle is not free
        number = np.ravel_multi_index(tuple(index.T), self.inside.shape)
        goal = self.survey.points[number]
        goal[:, self.columns] = points
        ends = self.walker.walked(self.survey.states.at(number), goal, _ROUGH, WIDE)
        last = ends.last.y[:, self.walker.closer.free][:, self.columns]
        return np.asarray(last[ends.share < 1.0])

    def _nearest(self, points: np.ndarray) -> np.ndarray:
        found = np.round((points - self.bounds[:, 0]) / self.shell.spacing).astype(int)
        return np.asarray(np.clip(found, 0, np.array(self.inside.shape) - 1))


def _cylinder(
    look: _Looking, along: int, height: float | None, radius: float | None
) -> InscribedCylinder | None:
    """The largest cylinder; ``None`` if there is none."""
    names, spacing = look.survey.section.names, look.shell.spacing
    fit = CylinderFit(look.bounds, along, height, radius)
    if len({unit_of(names[k]) for k in fit.across}) > 1:  # as _no_cylinder says
        return None
    spread = np.array([*spacing[fit.across], spacing[along], spacing[along], 0.0])
    found = look.largest(fit, first_cylinders(look.shell, fit), spread)
    if found is None:
        return None
    centre = fit.span(found).mean(axis=1)
    tall, wide = float(found[3] - found[2]), float(found[4])
    return InscribedCylinder(names[along], centre, wide, tall, np.pi * wide**2 * tall, SAMPLES)


def _no_cylinder(
    grid: WorkspaceSection, along: int, height: float | None, radius: float | None
) -> str:
    """Why there is no cylinder, in words."""
    axis, across = grid.names[along], [n for n in grid.names if n != grid.names[along]]
    if len({unit_of(name) for name in across}) > 1:
        return f"none along {axis}: {listed(across)} have different units"
    if height is not None:
        return f"no cylinder of height {height:g} {unit_of(axis)} fits along {axis}"
    if radius is not None:
        return f"no cylinder of diameter {2.0 * radius:g} {unit_of(across[0])} fits along {axis}"
    return "no cylinder of a cell or more fits"


def _box(look: _Looking) -> InscribedBox | None:
    """The largest box; ``None`` if there is none."""
    fit = BoxFit(look.bounds)
    found = look.largest(fit, first_boxes(look.shell), np.tile(look.shell.spacing, 2))
    if found is None:
        return None
    return InscribedBox(found[:3], found[3:], float(fit.size(found[None])[0]), SAMPLES)
