"""Bodies that are no beams: a stiffness matrix between the frames of their joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.errors import DescriptionError, shown
from gough.robot.material import check_loss
from gough.robot.names import check_distinct
from gough.robot.numbers import check_number
from gough.robot.parts import check_parts, settle

Rows = tuple[tuple[float, ...], ...]

PLATFORM = "platform"
"""Among the frames of a stiffness: the robot's platform frame, if the body is the platform."""

_ROUNDING = 1e-6  # of figures typed or exported with seven digits, as a share of the largest


@dataclass(frozen=True)
class BodyStiffness:
    """Stiffness of a body between the frames of its joints, from finite elements for instance.

    For each frame six small displacements count: of its origin along the *body's* axes [m], then
    rotations about them [rad].

    Args:
        frames: names of the body's joints, in the order of the matrix; ``"platform"`` is the
            platform's frame.  All joints of the body are among them.
        matrix: symmetric, ``6k x 6k`` [N/m, N, N m/rad]; no displacement of the body as a whole
            takes a force.
        mass: mass matrix of the same order [kg, kg m, kg m^2]; without it the body's mass is rigid,
            at the frame that is nearest to its centre.
        damping: loss factor, as of a :class:`gough.Material`.
    """

    frames: tuple[str, ...]
    matrix: Rows
    mass: Rows | None = None
    damping: float = 0.0

    def __post_init__(self) -> None:
        frames = check_parts(self.frames, str, "stiffness.frames")
        if len(frames) < 2:
            raise DescriptionError(
                f"names {len(frames)}, expected two frames or more", path="stiffness.frames"
            )
        check_distinct(frames, "stiffness.frames")
        settle(self, frames=frames, damping=check_loss(self.damping, "stiffness.damping"))
        for key in ("matrix", "mass"):
            if getattr(self, key) is not None:
                path = f"stiffness.{key}"
                settle(self, **{key: _check_square(getattr(self, key), 6 * len(frames), path)})

    def natural_length(self, points: np.ndarray) -> float:
        """Unit of lengths in which entries of the matrix can be compared [m].

        Args:
            points: origins of the frames in body axes ``(k, 3)`` [m].
        """
        apart = float(np.ptp(points, axis=0).max())
        if apart:
            return apart
        # a hinge: of frames at one point turns and displacements alone tell a length
        along, about = np.diag(self.matrix).reshape(-1, 2, 3).max(axis=(0, 2))
        return float(np.sqrt(about / along)) if along > 0.0 and about > 0.0 else 1.0

    def check_rigid_modes(self, points: np.ndarray, path: str) -> None:
        """Refuse a matrix under which the body cannot move as a whole.

        Args:
            points: origins of the frames in body axes ``(k, 3)`` [m].
            path: of the body in the description.
        """
        matrix = np.array(self.matrix)
        length = self.natural_length(points)
        scale = np.tile([1.0] * 3 + [1.0 / length] * 3, len(points))
        natural = matrix * scale[:, None] * scale
        moved = natural @ (
            rigid_motions(points) / scale[:, None] / np.append([1.0] * 3, [length] * 3)
        )
        size = float(np.abs(natural).max())
        left = float(np.abs(moved).max())
        if left > _ROUNDING * size * 10.0:
            worst = int(np.argmax(np.abs(moved).max(axis=0)))
            how = ("moved along", "turned about")[worst // 3]
            raise DescriptionError(
                f"the body {how} {'xyz'[worst % 3]} as a whole takes a force: {left / size:.2g} "
                "of the largest entry is left",
                path=f"{path}.stiffness.matrix",
                hint="Likely: another order of frames or components, axes of the joints instead of "
                "the body's, millimetres, or a body that was clamped somewhere.",
                left=left / size,
            )
        values = np.linalg.eigvalsh((natural + natural.T) / 2.0)
        soft = int((values <= 1e-10 * values[-1]).sum())  # bars of 1 : 1000 have 1e-6
        if soft > 6:
            raise DescriptionError(
                f"has {soft} motions without a force, expected the six of a rigid body",
                path=f"{path}.stiffness.matrix",
                hint="Likely: rows of a joint's free direction were left empty; give the stiffness "
                "of the body alone, joints are free on their own.",
                soft=soft,
            )

    def check_mass(self, points: np.ndarray, path: str) -> None:
        """Refuse a mass matrix that is not the same in all directions the body moves along.

        Args:
            points: origins of the frames in body axes ``(k, 3)`` [m].
            path: of the body in the description.
        """
        if self.mass is None:
            return
        together = rigid_motions(points)
        moved = (together.T @ np.array(self.mass) @ together)[:, :3]
        m = float(np.trace(moved[:3]) / 3.0)
        size = float(np.abs(moved).max())
        # along each axis the same mass, and moments of it that a centre can have: m skew(c)
        uneven = [np.abs(moved[:3] - m * np.eye(3)).max(), np.abs(moved[3:] + moved[3:].T).max()]
        if max(uneven) > 10.0 * _ROUNDING * size:
            along = [f"{value:.6g}" for value in np.diag(moved[:3])]
            raise DescriptionError(
                f"is of no body: moved as a whole along x, y, z it has {', '.join(along)} kg",
                path=f"{path}.stiffness.mass",
                hint="Likely: another order of frames or components, or masses of single "
                "directions; a body has the same mass along all.",
            )


def rigid_motions(points: np.ndarray) -> np.ndarray:
    """Displacements ``(6k, 6)`` of frames at points ``(k, 3)`` per small motion of the body."""
    found = np.zeros((6 * len(points), 6))
    for k, (x, y, z) in enumerate(points):
        found[6 * k : 6 * k + 6] = np.eye(6)
        found[6 * k : 6 * k + 3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    return found


def _check_square(value: Any, size: int, path: str) -> Rows:
    """A symmetric matrix without a negative direction."""
    rows = value.tolist() if isinstance(value, np.ndarray) else value
    good = isinstance(rows, (list, tuple)) and len(rows) == size
    if not good or any(not isinstance(row, (list, tuple)) or len(row) != size for row in rows):
        raise DescriptionError(
            f"expected {size} rows of {size} numbers, six for each frame, got {shown(value)}",
            path=path,
        )
    found = np.array(
        [
            [check_number(v, f"{path}[{i}][{j}]") for j, v in enumerate(r)]
            for i, r in enumerate(rows)
        ]
    )
    size_of = float(np.abs(found).max())
    odd = float(np.abs(found - found.T).max())
    if odd > _ROUNDING * size_of:
        i, j = np.unravel_index(int(np.argmax(np.abs(found - found.T))), found.shape)
        raise DescriptionError(
            f"is not symmetric: entries [{i}][{j}] and [{j}][{i}] are {found[i, j]:.6g} and "
            f"{found[j, i]:.6g}",
            path=path,
        )
    even = (found + found.T) / 2.0
    lowest = float(np.linalg.eigvalsh(even)[0])
    if lowest < -_ROUNDING * size_of:
        raise DescriptionError(
            f"has a negative direction: its smallest eigenvalue is {lowest:.3g}",
            path=path,
            hint="A body that gives energy away is none; likely: a sign, or units that mix.",
        )
    return tuple(tuple(row) for row in even.tolist())
