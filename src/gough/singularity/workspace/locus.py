"""``gough.singularity_locus``: curves on which a robot is singular, in a plane of its freedoms.

Contours of a grid whose states are known give the course of the curves.  Every point of them lies
between two points of the grid, and is then sought there until it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base import options
from gough.base.arguments import one_of, words
from gough.base.english import counted, plain
from gough.base.progress import Progress, reporter
from gough.base.result import Result
from gough.errors import GoughError, InputError
from gough.evaluation.loops.closing import RELAXED, Closer, States
from gough.mechanism.by_pose import assembled_by_pose
from gough.robot import Robot
from gough.singularity.distances import measures_of
from gough.singularity.workspace.components import sides
from gough.singularity.workspace.measures import determinant
from gough.singularity.workspace.refining import border, crossing
from gough.singularity.workspace.section import WorkspaceSection
from gough.singularity.workspace.survey import Survey, section_of, surveyed

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("Type 1", "Type 2", "constraint")

# Smallest singular value of a leg that is singular on a curve, natural units: points are found to
# 1e-9 of a cell, and there a leg shows the root of that, 3e-5, or less.
_LOOSE = 1e-4
_ON_GRID = 1e-9  # of a cell: a vertex of a contour on a grid line, but for rounding
_ON_DIAGONAL = 1e-6  # of a cell: difference of shares along the diagonal of a cut-off corner

Refine = Callable[[np.ndarray], np.ndarray]
"""Shares of the way between pairs of neighbours ``(k, 2)`` at which a curve passes."""


@dataclass(frozen=True, eq=False)
class Locus(Result):
    """Curves of singularities in a plane of two freedoms.

    Attributes:
        robot: the machine.
        section: the plane, and the grid on which the curves were found.
        curves: by kind, arrays ``(k, 2)`` of the two freedoms [m or rad].
    """

    robot: Robot
    section: WorkspaceSection
    curves: dict[str, list[np.ndarray]]

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(c)} of {kind}" for kind, c in self.curves.items())
        return f"<Locus of {self.robot.name!r}: curves {counts}>"

    def lines(self) -> list[tuple[str, str]]:
        """Headings and facts, in reading order."""
        found = [("robot", self.robot.name), ("section", str(self.section))]
        return found + [(kind, counted(len(c), "curve")) for kind, c in self.curves.items()]

    def to_dict(self) -> dict[str, Any]:
        """Curves as lists of points, ready for JSON."""
        found = {"robot": self.robot.name, "axes": list(self.section.names)}
        return found | {"curves": plain(self.curves)}

    def columns(self) -> dict[str, np.ndarray]:
        """Every point of a curve as a row: kind (1, 2; 3 for constraint), curve, freedoms."""
        rows = [
            np.column_stack([np.full(len(c), KINDS.index(kind) + 1.0), np.full(len(c), i), c])
            for kind, curves in self.curves.items()
            for i, c in enumerate(curves)
        ]
        table = np.concatenate([np.zeros((0, 4)), *rows])
        names = ("kind", "curve", *self.section.names)
        return {name: table[:, i] for i, name in enumerate(names)}

    def draw(self, *, axes: Any = None) -> Figure:
        """A picture of the curves."""
        from gough.report.maps import draw_locus  # noqa: PLC0415  looks down, when it is asked

        return draw_locus(self, axes=axes)


def singularity_locus(
    robot: Robot,
    section: WorkspaceSection | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    kinds: Sequence[str] = KINDS,
    progress: Progress | None = None,
    **axes: Any,
) -> Locus:
    """Curves on which a robot is singular, over two of its freedoms, in home's working mode.

    ``"Type 1"`` is the border of reach, where a leg is stretched or folded and its working modes
    meet.  On ``"Type 2"`` the motors cannot hold the platform.  On ``"constraint"`` curves, inside
    the reach, the legs no longer fix the dependent coordinates.

    Points lie on the curves to 1e-9 of the robot's size (to 1e-4 where two kinds meet); a curve may
    end a cell of the grid before it meets another.  A robot with more motors than freedoms has no
    curves of Type 2: its singularities are single points.

    Args:
        robot: the machine.
        section: the grid; of a workspace, or by keywords.
        at: freedoms that are held, by name [m or rad]; home's values if not given.
        kinds: which ones.
        progress: called with the share done, 0 to 1.
        **axes: two freedoms that vary, as in :func:`gough.workspace`.

    Returns:
        A :class:`Locus`: curves by kind, points ``(k, 2)`` of the two freedoms [m or rad].
    """
    assembly = assembled_by_pose(robot)
    given = (kinds,) if isinstance(kinds, str) else words(kinds, "kinds")
    chosen = dict.fromkeys(one_of(kind, "kinds", KINDS) for kind in given)
    report_share = reporter(progress)
    closer = Closer(assembly, options.chosen().threads)
    grid = section_of(closer, section, axes, at, limits=False)
    check_plane(grid)
    report_share(0.1)
    survey = surveyed(closer, grid, progress=lambda s: report_share(0.1 + 0.6 * s))
    curves = curves_of(survey, chosen)
    report_share(1.0)
    return Locus(robot, grid, curves)


def check_plane(section: WorkspaceSection) -> None:
    """Refuse what is no plane."""
    if len(section.names) != 2:
        raise InputError(
            f"curves lie in a plane of two freedoms; the section varies {len(section.names)}: "
            f"{', '.join(section.names)}",
            hint="Name two and hold the others: x=None, y=None, at={'z': 0.3}.",
            argument="section",
        )
    check_extent(section)


def check_extent(section: WorkspaceSection) -> None:
    """Refuse a freedom of a picture or of curves that has one value only."""
    for name, count in zip(section.names, section.shape, strict=True):
        if count < 2:
            raise InputError(
                f"the section has one value of {name}: nothing varies along it",
                hint=f"Hold it, at={{{name!r}: ...}}, or give it a span.",
                argument="section",
            )


def curves_of(survey: Survey, kinds: Iterable[str] = KINDS) -> dict[str, list[np.ndarray]]:
    """Curves by kind, over a plane."""
    wanted = tuple(kinds)
    curves: dict[str, list[np.ndarray]] = {kind: [] for kind in wanted}
    if "Type 1" in wanted:
        reach = survey.states.good.astype(float)
        curves["Type 1"] += _refined(survey, reach, 0.5, lambda pairs: border(survey, pairs))
    if "Type 2" in wanted:
        curves["Type 2"] += _type_2(survey)
    if "Type 1" in wanted or "constraint" in wanted:
        for curve, kind in _within(survey):
            if kind in wanted:
                curves[kind].append(curve)
    return curves


def _type_2(survey: Survey) -> list[np.ndarray]:
    """Where the determinant of the motors' Jacobian vanishes."""
    closer, good = survey.closer, survey.states.good
    values = np.full(len(good), np.nan)
    values[good] = determinant(closer.assembly, survey.figures.J_inv[good])

    def figure(there: States, _: np.ndarray) -> np.ndarray:
        return determinant(closer.assembly, closer.judged(there)["J_inv"])

    return _refined(survey, values, 0.0, lambda pairs: crossing(survey, pairs, figure))


def _within(survey: Survey) -> Iterator[tuple[np.ndarray, str]]:
    """Curves inside the reach on which joints or platform are not fixed by the freedoms."""
    closer, states, found = survey.closer, survey.states, survey.figures
    side = sides(survey)
    if not (side < 0).any():
        return
    values = np.where(states.good, side * np.minimum(found.type_1, found.constraint), np.nan)

    def refine(pairs: np.ndarray) -> np.ndarray:
        begin = closer.judged(states.at(pairs[:, 0]))["rows"].swapaxes(1, 2)

        def figure(there: States, which: np.ndarray) -> np.ndarray:
            product = begin[which] @ closer.judged(there)["rows"]
            return np.asarray(np.linalg.det(product))

        return crossing(survey, pairs, figure)

    for curve in _refined(survey, values, 0.0, refine):
        yield curve, _kind(survey, curve)


def _kind(survey: Survey, curve: np.ndarray) -> str:
    """Whether it is a leg or nacelle that comes loose on a curve, or the platform."""
    closer, states = survey.closer, survey.states
    x = survey.points[0].copy()
    x[survey.section.columns_varied] = curve[len(curve) // 2]
    near = np.where(states.good, np.abs(survey.points - x).sum(axis=1), np.inf)
    there = closer.led(states.at([int(np.argmin(near))]), x[None], 2, RELAXED)
    if not there.good[0]:
        return "constraint"
    seen = measures_of(closer.assembly, closer.judged(there), closer.assembly.length)
    platform = seen.legs.min() >= _LOOSE > seen.constraint[0]
    return "constraint" if platform else "Type 1"


def _contours(values: np.ndarray, level: float) -> list[np.ndarray]:
    """Contour lines in numbers of the grid ``(k, 2)``; corners out of reach are cut off."""
    try:
        from contourpy import contour_generator  # noqa: PLC0415  heavy: loaded on first use
    except ImportError as err:
        raise GoughError(
            "curves need contourpy, which comes with matplotlib and is not installed",
            hint="pip install matplotlib",
            package="contourpy",
        ) from err
    known = np.ma.masked_invalid(values)
    if known.count() == 0:
        return []
    made = contour_generator(z=known, name="serial", corner_mask=True).lines(level)
    # contourpy has columns first; a closed line ends where it begins
    return [np.asarray(line)[:, ::-1] for line in made]


def _refined(survey: Survey, values: np.ndarray, level: float, refine: Refine) -> list[np.ndarray]:
    """Contour lines of values ``(K,)`` whose points are made exact.

    Points that cannot be refined are left out, and divide a line.
    """
    section = survey.section
    lines = _contours(values.reshape(section.shape), level)
    if not lines:
        return []
    ends = _ends(np.concatenate(lines), section.shape)
    pairs, places = np.unique(ends, axis=0, return_inverse=True)
    points = survey.points[:, section.columns_varied]
    shares = refine(pairs)
    exact = points[pairs[:, 0]] + shares[:, None] * (points[pairs[:, 1]] - points[pairs[:, 0]])
    curves, start = [], 0
    for line in lines:
        curve = exact[places.reshape(-1)[start : start + len(line)]]
        start += len(line)
        whole = np.isfinite(curve).all(axis=1)
        cuts = np.flatnonzero(np.diff(whole.astype(int))) + 1
        for piece in np.split(np.arange(len(curve)), cuts):
            if whole[piece[0]] and len(piece) > 1:
                curves.append(curve[piece])
    return curves


def _ends(vertices: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Points of the grid between which vertices lie ``(k, 2)``: along a side, or a diagonal."""
    low = np.floor(vertices + _ON_GRID).astype(int)
    share = vertices - low
    between = share > _ON_GRID
    one, other = low, low + between
    # a diagonal that falls: one share is what the other lacks
    falling = between.all(axis=1) & (np.abs(share[:, 0] - share[:, 1]) > _ON_DIAGONAL)
    one = one + np.stack([np.zeros(len(low), dtype=int), falling], axis=1)
    other = other - np.stack([np.zeros(len(low), dtype=int), falling], axis=1)
    numbers = [np.ravel_multi_index((ends[:, 0], ends[:, 1]), shape) for ends in (one, other)]
    return np.stack(numbers, axis=1)
