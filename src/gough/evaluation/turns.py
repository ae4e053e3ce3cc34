"""Turns of motors and sprung axes far from home, counted along the way by a kernel.

A pose determines angles but for whole turns.  The reference walks the machine from home straight to
the pose and counts.  Here that is done for many poses at once: a fixed number of states on the way
to each, angles followed from one to the next by their rates.  Where they do not follow clearly, the
reference counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gough.base.batch import all_finite
from gough.base.conditions import is_regular, is_valid
from gough.dynamics.quantities.axes import counted_names
from gough.evaluation.engine import Runner
from gough.geometry.closed_form.reach import out_of_reach
from gough.geometry.constant_entries import reaches_all
from gough.mechanism.mobility.assembly import Assembly

_STATES = 32
"""States on a way.

An axis goes round quickly only near a singularity of its leg.  If the way passes it at more than
the distance between two states, they show the turn; nearer than that the reference decides.
"""

_CLEAR = 0.5
"""Largest difference between an axis's turn between two states and its rates there [rad].

Well below pi, from which on the direction of the turn would be a guess.
"""

_CLOSINGS = 3  # steps of dependent components, which leave the square of what was missing
_BLOCK = 1 << 11  # poses that are led at a time
_HALF_TURN = 3.0  # near pi a rotation vector may belong to either direction [rad]


class Counted(NamedTuple):
    """Turns of K states.

    Attributes:
        q: motor positions ``(K, n)`` [rad or m].
        near: angles of all axes ``(K, axes)`` that are counted, zero for the others [rad].
        sure: which states are known.
    """

    q: np.ndarray
    near: np.ndarray
    sure: np.ndarray


def counted(
    assembly: Assembly, program: Runner, T_0p: np.ndarray, threads: int | None = None
) -> Counted:
    """Motors and sprung axes at poses ``(K, 4, 4)``, turns counted from home.

    Args:
        assembly: the robot.
        program: its quantity ``turning``, interpreted or compiled.
        T_0p: the poses.
        threads: most threads.
    """
    T_0p = np.ascontiguousarray(T_0p)
    at_goal = program.run([T_0p], {}, threads)
    sure = np.zeros(len(T_0p), dtype=bool)
    turns = np.zeros(at_goal["angles"].shape)
    good = np.flatnonzero(is_valid(at_goal["doubt"]) & all_finite(at_goal["q"]))
    for begin in range(0, len(good), _BLOCK):
        part = good[begin : begin + _BLOCK]
        goals = {name: array[part] for name, array in at_goal.items()}
        turns[part], sure[part] = _along(assembly, program, T_0p[part], goals, threads)
    axes, motors = list(assembly.robot.axis_names), list(assembly.robot.motors)
    q, near = at_goal["q"], np.zeros((len(T_0p), len(axes)))
    for i, name in enumerate(counted_names(assembly)):
        near[:, axes.index(name)] = at_goal["angles"][:, i] + 2.0 * np.pi * turns[:, i]
        if name in motors:
            q[:, motors.index(name)] = near[:, axes.index(name)]
    return Counted(q, near, sure)


def _along(
    assembly: Assembly,
    program: Runner,
    T_0p: np.ndarray,
    at_goal: dict[str, np.ndarray],
    threads: int | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Whole turns at the ends of straight ways from home ``(K, axes)``, and which are known.

    Where a way is barred because no leg can reach a pose on it, the reference takes the nearest
    angles, and so do we; a way that is not quite straight may pass beside what bars it.
    """
    from scipy.spatial.transform import Rotation  # noqa: PLC0415  heavy: loaded on first use

    start = assembly.start[0]
    turn = Rotation.from_matrix(T_0p[:, :3, :3] @ start[:3, :3].T).as_rotvec()
    share = np.arange(1, _STATES) / _STATES
    way = np.zeros((len(T_0p), _STATES + 1, 4, 4))
    way[..., 3, 3] = 1.0
    way[:, 0], way[:, -1] = start, T_0p
    step = T_0p[:, :3, 3] - start[:3, 3]
    way[:, 1:-1, :3, 3] = start[:3, 3] + share[:, None] * step[:, None]
    turned = Rotation.from_rotvec((share[:, None] * turn[:, None]).reshape(-1, 3)).as_matrix()
    way[:, 1:-1, :3, :3] = turned.reshape(len(T_0p), -1, 3, 3) @ start[:3, :3]
    straight = assembly.mobility == 6 or reaches_all(assembly)
    with np.errstate(all="ignore"):  # what is no number is not known
        inner = np.ascontiguousarray(way[:, :-1])
        found = program.run([inner], {}, threads)
        for _ in range(0 if straight else _CLOSINGS):
            inner[:, 1:] = _moved(inner[:, 1:], found["closing"][:, 1:])
            found = program.run([inner], {}, threads)
        way[:, :-1] = inner
        angles, rates, doubt = (
            np.concatenate([found[name], at_goal[name][:, None]], axis=1)
            for name in ("angles", "rates", "doubt")
        )
        travelled, clear = _followed(way, angles, rates, list(assembly.free))
    near = np.linalg.norm(turn, axis=1) < _HALF_TURN
    known = near & clear & is_regular(doubt).all(axis=1)
    total = angles[:, 0] + travelled
    turns = np.round((total - angles[:, -1]) / (2.0 * np.pi))
    barred = (
        near & out_of_reach(found["margins"], found["off"][..., 0]).any(axis=1)
        if straight
        else np.False_
    )
    return np.where(known[:, None], turns, 0.0), known | barred


def _followed(
    way: np.ndarray, angles: np.ndarray, rates: np.ndarray, free: list[int]
) -> tuple[np.ndarray, np.ndarray]:
    """Angles by which axes have turned at the end, and whether they follow clearly."""
    R = way[:, 1:, :3, :3] @ np.swapaxes(way[:, :-1, :3, :3], -1, -2)
    axial = [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]]
    steps = np.concatenate([np.diff(way[..., :3, 3], axis=1), 0.5 * np.stack(axial, axis=-1)], -1)
    ends = (rates[:, :-1] @ steps[..., free, None], rates[:, 1:] @ steps[..., free, None])
    before, after = ends[0][..., 0], ends[1][..., 0]
    expected = 0.5 * (before + after)
    off = np.diff(angles, axis=1) - expected
    off -= 2.0 * np.pi * np.round(off / (2.0 * np.pi))
    clear = (np.abs(off) < _CLEAR) & (0.5 * np.abs(after - before) < _CLEAR)
    return (expected + off).sum(axis=1), clear.all(axis=(1, 2))


def _moved(T_0p: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Poses ``(..., 4, 4)`` moved by small twists ``(..., 6)``, turned by Cayley's rotation."""
    a = 0.5 * step[..., 3:]
    n = (a * a).sum(axis=-1)[..., None, None]
    K = np.zeros((*a.shape, 3))
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = a[..., 0], a[..., 1], a[..., 2]
    K = K - np.swapaxes(K, -1, -2)
    found = T_0p.copy()
    cayley = np.eye(3) + 2.0 * (K + K @ K) / (1.0 + n)
    found[..., :3, :3] = cayley @ T_0p[..., :3, :3]
    found[..., :3, 3] += step[..., :3]
    return found
