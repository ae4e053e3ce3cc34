"""The machine a moment later: accelerations with their time derivatives, the jerks.

Jerk is the total time derivative of acceleration.  Pose and joints move on by their rates, twist
and twist rate by theirs, for an infinitesimal time; the equations of velocity and acceleration,
which are written once, run here with dual numbers.  What they answer carries its derivative along,
exactly, for every kind of joint.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.base.batch import check_finite
from gough.base.conditions import Condition, Tolerances, share_of, sum_of_sizes
from gough.base.dual import moving, slopes
from gough.base.spatial import Array
from gough.kinematics.consistency import check_jerk, natural_floor, natural_square
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.later import moment_later


class Jerks:
    """Time derivatives of all accelerations at one state; numbers and symbols alike.

    Args:
        kin: the machine in motion.
        Vddot: second time derivative of the platform twist.
    """

    def __init__(self, kin: Kinematics, Vddot: Array) -> None:
        self.kin, self.Vddot = kin, Vddot

    @cached_property
    def _drifting(self) -> Kinematics:
        """The machine a moment later; no twist rate is chosen yet."""
        kin = self.kin
        solution = moment_later(kin.solution, kin.V, kin.rates)
        return Kinematics(kin.assembly, solution, moving(kin.V, kin.Vdot))

    def of_freedoms(self, Vddot: Array) -> Array:
        """Jerk of the platform by that of the robot's own freedoms, the free ones of ``Vddot``.

        ``Vddot_p = Psi Vddot_r + 2 Psidot Vdot_r + Psiddot V_r``: the derivative of [BK] (18).
        """
        free = list(self.kin.solution.free)
        return slopes(self._drifting.twist_rate(moving(self.kin.Vdot[free], Vddot[free])))

    @cached_property
    def later(self) -> Kinematics:
        """The machine a moment later, accelerations and all."""
        return self._drifting.with_twist_rate(moving(self.kin.Vdot, self.Vddot))

    def axis(self, name: str) -> Array:
        """Jerk of a joint axis [rad/s^3 or m/s^3]; of a ball in child axes, as its rate."""
        return slopes(self.later.axis_acceleration(name))

    def body(self, name: str) -> Array:
        """Second time derivative of the twist ``[v; omega]`` of a body's frame, base axes."""
        motion = self.later.body_motion(name)
        return np.concatenate([slopes(motion.a), slopes(motion.wd)])


@dataclass(frozen=True)
class AllowedJerk(Condition):
    """The legs allow the second derivative of the twist."""

    jerks: Jerks

    def refuse(self) -> None:
        """Refuse one that they forbid, by its worst component."""
        kin, Vddot = self.jerks.kin, self.jerks.Vddot
        check_finite(Vddot, "Vddot_0p")
        expected, rest = self.jerks.of_freedoms(Vddot), self.jerks.of_freedoms(np.zeros(6))
        check_jerk(kin, Vddot, expected, rest)

    def share(self, accept: Tolerances) -> Array:
        """Square of what is forbidden, beside its size."""
        kin, Vddot = self.jerks.kin, self.jerks.Vddot
        assembly, length = kin.assembly, kin.assembly.length
        if assembly.mobility == 6:
            return 0.0
        missed = Vddot - self.jerks.of_freedoms(Vddot)
        off = sum_of_sizes(missed * (1.0 / assembly.scales.twist))
        speed, growth = natural_square(kin.V, length), natural_square(kin.Vdot, length)
        # velocities may cancel what the jerk of the freedoms makes
        square = natural_square(Vddot, length) + speed * growth + speed * speed * speed
        return share_of(off, square, accept, natural_floor(assembly, 3))
