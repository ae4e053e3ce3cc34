"""The motion group of a platform: translations, motions of a plane, about a point, or any.

Found from assembled states around home, never declared.  A group knows how far a pose is outside
it, and the functions of a pose that single joints and legs bind linearly: their values at a pose
are its *features*.

Poses are in the robot's own units, counted from home, lengths over the robot's size: a machine far
from the base's origin, or of a millimetre, is the same machine.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from gough.base.once import known_of
from gough.base.turns import logs, skew
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import dense
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.mobility.assembly import Assembly

# Natural units.  States are assembled to 1e-11, so poses agree with a group to 1e-9; twists come
# from null spaces at those states, and lose some digits where a state is badly conditioned.
_SAME = 1e-9
_INSIDE = 1e-7  # distance of a closed pose from the group, also where modes meet (root of rounding)
_RANK = 1e-7  # singular values of closure rows and of twists that count as zero
_LEAVES = 1e-6  # part of a unit twist that leaves a group, its axis or its fixed point


def natural(assembly: Assembly, T_0p: np.ndarray) -> np.ndarray:
    """Poses ``(..., 4, 4)`` with positions from home's, over the robot's length."""
    T = T_0p.copy()
    T[..., :3, 3] = (T[..., :3, 3] - assembly.T_home[:3, 3]) / assembly.length
    return T


def plain(assembly: Assembly, T: np.ndarray) -> np.ndarray:
    """The poses in metres, from the base's origin."""
    T_0p = T.copy()
    T_0p[..., :3, 3] = T[..., :3, 3] * assembly.length + assembly.T_home[:3, 3]
    return T_0p


def apart(T_0p: np.ndarray, others: np.ndarray, length: float) -> np.ndarray:
    """Largest difference between entries of poses ``(N, 4, 4)``, lengths over the robot's."""
    off = np.abs(T_0p[:, :3] - others[..., :3, :])
    off[:, :, 3] /= length
    return np.asarray(off.max(axis=(1, 2)))


class Group(ABC):
    """Poses a platform may have; all arguments are batches ``(N, ...)``."""

    @abstractmethod
    def miss(self, T: np.ndarray) -> np.ndarray:
        """Displacement that takes a pose into the group, to first order ``(N, k)``; zero in it."""

    @abstractmethod
    def rows(self, T: np.ndarray) -> np.ndarray:
        """Jacobian of that displacement by a twist ``[v; w]`` of the platform ``(N, k, 6)``."""

    @abstractmethod
    def features(self, T: np.ndarray) -> np.ndarray:
        """Functions of a pose in the group, linearly independent on it ``(N, m)``."""

    def holds(self, T: np.ndarray) -> np.ndarray:
        """Which poses are in the group, within rounding."""
        return np.asarray(np.abs(self.miss(T)).max(axis=1, initial=0.0) < _INSIDE)


@dataclass(frozen=True, eq=False)
class Translations(Group):
    """The platform keeps its orientation."""

    R: np.ndarray

    def miss(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return rotation_between(T[:, :3, :3], self.R)

    def rows(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return np.broadcast_to(np.eye(6)[3:], (len(T), 3, 6))

    def features(self, T: np.ndarray) -> np.ndarray:
        """``|t|^2, x, y, z, 1``."""
        t = T[:, :3, 3]
        return np.column_stack([(t * t).sum(axis=1), t, np.ones(len(t))])


@dataclass(frozen=True, eq=False)
class Schoenflies(Group):
    """The platform turns about one direction only, and goes anywhere.

    Attributes:
        axes: rows: two directions across, and the one it turns about.
        R: an orientation of the platform, from which its angle is counted.
    """

    axes: np.ndarray
    R: np.ndarray

    def miss(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        n = self.axes[2]
        seen = T[:, :3, :3] @ (self.R.T @ n)
        turn = np.cross(seen, n)
        # opposed axes are as far from each other as can be, not in the group
        turn[seen @ n < 0.0] += 2.0 * self.axes[0]
        return np.asarray(turn @ self.axes[:2].T)

    def rows(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        rows = np.zeros((2, 6))
        rows[:, 3:] = self.axes[:2]
        return np.broadcast_to(rows, (len(T), 2, 6))

    def features(self, T: np.ndarray) -> np.ndarray:
        """``|t|^2, x c + y s, y c - x s, c, s, 1, x, y, z``."""
        x, y, z = self.axes @ T[:, :3, 3].T
        turn = self.axes @ (T[:, :3, :3] @ self.R.T) @ self.axes.T
        c, s = turn[:, 0, 0], turn[:, 1, 0]
        w = x * x + y * y + z * z
        columns = [w, x * c + y * s, y * c - x * s, c, s, np.ones_like(x), x, y, z]
        return np.column_stack(columns)

    def pose(self, t: np.ndarray, angle: float) -> np.ndarray:
        """The pose of coordinates along the axes and an angle."""
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        T = np.eye(4)
        T[:3, :3] = self.axes.T @ turn @ self.axes @ self.R
        T[:3, 3] = t @ self.axes
        return T


@dataclass(frozen=True, eq=False)
class Planar(Schoenflies):
    """The platform stays in a plane.

    Attributes:
        height: of its origin along the normal, over the length.
    """

    height: float = 0.0

    def miss(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return np.column_stack([super().miss(T), self.height - T[:, :3, 3] @ self.axes[2]])

    def rows(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        along = np.zeros((len(T), 1, 6))
        along[:, 0, :3] = self.axes[2]
        return np.concatenate([super().rows(T), along], axis=1)

    def features(self, T: np.ndarray) -> np.ndarray:
        """``x^2 + y^2, x c + y s, y c - x s, c, s, 1, x, y``."""
        found = super().features(T)
        found[:, 0] -= found[:, 8] ** 2
        return np.asarray(found[:, :8])

    def pose(self, t: np.ndarray, angle: float) -> np.ndarray:
        """See :class:`Schoenflies`."""
        return super().pose(np.array([*t[:2], self.height]), angle)


@dataclass(frozen=True, eq=False)
class Spherical(Group):
    """A point of the platform stays where it is.

    Attributes:
        centre: in the base, over the length.
        on_platform: in the platform, over the length.
    """

    centre: np.ndarray
    on_platform: np.ndarray

    def miss(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return np.asarray(self.centre - T[:, :3, 3] - T[:, :3, :3] @ self.on_platform)

    def rows(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        arm = T[:, :3, :3] @ self.on_platform
        rows = np.zeros((len(T), 3, 6))
        rows[:, :, :3] = np.eye(3)
        rows[:, :, 3:] = -skew(arm)
        return rows

    def features(self, T: np.ndarray) -> np.ndarray:
        """The entries of the rotation, row by row, and 1."""
        return np.column_stack([T[:, :3, :3].reshape(-1, 9), np.ones(len(T))])


@dataclass(frozen=True, eq=False)
class Space(Group):
    """Nothing is known of the platform's motion."""

    def miss(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return np.zeros((len(T), 0))

    def rows(self, T: np.ndarray) -> np.ndarray:
        """See :class:`Group`."""
        return np.zeros((len(T), 0, 6))

    def features(self, T: np.ndarray) -> np.ndarray:
        """``|t|^2, t (3), R^T t (3), R row by row (9), 1``: what spheres and planes are made of."""
        t, R = T[:, :3, 3], T[:, :3, :3]
        seen = np.einsum("nij,ni->nj", R, t)
        one = np.ones(len(t))
        return np.column_stack([(t * t).sum(axis=1), t, seen, R.reshape(-1, 9), one])


@known_of(Assembly)
def find_group(assembly: Assembly) -> Group:
    """The smallest of these groups that holds the platform."""
    states = [assembly.start, *assembly.regular_samples]
    T = natural(assembly, np.array([T for T, _ in states]))
    # what the platform can do in each state: samples near home may differ by little
    able = [platform_twists(assembly, *state) for state in states]
    return next(group for group in _candidates(T, able) if _fits(group, T, able))


def platform_twists(
    assembly: Assembly, T_0p: np.ndarray, configuration: Configuration
) -> np.ndarray:
    """Basis of the twists that the loops allow the platform ``(6, k)``, natural units."""
    topology = assembly.topology
    at = Equations(topology, described_locks(topology), T_0p, configuration)
    system = dense(at, assembly.length)
    _, s, Vt = np.linalg.svd(system.rows, full_matrices=True)
    null = Vt[int((s > _RANK).sum()) :, -6:]
    _, s, Vt = np.linalg.svd(null, full_matrices=False)
    return np.asarray(Vt[s > _RANK].T)


def _candidates(T: np.ndarray, able: list[np.ndarray]) -> list[Group]:
    found: list[Group] = [Translations(T[0, :3, :3])]
    axes = _axes_of_rotation(np.hstack(able)[3:])
    if axes is not None:
        found.append(Planar(axes, T[0, :3, :3], float(axes[2] @ T[0, :3, 3])))
        found.append(Schoenflies(axes, T[0, :3, :3]))
    centre = _fixed_point(T, able)
    if centre is not None:
        found.insert(2, Spherical(T[0, :3, :3] @ centre + T[0, :3, 3], centre))
    return [*found, Space()]


def _fits(group: Group, T: np.ndarray, able: list[np.ndarray]) -> bool:
    inside = np.abs(group.miss(T)).max(initial=0.0) < _SAME
    rows = group.rows(T)
    leaving = [np.abs(row @ V).max(initial=0.0) for row, V in zip(rows, able, strict=True)]
    return bool(inside and max(leaving) < _LEAVES)


def _axes_of_rotation(w: np.ndarray) -> np.ndarray | None:
    """Axes with the third along the only direction of all rotations; ``None`` if there are more."""
    U, s, _ = np.linalg.svd(w)
    if len(s) < 1 or s[0] < _SAME or (len(s) > 1 and s[1] > _LEAVES * s[0]):
        return None
    n = U[:, 0] * (1.0 if U[np.abs(U[:, 0]).argmax(), 0] > 0.0 else -1.0)
    # base axes as they are, where they serve
    first = np.eye(3)[np.abs(n).argmin()]
    if abs(n[2]) > 1.0 - 1e-12:
        first = np.eye(3)[0]
    e1 = first - n * (n @ first)
    e1 /= np.linalg.norm(e1)
    return np.array([e1, np.cross(n, e1), n])


def _fixed_point(T: np.ndarray, able: list[np.ndarray]) -> np.ndarray | None:
    """The point of the platform that no motion moves: ``v + w x R c = 0`` for every twist."""
    rows, right = [], []
    for pose, V in zip(T, able, strict=True):
        for twist in V.T:
            rows.append(skew(twist[None, 3:])[0] @ pose[:3, :3])
            right.append(-twist[:3])
    if not rows:
        return None
    A, b = np.vstack(rows), np.concatenate(right)
    c, _, rank, _ = np.linalg.lstsq(A, b, rcond=_SAME)
    return np.asarray(c) if rank == 3 and np.abs(A @ c - b).max() < _LEAVES else None


def rotation_between(R: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """Rotation vectors ``(N, 3)`` that take orientations ``R (N, 3, 3)`` to ``goal``, base axes."""
    return logs(goal @ R.transpose(0, 2, 1))
