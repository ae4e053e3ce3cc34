"""Figures of the motion itself: the robot in several poses, and the path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.mechanism.mobility.assembly import assembled
from gough.report.course import Course
from gough.report.drawing.figure import draw, scenes
from gough.report.drawing.style import INK
from gough.report.style import WARN, WIDTH, blank, sheet, time_axis
from gough.robot import Robot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POSES = 4
"""Poses in which the robot is drawn."""

_CANDIDATES, _PIECES = 120, 400
_STILL = 1e-6


class View(NamedTuple):
    """A view along an axis: which components go to the right and up."""

    name: str
    right: int
    up: int


_VIEWS = (View("front", 0, 2), View("side", 1, 2), View("top", 0, 1))


def poses(robot: Robot, T_0p: np.ndarray) -> Figure:
    """The robot in poses that are far apart, in the order of time, and the path ``(K, 4, 4)``."""
    figure = draw(robot, T_0p[apart(robot, T_0p)], frames=False)
    axes: Any = figure.axes[0]
    path = T_0p[:, :3, 3]
    plane = scenes(robot)[0].plane
    look = {"color": WARN, "lw": 1.5, "zorder": 200, "solid_capstyle": "round"}
    # limits stay: the picture has been cut to the robot
    axes.autoscale(False)
    if plane is None:
        axes.plot(*path.T, **look)
    else:
        axes.plot(*plane.project(path).T, **look)
    return figure


def apart(robot: Robot, T_0p: np.ndarray, count: int = POSES) -> np.ndarray:
    """Samples whose poses are far from each other, in the order of time."""
    good = np.arange(len(T_0p))
    if not len(good):
        return good
    good = thinned(good, _CANDIDATES)
    length = assembled(robot).length
    T = T_0p[good]
    features = np.concatenate([T[:, :3, 3] / length, T[:, :3, :3].reshape(-1, 9) / 2.0], axis=1)
    chosen = [0]
    nearest = np.linalg.norm(features - features[0], axis=1)
    while len(chosen) < count and nearest.max() > 0.02:
        chosen.append(int(np.argmax(nearest)))
        nearest = np.minimum(nearest, np.linalg.norm(features - features[chosen[-1]], axis=1))
    return np.asarray(good[sorted(chosen)])


def thinned(samples: np.ndarray, count: int) -> np.ndarray:
    """At most so many of the samples, both ends among them."""
    places = np.linspace(0, len(samples) - 1, min(count, len(samples)))
    return np.asarray(samples[np.unique(places.round().astype(int))])


def path(course: Course) -> Figure:
    """The path of the platform's origin from the front, from above and from the side."""
    good = thinned(course.good, _PIECES)
    p = 1e3 * course.state.T_0p[good, :3, 3]
    speed = np.linalg.norm(course.state.V_0p[good, :3], axis=1)
    spans = np.ptp(p, axis=0)
    views = [view for view in _VIEWS if not _hidden(view, spans)]
    room = 1.2 * np.maximum(spans, 0.3 * spans.max())
    columns, rows = ([0, 1], [2, 1]) if len(views) > 1 else ([views[0].right], [views[0].up])
    wide, high = room[columns].sum(), room[rows].sum()
    height = min((WIDTH - 2.2) * high / wide, 4.6) + 0.5 + 0.4 * len(rows)
    figure = blank(WIDTH, height, "compressed")
    grid = figure.add_gridspec(
        len(rows), len(columns), width_ratios=room[columns], height_ratios=room[rows]
    )
    cells = [figure.add_subplot(grid[rows.index(v.up), columns.index(v.right)]) for v in views]
    for axes, view in zip(cells, views, strict=True):
        lines = _draw_path(axes, view, p, speed, room)
        axes.set_title(view.name if len(views) > 1 else "")
    bar = figure.colorbar(lines, ax=cells, shrink=min(1.0, 2.2 / height), pad=0.02, aspect=18)
    bar.set_label("speed [m/s]")
    bar.outline.set_visible(False)
    return figure


def _hidden(view: View, spans: np.ndarray) -> bool:
    """Whether another view shows more: of a motion in one plane, that plane is enough."""
    still = spans <= _STILL * spans.max()
    return bool(still[view.right] or still[view.up])


def _draw_path(axes: Axes, view: View, p: np.ndarray, speed: np.ndarray, room: np.ndarray) -> Any:
    from matplotlib.collections import LineCollection  # noqa: PLC0415  heavy: on first use

    points = p[:, [view.right, view.up]]
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    lines = LineCollection(list(pieces), array=speed[:-1], cmap="viridis", lw=2.4)
    lines.set_capstyle("round")
    axes.add_collection(lines)
    for k, marker, size in ((-1, "s", 7.0), (0, "o", 4.5)):
        axes.plot(*points[k], marker, mfc="white", mec=INK, mew=1.2, ms=size)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
    half = room[[view.right, view.up]] / 2.0
    axes.set_aspect("equal")
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axes.set(xlabel=f"{'xyz'[view.right]} [mm]", ylabel=f"{'xyz'[view.up]} [mm]")
    axes.locator_params(nbins=5)
    return lines


def _spans(course: Course) -> np.ndarray:
    """How far the platform's origin goes along each axis, as shares of the robot's size."""
    spans = np.ptp(course.state.T_0p[course.good, :3, 3], axis=0)
    return np.asarray(spans / assembled(course.robot).length)


def travels(course: Course) -> bool:
    """Whether the platform's origin moves."""
    return bool(_spans(course).max() > _STILL)


def draws_a_path(course: Course) -> bool:
    """Whether the path is more than a point or a line along an axis."""
    return bool(np.median(_spans(course)) > _STILL)


def turns(course: Course) -> bool:
    """Whether the platform turns."""
    return bool(np.abs(course.state.V_0p[:, 3:]).max() > 1e-9)


def pace(course: Course) -> Figure:
    """Speed and acceleration of the platform over time."""
    rows: list[tuple[slice, str, str]] = []
    if travels(course):
        rows.append((slice(0, 3), "speed [m/s]", "acceleration [m/s²]"))
    if turns(course) or not rows:
        rows.append((slice(3, 6), "turning [rad/s]", "turning [rad/s²]"))
    figure, grid = sheet(0.4 + 1.9 * len(rows), len(rows), 2, sharex=True)
    for line, (part, speed, acceleration) in zip(grid, rows, strict=True):
        pairs = ((course.state.V_0p, speed), (course.state.Vdot_0p, acceleration))
        for axes, (values, label) in zip(line, pairs, strict=True):
            size = np.linalg.norm(values[:, part], axis=1)
            axes.plot(course.t, size, color=INK)
            axes.fill_between(course.t, 0.0, size, color=INK, alpha=0.06, lw=0.0)
            axes.set(ylabel=label)
            axes.set_ylim(bottom=0.0)
    for axes in grid[-1]:
        time_axis(axes, course.t)
    return figure
