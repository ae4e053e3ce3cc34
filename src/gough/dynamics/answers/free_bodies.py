"""Newton and Euler for every body cut free: one linear system for what the joints bear.

Rows are the balance of each body, in the axes and about the origin of the link that carries it;
columns are the wrenches that each joint can bear, efforts of couplings along the axes that they
relate, and the moments that hold idle freedoms.  All in natural units: forces [N], and moments
divided by the robot's length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from gough.base.conditions import NUMBERS, LargePivots, Refusing
from gough.base.linalg import Factor, Plan, choose_plan, orthonormal
from gough.base.once import known_of
from gough.base.spatial import Array, collect, total
from gough.dynamics.answers.joint_wrenches import JointAt, joints_at
from gough.dynamics.shared.axes import axis_efforts
from gough.dynamics.shared.masses import Mass, with_body
from gough.dynamics.shared.newton_euler import body_wrench
from gough.dynamics.shared.state_loads import StateLoads
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.couplings import row_scale
from gough.mechanism.closure.drags import Drag
from gough.mechanism.closure.equations import BASE, Equations
from gough.mechanism.closure.locks import Lock
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly, assembled
from gough.mechanism.topology.tree import ROOT, Tree
from gough.robot.joint_kinds import BALL, PLANE, SLIDE
from gough.robot.names import joint_of

RANK = 1e-7
"""Singular values of the balance below this share of the largest count as zero.

Loops closed to 1e-11 leave less than that of a redundant row.
"""


class Unknowns(NamedTuple):
    """What a joint, a coupling or a held freedom may exert.

    Attributes:
        basis: wrenches about the joint's frame B, 6xk; of a spin that is held on its body's link;
            none of a coupling, which acts in several joints.
        on: wrench on each body per unknown, 6xk, its sign included.
    """

    basis: Array
    on: dict[str, Array]


class Found(NamedTuple):
    """A solution of the balance.

    Attributes:
        x: unknowns that balance the bodies ``(n,)``, or columns of them.
        internal: unknowns that balance each other, each ``(n,)``.
        unbalanced: what is left over, natural units.
        spare: what internal unknowns leave in rows that were taken to be redundant.
    """

    x: Array
    internal: list[Array]
    unbalanced: list[Any]
    spare: list[Any]


class Balanced(Protocol):
    """Bodies in balance: what acts on them, natural units, and what balances it."""

    @property
    def acting(self) -> list[Array]:
        """Wrenches that act on bodies, natural units."""

    @property
    def found(self) -> Found:
        """The solution of the balance."""


@dataclass(frozen=True, eq=False)
class FreeBodies:
    """The bodies of a robot cut free in a pose.

    Attributes:
        assembly: the robot.
        at: its closure equations.
    """

    assembly: Assembly
    at: Equations

    @cached_property
    def bodies(self) -> list[str]:
        """Bodies that move, in the order of their rows."""
        return [body.name for body in self.assembly.robot.bodies]

    @cached_property
    def joints(self) -> list[JointAt]:
        """All joints, in the order of the description."""
        return joints_at(self.assembly, self.at)

    @cached_property
    def unknowns(self) -> list[Unknowns]:
        """What every joint bears, then what couplings do, then what holds idle freedoms still."""
        found = []
        for each in self.joints:
            locked = each.joint.name in self.assembly.topology.locked
            bears = np.eye(6) if locked else each.constraints()  # it bears what would move it
            found.append(Unknowns(bears, self.applied(each, bears)))
        found += [self._coupled(each) for each in self.coupled]
        return found + [held for lock in self.at.held for held in self._held(*lock)]

    @cached_property
    def coupled(self) -> list[dict[str, Array]]:
        """Of every coupling, the wrench that its unit effort makes a joint transmit, by joint.

        An effort ``e`` of a coupling acts along each of its axes with ``coefficient * e``.
        """
        found = []
        for coupling, unit in zip(
            self.assembly.robot.couplings, coupling_units(self.assembly), strict=True
        ):
            own: dict[str, Array] = {}
            for name, coefficient in coupling.axes.items():
                each = self._joint(joint_of(name))
                wrench = each.transmitted({name: coefficient * unit})
                own[each.joint.name] = own.get(each.joint.name, 0.0) + wrench
            found.append(own)
        return found

    def _coupled(self, wrenches: dict[str, Array]) -> Unknowns:
        on: dict[str, Array] = {}
        for name, wrench in wrenches.items():
            for body, part in self.applied(self._joint(name), wrench[:, None]).items():
                on[body] = on[body] + part if body in on else part
        return Unknowns(np.zeros((6, 1)), on)

    def _joint(self, name: str) -> JointAt:
        return next(each for each in self.joints if each.joint.name == name)

    def borne(self, joint: int, x: Array) -> Array:
        """The wrench that unknowns make a joint transmit, by its number."""
        counts = [part.basis.shape[1] for part in self.unknowns]
        start, name = sum(counts[:joint]), self.joints[joint].joint.name
        found = self.unknowns[joint].basis @ x[start : start + counts[joint]]
        for k, own in enumerate(self.coupled, start=sum(counts[: len(self.joints)])):
            if name in own:
                found = found + own[name] * x[k]
        return found

    def applied(self, joint: JointAt, wrench: Array) -> dict[str, Array]:
        """A wrench of a joint, or each column, on the bodies that it connects."""
        ends = {joint.child.body: joint.on_child, joint.parent.body: joint.on_parent}
        signs = {joint.child.body: 1.0, joint.parent.body: -1.0}
        base = self.assembly.robot.base
        return {body: on(wrench) * signs[body] for body, on in ends.items() if body != base}

    def _held(self, tree: Tree, placed: list[Pose], lock: Lock) -> list[Unknowns]:
        """An unknown moment [N m] or force [N] that holds a freedom still, as all models assume."""
        if lock.axis is not None:  # a body that does not spin about its own axis
            if lock.through:
                return [self._dragged(tree, lock)]
            spin = np.concatenate([np.zeros(3), lock.axis / self.assembly.length])[:, None]
            on = {tree.body_on(lock.link): spin}
            x = placed[lock.link].R @ lock.axis / self.assembly.length
            for body in lock.beside:  # what drags it along feels as much of it
                if body != self.assembly.robot.base:
                    moment = -(self._axes_of(body).T @ x) * lock.share
                    more = np.concatenate([np.zeros(3), moment])[:, None]
                    on[body] = on[body] + more if body in on else more
            return [Unknowns(spin, on)]
        k = tree.link_of(lock.column)
        link, place = tree.links[k], lock.column - tree.columns[k].start
        if link.joint in self.assembly.topology.locked:
            return []
        each = self._joint(link.joint)
        effort: Array = 1.0
        if link.move == BALL:  # about an axis of its link, which is A or B
            effort = each.pose.R[place] if link.transposed else np.eye(3)[place]
        elif (
            link.move == SLIDE
            and self.assembly.axes[each.joint.axis_names[link.axis]].what == PLANE
        ):
            effort = np.eye(2)[tree.place_in_axis(k)]
        wrench = each.transmitted({each.joint.axis_names[link.axis]: effort})[:, None]
        return [Unknowns(wrench, self.applied(each, wrench))]

    def _dragged(self, tree: Tree, lock: Lock) -> Unknowns:
        """A moment that drags a body along, through hinges: efforts in all of them together.

        They do the work of the row: the rates of the hinges in the spin, a share each.
        """
        drag = Drag(self.at, self.assembly.topology.trees.index(tree) - 1, lock)
        on: dict[str, Array] = {}

        def add(body: str, wrench: Array) -> None:
            if body != self.assembly.robot.base:
                on[body] = on[body] + wrench if body in on else wrench

        for (body, y), row in zip(drag.pulls, drag.hinges, strict=True):
            if row is None:  # one joint
                for end, way in ((drag.body, 1.0), (body, -1.0)):
                    moment = (self._axes_of(end).T @ y) * (way / self.assembly.length)
                    add(end, np.concatenate([np.zeros(3), moment])[:, None])
                continue
            for pivot, rate in zip(row.pivots, row.rates, strict=True):
                if pivot.drags:
                    each = self._joint(joint_of(pivot.axis))
                    wrench = each.transmitted({pivot.axis: rate * drag.share})[:, None]
                    for end, part in self.applied(each, wrench).items():
                        add(end, part)
        return Unknowns(np.zeros((6, 1)), on)

    def _axes_of(self, body: str) -> Array:
        """Rotation of the link that carries a body, which its balance is written in."""
        topology, at = self.assembly.topology, self.at
        places = (at.hub_placed, *at.leg_placed)
        for tree, placed in zip(topology.trees, places, strict=True):
            if body in tree.bodies and (link := tree.bodies[body].link) != ROOT:
                return placed[link].R
        return at.platform.R

    @cached_property
    def matrix(self) -> Array:
        """Balance of all bodies by the unknowns."""
        rows = []
        for body in self.bodies:
            own = [
                part.on[body] if body in part.on else np.zeros((6, part.basis.shape[1]))
                for part in self.unknowns
            ]
            rows.append(np.concatenate(own, axis=1))
        return np.concatenate(rows, axis=0)

    @property
    def parts(self) -> list[list[int]]:
        """Unknowns of joints within the hub, and within each leg, where loops may close."""
        topology, robot = self.assembly.topology, self.assembly.robot
        inside = [{*tree.bodies} for tree in topology.trees]
        found: list[list[int]] = [[] for _ in inside]
        start = 0
        for joint, unknowns in zip(robot.joints, self.unknowns, strict=False):
            stop = start + unknowns.basis.shape[1]
            for bodies, own in zip(inside, found, strict=True):
                if {joint.parent, joint.child} <= bodies:
                    own += range(start, stop)
            start = stop
        return found

    def solved(self, right: Array, pivots: Pivots | None, rules: Refusing = NUMBERS) -> Found:
        """The smallest unknowns for a right side; by pivots fixed beforehand if they are given."""
        found = self.balanced(right, pivots, rules)
        if pivots is None:
            return found
        x, internal = found.x, orthonormal(found.internal)
        for q in internal:
            x = x - q * (q @ x)
        return found._replace(x=x, internal=internal)

    def balanced(self, right: Array, pivots: Pivots | None, rules: Refusing = NUMBERS) -> Found:
        """Unknowns for a right side, or for each of its columns; internal ones of any size."""
        if pivots is None:
            return _by_values(self.matrix, right)
        return _by_pivots(self.matrix, right, pivots, rules)


def _by_values(matrix: np.ndarray, right: np.ndarray) -> Found:
    """Numbers: singular values decide what is redundant."""
    U, s, Vt = np.linalg.svd(matrix, full_matrices=True)
    rank = int((s > RANK * s[0]).sum()) if len(s) else 0
    x = Vt[:rank].T @ ((U[:, :rank].T @ right).T / s[:rank]).T
    return Found(x, list(Vt[rank:]), list((matrix @ x - right).flat), [])


class Pivots(NamedTuple):
    """Pivots of the balance, rows and columns without one being redundant.

    Attributes:
        parts: eliminations within parts of the machine that have internal wrenches of their own,
            each with those of its columns that are redundant.
        whole: the elimination of everything, which begins with those of the parts.
        spare: columns that are redundant in the whole alone.
    """

    parts: tuple[tuple[Plan, tuple[int, ...]], ...]
    whole: Plan
    spare: tuple[int, ...]


def _by_pivots(matrix: Array, right: Array, pivots: Pivots, rules: Refusing) -> Found:
    """Numbers or symbols: rows and columns without a pivot are known to be redundant.

    Wrenches that are internal to a part are found there: they concern few of the unknowns.
    """
    factor = rules.require(LargePivots(Factor(matrix, pivots.whole))).factor
    none = np.zeros(right.shape[1:])
    x = collect([each + none for each in factor.solve(right)])
    unbalanced = [off for row in factor.remainder(x, right) for off in np.ravel(row)]
    unit, nothing = np.eye(matrix.shape[1]), np.zeros(matrix.shape[0])
    internal, spare = [], []
    for plan, columns in (*pivots.parts, (pivots.whole, pivots.spare)):
        own = factor
        if plan is not pivots.whole:
            own = rules.require(LargePivots(Factor(matrix, plan))).factor
        for j in columns:
            internal.append(unit[j] - collect(own.solve(matrix[:, j])))
            spare += own.remainder(internal[-1], nothing)
    return Found(x, internal, unbalanced, spare)


def fixed_pivots(assembly: Assembly) -> Pivots:
    """Pivots of the balance that are good around home; those of the robot as it is described."""
    return _around_home(assembled(assembly.robot))


@known_of(Assembly)
def _around_home(assembly: Assembly) -> Pivots:
    return pivots_of([FreeBodies(assembly, each.equations) for each in assembly.regular_solutions])


def pivots_of(around: Sequence[FreeBodies]) -> Pivots:
    """Pivots of the balance that are good in several states."""
    samples = np.array([each.matrix for each in around])
    parts: list[tuple[Plan, tuple[int, ...]]] = []
    for own in around[0].parts:
        rank = _rank(samples[:, :, own])
        if rank < len(own):
            found = choose_plan(list(samples[:, :, own]), rank)
            plan = Plan(found.rows, tuple(own[j] for j in found.columns))
            parts.append((plan, tuple(j for j in own if j not in plan.columns)))
    first = [pair for plan, _ in parts for pair in zip(plan.rows, plan.columns, strict=True)]
    known = [j for _, columns in parts for j in columns]
    left = samples.copy()
    left[:, :, known] = 0.0  # they follow from others of their part
    whole = choose_plan(list(left), _rank(samples), first)
    others = {*whole.columns, *known}
    spare = tuple(j for j in range(samples.shape[2]) if j not in others)
    return Pivots(tuple(parts), whole, spare)


def _rank(samples: np.ndarray) -> int:
    """Largest rank of matrices ``(K, m, n)``."""
    sizes = np.linalg.svd(samples, compute_uv=False)
    return int((sizes > RANK * sizes[:, :1]).sum(axis=1).max(initial=0))


def coupling_units(assembly: Assembly) -> list[float]:
    """Natural unit of every coupling's effort: along the axis that feels it most, 1 N."""
    length, topology = assembly.length, assembly.topology
    scales = {
        each.coupling.name: length / row_scale(each, length)
        for group in topology.couplings
        for each in group
    }
    return [scales[coupling.name] for coupling in assembly.robot.couplings]


def transmitted_along(kin: Kinematics, tau: Array, loads: StateLoads) -> dict[str, Any]:
    """What every axis transmits, by name: motors less friction, rotors and springs [N or N m]."""
    taken = axis_efforts(kin, loads, kin.axis_rate, kin.axis_acceleration)
    found: dict[str, Any] = {name: -effort for name, effort in taken}
    for i, name in enumerate(kin.assembly.robot.motors):
        found[name] = found[name] + tau[i] if name in found else tau[i]
    return found


def wrenches_taken(kin: Kinematics, loads: StateLoads) -> dict[str, Array]:
    """Wrench that the motion of each body takes, less loads on it: natural units, link axes."""
    assembly, at = kin.assembly, kin.solution.equations
    felt, units = kin.felt(loads.ground), assembly.scales.wrench
    poses = (at.hub_placed, *at.leg_placed)
    roots = (at.platform, *(BASE for _ in at.leg_placed))
    found: dict[str, Array] = {}
    for (tree, links, root), placed, root_pose in zip(felt.trees, poses, roots, strict=True):
        for body, mount in tree.bodies.items():
            if body == assembly.robot.base:
                continue
            mass = _body_mass(assembly, tree, body, loads)
            motion = root if mount.link == ROOT else links[mount.link]
            parts = [] if mass is None else [np.concatenate(body_wrench(mass, motion))]
            pushes = tuple(push for push in loads.pushes if push.body == body)
            own = replace(loads, pushes=pushes).on_links(tree, placed, root_pose)
            parts += [-np.concatenate(each) for each in own.values()]
            found[body] = total(parts, np.zeros(6)) / units
    return found


def _body_mass(assembly: Assembly, tree: Tree, body: str, loads: StateLoads) -> Mass | None:
    """Inertial parameters of a body, its payload included, in the axes of its link."""
    mount = tree.bodies[body]
    if [other.link for other in tree.bodies.values()].count(mount.link) == 1:
        return loads.link_masses(assembly.robot, tree).get(mount.link)
    found = None
    for mass in loads.masses(assembly.robot):
        if mass.body == body:
            found = with_body(found, mount, mass.m, mass.c, mass.I)
    return found
