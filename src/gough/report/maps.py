"""Pictures of sections: parts of a workspace, capability, curves of singularities."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.english import counted
from gough.errors import GoughError, InputError, shown
from gough.evaluation.loops.state import state
from gough.report.drawing import scenes
from gough.report.drawing.style import COLOURS, INK, faded, rgb
from gough.report.style import MOTORS, WARN, blank, quiet_style
from gough.robot import Robot
from gough.singularity.workspace.locus import Locus
from gough.singularity.workspace.result import Workspace
from gough.singularity.workspace.section import WorkspaceSection, unit_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = ("#9cc3ec", "#f3c08f", "#b5d8bd", "#dcb3cc", "#a9d6de", "#d9cf9f")
"""Fills of parts, the largest first; further ones share a grey."""

OTHERS, BEYOND = "#c9d0d7", "#eceff2"
"""Small parts; what is reached beyond a limit."""

CURVES: dict[str, dict[str, Any]] = {
    "Type 1": {"color": INK, "lw": 1.2},
    "Type 2": {"color": WARN, "lw": 1.5},
    "constraint": {"color": MOTORS[3], "lw": 1.4, "ls": (0.0, (4.0, 2.0))},
}
"""Looks of curves of singularities."""

TITLES = {
    "type_2": "smallest singular value of the motors' Jacobian (0: Type 2)",
    "type_1": "smallest singular value of the legs (0: Type 1)",
    "constraint": "smallest singular value of what the legs demand (0: constraint)",
    "payload": "payload that can be held",
    "acceleration_worst": "acceleration in every direction",
    "acceleration_best": "acceleration in the best direction",
    "acceleration_along": "acceleration in the direction asked for",
    "frequency": "lowest frequency",
    "stiffness": "stiffness",
    "sag": "sag by weight",
}
CLASSES = ("component", "reach", "within_limits", "violated", "sign")
"""Maps of few colours; the others are shaded."""

_NAMED = {"reach": "reached", "within_limits": "within limits"}
_LINE = 40  # letters in a line beside a colour bar
_SIDE = 4.6  # the longer side of a map [inch]


def draw_workspace(
    workspace: Workspace, what: str = "component", *, loci: bool = True, axes: Any = None
) -> Figure:
    """A map of a workspace over one or two freedoms; see :meth:`Workspace.draw`."""
    values = workspace.map_named(what)
    section = workspace.section
    if len(section.names) > 2:
        raise InputError(
            f"a picture shows two freedoms; the section varies {', '.join(section.names)}",
            hint="Hold one of them: gough.workspace(robot, x=None, y=None, at={...}); or draw all "
            "three: gough.workspace_volume(robot).draw().",
            argument="section",
        )
    if len(section.names) == 1:
        return _profile(workspace, what, values, axes)
    curves = workspace.curves if loci else {}

    def paint(on: Any) -> None:
        shaded = what not in CLASSES
        handles = [] if shaded else _classes(on, workspace, what, values)
        if shaded:
            _shades(on, workspace, what, values)
        handles += _add_curves(on, curves)
        _finish(on, section, workspace.robot)
        _add_legend(on, handles, own=axes is None, below=shaded)

    return _drawn(section, axes, paint)


def draw_locus(locus: Locus, *, axes: Any = None) -> Figure:
    """Curves of singularities; see :meth:`Locus.draw`."""

    def paint(on: Any) -> None:
        handles = _add_curves(on, locus.curves)
        _finish(on, locus.section, locus.robot)
        _add_legend(on, handles, own=axes is None)

    return _drawn(locus.section, axes, paint)


def _drawn(section: WorkspaceSection, axes: Any, paint: Any) -> Figure:
    """Paint into a new figure in the style of reports, or into given axes in their own style."""
    if axes is not None:
        if not hasattr(axes, "pcolormesh"):
            raise InputError(
                f"axes: expected matplotlib axes, got {shown(axes)}",
                hint="figure.subplots() makes them.",
                argument="axes",
            )
        paint(axes)
        given: Figure = axes.figure
        return given
    with quiet_style():
        width, height = _size(section)
        figure = blank(width + 2.3, height + 0.7, "compressed")
        paint(figure.subplots())
        figure.draw_without_rendering()  # a second pass of the layout fits names of axes
        return figure


def _size(section: WorkspaceSection) -> tuple[float, float]:
    """Width and height of a map [inch]."""
    if len(section.names) == 1 or len(set(section.units)) > 1:
        return _SIDE, 0.75 * _SIDE
    spans = np.array([v[-1] - v[0] for v in section.values])
    width, height = _SIDE * np.maximum(spans / spans.max(), 0.35)
    return float(width), float(height)


def _classes(axes: Any, workspace: Workspace, what: str, values: np.ndarray) -> list[Any]:
    """A map of few classes; a handle of the legend for each."""
    from matplotlib.colors import ListedColormap  # noqa: PLC0415  heavy
    from matplotlib.patches import Patch  # noqa: PLC0415  heavy

    classes = _class_list(workspace, what, values)
    number = np.full(values.shape, np.nan)
    for k, (mask, _, _) in enumerate(classes):
        number[mask] = k
    colours = [colour for _, colour, _ in classes] or ["white"]
    looks = {"cmap": ListedColormap(colours), "vmin": -0.5, "vmax": len(colours) - 0.5}
    _mesh(axes, workspace.section, np.ma.masked_invalid(number), **looks)
    return [Patch(facecolor=colour, label=label) for _, colour, label in classes]


def _class_list(
    workspace: Workspace, what: str, values: np.ndarray
) -> list[tuple[np.ndarray, str, str]]:
    """Where, which colour, and what the legend says."""
    found: list[tuple[np.ndarray, str, str]] = []
    if what in _NAMED:
        return [(values, PARTS[0], _NAMED[what])]
    if what == "sign":
        return [
            (values == sign, colour, f"determinant {'> 0' if sign > 0 else '< 0'}")
            for sign, colour in ((1, PARTS[0]), (-1, PARTS[1]))
            if (values == sign).any()
        ]
    if what == "violated":
        found.append((workspace.within_limits, PARTS[0], "within limits"))
        for i, name in enumerate(workspace.limited_axes):
            if (values == i).any():
                colour = PARTS[1:][i % (len(PARTS) - 1)]
                found.append((values == i, colour, f"beyond: {name}"))
        return found
    areas, home, unit = workspace.areas, workspace.home_component, workspace.section.unit
    beyond = workspace.reach & (values == 0)
    if beyond.any():
        found.append((beyond, BEYOND, "beyond a limit"))
    small = areas < 0.002 * areas.sum() if len(areas) else np.zeros(0, dtype=bool)
    named = [k for k in range(1, len(areas) + 1) if k <= len(PARTS) and not small[k - 1]]
    for k in named:
        here = ", home" if k == home else ""
        found.append((values == k, PARTS[k - 1], f"part {k}: {areas[k - 1]:.3g} {unit}{here}"))
    rest = (values > 0) & ~np.isin(values, named)
    if rest.any():
        count = len(areas) - len(named)
        label = f"{counted(count, 'small part')}"
        found.append((rest, OTHERS, label))
    return found


def _shades(axes: Any, workspace: Workspace, what: str, values: np.ndarray) -> None:
    """A map of a figure, with a bar of its shades."""
    shown_ones = np.ma.masked_invalid(values)
    if workspace.limits:
        shown_ones = np.ma.masked_where(~workspace.within_limits, shown_ones)
    top = None
    if shown_ones.count():
        # a few extreme points would make all others look alike
        top = float(np.quantile(shown_ones.compressed(), 0.995)) or None
    drawn = _mesh(axes, workspace.section, shown_ones, cmap="YlGnBu", vmin=0.0, vmax=top)
    above = bool(shown_ones.count()) and top is not None and shown_ones.max() > top
    bar = axes.figure.colorbar(drawn, ax=axes, extend="max" if above else "neither", pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(textwrap.fill(_label(workspace, what), _LINE))


def _mesh(axes: Any, section: WorkspaceSection, values: Any, **looks: Any) -> Any:
    """Values over the grid in colours, under everything else."""
    looks |= {"shading": "nearest", "rasterized": True, "zorder": 0.5}
    return axes.pcolormesh(*section.values, values.T, **looks)


def _add_curves(axes: Any, curves: dict[str, list[np.ndarray]]) -> list[Any]:
    """Curves of singularities; a handle of the legend for each kind."""
    handles = []
    for kind, lines in curves.items():
        drawn = [axes.plot(*line.T, label=kind, **CURVES[kind])[0] for line in lines]
        handles += drawn[:1]
    return handles


def _finish(axes: Any, section: WorkspaceSection, robot: Robot) -> None:
    """Names of axes, the robot or its home, and what is held."""
    names = section.names
    spans = np.array([[v[0], v[-1]] for v in section.values])
    drawn = _add_robot(axes, section, robot)
    spans[:, 0] = np.minimum(spans[:, 0], drawn.min(axis=0))
    spans[:, 1] = np.maximum(spans[:, 1], drawn.max(axis=0))
    axes.grid(False)
    axes.set(
        xlabel=f"{names[0]} [{unit_of(names[0])}]",
        ylabel=f"{names[1]} [{unit_of(names[1])}]",
        xlim=spans[0],
        ylim=spans[1],
        aspect="equal" if len(set(section.units)) == 1 else "auto",
    )
    axes.set_title(_title(robot, section), loc="left")


def _label(workspace: Workspace, what: str) -> str:
    """What a figure is, with its unit."""
    unit = workspace.unit(what)
    return TITLES.get(what, what) + (f" [{unit}]" if unit else "")


def _title(robot: Robot, section: WorkspaceSection) -> str:
    held = [f"{name} = {_round(value)} {unit_of(name)}" for name, value in section.held.items()]
    return robot.name + (f", {', '.join(held)}" if held else "")


def _round(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-9 else value:.3g}"


def _add_legend(axes: Any, handles: list[Any], *, own: bool, below: bool = False) -> None:
    """Legend of colours and curves: beside the map, or below it where a colour bar is beside."""
    if not handles:
        return
    looks: dict[str, Any] = {"handles": handles, "frameon": False, "fontsize": 8}
    if not own:
        axes.legend(**looks)
    elif below:
        axes.figure.legend(loc="outside lower center", ncols=len(handles), **looks)
    else:
        axes.figure.legend(loc="outside right upper", **looks)


def _add_robot(axes: Any, section: WorkspaceSection, robot: Robot) -> np.ndarray:
    """The robot, faintly, if it lies in the plane of the section; else its home.

    Returns:
        Points that were drawn ``(k, 2)``.
    """
    from matplotlib.patheffects import withStroke  # noqa: PLC0415  heavy

    where = ["xyz".find(name) for name in section.names]
    pose, home = _beside_home(section, robot)
    scene = scenes(robot, pose)[-1]
    if scene.plane is not None and min(where) >= 0 and _lies_in(scene.plane.axes, where):
        for stroke in scene.strokes:
            colour = faded(rgb(COLOURS[stroke.role]), 0.3)
            axes.plot(*stroke.points[:, where].T, color=colour, lw=2.6, zorder=2.0)
        for plate in scene.plates:
            colour = faded(rgb(COLOURS[plate.role]), 0.3)
            axes.fill(*plate.outline[:, where].T, facecolor=colour, alpha=0.6, zorder=1.9)
        for mark in scene.marks:
            axes.plot(
                *mark.position[where],
                "o",
                ms=5.0 if mark.motor else 3.6,
                mfc=COLOURS["motor" if mark.motor else "joint"],
                mec=faded(rgb(INK), 0.35),
                mew=0.7,
                zorder=2.2,
            )
        spots = np.array([mark.position[where] for mark in scene.marks])
        margin = 0.03 * scene.length
        return np.concatenate([spots - margin, spots + margin])
    halo = [withStroke(linewidth=2.5, foreground="white")]
    axes.plot(*home, "+", color=INK, ms=9.0, mew=1.3, zorder=4.0, path_effects=halo)
    axes.annotate(
        "home",
        home,
        (5.0, 5.0),
        textcoords="offset points",
        fontsize=8,
        color=INK,
        zorder=4.0,
        path_effects=halo,
    )
    return np.array([home])


def _beside_home(section: WorkspaceSection, robot: Robot) -> tuple[np.ndarray, list[float]]:
    """Home moved into the section, if it can be there, and its place in it."""
    assembly = robot.assembly
    coordinates = assembly.chart.coordinates(assembly.T_home)
    x = coordinates[list(assembly.free)]
    home = [float(x[i]) for i in section.columns_varied]
    for name, value in section.held.items():
        x[section.freedoms.index(name)] = value
    try:
        return state(robot, x).T_0p, home
    except GoughError:
        return assembly.T_home, home


def _lies_in(plane: np.ndarray, where: list[int]) -> bool:
    """Whether a robot's plane is the one of two base axes."""
    return bool(np.abs(np.delete(plane, where, axis=1)).max() < 1e-6)


def _profile(workspace: Workspace, what: str, values: np.ndarray, axes: Any) -> Figure:
    """A map over one freedom: a curve."""
    section = workspace.section
    name, x = section.names[0], section.values[0]

    def paint(on: Any) -> None:
        drawn = np.where(workspace.reach, values, np.nan) if what not in _NAMED else values
        on.plot(x, np.asarray(drawn, dtype=float), color=MOTORS[1])
        on.set(xlabel=f"{name} [{unit_of(name)}]", ylabel=_label(workspace, what))
        on.set_title(_title(workspace.robot, section), loc="left")

    return _drawn(section, axes, paint)
