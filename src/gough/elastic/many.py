"""Many postures of an elastic machine at once: compliance, sag and frequencies of each.

The same system as of one posture, bodies condensed beforehand (``condensed.py``).  What rows allow
is found by pivots that are fixed around home; postures where these do not serve are not answered,
and left to the system of one posture, which chooses its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from gough.base.linalg import Plan, choose_plan
from gough.base.once import find_fact
from gough.dynamics.shared.masses import CentralMass
from gough.elastic.condensed import CondensedBody, Inside, condensed, holds_constantly, views_of
from gough.elastic.drives import Drive
from gough.elastic.held import held_idle
from gough.elastic.joints import joint_places
from gough.elastic.modelling import Options, body_models
from gough.elastic.postures import Postures
from gough.elastic.statics import Solved, has_mass
from gough.elastic.system import System
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.singular import rank

_LARGEST = 1e4  # of what follows by what is free, natural units: beyond, pivots do not serve
_OPEN = 1e-9  # what redundant rows may leave, as loops that are closed to 1e-11 do
_FREE = 1e-9  # strains below this share of the largest count as none, in the postures of a batch
_COMPARABLE = 1e-2  # smallest step of strains whose squares leave 12 digits
_RESISTED = 1e-7  # as in ``loading.py``: share of a force that may act along free motions


@dataclass(frozen=True, eq=False)
class Condensed:
    """What is the same in all postures of a machine.

    Attributes:
        models: bodies by what joints see of them.
        plan: pivots of the rows.
        free: number of motions that nothing resists, besides those inside bodies.
    """

    models: dict[str, CondensedBody]
    plan: Plan
    free: int

    @cached_property
    def inside(self) -> Inside:
        """Mass of what moves inside bodies."""
        parts = [model.inside for model in self.models.values()]
        across = block_diag(*(part.across for part in parts))
        return Inside(across, np.concatenate([np.zeros(0), *(part.own for part in parts)]))


def condense(
    assembly: Assembly,
    drives: Mapping[str, Drive],
    options: Options,
    payload: CentralMass | None = None,
) -> Condensed | None:
    """What is the same in all postures of a machine, kept with it.

    None where bodies change from posture to posture, as beams in guides do, or where parts are so
    different that only the system of one posture tells soft from free.
    """
    place = () if payload is None else (payload.body, *np.asarray(payload.c, dtype=float).tolist())
    held = tuple((name, drive.locked, bool(drive.kp)) for name, drive in drives.items())
    key = (_condense, tuple(options), held, place)
    return find_fact(assembly, key, lambda a: _condense(a, drives, options, payload))


def _condense(
    assembly: Assembly,
    drives: Mapping[str, Drive],
    options: Options,
    payload: CentralMass | None,
) -> Condensed | None:
    robot, topology = assembly.robot, assembly.topology
    if any(joint.released.guide is not None for joint in robot.joints):
        return None
    around = [each.equations for each in assembly.regular_solutions]
    places = joint_places(robot, around[0], topology.locked)
    whole = body_models(assembly, places, options)
    spins, _ = held_idle(assembly, places)
    views = views_of(robot, places, whole, spins)
    fixed = _fixed(assembly, around[0], drives, options)
    if payload is not None:
        at = whole[payload.body].at(np.asarray(payload.c, dtype=float))
        views[payload.body].append(at)
    models = {
        name: condensed(each, views[name], assembly.length, fixed[name])
        for name, each in whole.items()
    }
    samples = _stacked(assembly, around)
    locked = joint_places(robot, samples, topology.locked)
    system = System(assembly, samples, locked, models, drives, options, payload)
    ranks = [rank(s) for s in np.linalg.svd(system.rows, compute_uv=False)]
    plan = choose_plan(list(system.rows), max(ranks, default=0))
    found = Condensed(models, plan, 0)
    strains = Many(system, found).strains
    s = np.linalg.svd(strains, compute_uv=False)
    free = strains.shape[-1] - int((s > _FREE * s[:, :1]).sum(axis=1).max(initial=0))
    loose = sum(each.loose.shape[1] for each in models.values())
    one = Solved(System(assembly, around[0], places, whole, drives, options, payload))
    return Condensed(models, plan, free) if one.free.shape[1] == free + loose else None


def _fixed(
    assembly: Assembly, at: Equations, drives: Mapping[str, Drive], options: Options
) -> dict[str, list[np.ndarray]]:
    """Rows over each body's coordinates that joints to the base hold in all postures alike."""
    robot = assembly.robot
    places = joint_places(robot, at, assembly.topology.locked)
    system = System(assembly, at, places, body_models(assembly, places, options), drives, options)
    found: dict[str, list[np.ndarray]] = {name: [] for name in system.models}
    for hold in system.holds:
        k, row = hold[0]
        joint = places[k].joint
        if len(hold) == 1 and robot.base in (joint.parent, joint.child) and holds_constantly(joint):
            body = joint.child if joint.parent == robot.base else joint.parent
            found[body].append((row @ system.relative[k])[None, system.place(body)])
    return found


def _stacked(assembly: Assembly, states: list[Equations]) -> Postures:
    names = [body.name for body in assembly.robot.bodies]
    poses = {
        name: Pose(
            np.array([each.body_poses[name].R for each in states]),
            np.array([each.body_poses[name].p for each in states]),
        )
        for name in names
    }
    return Postures(assembly.topology, poses)


def many(
    assembly: Assembly,
    postures: Postures,
    drives: Mapping[str, Drive],
    options: Options,
    payload: CentralMass | None = None,
) -> Many:
    """A machine about many postures; of those that can be condensed."""
    constant = condense(assembly, drives, options, payload)
    if constant is None:
        raise LookupError(assembly.robot.name)
    places = joint_places(assembly.robot, postures, assembly.topology.locked)
    system = System(assembly, postures, places, constant.models, drives, options, payload)
    return Many(system, constant)


def _triangle(strains: np.ndarray) -> np.ndarray:
    """``R`` with ``R'R`` the squares of strains, columns of unit size ``(B, r, r)``."""
    squares = strains.swapaxes(-1, -2) @ strains
    try:
        R = np.linalg.cholesky(squares).swapaxes(-1, -2)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.qr(strains, mode="r"))
    if np.diagonal(R, axis1=-2, axis2=-1).min(initial=1.0) > _COMPARABLE:
        return R
    return np.asarray(np.linalg.qr(strains, mode="r"))


@dataclass(frozen=True, eq=False)
class Many:
    """A machine about each of B postures.

    Attributes:
        system: the machine, its bodies condensed.
        constant: what is the same in all postures.
    """

    system: System
    constant: Condensed

    @cached_property
    def _allowed(self) -> tuple[np.ndarray, np.ndarray]:
        """``N`` of what rows allow ``(B, n, r)``, and where pivots serve ``(B,)``."""
        rows, plan = self.system.rows, self.constant.plan
        chosen, columns = list(plan.rows), list(plan.columns)
        others = [j for j in range(rows.shape[-1]) if j not in plan.columns]
        spare = [i for i in range(rows.shape[-2]) if i not in plan.rows]
        found = np.zeros((len(rows), rows.shape[-1], len(others)))
        found[:, others, range(len(others))] = 1.0
        square = rows[:, chosen][:, :, columns]
        good = np.isfinite(rows).all(axis=(1, 2))
        if not good.all():
            rows = np.where(good[:, None, None], rows, 0.0)
            square = np.where(good[:, None, None], square, np.eye(len(columns)))
        try:
            found[:, columns] = -np.linalg.solve(square, rows[:, chosen][:, :, others])
        except np.linalg.LinAlgError:
            good[:] = False  # one of them is singular: all are left to the system of one posture
            return found, good
        good &= np.abs(found).max(axis=(1, 2), initial=0.0) < _LARGEST
        left = rows[:, spare] @ found
        good &= np.abs(left).max(axis=(1, 2), initial=0.0) < _OPEN
        found[~good] = 0.0
        return found, good

    @cached_property
    def strains(self) -> np.ndarray:
        """Strains of all parts per allowed displacement, each of unit size at most."""
        N, good = self._allowed
        parts = self.system.body_parts
        constant = np.concatenate(
            [np.zeros((0, self.system.size)), *(part.strains for part in parts)]
        )
        found = [constant @ N, *(part.strains @ N for part in self.system.joint_parts)]
        together = np.concatenate(found, axis=-2)
        if good.all():
            return together
        return np.where(good[:, None, None], together, np.eye(*together.shape[-2:]))

    @cached_property
    def _split(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Soft displacements of unit energy, free ones, and where they are to be trusted."""
        (N, good), strains = self._allowed, self.strains
        sizes = np.linalg.norm(strains, axis=-2)
        largest = np.maximum(sizes.max(axis=-1, initial=0.0), 1e-300)[:, None]
        unit = np.where(sizes > _FREE * largest, sizes, largest)  # no rounding made large
        strains = strains / unit[:, None, :]
        N = N / unit[:, None, :]
        count = strains.shape[-1] - self.constant.free
        if not self.constant.free:
            R = _triangle(strains)
            steps = np.abs(np.diagonal(R, axis1=-2, axis2=-1))
            sure = steps.min(axis=-1, initial=1.0) > _FREE
            if not sure.all():
                R = np.where(sure[:, None, None], R, np.eye(R.shape[-1]))
            return N @ np.linalg.inv(R), N[..., :0], good & sure
        _, s, Vt = np.linalg.svd(strains, full_matrices=True)
        first = s[:, :1] if s.shape[1] else np.ones((len(s), 1))
        stiff = s > _FREE * first
        sure = np.asarray(stiff[:, :count].all(axis=-1) & ~stiff[:, count:].any(axis=-1))
        vectors = N @ Vt.swapaxes(-1, -2)
        safe = np.where(sure[:, None], s[:, :count], 1.0)
        return vectors[..., :count] / safe[:, None, :], vectors[..., count:], good & sure

    @property
    def good(self) -> np.ndarray:
        """Postures that are answered ``(B,)``."""
        return self._split[2]

    def _resisted(self, force: np.ndarray) -> np.ndarray:
        """Whether nothing of forces, columns ``(B, n, m)``, acts along free motions ``(B,)``."""
        free = self._split[1]
        if not free.shape[-1]:
            return np.ones(len(free), dtype=bool)
        unit = free / np.linalg.norm(free, axis=-2, keepdims=True)
        work = np.abs(unit.swapaxes(-1, -2) @ force)
        size = np.linalg.norm(force, axis=-2)
        return np.asarray((work <= _RESISTED * size[:, None, :]).all(axis=(1, 2)))

    @cached_property
    def _felt(self) -> np.ndarray:
        """Platform's displacement per soft displacement ``(B, 6, r)``."""
        return np.asarray(self.system.platform @ self._split[0])

    @cached_property
    def compliance(self) -> np.ndarray:
        """Platform's displacement per wrench at its origin ``(B, 6, 6)``; NaN if not answered."""
        good = np.asarray(self.good & self._resisted(self.system.platform.swapaxes(-1, -2)))
        found = self._felt @ self._felt.swapaxes(-1, -2)
        return np.where(good[:, None, None], found, np.nan)

    def sag(self, gravity: np.ndarray, payload: CentralMass | None) -> np.ndarray:
        """Platform's displacement under weight ``(B, 6)``; NaN if not answered."""
        force = self.system.weight(gravity, payload)
        good = self.good & self._resisted(force[..., None]) & self._hung(gravity)
        moved = self._felt @ (self._split[0].swapaxes(-1, -2) @ force[..., None])
        return np.where(good[:, None], moved[..., 0], np.nan)

    def _hung(self, gravity: np.ndarray) -> np.ndarray:
        """Whether weight leaves alone what is loose inside bodies ``(B,)``."""
        good: np.ndarray = np.ones(self.system.lead, dtype=bool)
        for name, model in self.constant.models.items():
            if not model.loose.shape[1]:
                continue
            fall = gravity @ self.system.pose(name).R
            push = model.whole.moments
            unit = np.where(model.whole.turns, 1.0, self.system.assembly.length)
            loose = model.loose / np.linalg.norm(model.loose / unit[:, None], axis=0)
            work = np.abs(fall @ (loose.T @ push).T)
            size = np.linalg.norm(fall @ (push * unit[:, None]).T, axis=-1, keepdims=True)
            good &= (work <= _RESISTED * size).all(axis=-1)
        return good

    def frequencies(self, count: int) -> np.ndarray:
        """Lowest frequencies ``(B, count)`` [Hz]; NaN where there are fewer, or if not answered."""
        soft, free, good = self._split
        M, inside = self.system.mass, self.constant.inside
        across = np.zeros((self.system.size, len(inside.own)))
        across[: len(inside.across)] = inside.across
        r, e = soft.shape[-1], across.shape[1]
        A = np.zeros((len(soft), r + e, r + e))
        turned = np.ascontiguousarray(soft.swapaxes(-1, -2))
        A[:, :r, :r] = turned @ (M @ soft)
        A[:, r:, :r] = across.T @ soft
        A[:, range(r, r + e), range(r, r + e)] = inside.own
        whole = np.diagonal(A, axis1=-2, axis2=-1).max(axis=-1, initial=0.0)[:, None]
        if free.shape[-1]:
            pulled = (M @ free).swapaxes(-1, -2)
            follows = np.concatenate([pulled @ soft, free.swapaxes(-1, -2) @ across], axis=-1)
            own = np.linalg.pinv(pulled @ free, rcond=1e-12, hermitian=True)
            A -= follows.swapaxes(-1, -2) @ own @ follows
        A[~good] = 0.0
        values = np.linalg.eigvalsh(A)[:, ::-1]
        heavy = has_mass(values, whole)
        found = np.full((len(A), count), np.nan)
        k = min(count, values.shape[1])
        with np.errstate(divide="ignore", invalid="ignore"):
            omega = 1.0 / np.sqrt(values[:, :k])
        found[:, :k] = np.where(heavy[:, :k] & good[:, None], omega / (2.0 * np.pi), np.nan)
        return found
