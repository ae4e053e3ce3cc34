"""The geometry of a motion without its timing: where it rests, and its length from rest to rest.

The parameter ``s`` is the length of the way of the platform's origin [m]; rotations are weighed
with the robot's natural length.  A motion that only turns has an angle [rad] instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gough.errors import InputError
from gough.evaluation.evaluator import usual
from gough.motion.motion import Motion
from gough.motion.space import space_of
from gough.singularity.crossing.laws import gauss
from gough.states.state import State

_LOOKED = 2001  # samples of a motion among which rests are sought
_REST = 1e-7  # share of the largest speed below which the motion rests: its direction is rounding
_STILL = 1e-12  # the same, below which nothing moves at all
_STAYS = 1e-3  # share of the duration from which a rest is a stay, and not a moment
_MINIMUM = 0.05  # share of the largest speed below which a smallest speed may be a rest
_ONLY_TURNS = 1e-9  # share of the speed of turning: an origin that is slower does not move
_CELLS = 400  # of the whole motion, in each of which length is integrated by Gauss's rule
_GROWS = 1.04  # ratio of cells beside a rest: there lengths go with a power of time


class Rest(NamedTuple):
    """A rest of a motion: from when to when its direction is not known, and how long it stays."""

    begin: float
    end: float
    stay: float


@dataclass(frozen=True, eq=False)
class Stretch:
    """A path from rest to rest.

    Attributes:
        motion: whose geometry it is.
        weights: of a twist in the speed along the path ``(6,)``.
        length: [m or rad].
        times: time of the motion by length, a ``scipy.interpolate.BPoly``.
        moving: whether the motion is in motion at the start and at the end.
    """

    motion: Motion
    weights: np.ndarray
    length: float
    times: Any
    moving: tuple[bool, bool]

    def __call__(self, s: np.ndarray) -> State:
        """Poses at lengths ``(K,)``, with first and second derivatives by length."""
        t = self.at(np.clip(s, 0.0, self.length))
        T, V, Vdot = self.motion.evaluate(np.clip(t, 0.0, self.motion.duration)).arrays
        speed = np.linalg.norm(V * self.weights, axis=1)[:, None]
        along = V / speed
        gain = (along * Vdot * self.weights**2).sum(axis=1)[:, None]
        return self._closed(State(T, along, (Vdot - along * gain) / speed**2))

    def _closed(self, states: State) -> State:
        """The same with rates that the legs impose worked out anew.

        Beside a rest a small speed is divided by: what is rounding in a motion would not be here.
        """
        assembly = self.motion.robot.assembly
        if space_of(self.motion.robot).kind != "closing":
            return states
        T, V, Vdot = states.arrays
        free = list(assembly.free)
        given = {"T_0p": (T, 2), "V_r": (np.ascontiguousarray(V[:, free]), 1)}
        Psi, _, drift, _ = usual(assembly, "freedom_map")(given).values
        V_r, Vdot_r = V[:, free, None], Vdot[:, free, None]
        return State(T, (Psi @ V_r)[..., 0], (Psi @ Vdot_r)[..., 0] + drift)

    def at(self, s: np.ndarray) -> np.ndarray:
        """Times of the motion at lengths [s]."""
        return np.asarray(self.times(s))


@dataclass(frozen=True, eq=False)
class Path:
    """The geometry of a motion.

    Attributes:
        stretches: from rest to rest.
        stays: how long the motion rests before the first, between them, and after the last [s].
        unit: of lengths, ``"m"`` or ``"rad"``.
        closed: whether the last pose is the first one.
        round: whether it goes on from the end to the start without a corner.
    """

    stretches: tuple[Stretch, ...]
    stays: tuple[float, ...]
    unit: str
    closed: bool
    round: bool


def path_of(motion: Motion) -> Path:
    """The geometry of a motion.

    Raises:
        InputError: it does not move.
    """
    t = np.linspace(0.0, motion.duration, _LOOKED)
    V = motion.evaluate(t).V_0p
    length = motion.robot.assembly.length
    v, w = (np.linalg.norm(part, axis=1).max() for part in (V[:, :3], V[:, 3:]))
    turns_only = v <= _ONLY_TURNS * length * w
    weights = np.repeat([0.0 if turns_only else 1.0, 1.0 if turns_only else length], 3)

    def speed(at: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(motion.evaluate(at).V_0p * weights, axis=-1))

    size = np.linalg.norm(V * weights, axis=1)
    if not size.max() > 0.0:
        raise InputError(
            f"{motion.label}: the platform does not move, no time is the shortest",
            hint="Give a path that leads somewhere.",
            argument="path",
        )
    rests = _rests(speed, t, size)
    edges = [0.0, *(x for rest in rests for x in (rest.begin, rest.end)), motion.duration]
    stays = [rest.stay for rest in rests]
    moving = [True] * (len(rests) + 1)
    stretches = []
    for k, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
        if b - a > _STILL * motion.duration:
            ends = (k == 0, k == len(rests))
            stretches.append(_stretch(motion, weights, a, b, ends))
        else:
            moving[k] = False
    if moving[0]:
        stays.insert(0, 0.0)
    if moving[-1]:
        stays.append(0.0)
    T = motion.evaluate(np.array([0.0, motion.duration])).T_0p
    gap = np.abs(T[1] - T[0]).max(axis=1)[:3] / np.array([length] * 3)
    closed = bool(gap.max() < 1e-9)  # poses that differ less are the same: rounding of ends
    return Path(
        tuple(stretches),
        tuple(stays),
        "rad" if turns_only else "m",
        closed,
        closed and len(stretches) == 1 and _meets(stretches[0]),
    )


def _meets(stretch: Stretch) -> bool:
    """Whether a closed path ends in the direction in which it begins."""
    V = stretch(np.array([0.0, stretch.length])).V_0p
    return bool(np.linalg.norm(V[1] - V[0]) < 1e-6 * np.linalg.norm(V[0]))


def _rests(
    speed: Callable[[np.ndarray], np.ndarray], t: np.ndarray, size: np.ndarray
) -> list[Rest]:
    """All rests of a motion in turn, from speeds at samples."""
    low, still = _REST * size.max(), _STILL * size.max()
    middles = [(k, t[k]) for k in np.flatnonzero(size <= low)]
    inner = np.arange(1, len(t) - 1)
    dips = (size[inner] <= size[inner - 1]) & (size[inner] <= size[inner + 1])
    dips &= (size[inner] > low) & (size[inner] < _MINIMUM * size.max())
    for k in inner[dips]:
        at = _least(speed, t[k - 1], t[k + 1])
        if speed(np.array([at]))[0] <= low:
            middles.append((k, at))
    found: list[Rest] = []
    for k, at in sorted(middles, key=lambda each: each[1]):
        if found and at <= found[-1].end:
            continue
        before = [j for j in range(k, -1, -1) if size[j] > low and t[j] < at]
        after = [j for j in range(k, len(t)) if size[j] > low and t[j] > at]
        left, right = (t[before[0]] if before else None), (t[after[0]] if after else None)
        edge = [_edge(speed, at, x, low) if x is not None else at for x in (left, right)]
        begin = 0.0 if left is None else edge[0]
        end = float(t[-1]) if right is None else edge[1]
        calm = [begin if left is None else _edge(speed, at, left, still)]
        calm += [end if right is None else _edge(speed, at, right, still)]
        stay = calm[1] - calm[0]
        found.append(Rest(begin, end, stay if stay > _STAYS * t[-1] else 0.0))
    return found


def _least(speed: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float:
    """Where the speed is least between two times."""
    for _ in range(40):
        looked = np.linspace(low, high, 9)
        k = int(np.argmin(speed(looked)))
        low, high = looked[max(k - 1, 0)], looked[min(k + 1, 8)]
    return 0.5 * (low + high)


def _edge(
    speed: Callable[[np.ndarray], np.ndarray], at: float, beyond: float, bound: float
) -> float:
    """Where a motion that rests at one time, and moves at another, passes a speed."""
    for _ in range(20):
        looked = np.linspace(at, beyond, 9)
        k = int(np.argmax(speed(looked) > bound))
        if k == 0:
            return float(at)
        at, beyond = looked[k - 1], looked[k]
    return float(beyond)


def _stretch(
    motion: Motion, weights: np.ndarray, a: float, b: float, moving: tuple[bool, bool]
) -> Stretch:
    """The path between two times, all the way in motion."""
    from scipy.interpolate import BPoly  # noqa: PLC0415  heavy: loaded on first use

    t = _cells(motion, a, b, moving)
    V, Vdot = (part * weights for part in motion.evaluate(t).arrays[1:])
    speed = np.linalg.norm(V, axis=1)
    gain = np.einsum("ki,ki->k", V, Vdot) / speed
    looked, share = gauss(t[:-1], t[1:], 5)
    inside = motion.evaluate(looked.ravel()).V_0p * weights
    steps = (share * np.linalg.norm(inside, axis=1).reshape(share.shape)).sum(axis=1)
    s = np.concatenate([[0.0], np.cumsum(steps)])
    levels = np.stack([t, 1.0 / speed, -gain / speed**3], axis=1)
    time = BPoly.from_derivatives(s, levels)
    return Stretch(motion, weights, float(s[-1]), time, moving)


def _cells(motion: Motion, a: float, b: float, moving: tuple[bool, bool]) -> np.ndarray:
    """Edges of cells: even ones, and beside a rest ones that grow from next to nothing."""
    count = max(int(np.ceil(_CELLS * (b - a) / motion.duration)), 64)
    step = (b - a) / count
    least = 1e-5 * step
    grown = least * _GROWS ** np.arange(
        np.ceil(np.log(step / least / (_GROWS - 1.0)) / np.log(_GROWS))
    )
    even = np.linspace(a, b, count + 1)
    first, last = (np.array([]) if still else grown for still in moving)
    low = a + (grown[-1] if len(first) else 0.0)
    high = b - (grown[-1] if len(last) else 0.0)
    inner = even[(even > low + 0.5 * step) & (even < high - 0.5 * step)]
    return np.unique(np.concatenate([[a], a + first, inner, b - last, [b]]))
