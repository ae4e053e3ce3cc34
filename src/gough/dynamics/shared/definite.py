"""Whether every motion of the platform has inertia, so that efforts determine accelerations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from gough.base import english as words
from gough.base.conditions import Condition, Tolerances
from gough.base.linalg import Symmetric
from gough.base.spatial import Array, total
from gough.errors import SingularInertia
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import DEFINITE, orthonormal
from gough.robot import Robot

SHARE = 1e-13
"""Least inertia of a freedom beside the largest, natural units: rounding leaves 1e-16 of it."""


def natural_inertia(assembly: Assembly) -> float:
    """Mass of all bodies times the characteristic length squared [kg m^2]: a scale of inertias."""
    return float(sum(body.mass for body in assembly.robot.bodies) * assembly.length**2)


def smallest_inertia(assembly: Assembly, Psi: Array, M_rob: Any) -> np.ndarray:
    """Smallest eigenvalues of inertia matrices, their diagonals scaled to one; 1 without freedoms.

    Args:
        assembly: the robot.
        Psi: platform twist by freedoms ``(..., 6, n)``.
        M_rob: inertia matrix in the freedoms ``(..., n, n)``.
    """
    return _softest(assembly, Psi, M_rob)[0]


def motion_without_inertia(assembly: Assembly, solution: Solution, M_rob: Any) -> np.ndarray | None:
    """Rates V_r of a motion without inertia; ``None`` if every motion has inertia."""
    smallest, V_r = _softest(assembly, solution.Psi, M_rob)
    return None if smallest >= DEFINITE else V_r


def _softest(assembly: Assembly, Psi: Array, M_rob: Any) -> tuple[np.ndarray, np.ndarray]:
    """The smallest eigenvalue and its motion, ``V_r``, at one state or at many.

    In orthonormal twists, natural units, so that it does not matter which components of the twist
    are the freedoms.  The diagonal is scaled to one: a small platform on a large machine is fine;
    but inertia that is rounding beside the largest counts as zero.
    """
    rates, scales = orthonormal(assembly.scales, Psi), assembly.scales.freedoms
    M = rates.mT @ (np.asarray(M_rob, dtype=float) * np.outer(scales, scales)) @ rates
    own = np.diagonal(M, axis1=-2, axis2=-1)
    if not own.shape[-1]:
        return np.ones(own.shape[:-1]), np.zeros(own.shape)
    largest = np.maximum(own.max(axis=-1), natural_inertia(assembly))
    massless = (largest <= 0.0) | (own.min(axis=-1) < SHARE * largest)
    roots = np.sqrt(np.where(massless[..., None], 1.0, own))
    values, vectors = np.linalg.eigh(M / (roots[..., :, None] * roots[..., None, :]))
    found = (rates @ (vectors[..., 0] / roots)[..., None])[..., 0]
    found = found / np.abs(found).max(axis=-1, keepdims=True)
    least = np.expand_dims(np.argmin(own, axis=-1), (-2, -1))
    alone = np.take_along_axis(rates, least, axis=-1)[..., 0]
    softest = np.where(massless[..., None], alone, found) * scales
    return np.where(massless, 0.0, values[..., 0]), softest


@dataclass(frozen=True)
class Definite(Condition):
    """Every motion has inertia: numbers are judged before the matrix is factored."""

    matrix: Array
    regular = True

    @cached_property
    def factor(self) -> Symmetric:
        """The matrix, factored."""
        return Symmetric(self.matrix)

    def beside(self) -> Iterable[tuple[Array, Array]]:
        """Each entry of the diagonal, and the inertia beside which it must not be nothing."""
        raise NotImplementedError

    def share(self, accept: Tolerances) -> Array:
        """1 for each coordinate, or for a motion of several, that may have none.

        With its diagonal scaled to one, the smallest eigenvalue of a positive definite matrix is at
        least a third of its determinant, which is the product of the pivots over the diagonal.
        """
        factor = self.factor
        share = total(1.0 - (whole * accept.share < entry) for entry, whole in self.beside())
        flat = prod(factor.diagonal, start=1.0) * accept.definite < prod(factor.pivots)
        return share + (1.0 - flat)


@dataclass(frozen=True)
class FreedomInertia(Definite):
    """Every motion of the robot's freedoms has inertia."""

    kin: Kinematics

    def refuse(self) -> None:
        """Refuse a motion of the platform without inertia."""
        check_definite(self.kin, self.matrix)

    def beside(self) -> Iterable[tuple[Array, Array]]:
        """Beside that of all of them, natural units."""
        assembly = self.kin.assembly
        scales = assembly.scales.freedoms**2
        own = [x * float(s) for x, s in zip(self.factor.diagonal, scales, strict=True)]
        whole = total(own, natural_inertia(assembly))
        return ((entry, whole) for entry in own)


@dataclass(frozen=True)
class CoordinateInertia(Definite):
    """Every combination of coordinates has inertia.

    Attributes:
        robot: the machine.
        names: of the coordinates.
        natural: scales of their inertias, of which rounding leaves a share.
    """

    robot: Robot
    names: Sequence[str]
    natural: np.ndarray

    def refuse(self) -> None:
        """Refuse a coordinate that moves without inertia."""
        check_all_inertia(self.robot, self.matrix, self.names, self.natural)

    def beside(self) -> Iterable[tuple[Array, Array]]:
        """Beside its own scale."""
        return zip(self.factor.diagonal, map(float, self.natural), strict=True)


@dataclass(frozen=True)
class HasMass(Condition):
    """A body of the machine has mass: otherwise there is no centre of mass."""

    robot: Robot
    mass: Array
    regular = True

    def refuse(self) -> None:
        """Refuse a machine without mass."""
        if not self.mass > 0.0:
            raise SingularInertia(
                f"{self.robot.name}: no body has mass, so there is no centre of mass",
                hint="Give its bodies 'mass' and 'center', or a payload.",
            )

    def share(self, accept: Tolerances) -> Array:
        """1 where it has none."""
        return 1.0 - 1.0 * (self.mass > 0.0)


def freedom_accelerations(kin: Kinematics, M_rob: Array, w_r: Array) -> Array:
    """``Vdot_r`` with ``M_rob Vdot_r = w_r``, where every motion has inertia.  [BK] (20)."""
    return kin.rules.require(FreedomInertia(M_rob, kin)).factor.solve(w_r)


def check_definite(kin: Kinematics, M_rob: Array) -> None:
    """Refuse forward dynamics where the platform can move without inertia.

    Raises:
        SingularInertia: says along which motion, and which bodies have no inertia.
    """
    assembly, solution = kin.assembly, kin.solution
    V_r = motion_without_inertia(assembly, solution, M_rob)
    if V_r is None:
        return
    motion, names = described(assembly, solution, V_r)
    raise SingularInertia(
        f"{assembly.robot.name}: nothing has inertia when the platform is to {motion}: efforts do "
        "not determine its acceleration",
        hint=without_inertia(names),
        motion=V_r,
        bodies=names,
    )


def check_all_inertia(robot: Robot, M: Array, names: Sequence[str], natural: np.ndarray) -> None:
    """Refuse forward dynamics where a combination of coordinates has no inertia.

    Args:
        robot: the machine.
        M: inertia matrix in the coordinates, of numbers.
        names: of the coordinates.
        natural: scales of their inertias, of which rounding leaves a share.

    Raises:
        SingularInertia: names the coordinate that moves most without inertia.
    """
    matrix = np.asarray(M, dtype=float)
    own = np.diag(matrix)
    softest = np.asarray(own <= SHARE * natural, dtype=float)
    if not softest.any():
        roots = np.sqrt(own)
        values, vectors = np.linalg.eigh(matrix / np.outer(roots, roots))
        if values[0] >= DEFINITE:
            return
        softest = vectors[:, 0] / roots
    bodies = tuple(b.name for b in robot.bodies if b.massless or not np.any(b.inertia))
    raise SingularInertia(
        f"{robot.name}: nothing has inertia when {names[int(np.argmax(np.abs(softest)))]} moves: "
        "efforts do not determine its acceleration",
        hint=without_inertia(bodies),
        motion=softest,
        bodies=bodies,
    )


def described(
    assembly: Assembly, solution: Solution, V_r: np.ndarray
) -> tuple[str, tuple[str, ...]]:
    """A motion of the platform in words, and the bodies that have no moment of inertia."""
    V = np.asarray(solution.Psi @ V_r, dtype=float)
    origin = np.asarray(solution.equations.platform.p, dtype=float)
    bodies = assembly.robot.bodies
    names = tuple(b.name for b in bodies if b.massless or not np.any(b.inertia))
    return words.motion(V, origin, assembly.length), names


def without_inertia(names: tuple[str, ...]) -> str:
    """What to do about bodies without a moment of inertia."""
    if not names:
        return "Give the bodies that move in it mass and inertia."
    listed = words.quoted(names[:6]) + (" and others" if len(names) > 6 else "")
    return (
        f"{listed} {'has' if len(names) == 1 else 'have'} no moment of inertia; without the key "
        "'inertia' a body is a point mass. Give the platform or a link its own."
    )
