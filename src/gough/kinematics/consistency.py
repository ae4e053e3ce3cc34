"""The condition that a twist and a twist rate are within the robot's mobility."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gough.base import english as words
from gough.base.conditions import Condition, Tolerances, share_of, sum_of_sizes
from gough.base.spatial import Array, total
from gough.errors import InconsistentTwist, InputError
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.dense import platform_scales
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly

TOLERANCE = 1e-8
"""Largest part of a twist, relative to the whole in natural units, that the legs may forbid.

Twists that come from numerical derivatives in float64 keep some nine digits.
"""

FLOOR = 1e-12
"""Part of a twist or of its rates, natural units, that is rounding however slow the motion is.

Sums of numbers of order one leave 1e-16 to 1e-14.  Natural is the robot's length over the time in
which a pendulum of that length swings: at this bound efforts change by 1e-12 of the weight.
"""

NAMES = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")
_WORDS = {
    "V_0p": ("twist", ""),
    "Vdot_0p": ("twist rate", "d/dt "),
    "Vddot_0p": ("second derivative of the twist", "d2/dt2 "),
}
_ORDER = {"V_0p": 1, "Vdot_0p": 2, "Vddot_0p": 3}
_STATES = (
    ("x, xd, xdd", "twist and twist rate"),
    ("x, xd, xdd, xddd", "twist with both its derivatives"),
)


class Sizes(NamedTuple):
    """Squares of a speed and of an acceleration, natural units [rad^2/s^2, rad^2/s^4].

    Of motions that a twist and a twist rate are differences of, and whose rounding they have: those
    of a robot whose base moves, seen from that base.
    """

    speed: Array = 0.0
    growth: Array = 0.0


NO_SIZES = Sizes()


@dataclass(frozen=True)
class AllowedTwists(Condition):
    """The legs allow a twist, and a twist rate.

    Attributes:
        kin: the machine in that motion; of symbols with constants in their places.
        given: twist and twist rate, as far as they were given, without constants put in.
        taken_off: how fast what they are differences of moves.
    """

    kin: Kinematics
    given: Sequence[Array]
    taken_off: Sizes = NO_SIZES

    def refuse(self) -> None:
        """Refuse the first of them that the legs forbid, by its worst component."""
        if not self.given:
            return
        kin, taken_off = self.kin, self.taken_off
        assembly, solution = kin.assembly, kin.solution
        check_twist(assembly, solution, kin.V, taken_off=taken_off)
        if len(self.given) > 1 and assembly.mobility < 6:  # nothing is forbidden to six freedoms
            check_twist(
                assembly, solution, kin.Vdot, biases=kin.biases, twist=kin.V, taken_off=taken_off
            )

    def share(self, accept: Tolerances) -> Array:
        """Squares of what is forbidden of each, beside its size."""
        kin, assembly = self.kin, self.kin.assembly
        if assembly.mobility == 6 or not self.given:
            return 0.0
        settled = [kin.V, kin.Vdot][: len(self.given)]
        pairs = list(zip(self.given, settled, strict=True))
        off = [_unsettled_part(assembly, raw, known) for raw, known in pairs]
        if assembly.constant_Psi is None:
            # in one sum with the first part: one division for each of the two, not two
            forbidden = _forbidden_parts(kin, len(pairs))
            off = [a + b for a, b in zip(off, forbidden, strict=True)]
        squares = [
            natural_square(known, assembly.length) + more
            for known, more in zip(settled, self.taken_off, strict=False)
        ]
        if len(squares) > 1:  # accelerations may cancel what velocities make of them
            squares[1] = squares[1] + squares[0] * squares[0]
        return total(
            share_of(a, square, accept, natural_floor(assembly, order))
            for order, (a, square) in enumerate(zip(off, squares, strict=True), start=1)
        )


def natural_square(V: Array, length: float) -> Array:
    """Square of a twist's size in natural units."""
    return (V[:3] @ V[:3]) * (1.0 / length**2) + V[3:] @ V[3:]


def _unsettled_part(assembly: Assembly, given: Array, settled: Array) -> Array:
    """How far constant components of a twist are from what they should be, natural units."""
    dependent = [
        i
        for i in range(6)
        if i not in assembly.free and not np.isnan(assembly.constant_rows[i]).any()
    ]
    units = assembly.scales.twist.tolist()
    return sum_of_sizes((given[i] - settled[i]) * (1.0 / units[i]) for i in dependent)


def _forbidden_parts(kin: Kinematics, count: int) -> Iterator[Array]:
    """What rows that are no pivots forbid of the twist, and of the twist rate if it is given."""
    solution, V, rates = kin.solution, kin.V, kin.rates
    z = np.concatenate([V, rates.hub]) if len(rates.hub) else V
    demanded = [block.times(z) for block in solution.blocks]
    yield _forbidden_part(kin.assembly, solution, V, rates, demanded)
    if count > 1:
        later = kin.accelerations
        demanded = solution.demands(V, kin.Vdot, rates, later.hub)
        biases = kin.biases if len(rates.hub) else None
        yield _forbidden_part(kin.assembly, solution, kin.Vdot, later, demanded, biases)


def _forbidden_part(
    assembly: Assembly,
    solution: Solution,
    V: Array,
    rates: Rates,
    demanded: Sequence[Sequence[Array]],
    right: RightSide | None = None,
) -> Array:
    """Residuals of rows that are no pivots, for a twist or a twist rate, natural units.

    Args:
        assembly: the robot.
        solution: the state.
        V: twist or twist rate.
        rates: what follows from it.
        demanded: right sides of every leg.
        right: biases of a twist rate, for a hub with joints.
    """
    off: Array = 0.0
    for i, (own, factor) in enumerate(zip(assembly.scales.rows[1:], solution.factors, strict=True)):
        if factor.left_over:
            found = factor.remainder(rates.legs[i], demanded[i])
            for row, rest in zip(factor.left_over, found, strict=True):
                off = off + np.abs(rest) * (1.0 / own[row])
    if solution.plans.hub.columns:
        missed = solution.hub_remainder(V, rates.hub, right)
        units = platform_scales(solution, assembly.length)
        off = off + sum_of_sizes(x * (1.0 / u) for x, u in zip(missed, units, strict=True))
    return off


def check_twist(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    *,
    biases: RightSide | None = None,
    twist: np.ndarray | None = None,
    taken_off: Sizes = NO_SIZES,
) -> None:
    """Refuse a twist that the legs do not allow, or a twist rate, given biases and twist."""
    if assembly.mobility == 6:
        return
    free = list(assembly.free)
    expected = solution.complete(V[free], biases)
    if twist is None:
        _check(assembly, solution, expected, {"V_0p": V}, float(np.sqrt(taken_off.speed)))
        return
    rest = solution.complete(np.zeros(len(free)), biases)
    # what velocities make of the acceleration may cancel, and leave its rounding
    fast = _size(assembly, rest) + _size(assembly, twist) ** 2 + float(np.sqrt(taken_off.growth))
    _check(assembly, solution, expected, {"Vdot_0p": V, "V_0p": twist}, fast)


def check_jerk(kin: Kinematics, Vddot: np.ndarray, expected: np.ndarray, rest: np.ndarray) -> None:
    """Refuse a second derivative of the twist that the legs do not allow.

    Args:
        kin: the machine in motion.
        Vddot: what is given.
        expected: what belongs to its free components.
        rest: what belongs to no jerk of the robot's own freedoms.
    """
    if kin.assembly.mobility == 6:
        return
    speed, growth = _size(kin.assembly, kin.V), _size(kin.assembly, kin.Vdot)
    fast = _size(kin.assembly, rest) + speed * growth + speed**3
    given = {"Vddot_0p": Vddot, "Vdot_0p": kin.Vdot, "V_0p": kin.V}
    _check(kin.assembly, kin.solution, expected, given, fast)


def natural_floor(assembly: Assembly, order: int) -> float:
    """What is rounding in a twist (order 1), its rate (2) or the next one (3), natural units."""
    return FLOOR * assembly.scales.frequency**order


def _size(assembly: Assembly, V: np.ndarray) -> float:
    return float(np.linalg.norm(V / assembly.scales.twist))


def _check(
    assembly: Assembly,
    solution: Solution,
    expected: np.ndarray,
    given: dict[str, np.ndarray],
    fast: float,
) -> None:
    """Refuse the first of what is given if it is not as expected; ``fast`` adds to its size."""
    (argument, V), scale = next(iter(given.items())), assembly.scales.twist
    forbidden = np.asarray(V - expected, dtype=float) / scale
    # the part of the difference that no choice of V_r can explain away
    Q, _ = np.linalg.qr(np.asarray(solution.Psi) / scale[:, None])
    forbidden = forbidden - Q @ (Q.T @ forbidden)
    size = _size(assembly, V) + fast
    off = float(np.linalg.norm(forbidden))
    # at rest the size is nothing: then what is nothing beside any motion of the robot passes
    if off <= TOLERANCE * size + natural_floor(assembly, _ORDER[argument]):
        return
    if not np.isfinite(off) or not np.isfinite(size):
        argument, large = max(given.items(), key=lambda item: float(np.abs(item[1]).max()))
        raise InputError(
            f"{assembly.robot.name}: {argument} cannot be computed with: its numbers reach "
            f"{float(np.abs(large).max()):.3g}, too large for squares and products",
            hint="Likely: a wrong unit, or an overflow where the motion was worked out.",
            argument=argument,
        )
    worst = int(np.argmax(np.abs(forbidden)))
    what, derivative = _WORDS[argument]
    states, consistent = _STATES[argument == "Vddot_0p"]
    figure = float(forbidden[worst] * scale[worst])
    raise InconsistentTwist(
        f"{assembly.robot.name}: the {what} is outside the mobility: the legs do not allow "
        f"{derivative}{NAMES[worst]} to be off by {figure:.3g}",
        hint=(
            f"The platform has {words.counted(assembly.mobility, 'freedom')} "
            f"({', '.join(assembly.freedoms)}); "
            f"gough.state(robot, {states}) gives a consistent {consistent}. "
            "Twists are [v; omega], linear first."
        ),
        component=NAMES[worst],
        off_by=figure,
        relative=off / size,
    )
