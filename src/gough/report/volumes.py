"""Pictures of a workspace over three freedoms: its surface, and what fits in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import one_of
from gough.errors import InputError, shown
from gough.report.drawing import scenes
from gough.report.drawing.style import COLOURS, INK, faded, rgb
from gough.report.style import MOTORS, MUTED, blank, quiet_style
from gough.singularity.workspace.section import unit_of
from gough.singularity.workspace.solid import InscribedBox, InscribedCylinder, WorkspaceVolume

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHAPES = ("cylinder", "box")

_SURFACE, _SHAPE = "#5b9bd8", MOTORS[0]
_LIGHT = np.array([-0.4, -0.55, 0.73])  # from the left, in front and above
_DARK = 0.55  # brightness of faces that turn away from the light
_SIDES = 72  # of a drawn cylinder
_VIEW = {"elev": 16.0, "azim": -58.0}
_SMALL_UNIT = 0.5  # m: smaller workspaces are labelled in millimetres


def draw_volume(
    volume: WorkspaceVolume, *, shape: str | None = "cylinder", axes: Any = None
) -> Figure:
    """A picture of a workspace over three freedoms; see :meth:`WorkspaceVolume.draw`."""
    inside = None
    if shape is not None:
        inside = getattr(volume, one_of(shape, "shape", SHAPES))
    if axes is not None:
        if not hasattr(axes, "add_collection3d"):
            raise InputError(
                f"axes: expected matplotlib axes of three dimensions, got {shown(axes)}",
                hint='figure.subplots(subplot_kw={"projection": "3d"}) makes them.',
                argument="axes",
            )
        _paint(axes, volume, inside)
        given: Figure = axes.figure
        return given
    with quiet_style():
        figure = blank(6.4, 5.4, "compressed")
        figure.set_layout_engine("none")  # axes of three dimensions have a place of their own
        on = figure.add_axes((0.02, 0.02, 0.93, 0.88), projection="3d", computed_zorder=False)
        _paint(on, volume, inside)
        return figure


def _paint(axes: Any, volume: WorkspaceVolume, inside: Any) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415  heavy

    section = volume.section
    factors = _factors(volume)
    corners, faces = volume.surface()
    _add_faces(axes, corners * factors, faces, _SURFACE, alpha=0.26, zorder=3.0)
    handles = [Patch(facecolor=_SURFACE, alpha=0.5, label=_volume_words(volume))]
    if inside is not None:
        points, quads = _solid(volume, inside)
        _add_faces(axes, points * factors, quads, _SHAPE, alpha=1.0, zorder=2.0)
        handles.append(Patch(facecolor=_SHAPE, label=_shape_words(volume, inside, factors)))
    spans = np.stack([corners.min(axis=0), corners.max(axis=0)], axis=1) * factors[:, None]
    if section.names == ("x", "y", "z"):
        drawn = _add_robot(axes, volume, factors[0])
        spans[:, 0] = np.minimum(spans[:, 0], drawn.min(axis=0))
        spans[:, 1] = np.maximum(spans[:, 1], drawn.max(axis=0))
    _finish(axes, volume, spans, factors)
    axes.legend(handles=handles, frameon=False, loc="upper left", fontsize=8.5)


def _factors(volume: WorkspaceVolume) -> np.ndarray:
    """Factors from SI to what is labelled ``(3,)``: millimetres of small machines, degrees."""
    long = max(
        (
            np.ptp(e)
            for n, e in zip(volume.section.names, volume.extents, strict=True)
            if n in "xyz"
        ),
        default=1.0,
    )
    length = 1000.0 if long < _SMALL_UNIT else 1.0
    units = [unit_of(name) for name in volume.section.names]
    return np.array([length if unit == "m" else 180.0 / np.pi for unit in units])


def _unit(factor: float, name: str) -> str:
    return "deg" if unit_of(name) == "rad" else "mm" if factor == 1000.0 else "m"


def _finish(axes: Any, volume: WorkspaceVolume, spans: np.ndarray, factors: np.ndarray) -> None:
    """Names of axes in the base frame, equal scales where units are equal, the title."""
    names = volume.section.names
    labels = [f"{n} [{_unit(f, n)}]" for n, f in zip(names, factors, strict=True)]
    axes.set(xlabel=labels[0], ylabel=labels[1], zlabel=labels[2])
    margin = 0.03 * np.ptp(spans, axis=1)
    low, high = spans[:, 0] - margin, spans[:, 1] + margin
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    equal = len({unit_of(name) for name in names}) == 1
    axes.set_box_aspect(high - low if equal else (1.0, 1.0, 1.0), zoom=1.08)
    axes.view_init(**_VIEW)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_pane_color((0.97, 0.975, 0.98, 1.0))
        axis._axinfo["grid"].update(color="#dfe5eb", linewidth=0.6)  # there is no public way
        axis.line.set_color(MUTED)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(_ticks())
    axes.tick_params(labelsize=8, pad=1)
    held = [f"{name} = {_round(value)}" for name, value in volume.section.held.items()]
    at = f", {', '.join(held)} [m, rad]" if held else ""
    axes.set_title(f"{volume.robot.name}: platform origin in the base frame{at}", loc="left")


def _ticks() -> Any:
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415  heavy

    return MaxNLocator(5)


def _add_faces(
    axes: Any, corners: np.ndarray, faces: np.ndarray, colour: str, *, alpha: float, zorder: float
) -> None:
    """Shaded faces."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: PLC0415  heavy

    polygons = corners[faces]
    normals = np.cross(polygons[:, 2] - polygons[:, 0], polygons[:, 3] - polygons[:, 1])
    size = np.linalg.norm(normals, axis=1, keepdims=True)
    lit = (normals / np.maximum(size, 1e-300)) @ _LIGHT
    bright = _DARK + (1.0 - _DARK) * 0.5 * (1.0 + lit)
    colours = np.column_stack([bright[:, None] * rgb(colour), np.full(len(faces), alpha)])
    # edges of opaque faces close the gaps between them; of others they would show
    edges: dict[str, Any] = {"edgecolors": "none", "linewidths": 0.0}
    if alpha == 1.0:
        edges = {"edgecolors": colours, "linewidths": 0.4}
    found = Poly3DCollection(polygons, facecolors=colours, **edges)
    found.set_zorder(zorder)
    axes.add_collection3d(found)


def _solid(volume: WorkspaceVolume, inside: Any) -> tuple[np.ndarray, np.ndarray]:
    """Corners and quadrangles of a cylinder or box, outward."""
    if isinstance(inside, InscribedBox):
        ends = np.stack([inside.low, inside.high])
        points = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i, j, k in np.ndindex(2, 2, 2)])
        sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        return points, np.array(sides)
    along = volume.section.names.index(inside.axis)
    first, second = (along + 1) % 3, (along + 2) % 3
    turn = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
    ring = np.tile(inside.center, (_SIDES, 1))
    ring[:, first] += inside.radius * np.cos(turn)
    ring[:, second] += inside.radius * np.sin(turn)
    low, high = ring.copy(), ring.copy()
    low[:, along] -= 0.5 * inside.height
    high[:, along] += 0.5 * inside.height
    middle = np.tile(inside.center, (2, 1))
    middle[:, along] += 0.5 * inside.height * np.array([-1.0, 1.0])
    k = np.arange(_SIDES)
    ahead = (k + 1) % _SIDES
    bottom, top = np.full(_SIDES, 2 * _SIDES), np.full(_SIDES, 2 * _SIDES + 1)
    quads = np.concatenate(
        [
            np.stack([k, ahead, ahead + _SIDES, k + _SIDES], axis=1),
            np.stack([bottom, ahead, k, bottom], axis=1),
            np.stack([top, k + _SIDES, ahead + _SIDES, top], axis=1),
        ]
    )
    return np.concatenate([low, high, middle]), quads


def _add_robot(axes: Any, volume: WorkspaceVolume, factor: float) -> np.ndarray:
    """The robot at home, faintly; points that were drawn ``(k, 3)``."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: PLC0415  heavy

    scene = scenes(volume.robot, volume.robot.assembly.T_home)[-1]
    for stroke in scene.strokes:
        colour = faded(rgb(COLOURS[stroke.role]), 0.25)
        axes.plot(*(factor * stroke.points.T), color=colour, lw=1.6, zorder=1.0)
    for plate in scene.plates:
        colour = faded(rgb(COLOURS[plate.role]), 0.3)
        drawn = Poly3DCollection([factor * plate.outline], facecolors=[(*colour, 0.7)])
        drawn.set_zorder(0.9)
        axes.add_collection3d(drawn)
    spots = factor * np.array([mark.position for mark in scene.marks])
    motors = np.array([mark.motor for mark in scene.marks], dtype=bool)
    axes.plot(*spots[motors].T, "o", ms=4.0, color=COLOURS["motor"], mec=INK, mew=0.5, zorder=1.1)
    arm = 0.12 * factor * float(np.ptp(volume.extents, axis=1).max())
    for i, name in enumerate("xyz"):  # the base frame
        tip = arm * np.eye(3)[i]
        axes.plot(*np.stack([np.zeros(3), tip], axis=1), color=COLOURS[name], lw=1.8, zorder=1.2)
        axes.text(*(1.25 * tip), name, color=COLOURS[name], fontsize=8, ha="center", zorder=4.0)
    return np.concatenate([spots, np.zeros((1, 3))])


def _volume_words(volume: WorkspaceVolume) -> str:
    unit = volume.section.unit
    return f"workspace: {volume.volume:.3g} ± {volume.volume_error:.1g} {unit}"


def _shape_words(volume: WorkspaceVolume, inside: Any, factors: np.ndarray) -> str:
    names = volume.section.names
    if isinstance(inside, InscribedCylinder):
        along = names.index(inside.axis)
        across = (along + 1) % 3
        wide, tall = 2.0 * inside.radius * factors[across], inside.height * factors[along]
        return (
            f"cylinder: diameter {wide:.3g} {_unit(factors[across], names[across])}, "
            f"height {tall:.3g} {_unit(factors[along], names[along])}"
        )
    sides = [
        f"{side * f:.3g} {_unit(f, n)}"
        for n, f, side in zip(names, factors, inside.sides, strict=True)
    ]
    return f"box: {' x '.join(sides)}"


def _round(value: float) -> str:
    return f"{0.0 if abs(value) < 1e-9 else value:.3g}"
