"""Singularities of one state, exactly on them too, in natural units.

Everything follows from the closure equations of all joint rates u and of the platform twist V, ``A
u = B V``, and from the motors' rows ``qd = M_u u + M_V V``.  Rows and rates are counted in radians
and in units of a declared length, bases of twists are orthonormal: no choice of coordinates decides
whether a pose is singular.  The numbers are those of :mod:`gough.mechanism.mobility.measures`; here
are the motions and wrenches behind them, on singularities too.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base.arguments import number
from gough.base.batch import check_pose
from gough.errors import UnreachablePose
from gough.geometry.closed_form.search import ClosedForm
from gough.geometry.newton import AssembledState
from gough.geometry.single import exact_pose, is_single
from gough.geometry.walk import configuration_at
from gough.mechanism.closure.axes import HUB, axis_rows
from gough.mechanism.closure.dense import Dense, dense, scaled_legs
from gough.mechanism.closure.equations import Equations
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.scales import Scales
from gough.mechanism.mobility.singular import (
    SINGULAR,
    Seen,
    allowed,
    demands,
    free_columns,
    is_singular,
    nacelle,
    rank,
    seen_by_position,
)

TOLERANCE = SINGULAR
"""Smallest singular value, natural units, below which a pose counts as singular."""

_EXACT = 1e-11  # residual of a closed form that holds, natural units, as of an assembled state


def state_at(
    assembly: Assembly, T_0p: np.ndarray, near: AssembledState | None = None
) -> AssembledState:
    """The assembled machine at a pose, from home or from an assembled state that is nearer."""
    if is_single(T_0p):
        T_0p = exact_pose(assembly, T_0p)
    check_pose(T_0p)
    if near is None and np.array_equal(T_0p, assembly.T_home):
        return AssembledState(assembly.T_home, assembly.home)  # also where home itself is singular
    return AssembledState(T_0p, configuration_at(assembly, T_0p, near, turns=False))


def checked_length(assembly: Assembly, length: float | None) -> float:
    """The declared length, or the robot's own [m]."""
    return assembly.length if length is None else number(length, "length", positive=True)


class Loose(NamedTuple):
    """A leg, or the nacelle, and its motions while the platform is held.

    Attributes:
        name: of the leg, or ``nacelle``.
        smallest: smallest singular value of its own Jacobian; 1 if it has no joints.
        motions: rates of all joints u in motions that are free or nearest to it, natural units,
            columns; one column where nothing is free.
    """

    name: str
    smallest: float
    motions: np.ndarray


class StateSingularity:
    """One assembled state in natural units.

    Args:
        assembly: the robot.
        state: where everything is; or a pose, from which the joints are found when they are asked.
        length: characteristic length, the unit of lengths [m].
        tolerance: smallest singular value that is not taken for zero.
    """

    def __init__(
        self,
        assembly: Assembly,
        state: AssembledState | np.ndarray,
        length: float | None = None,
        tolerance: float = TOLERANCE,
    ) -> None:
        self.assembly, self.tolerance, self._given = assembly, tolerance, state
        self.length = assembly.length if length is None else length

    def __reduce__(self) -> tuple[Any, ...]:
        return StateSingularity, (self.assembly, self._given, self.length, self.tolerance)

    @cached_property
    def scales(self) -> Scales:
        """Natural units in terms of the length."""
        return self.assembly.scales_in(self.length)

    @cached_property
    def state(self) -> AssembledState:
        """Pose and joints."""
        given = self._given
        return state_at(self.assembly, given) if isinstance(given, np.ndarray) else given

    @cached_property
    def at(self) -> Equations:
        """The closure equations."""
        return self.assembly.equations(*self.state)

    @property
    def A(self) -> np.ndarray:
        """Joint columns of the closure rows."""
        return self._dense.A

    @property
    def B(self) -> np.ndarray:
        """Platform columns of the closure rows."""
        return self._dense.B

    @cached_property
    def open_by(self) -> float:
        """Largest closure residual, natural units."""
        return float(np.abs(self._dense.r).max(initial=0.0))

    @cached_property
    def _dense(self) -> Dense:
        return dense(self.at, self.length)

    @cached_property
    def _starts(self) -> list[int]:
        """Where the rates of each leg begin in u, and where they end."""
        topology = self.assembly.topology
        counts = [topology.hub.rates, *(leg.tree.rates for leg in topology.legs)]
        return [int(x) for x in np.cumsum(counts)]

    # Type 1: joints that move although the platform is held

    @cached_property
    def _factored(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Singular value decomposition of A, and its rank."""
        if not self.A.size:
            rows, columns = self.A.shape
            return np.eye(rows), np.zeros(0), np.eye(columns), 0
        U, s, Vt = np.linalg.svd(self.A, full_matrices=True)
        return U, s, Vt, int((s > self.tolerance).sum())

    @cached_property
    def loose(self) -> list[Loose]:
        """Smallest singular value and free motions of every leg, and of a nacelle."""
        topology, n_u = self.assembly.topology, self.A.shape[1]
        found = []
        for k, (leg, E) in enumerate(
            zip(topology.legs, scaled_legs(self.at, self.length), strict=True)
        ):
            smallest, free = free_columns(E, self.tolerance)
            motions = np.zeros((n_u, free.shape[1]))
            motions[self._starts[k] : self._starts[k + 1]] = free
            found.append(Loose(leg.name, smallest, motions))
        n_hub = topology.hub.rates
        if n_hub:
            found.append(Loose("nacelle", *nacelle(self.A, n_hub, self.tolerance)))
        return found

    @cached_property
    def type_1(self) -> float:
        """Smallest singular value of legs and nacelle, platform held, and of its position."""
        return min([part.smallest for part in self.loose] + [self.seen.smallest])

    @cached_property
    def seen(self) -> Seen:
        """How well the platform's position determines the twists that the legs allow.

        Where positions are all that counts and a part of the platform's motion depends on one leg
        (the tip of a five-bar), that leg stretched out can move although all freedoms are held.
        """
        return seen_by_position(
            self.twists, self.assembly.free, only_position=self.assembly.only_position
        )

    def rates_of(self, name: str, u: np.ndarray) -> np.ndarray:
        """Joint rates u of which only those of one leg are left."""
        k = [leg.name for leg in self.assembly.topology.legs].index(name)
        found = np.zeros_like(u)
        own = slice(self._starts[k], self._starts[k + 1])
        found[own] = u[own]
        return found

    # what the legs allow the platform

    @cached_property
    def constraints(self) -> np.ndarray:
        """Constraints of the legs on the platform, ``C V = 0``, rows as wrenches."""
        U, _, _, rank = self._factored
        return np.asarray(U[:, rank:].T @ self.B)

    def demands(self, name: str) -> np.ndarray:
        """Constraints of one leg on the platform, rows as wrenches; with a nacelle, of all legs."""
        topology = self.assembly.topology
        names = [leg.name for leg in topology.legs]
        if topology.hub.rates or name not in names:
            return self.constraints
        k = names.index(name)
        start = sum(len(rows) for rows in self.scales.rows[: k + 1])  # after the hub's
        own = scaled_legs(self.at, self.length)[k]
        return demands(own, self.B[start : start + len(own)], self.tolerance)

    @cached_property
    def _allowed(self) -> tuple[np.ndarray, np.ndarray]:
        """Singular values of the constraints, six of them, and their twists in rows."""
        return allowed(self.constraints)

    @cached_property
    def constraint(self) -> float:
        """Smallest singular value of those that leave the robot its mobility; 1 if all is free."""
        fixed = 6 - self.assembly.mobility
        return float(self._allowed[0][fixed - 1]) if fixed else 1.0

    @cached_property
    def twists(self) -> np.ndarray:
        """Platform twists that the legs allow here, orthonormal in natural units, 6xr."""
        s, Vt = self._allowed
        return np.asarray(Vt[int((s > self.tolerance).sum()) :].T)

    # Type 2: platform motions that the motors do not feel

    @cached_property
    def _motor_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """``qd = M_u u + M_V V``, natural units."""
        robot, n_hub = self.assembly.robot, self.assembly.topology.hub.rates
        M_u = np.zeros((len(robot.motors), self.A.shape[1]))
        M_V = np.zeros((len(robot.motors), 6))
        for k, name in enumerate(robot.motors):
            place = self.assembly.axes[name]
            (on_tree,), (z,) = axis_rows(self.at, place)
            start = 0 if place.tree == HUB else self._starts[place.tree]
            M_u[k, :n_hub] += z[6:]
            M_u[k, start : start + len(on_tree)] += on_tree
            M_V[k] = z[:6]
        scale = self.scales.motors[:, None]
        return M_u * self.scales.rates / scale, M_V * self.scales.twist / scale

    @cached_property
    def motors(self) -> np.ndarray:
        """Motor rates of the twists that the legs allow, m x r.

        Where a leg moves by itself, motors that move with it are left out of account: they cannot
        hold the platform.
        """
        M_u, M_V = self._motor_rows
        if not len(M_u):
            return np.zeros((0, self.twists.shape[1]))
        J = (M_V + M_u @ self.follow) @ self.twists
        alone = M_u @ self._factored[2][self._factored[3] :].T
        if alone.size:
            U, s, _ = np.linalg.svd(alone, full_matrices=False)
            U = U[:, s > self.tolerance]
            J = J - U @ (U.T @ J)
        return np.asarray(J)

    @cached_property
    def follow(self) -> np.ndarray:
        """Joint rates of platform twists, ``u = K V``."""
        U, s, Vt, rank = self._factored
        return np.asarray(Vt[:rank].T @ ((U[:, :rank].T @ self.B) / s[:rank, None]))

    @cached_property
    def _of_motors(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if not self.motors.size:
            return np.eye(len(self.motors)), np.zeros(0), np.eye(self.motors.shape[1])
        U, s, Vt = np.linalg.svd(self.motors, full_matrices=True)
        return U, s, Vt

    @property
    def wanted(self) -> int:
        """Freedoms that the motors should control: all, or as many as there are motors."""
        return min(len(self.assembly.robot.motors), self.assembly.mobility)

    @property
    def _held(self) -> int:
        """The same at this state: a stretched leg takes away a freedom, and a motor's effect."""
        return int(min(self.wanted, self.twists.shape[1]))

    @cached_property
    def type_2(self) -> float:
        """Smallest singular value of the motors' Jacobian; 1 if there is nothing to control."""
        s, held = self._of_motors[1], self._held
        return (float(s[held - 1]) if len(s) >= held else 0.0) if held else 1.0

    @cached_property
    def condition(self) -> float:
        """Condition number of the motors' Jacobian; infinite on a singularity."""
        s = self._of_motors[1]
        if not len(s):
            return 1.0
        return float(s[0] / self.type_2) if self.type_2 > 1e-300 else np.inf

    @cached_property
    def is_type_2(self) -> bool:
        """Whether the motors control fewer freedoms than elsewhere."""
        return is_singular(self._of_motors[1], self._held, self.tolerance)

    @cached_property
    def rank(self) -> int:
        """Freedoms that the motors control here."""
        return rank(self._of_motors[1], self.tolerance)

    @cached_property
    def free_twists(self) -> np.ndarray:
        """Platform twists ``[v; omega]`` with all motors held [m/s, rad/s], 6xk."""
        null = self._of_motors[2][self.rank :].T
        return np.asarray(self.twists @ null * self.scales.twist[:, None])

    @cached_property
    def softest(self) -> np.ndarray:
        """The allowed twist with the smallest motor rates [m/s, rad/s].

        Of unit size in natural units; zeros if there is none.
        """
        if not self._held:
            return np.zeros(6)
        return np.asarray(self.twists @ self._of_motors[2][self._held - 1] * self.scales.twist)

    @cached_property
    def idle_efforts(self) -> np.ndarray:
        """Motor efforts that cancel, without a wrench on the platform [N, N m], m x k."""
        U = self._of_motors[0]
        return np.asarray(U[:, self.rank :] / self.scales.motors[:, None])

    @property
    def square(self) -> bool:
        """Whether the motors' Jacobian has a determinant."""
        motors, freedoms = self.motors.shape
        return bool(motors == freedoms > 0)

    @cached_property
    def sign(self) -> float:
        """Sign of the determinant of ``qd = J_inv V_r``; 0 if there is none."""
        return self.side(np.eye(6)[:, list(self.assembly.free)])

    def side(self, twists: np.ndarray) -> float:
        """Sign of the determinant, the twists that the legs allow turned as a basis nearby is."""
        if not self.square or twists.shape != self.twists.shape:
            return 0.0
        return float(np.sign(np.linalg.det(self.motors) * np.linalg.det(twists.T @ self.twists)))

    def signed(self, twists: np.ndarray) -> float:
        """``type_2`` with that sign; without one, where there is no such determinant."""
        signed = self.square and twists.shape == self.twists.shape
        return self.side(twists) * self.type_2 if signed else self.type_2


def at_once(
    assembly: Assembly,
    form: ClosedForm | None,
    T_0p: np.ndarray,
    length: float | None,
    tolerance: float,
) -> StateSingularity | None:
    """The machine at a pose by its closed form; ``None`` without one, or if it leaves a loop open.

    Raises:
        UnreachablePose: a leg does not reach; it is not named, which would take half a second.
    """
    if form is None:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        configuration, _ = form.evaluate(T_0p)
        look = StateSingularity(assembly, AssembledState(T_0p, configuration), length, tolerance)
        if np.isnan(look.open_by):
            raise UnreachablePose(f"{assembly.robot.name}: a leg cannot reach")
    return look if look.open_by < _EXACT else None
