"""Straight ways from assembled states, followed until a limit or a singularity ends them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.english import digits, listed
from gough.dynamics.quantities.axes import bounded_axes
from gough.errors import InputError, SingularPose
from gough.evaluation.loops.closing import RELAXED, Closer, States
from gough.evaluation.loops.steps import Arrays
from gough.mechanism.closure.axes import is_turn
from gough.mechanism.mobility.measures import part_names
from gough.mechanism.mobility.newton import CONTRACTION
from gough.mechanism.mobility.singular import SINGULAR
from gough.singularity.distances import measures_of
from gough.singularity.legs import loose_freedoms
from gough.singularity.state import StateSingularity
from gough.singularity.workspace.flood import chunks
from gough.singularity.workspace.measures import determinant, limit_margins

STEP = 0.05
"""Longest step of a way, natural units: between two steps nothing is looked at."""

WIDE = 0.1
"""The same between points of a lattice, which were reached in steps of a cell already."""

# Where a way ends at a singularity, its singular value is about the root of the last step, or the
# last step itself: 1e-3 for steps of 1e-6.  Ends of another kind show 0.1 and more.
_AT_SINGULARITY = 0.02
# Ends of combined searches stop short of limits that they slide along: so near is at a limit.
_NEAR_STROKE, _NEAR = 0.01, 1e-3  # share of the axis's stroke, and at most this in natural units
_AGAIN = 3  # steps in a row that hold before they grow again
_MODES = 6  # smallest squares of singular values of the closure rows that are followed


class Ends(NamedTuple):
    """Where K ways end.

    Attributes:
        share: of each way that is free ``(K,)``; 1 for all of it.
        last: the last states that are free.
        refused: the states behind them, which are not: beyond a limit or a singularity, or not
            closed at all.  Meaningless for ways that are free.
    """

    share: np.ndarray
    last: States
    refused: States


class Walker:
    """Moves a robot through states that are free: closed, within limits, not across singularities.

    Free means connected with home: every state is continued from one that is free in steps of at
    most :data:`STEP`, on the same side of every Type 1, Type 2 and constraint singularity.

    Args:
        closer: of the robot.
        limits: whether limits of axes count.
        side: sign of the motors' determinant of free states; home's if not given.

    Raises:
        InputError: home is beyond a limit.
        SingularPose: home is singular.
    """

    def __init__(self, closer: Closer, *, limits: bool = True, side: float | None = None) -> None:
        self.closer, self.assembly = closer, closer.assembly
        self.limited = bounded_axes(self.assembly) if limits else []
        if side is None:
            self._check_home()
            judged = closer.judged(closer.home)
            # 1 unless there are as many motors as freedoms
            side = float(np.sign(determinant(self.assembly, judged["J_inv"])[0]))
        self.side = side

    def free(self, states: States) -> np.ndarray:
        """Whether states are closed, within limits and on home's side of Type 2 ``(K,)``."""
        found = states.good.copy()
        good = np.flatnonzero(found)
        for part in chunks(len(good)):
            judged = self.closer.judged(states.at(good[part]))
            left = self._limit_margins(judged).min(axis=(1, 2), initial=np.inf)
            found[good[part]] = (left >= 0.0) & (self._side_margins(judged) > 0.0)
        return found

    def margins(self, states: States) -> np.ndarray:
        """What is left before everything that ends a way, positive in free states ``(K, c)``.

        Before the lower and the upper limit of every limited axis, natural units; before Type 2:
        the motors' determinant; before Type 1 and constraint singularities: squares of the smallest
        singular values of the closure rows.
        """
        judged = self.closer.judged(states)
        rows = judged["rows"]
        squares = np.linalg.eigvalsh(rows.swapaxes(1, 2) @ rows)[:, :_MODES]
        limits = self._limit_margins(judged).reshape(len(rows), 2 * len(self.limited))
        return np.column_stack([limits, self._side_margins(judged), squares])

    def continued(self, states: States, goal: np.ndarray, contraction: float) -> States:
        """States continued to near freedoms ``(K, n)``; good where they are free."""
        found = self.closer.continued(states, goal, contraction=contraction)
        return found._replace(good=self.free(found))

    def walked(
        self,
        begin: States,
        goal: np.ndarray,
        tolerance: float | np.ndarray,
        step: float = STEP,
        relative: float = 0.0,
    ) -> Ends:
        """Straight ways followed as far as they are free.

        Steps are halved where one is refused, until they are shorter than the larger tolerance.

        Args:
            begin: free states ``(K,)``.
            goal: freedoms at the ends of the ways ``(K, n)``.
            tolerance: to which ends are found, as a share of the way.
            step: the longest one, natural units.
            relative: to which ends are found besides, as a share of what is free of the way: where
                that may be any small part of it.
        """
        start = begin.y[:, self.closer.free]
        way = goal - start
        far = np.linalg.norm(way / self.assembly.scales.freedoms, axis=1)
        longest = np.minimum(1.0, step / np.maximum(far, 1e-300))
        least = np.minimum(np.broadcast_to(tolerance, len(way)), longest)
        last, refused = (States(*(a.copy() for a in begin)) for _ in range(2))
        share, stride = np.zeros(len(way)), longest.copy()
        held = np.zeros(len(way), dtype=int)
        now = np.arange(len(way))
        while len(now):
            aim = np.minimum(1.0, share[now] + stride[now])
            # near the border of reach, where branches meet, Newton's steps shrink slowly
            short = stride[now] < longest[now]
            there = States(*(a.copy() for a in last.at(now)))
            for some, contraction in ((~short, CONTRACTION), (short, RELAXED)):
                if not some.any():
                    continue
                goals = start[now[some]] + aim[some, None] * way[now[some]]
                there.put(some, self.continued(last.at(now[some]), goals, contraction))
            good = there.good
            last.put(now[good], there.at(good))
            refused.put(now[~good], there.at(~good))
            share[now] = np.where(good, aim, share[now])
            held[now] = np.where(good, held[now] + 1, 0)
            grown = np.where(held[now] >= _AGAIN, 2.0, 1.0)
            stride[now] = np.minimum(longest[now], stride[now] * np.where(good, grown, 0.5))
            enough = np.maximum(least[now], relative * share[now])
            now = now[(share[now] < 1.0) & (stride[now] >= enough)]
        return Ends(share, last, refused)

    def reasons(self, ends: Ends) -> list[str]:
        """What ends each of the ways, in words; empty for ways that are free."""
        return ["" if s >= 1.0 else self._reason(ends, k) for k, s in enumerate(ends.share)]

    def near(self, state: States) -> str:
        """Limits and singularities that one state is near to, in words."""
        judged = self.closer.judged(state)
        left = self._limit_margins(judged)[0]
        # what is left before both limits of an axis is its stroke
        margin = np.minimum(_NEAR, _NEAR_STROKE * left.sum(axis=1))
        found = []
        for side, word in enumerate(("lower", "upper")):
            names = [self.limited[i] for i in np.flatnonzero(left[:, side] < margin)]
            if names:
                found.append(f"{word} limit{'s' if len(names) > 1 else ''} of {listed(names)}")
        values = self._singular(judged, state)
        found += [kind for kind, value in values.items() if value < _AT_SINGULARITY]
        return ", ".join(found) or "a turning point of the border"

    def _nearest_limit(self, judged: Arrays) -> str:
        """Name of the limit that one state is farthest beyond, or nearest to, with its value."""
        left = self._limit_margins(judged)[0]
        axis, side = np.unravel_index(int(left.argmin()), left.shape)
        name = self.limited[axis]
        limits = self.assembly.robot.axis(name).limits.position or (np.nan, np.nan)
        value, stroke = limits[side], limits[1] - limits[0]
        many, turn = digits(value, stroke), is_turn(self.assembly.axes[name])
        shown = f"{np.degrees(value):.{many}g} deg" if turn else f"{value:.{many}g} m"
        return f"{'upper' if side else 'lower'} limit of {name} ({shown})"

    def _reason(self, ends: Ends, k: int) -> str:
        # a state behind a limit is closed; behind a singularity of a leg there may be none
        last, refused = self.closer.judged(ends.last.at([k])), ends.refused.at([k])
        if np.isfinite(refused.y).all() and np.isfinite(refused.joints).all():
            behind = self.closer.judged(refused)
            left, before = (
                self._limit_margins(each).min(initial=np.inf) for each in (behind, last)
            )
            if left < 0.0 and before < _AT_SINGULARITY:
                return self._nearest_limit(behind)
        name, value = min(self._singular(last, ends.last.at([k])).items(), key=lambda item: item[1])
        return name if value < _AT_SINGULARITY else "reach: the loops cannot be followed further"

    def _singular(self, judged: Arrays, state: States) -> dict[str, float]:
        """Distances of one state to all kinds of singularities, by what they are called."""
        seen = measures_of(self.assembly, judged, self.assembly.length)
        legs = dict(zip(part_names(self.assembly), seen.legs[0].tolist(), strict=True))
        if seen.freedoms[0] < _AT_SINGULARITY:
            # a leg without a joint at the platform: the platform's origin is its end
            look = StateSingularity(self.assembly, self.closer.state(state, 0))
            legs |= {leg.leg: float(seen.freedoms[0]) for leg in loose_freedoms(look)}
        found = {
            f"reach: leg {name} is stretched or folded (Type 1)": v for name, v in legs.items()
        }
        found["constraint singularity"] = float(seen.constraint[0])
        found["Type 2 singularity"] = float(seen.type_2[0])
        return found

    def _limit_margins(self, judged: Arrays) -> np.ndarray:
        """What is left before limits that count ``(K, b, 2)``."""
        if not self.limited:
            return np.zeros((len(judged["bounded"]), 0, 2))
        return limit_margins(self.assembly, self.limited, judged["bounded"])[1]

    def _side_margins(self, judged: Arrays) -> np.ndarray:
        """The motors' determinant, positive on home's side ``(K,)``."""
        return self.side * determinant(self.assembly, judged["J_inv"])

    def _check_home(self) -> None:
        robot, judged = self.assembly.robot, self.closer.judged(self.closer.home)
        if self._limit_margins(judged).min(initial=np.inf) < 0.0:
            raise InputError(
                f"{robot.name}: home is beyond the {self._nearest_limit(judged)}",
                hint="Take a home within the limits, or limits=False (--no-limits in a command).",
                argument="limits",
            )
        seen = measures_of(self.assembly, judged, self.assembly.length)
        values = {"Type 1": seen.type_1, "constraint": seen.constraint, "Type 2": seen.type_2}
        for kind, value in values.items():
            if not value[0] > SINGULAR:
                raise SingularPose(
                    f"{robot.name}: home is on a {kind} singularity, and on no side of it",
                    hint="Take another home: robot.rehomed(...).",
                )
