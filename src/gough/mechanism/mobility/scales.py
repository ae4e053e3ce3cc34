"""Natural units of a robot: 1 rad for what turns, a length for what is counted in metres.

Singular values, norms and ranks mean something only in such units, and then they are the same for
the same machine in metres and in micrometres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gough.base.spatial import Array
from gough.robot import Robot

# Joints that are nearer to each other than _POINT times the drawn size meet in one point: figures
# are typed more coarsely.  _ROUNDING [m] is the floor where nothing is drawn at all.
_POINT, _ROUNDING = 1e-9, 1e-15

EARTH = 9.81
"""Acceleration that makes a length a time [m/s^2], whatever gravity a robot works in."""


@dataclass(frozen=True, eq=False)
class Scales:
    """Natural size of everything that moves.

    Attributes:
        length: unit of lengths [m]: the characteristic length, unless another is declared.
        twist: unit of each component of a platform twist ``(6,)`` [m or rad].
        freedoms: unit of each independent coordinate ``(n,)`` [m or rad].
        motors: unit of each motor coordinate ``(m,)`` [m or rad].
        rates: unit of the rate of each link, the hub's first ``(n_u,)`` [m or rad].
        rows: units of the residuals of closure rows: of the hub's, then of each leg's.
    """

    length: float
    twist: np.ndarray
    freedoms: np.ndarray
    motors: np.ndarray
    rates: np.ndarray
    rows: tuple[np.ndarray, ...]

    @property
    def frequency(self) -> float:
        """Unit of rates [rad/s]: a pendulum of this length swings so on Earth."""
        return float(np.sqrt(EARTH / self.length))

    @property
    def wrench(self) -> np.ndarray:
        """Unit of each component of a wrench, as a multiple of the unit of forces ``(6,)``."""
        return self.length / self.twist

    def jacobian(self, J_inv: Array) -> Array:
        """Motor rates by freedoms, ``(..., m, n)``, in natural units."""
        return J_inv / self.motors[:, None] * self.freedoms

    def twists(self, Psi: Array) -> Array:
        """Platform twists by freedoms, ``(..., 6, n)``, in natural units."""
        return Psi / self.twist[:, None] * self.freedoms

    def constant_rows(self, found: Sequence[Array]) -> np.ndarray:
        """Rows of Psi that are the same in all postures given; NaN in the others."""
        spread = np.max([np.abs(self.twists(Psi - found[0])) for Psi in found], axis=0)
        mean = np.mean(found, axis=0)
        value = np.where(np.abs(mean - np.round(mean)) < 1e-9, np.round(mean), mean)
        constant = spread.max(axis=1, initial=0.0) < 1e-9
        return np.asarray(np.where(constant[:, None], value, np.nan))


def characteristic_length(robot: Robot, poses: dict[str, np.ndarray]) -> float:
    """Size of the robot [m]: largest distance of a joint from the middle of all joints.

    A machine whose joints meet in one point is as large as its platform's frame is far from there,
    or else as what is drawn of its bodies.
    """
    points = []
    for joint in robot.joints:
        points.append((poses[joint.parent] @ joint.parent_frame.matrix)[:3, 3])
        points.append((poses[joint.child] @ joint.child_frame.matrix)[:3, 3])
    middle = np.mean(points, axis=0)
    size = float(np.linalg.norm(np.array(points) - middle, axis=1).max())
    drawn = _drawn_size(robot, poses)
    point = max(_POINT, robot.precision) * drawn + _ROUNDING
    if size < point:
        origin = (poses[robot.platform] @ robot.platform_frame.matrix)[:3, 3]
        size = float(np.linalg.norm(origin - middle))
    if size > point:
        return size
    return drawn if drawn > _ROUNDING else 1.0


def _drawn_size(robot: Robot, poses: dict[str, np.ndarray]) -> float:
    """Largest length of a description [m]: what its figures are rounded beside."""
    frames = [frame for j in robot.joints for frame in (j.parent_frame, j.child_frame)]
    points = np.array(
        [
            *(body.center for body in robot.bodies),
            *(frame.position for frame in (robot.platform_frame, *frames)),
            *(T[:3, 3] for T in poses.values()),
        ]
    )
    return float(np.abs(points).max())
