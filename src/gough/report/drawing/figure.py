"""``gough.draw``: a picture of a robot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.base.arguments import switch
from gough.errors import GoughError, InputError, shown
from gough.geometry.inverse import posed
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.report.drawing import flat, space
from gough.report.drawing.camera import best_view
from gough.report.drawing.places import places
from gough.report.drawing.scene import Scene
from gough.report.drawing.sketch import Sketch
from gough.report.drawing.style import COLOURS, INK, Filled
from gough.robot import Frame, Robot
from gough.states.state import as_state

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The longer side of a picture, the height of a line around it, the width of a legend [inch].
_SIDE, _STRIP, _LEGEND = 5.0, 0.32, 0.95

# Names stand to the right of their joints: room for those of the last ones [inch].
_NAMES = 0.5

# The side of one of several pictures in a row [inch].
_ROW = 3.6


def scenes(robot: Robot, state: Any = None) -> list[Scene]:
    """What a picture of a robot shows, as data: one scene for every state.

    Args:
        robot: the machine.
        state: a :class:`gough.State` or pose ``(4, 4)``, or several; home if not given.
    """
    assembly = assembled(robot)
    if state is None:
        return assembled_scenes(assembly, [assembly.equations(assembly.T_home, assembly.home)])
    given = as_state(state.matrix if isinstance(state, Frame) else state, robot)
    T = given.T_0p.reshape(-1, 4, 4)
    if not len(T):
        raise InputError("state holds no pose: there is nothing to draw", argument="state")
    found = []
    for index, pose in enumerate(T):
        try:
            found.append(posed(assembly, pose))
        except GoughError as err:
            raise err.at_sample((index,) if len(T) > 1 else ()) from err
    return assembled_scenes(assembly, found)


def assembled_scenes(assembly: Assembly, found: Sequence[Equations]) -> list[Scene]:
    """One scene for every assembled state."""
    home = places(assembly, assembly.equations(assembly.T_home, assembly.home))
    postures = [places(assembly, at) for at in found]
    sketch = Sketch(assembly, home, postures)
    return [sketch.at(posture) for posture in postures]


def draw(
    robot: Robot,
    state: Any = None,
    *,
    axes: Any = None,
    frames: bool = True,
    names: bool = False,
    scale: bool = True,
    legend: bool = False,
    view: tuple[float, float] | None = None,
    title: str = "",
) -> Figure:
    """Draw a robot: base, links, joints by kind, motors, platform, frames.

    A planar robot is drawn in its plane, every other one in space, without perspective. Nothing
    is shown and nothing is kept: the figure is yours, ``figure.savefig("robot.png")``.  Legs are
    bent as at home: ``robot.rehomed(...)`` is drawn in another mode.  Bodies with shapes of their
    own are drawn with these, in space.

    Args:
        robot: the machine.
        state: pose of the platform ``(4, 4)`` or a :class:`gough.State`, or several, of which all
            but the last are faded; home if not given.
        axes: matplotlib axes to draw into; a new figure if not given. A planar robot in 3-D axes is
            drawn in space.
        frames: whether to draw the frames of base and platform (x red, y green, z blue).
        names: whether to write the names of the joints.
        scale: whether to draw a bar of round length.
        legend: whether to say what the colours mean.
        view: elevation and azimuth from which a robot in space is seen [deg].
        title: a line above the picture.

    Returns:
        The matplotlib figure.

    Raises:
        UnreachablePose: a leg cannot reach a pose.
        InconsistentPose: a pose is outside the robot's mobility.
    """
    found = scenes(robot, state)
    check_view(view)
    switches = {"frames": frames, "names": names, "scale": scale, "legend": legend}
    frames, names, scale, legend = (switch(value, name) for name, value in switches.items())
    check_title(title)
    return picture(
        robot.name,
        found,
        axes=axes,
        frames=frames,
        names=names,
        scale=scale,
        legend=legend,
        view=view,
        title=title,
    )


def picture(
    name: str,
    found: Sequence[Scene],
    *,
    axes: Any = None,
    frames: bool = True,
    names: bool = False,
    scale: bool = True,
    legend: bool = False,
    view: tuple[float, float] | None = None,
    title: str = "",
) -> Figure:
    """A picture of scenes of one robot, all but the last faded; see :func:`draw`."""
    own = axes is None
    if own:
        axes = _own_axes(found[-1])
    if not hasattr(axes, "add_collection"):
        raise InputError(
            f"axes: expected matplotlib axes, got {shown(axes)}",
            hint='figure.add_subplot(projection="3d") makes them.',
            argument="axes",
        )
    figure: Figure = axes.figure
    beside = (_LEGEND if legend else 0.0) + (_NAMES if names else 0.0)
    if getattr(axes, "name", "") != "3d" and found[-1].plane is None:
        raise InputError(
            f"{name}: a robot that is not planar needs 3-D axes",
            hint='figure.add_subplot(projection="3d") makes them.',
            argument="axes",
        )
    filled = paint([axes], [found], frames=frames, names=names, scale=scale, view=view)
    if own:
        in_space = axes.name == "3d"
        size = _SIDE * (filled.shares + 0.03 * in_space)
        strips = (_STRIP * (scale and in_space), _STRIP * bool(title))
        _crop(axes, size, filled.centre, strips, beside)
    if scale:
        add_scale(axes, found[-1], own=own)
    if legend:
        _add_legend(figure if own else axes)
    if title and own:
        figure.text(
            0.5, 1.0 - 0.5 * _STRIP / figure.get_figheight(), title, ha="center", va="center"
        )
    elif title:
        axes.set_title(title, fontsize=10)
    return figure


def paint(
    panels: Sequence[Any],
    found: Sequence[Sequence[Scene]],
    *,
    frames: bool,
    names: bool,
    scale: bool,
    view: tuple[float, float] | None,
) -> Filled:
    """Paint scenes into axes of one kind, all from the same view and in the same scale.

    Args:
        panels: axes.
        found: for each, postures of the robot; all but the last are faded.
        frames: whether to draw the frames of base and platform.
        names: whether to write the names of the joints.
        scale: whether there is room for a bar of round length.
        view: elevation and azimuth [deg]; a good one if not given.
    """
    first = found[0][-1]
    painter = space if panels[0].name == "3d" else flat
    if painter is space:
        for axes in panels:
            space.look(axes, view or best_view(first))
    pairs = zip(panels, found, strict=True)
    drawn = [painter.paint(axes, postures, frames=frames, names=names) for axes, postures in pairs]
    points = np.concatenate(drawn)
    below = flat.SCALE * first.length if scale else 0.0
    for axes in panels:
        filled = space.fit(axes, points) if painter is space else flat.fit(axes, points, below)
    return filled


def add_scale(axes: Any, scene: Scene, *, own: bool) -> None:
    """A bar of round length at the lower left of the figure if it is our own, or of the axes."""
    if axes.name == "3d":
        space.add_scale(axes, scene, own)
    else:
        flat.add_scale(axes, scene)


def draw_row(robots: Sequence[Robot], *, legend: bool = False, **options: Any) -> Figure:
    """Draw several robots at home, side by side.

    Args:
        robots: the machines.
        legend: whether to say what the colours mean, once for all.
        **options: those of :func:`draw`.
    """
    if not robots:
        raise InputError("there is no robot to draw", argument="robots")
    if len(robots) == 1:
        return draw(robots[0], legend=legend, **options)
    beside = (_LEGEND if legend else 0.0) + (_NAMES if options.get("names") else 0.0)
    width = _ROW * len(robots) + beside
    figure = new_figure(width, _ROW)
    right = 0.99 - beside / width
    figure.subplots_adjust(left=0.01, right=right, bottom=0.02, top=0.92, wspace=0.03)
    for k, robot in enumerate(robots, start=1):
        projection = "3d" if scenes(robot)[-1].plane is None else None
        axes = figure.add_subplot(1, len(robots), k, projection=projection)
        draw(robot, axes=axes, **{"title": robot.name, **options})
    if legend:
        _add_legend(figure)
    return figure


def check_view(view: Any) -> None:
    """Refuse what is not a direction to look from."""
    try:
        right = view is None or np.isfinite(np.array(view, dtype=float).reshape(2)).all()
    except (TypeError, ValueError, OverflowError):
        right = False
    if not right:
        raise InputError(
            f"view: expected elevation and azimuth [deg], got {shown(view)}", argument="view"
        )


def check_title(title: Any) -> None:
    """Refuse what is no line above a picture."""
    if not isinstance(title, str):
        raise InputError(f"title: expected a line of text, got {shown(title)}", argument="title")


def _own_axes(scene: Scene) -> Any:
    """Axes of a new figure."""
    projection = "3d" if scene.plane is None else None
    return new_figure(_SIDE, _SIDE).add_axes((0.0, 0.0, 1.0, 1.0), projection=projection)


def new_figure(width: float, height: float) -> Figure:
    """A new figure that pyplot does not manage."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415
        from mpl_toolkits import mplot3d  # noqa: F401, PLC0415  registers the projection
    except ImportError as err:
        raise GoughError(
            "drawing needs matplotlib, which is not installed",
            hint="pip install matplotlib",
            package="matplotlib",
        ) from err
    return Figure(figsize=(width, height))


def _crop(
    axes: Any, size: np.ndarray, centre: np.ndarray, strips: tuple[float, float], beside: float
) -> None:
    """Make a figure as wide and high as the picture, with room for what is written around it.

    Args:
        axes: those of the picture; 3-D axes are square and may be larger than the figure.
        size: width and height of the picture [inch].
        centre: where its middle is, as shares of the width and height of the axes.
        strips: height of the scale below, and of the title above [inch].
        beside: room on the right, for a legend or names [inch].
    """
    below, above = strips
    width, height = np.maximum(size, 0.4 * _SIDE)
    across, along = width + beside, height + below + above
    axes.figure.set_size_inches(across, along)
    w, h = (_SIDE, _SIDE) if axes.name == "3d" else (width, height)
    left, bottom = width / 2.0 - centre[0] * w, below + height / 2.0 - centre[1] * h
    axes.set_position((left / across, bottom / along, w / across, h / along))


def _add_legend(where: Any) -> None:
    from matplotlib.patches import Patch  # noqa: PLC0415

    shown = ("motor", "platform", "link", "joint", "base")
    handles = [Patch(facecolor=COLOURS[name], edgecolor=INK, label=name) for name in shown]
    for handle in handles:
        handle.set_linewidth(0.5)
    where.legend(handles=handles, loc="upper right", fontsize=7, frameon=False)
