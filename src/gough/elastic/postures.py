"""Many postures of a machine at once: where every body is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gough.mechanism.closure.recursion import Pose
from gough.mechanism.mobility.assembly import Assembly
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


def of_bodies(assembly: Assembly, body_poses: np.ndarray) -> Postures:
    """Postures from rotations and positions of all bodies ``(B, bodies, 3, 4)``."""
    poses = {
        body.name: Pose(body_poses[:, i, :, :3].copy(), body_poses[:, i, :, 3].copy())
        for i, body in enumerate(assembly.robot.bodies)
    }
    return Postures(assembly.topology, poses)
