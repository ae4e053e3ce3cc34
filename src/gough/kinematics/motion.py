"""Velocities and accelerations of all joints and links from those of the platform.

Numbers and symbols run through the same lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gough.closure.axes import rate
from gough.closure.equations import Moving
from gough.closure.recursion import STILL, Motion, at_mount, turned
from gough.closure.solution import Rates, RightSide, Solution
from gough.mobility.assembly import Assembly
from gough.spatial import Array, collect


@dataclass(frozen=True, eq=False)
class Kinematics:
    """The whole machine in motion at one state.

    Attributes:
        assembly: the robot.
        solution: its closure equations, factored.
        V, Vdot: platform twist and twist rate.
        rates: rates of all links, ``qd_i = J_i^-1 J_vi V_p``.
        accelerations: accelerations of all links.
        moving: motion of every link.
    """

    assembly: Assembly
    solution: Solution
    V: Array
    Vdot: Array
    rates: Rates
    accelerations: Rates
    moving: Moving

    @cached_property
    def biases(self) -> RightSide:
        """Right sides of the acceleration equations: what velocities alone contribute."""
        at = self.solution.equations
        return RightSide(*at.biases(self.V, self.rates.hub, self.rates.legs))

    def felt(self, gravity: Array) -> Moving:
        """Motion of every link with the accelerations that bodies feel, ``a - g``."""
        return self.solution.equations.motions(
            self.V,
            self.Vdot,
            self.rates.hub,
            self.accelerations.hub,
            self.rates.legs,
            self.accelerations.legs,
            gravity,
        )

    def body_motion(self, name: str) -> Motion:
        """Motion of a body's frame origin, base axes."""
        topology, R = self.assembly.topology, self.solution.equations.body_poses[name].R
        if name in topology.hub.bodies:
            found = self.moving.on_hub(topology.hub.bodies[name])
        else:
            index = next(i for i, leg in enumerate(topology.legs) if name in leg.tree.bodies)
            mount = topology.legs[index].tree.bodies[name]
            found = at_mount(self.moving.legs[index], STILL, mount)
        return turned(R, found)

    def axis_rate(self, name: str) -> Array:
        """Rate of a joint axis."""
        place = self.assembly.axes[name]
        return rate(self.solution.equations, self.moving, self.rates, place)

    def axis_acceleration(self, name: str) -> Array:
        """Acceleration of a joint axis."""
        place = self.assembly.axes[name]
        return rate(self.solution.equations, self.moving, self.accelerations, place, level=2)

    def motor_rates(self) -> Array:
        """Rates of the motors, in the order of ``robot.motors``."""
        return _collect([self.axis_rate(name) for name in self.assembly.robot.motors])

    def motor_accelerations(self) -> Array:
        """Accelerations of the motors, in the order of ``robot.motors``."""
        return _collect([self.axis_acceleration(name) for name in self.assembly.robot.motors])


def kinematics(assembly: Assembly, solution: Solution, V: Array, Vdot: Array) -> Kinematics:
    """Motion of everything from the motion of the platform.

    Equations:
        [BK] (4)-(8), [KI] (25)-(27): first the rates, then the biases they cause, then the
        accelerations from the same factored systems.
    """
    return solution.known(
        "kinematics", (assembly, V, Vdot), lambda: _kinematics(assembly, solution, V, Vdot)
    )


def _kinematics(assembly: Assembly, solution: Solution, V: Array, Vdot: Array) -> Kinematics:
    at = solution.equations
    rates = solution.rates(V)
    accelerations = solution.accelerations(V, Vdot, rates)
    moving = at.motions(V, Vdot, rates.hub, accelerations.hub, rates.legs, accelerations.legs)
    return Kinematics(assembly, solution, V, Vdot, rates, accelerations, moving)


def _collect(values: list[Array]) -> Array:
    return collect(values) if values else np.zeros(0)
