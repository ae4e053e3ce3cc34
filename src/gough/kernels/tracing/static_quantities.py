"""Small displacements about a posture: where every body is, and how far the platform gives way."""

from __future__ import annotations

import numpy as np

from gough.base.linalg import watched
from gough.base.spatial import Array, collect
from gough.dynamics.answers.held_bodies import (
    NOTHING,
    HeldBodies,
    Parts,
    held_compliance,
    held_plan,
)
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


def compliance(machine: Machine, T_0p: Array) -> dict[str, Array]:
    """Platform's displacement per wrench at its origin, by the parts of the variant, 6x6."""
    state, parts = machine.state(T_0p), machine.variant.parts
    if parts == NOTHING:  # rigid, its motors holding
        parts = Parts(machine.assembly.robot.motors, ())
    plan = held_plan(machine.assembly, parts) if state.kin.plans_are_fixed else None
    with watched() as made:
        found = held_compliance(HeldBodies(machine.assembly, state.at, parts), plan)
    state.require_pivots(made)
    state.require_balance(found)
    return state.answer(compliance=found.compliance)
