"""Images of legs: two lines each, fitted to noisy points on their edges, where they are in view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gough.base.arguments import number
from gough.errors import InputError
from gough.simulation.vision.camera import Camera
from gough.simulation.vision.contours import contour_normals
from gough.simulation.vision.cylinders import Cylinder

_POINTS = (8, 2000)  # least and most points on an edge: two are a line, thousands are no better
_LOOKS = 32  # points of an axis at which it is asked whether something is in front of it


class Outline(NamedTuple):
    """A leg in an image.

    Attributes:
        name: the element.
        lines: its two edges ``(2, 3)``, ``a u + b v + c = 0`` with ``a^2 + b^2 = 1`` [px].
        middle: of the points on each edge ``(2, 2)`` [px].
        counts: how many points they are ``(2,)``.
        spread: sums of the squares of their distances from the middle, along the edge [px^2].
        share: of the leg that is in view.
    """

    name: str
    lines: np.ndarray
    middle: np.ndarray
    counts: np.ndarray
    spread: np.ndarray
    share: float


class Image(NamedTuple):
    """What a camera has seen at one instant.

    Attributes:
        time: of the image [s].
        outlines: the legs that are seen, by name.
        shares: of every leg that was looked for, the share that is in view.
    """

    time: float
    outlines: dict[str, Outline]
    shares: dict[str, float]


def take(
    camera: Camera,
    legs: Sequence[Cylinder],
    *,
    names: Sequence[str] | None = None,
    time: float = 0.0,
    rng: np.random.Generator | None = None,
) -> Image:
    """An image of legs.

    A leg is not seen where less than the camera's ``least_share`` of it is in the image and not
    behind another leg, or where ``camera.hidden`` says so.

    Args:
        camera: what looks, and where it is.
        legs: what there is, from :func:`cylinders`.
        names: which of them are looked for; all if not given.
        time: of the image [s].
        rng: for noise on the edges; the same numbers every time if not given.

    Raises:
        InputError: the camera is inside a leg, or a name is unknown.
    """
    time = number(time, "time")
    known = {leg.name: leg for leg in legs}
    wanted = tuple(known) if names is None else tuple(names)
    for name in wanted:
        if name not in known:
            raise InputError(
                f"names: there is no leg {name!r}",
                hint=f"Known: {', '.join(known)}.",
                argument="names",
            )
    rng = np.random.default_rng(0) if rng is None else rng
    gone = set(camera.hidden(time)) if camera.hidden is not None else set()
    here = [_in_camera(camera, leg) for leg in legs]
    normals = {leg.name: contour_normals(leg.start, leg.x, leg.radius) for leg in here}
    outlines: dict[str, Outline] = {}
    shares = {}
    for leg in here:
        if leg.name not in wanted:
            continue
        view = np.zeros(_LOOKS, dtype=bool) if leg.name in gone else in_view(camera, leg, here)
        shares[leg.name] = float(view.mean())
        if shares[leg.name] >= camera.least_share:
            outlines[leg.name] = _outline(camera, leg, normals[leg.name], view, rng)
    return Image(time, outlines, shares)


def _in_camera(camera: Camera, leg: Cylinder) -> Cylinder:
    R = camera.T_0c[:3, :3]
    return leg._replace(start=camera.in_camera(leg.start), x=leg.x @ R)


def _along(leg: Cylinder, count: int) -> np.ndarray:
    """Points of an axis in the middles of equal parts ``(count, 3)``, and so none at a joint."""
    s = (np.arange(count) + 0.5) * (leg.length / count)
    return np.asarray(leg.start + s[:, None] * leg.x)


def in_view(camera: Camera, leg: Cylinder, others: Sequence[Cylinder]) -> np.ndarray:
    """Which parts of a leg's axis are in the image with nothing in front; camera axes."""
    points = _along(leg, _LOOKS)
    free = camera.inside(points)
    far = np.linalg.norm(points, axis=1)
    rays = points / far[:, None]
    for other in others:
        if other.name != leg.name:
            free &= ~_behind(rays, far, leg.radius, other)
    return free


def _behind(rays: np.ndarray, far: np.ndarray, radius: float, other: Cylinder) -> np.ndarray:
    """Which points at the ends of rays are behind another cylinder."""
    # where the other's axis is nearest to each ray, kept within its ends
    along = rays @ other.x
    a = other.start
    across = np.maximum(1.0 - along**2, 1e-12)
    s = np.clip(((rays @ a) * along - a @ other.x) / across, 0.0, other.length)
    nearest = a + s[:, None] * other.x
    t = np.einsum("ij,ij->i", nearest, rays)
    off = np.linalg.norm(nearest - t[:, None] * rays, axis=1)
    return np.asarray((t > 0.0) & (t < far - radius - other.radius) & (off < other.radius))


def _outline(
    camera: Camera, leg: Cylinder, normals: np.ndarray, view: np.ndarray, rng: np.random.Generator
) -> Outline:
    """Lines fitted to points on both edges of the parts that are in view."""
    lines, middles, counts, spreads = [], [], [], []
    s = (np.arange(_LOOKS) + 0.5) * (leg.length / _LOOKS)
    first, last = s[view][0], s[view][-1]
    for n in normals:
        edge = leg.start + leg.radius * n
        ends = camera.pixels(edge + np.array([[first], [last]]) * leg.x)
        length = float(np.linalg.norm(ends[1] - ends[0]))
        count = int(np.clip(length / camera.spacing, *_POINTS))
        places = np.linspace(first, last, count)
        there = view[np.minimum((places * (_LOOKS / leg.length)).astype(int), _LOOKS - 1)]
        points = camera.pixels(edge + places[there, None] * leg.x)
        if camera.noise:
            points = points + camera.noise * rng.standard_normal(points.shape)
        middle = points.mean(axis=0)
        off = points - middle
        _, s2, Vt = np.linalg.svd(off, full_matrices=False)
        a, b = Vt[1]
        lines.append(np.array([a, b, -(Vt[1] @ middle)]))
        middles.append(middle)
        counts.append(len(points))
        spreads.append(s2[0] ** 2)
    return Outline(
        leg.name,
        np.array(lines),
        np.array(middles),
        np.array(counts),
        np.array(spreads),
        float(view.mean()),
    )
