"""Beams: bodies that bend, as a line of points with one cross-section and one material."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import DescriptionError, shown
from gough.robot.material import Material
from gough.robot.numbers import Vector, check_number, check_vector
from gough.robot.parts import check_part, settle
from gough.robot.section import Box, CrossSection, Tube

Points = tuple[Vector, ...]
Lumps = tuple[tuple[float, float], ...]

_SAME = 1e-6  # points nearer than this share of the beam's length are one


@dataclass(frozen=True)
class Beam:
    """What bends of a body: straight pieces from point to point.

    Rigid-body dynamics does not use it.  The beam's own mass is part of the body's mass: what is
    left over is rigid, and must be a body.

    Args:
        section: a :class:`gough.Tube`, a :class:`gough.Box` or a :class:`gough.CrossSection`.
        material: a :class:`gough.Material`, or the name of a usual one.
        points: ends of the straight pieces, in body axes [m]; two or more.
        up: direction that the section's z leans towards, in body axes; needed unless the section is
            round.
        lumps: point masses on the beam that are part of the body's mass: balls, screws, clamps;
            each a place along the beam, 0 to 1, and a mass [kg].
    """

    section: Tube | Box | CrossSection
    material: Material
    points: Points
    up: Vector | None = None
    lumps: Lumps = ()

    def __post_init__(self) -> None:
        if not isinstance(self.section, (Tube, Box, CrossSection)):
            raise DescriptionError(
                f"expected a Tube, a Box or a CrossSection, got {shown(self.section)}",
                path="beam.section",
            )
        if isinstance(self.material, str):
            settle(self, material=Material.named(self.material))
        check_part(self.material, Material, "beam.material")
        settle(self, points=_check_points(self.points), lumps=_check_lumps(self.lumps))
        if self.up is None and not self.section.figures.is_round:
            raise DescriptionError(
                "is missing, and the section is not round",
                path="beam.up",
                hint="Give the direction of the section's height: up: [0, 0, 1].",
            )
        if self.up is not None:
            settle(self, up=check_vector(self.up, "beam.up"))
            for i, axis in enumerate(np.diff(self.points, axis=0)):
                across = np.linalg.norm(np.cross(axis, self.up))
                if across < 1e-6 * np.linalg.norm(axis) * np.linalg.norm(self.up) or not across:
                    raise DescriptionError(
                        f"has no direction across piece {i + 1} of the beam", path="beam.up"
                    )

    @property
    def length(self) -> float:
        """Length along the beam [m]."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())


def _check_points(points: Any) -> Points:
    items = points.tolist() if isinstance(points, np.ndarray) else points
    if not isinstance(items, (list, tuple)) or len(items) < 2:
        raise DescriptionError(
            f"expected two points [x, y, z] or more, got {shown(points)}", path="beam.points"
        )
    found = tuple(check_vector(point, f"beam.points[{i}]") for i, point in enumerate(items))
    lengths = np.linalg.norm(np.diff(found, axis=0), axis=1)
    for i, length in enumerate(lengths):
        if length <= 1e-9 * lengths.max() or not length:
            raise DescriptionError(
                "is the point before it: a piece of the beam has no length",
                path=f"beam.points[{i + 1}]",
            )
    _check_open(found, float(lengths.sum()))
    return found


def _check_open(points: Points, length: float) -> None:
    """Refuse a line that comes back to a point: its pieces would not be joined there."""
    for i, point in enumerate(points):
        away = np.linalg.norm(np.array(points[: max(i - 1, 0)]).reshape(-1, 3) - point, axis=1)
        if len(away) and away.min() <= _SAME * length:
            raise DescriptionError(
                f"is beam.points[{int(np.argmin(away))}] again, and a beam is one open line",
                path=f"beam.points[{i}]",
                hint="Draw a frame or a branch as two bodies, joined by a joint of kind 'fixed' "
                "wherever they meet; or give the body a stiffness matrix instead.",
            )


def _check_lumps(lumps: Any) -> Lumps:
    items = lumps.tolist() if isinstance(lumps, np.ndarray) else lumps
    if not isinstance(items, (list, tuple)):
        raise DescriptionError(f"expected a list, got {shown(lumps)}", path="beam.lumps")
    found = []
    for i, lump in enumerate(items):
        path = f"beam.lumps[{i}]"
        if not isinstance(lump, (list, tuple)) or len(lump) != 2:
            raise DescriptionError(f"expected [place, mass], got {shown(lump)}", path=path)
        place = check_number(lump[0], f"{path}[0]", nonnegative=True)
        if place > 1.0:
            raise DescriptionError(
                f"is {place:g}, expected 0 to 1: a share of the beam's length", path=f"{path}[0]"
            )
        found.append((place, check_number(lump[1], f"{path}[1]", positive=True)))
    return tuple(found)
