"""What sensors on the legs see: directions, lengths, some turns and encoders.  [OZ] sections 6, 7

Instead of the platform's pose and its motion, the legs themselves are the input.  A camera sees
where an element points, and how that changes.  Elements that always point the same way, as the two
bars of a parallelogram, are seen as one.  No camera sees how a round strut is turned about itself:
the joints fix that, and it is asked for only where nothing else shows the platform.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from gough.base import spatial
from gough.base.arguments import check_known, number
from gough.base.batch import as_array
from gough.base.once import known_of
from gough.base.result import Result
from gough.base.spatial import Array, collect
from gough.dynamics.elements.decomposition import Key, element_parts
from gough.dynamics.elements.kinematics import ElementState
from gough.dynamics.elements.tips import swung
from gough.errors import InputError, shown
from gough.kinematics.motion import Kinematics
from gough.mechanism.mobility.assembly import Assembly
from gough.robot import Robot
from gough.robot.joint_kinds import KINDS, SLIDE

_NOTHING = np.zeros(0)
_SEEN = 1e-7  # natural units: a motion of the platform that is seen less is not seen


class SensorSet(NamedTuple):
    """Which sensors there are.

    Attributes:
        elements, lengths, turns, encoders: names of what is measured, as in :class:`LegStates`.
        weighted: whether some count more than others.
    """

    elements: tuple[str, ...]
    lengths: tuple[str, ...]
    turns: tuple[str, ...]
    encoders: tuple[str, ...] = ()
    weighted: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Names that have a weight, in order."""
        return tuple(dict.fromkeys((*self.elements, *self.lengths, *self.turns, *self.encoders)))

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of what is measured at one state, and of the weights."""
        return shapes_of(self) | {"weights": (len(self.names) * self.weighted,)}

    def legs(self, known: Mapping[str, Array]) -> LegStates:
        """What these sensors see, arrays by name; those of no sensor may be missing."""
        given = {n: known.get(n, np.zeros(shape)) for n, shape in shapes_of(self).items()}
        weights = (
            {n: known["weights"][i] for i, n in enumerate(self.names)} if self.weighted else None
        )
        return LegStates(
            **given,
            elements=self.elements,
            lengths=self.lengths,
            turns=self.turns,
            encoders=self.encoders,
            weights=weights,
        )


@dataclass(frozen=True, eq=False)
class LegStates(Result):
    """Legs in motion as sensors see them, at one state or at a batch of states (leading axes).

    Attributes:
        elements: names of the elements whose direction is seen, k of them.
        lengths: names of the slides inside legs that are measured, m of them.
        x, xd, xdd: directions and their rates, base axes, ``(..., k, 3)``.
        d, dd, ddd: positions of the slides and their rates, ``(..., m)`` [m, m/s, m/s^2].
        turns: names of the elements whose turn about their own direction is seen, t of them.
        theta: that turn, counted from the smallest swing that takes the element there from home,
            ``(..., t)`` [rad].
        spin, spin_rate: ``omega . x`` and its derivative, ``(..., t)`` [rad/s, rad/s^2].
        encoders: names of the motors whose encoders are read, e of them.
        q, qd, qdd: their positions, rates and accelerations, ``(..., e)``.
        weights: how much each of the names counts beside the others, 1 if it is not given;
            for standard deviations, their reciprocals.
    """

    elements: tuple[str, ...]
    lengths: tuple[str, ...]
    x: np.ndarray
    xd: np.ndarray
    xdd: np.ndarray
    d: np.ndarray = field(default_factory=lambda: _NOTHING)
    dd: np.ndarray = field(default_factory=lambda: _NOTHING)
    ddd: np.ndarray = field(default_factory=lambda: _NOTHING)
    turns: tuple[str, ...] = ()
    theta: np.ndarray = field(default_factory=lambda: _NOTHING)
    spin: np.ndarray = field(default_factory=lambda: _NOTHING)
    spin_rate: np.ndarray = field(default_factory=lambda: _NOTHING)
    encoders: tuple[str, ...] = ()
    q: np.ndarray = field(default_factory=lambda: _NOTHING)
    qd: np.ndarray = field(default_factory=lambda: _NOTHING)
    qdd: np.ndarray = field(default_factory=lambda: _NOTHING)
    weights: Mapping[str, float] | None = None

    def arguments(self) -> dict[str, tuple[np.ndarray, int]]:
        """Arrays and their core axes by name, checked against the names of what is seen."""
        return {
            name: (as_array(getattr(self, name), shape, name), len(shape))
            for name, shape in shapes_of(self).items()
        }

    def with_arrays(self, arrays: Sequence[Any]) -> LegStates:
        """The same sensors with other numbers, or symbols, in the order of the arguments."""
        named = dict(zip(shapes_of(self), arrays, strict=True))
        names = {n: getattr(self, n) for n in ("elements", "lengths", "turns", "encoders")}
        return LegStates(**names, weights=self.weights, **named)

    @property
    def sight(self) -> SensorSet:
        """The sensors, without what they see."""
        elements, lengths, turns, encoders = (
            tuple(names) for names in (self.elements, self.lengths, self.turns, self.encoders)
        )
        return SensorSet(elements, lengths, turns, encoders, self.weights is not None)

    def measured(self) -> dict[str, tuple[np.ndarray, int]]:
        """Arrays of the sensors that there are, and their weights, as quantities take them."""
        weights = np.array([self.weight(name) for name in self.sight.names], dtype=float)
        every, shapes = self.arguments() | {"weights": (weights, 1)}, self.sight.shapes
        return {name: every[name] for name, shape in shapes.items() if all(shape)}

    def weight(self, name: str) -> Any:
        """How much an element, a length or a motor counts; a number or a symbol."""
        return 1.0 if self.weights is None else self.weights.get(name, 1.0)

    def check(self, assembly: Assembly) -> None:
        """Refuse names that the robot does not have."""
        if self.weights is not None and not isinstance(self.weights, Mapping):
            raise InputError(
                f"weights is {shown(self.weights)}, expected numbers by name", argument="weights"
            )
        known = (
            ("elements", self.elements, seen_elements(assembly)),
            ("lengths", self.lengths, seen_lengths(assembly)),
            ("turns", self.turns, spinning_elements(assembly)),
            ("encoders", self.encoders, assembly.robot.motors),
        )
        for what, names, allowed in known:
            for name in names:
                check_known(name, allowed, f"legs: {what} has an unknown name", what)
            if len(set(names)) < len(names):
                raise InputError(f"legs: {what} has a name twice", argument=what)
        every = {*self.elements, *self.lengths, *self.turns, *self.encoders}
        for name, weight in (self.weights or {}).items():
            check_known(name, sorted(every), "legs: weights has an unknown name", "weights")
            number(weight, f"weights[{name!r}]", positive=True)


def shapes_of(legs: LegStates | SensorSet) -> dict[str, tuple[int, ...]]:
    """Shapes of what is seen at one state, in order."""
    k, m, t, e = (len(n) for n in (legs.elements, legs.lengths, legs.turns, legs.encoders))
    found: dict[str, tuple[int, ...]] = {}
    found |= (
        dict.fromkeys(("x", "xd", "xdd"), (k, 3))
        | dict.fromkeys(("d", "dd", "ddd"), (m,))
        | dict.fromkeys(("theta", "spin", "spin_rate"), (t,))
        | dict.fromkeys(("q", "qd", "qdd"), (e,))
    )
    return found


def seen_elements(assembly: Assembly) -> tuple[str, ...]:
    """Elements of the legs that turn, one for all that always point the same way.

    The platform's too, where it is a bar of a leg.
    """
    parts = element_parts(assembly)
    found: list[str] = []
    for branch in parts.branches:
        for way in (*branch.own, *(branch.hub if parts.is_bar(branch) else ())):
            element = parts.elements[parts.element_of[way.body]]
            if element.like not in found and not element.fixed:
                found.append(element.like)
    return tuple(found)


def seen_lengths(assembly: Assembly) -> tuple[str, ...]:
    """Slides inside legs."""
    joints = [way.joint for branch in element_parts(assembly).branches for way in branch.own]
    return tuple(
        axis for joint in joints for axis in joint.axis_names if assembly.axes[axis].what == SLIDE
    )


def spinning_elements(assembly: Assembly) -> tuple[str, ...]:
    """Elements of legs that turn about their own direction, outermost first."""
    parts = element_parts(assembly)
    names = [parts.element_of[way.body] for b in parts.branches for way in b.own]
    return tuple(n for n in dict.fromkeys(names[::-1]) if parts.elements[n].spins)


def length_key(robot: Robot, axis: str) -> Key:
    """The variable of the motion basis that belongs to a slide."""
    name, _, short = axis.partition(".")
    kind = KINDS[robot.joint(name).kind]
    return ("d", name, kind.travel_of(short)[0] if short else 0)


@known_of(Assembly)
def usual_sight(assembly: Assembly) -> SensorSet:
    """What is seen by default: directions, lengths, and turns that are needed.

    A turn is needed where directions and lengths leave a motion of the platform unseen: that of a
    tool which a leg turns about its own direction.
    """
    names, lengths = seen_elements(assembly), seen_lengths(assembly)
    scale, turns = assembly.scales.freedoms, []
    maps = [
        ElementState(Kinematics(assembly, each)).motion_constraints
        for each in assembly.regular_solutions
    ]
    rows = [np.vstack([_seen_rows(M, names, lengths, assembly) * scale]) for M in maps]

    def unseen() -> int:
        ranks = [np.linalg.matrix_rank(row, tol=_SEEN) for row in rows]
        return assembly.mobility - int(min(ranks, default=assembly.mobility))

    left = unseen()
    for name in spinning_elements(assembly) if left else ():
        more = [np.vstack([r, M["spin", name, 0] * scale]) for r, M in zip(rows, maps, strict=True)]
        before, rows = rows, more
        if unseen() < left:
            turns.append(name)
            left = unseen()
        else:
            rows = before
    return SensorSet(names, lengths, tuple(turns))


def _seen_rows(
    M: Mapping[Key, Any], names: Sequence[str], lengths: Sequence[str], assembly: Assembly
) -> np.ndarray:
    rows = [np.asarray(M["x", name, 0], dtype=float) for name in names]
    rows += [
        np.asarray(M[length_key(assembly.robot, n)], dtype=float)[None] / assembly.length
        for n in lengths
    ]
    return np.vstack([np.zeros((0, assembly.mobility)), *rows])


def seen_axes(assembly: Assembly) -> tuple[str, ...]:
    """Axes that sensors measure: slides inside legs, and motors."""
    return tuple(dict.fromkeys((*seen_lengths(assembly), *assembly.robot.motors)))


class Seen(NamedTuple):
    """What sensors see of a state: numbers by names, each with first and second derivative.

    Attributes:
        directions: of elements, base axes ``(k, 3, 3)``.
        turns: of elements about their directions ``(t, 3)``.
        axes: positions of slides and motors ``(a, 3)``, angles nearest home's.
    """

    directions: Array
    turns: Array
    axes: Array


def seen_at(
    here: ElementState, elements: Sequence[str], turns: Sequence[str], axes: Sequence[str]
) -> Seen:
    """What sensors see of a machine in motion, by the names of what is seen."""
    assembly, kin, found = here.assembly, here.kin, here.motion.directions
    pointing = [[here.x[name], found[name].xd, found[name].xdd] for name in elements]
    turning = [[turn_about(here, n), found[n].spin, found[n].spin_rate] for n in turns]
    moving = [
        [assembly.axis_position(here.at, n), kin.axis_rate(n), kin.axis_acceleration(n)]
        for n in axes
    ]
    return Seen(
        collect([collect(each) for each in pointing], empty=(0, 3, 3)),
        *(collect([collect(e) for e in each], empty=(0, 3)) for each in (turning, moving)),
    )


def turn_about(here: ElementState, name: str) -> Array:
    """How far an element is turned about its direction, from the smallest swing from home [rad]."""
    left = here.poses[name].R @ swung(here.assembly, here.parts, name, here.x[name]).T
    return np.arctan2(spatial.unskew(left) @ here.x[name], (np.trace(left) - 1.0) / 2.0)
