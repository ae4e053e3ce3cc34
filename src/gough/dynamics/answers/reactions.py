"""The wrench in every joint, from Newton and Euler for every body.

Each body is cut free: what its joints exert on it, loads, gravity and inertia are in balance.  What
a joint transmits along its own axes is known (motor less friction, rotor and spring); the rest is
unknown, and where the robot is over-constrained not unique: then the smallest is taken and marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from gough import screw
from gough.base.arguments import one_of
from gough.base.batch import OnError, as_array, check_finite, map_states, state_arguments
from gough.base.result import Result
from gough.base.spatial import cross
from gough.dynamics.answers.worst import Worst, worst_reactions
from gough.dynamics.methods import METHODS
from gough.dynamics.screws.dynamics import slot_efforts, wrenches
from gough.dynamics.screws.kinematics import ScrewState
from gough.dynamics.shared.load_arguments import LoadArguments
from gough.dynamics.shared.loads import Loads
from gough.dynamics.shared.sharing import Share, Sharing, check_motors
from gough.dynamics.shared.state_loads import StateLoads
from gough.errors import InputError
from gough.geometry.turns import springs_count
from gough.kinematics.inverse import moving
from gough.kinematics.motion import Kinematics
from gough.kinematics.regularity import check_motors_hold
from gough.kinematics.single import settled
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.robot import Joint, Robot
from gough.robot.names import check_known

FrameName = Literal["parent", "child"]

UNIQUE = 1e-7
"""A component that internal wrenches of unit size change by less is unique: it is rounding."""
RANK = 1e-7
"""Singular values of the balance below this share of the largest count as zero.

Loops closed to 1e-11 leave less than that of a redundant row.
"""
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
    """

    joints: tuple[str, ...]
    wrench: np.ndarray
    unique: np.ndarray
    ground: np.ndarray
    frozen: np.ndarray
    frame: FrameName

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


def reactions(
    robot: Robot,
    T_0p: Any,
    V_0p: Any,
    Vdot_0p: Any,
    *,
    tau: Any = None,
    frame: FrameName = "parent",
    loads: Loads | None = None,
    share: Share | None = None,
    on_error: OnError = "raise",
) -> Reactions:
    """Wrench in every joint of the robot, passive ones included, in a motion.

    Args:
        robot: the machine.
        T_0p: platform pose ``(..., 4, 4)``.
        V_0p: platform twist, base axes ``(..., 6)``.
        Vdot_0p: its plain time derivative ``(..., 6)``.
        tau: motor efforts ``(..., n)`` [N or N m] that produce the motion; computed if not given.
        frame: the joint's frame that wrenches are given in, on its ``"parent"`` or ``"child"``.
        loads: :class:`gough.Loads`, as in :func:`gough.inverse_dynamics`.
        share: how more motors than freedoms share the work.
        on_error: ``"raise"``, or ``"nan"`` in the samples that are refused.

    Returns:
        A :class:`Reactions`.

    Raises:
        InputError: ``tau`` does not produce the motion.
    """
    assembly = assembled(robot)
    one_of(frame, "frame", ("parent", "child"))
    loading = LoadArguments(assembly, loads)
    state = state_arguments(T_0p=T_0p, V_0p=V_0p, Vdot_0p=Vdot_0p)
    arguments = state | loading.arguments
    if tau is None:
        check_motors(assembly, share)
        sharing = None if share is None else Sharing(assembly, share)
    elif share is not None:
        raise InputError(
            "share says how efforts are found, tau gives them",
            hint="Leave one out.",
            argument="tau",
        )
    else:
        arguments["tau"] = (as_array(tau, (len(robot.motors),), "tau"), 1)

    def one(T: np.ndarray, V: np.ndarray, Vdot: np.ndarray, *rest: np.ndarray) -> tuple[Any, ...]:
        acting = loading.at(rest[: len(loading.arguments)]).during(V, assembly.length)
        kin = moving(assembly, T, V, Vdot, turns=springs_count(assembly))
        if tau is None:
            check_motors_hold(assembly, kin.solution.J_inv, kin.solution.Psi)
            efforts = METHODS["legs"].efforts(kin, acting, share=sharing)
        else:
            efforts = rest[-1]
            check_finite(efforts, "tau")
        return _one(assembly, kin, np.asarray(efforts), acting, frame)

    count, held = len(robot.joints), len(assembly.idle)
    shapes = ((count, 6), (count, 6), (6,), (held,))
    found = map_states(one, settled(assembly, arguments), shapes, on_error)
    wrench, unique, ground, frozen = found
    names = tuple(joint.name for joint in robot.joints)
    return Reactions(names, wrench, unique == 1.0, ground, frozen, frame)


class _Block(NamedTuple):
    """Unknowns of one joint or lock in the balance of all bodies.

    Attributes:
        ends: bodies acted on, with the sign.
        point: where they act, base axes [m].
        basis: wrench ``[f; n]`` per unknown, base axes, at the point, 6xk.
        known: the part of the wrench that is known.
    """

    ends: tuple[tuple[str, float], ...]
    point: np.ndarray
    basis: np.ndarray
    known: np.ndarray


def _one(
    assembly: Assembly, kin: Kinematics, tau: np.ndarray, loads: StateLoads, frame: FrameName
) -> tuple[np.ndarray, ...]:
    robot, state = assembly.robot, ScrewState(kin)
    along = np.zeros(state.graph.rates)  # by the place of a rate
    for i, taken in slot_efforts(state, state.accelerations, loads).items():
        along[i] = -taken
    for name, effort in zip(robot.motors, tau, strict=True):
        along[state.graph.slots[name][0]] += effort
    blocks = [*_joint_blocks(state, along), *_held_blocks(state)]

    bodies = [body.name for body in robot.bodies]
    unit = 1.0 / assembly.scales.wrench
    right = np.zeros((len(bodies), 6))
    size = 0.0
    for body, point, F in wrenches(state, state.accelerations, loads):
        moved = _about(F, point, state.poses[body].p) * unit
        right[bodies.index(body)] -= moved
        size = max(size, float(np.abs(moved).max()))
    columns = []
    for block in blocks:
        column = np.zeros((len(bodies), 6, block.basis.shape[1]))
        for body, sign in block.ends:
            if body == robot.base:
                continue
            i, p = bodies.index(body), state.poses[body].p
            column[i] += sign * unit[:, None] * _about(block.basis, block.point, p)
            right[i] -= sign * unit * _about(block.known, block.point, p)
        size = max(size, float(np.abs(block.known * unit).max(initial=0.0)))
        columns.append(column.reshape(6 * len(bodies), -1))
    A, b = np.hstack(columns), right.reshape(-1)
    U, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = int((s > RANK * s[0]).sum()) if len(s) else 0
    x = Vt[:rank].T @ ((U[:, :rank].T @ b) / s[:rank])
    _check_balance(robot, float(np.abs(A @ x - b).max(initial=0.0)), size)
    return _answers(state, blocks, x, Vt[rank:].T, frame)


def _joint_blocks(state: ScrewState, along: np.ndarray) -> Iterator[_Block]:
    """Every joint: its constraint wrenches, and what it is known to transmit along its axes."""
    scale = state.assembly.scales.wrench
    for joint in state.graph.robot.joints:
        point = state.at.frames(joint)[1].p
        S, slots = _freedoms(state, joint, point)
        if joint.name in state.assembly.topology.locked:
            S, slots = S[:0], []  # it bears what would move it
        constraints = np.linalg.svd(S)[2][len(slots) :].T if slots else np.eye(6)
        known = np.linalg.lstsq(S, along[slots], rcond=None)[0] if slots else np.zeros(6)
        ends = ((joint.child, 1.0), (joint.parent, -1.0))
        yield _Block(ends, point, constraints * scale[:, None], known * scale)


def _freedoms(state: ScrewState, joint: Joint, point: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Twists of a joint's axes as rows, natural units, and the places of their rates."""
    axes = [
        screw.to_twist(s, np.zeros(3))
        for axis in state.joint_axes(joint, point)
        for s in axis.screws
    ]
    slots = [i for name in joint.axis_names for i in state.graph.slots[name]]
    return np.array(axes).reshape(-1, 6) * state.assembly.scales.wrench, slots


def _held_blocks(state: ScrewState) -> Iterator[_Block]:
    """Unknown moments (or forces) that hold idle freedoms still, as all models assume."""
    for tree, placed, lock in state.at.held:
        if lock.axis is not None:  # a body that does not spin about its own axis
            axis = placed[lock.link].R @ lock.axis
            wrench = np.concatenate([np.zeros(3), axis])
            body = tree.body_on(lock.link)
            yield _Block(((body, 1.0),), state.poses[body].p, wrench[:, None], np.zeros(6))
            continue
        joint = state.graph.robot.joint(tree.links[tree.link_of(lock.column)].joint)
        if joint.name in state.assembly.topology.locked:
            continue
        point = state.at.frames(joint)[1].p
        S, slots = _freedoms(state, joint, point)
        chains = state.parts[state.place(slots[0])[0]]
        row = np.asarray(chains.lock_row(tree, placed, lock))
        own = row[[chains.part.places[i] for i in slots]]
        wrench = np.linalg.lstsq(S, own, rcond=None)[0] * state.assembly.scales.wrench
        ends = ((joint.child, 1.0), (joint.parent, -1.0))
        yield _Block(ends, point, wrench[:, None], np.zeros(6))


def _about(wrench: np.ndarray, here: np.ndarray, there: np.ndarray) -> np.ndarray:
    """A wrench, or each column of wrenches, taken about another point."""
    f, n = wrench[:3], wrench[3:]
    return np.concatenate([f, n + cross(here - there, f)])


def _check_balance(robot: Robot, unbalanced: float, size: float) -> None:
    if unbalanced > BALANCE * max(size, 1e-300):
        raise InputError(
            f"{robot.name}: the efforts do not produce this motion: bodies are out of balance by "
            f"{unbalanced / size:.2g} of the largest force on them",
            hint="Give the efforts of gough.inverse_dynamics with the same loads, or leave tau "
            "out; for the motion under given efforts ask gough.direct_dynamics first.",
            argument="tau",
        )


def _answers(
    state: ScrewState,
    blocks: Sequence[_Block],
    x: np.ndarray,
    internal: np.ndarray,
    frame: FrameName,
) -> tuple[np.ndarray, ...]:
    """Wrenches in joint frames, which components are unique, the ground's wrench, held ones."""
    robot = state.graph.robot
    natural = 1.0 / state.assembly.scales.wrench
    wrenches, unique, ground, start = [], [], np.zeros(6), 0
    for joint, block in zip(robot.joints, blocks, strict=False):
        own = slice(start, start + block.basis.shape[1])
        start = own.stop
        W = block.known + block.basis @ x[own]
        A, B = state.at.frames(joint)
        at = A if frame == "parent" else B
        wrenches.append(_seen(W, block.point, at))
        free = _seen(block.basis @ internal[own], block.point, at) * natural[:, None]
        unique.append(np.linalg.norm(free, axis=1) < UNIQUE)
        for body, sign in block.ends:
            if body == robot.base:
                ground = ground - sign * _about(W, block.point, np.zeros(3))
    return np.array(wrenches), np.array(unique, dtype=float), ground, x[start:]


def _seen(wrench: np.ndarray, point: np.ndarray, at: Pose) -> np.ndarray:
    """A wrench, or each column, about the origin and in the axes of a frame."""
    moved = _about(wrench, point, at.p)
    return np.concatenate([at.R.T @ moved[:3], at.R.T @ moved[3:]])
