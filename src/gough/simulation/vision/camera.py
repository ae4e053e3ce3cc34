"""A pinhole camera: where it stands, how sharp it sees, how often and how late."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base.arguments import number, whole
from gough.base.batch import as_array, check_finite
from gough.errors import InputError, shown

_ROTATION = 1e-9  # how far R^T R may be from the identity: figures with nine digits pass


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera with square pixels that looks along its z axis, x to the right, y down.

    Attributes:
        T_0c: pose of the camera in the base ``(4, 4)``; :func:`looking` makes one.
        focal: focal length [px].
        size: width and height of the image [px].
        rate: images a second [1/s].
        delay: time from an image to what is known of it [s].
        noise: standard deviation of the points found on an edge, in both image axes [px].
        spacing: distance of these points along an edge [px].
        least_share: a leg of which less is in the image, and not hidden, is not seen.
        hidden: names of legs that something else hides at an instant, ``hidden(t)``.

    Raises:
        InputError: an argument makes no sense; names it.
    """

    T_0c: np.ndarray
    focal: float = 1000.0
    size: tuple[int, int] = (1280, 1024)
    rate: float = 500.0
    delay: float = 0.0
    noise: float = 0.0
    spacing: float = 1.0
    least_share: float = 0.5
    hidden: Callable[[float], Sequence[str]] | None = None

    def __post_init__(self) -> None:
        given: dict[str, Any] = {"T_0c": _pose(self.T_0c), "size": _size(self.size)}
        for name in ("focal", "rate", "spacing", "least_share"):
            given[name] = number(getattr(self, name), name, positive=True)
        for name in ("delay", "noise"):
            given[name] = number(getattr(self, name), name, nonnegative=True)
        if given["least_share"] > 1.0:
            raise InputError(
                f"least_share is {given['least_share']:g}, expected 1 or less",
                argument="least_share",
            )
        if self.hidden is not None and not callable(self.hidden):
            raise InputError(
                f"hidden is {shown(self.hidden)}, expected a function of time", argument="hidden"
            )
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def intrinsics(self) -> np.ndarray:
        """From points in camera axes to pixels, ``(3, 3)``; the axis meets the image's middle."""
        w, h = self.size
        return np.array([[self.focal, 0.0, w / 2.0], [0.0, self.focal, h / 2.0], [0.0, 0.0, 1.0]])

    def in_camera(self, points: np.ndarray) -> np.ndarray:
        """Points ``(..., 3)`` of the base in camera axes [m]."""
        return np.asarray((points - self.T_0c[:3, 3]) @ self.T_0c[:3, :3])

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """Where points ``(..., 3)`` in camera axes, in front of it, are in the image [px]."""
        seen = points @ self.intrinsics.T
        return np.asarray(seen[..., :2] / seen[..., 2:])

    def inside(self, points: np.ndarray) -> np.ndarray:
        """Which points ``(..., 3)`` in camera axes are in the image."""
        front = points[..., 2] > 0.0
        safe = np.where(front[..., None], points, np.array([0.0, 0.0, 1.0]))
        at = self.pixels(safe)
        return np.asarray(front & (at >= 0.0).all(-1) & (at <= np.array(self.size)).all(-1))


def looking(position: Any, target: Any, up: Any = (0.0, 0.0, 1.0)) -> np.ndarray:
    """A camera pose ``(4, 4)`` at a position that looks at a target.

    Args:
        position: of the camera, base axes [m].
        target: what is in the middle of the image, base axes [m].
        up: a direction that is up in the image; any other if the camera looks along it.

    Raises:
        InputError: no three numbers, or the target is where the camera is.
    """
    given = {"position": position, "target": target, "up": up}
    at, to, above = (_three(value, name) for name, value in given.items())
    z = to - at
    if np.linalg.norm(z) < 1e-12:
        raise InputError("target: the camera is where it looks at", argument="target")
    z = z / np.linalg.norm(z)
    x = np.cross(z, above)
    if np.linalg.norm(x) < 1e-6 * max(float(np.linalg.norm(above)), 1e-300):
        x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x = x / np.linalg.norm(x)
    T_0c = np.eye(4)
    T_0c[:3] = np.stack([x, np.cross(z, x), z, at], axis=1)
    return T_0c


def _three(value: Any, name: str) -> np.ndarray:
    found = as_array(value, (3,), name)
    if found.shape != (3,):
        raise InputError(f"{name} has shape {found.shape}, expected (3,)", argument=name)
    check_finite(found, name)
    return found


def _pose(value: Any) -> np.ndarray:
    T = as_array(value, (4, 4), "T_0c")
    if T.shape != (4, 4):
        raise InputError(f"T_0c has shape {T.shape}, expected (4, 4)", argument="T_0c")
    check_finite(T, "T_0c")
    R = T[:3, :3]
    if np.abs(R.T @ R - np.eye(3)).max() > _ROTATION or np.linalg.det(R) < 0.0:
        raise InputError("T_0c: its axes are not right-handed unit vectors", argument="T_0c")
    found = T.copy()
    found.flags.writeable = False
    return found


def _size(value: Any) -> tuple[int, int]:
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise InputError(
            f"size is {shown(value)}, expected width and height in pixels", argument="size"
        )
    return whole(value[0], "size[0]", least=1), whole(value[1], "size[1]", least=1)
