"""Many states closed at once: each continued from a state that is assembled already.

As in :mod:`gough.motion.closing`, but every state has a beginning of its own, joints and all, so
that the branch is the beginning's.  Steps of Newton's method must shrink by four.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gough.closure.coordinates import pack, unpack
from gough.geometry.newton import State
from gough.mobility.assembly import Assembly
from gough.motion import turns
from gough.sections.looking import Arrays, Looker
from gough.topology.moves import BALL, TURN

CONTRACTION = 0.25
RELAXED = 0.6
"""At the border of reach, where two branches meet, steps shrink by halves at first."""

_FINE = 1e-7  # steps below it need not shrink any more: rounding is near
_SETTLED = 1e-11  # the last step; Newton's method then leaves its square
_CLOSED = 1e-9  # rows that are left over must be closed as well, natural units
_LARGEST = 1.0  # a step of a joint or of the platform that may be trusted, natural units
_NEAR = 1e-4  # what a closed form may leave open, natural units
_PROPER = 1e-9  # error of a pair (cos, sin), or of a rotation
_ROUNDS = 14
_SINGULAR = 1e-9  # determinant of freedoms' rates by V_r


class States(NamedTuple):
    """Assembled states, or those that could not be (``good`` is False).

    Attributes:
        y: coordinates of the platform ``(K, 6)``; see :mod:`gough.mobility.chart`.
        joints: of every link, packed ``(K, m)``.
        good: whether the loops are closed ``(K,)``.
    """

    y: np.ndarray
    joints: np.ndarray
    good: np.ndarray

    def at(self, index: Any) -> States:
        """Some of them."""
        return States(*(array[index] for array in self))

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

    def __init__(self, looker: Looker) -> None:
        self.looker = looker
        self.assembly: Assembly = looker.assembly
        self.free = list(self.assembly.free)
        self._natural = np.array([self.assembly.length] * 3 + [1.0] * 3)

    def begin(self, branch: State | None) -> States:
        """One state: of the branch, or home's."""
        start = State(*self.assembly.start) if branch is None else branch
        y = self.assembly.chart.coordinates(np.asarray(start.T_0p, dtype=float))
        joints = np.asarray(pack(start.configuration), dtype=float)
        return States(y[None], joints[None], np.ones(1, dtype=bool))

    def state(self, states: States, k: int) -> State:
        """One of the states as others know it, to be a branch."""
        configuration = unpack(self.assembly.topology, states.joints[k])
        return State(self.poses(states.y[k : k + 1])[0], configuration)

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
            goal: freedoms.
            strides: parts of the way.
            contraction: that steps of Newton's method must show.
        """
        found = self.led(states, goal, strides, contraction)
        good = np.flatnonzero(found.good)
        found.good[good] = self.same_side(states.at(good), found.at(good))
        return found

    def same_side(self, one: States, other: States) -> np.ndarray:
        """Whether near states have no singularity of a leg, hub or platform between them.

        The rows that fix all joints lose rank at such a one, and ``det(A^T B)`` its sign.
        """
        a, b = (self.judged(states)["rows"] for states in (one, other))
        return np.asarray(np.linalg.det(a.swapaxes(1, 2) @ b) > 0.0)

    def judged(self, states: States) -> Arrays:
        """Jacobian, limited positions and closure rows of states."""
        return self.looker.judge(self.poses(states.y), states.joints)

    def settled(self, states: States, goal: np.ndarray) -> States:
        """States whose joints come from a closed form, as they are or not at all."""
        proper = np.ones(len(goal), dtype=bool)
        start = 0
        topology = self.assembly.topology
        for tree in (topology.hub, *(leg.tree for leg in topology.legs)):
            for link in tree.links:
                length = {TURN: 2, BALL: 9}.get(link.move, 1)
                part = states.joints[:, start : start + length]
                if link.move == TURN:
                    proper &= np.abs((part**2).sum(axis=1) - 1.0) < _PROPER
                elif link.move == BALL:
                    R = part.reshape(-1, 3, 3)
                    off = np.abs(R.swapaxes(1, 2) @ R - np.eye(3)).max(axis=(1, 2))
                    proper &= (off < _PROPER) & (np.linalg.det(R) > 0.0)
                start += length
        return self._newton(states._replace(good=states.good & proper), goal, CONTRACTION, _NEAR)

    def led(
        self, states: States, goal: np.ndarray, strides: int, contraction: float = CONTRACTION
    ) -> States:
        """States continued straight to freedoms in equal strides."""
        start = states.y[:, self.free]
        for k in range(1, strides + 1):
            there = goal if k == strides else start + (goal - start) * (k / strides)
            states = self._newton(states, there, contraction)
        return states

    def _newton(
        self, states: States, goal: np.ndarray, contraction: float, largest: float = _LARGEST
    ) -> States:
        """One stride of the freedoms, and the loops closed."""
        y, joints, good = (array.copy() for array in states)
        done = np.zeros(len(y), dtype=bool)
        step = np.zeros((len(y), len(self.looker.rate_scales)))
        previous = np.full(len(y), np.inf)
        for _ in range(_ROUNDS):
            now = np.flatnonzero(good & ~done)
            if not len(now):
                break
            seen = self.looker.look(self.poses(y[now]), joints[now], step[now])
            joints[now] = seen["joints"]
            V_r, regular = self._freedom_rates(seen, y[now], goal[now])
            V = _times(seen["Psi"], V_r) + seen["closing"]
            u = _times(seen["rates"], V_r) + seen["rates_closing"]
            size = np.maximum(
                np.abs(V / self._natural).max(axis=1),
                np.abs(u / self.looker.rate_scales).max(axis=1, initial=0.0),
            )
            settled = (size < _SETTLED) & (seen["open"][:, 0] < _CLOSED)
            trusted = (size < contraction * previous[now]) | (size < _FINE)
            good[now] = settled | (regular & trusted & (size < largest))
            done[now] = settled
            y[now] += _coordinate_rates(y[now][:, 3:], V)
            y[now[:, None], self.free] = goal[now]  # exactly
            step[now], previous[now] = u, size
        return States(y, joints, done)

    def _freedom_rates(
        self, seen: dict[str, np.ndarray], y: np.ndarray, goal: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """``V_r`` (K, n) that takes the freedoms to the goal, loops closed on the way."""
        if max(self.free, default=0) < 3:  # positions are their own coordinates
            missing = goal - y[:, self.free] - seen["closing"][:, self.free]
            return missing, np.ones(len(y), dtype=bool)
        both = np.concatenate([seen["Psi"], seen["closing"][..., None]], axis=2)
        rates = np.concatenate([both[:, :3], turns.vector_rates(y[:, 3:]) @ both[:, 3:]], axis=1)
        by_V_r, closing = rates[:, self.free, :-1], rates[:, self.free, -1]
        finite = np.isfinite(by_V_r).all(axis=(1, 2))
        safe = np.where(finite[:, None, None], by_V_r, np.eye(len(self.free)))
        regular = finite & (np.abs(np.linalg.det(safe)) > _SINGULAR)
        safe = np.where(regular[:, None, None], safe, np.eye(len(self.free)))
        missing = goal - y[:, self.free] - closing
        return np.linalg.solve(safe, missing[..., None])[..., 0], regular


def _times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Matrices (K, m, n) times vectors (K, n)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])


def _coordinate_rates(w: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Rates of position and rotation vector of platforms that move by twists (K, 6)."""
    return np.concatenate([V[:, :3], _times(turns.vector_rates(w), V[:, 3:])], axis=1)
