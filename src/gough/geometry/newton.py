"""Newton's method on the closure equations: every joint of every leg from the platform pose.

Works for every robot the description can express.  From home one goes straight to the pose; if
that is too far for Newton's method to be trusted, the machine is walked there, assembled at every
step, which keeps it on home's branch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough import spatial
from gough.closure.coordinates import Configuration
from gough.closure.dense import Dense, dense, move, split
from gough.closure.equations import Equations
from gough.closure.rows import is_flipped
from gough.geometry.failure import explain
from gough.mobility.assembly import Assembly
from gough.mobility.home import CLOSED, close

POSE_TOLERANCE = 1e-8
"""A pose may miss the robot's mobility by this much (rad, or shares of its length)."""

# A Newton step beyond this (rad, or shares of the length) may land on another branch.
_TRUSTED = 0.5
_CONTRACTION = 0.6
_MOST_ITERATIONS = 40
_SMALLEST_STRIDE = 1e-4


class State(NamedTuple):
    """A platform pose and coordinates of all links."""

    T_0p: np.ndarray
    configuration: Configuration


def configuration_at(
    assembly: Assembly, T_0p: np.ndarray, start: State | None = None
) -> Configuration:
    """Coordinates of every link at a platform pose, on home's branch.

    Args:
        assembly: the robot.
        T_0p: platform pose, 4x4.
        start: an assembled state to go from; home if not given.  Closed forms plug in here.

    Raises:
        UnreachablePose: a leg is too short, too long, or would have to pass a singularity.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    here = State(assembly.T_home, assembly.home) if start is None else start
    found = _approach(assembly, T_0p, here.configuration)
    if found is None:
        found = _walk(assembly, T_0p, here)
    return found


def _approach(
    assembly: Assembly, T_0p: np.ndarray, configuration: Configuration
) -> Configuration | None:
    """Newton's method at a fixed pose; ``None`` if a step is too long to be trusted.

    At the border of reach two branches meet: steps there shrink by halves only, and are let pass.
    """
    previous, best, allowed = np.inf, (np.inf, configuration), POSE_TOLERANCE
    for _ in range(_MOST_ITERATIONS):
        at = assembly.equations(T_0p, configuration)
        system = dense(at, assembly.length)
        error = float(np.abs(system.r).max(initial=0.0))
        if error < best[0]:
            best = (error, configuration)
        step = np.linalg.lstsq(system.A, system.r, rcond=1e-12)[0]
        size = float(np.abs(step).max(initial=0.0))
        shrinks = size < _CONTRACTION * previous
        if size < 1e-15 or (size < 1e-7 and not shrinks):
            break  # closed to rounding, or as well as an inexact pose can be
        if size > _TRUSTED or not shrinks:
            allowed = CLOSED  # nothing but a pose that is closed already will do
            break
        previous = size
        steps = split(assembly.topology, step * system.u_scale)
        configuration = move(assembly.topology, configuration, steps)
    error, configuration = best
    if error > allowed or _is_flipped(assembly.equations(T_0p, configuration)):
        return None
    return configuration


def _walk(assembly: Assembly, T_0p: np.ndarray, here: State) -> Configuration:
    """Lead the assembled machine to the pose by small steps within its mobility."""
    stride = 0.25
    while True:
        found = _approach(assembly, T_0p, here.configuration)
        if found is not None:
            return found
        at = assembly.equations(*here)
        system = dense(at, assembly.length)
        wish = difference(here.T_0p, T_0p) / system.V_scale
        V, u = _feasible(system, wish)
        size = max(float(np.abs(V).max()), float(np.abs(u).max(initial=0.0)))
        progress = float(np.abs(V).max())
        if progress < 1e-6 * float(np.abs(wish).max()) or stride < _SMALLEST_STRIDE:
            raise explain(assembly, T_0p, here.T_0p, here.configuration, wish, V)
        factor = min(1.0, stride / size)
        moved = _stride(assembly, here, V * factor * system.V_scale, u * factor * system.u_scale)
        nearer = moved is not None and _distance(moved, T_0p, system) < _distance(
            here, T_0p, system
        )
        if moved is not None and nearer:
            here, stride = moved, min(0.25, 2.0 * stride)
        else:
            stride /= 2.0


def _feasible(system: Dense, wish: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The allowed platform motion nearest to a wish, and the joint rates it takes."""
    n_u = system.A.shape[1]
    both = np.hstack([system.A, -system.B])
    _, s, Vt = np.linalg.svd(both, full_matrices=True)
    null = Vt[int((s > 1e-9).sum()) :].T
    weights = np.linalg.lstsq(null[n_u:], wish, rcond=1e-6)[0]
    step = null @ weights
    return step[n_u:], step[:n_u]


def _stride(assembly: Assembly, here: State, V: np.ndarray, u: np.ndarray) -> State | None:
    T = spatial.pose(spatial.cayley(V[3:]) @ here.T_0p[:3, :3], here.T_0p[:3, 3] + V[:3])
    configuration = move(assembly.topology, here.configuration, split(assembly.topology, u))
    T, configuration, error = close(
        assembly.topology, T, configuration, assembly.length, assembly.gauges
    )
    return State(T, configuration) if error < CLOSED else None


def difference(T_from: np.ndarray, T_to: np.ndarray) -> np.ndarray:
    """Displacement and rotation vector, base axes, that take one pose to the other."""
    turn = spatial.rotation_log(T_to[:3, :3] @ T_from[:3, :3].T)
    return np.concatenate([T_to[:3, 3] - T_from[:3, 3], turn])


def _distance(state: State, T_0p: np.ndarray, system: Dense) -> float:
    return float(np.linalg.norm(difference(state.T_0p, T_0p) / system.V_scale))


def _is_flipped(at: Equations) -> bool:
    return any(is_flipped(m) for leg in (*at.meetings, at.hub_meetings) for m in leg)
