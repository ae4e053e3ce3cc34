"""Many states closed at once, the freedoms held: each continued from one that is assembled already.

Every state starts from an assembled state with all joints, and stays on its branch.  One kernel
call is a Newton step of all of them; steps are trusted by the rule of
:mod:`gough.mechanism.mobility.newton`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gough.base import turns
from gough.evaluation.loops.steps import Arrays, ClosingSteps
from gough.geometry.branch import same_side
from gough.geometry.newton import AssembledState
from gough.mechanism.closure.coordinates import pack, unpack
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.measures import leg_places
from gough.mechanism.mobility.newton import CONTRACTION, shrinks
from gough.robot.joint_kinds import BALL, TURN

RELAXED = 0.6
"""At the border of reach, where two branches meet, steps shrink by halves at first."""

# Sizes of steps and residuals are in natural units.
_SETTLED = 1e-11  # the last step; Newton's method then leaves its square
_EXACT = 1e-13  # the same where rates are asked for: joints lag by the last step
_CLOSED = 1e-9  # rows that are no pivots must be closed as well: a jump to a wrong root opens them
_LARGEST = 1.0  # a step of a joint or of the platform that may be trusted, as LARGEST_TURN
_NEAR = 1e-4  # first step after a closed form: larger, its root belongs to another branch
_PROPER = 1e-9  # error of a pair (cos, sin), or of a rotation: outside the mobility it is far more
_ROUNDS, _ROUNDS_ON_THE_WAY = 14, 3  # Newton steps: to the last digits, and to a state on the way
_FARTHEST = 13.0  # two turns, or 13 robot lengths: further goals are mistakes in units
_SHORTEST = 1.0 / 64.0  # of the strides that are tried first: six halvings, then it is refused
_SINGULAR = 1e-9  # determinant of freedoms' rates by V_r; rounding leaves 1e-15 of a zero


class States(NamedTuple):
    """Assembled states, or those that could not be (``good`` is False).

    Attributes:
        y: coordinates of the platform ``(K, 6)``; see :mod:`gough.mechanism.mobility.chart`.
        joints: of every link, packed ``(K, m)``.
        good: whether the loops are closed ``(K,)``.
    """

    y: np.ndarray
    joints: np.ndarray
    good: np.ndarray

    def at(self, index: Any) -> States:
        """Some of them."""
        return States(*(array[index] for array in self))

    def repeated(self, count: int) -> States:
        """So many of the only one."""
        return States(*(np.repeat(array, count, axis=0) for array in self))

    def put(self, index: Any, other: States) -> None:
        """Write states into places."""
        for mine, theirs in zip(self, other, strict=True):
            mine[index] = theirs


def nothing(count: int, joints: int) -> States:
    """No state is closed yet."""
    empty = np.full((count, 6), np.nan), np.full((count, joints), np.nan)
    return States(*empty, np.zeros(count, dtype=bool))


class Closer:
    """Closes the loops of one robot.

    Attributes:
        looker: its kernels.
    """

    def __init__(self, assembly: Assembly, threads: int | None = None) -> None:
        self.assembly, self.looker = assembly, ClosingSteps(assembly, threads)
        self.free = list(self.assembly.free)
        self._natural, self._rates = assembly.scales.twist, assembly.scales.rates

    @cached_property
    def home(self) -> States:
        """One state: home's."""
        T_0p, configuration = self.assembly.start
        y = self.assembly.chart.coordinates(np.asarray(T_0p, dtype=float))
        joints = np.asarray(pack(configuration), dtype=float)
        return States(y[None], joints[None], np.ones(1, dtype=bool))

    def state(self, states: States, k: int) -> AssembledState:
        """One of the states as a :class:`State` of pose and configuration."""
        configuration = unpack(self.assembly.topology, states.joints[k])
        return AssembledState(self.poses(states.y[k : k + 1])[0], configuration)

    def poses(self, y: np.ndarray) -> np.ndarray:
        """Platform poses ``(K, 4, 4)``."""
        T = np.zeros((len(y), 4, 4))
        T[:, :3, :3] = turns.rotations(y[:, 3:]) @ self.assembly.chart.R_ref
        T[:, :3, 3], T[:, 3, 3] = y[:, :3], 1.0
        return T

    def continued(
        self,
        states: States,
        goal: np.ndarray,
        *,
        strides: int = 1,
        contraction: float = CONTRACTION,
    ) -> States:
        """States continued to near freedoms ``(K, n)``, refused where a leg passes a singularity.

        Args:
            states: assembled ones.
            goal: freedoms to reach ``(K, n)`` [m, rad].
            strides: equal parts that the way is divided into.
            contraction: factor by which every Newton step must be smaller than the one before.
        """
        found = self.led(states, goal, strides, contraction)
        good = np.flatnonzero(found.good)
        found.good[good] = self.same_side(states.at(good), found.at(good))
        return found

    def same_side(self, one: States, other: States) -> np.ndarray:
        """Whether near states have no singularity of a leg, hub or platform between them.

        The rows that fix all joints lose rank at such a one, and ``det(A^T B)`` changes its sign.
        It does not where a leg and the platform, or two legs, pass theirs at once: so every leg is
        looked at alone, too.
        """
        a, b = (self.judged(states)["rows"] for states in (one, other))
        found = np.asarray(np.linalg.det(a.swapaxes(1, 2) @ b) > 0.0)
        for rows, columns in leg_places(self.assembly):
            found &= same_side(a[:, rows, columns], b[:, rows, columns])
        return found

    def judged(self, states: States) -> Arrays:
        """Jacobian, limited positions and closure rows of states."""
        return self.looker.judge(self.poses(states.y), states.joints)

    def settled(self, states: States, goal: np.ndarray) -> States:
        """Check states whose joints come from a closed form: closed and proper, or not good."""
        proper = self.distortion(states.joints) < _PROPER
        return self._newton(states._replace(good=states.good & proper), goal, CONTRACTION, _NEAR)

    def distortion(self, joints: np.ndarray) -> np.ndarray:
        """How far the worst coordinate of states is from a rotation ``(K,)``; mirrored: infinite.

        A pair (cos, sin) misses its length of 1, a rotation its columns at right angles.
        """
        found, start, topology = np.zeros(len(joints)), 0, self.assembly.topology
        for tree in (topology.hub, *(leg.tree for leg in topology.legs)):
            for link in tree.links:
                length = {TURN: 2, BALL: 9}.get(link.move, 1)
                part = joints[:, start : start + length]
                if link.move == TURN:
                    found = np.maximum(found, np.abs((part**2).sum(axis=1) - 1.0))
                elif link.move == BALL:
                    R = part.reshape(-1, 3, 3)
                    off = np.abs(R.swapaxes(1, 2) @ R - np.eye(3)).max(axis=(1, 2))
                    found = np.maximum(found, np.where(np.linalg.det(R) > 0.0, off, np.inf))
                start += length
        return found

    def led(
        self, states: States, goal: np.ndarray, strides: int, contraction: float = CONTRACTION
    ) -> States:
        """States continued straight to freedoms in equal strides."""
        start = states.y[:, self.free]
        for k in range(1, strides + 1):
            there = goal if k == strides else start + (goal - start) * (k / strides)
            states = self._newton(states, there, contraction)
        return states

    def walked(self, states: States, goal: np.ndarray, stride: float) -> States:
        """States continued straight to freedoms, the stride of each adapted to it.

        Strides are halved where a state cannot be closed, and doubled again where it can.

        Args:
            states: assembled ones.
            goal: freedoms ``(K, n)``.
            stride: the longest one, natural units.
        """
        start = states.y[:, self.free]
        way = goal - start
        far = np.abs(way / self.assembly.scales.freedoms).max(axis=1, initial=0.0)
        longest = np.minimum(1.0, stride / np.maximum(far, stride))
        here, done = States(*(array.copy() for array in states)), np.zeros(len(way))
        step = longest.copy()
        now = np.flatnonzero(far < _FARTHEST)
        while len(now):
            aim = np.minimum(1.0, done[now] + step[now])
            last = aim == 1.0
            there = np.where(last[:, None], goal[now], start[now] + aim[:, None] * way[now])
            found = self._newton(here.at(now), there, on_the_way=~last, enough=_EXACT)
            here.put(now[found.good], found.at(found.good))
            done[now] = np.where(found.good, aim, done[now])
            tried = np.where(found.good, 2.0, 0.5) * step[now]
            step[now] = np.minimum(tried, longest[now])
            now = now[(done[now] < 1.0) & (step[now] > _SHORTEST * longest[now])]
        return here._replace(good=done == 1.0)

    def _newton(
        self,
        states: States,
        goal: np.ndarray,
        contraction: float = CONTRACTION,
        largest: float = _LARGEST,
        on_the_way: np.ndarray | None = None,
        enough: float = _SETTLED,
    ) -> States:
        """Set the freedoms to ``goal`` and close the loops; states ``on_the_way`` only roughly."""
        y, joints, good = (array.copy() for array in states)
        early = np.zeros(len(y), dtype=bool) if on_the_way is None else on_the_way
        done = np.zeros(len(y), dtype=bool)
        step = np.zeros((len(y), len(self._rates)))
        previous = np.full(len(y), np.inf)
        for k in range(_ROUNDS):
            now = np.flatnonzero(good & ~done)
            if not len(now):
                break
            seen = self.looker.look(self.poses(y[now]), joints[now], step[now])
            joints[now] = seen["coordinates"]
            twists = np.concatenate([seen["Psi"], seen["closing"][..., None]], axis=2)
            rates = coordinate_rates(y[now], twists)
            missing = goal[now] - y[now][:, self.free] - rates[:, self.free, -1]
            V_r, regular = self.rates_of(rates[..., :-1], missing)
            both = np.concatenate([V_r, np.ones((len(now), 1))], axis=1)
            u = times(seen["joint_rates"], V_r) + seen["rates_closing"]
            size = np.maximum(
                np.abs(times(twists, both) / self._natural).max(axis=1),
                np.abs(u / self._rates).max(axis=1, initial=0.0),
            )
            fine = (size < enough) | ((size < _SETTLED) & (size > 0.5 * previous[now]))
            settled = fine & (seen["open"][:, 0] < _CLOSED)
            trusted = regular & shrinks(size, previous[now], contraction) & (size < largest)
            good[now] = settled | trusted
            done[now] = settled | (trusted & early[now] & (k + 1 == _ROUNDS_ON_THE_WAY))
            y[now] += times(rates, both)
            y[now[:, None], self.free] = goal[now]  # exactly
            step[now], previous[now] = u, size
        return States(y, joints, done)

    def rates_of(self, yd_Vr: np.ndarray, xd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``V_r (K, n)`` that gives rates of the freedoms, and where there is one.

        Args:
            yd_Vr: rates of all six coordinates by ``V_r``.
            xd: rates of the freedoms.
        """
        if max(self.free, default=0) < 3:  # positions are their own coordinates
            return xd, np.ones(len(xd), dtype=bool)
        by_V_r = yd_Vr[:, self.free]
        finite = np.isfinite(by_V_r).all(axis=(1, 2))
        safe = np.where(finite[:, None, None], by_V_r, np.eye(len(self.free)))
        regular = finite & (np.abs(np.linalg.det(safe)) > _SINGULAR)
        safe = np.where(regular[:, None, None], safe, np.eye(len(self.free)))
        return np.linalg.solve(safe, xd[..., None])[..., 0], regular


def times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Matrices (K, m, n) times vectors (K, n)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])


def coordinate_rates(y: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Rates of coordinates (K, 6) of platforms that move by twists (K, 6, m)."""
    turning = turns.vector_rates(y[:, 3:]) @ twists[:, 3:]
    return np.concatenate([twists[:, :3], turning], axis=1)
