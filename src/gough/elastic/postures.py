"""Many postures of a machine at once: where every body is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gough.mechanism.closure.recursion import Pose
from gough.mechanism.topology.topology import Topology


@dataclass(frozen=True, eq=False)
class Postures:
    """A batch of postures, as far as small displacements about them ask.

    Attributes:
        topology: of the machine.
        body_poses: of every body that moves, in the base ``(B, 3, 3)``, ``(B, 3)``, by name.
    """

    topology: Topology
    body_poses: Mapping[str, Pose]
