"""How well the places of joints are known: ellipsoids of two standard deviations on the robot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gough.calibration.result import Calibration
from gough.report.drawing.camera import camera
from gough.report.drawing.figure import draw, scenes
from gough.report.drawing.places import places
from gough.report.drawing.scene import Scene
from gough.report.drawing.style import INK, round_length
from gough.report.style import MOTORS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMAS = 2.0
LARGEST = 0.1
"""Longest half axis of an ellipsoid that is drawn, as a share of the robot's size."""

_SAID = ((0.9, MOTORS[2], "data say over 90 %"), (0.5, MOTORS[1], "data say 50 to 90 %"))
_LITTLE = (MOTORS[0], "data say less than 50 %")
_SEEN = 1e-9  # of the robot's length: frames that move less do not
_CORNERS = 60
_VEIL, _ABOVE = 98, 500  # in which order things are painted; the robot is below
# Least width of the picture, height of its legend, room for ellipsoids that stick out [inch].
_WIDE, _STRIP, _MARGIN = 5.2, 0.35, 0.25


class Spread(NamedTuple):
    """How well the origin of a joint's frame is known.

    Attributes:
        joint: its name; ``body``: on which the frame sits.
        at: where its joint is drawn at home, base axes ``(3,)`` [m].
        covariance: base axes ``(3, 3)`` [m^2].
        said: how much of its variance of manufacturing data have removed, 0 to 1.
    """

    joint: str
    body: str
    at: np.ndarray
    covariance: np.ndarray
    said: float

    @property
    def half_axes(self) -> np.ndarray:
        """Half axes of the ellipsoid of two standard deviations, longest first ``(3,)`` [m]."""
        values = np.linalg.eigvalsh(self.covariance)[::-1]
        return np.asarray(SIGMAS * np.sqrt(np.clip(values, 0.0, None)))


def spreads(calibration: Calibration) -> tuple[list[Spread], list[str]]:
    """Frames of joints that are free, whatever parameters move them; and those nobody can know."""
    design = calibration.design
    free, known = design.problem.free, design.knowledge
    layout, assembly = free.layout, calibration.nominal.assembly
    slopes = free.slopes(design.fitted.p)
    home = places(assembly, assembly.equations(assembly.T_home, assembly.home))
    drawn = {mark.joint: mark.position for mark in scenes(calibration.nominal)[-1].marks}
    blind = known.prior[:, None] * known.unseen
    found, unknown = [], []
    for i, joint in enumerate(layout.robot.joints):
        ends = (
            ("parent_points", joint.parent, home.parents[joint.name]),
            ("child_points", joint.child, home.children[joint.name]),
        )
        for seat, body, T in ends:
            first = layout.seats[seat].start + 3 * i
            rows = slopes[first : first + 3]
            if not np.abs(rows * known.prior).max() > _SEEN * assembly.length:
                continue
            if not known.with_prior and np.abs(rows @ blind).max(initial=0.0) > (
                _SEEN * assembly.length
            ):
                unknown.append(f"{joint.name}.{body}")
                continue
            R_0b = home.bodies[body][:3, :3]
            own = R_0b @ rows
            covariance = own @ calibration.covariance @ own.T
            before = float(((rows * known.prior) ** 2).sum())
            said = 1.0 - float(np.trace(covariance)) / before if known.with_prior else 1.0
            at = drawn.get(joint.name, T[:3, 3])  # of a slide, not where its frame is
            found.append(Spread(joint.name, body, at, covariance, said))
    return found, unknown


def magnification(found: list[Spread], length: float) -> float:
    """A round factor that makes the largest ellipsoid well seen on a robot of some length [m]."""
    largest = max((float(each.half_axes[0]) for each in found), default=0.0)
    return round_length(LARGEST * length / largest) if largest > 0.0 else 1.0


def ellipsoids(calibration: Calibration) -> Figure:
    """The robot at home, and around its joints where they may be, magnified."""
    robot, (found, _) = calibration.nominal, spreads(calibration)
    scene = scenes(robot)[-1]
    size = magnification(found, robot.assembly.length)
    heading = f"{SIGMAS:g} standard deviations, {size:,.0f} times"
    figure = draw(robot, frames=False, title=heading)
    [axes] = figure.axes
    axes.autoscale(False)
    right, up = _directions(axes, scene)
    for text in axes.texts:  # the scale stays as it is
        text.set_zorder(_ABOVE)
    _veil(axes, scene, right, up)
    turned = np.linspace(0.0, 2.0 * np.pi, _CORNERS, endpoint=False)
    circle = np.stack([np.cos(turned), np.sin(turned)])
    used: dict[str, str] = {}
    for each in sorted(found, key=lambda one: -one.half_axes[0]):
        P = np.stack([right, up])
        values, vectors = np.linalg.eigh(P @ each.covariance @ P.T)
        # seen from far away, an ellipsoid has the outline of its covariance in the view's plane
        half = SIGMAS * size * vectors * np.sqrt(np.clip(values, 0.0, None))
        outline = each.at + (half @ circle).T @ P
        colour, name = _colour(each.said)
        if calibration.design.knowledge.with_prior:
            used[name] = colour
        _add(axes, outline, colour, scene)
    _legend(figure, used)
    return figure


def _directions(axes: Any, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """To the right and up in the picture, base axes."""
    if scene.plane is not None:
        return scene.plane.axes[0], scene.plane.axes[1]
    right, up, _ = camera(axes.elev, axes.azim)
    return right, up


def _veil(axes: Any, scene: Scene, right: np.ndarray, up: np.ndarray) -> None:
    """White over the robot, so that what is drawn on it is seen."""
    middle, far = scene.points.mean(axis=0), 2.0 * np.ptp(scene.points, axis=0).max()
    corners = [middle + far * (a * right + b * up) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    _fill(axes, np.array(corners), scene, facecolor="white", alpha=0.55, zorder=_VEIL)


def _fill(axes: Any, outline: np.ndarray, scene: Scene, **looks: Any) -> None:
    """A filled shape in the plane of the picture."""
    if scene.plane is not None:
        axes.fill(*scene.plane.project(outline).T, linewidth=0.0, clip_on=False, **looks)
        return
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # noqa: PLC0415  heavy

    shape = Poly3DCollection([outline], linewidth=0.0, clip_on=False, **looks)
    axes.add_collection3d(shape, autolim=False)


def _colour(said: float) -> tuple[str, str]:
    for least, colour, name in _SAID:
        if said >= least:
            return colour, name
    return _LITTLE


def _add(axes: Any, outline: np.ndarray, colour: str, scene: Scene) -> None:
    _fill(axes, outline, scene, facecolor=colour, alpha=0.5, zorder=_ABOVE)
    line = np.vstack([outline, outline[:1]])
    line = line if scene.plane is None else scene.plane.project(line)
    axes.plot(*line.T, color=colour, lw=1.3, zorder=_ABOVE, clip_on=False)


def _legend(figure: Figure, used: dict[str, str]) -> None:
    """What the colours mean, in a strip below the picture, which becomes higher and wider."""
    from matplotlib.patches import Patch  # noqa: PLC0415  heavy: on first use

    width, height = figure.get_size_inches()
    wide, high = max(width + 2.0 * _MARGIN, _WIDE), height + _STRIP + _MARGIN
    figure.set_size_inches(wide, high)
    for axes in figure.axes:
        box = axes.get_position()
        left = (box.x0 * width + (wide - width) / 2.0) / wide
        bottom = (box.y0 * height + _STRIP) / high
        axes.set_position((left, bottom, box.width * width / wide, box.height * height / high))
    for text in figure.texts:
        x, y = text.get_position()
        text.set_position((x, (y * height + _STRIP + _MARGIN) / high))
    order = [name for _, _, name in _SAID] + [_LITTLE[1]]
    handles = [
        Patch(facecolor=used[name], alpha=0.6, edgecolor=INK, lw=0.4, label=name)
        for name in order
        if name in used
    ]
    if handles:
        figure.legend(handles=handles, loc="lower center", ncols=len(handles), fontsize=8)
