"""Velocities and accelerations of all joints and links from those of the platform.

Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from gough.base.conditions import NUMBERS, Refusing
from gough.base.spatial import Array, collect, homogeneous
from gough.mechanism.closure.axes import rate
from gough.mechanism.closure.equations import Equations, Moving
from gough.mechanism.closure.recursion import STILL, Motion, turned
from gough.mechanism.closure.solution import Rates, RightSide, Solution
from gough.mechanism.mobility.assembly import Assembly


class Kinematics:
    """Velocities and accelerations of the whole machine at one state, each computed on demand once.

    All theories take this object, so that nothing is computed twice.

    Args:
        assembly: the robot.
        solution: its closure equations, factored.
        V: platform twist, base axes ``(6,)``; at rest if not given.
        Vdot: platform twist rate ``(6,)``; if not given that of the bias motion, in which the
            independent coordinates do not accelerate: ``Vdot_r = 0``.
        rates: rates of all links, where they are known already.
        accelerations: accelerations of all links, where they are known already.
        rules: what becomes of conditions, and which pivots are taken: numbers or symbols.

    Attributes:
        is_bias: no twist rate was given: the robot's own freedoms do not accelerate.

    Equations:
        [BK] (4)-(8), [KI] (25)-(27): first the rates, then the biases they cause, then the
        accelerations from the same factored systems.
    """

    def __init__(
        self,
        assembly: Assembly,
        solution: Solution,
        V: Array | None = None,
        Vdot: Array | None = None,
        *,
        rates: Rates | None = None,
        accelerations: Rates | None = None,
        rules: Refusing = NUMBERS,
    ) -> None:
        self.assembly, self.solution, self.rules = assembly, solution, rules
        self.V: Array = np.zeros(6) if V is None else V
        self.is_bias = Vdot is None
        given = {"Vdot": Vdot, "rates": rates, "accelerations": accelerations}
        vars(self).update({name: value for name, value in given.items() if value is not None})

    @property
    def at(self) -> Equations:
        """Closure equations of the state, every joint found."""
        return self.solution.equations

    @property
    def T_0p(self) -> Array:
        """Pose of the platform."""
        return homogeneous(*self.at.platform)

    @property
    def J_inv(self) -> Array:
        """``qd_a = J_inv V_r``."""
        return self.solution.J_inv

    @cached_property
    def rates(self) -> Rates:
        """Rates of all links, ``qd_i = J_i^-1 J_vi V_p``."""
        return self.solution.rates(self.V)  # [BK] (4)-(5), [KI] (18)-(19)

    @cached_property
    def biases(self) -> RightSide:
        """Bias accelerations of the closure equations: what velocities alone contribute."""
        at = self.solution.equations
        return RightSide(*at.biases(self.V, self.rates.hub, self.rates.legs))

    @cached_property
    def Vdot(self) -> Array:
        """Platform twist rate."""
        return self.twist_rate(np.zeros(len(self.solution.free)))  # none was given

    @cached_property
    def accelerations(self) -> Rates:
        """Accelerations of all links."""
        if len(self.rates.hub) or "biases" in vars(self):
            return self.solution.rates(self.Vdot, self.biases)
        right = self.solution.demands(self.V, self.Vdot, self.rates)
        return Rates(self.rates.hub, self.solution.leg_rates(right))  # [KI] (27)

    @cached_property
    def moving(self) -> Moving:
        """Motion of every link."""
        return self.felt(STILL)

    @property
    def bias_motion(self) -> Kinematics:
        """The same velocities while the independent coordinates do not accelerate."""
        return self if self.is_bias else self.with_twist_rate(None)

    def accelerated(self, Vdot_r: Array) -> Kinematics:
        """The same velocities with accelerations ``Vdot_r`` of the independent coordinates."""
        return self.with_twist_rate(self.twist_rate(Vdot_r))

    def with_twist_rate(self, Vdot: Array | None) -> Kinematics:
        """The same velocities with another twist rate, or with that of the bias motion."""
        found = self.with_motion(self.V, Vdot)
        own = vars(self)
        vars(found).update({name: own[name] for name in ("rates", "biases") if name in own})
        return found

    def with_motion(self, V: Array | None = None, Vdot: Array | None = None) -> Kinematics:
        """The same state in another motion, at rest if none is given."""
        return Kinematics(self.assembly, self.solution, V, Vdot, rules=self.rules)

    def moving_by(self, V_r: Array) -> Kinematics:
        """The same state in a motion of the robot's freedoms, which do not accelerate."""
        return self.with_motion(self.solution.Psi @ V_r)

    def twist_rate(self, Vdot_r: Array) -> Array:
        """Twist rate of the platform, ``Vdot_p = Psi Vdot_r + Psidot V_r``."""
        biases = self.biases if self.solution.Psi_varies else None
        return self.solution.complete(Vdot_r, biases)  # [BK] (18)

    def felt(self, ground: Motion) -> Moving:
        """Motion of every link in space, as its mass feels it: gravity is part of the ground's."""
        return self.solution.equations.motions(
            self.V,
            self.Vdot,
            self.rates.hub,
            self.accelerations.hub,
            self.rates.legs,
            self.accelerations.legs,
            ground,
        )

    def body_motion(self, name: str) -> Motion:
        """Motion of a body's frame origin, base axes."""
        R = self.solution.equations.body_poses[name].R
        return turned(R, self.moving.of_body(name))

    def axis_rate(self, name: str) -> Array:
        """Rate of a joint axis [rad/s or m/s]."""
        place = self.assembly.axes[name]
        return rate(self.solution.equations, lambda: self.moving, self.rates, place)

    def axis_acceleration(self, name: str) -> Array:
        """Acceleration of a joint axis [rad/s^2 or m/s^2]."""
        at, place = self.solution.equations, self.assembly.axes[name]
        return rate(at, lambda: self.moving, self.accelerations, place, level=2)

    def motor_rates(self) -> Array:
        """Rates of the motors, in the order of ``robot.motors`` [rad/s or m/s]."""
        return collect([self.axis_rate(name) for name in self.assembly.robot.motors])

    def motor_accelerations(self) -> Array:
        """Accelerations of the motors, in the order of ``robot.motors`` [rad/s^2 or m/s^2]."""
        return collect([self.axis_acceleration(name) for name in self.assembly.robot.motors])
