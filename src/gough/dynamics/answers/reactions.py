"""The wrench in every joint, from Newton and Euler for every body.

Each body is cut free: what its joints exert on it, loads, gravity and inertia are in balance.  What
a joint transmits along its own axes is known (motor less friction, rotor and spring); the rest is
unknown, and where the robot is over-constrained not unique: then the smallest is taken and marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gough.base.arguments import check_known
from gough.base.conditions import Condition, Tolerances, share_of, sum_of_sizes
from gough.base.result import Result
from gough.base.spatial import Array, collect, total
from gough.dynamics.answers.free_bodies import (
    Balanced,
    Found,
    FreeBodies,
    coupling_units,
    fixed_pivots,
    transmitted_along,
    wrenches_taken,
)
from gough.dynamics.answers.joint_wrenches import JointAt
from gough.dynamics.answers.worst import Worst, worst_reactions
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
from gough.kinematics.motion import Kinematics
from gough.robot import Robot

FrameName = Literal["parent", "child"]

UNIQUE = 1e-7
"""A component that internal wrenches of unit size change by less is unique: it is rounding."""
BALANCE = 1e-6
"""Largest unbalanced wrench, relative, before efforts are said not to produce the motion.

Efforts given by a user with seven digits pass; those of another motion do not.
"""


@dataclass(frozen=True, eq=False)
class Reactions(Result):
    """What every joint transmits, at one state or at each of a batch.

    Attributes:
        joints: their names, in the order of ``robot.joints``.
        wrench: ``[f; n]`` [N, N m] that the parent exerts on the child, about the origin and in
            the axes of the joint's frame on the parent, or on the child, ``(..., joints, 6)``.
            Efforts of motors, friction, rotors and springs along the axes are part of it.
        unique: components that are determined, ``(..., joints, 6)``.  The others depend on
            clearances and stiffness; of them the smallest are given (forces, and moments about the
            child's frame divided by the robot's length).
        ground: wrench that the base exerts on the robot, at the base's origin ``(..., 6)``.
        frozen: moments that idle freedoms need to stay frozen, as all of gough has them [N m, or
            N], one each ``(..., k)``: zero for bars of revolution without friction in their balls.
            No joint carries them; where they are not small, neither are the errors.
        frame: ``"parent"`` or ``"child"``.
        couplings: effort of each coupling, in the order of ``robot.couplings``, ``(..., k)``: times
            its coefficient it acts along an axis [N m or N], from the joint's parent on its child,
            and is part of ``wrench`` there.
    """

    joints: tuple[str, ...]
    wrench: np.ndarray
    unique: np.ndarray
    ground: np.ndarray
    frozen: np.ndarray
    frame: FrameName
    couplings: np.ndarray

    def __getitem__(self, joint: str) -> np.ndarray:
        """Wrench in one joint ``(..., 6)``."""
        return np.asarray(self.wrench[..., self._index(joint), :])

    def is_unique(self, joint: str) -> np.ndarray:
        """Whether all of a joint's wrench is determined ``(...,)``."""
        return np.asarray(self.unique[..., self._index(joint), :].all(axis=-1))

    def worst(self) -> Worst:
        """Largest forces and moments of every joint over all samples, and where they occur."""
        return worst_reactions(self.joints, self.wrench, self.unique)

    def columns(self) -> dict[str, np.ndarray]:
        """One row a joint, state after state: force [N], moment [N m], whether it is determined."""
        rows = self.wrench.reshape(-1, 6)
        names = np.resize(np.array(self.joints, dtype=object), len(rows))
        parts = dict(zip(("fx", "fy", "fz", "nx", "ny", "nz"), rows.T, strict=True))
        known = np.asarray(self.unique.reshape(-1, 6).all(axis=1))
        return {"joint": names, **parts, "unique": known}

    def _index(self, joint: str) -> int:
        check_known(joint, self.joints, "no joint", "joint")
        return self.joints.index(joint)


class Transmitted(NamedTuple):
    """What joints transmit in a state, and what may be wrong with it.

    Attributes:
        wrench: of every joint, in one of its frames ``(joints, 6)`` [N, N m].
        unique: 1 where a component is determined, else 0 ``(joints, 6)``.
        ground: wrench that the base exerts on the robot, at its origin ``(6,)``.
        frozen: what holds idle freedoms still [N m, or N].
        couplings: efforts of couplings.
        acting: wrenches that act on bodies, natural units.
        found: the solution of the balance.
    """

    wrench: Array
    unique: Array
    ground: Array
    frozen: Array
    couplings: Array
    acting: list[Array]
    found: Found


def transmitted(kin: Kinematics, tau: Array, loads: StateLoads, frame: FrameName) -> Transmitted:
    """Wrenches in all joints, from Newton and Euler for every body: numbers or symbols.

    Args:
        kin: the robot in motion.
        tau: motor efforts that produce the motion.
        loads: what acts, at the speed of the motion.
        frame: the joint's frame that wrenches are given in.
    """
    assembly, free = kin.assembly, FreeBodies(kin.assembly, kin.solution.equations)
    along = transmitted_along(kin, tau, loads)
    locked, taken = assembly.topology.locked, wrenches_taken(kin, loads)
    known = [
        np.zeros(6) if each.joint.name in locked else each.transmitted(along)
        for each in free.joints
    ]
    applied = [free.applied(each, W) for each, W in zip(free.joints, known, strict=True)]
    right = np.concatenate(
        [
            total((-each[body] for each in applied if body in each), taken[body])
            for body in free.bodies
        ]
    )
    found = free.solved(right, kin.rules.known(lambda: fixed_pivots(assembly)), kin.rules)
    units, base = assembly.scales.wrench, assembly.robot.base
    wrenches, unique, ground = [], [], np.zeros(6)
    for k, (each, W) in enumerate(zip(free.joints, known, strict=True)):
        W = W + free.borne(k, found.x)
        wrenches.append(_seen(each, W, frame) * units)
        unique.append(_unique([_seen(each, free.borne(k, q), frame) for q in found.internal]))
        if each.parent.body == base:
            ground = ground + each.on_parent(W) * units
        if each.child.body == base:
            ground = ground - each.on_child(W) * units
    first = sum(part.basis.shape[1] for part in free.unknowns[: len(free.joints)])
    last = first + len(free.coupled)
    return Transmitted(
        collect(wrenches),
        collect(unique),
        ground,
        found.x[last:],
        found.x[first:last] * np.array(coupling_units(assembly)),
        [*taken.values(), *known],
        found,
    )


def _seen(joint: JointAt, wrench: Array, frame: FrameName) -> Array:
    return joint.seen_from_parent(wrench) if frame == "parent" else wrench


def _unique(internal: list[Array]) -> Array:
    """1 for each component of a joint that no internal wrench changes, else 0."""
    if not internal:
        return np.ones(6)
    return collect(
        [1.0 * (np.sqrt(total(W[i] * W[i] for W in internal)) < UNIQUE) for i in range(6)]
    )


@dataclass(frozen=True)
class BodiesInBalance(Condition):
    """Efforts produce the motion, and rows that are taken for redundant are."""

    robot: Robot
    result: Balanced

    def refuse(self) -> None:
        """Refuse efforts that do not produce the motion."""
        check_balance(self.robot, self.result)

    def share(self, accept: Tolerances) -> Array:
        """Square of what is out of balance beside what acts, and what is not redundant after all.

        Numbers measure by the largest component that acts, which is no less than their mean.
        """
        entries = [x for W in self.result.acting for x in W]
        square = total(x * x for x in entries) * (1.0 / max(len(entries), 1))
        off = sum_of_sizes(self.result.found.unbalanced)
        return share_of(off, square, accept) + sum_of_sizes(self.result.found.spare, accept.spare)


def check_balance(robot: Robot, result: Balanced) -> None:
    """Refuse efforts that do not produce the motion."""
    unbalanced = float(np.abs(result.found.unbalanced).max(initial=0.0))
    size = max((float(np.abs(W).max()) for W in result.acting), default=0.0)
    if unbalanced > BALANCE * max(size, 1e-300):
        raise InputError(
            f"{robot.name}: the efforts do not produce this motion: bodies are out of balance by "
            f"{unbalanced / size:.2g} of the largest force on them",
            hint="Give the efforts of gough.inverse_dynamics with the same loads, or leave tau "
            "out; for the motion under given efforts ask gough.forward_dynamics first.",
            argument="tau",
        )
