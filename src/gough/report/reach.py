"""The path of a motion in a section of the reachable workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.english import listed
from gough.errors import GoughError
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.report.course import Course
from gough.report.drawing.style import INK
from gough.report.figures import number
from gough.report.maps import draw_workspace
from gough.report.pictures import thinned
from gough.report.style import WIDTH
from gough.singularity.workspace.result import Workspace
from gough.singularity.workspace.section import unit_of
from gough.singularity.workspace.workspace import workspace

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 71
"""Points along each side of the section: fine enough for a picture, tenths of a second."""

MOST_JOINTS = 60
"""Of larger machines the section would take longer than the rest of the report."""

_AROUND = 1.25  # how far from the middle of the path the section goes, robot's lengths
_TURN = 1.2  # the same for rotations [rad]
_STILL = 1e-6  # spans of a path, natural units, that are none
_PREFERRED = ("x", "z", "y", "rx", "ry", "rz")
_PIECES = 400
_BESIDE, _ABOVE = 3.0, 0.9  # room for legend and ticks, for title and names of axes [inch]


def plane_of(assembly: Assembly, x: np.ndarray) -> tuple[str, ...]:
    """The two freedoms of the section, along which the path goes furthest; none if there are not.

    Args:
        assembly: the robot.
        x: freedoms along the path ``(K, n)``.
    """
    names = assembly.freedoms
    moves = [name for name in names if name in ("x", "y", "z")]
    choice = moves if len(moves) > 1 else [name for name in names if name not in moves]
    if len(choice) < 2:
        return ()
    spans = {name: float(np.ptp(x[:, names.index(name)])) for name in choice}
    unit = assembly.length if choice == moves else 1.0
    order = sorted(
        choice,
        key=lambda n: (-spans[n] if spans[n] > _STILL * unit else 0.0, _PREFERRED.index(n)),
    )
    return tuple(name for name in names if name in order[:2])


def coordinates(course: Course) -> np.ndarray:
    """Freedoms of the robot along its path ``(K, n)`` [m, rad]."""
    a = assembled(course.robot)
    T = course.state.T_0p[thinned(course.good, _PIECES)]
    return np.stack([a.chart.coordinates(one)[list(a.free)] for one in T])


def section(course: Course) -> Workspace | str:
    """The workspace around the path, or a sentence why there is none."""
    robot, a = course.robot, assembled(course.robot)
    x = coordinates(course)
    names = plane_of(a, x)
    if not names:
        return "There is no section: the robot has not two freedoms of one kind."
    if len(robot.joints) > MOST_JOINTS:
        return (
            f"The workspace of a robot of {len(robot.joints)} joints takes a while and is left "
            "out; gough.workspace(robot) computes it."
        )
    low, high = x.min(axis=0), x.max(axis=0)
    middle, half = (low + high) / 2.0, (high - low) / 2.0
    axes: dict[str, Any] = {}
    at: dict[str, float] = {}
    for i, name in enumerate(a.freedoms):
        if name not in names:
            at[name] = float(middle[i])
            continue
        wide = _AROUND * a.length if unit_of(name) == "m" else _TURN
        reach = max(wide, 1.2 * half[i])
        axes[name] = (float(middle[i] - reach), float(middle[i] + reach), POINTS)
    try:
        found = workspace(robot, at=at, **axes)
    except GoughError as err:
        return f"The workspace could not be computed: {err.message}."
    if not found.reach.any():
        return "No point of the section through the path can be reached: there is no picture."
    return found


def figure(course: Course, found: Workspace) -> Figure:
    """The section with the path drawn in it, cut to what is reached."""
    drawn = draw_workspace(found)
    axes: Any = drawn.axes[0]
    path = coordinates(course)[:, found.section.columns_varied]
    from matplotlib.patheffects import withStroke  # noqa: PLC0415  heavy: on first use

    halo = [withStroke(linewidth=3.6, foreground="white")]
    look: dict[str, Any] = {"color": INK, "zorder": 5.0, "path_effects": halo}
    axes.plot(*path.T, lw=1.6, solid_capstyle="round", **look)
    axes.plot(*path[0], "o", mfc="white", mec=INK, mew=1.2, ms=4.5, zorder=5.1)
    for text in list(axes.texts):  # beside home, where the path often begins
        text.remove()
    _cut(axes, found, path)
    if len(set(found.section.units)) == 1:
        wide, high = np.ptp(axes.get_xlim()), np.ptp(axes.get_ylim())
        drawn.set_size_inches(WIDTH, min(max((WIDTH - _BESIDE) * high / wide, 2.0), 5.0) + _ABOVE)
    return drawn


def _cut(axes: Any, found: Workspace, path: np.ndarray) -> None:
    """Limit the picture to what is reached and drawn, with a margin."""
    limits = [list(axes.get_xlim()), list(axes.get_ylim())]
    for k, values in enumerate(found.section.values):
        there = np.flatnonzero(found.reach.any(axis=1 - k))
        seen = np.concatenate([values[there[[0, -1]]], path[:, k]])
        # the robot may be drawn beside the section: what is further out stays as it is
        outside = [v for v in limits[k] if v < values[0] or v > values[-1]]
        seen = np.concatenate([seen, outside])
        margin = 0.04 * np.ptp(seen)
        limits[k] = [float(seen.min() - margin), float(seen.max() + margin)]
    axes.set(xlim=limits[0], ylim=limits[1])


def caption(course: Course, found: Workspace) -> str:
    """What is seen."""
    held = [
        f"{name} = {number(value)} {unit_of(name)}" for name, value in found.section.held.items()
    ]
    where = f" at {listed(held)}, the middle of the path" if held else ""
    limits = "limits of joints counted" if _limited(course) else "no joint has limits of position"
    x = coordinates(course)
    flat = [
        name
        for i, name in enumerate(found.section.freedoms)
        if name in found.section.held and np.ptp(x[:, i]) > 1e-3 * assembled(course.robot).length
    ]
    projected = f" The path leaves the section along {listed(flat)}: projected." if flat else ""
    return (
        f"Section of the workspace along {listed(found.section.names)}{where}; {limits}. "
        f"Black line: the path of the motion, from the circle on; cross: home.{projected} "
        f"{POINTS} points along each side.{_beyond(found)}"
    )


def _beyond(found: Workspace) -> str:
    """Whether the workspace goes on where the section ends."""
    edges = [np.take(found.reach, k, axis=axis) for axis in (0, 1) for k in (0, -1)]
    return " It goes on beyond the section." if any(edge.any() for edge in edges) else ""


def _limited(course: Course) -> bool:
    robot = course.robot
    return any(robot.axis(name).limits.position is not None for name in robot.axis_names)
