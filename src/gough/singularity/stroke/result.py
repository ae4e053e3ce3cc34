"""What was found of Type 2 within the stroke: figures, a table of corners, a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gough.base.english import aligned, counted, listed, quoted
from gough.mechanism.mobility.singular import SINGULAR
from gough.singularity.nearest import NearestTypeTwo
from gough.singularity.stroke.ways import CONSTRAINT, LIMIT, LOST, REACHED, TYPE_2

_SHOWN = 8  # corners that a text shows
ENDS = {
    REACHED: "reached",
    TYPE_2: "ends in a Type 2 singularity",
    LIMIT: "ends at the limit of {axis}",
    CONSTRAINT: "ends in a constraint singularity",
    LOST: "ends where no pose continues it",
}


class Corner(NamedTuple):
    """The way of the motors from the start straight to a corner of their stroke.

    Attributes:
        corner: ``-`` for a motor at its lowest, ``+`` at its highest, in the order of
            ``robot.motors``; a motor that follows the others (redundant) has a dot.
        q_a: positions of the motors where the way ends ``(m,)`` [rad or m].
        end: why it ends: ``reached``, ``Type 2``, ``limit``, ``constraint`` or ``lost``.
        axis: of a ``limit`` the joint axis whose limit it is.
        share: of the way that is done there; 1 if the corner is reached.
        smallest: the smallest measure of Type 2 on the way.
    """

    corner: str
    q_a: np.ndarray
    end: str
    axis: str
    share: float
    smallest: float

    def rank(self) -> tuple[bool, float]:
        """Order of interest: singular ways, the shortest first, then by the smallest measure."""
        singular = self.end == TYPE_2
        return not singular, self.share if singular else self.smallest

    @property
    def words(self) -> str:
        """How the way ends."""
        text = ENDS[self.end].format(axis=repr(self.axis))
        return text if self.end == REACHED else f"{text} at {100.0 * self.share:.3g} %"


@dataclass(frozen=True, eq=False, kw_only=True)
class TypeTwoInStroke(NearestTypeTwo):
    """The smallest measure of Type 2 that was found within the limits of a robot.

    It is what a search has found, not a bound: a smaller one may exist.

    Attributes:
        found: whether a Type 2 singularity was found within the limits.
        measure: the smallest measure of Type 2 found, natural units; below 1e-6 on a singularity.
        at_start: the measure where the search starts.
        T_0p: pose of the smallest measure; of several singular poses the one that is met first on
            the way from the start.
        q_a: positions of the motors there ``(m,)`` [rad or m].
        motors: their names.
        at_limits: axes that are at a limit there, and which: ``lowest`` or ``highest``.
        on_the_way: which way led there: the corner, or the number of the start.
        corners: every corner that was followed.
        all_corners: number of corners of the stroke; more than were followed if there are many.
        starts: number of further goals within the stroke.
        ends: how many ways of corners and starts ended in which way.
        stopped_by: how many ended at the limit of which axis.
        distance: of that pose from the start, see :class:`NearestTypeTwo`.
        radius: infinite: limits bound the search.
        agreed: descents that ended within 1 % of the smallest measure, of all.
        free, branch, displacement: of that pose, singular or not; ``free`` is the motion that the
            motors feel least.
    """

    measure: float = np.nan
    at_start: float = np.nan
    q_a: np.ndarray = field(default_factory=lambda: np.zeros(0))
    motors: tuple[str, ...] = ()
    at_limits: Mapping[str, str] = field(default_factory=dict)
    on_the_way: str = ""
    corners: tuple[Corner, ...] = ()
    all_corners: int = 0
    starts: int = 0
    ends: Mapping[str, int] = field(default_factory=dict)
    stopped_by: Mapping[str, int] = field(default_factory=dict)

    def lines(self) -> list[tuple[str, str]]:
        """The verdict, where it is, how it was searched, and the corners with the least measure."""
        displacement = np.zeros(0) if self.displacement is None else self.displacement
        moved = zip(self.freedoms, displacement, strict=True)
        found = [
            ("Type 2 within the stroke", self.sentence),
            ("motors there", ", ".join(f"{n} {q:.6g}" for n, q in self._there())),
            ("from the start", ", ".join(f"{name} {_shown(x)}" for name, x in moved)),
        ]
        if self.at_limits:
            sides = [f"{name} {side}" for name, side in self.at_limits.items()]
            found.append(("at limits", ", ".join(sides)))
        found += [
            (f"corner {c.corner}", f"smallest measure {_shown(c.smallest)}, {c.words}")
            for c in sorted(self.corners, key=Corner.rank)[:_SHOWN]
        ]
        left = len(self.corners) - _SHOWN
        if left > 0:
            found.append(("other corners", f"{left} more, in .corners and with --json"))
        return found

    def __str__(self) -> str:
        return aligned(self.lines())

    def columns(self) -> dict[str, np.ndarray]:
        """One row a corner: its signs, how its way ends, and the motors there."""
        names = ("corner", "end", "axis", "share", "smallest")
        found = {name: np.array([getattr(c, name) for c in self.corners]) for name in names}
        q = np.array([c.q_a for c in self.corners]).reshape(len(self.corners), -1).T
        return found | {f"q_{i}": column for i, column in enumerate(q)}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain words, numbers and lists."""
        return super().to_dict() | {"corners": [_row(corner) for corner in self.corners]}

    def searched(self) -> str:
        """How many ways were followed, and what became of them."""
        count = len(self.corners)
        some = f" of {self.all_corners}" if self.all_corners > count else ""
        text = f"{count}{some} corners and {counted(self.starts, 'start')}"
        missed = {end: n for end, n in self.ends.items() if end != REACHED and n}
        if not missed:
            return f"{text}, all reached"
        limit = f"at a limit ({quoted(self.stopped_by)})"
        words = {TYPE_2: "in a Type 2 singularity", LIMIT: limit}
        words |= {CONSTRAINT: "in a constraint singularity", LOST: "where no pose continues"}
        parts = [f"{n} end{'s' if n == 1 else ''} {words[end]}" for end, n in missed.items()]
        return f"{text}: {self.ends.get(REACHED, 0)} reached, {listed(parts)}"

    def _there(self) -> list[tuple[str, float]]:
        return list(zip(self.motors, self.q_a.tolist(), strict=True))


def _shown(x: float) -> str:
    """A figure to four digits; what is below the bound of singularities is zero."""
    return "0" if abs(x) < SINGULAR else f"{x:.4g}"


def _row(corner: Corner) -> dict[str, Any]:
    return corner._asdict() | {"q_a": corner.q_a.tolist()}
