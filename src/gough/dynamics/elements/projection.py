"""Legs whose differential model needs no inversion: projections and divisions.  [OZ] (39)-(46)

A leg's tip moves as the platform says.  Its last element points from where the rest of the leg ends
to the tip; projected onto it, only what changes the leg's reach is left.  Where that is one scalar
(a crank's rate, a slide's, its own length's), a division gives it, [OZ] (41); what remains of the
tip's velocity is the last direction's rate times a length, [OZ] (43).  Spins follow from what a
joint forbids, one division each.  Which steps a leg takes is found once, from several states.

A leg that is regular may pass states at which one of these divisors vanishes, because another row
tells the same scalar there, as a shoulder that turns with the yaw axis below it.  Numbers are then
left to the factorisation of all rows; a program watches its divisors, as it does its pivots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gough.base.conditions import LargeDivisor
from gough.base.spatial import Array, collect, cross
from gough.dynamics.elements.decomposition import Key
from gough.dynamics.elements.partials import V_KEY, applied, by_rate
from gough.robot import Joint

if TYPE_CHECKING:
    from gough.dynamics.elements.kinematics import ElementState

# A divisor is the cosine between the last element and the tip's motion, or the share of a spin in a
# row, natural units.  One below this costs three digits: a bad choice of pivot, which a
# factorisation avoids where the leg is regular.
_LEAST = 1e-3


class Crank(NamedTuple):
    """An element on a revolute joint, the rest of which is known: one rate moves it.

    Attributes:
        element: the crank.
        joint: its joint.
        rows: numbers of the rows that forbid other turns.
        unit: number of the row of its unit vector.
    """

    element: str
    joint: Joint
    rows: tuple[int, ...]
    unit: int


class Reach(NamedTuple):
    """A closed loop gives the rate of its last element, and one scalar before it.

    Attributes:
        joint: that closes the loop.
        gap: numbers of its three rows.
        last: the last element.
        unit: number of the row of its unit vector.
        crank: whose rate is the scalar, if it is a crank's.
        length: or the length whose rate it is.
    """

    joint: Joint
    gap: tuple[int, ...]
    last: str
    unit: int
    crank: Crank | None
    length: Key | None

    def given(self) -> set[Key]:
        """Variables that are known after the step."""
        found: set[Key] = {("x", self.last, 0)}
        if self.crank is not None:
            found |= {("x", self.crank.element, 0), ("spin", self.crank.element, 0)}
        return found | ({self.length} if self.length is not None else set())


class Spin(NamedTuple):
    """A row gives an element's spin once its direction's rate is known."""

    element: str
    row: int

    def given(self) -> set[Key]:
        """Variables that are known after the step."""
        return {("spin", self.element, 0)}


Step = Reach | Spin


# carrying steps out


def divides_well(state: ElementState, steps: Sequence[Step]) -> bool:
    """Whether no divisor of some steps is small; where one is, a factorisation has to do it.

    A program knows that they are large around home, and judges them in every state.
    """
    return bool(state.kin.rules.known(lambda: True)) or all(
        _smallest_divisor(state, step) >= _LEAST for step in steps
    )


def run(state: ElementState, steps: Sequence[Step], right: Sequence[Array]) -> dict[Key, Array]:
    """Variables of the motion basis, one after the other.

    ``right`` are the right sides of all rows: scalars, or rows with a column for each.
    """
    found: dict[Key, Array] = {}
    for step in steps:
        if isinstance(step, Spin):
            _spin(state, step, right, found)
        else:
            _reached(state, step, right, found)
    return found


def _smallest_divisor(state: ElementState, step: Step) -> float:
    """The least that a step divides by, natural units, of a state of numbers."""
    if isinstance(step, Spin):
        return abs(float(state.constraints[step.row].row["spin", step.element, 0]))
    length = state.assembly.length
    least = abs(float(state.gap(step.joint)["x", step.last, 0][0, 0])) / length
    if step.crank is None and step.length is None:
        return least
    nothing = [np.float64(0.0)] * len(state.constraints)
    slope = np.asarray(_scalar_in_gap(state, step, nothing, _zeros(state))[0], dtype=float)
    size = float(np.linalg.norm(slope))
    cosine = abs(float(state.x[step.last] @ slope)) / max(size, 1e-300)
    return min(least, cosine, size / _unit(step, length))


def _divisor(state: ElementState, value: Array, natural: float) -> Array:
    """A number that is divided by, which must not be small beside its natural size."""
    return state.kin.rules.require(LargeDivisor(value, natural)).divisor


def _unit(step: Reach, length: float) -> float:
    """Natural size of how a tip moves by a step's scalar: per rad [m], or per metre."""
    return length if step.length is None else 1.0


def _spin(state: ElementState, step: Spin, right: Sequence[Array], found: dict[Key, Array]) -> None:
    key: Key = ("spin", step.element, 0)
    row, b = state.constraints[step.row].row, right[step.row]
    for other, block in row.items():
        if other not in (key, V_KEY):
            b = b - applied(other, block, found[other])
    found[key] = b * (1.0 / _divisor(state, row[key], 1.0))


def _reached(
    state: ElementState, step: Reach, right: Sequence[Array], found: dict[Key, Array]
) -> None:
    """Equations: [OZ] (39)-(43)."""
    gap, x = state.gap(step.joint), state.x[step.last]
    b = collect([right[i] for i in step.gap])
    last: Key = ("x", step.last, 0)
    for key, block in gap.items():
        if key in found:
            b = b - applied(key, block, found[key])
    length = state.assembly.length
    rho = _divisor(state, gap[last][0, 0], length)
    if step.crank is not None or step.length is not None:
        slope, constant = _scalar_in_gap(state, step, right, found)
        b = b - constant
        divisor = _divisor(state, x @ slope, _unit(step, length))
        rate = (x @ b - right[step.unit] * rho) * (1.0 / divisor)  # [OZ] (39)-(41)
        _give(state, step, rate, right, found)
        b = b - by_rate(slope, rate)  # [OZ] (42)
    found[last] = b * (1.0 / rho)  # [OZ] (43)


def _scalar_in_gap(
    state: ElementState, step: Reach, right: Sequence[Array], found: Mapping[Key, Array]
) -> tuple[Array, Array]:
    """What the scalar adds to the gap per unit, and what is there without it."""
    gap = state.gap(step.joint)
    if step.length is not None:
        return gap[step.length], 0.0
    if step.crank is None:
        raise RuntimeError("a loop without a scalar has no slope")
    z, turned = _axis(state, step.crank), _without(state, step.crank, right, found)
    x, name = state.x[step.crank.element], step.crank.element
    block, spin = gap["x", name, 0], gap.get(("spin", name, 0))
    u = right[step.crank.unit]
    slope = block @ cross(z, x)
    constant = block @ (_crossed(turned, x) + by_rate(x, u))
    if spin is not None:
        slope, constant = slope + spin * (z @ x), constant + by_rate(spin, x @ turned)
    return slope, constant


def _give(
    state: ElementState,
    step: Reach,
    rate: Array,
    right: Sequence[Array],
    found: dict[Key, Array],
) -> None:
    """Write down what follows from the scalar."""
    if step.length is not None:
        found[step.length] = rate
    if step.crank is None:
        return
    name, x, z = step.crank.element, state.x[step.crank.element], _axis(state, step.crank)
    turned = _without(state, step.crank, right, found)
    still = _crossed(turned, x) + by_rate(x, right[step.crank.unit])
    found["x", name, 0] = by_rate(cross(z, x), rate) + still  # xdot = qdot z x x, [OZ] (44)
    if state.spins(name):
        found["spin", name, 0] = rate * (z @ x) + x @ turned  # erratum OZ-3


def _axis(state: ElementState, crank: Crank) -> Array:
    return state.at.frames(crank.joint)[0].R[:, 2]


def _without(
    state: ElementState, crank: Crank, right: Sequence[Array], found: Mapping[Key, Array]
) -> Array:
    """Angular velocity of a crank whose own rate is zero."""
    child = state.parts.element_of[crank.joint.child] == crank.element
    other = crank.joint.parent if child else crank.joint.child
    w: Array = 0.0
    for key, block in state.omega(other).items():
        w = w + applied(key, block, found[key])
    for i in crank.rows:
        w = w + by_rate(state.constraints[i].n, right[i]) * (1.0 if child else -1.0)
    return w


def _crossed(w: Array, x: Array) -> Array:
    """``w x x``, for one vector or for columns."""
    if len(w.shape) == 1:
        return cross(w, x)
    return collect([cross(w[:, k], x) for k in range(w.shape[1])]).T


# finding steps


def find_steps(
    states: Sequence[ElementState], keys: Sequence[Key], rows: Sequence[int]
) -> tuple[Step, ...] | None:
    """How variables that rows tie together follow one after the other; ``None`` if not so."""
    search = _Search(states, set(keys), rows)
    steps: list[Step] = []
    while search.left:
        step = search.spin() or search.reach()
        if step is None:
            return None
        steps.append(step)
        search.left -= step.given()
    return tuple(steps)


class _Search:
    """Steps that can be taken next."""

    def __init__(self, states: Sequence[ElementState], keys: set[Key], rows: Sequence[int]) -> None:
        self.states, self.left, self.rows = states, keys, rows
        self.kinds = states[0].constraints

    def unknown(self, row: Mapping[Key, Array]) -> set[Key]:
        """Variables of a row that are not known yet."""
        return self.left & set(row)

    def numbers(self, kind: str, of: str) -> tuple[int, ...]:
        """Rows of a kind, of an element or a joint."""
        return tuple(i for i in self.rows if self.kinds[i][:2] == (kind, of))

    def spin(self) -> Spin | None:
        """A spin that is all that is unknown in a row; of such rows the one that feels it most."""
        best, found = _LEAST, None
        for i in self.rows:
            unknown = self.unknown(self.kinds[i].row)
            if len(unknown) == 1 and (key := next(iter(unknown)))[0] == "spin":
                size = min(abs(float(each.constraints[i].row[key])) for each in self.states)
                if size > best:
                    best, found = size, Spin(key[1], i)
        return found

    def reach(self) -> Reach | None:
        """A loop that can be solved."""
        for joint in self.states[0].parts.closing:
            gap = self.numbers("gap", joint.name)
            if len(gap) != 3:
                continue
            unknown = self.unknown(self.states[0].gap(joint))
            for key in sorted(unknown):
                step = self._reached(joint, gap, key, unknown - {key}) if key[0] == "x" else None
                if step is not None:
                    return step
        return None

    def _reached(
        self, joint: Joint, gap: tuple[int, ...], last: Key, rest: set[Key]
    ) -> Reach | None:
        if not all(self._points(each, joint, last) for each in self.states):
            return None
        (unit,) = self.numbers("unit", last[1])
        step = Reach(joint, gap, last[1], unit, None, None)
        if not rest:
            return step
        crank, length = self._crank(rest), next(iter(rest))
        if crank is None and (len(rest) > 1 or length[0] != "d"):
            return None
        step = step._replace(crank=crank, length=None if crank else length)
        # a scalar that does not move the tip, or moves it across the last element, is not seen here
        seen = all(_smallest_divisor(each, step) >= _LEAST for each in self.states)
        return step if seen else None

    def _points(self, state: ElementState, joint: Joint, last: Key) -> bool:
        """Whether an element enters a gap by a multiple of its rate, and by nothing else."""
        gap = state.gap(joint)
        block = np.asarray(gap[last], dtype=float)
        rho = float(block[0, 0])
        plain = not np.any(block - rho * np.eye(3)) and ("spin", last[1], 0) not in gap
        return plain and abs(rho) > _LEAST * state.assembly.length

    def _crank(self, rest: set[Key]) -> Crank | None:
        """The crank that some variables belong to, if its other body's motion is known."""
        state = self.states[0]
        names = {key[1] for key in rest if key[0] in ("x", "spin")}
        if len(names) != 1 or any(key[0] == "d" for key in rest):
            return None
        (name,) = names
        for joint in state.parts.robot.joints:
            of = [state.parts.element_of[body] for body in (joint.parent, joint.child)]
            if joint.kind != "revolute" or name not in of or of[0] == of[1]:
                continue
            other = joint.child if of[0] == name else joint.parent
            if state.platform not in of and not self.unknown(state.omega(other)):
                (unit,) = self.numbers("unit", name)
                return Crank(name, joint, self.numbers("turn", joint.name), unit)
        return None


def _zeros(state: ElementState) -> dict[Key, Array]:
    """A basis that does not move, to look at coefficients."""
    return {key: np.zeros(3) if key[0] == "x" else np.float64(0.0) for key in state.unknowns}
