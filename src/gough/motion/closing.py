"""Many states of a robot whose legs decide part of its pose: all samples led from home at once.

``gough.state`` leads one sample after the other.  Here every sample goes the same straight way in
the robot's freedoms, all in step: a stride of the freedoms, then Newton's method on the loops with
the freedoms held, by one kernel call for all of them.  Steps must shrink by four, so that none
jumps to another branch.  Samples that do not settle, or that the kernel is in doubt of, are named:
``gough.state`` has the last word on them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gough.closure.coordinates import scale_of_rates
from gough.errors import TraceError
from gough.kernels.compile import find_kernel
from gough.kernels.evaluator import LARGE, PAYS
from gough.kernels.kernel import BLOCK, Kernel
from gough.mobility.assembly import Assembly
from gough.motion import turns
from gough.motion.jets import Jet
from gough.tracing.variant import Variant

_STRIDES = (0.5, 0.1, 0.02)
"""Strides of the freedoms, natural units: shorter ones are for samples that fail with longer."""

_FARTHEST = 13.0  # ways that are longer are no poses of a robot, but slips of a unit
_LARGEST = 0.5  # a step of the platform that may still be trusted, natural units
_CONTRACTION = 0.25
_FINE = 1e-7  # steps below it need not shrink any more: rounding is near
_SETTLED = 1e-10  # the last step; Newton's method then leaves its square
_ROUNDS, _ROUNDS_AT_THE_END = 2, 8
_SINGULAR = 1e-6  # determinant of freedoms' rates by V_r


Reference = Callable[[int], tuple[np.ndarray, np.ndarray, np.ndarray]]
"""State of the sample with a number, by ``gough.state``, or its named error."""


def closed_states(assembly: Assembly, x: Jet, reference: Reference) -> Closed:
    """States of freedoms (K, n) and their rates, those that do not settle by the reference.

    The kernel is built where that pays; a robot that cannot be traced goes without.
    """
    kept: _Kept = assembly.once("follower", lambda _: _Kept())
    if kept.follower is None and (len(x.value) >= LARGE or kept.spent > PAYS):
        kept.build(assembly)
    parts = []
    for begin in range(0, max(len(x.value), 1), BLOCK):
        block = Jet(*(part[begin : begin + BLOCK] for part in x))
        found = _nothing(block) if kept.follower is None else kept.follower.states(block)
        start = time.perf_counter()
        for k in np.flatnonzero(~found.settled):
            for whole, one in zip(found[:3], reference(begin + int(k)), strict=True):
                whole[k] = one
        kept.spent += time.perf_counter() - start
        parts.append(found)
    return Closed(*(np.concatenate(same) for same in zip(*parts, strict=True)))


class Closed(NamedTuple):
    """States of many samples.

    Attributes:
        T_0p, V_0p, Vdot_0p: pose, twist and twist rate of the platform.
        settled: which of them a kernel found and stands for, (K,).
    """

    T_0p: np.ndarray
    V_0p: np.ndarray
    Vdot_0p: np.ndarray
    settled: np.ndarray


class _Seen(NamedTuple):
    """What the kernel says of samples, and how coordinates follow.

    Attributes:
        Psi, closing, drift, doubt, joints: outputs of the kernel ``freedom_map``.
        yd_Vr: rates of all six coordinates by ``V_r``.
        yd_closing: change of the coordinates that closes the loops.
    """

    Psi: np.ndarray
    closing: np.ndarray
    drift: np.ndarray
    doubt: np.ndarray
    joints: np.ndarray
    yd_Vr: np.ndarray
    yd_closing: np.ndarray


@dataclass(frozen=True, eq=False)
class Follower:
    """Leads the samples of one robot.

    Attributes:
        assembly: the robot.
        kernel: of its map of freedoms.
    """

    assembly: Assembly
    kernel: Kernel

    @cached_property
    def _natural(self) -> np.ndarray:
        return np.array([self.assembly.length] * 3 + [1.0] * 3)

    @cached_property
    def _free(self) -> list[int]:
        return list(self.assembly.free)

    @cached_property
    def _turns(self) -> bool:
        """Whether a freedom is a rotation."""
        return max(self._free) > 2

    @cached_property
    def _joint_scales(self) -> np.ndarray:
        """Natural size of every link's rates."""
        topology, length = self.assembly.topology, self.assembly.length
        trees = (topology.hub, *(leg.tree for leg in topology.legs))
        return np.concatenate([scale_of_rates(tree, length) for tree in trees])

    def states(self, x: Jet) -> Closed:
        """States of freedoms (K, n) and their rates."""
        start = self.assembly.chart.coordinates(self.assembly.start[0])
        with np.errstate(all="ignore"):  # what is no number is not settled
            y, settled = self._led(start, x.value, _STRIDES[0])
            for shorter in _STRIDES[1:]:
                again = np.flatnonzero(~settled)
                if len(again):
                    y[again], settled[again] = self._led(start, x.value[again], shorter)
            return self._moving(y, x, settled)

    def _led(
        self, start: np.ndarray, x: np.ndarray, stride: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (K, 6) of the platform at freedoms, and whether each sample is trusted."""
        way = x - start[self._free]
        far = np.abs(way / self.assembly.scales.freedoms).max(axis=1)
        good = far < _FARTHEST
        strides = max(int(np.ceil(far[good].max(initial=0.0) / stride)), 1)
        y = np.tile(start, (len(x), 1))
        for k in range(1, strides + 1):
            goal = x if k == strides else start[self._free] + way * (k / strides)
            good &= self._newton(y, goal, last=k == strides)
        return y, good

    def _newton(self, y: np.ndarray, goal: np.ndarray, *, last: bool) -> np.ndarray:
        """Move coordinates to freedoms, loops closed; say which samples did so steadily.

        Rates of the joints must not change much on the way, or the platform might leap over what a
        leg cannot reach.
        """
        good = np.ones(len(y), dtype=bool)
        previous = np.full(len(y), np.inf)
        for k in range(_ROUNDS_AT_THE_END if last else _ROUNDS):
            seen = self._seen(y, np.zeros_like(goal))
            V_r, regular = self._rates(seen, goal - y[:, self._free] - self._part(seen.yd_closing))
            step = _times(seen.yd_Vr, V_r) + seen.yd_closing
            V = _times(seen.Psi, V_r) + seen.closing
            y += step
            y[:, self._free] = goal  # exactly
            size = np.abs(V / self._natural).max(axis=1)
            good &= regular & (seen.doubt[:, 1] < 1.0) & (size < _LARGEST)
            good &= (size < _CONTRACTION * previous) | (size < _FINE)
            if k == 0:
                stride, before = V_r, seen.joints
            elif k == 1:
                good &= self._even(before, seen.joints, stride)
            previous = size
            if (size[good] < _SETTLED).all():
                break
        return good & (size < _SETTLED) if last else good

    def _even(self, before: np.ndarray, after: np.ndarray, V_r: np.ndarray) -> np.ndarray:
        """Whether joints move by a stride of ``V_r`` much as their rates before it say.

        Half the change of their rates is what the next order adds.
        """
        said = np.abs(_times(before, V_r) / self._joint_scales).max(axis=1, initial=0.0)
        change = np.abs(_times(after - before, V_r) / self._joint_scales).max(axis=1, initial=0.0)
        return np.asarray(0.5 * change <= _CONTRACTION * said + _FINE)

    def _moving(self, y: np.ndarray, x: Jet, settled: np.ndarray) -> Closed:
        """Twists and twist rates at coordinates that are led already."""
        chart = self.assembly.chart
        V_r = x.rate
        if self._turns:
            V_r, _ = self._rates(self._seen(y, V_r), V_r)
        seen = self._seen(y, V_r)
        w, wd = y[:, 3:], _times(seen.yd_Vr, V_r)[:, 3:]
        carried = np.zeros_like(y)
        carried[:, 3:] = turns.turning(Jet(w, wd, np.zeros_like(w)))[1]
        drift = _coordinate_rates(w, (seen.drift - carried)[..., None])[..., 0]
        Vdot_r, regular = self._rates(seen, x.acceleration - self._part(drift))
        V, Vdot = _times(seen.Psi, V_r), _times(seen.Psi, Vdot_r) + seen.drift
        good = settled & regular & (seen.doubt.sum(axis=1) < 1.0)
        good &= np.isfinite(V).all(axis=1) & np.isfinite(Vdot).all(axis=1)
        return Closed(_poses(y, chart.R_ref), V, Vdot, good)

    def _seen(self, y: np.ndarray, V_r: np.ndarray) -> _Seen:
        T = _poses(y, self.assembly.chart.R_ref)
        found = self.kernel.run([T, V_r], {})
        both = np.concatenate([found["Psi"], found["closing"][..., None]], axis=2)
        yd = _coordinate_rates(y[:, 3:], both)
        return _Seen(
            found["Psi"],
            found["closing"],
            found["drift"],
            found["doubt"],
            found["joints"],
            yd[..., :-1],
            yd[..., -1],
        )

    def _rates(self, seen: _Seen, xd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``V_r`` (K, n) that gives rates of the freedoms, and where there is one."""
        if not self._turns:  # positions are their own coordinates
            return xd, np.ones(len(xd), dtype=bool)
        xd_Vr = seen.yd_Vr[:, self._free]
        regular = np.abs(np.linalg.det(xd_Vr)) > _SINGULAR
        safe = np.where(regular[:, None, None], xd_Vr, np.eye(len(self._free)))
        return np.linalg.solve(safe, xd[..., None])[..., 0], regular

    def _part(self, y: np.ndarray) -> np.ndarray:
        return y[:, self._free]


@dataclass(eq=False)
class _Kept:
    """What an assembly remembers: the follower, and seconds spent on single samples."""

    follower: Follower | None = None
    spent: float = 0.0
    refused: bool = False

    def build(self, assembly: Assembly) -> None:
        if self.refused:
            return
        try:
            self.follower = Follower(assembly, find_kernel(assembly, "freedom_map", Variant()))
        except TraceError:
            self.refused = True


def _nothing(x: Jet) -> Closed:
    """No sample is settled."""
    count = len(x.value)
    states = [np.full((count, *core), np.nan) for core in ((4, 4), (6,), (6,))]
    return Closed(states[0], states[1], states[2], np.zeros(count, dtype=bool))


def _times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Matrices (K, m, n) times vectors (K, n)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])


def _poses(y: np.ndarray, R_ref: np.ndarray) -> np.ndarray:
    T = np.zeros((len(y), 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = turns.rotations(y[:, 3:]) @ R_ref, y[:, :3], 1.0
    return T


def _coordinate_rates(w: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Rates of position and rotation vector of platforms that move by twists (K, 6, m)."""
    return np.concatenate([twists[:, :3], turns.vector_rates(w) @ twists[:, 3:]], axis=1)
