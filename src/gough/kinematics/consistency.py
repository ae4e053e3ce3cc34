"""The check that refuses a twist or twist rate outside the robot's mobility."""

from __future__ import annotations

import numpy as np

from gough.base import english as words
from gough.errors import InconsistentTwist, InputError
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.solution import RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly

TOLERANCE = 1e-8
"""Largest part of a twist, relative to the whole in natural units, that the legs may forbid.

Twists that come from numerical derivatives in float64 keep some nine digits.
"""

NAMES = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")


def check_motion(kin: Kinematics, *, rate: bool) -> None:
    """Refuse a twist, or with ``rate`` a twist rate, that the legs do not allow."""
    assembly, solution, V = kin.assembly, kin.solution, kin.V
    check_twist(assembly, solution, V)
    if rate and assembly.mobility < 6:  # nothing is forbidden to six freedoms
        check_twist(assembly, solution, kin.Vdot, biases=kin.biases, twist=V, what="twist rate")


def check_twist(
    assembly: Assembly,
    solution: Solution,
    V: np.ndarray,
    *,
    biases: RightSide | None = None,
    twist: np.ndarray | None = None,
    what: str = "twist",
) -> None:
    """Refuse a twist that the legs do not allow, or a twist rate, given biases and twist."""
    if assembly.mobility == 6:
        return
    free = list(assembly.free)
    expected = solution.complete(V[free], biases)
    scale = assembly.scales.twist
    forbidden = np.asarray(V - expected, dtype=float) / scale
    # the part of the difference that no choice of V_r can explain away
    Q, _ = np.linalg.qr(np.asarray(solution.Psi) / scale[:, None])
    forbidden = forbidden - Q @ (Q.T @ forbidden)
    rest = np.zeros(6) if biases is None else solution.complete(np.zeros(len(free)), biases) / scale
    # bias accelerations, of size |V|^2, may cancel and leave their rounding
    fast = 0.0 if twist is None else float(np.linalg.norm(twist / scale)) ** 2
    size = float(np.linalg.norm(V / scale) + np.linalg.norm(rest)) + fast
    off = float(np.linalg.norm(forbidden))
    if off <= TOLERANCE * size:
        return
    if not np.isfinite(off) or not np.isfinite(size):
        given = {"V_0p": V} if twist is None else {"Vdot_0p": V, "V_0p": twist}
        argument, large = max(given.items(), key=lambda item: float(np.abs(item[1]).max()))
        raise InputError(
            f"{assembly.robot.name}: {argument} cannot be computed with: its numbers reach "
            f"{float(np.abs(large).max()):.3g}, too large for squares and products",
            hint="Likely: a wrong unit, or an overflow where the motion was worked out.",
            argument=argument,
        )
    worst = int(np.argmax(np.abs(forbidden)))
    name = NAMES[worst] if what == "twist" else f"d/dt {NAMES[worst]}"
    figure = float(forbidden[worst] * scale[worst])
    raise InconsistentTwist(
        f"{assembly.robot.name}: the {what} is outside the mobility: the legs do not allow "
        f"{name} to be off by {figure:.3g}",
        hint=(
            f"The platform has {words.counted(assembly.mobility, 'freedom')} "
            f"({', '.join(assembly.freedoms)}); "
            "gough.state(robot, x, xd, xdd) gives a consistent twist and twist rate. "
            "Twists are [v; omega], linear first."
        ),
        component=NAMES[worst],
        off_by=figure,
        relative=off / size,
    )
