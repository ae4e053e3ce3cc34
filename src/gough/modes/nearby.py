"""Many states led to motor positions at once, each from an assembled one nearby.

What :func:`gough.geometry.direct.near` decides of one state is decided here of many, by the same
steps and rules: loops and motors are closed together, and no singularity may lie on the way.
"""

from __future__ import annotations

import numpy as np

from gough.evaluation.loops.closing import Closer
from gough.evaluation.loops.states import STRIDE
from gough.geometry.branch import LARGEST_SCREW, same_side
from gough.geometry.closed_form.search import closed_form
from gough.geometry.walk import EXACT, POSE_TOLERANCE
from gough.kinematics.poses import Poses, PoseStatus
from gough.mechanism.closure.dense import turning
from gough.mechanism.mobility.measures import holding, leg_places
from gough.mechanism.mobility.newton import CLOSED, States, continued
from gough.modes.closing import Loops, Machines, loops


def settle_nearby(
    closer: Closer, q: np.ndarray, near: np.ndarray, tolerance: float
) -> tuple[Poses, np.ndarray]:
    """Poses of motor positions ``(K, n)``, from poses near them ``(K, 4, 4)``.

    Returns:
        The poses, and which are decided ``(K,)``.  Left open are starts that need a look of their
        own, out of reach or inexact, and states for which programs have no numbers.
    """
    assembly, system = closer.assembly, loops(closer.assembly)
    poses, decided = Poses.unknown(len(q)), np.zeros(len(q), dtype=bool)
    poses.iterations[:] = -1
    with np.errstate(all="ignore"):
        # batches often have one start for all: it is closed, and judged, once
        unique, which = np.unique(near.reshape(-1, 16), axis=0, return_inverse=True)
        which = which.reshape(-1)
        starts, good = _close_starts(closer, system, unique.reshape(-1, 4, 4))
        on = np.flatnonzero(good[which])
        before = starts.select(which[on])

        def rows(at: States, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return system.equations(Machines(*at), q[on[states]])

        def moved(at: States, step: np.ndarray) -> States:
            return system.moved(Machines(*at), step)

        found, error = continued(rows, moved, before, np.flatnonzero(turning(assembly.topology)))
        after = Machines(*found)
        one, other = (system.seen(machines, q[on]) for machines in (before, after))
        closed = (error <= CLOSED) & (other["sides"] >= 0.0).all(axis=1)
        same = (np.abs(other["screws"] - one["screws"]) <= LARGEST_SCREW).all(axis=1)
        same[closed] &= _same_branch(closer, before.select(closed), after.select(closed))
        lost = np.flatnonzero(~closed & ~np.isnan(error))
        held = _holds(closer, starts, which[on[lost]])
    met = closed & (error <= tolerance)
    status = np.full(len(on), PoseStatus.NOT_CONVERGED, dtype=np.int8)
    status[met] = np.where(same, PoseStatus.CONVERGED, PoseStatus.IN_DOUBT)[met]
    status[lost[held == 0.0]] = PoseStatus.SINGULAR
    T = np.where((status == PoseStatus.CONVERGED)[:, None, None], after.T_0p, np.nan)
    poses.put(on, Poses(T, status, poses.iterations[on], np.where(closed, error, np.nan)))
    decided[on[closed]] = True
    decided[on[lost]] = ~np.isnan(held)
    if closed_form(assembly) is None:
        # a walk by programs may end on another branch than the one NumPy takes: it leads only there
        decided &= poses.converged
    return poses, decided


def _close_starts(closer: Closer, system: Loops, T_0p: np.ndarray) -> tuple[Machines, np.ndarray]:
    """Joints at poses ``(K, 4, 4)`` on home's branch, and at which they are found ``(K,)``."""
    assembly = closer.assembly
    if closed_form(assembly) is None:
        # walked to from home: NumPy's walk takes ten times as long as the steps from there
        y = np.stack([assembly.chart.coordinates(T) for T in T_0p])
        walked = closer.walked(closer.home.repeated(len(y)), y[:, closer.free], STRIDE)
        off = np.abs((walked.y - y) / assembly.scales.twist).max(axis=1)
        machines = Machines(closer.poses(walked.y), walked.joints)
        return machines, walked.good & (off < POSE_TOLERANCE)
    machines = Machines(T_0p, closer.looker.closed_form(T_0p))
    motors = len(assembly.robot.motors)
    seen = system.seen(machines, np.zeros((len(T_0p), motors)))
    gaps = np.abs(seen["r"][:, : -motors or None]).max(axis=1, initial=0.0)
    exact = np.maximum(gaps, closer.distortion(machines.coordinates)) <= EXACT
    return machines, exact & (seen["sides"] >= 0.0).all(axis=1)


def _same_branch(closer: Closer, before: Machines, after: Machines) -> np.ndarray:
    """Whether no singularity of a leg, or of loops and locked motors, lies between near states."""
    looker, motors = closer.looker, len(closer.assembly.robot.motors)
    still = np.zeros((len(before.T_0p), len(closer.assembly.scales.rates)))
    seen = [looker.step(*each, still, np.zeros((len(still), 6))) for each in (before, after)]
    a, b = (found["closure_rows"] for found in seen)
    same = np.ones(len(still), dtype=bool)
    if motors >= closer.assembly.mobility:
        locked = (
            np.concatenate([found["closure_rows"], found["limited_rows"][:, :motors]], axis=1)
            for found in seen
        )
        same &= same_side(*locked)
    for own, columns in leg_places(closer.assembly):
        same &= same_side(a[:, own, columns], b[:, own, columns])
    return same


def _holds(closer: Closer, starts: Machines, which: np.ndarray) -> np.ndarray:
    """Whether motors hold the platform at starts with these numbers: 1 or 0, NaN if not known."""
    numbers, place = np.unique(which, return_inverse=True)
    if not len(numbers):
        return np.zeros(0)
    seen = closer.looker.judge(*starts.select(numbers))
    J_inv, Psi = seen["J_inv"], seen["Psi"]
    finite = np.isfinite(J_inv).all(axis=(1, 2)) & np.isfinite(Psi).all(axis=(1, 2))
    condition = holding(closer.assembly.scales, J_inv, Psi).condition
    return np.where(finite, np.isfinite(condition), np.nan)[place.reshape(-1)]
