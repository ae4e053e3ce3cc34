"""The check that refuses a twist or twist rate outside the robot's mobility."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base import english as words
from gough.base.spatial import Array
from gough.errors import InconsistentTwist, InputError
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import RightSide, Solution
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


def check_motion(kin: Kinematics, *, rate: bool, taken_off: Sizes = NO_SIZES) -> None:
    """Refuse a twist, or with ``rate`` a twist rate, that the legs do not allow."""
    assembly, solution, V = kin.assembly, kin.solution, kin.V
    check_twist(assembly, solution, V, taken_off=taken_off)
    if rate and assembly.mobility < 6:  # nothing is forbidden to six freedoms
        biases = kin.biases
        check_twist(assembly, solution, kin.Vdot, biases=biases, twist=V, taken_off=taken_off)


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
