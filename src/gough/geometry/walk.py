"""Every joint of every leg from the platform pose, in home's working mode, for every robot.

By the closed form, where the robot has one.  Otherwise Newton's method goes from home straight to
the pose; if that is too far for it to be trusted, the machine is walked there, assembled at every
step: along the tangent, then closed again, and no step is taken whose correction is large beside
it.  So it stays on its branch.
"""

from __future__ import annotations

import numpy as np

from gough.base import spatial
from gough.errors import InconsistentPose, UnreachablePose, reasons, reasons_wanted
from gough.geometry.branch import continues
from gough.geometry.closed_form.reach import is_out_of_reach, open_by, proper
from gough.geometry.closed_form.search import closed_form
from gough.geometry.failure import best_fit, explain
from gough.geometry.newton import AssembledState, close_on_branch, joints_at
from gough.geometry.turns import (
    counted_axes,
    home_equations,
    turned,
    unambiguous,
    whole_turns,
)
from gough.mechanism.closure.coordinates import Configuration
from gough.mechanism.closure.dense import Dense, dense, move, split, turning
from gough.mechanism.closure.equations import Equations
from gough.mechanism.closure.locks import described_locks
from gough.mechanism.mobility.assembly import Assembly
from gough.mechanism.mobility.newton import NOTHING

POSE_TOLERANCE = 1e-8
"""A pose may miss the robot's mobility by this much (rad, or shares of its length).

Poses that were computed elsewhere in float64, or written with nine digits, pass.
"""

EXACT = 1e-13
"""What closed forms leave open by rounding, natural units."""

# A stride along the tangent is trusted if closing the loops again moves the machine by at most a
# fifth of it: the way back to the branch is then shorter than the way to any other.
_CORRECTION = 0.2
# Of a stride, natural units: the first; the turn of a joint up to which a tangent is followed; and
# the one at which the walk ends: it has been halved 15 times, before a singularity or a border.
_FIRST_STRIDE, _LARGEST_TURN, _SMALLEST_STRIDE = 0.25, 0.8, 1e-5
_MOST_STRIDES = 600  # a way round all joints takes some tens; this only bounds the time
_OUT_OF_REACH = "the pose is out of reach"  # for callers that do not want the reason
_SAME = 1e-6  # angles of one posture that was found in two ways differ less [rad]


def configuration_at(
    assembly: Assembly, T_0p: np.ndarray, start: AssembledState | None = None, *, turns: bool = True
) -> Configuration:
    """Coordinates of every link at a platform pose; see :func:`equations_at`."""
    return equations_at(assembly, T_0p, start, turns=turns).configuration


def equations_at(
    assembly: Assembly, T_0p: np.ndarray, start: AssembledState | None = None, *, turns: bool = True
) -> Equations:
    """Closure equations at a platform pose, every joint found, in home's working mode.

    Args:
        assembly: the robot.
        T_0p: platform pose, 4x4.
        start: an assembled state whose working mode is taken instead of home's; the walk begins
            there, without closed forms, and turns are counted from there.
        turns: whether to count whole turns of motors and sprung axes.

    Raises:
        UnreachablePose: a leg is too short, too long, or would have to pass a singularity.
        InconsistentPose: the pose is outside the robot's mobility.
    """
    if start is not None and np.array_equal(T_0p, start.T_0p):
        # also where a leg is singular, and its joints not known again
        return assembly.equations(*start)
    here = AssembledState(*assembly.start) if start is None else start
    known = at_once(assembly, T_0p) if start is None else None
    if known is not None:
        if not turns or unambiguous(assembly, home_equations(assembly), known):
            return known
    elif start is None and not reasons_wanted() and is_out_of_reach(assembly, T_0p):
        raise UnreachablePose(f"{assembly.robot.name}: {_OUT_OF_REACH}")
    found = _straight(assembly, T_0p, here, turns=turns)
    if found is None:
        found = _walked(assembly, T_0p, here, None if known is None else known.configuration)
    elif here.configuration.turns is not None:
        found = _counted(assembly, _travelled(assembly, here), here, AssembledState(T_0p, found))
    return assembly.equations(T_0p, found)


def at_once(assembly: Assembly, T_0p: np.ndarray) -> Equations | None:
    """Joints by the closed form; ``None`` if there is none, or if it leaves a loop open.

    Out of reach its roots are not real.  A pose that is inexact within the tolerance leaves those
    rows open that the closed form did not use: Newton's method distributes the error.
    """
    form = closed_form(assembly)
    if form is None:
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        configuration, _ = form.evaluate(T_0p)
        at = assembly.equations(T_0p, configuration)
    off = open_by(assembly, at)
    if not off < POSE_TOLERANCE:  # also for NaN
        return None
    if off > EXACT:
        found = joints_at(assembly, T_0p, proper(configuration), POSE_TOLERANCE)
        return None if found is None else assembly.equations(T_0p, found)
    return at


def _walked(
    assembly: Assembly, T_0p: np.ndarray, here: AssembledState, known: Configuration | None
) -> Configuration:
    """Joints by walking; ``known`` is the closed form's posture, which lacks whole turns only.

    Where the straight way is barred, or where the walk has passed a singularity unseen and ends in
    another posture, turns are as if they did not matter: joints are the nearest ones.  Other ways
    may be free where the straight one is not.
    """
    try:
        with reasons(known is None):
            found = _walk(assembly, T_0p, here)
    except (UnreachablePose, InconsistentPose):
        nearest = known or _straight(assembly, T_0p, here, turns=False)
        nearest = nearest or _closed_otherwise(assembly, T_0p, here)
        if nearest is None:
            raise
        return nearest
    if known is None:
        return found
    apart = np.abs(_turned(assembly, AssembledState(T_0p, known), AssembledState(T_0p, found)))
    return known._replace(turns=found.turns) if apart.max() < _SAME else known


def _closed_otherwise(
    assembly: Assembly, T_0p: np.ndarray, start: AssembledState
) -> Configuration | None:
    """Joints at a pose whose loops close from those of the start, if a way joins the two.

    A walk goes straight to the pose as far as the mobility allows, and may end in a corner.  Other
    ways do not: the straight one of the freedoms, the walk back from the pose to the start, the
    straight one of the motors.
    """
    from gough.geometry.direct import lead  # noqa: PLC0415  it needs the joints at poses
    from gough.geometry.state import reach  # noqa: PLC0415  likewise

    if start.configuration is assembly.start[1]:
        wanted = assembly.chart.coordinates(T_0p)
        try:
            with reasons(False):
                y, led = reach(assembly, wanted[list(assembly.free)])
        except UnreachablePose:
            pass
        else:
            if np.abs((y - wanted) / assembly.scales.twist).max() < POSE_TOLERANCE:
                return joints_at(assembly, T_0p, led, POSE_TOLERANCE)
    fit = best_fit(assembly, T_0p, start.configuration)
    found = joints_at(assembly, T_0p, fit.configuration, POSE_TOLERANCE)
    if found is None:
        return None
    at = assembly.equations(T_0p, found)
    try:
        with reasons(False):
            end = _walk(assembly, start.T_0p, AssembledState(T_0p, found))
        if _is_same_posture(assembly, start.T_0p, start.configuration, end):
            before, after = (c.turns or {} for c in (start.configuration, end))
            turns = {place: before.get(place, 0.0) - count for place, count in after.items()}
            return found._replace(turns=turns)
    except (UnreachablePose, InconsistentPose):
        pass
    if not assembly.is_square:  # positions of other motors need not fit together on the way
        return None
    try:
        q = np.array([assembly.axis_position(at, name) for name in assembly.robot.motors])
        there = lead(assembly, q, start)
    except UnreachablePose:
        return None
    return found if _is_same_posture(assembly, T_0p, found, there.configuration) else None


def _is_same_posture(
    assembly: Assembly, T_0p: np.ndarray, one: Configuration, other: Configuration
) -> bool:
    """Whether all joints of two states at a pose are in the same places, along the same axes.

    That tells assembly modes apart, and stays as it is in idle spins, which differ by the way that
    a walk took; a ball has no axis.
    """
    at, there = (assembly.equations(T_0p, each) for each in (one, other))
    apart = []
    for joint in assembly.robot.joints:
        for here, moved in zip(at.frames(joint), there.frames(joint), strict=True):
            apart.append((here.p - moved.p) / assembly.length)
            if joint.kind != "spherical":
                apart.append(here.R[:, 2] - moved.R[:, 2])
    return float(np.abs(apart).max()) < _SAME


def _straight(
    assembly: Assembly, T_0p: np.ndarray, here: AssembledState, *, turns: bool = True
) -> Configuration | None:
    found = joints_at(assembly, T_0p, here.configuration, POSE_TOLERANCE)
    if found is None:
        return None
    follows = _follows if turns else continues
    return found if follows(assembly, here, AssembledState(T_0p, found)) else None


def _follows(assembly: Assembly, here: AssembledState, there: AssembledState) -> bool:
    """Whether a near state is on the same branch, and its counted turns are unambiguous."""
    before, after = assembly.equations(*here), assembly.equations(*there)
    return unambiguous(assembly, before, after) and continues(assembly, here, there)


def _turned(assembly: Assembly, here: AssembledState, there: AssembledState) -> np.ndarray:
    return turned(assembly, assembly.equations(*here), assembly.equations(*there))


def _travelled(assembly: Assembly, here: AssembledState) -> np.ndarray:
    """How far the counted axes have turned since home, also where one starts elsewhere."""
    angles = _turned(assembly, AssembledState(assembly.T_home, assembly.home), here)
    turns = here.configuration.turns or {}
    whole = [turns.get(place, 0.0) for place in counted_axes(assembly)]
    return np.asarray(angles + 2.0 * np.pi * np.array(whole))


def _counted(
    assembly: Assembly, travelled: np.ndarray, here: AssembledState, there: AssembledState
) -> Configuration:
    """Joints of a near state with the turns counted that lead to it from home."""
    travelled = travelled + _turned(assembly, here, there)
    whole = whole_turns(assembly, travelled, assembly.equations(*there))
    return there.configuration._replace(turns=whole)


def _walk(assembly: Assembly, T_0p: np.ndarray, here: AssembledState) -> Configuration:
    """Lead the assembled machine to the pose within its mobility, and count its turns."""
    stride, travelled = _FIRST_STRIDE, _travelled(assembly, here)
    frozen = described_locks(assembly.topology)
    for _ in range(_MOST_STRIDES):
        system = dense(Equations(assembly.topology, frozen, *here), assembly.length)
        missing = difference(here.T_0p, T_0p) / system.V_scale
        V, u = _feasible(system, missing)
        size = float(max(np.abs(V).max(), np.abs(u).max(initial=0.0)))
        # the mobility allows nothing of what is missing, but for rounding
        stuck = float(np.abs(V).max()) < 1e-6 * float(np.abs(missing).max())
        if stuck or stride < _SMALLEST_STRIDE or not np.isfinite(size):
            break
        turn = float(np.abs(u[turning(assembly.topology)]).max(initial=0.0))
        factor = min(1.0, stride / size, _LARGEST_TURN / max(turn, 1e-300))
        moved = _stride(assembly, here, V * factor, u * factor, system)
        if moved is None or _distance(moved, T_0p, system) >= _distance(here, T_0p, system):
            stride = min(stride, factor * size) / 2.0
            continue
        travelled = travelled + _turned(assembly, here, moved)
        here, stride = moved, 2.0 * stride
        found = _straight(assembly, T_0p, here)
        if found is not None:
            return _counted(assembly, travelled, here, AssembledState(T_0p, found))
    if not reasons_wanted():
        raise UnreachablePose(f"{assembly.robot.name}: {_OUT_OF_REACH}")
    raise explain(assembly, T_0p, here, missing, V)


def _feasible(system: Dense, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The allowed platform twist nearest to ``missing``, and its joint rates, natural units."""
    n_u = system.A.shape[1]
    _, s, Vt = np.linalg.svd(system.rows, full_matrices=True)
    null = Vt[int((s > 1e-9).sum()) :].T  # loops are closed to 1e-11: what they allow shows less
    # null vectors that move the platform by less than a millionth of the joints are idle
    weights = np.linalg.lstsq(null[n_u:], missing, rcond=1e-6)[0]
    step = null @ weights
    return step[n_u:], step[:n_u]


def _stride(
    assembly: Assembly, here: AssembledState, V: np.ndarray, u: np.ndarray, system: Dense
) -> AssembledState | None:
    """The state after one step along the tangent, closed again; ``None`` if not trusted."""
    topology = assembly.topology
    size = float(max(np.abs(V).max(), np.abs(u).max(initial=0.0)))
    exact = np.where(turning(topology), np.tan(np.where(turning(topology), u, 0.0)), u)
    twist = V * system.V_scale
    T = spatial.pose(
        spatial.rotation_exp(twist[3:]) @ here.T_0p[:3, :3], here.T_0p[:3, 3] + twist[:3]
    )
    rates = split(topology, exact * system.u_scale)
    joints = move(topology, here.configuration, rates)
    found = close_on_branch(assembly, NOTHING, T, joints, first=_CORRECTION * size)
    moved = None if found is None else AssembledState(found.y, found.configuration)
    return None if moved is None or not _follows(assembly, here, moved) else moved


def difference(T_from: np.ndarray, T_to: np.ndarray) -> np.ndarray:
    """Displacement and rotation vector, base axes, that take one pose to the other."""
    turn = spatial.rotation_log(T_to[:3, :3] @ T_from[:3, :3].T)
    return np.concatenate([T_to[:3, 3] - T_from[:3, 3], turn])


def _distance(state: AssembledState, T_0p: np.ndarray, system: Dense) -> float:
    return float(np.linalg.norm(difference(state.T_0p, T_0p) / system.V_scale))
