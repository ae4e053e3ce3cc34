"""Where a frame sits on a body: position and orientation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.base import spatial
from gough.errors import DescriptionError
from gough.robot.numbers import Matrix, Vector, check_matrix, check_number, check_vector
from gough.robot.parts import settle

IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

# A matrix whose R^T R misses 1 by up to _TYPED was typed with six digits and is made orthogonal;
# beyond that it is a mistake.  Up to _ROUNDING it is kept as it is.
_TYPED = 1e-5
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Frame:
    """A frame on a body.

    Args:
        position: origin of the frame in body axes [m].
        rotation: 3x3, its columns are the axes of the frame in body axes.
    """

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Matrix = IDENTITY

    def __post_init__(self) -> None:
        position = check_vector(self.position, "position")
        settle(self, position=position, rotation=check_rotation(self.rotation, "rotation"))

    @classmethod
    def from_matrix(cls, T: Any) -> Frame:
        """Frame of a 4x4 homogeneous matrix."""
        M = np.asarray(T, dtype=float)
        if M.shape != (4, 4) or not np.array_equal(M[3], [0.0, 0.0, 0.0, 1.0]):
            raise DescriptionError("expected a 4x4 homogeneous matrix with last row 0 0 0 1")
        return cls(M[:3, 3].tolist(), M[:3, :3].tolist())

    @classmethod
    def from_axes(cls, position: Any = (0.0, 0.0, 0.0), *, z: Any, x: Any = None) -> Frame:
        """Frame from its z axis and, if it matters, a direction that x points towards.

        Without ``x`` the frame is turned as little as possible from the body's axes.
        """
        return cls(position, rotation_from_axes(z, x).tolist())

    @classmethod
    def from_quaternion_wxyz(cls, position: Any, quaternion: Any) -> Frame:
        """Frame from a unit quaternion, scalar first."""
        return cls(position, rotation_from_quaternion(quaternion, "quaternion_wxyz").tolist())

    @classmethod
    def from_rpy(cls, position: Any, rpy: Any) -> Frame:
        """Frame from roll, pitch and yaw [rad] about the body's fixed x, y and z, in this order.

        ``R = Rz(yaw) Ry(pitch) Rx(roll)``, as in URDF and as the key ``rpy`` of a robot file.
        """
        return cls(position, rotation_from_rpy(rpy).tolist())

    @property
    def matrix(self) -> np.ndarray:
        """4x4 homogeneous matrix."""
        return spatial.pose(np.array(self.rotation), np.array(self.position))


def check_rotation(value: Any, path: str) -> Matrix:
    """A proper rotation; figures typed with few digits are made orthogonal."""
    R = np.array(check_matrix(value, path))
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if error > _TYPED:
        raise DescriptionError(
            f"is not a rotation: R^T R differs from the identity by {error:.3g}", path=path
        )
    if np.linalg.det(R) < 0.0:
        raise DescriptionError(
            "is a reflection, its determinant is -1",
            path=path,
            hint="gough is right-handed: flip one axis.",
        )
    if error > _ROUNDING:
        U, _, Vt = np.linalg.svd(R)
        R = U @ Vt
    return check_matrix(R.tolist(), path)


def rotation_from_axes(z: Any, x: Any = None, path: str = "z") -> np.ndarray:
    """Rotation whose third column points along ``z`` and whose first leans towards ``x``."""
    e_z = unit(z, path)
    if x is None:
        # the shortest rotation that takes the body's z to the axis
        w = spatial.cross(spatial.E_Z, e_z)
        sin2, cos = float(w @ w), float(e_z[2])
        if sin2 < 1e-100:  # sine below 1e-50: the formula would divide zero by zero
            return np.diag([1.0, 1.0, 1.0] if cos > 0.0 else [1.0, -1.0, -1.0])
        # 1/(1 + cos), written so that it keeps its digits close to half a turn
        factor = (1.0 - cos) / sin2 if cos < 0.0 else 1.0 / (1.0 + cos)
        K = spatial.skew(w)
        return np.asarray(np.eye(3) + K + K @ K * factor)
    towards = np.array(check_vector(x, "x"))
    e_x = towards - (towards @ e_z) * e_z
    # less than 1e-9 of x is across z: its direction would be rounding
    if np.linalg.norm(e_x) <= 1e-9 * np.linalg.norm(towards):
        raise DescriptionError("the x direction is parallel to the z axis", path="x")
    e_x = e_x / np.linalg.norm(e_x)
    return np.stack([e_x, spatial.cross(e_z, e_x), e_z], axis=1)


def rotation_from_quaternion(quaternion_wxyz: Any, path: str) -> np.ndarray:
    """Rotation of a unit quaternion, scalar first."""
    if not isinstance(quaternion_wxyz, (list, tuple, np.ndarray)) or len(quaternion_wxyz) != 4:
        raise DescriptionError("expected four numbers", path=path)
    q = np.array([check_number(v, f"{path}[{i}]") for i, v in enumerate(quaternion_wxyz)])
    norm = float(np.linalg.norm(q))
    if abs(norm - 1.0) > _TYPED:
        raise DescriptionError(
            f"is not a unit quaternion: its length is {norm:.6g}",
            path=path,
            hint="The order is in the key's name: quaternion_wxyz or quaternion_xyzw.",
        )
    w, v = q[0] / norm, q[1:] / norm
    K = spatial.skew(v)
    return np.asarray(np.eye(3) + 2.0 * w * K + 2.0 * K @ K)


def rotation_from_rpy(rpy: Any, path: str = "rpy") -> np.ndarray:
    """Rotation of roll, pitch and yaw [rad]: ``Rz(yaw) Ry(pitch) Rx(roll)``."""
    roll, pitch, yaw = angles = check_vector(rpy, path)
    largest = max(angles, key=abs)
    if abs(largest) > 2.0 * math.pi:
        raise DescriptionError(f"{largest:g} rad is more than a turn", path=path, hint="Degrees?")
    turned = spatial.rotation_z(yaw) @ spatial.rotation_y(pitch) @ spatial.rotation_x(roll)
    return np.asarray(spatial.snap(turned))


def unit(vector: Any, path: str) -> np.ndarray:
    """Unit vector along a direction that must not be zero."""
    v = np.array(check_vector(vector, path))
    length = float(np.linalg.norm(v))
    if length < 1e-9:
        raise DescriptionError("an axis of length zero has no direction", path=path)
    return np.asarray(v / length)
