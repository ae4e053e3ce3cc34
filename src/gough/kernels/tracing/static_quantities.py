"""What small displacements about a posture ask of it: where every body is."""

from __future__ import annotations

import numpy as np

from gough.base.spatial import Array, collect
from gough.kernels.tracing.machine import Machine
from gough.mechanism.closure.coordinates import unpack
from gough.mechanism.closure.equations import Equations


def bodies_at(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Rotation and position of every body in the base, in the order of ``robot.bodies``."""
    state = machine.state(T_0p)
    return state.answer(body_poses=_poses(machine, state.at))


def bodies_assembled(machine: Machine, T_0p: Array, coordinates: Array) -> dict[str, Array]:
    """The same of a state whose joints are given."""
    state = machine.assembled(T_0p, unpack(machine.assembly.topology, coordinates))
    return state.answer(body_poses=_poses(machine, state.at))


def _poses(machine: Machine, at: Equations) -> Array:
    found = (at.body_poses[body.name] for body in machine.assembly.robot.bodies)
    return collect([np.concatenate([pose.R, pose.p[:, None]], axis=1) for pose in found])
