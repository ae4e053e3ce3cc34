"""Velocity and acceleration of a machine by joint screws, leg by leg.  [GA] section 6

Given the platform's twist, each leg's rates follow from the leg's own screws, [GA] (23), and given
its accelerator their derivatives, [GA] (24).  Screws that are reciprocal to the joints of a leg say
what it demands of the platform, and what its motors do, [GA] (60)-(61).  Nothing here takes a
velocity or an acceleration from the other theories: bodies, joints, and where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from gough.base.linalg import Factor
from gough.base.spatial import Array, collect
from gough.dynamics.screws.chains import Axis, Chains, Moving, joint_axes, joint_center
from gough.dynamics.screws.graph import graph_of
from gough.dynamics.screws.hub import HubScrews
from gough.dynamics.screws.leg import LegScrews
from gough.dynamics.screws.pivots import FREEDOMS, HUB, LEG, MOTORS, constant_Psi, solved_system
from gough.kinematics.motion import Kinematics
from gough.mechanism.closure.blocks import stacked
from gough.robot import Joint


class Rates(NamedTuple):
    """Rates of the machine, or accelerations.

    Attributes:
        z: of the hub: platform twist, then its own joints.
        legs: of each leg.
    """

    z: Array
    legs: list[Array]


class ScrewState:
    """The screws of a machine at one state, and its motion by them.

    Args:
        kin: the robot at the state.
    """

    def __init__(self, kin: Kinematics) -> None:
        self.kin, self.assembly, self.at = kin, kin.assembly, kin.solution.equations
        self.graph, self.poses = graph_of(kin.assembly), self.at.body_poses
        topology = self.at.topology
        held, *on_legs = [[h for h in self.at.held if h[0] is tree] for tree in topology.trees]
        coupled, *in_legs = topology.couplings
        self.hub = HubScrews(self.graph, self.at, held, coupled)
        parts = zip(self.graph.legs, on_legs, in_legs, strict=True)
        self.legs = [
            LegScrews(self.graph, part, self.at, own, ties, self.hub.chains, self._solved_leg(i))
            for i, (part, own, ties) in enumerate(parts)
        ]

    def _solved_leg(self, leg: int) -> Callable[[Array], Factor]:
        """What factors a leg's own system."""
        return partial(solved_system, self, what=f"{LEG}{leg}")

    # motion

    @cached_property
    def motion(self) -> Rates:
        """Rates of all joints."""
        z = self.hub_from_platform(self.kin.V, None)
        return Rates(z, self._leg_rates(z))

    def _leg_rates(self, z: Array) -> list[Array]:
        """Rates of every leg from its own screws.  [GA] (23)."""
        twists = self.hub.twists(z)
        return [leg.rates(leg.seen(twists, z[self.hub.own])) for leg in self.legs]

    @cached_property
    def _lie_rows(self) -> list[list[Any]]:
        """What rates of each leg contribute to the accelerations of its rows."""
        legs, hub = zip(self.legs, self.motion.legs, strict=True), self.hub.twists(self.motion.z)
        return [leg.lie_rows(rates, hub) for leg, rates in legs]

    @cached_property
    def _biases(self) -> list[Any]:
        """Right sides of all constraints on z for accelerations."""
        z = self.motion.z
        lie = {body: moving.A for body, moving in self.hub.motions(z).items()}
        still = np.zeros(self.hub.chains.count)
        found = self.hub.biases(z)
        for leg, rows in zip(self.legs, self._lie_rows, strict=True):
            if leg.constraints:
                gaps = [a + b for a, b in zip(leg.seen(lie, still), rows, strict=True)]
                found += [-(u @ collect(gaps)) for u in leg.constraints]
        return found

    def accelerated(self, zdot: Array) -> Rates:
        """Accelerations of all joints.  [GA] (24), (69), erratum GA-10."""
        moving = self.hub.motions(self.motion.z, zdot)
        hub = {body: each.A for body, each in moving.items()}
        found = []
        for leg, lie in zip(self.legs, self._lie_rows, strict=True):
            seen = leg.seen(hub, zdot[self.hub.own])
            rows = [a + b for a, b in zip(seen, lie, strict=True)]
            found.append(leg.rates(rows))
        return Rates(zdot, found)

    @cached_property
    def accelerations(self) -> Rates:
        """Accelerations of all joints in the platform's motion."""
        biases = self._biases if self.hub.size > 6 else None
        return self.accelerated(self.hub_from_platform(self.kin.Vdot, biases))

    @cached_property
    def bias_accelerations(self) -> Rates:
        """Accelerations while the robot's own freedoms do not accelerate: ``Vdot_r = 0``."""
        none = np.zeros(self.assembly.mobility)
        biases = self._biases if self.unknown(by_freedoms=True) else None
        return self.accelerated(self._hub_from_freedoms(none, biases))

    def twist_rate(self, Vdot_r: Array) -> Array:
        """Twist rate of the platform in an acceleration of the robot's own freedoms."""
        return self.bias_accelerations.z[:6] + self.Z_r[:6] @ Vdot_r

    # demands of the legs on z

    @cached_property
    def _constant_Psi(self) -> np.ndarray | None:
        return constant_Psi(self)

    @cached_property
    def C(self) -> Array:
        """Rows over z that are zero in every motion: of the hub, and of the legs.

        What a leg demands is the work of a screw that is reciprocal to all its joints.
        """
        rows = self.hub.rows()
        for leg in self.legs:
            rows += [self._demanded(leg, u) for u in leg.constraints]
        return stacked(rows, self.hub.size)

    def _demanded(self, leg: LegScrews, over_rows: Array) -> Array:
        """A screw over the rows of a leg as efforts on z that do the same work."""
        return self.hub.on_z(leg.on_hub(over_rows), leg.on_hub_rates(over_rows))

    def unknown(self, *, by_freedoms: bool) -> list[int]:
        """Entries of z that follow from the platform twist, or from the robot's own freedoms."""
        own = list(range(6, self.hub.size))
        if not by_freedoms or self._constant_Psi is not None:
            return own
        return [i for i in range(6) if i not in self.assembly.free] + own

    def hub_from_platform(self, V: Array, biases: list[Any] | None) -> Array:
        """The whole z from the platform twist; or zdot from its rate, given biases."""
        if self.hub.size == 6:
            return V
        return self._completed(V, list(range(6)), self._hub_factor, biases)

    def _hub_from_freedoms(self, V_r: Array, biases: list[Any] | None) -> Array:
        """The same from the robot's own freedoms."""
        if self._constant_Psi is not None:
            return self.hub_from_platform(self._constant_Psi @ V_r, biases)
        free = list(self.assembly.free)
        if self.hub.size == len(free):
            return V_r
        return self._completed(V_r, free, self._z_factor, biases)

    def _completed(
        self, given: Array, places: Sequence[int], factor: Factor, biases: list[Any] | None
    ) -> Array:
        """All of z from some of it: ``C z = biases``."""
        unknown = [i for i in range(self.hub.size) if i not in places]
        right = list(-(self.C[:, list(places)] @ given))
        if biases is not None:
            right = [a + b for a, b in zip(right, biases, strict=True)]
        solved = factor.solve(right)
        found: list[Any] = [0.0] * self.hub.size
        for i, value in (*zip(places, given, strict=True), *zip(unknown, solved, strict=True)):
            found[i] = value
        return collect(found)

    @cached_property
    def _hub_factor(self) -> Factor:
        """Elimination of the hub's own entries of z."""
        return solved_system(self, self.C[:, self.unknown(by_freedoms=False)], HUB)

    @cached_property
    def _z_factor(self) -> Factor:
        """Elimination of all entries of z but the robot's own freedoms."""
        return solved_system(self, self.C[:, self.unknown(by_freedoms=True)], FREEDOMS)

    # freedoms and motors

    @cached_property
    def Z_r(self) -> Array:
        """``z = Z_r V_r``; its first six rows are Psi."""
        unit = np.eye(self.assembly.mobility)
        columns = [self._hub_from_freedoms(unit[:, i], None) for i in range(len(unit))]
        return collect(columns, empty=(0, self.hub.size)).T

    @cached_property
    def motor_screws(self) -> Array:
        """Motor rates by z: work of the screws that are reciprocal to all joints but the motor.

        Equations:
            [GA] (60)-(61).
        """
        rows = []
        for name in self.graph.robot.motors:
            part, place = self.place(self.graph.slots[name][0])
            if part == 0:
                rows.append(self.hub.on_z({}, {place: 1.0}))
                continue
            leg = self.legs[part - 1]
            unit = np.eye(leg.chains.count)[place]
            rows.append(self._demanded(leg, leg.from_efforts(unit)))  # [GA] (60)
        return stacked(rows, self.hub.size)

    @cached_property
    def J_inv(self) -> Array:
        """``qd_a = J_inv V_r``: reciprocal screws met by the freedoms.  [GA] (61)."""
        return self.motor_screws @ self.Z_r

    @cached_property
    def _by_motors(self) -> Factor:
        """``J_inv``, factored.  It fails on a Type 2 singularity."""
        return solved_system(self, self.J_inv, MOTORS)

    def motor_efforts(self, w_z: Array) -> Array:
        """Efforts whose reciprocal screws do the work of efforts on z in every freedom."""
        return collect(self._by_motors.solve_transposed(self.Z_r.T @ w_z))

    @cached_property
    def Z_a(self) -> Array:
        """``z = Z_a qd_a``; of the platform these are its partial screws.  [GA] (62)."""
        unit = np.eye(len(self.graph.robot.motors))
        return self.Z_r @ stacked(self._by_motors.solve(list(unit)), len(unit))

    def unit_motions(self, Z: Array) -> list[Rates]:
        """Motions of the whole machine in each column of z.  [GA] (17), (63), erratum GA-12."""
        return [Rates(Z[:, i], self._leg_rates(Z[:, i])) for i in range(Z.shape[1])]

    def over_slots(self, rates: Rates) -> Array:
        """Rates by their places among those of the robot."""
        found: list[Any] = [0.0] * self.graph.rates
        own = [rates.z[self.hub.own], *rates.legs]
        for part, values in zip((self.graph.hub, *self.graph.legs), own, strict=True):
            for slot, value in zip(part.slots, values, strict=True):
                found[slot] = value
        return collect(found)

    def influence(self, Z: Array) -> Array:
        """Influence coefficients: rates of all joints per column of z.  [GA] (17)."""
        columns = [self.over_slots(each) for each in self.unit_motions(Z)]
        return collect(columns, empty=(0, self.graph.rates)).T

    # bodies

    def moving(self, accelerations: Rates) -> dict[str, Moving]:
        """Twist and accelerator of every body, at the point of its part."""
        found = self.hub.motions(self.motion.z, accelerations.z)
        groups = zip(self.legs, self.motion.legs, accelerations.legs, strict=True)
        for leg, rates, growth in groups:
            found |= leg.chains.motions(leg.roots, rates, growth)
        return found

    def twists(self, rates: Rates) -> dict[str, Array]:
        """Twist of every body at the point of its part, in any motion: first order alone."""
        found = self.hub.twists(rates.z)
        for leg, own in zip(self.legs, rates.legs, strict=True):
            still = {body: moving.V for body, moving in leg.roots.items()}
            found |= leg.chains.twists(still, own)
        return found

    def joint_axes(self, joint: Joint, point: Array) -> list[Axis]:
        """Screws of any joint's axes, at a point."""
        frames = self.at.frames(joint)
        return joint_axes(joint, *frames, joint_center(self.graph, joint, *frames), point)

    @property
    def parts(self) -> list[Chains]:
        """Screws of the hub, then of each leg."""
        return [self.hub.chains, *(leg.chains for leg in self.legs)]

    def part_of(self, body: str) -> tuple[int, Chains]:
        """Which part a body belongs to, the hub being 0, and its screws."""
        found = enumerate(self.parts)
        return next((k, each) for k, each in found if body in each.bodies)

    def place(self, slot: int) -> tuple[int, int]:
        """Which part a rate belongs to, the hub being 0, and its place there."""
        parts = enumerate((self.graph.hub, *self.graph.legs))
        return next((k, part.places[slot]) for k, part in parts if slot in part.places)

    def rate(self, rates: Rates, slot: int) -> Any:
        """A single rate by its place among those of the robot."""
        part, place = self.place(slot)
        return rates.legs[part - 1][place] if part else rates.z[self.hub.own][place]

    def on_z(
        self, efforts: Sequence[dict[int, Any]], wrenches: Sequence[dict[str, Array]]
    ) -> Array:
        """Efforts and wrenches in the hub and in every leg as efforts on z that do the same work.

        Along a leg they are what one screw over its rows does: one solve a leg, for all motors.
        """
        found = self.hub.on_z(wrenches[0], efforts[0])
        for leg, own, on_bodies in zip(self.legs, efforts[1:], wrenches[1:], strict=True):
            along, _ = leg.chains.efforts(on_bodies)
            for place, effort in own.items():
                along[place] = along[place] + effort
            if leg.chains.count:
                found = found + self._demanded(leg, leg.from_efforts(along))
        return found
