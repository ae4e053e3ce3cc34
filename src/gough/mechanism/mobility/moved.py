"""A robot whose joints sit elsewhere than described: one program, or one assembly, many geometries.

What follows from the structure is kept from the robot as described: hub and legs, freedoms, places
of axes, natural units, home's coordinates as a start of Newton's steps; so are choices that were
made for good numbers around home: pivots, ranks, samples, and all that rooms below have found
(``known_of``).  Links and mounts of the trees are made anew of the seats given, numbers or symbols.

What geometry may change and nobody can ask a symbol about is not used: closed forms, entries of the
pose and rows of Psi that never change.  Nothing is assembled: whether the loops close, and whether
the machine still moves as described, is for doubt to say.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from gough.base.linalg import Plan
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.solution import Solution
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.scales import Scales
from gough.mechanism.topology.seats import SeatsByJoint
from gough.mechanism.topology.topology import find_topology


@dataclass(frozen=True, eq=False, repr=False)
class Moved(Assembly):
    """A robot with its joints elsewhere.

    Attributes:
        as_described: the robot as described, which home, plans, samples and ranks are of.
    """

    as_described: Assembly

    @property
    def described(self) -> Assembly:
        """What rooms below have found is about the robot as described."""
        return self.as_described

    @property
    def moved(self) -> bool:
        """Joints sit elsewhere than described."""
        return True

    @cached_property
    def constant_rows(self) -> np.ndarray:
        """None but those of the freedoms: which others keep is not known of symbols."""
        rows = np.full((6, self.mobility), np.nan)
        rows[list(self.free)] = np.eye(self.mobility)
        return rows

    @cached_property
    def regular_samples(self) -> list[tuple[np.ndarray, Configuration]]:
        """Those of the robot as described."""
        return self.described.regular_samples

    @cached_property
    def regular_solutions(self) -> list[Solution]:
        """Those of the robot as described."""
        return self.described.regular_solutions

    def sample_solutions(self) -> list[Solution]:
        """Those of the robot as described."""
        return self.described.sample_solutions()

    @cached_property
    def motor_plan(self) -> Plan:
        """That of the robot as described."""
        return self.described.motor_plan

    @cached_property
    def motor_rank(self) -> int:
        """That of the robot as described."""
        return self.described.motor_rank

    @cached_property
    def motor_rank_at_home(self) -> int:
        """That of the robot as described."""
        return self.described.motor_rank_at_home

    @cached_property
    def idle_motors(self) -> tuple[str, ...]:
        """Those of the robot as described."""
        return self.described.idle_motors

    @cached_property
    def scales(self) -> Scales:
        """Natural units of the robot as described."""
        return self.described.scales


def moved_assembly(assembly: Assembly, seats: SeatsByJoint) -> Moved:
    """The robot with its joints elsewhere.

    Args:
        assembly: the robot as described.
        seats: frames of all joints on their bodies, numbers or symbols.
    """
    robot, topology = assembly.robot, assembly.topology
    extra_hub = [name for name in topology.hub.bodies if name != robot.platform]
    own = {each.name: getattr(assembly, each.name) for each in fields(assembly)}
    angles = assembly.home_values
    own["topology"] = find_topology(robot, extra_hub, topology.locked, seats, angles)
    return Moved(**own, as_described=assembly)
