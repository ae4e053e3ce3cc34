"""What a picture shows, as plain geometric data: a scene knows nothing of the tool that paints it.

All points and directions are in base axes [m].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from gough.robot.shape import Shape

Role = Literal["base", "link", "hub", "platform"]
"""What a body is in the machine; a hub body is part of a nacelle, but not the platform."""

StrokeKind = Literal["bar", "tube", "rod", "rail"]


@dataclass(frozen=True, eq=False)
class Stroke:
    """A long part of a body.

    Attributes:
        body: name of the body.
        role: what the body is.
        kind: ``bar``, ``tube`` and ``rod`` of a telescope, ``rail`` of a slide.
        points: the middle line ``(k, 3)``; more than two points are an arc.
    """

    body: str
    role: Role
    kind: StrokeKind
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class Plate:
    """A flat part of a body.

    Attributes:
        body: name of the body.
        role: what the body is.
        kind: ``hull`` of the body's joints, or ``face`` on which a joint slides.
        outline: corners in order ``(k, 3)``; a single one is a round face.
        normal: unit normal ``(3,)``.
    """

    body: str
    role: Role
    kind: Literal["hull", "face"]
    outline: np.ndarray
    normal: np.ndarray


@dataclass(frozen=True, eq=False)
class Form:
    """A shape that the description gives to a body.

    Attributes:
        body: name of the body.
        role: what the body is.
        shape: with its frame on the body.
        pose: of that frame ``(4, 4)``; of a body that gives way, its axes may be stretched.
    """

    body: str
    role: Role
    shape: Shape
    pose: np.ndarray


@dataclass(frozen=True, eq=False)
class Mark:
    """A joint.

    Attributes:
        joint: its name; ``kind``: its kind.
        position: where it is drawn ``(3,)``.
        axis: z axis of its frame on the parent ``(3,)``.
        second: z axis of its frame on the child ``(3,)``.
        driven: for each of its axes, whether a motor moves it.
        ground: direction from the joint to what holds it, if this is the base ``(3,)``.
    """

    joint: str
    kind: str
    position: np.ndarray
    axis: np.ndarray
    second: np.ndarray
    driven: tuple[bool, ...]
    ground: np.ndarray | None

    @property
    def motor(self) -> bool:
        """Whether a motor moves one of its axes."""
        return any(self.driven)


@dataclass(frozen=True, eq=False)
class Belt:
    """A coupling: its name, and the joints that it relates, in its order ``(k, 3)``."""

    coupling: str
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class Triad:
    """A frame: its name, ``0`` or ``p``, and its pose ``(4, 4)``."""

    name: str
    pose: np.ndarray


@dataclass(frozen=True, eq=False)
class Plane:
    """The plane of a planar robot.

    Attributes:
        origin: a point of it ``(3,)``.
        axes: its two axes, to the right and up, as rows ``(2, 3)``.
    """

    origin: np.ndarray
    axes: np.ndarray

    def project(self, points: np.ndarray) -> np.ndarray:
        """Coordinates in the plane ``(..., 2)`` of points ``(..., 3)``."""
        return np.asarray((points - self.origin) @ self.axes.T)

    def direction(self, vectors: np.ndarray) -> np.ndarray:
        """Components in the plane ``(..., 2)`` of vectors ``(..., 3)``."""
        return np.asarray(vectors @ self.axes.T)


@dataclass(frozen=True, eq=False)
class Scene:
    """One robot in one posture.

    Attributes:
        strokes, plates, marks, triads, belts, forms: what is in it.
        unit: radius of a joint [m]; all thicknesses follow from it.
        length: size of the robot [m].
        up: the direction against gravity, or base z ``(3,)``.
        plane: the plane of a planar robot.
    """

    strokes: tuple[Stroke, ...]
    plates: tuple[Plate, ...]
    marks: tuple[Mark, ...]
    triads: tuple[Triad, ...]
    unit: float
    length: float
    up: np.ndarray
    plane: Plane | None
    belts: tuple[Belt, ...] = ()
    forms: tuple[Form, ...] = ()

    @property
    def points(self) -> np.ndarray:
        """Every point of the picture ``(k, 3)``, for its bounds."""
        parts = [s.points for s in self.strokes] + [p.outline for p in self.plates]
        parts += [m.position[None] for m in self.marks]
        parts += [t.pose[None, :3, 3] for t in self.triads]
        return np.concatenate(parts)
