"""Loops closed in maximal coordinates: many states, and many slightly different machines, at once.

Unknowns are small twists of all bodies; equations are all constraints and the positions of all
motors (:mod:`loops`)::

    phi(poses, frames of joints) = 0,    q(poses, frames of joints) = q given
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import gough
from loops import Loops, wrapped

CLOSED = 5e-14
"""Largest residual of a closed machine, natural units: some roundings."""
SETTLED = 1e-14
"""A step with a fixed inverse that is smaller is rounding."""
LAST = 1e-8
"""A step of Newton that is smaller is the last: the next would be its square, below rounding."""
LARGEST = 0.5
"""A step that is larger, natural units, may lead to another assembly mode: it is not taken."""


class NotClosed(RuntimeError):
    """Loops of some states do not close at these motor positions."""


def closed(robot: gough.Robot, q: Any, start: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Poses of all bodies of one machine at motor positions, from an assembled state nearby.

    Args:
        robot: the machine.
        q: positions of its motors ``(n,)`` [rad or m].
        start: poses of the bodies by name, of this machine or of one that is almost the same.

    Raises:
        NotClosed: the loops do not close.
    """
    names = [body.name for body in robot.bodies]
    found = closed_many(Loops.of(robot), q, np.array([start[name] for name in names]))
    return dict(zip(names, found, strict=True))


def closed_many(
    loops: Loops,
    q: Any,
    start: np.ndarray,
    *,
    strict: bool = True,
    tries: Sequence[int] = (1, 8, 64),
) -> np.ndarray:
    """Poses of all bodies at motor positions, of many states and machines.

    Leading axes are broadcast: 200 machines ``(200, 1, J, 4, 4)`` in 50 states, motors ``(50, n)``,
    give ``(200, 50, bodies, 4, 4)``.  States near their start, as those of a machine that is almost
    the one the start belongs to, take steps with one inverse of the Jacobian for all machines, that
    of the first; what does not end so is solved by Newton's method, and what is further away by
    moving the motors straight from where the start has them, in more and more steps.

    Args:
        loops: the machines.
        q: positions of the motors ``(..., n)`` [rad or m]; from the start less than half a turn.
        start: poses of the bodies, in the order of ``robot.bodies``, ``(..., bodies, 4, 4)``.
        strict: refuse states that do not close; otherwise their poses are NaN.
        tries: in how many steps the motors are moved, one after the other until loops close.

    Raises:
        NotClosed: some do not close.
    """
    q, start = np.asarray(q, dtype=float), np.asarray(start, dtype=float)
    whole = np.broadcast_shapes(loops.A.shape[:-3], q.shape[:-1], start.shape[:-3])
    shape = whole or (1,)
    found, gaps = _chord(loops, q, start, shape)
    done = gaps < CLOSED
    for steps in tries:
        left = np.nonzero(~done)
        if not len(left[0]):
            break
        some = loops.at(left, shape)
        goal = np.broadcast_to(q, (*shape, q.shape[-1]))[left]
        poses = np.broadcast_to(start, (*shape, *start.shape[-3:]))[left]
        found[left], done[left] = _continued(some, goal, poses, steps)
    if strict and not done.all():
        raise NotClosed(f"{loops.robot.name}: {(~done).sum()} of {done.size} states do not close")
    found[~done] = np.nan
    return found.reshape(*whole, *start.shape[-3:])


def openings(loops: Loops, q: Any, start: np.ndarray) -> np.ndarray:
    """What stays open of loops that do not close: largest residual, natural units ``(...,)``.

    Arguments are those of :func:`closed_many`; states near their start.
    """
    q, start = np.asarray(q, dtype=float), np.asarray(start, dtype=float)
    shape = np.broadcast_shapes(loops.A.shape[:-3], q.shape[:-1], start.shape[:-3])
    return _chord(loops, q, start, shape)[1]


def _chord(
    loops: Loops, q: np.ndarray, start: np.ndarray, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """Poses by steps with the inverse of the Jacobian at the start, and what is left open."""
    first = replace(loops, A=loops.A.reshape(-1, *loops.A.shape[-3:])[0])
    first = replace(first, B=loops.B.reshape(-1, *loops.B.shape[-3:])[0])
    inverse = inverted(first.jacobian(first.ends(start)))
    poses = np.broadcast_to(start, (*shape, *start.shape[-3:]))
    before = np.full(shape, LARGEST)
    for _ in range(12):
        residual = loops.residual(loops.ends(poses), q)
        step = -(inverse @ residual[..., None])[..., 0]
        size = np.abs(step).max(axis=-1)
        # a state that approaches too slowly is left to Newton's method
        good = size < np.maximum(0.3 * before, SETTLED)
        poses = loops.moved(poses, np.where(good[..., None], step, 0.0))
        before = np.where(good, size, 0.0)
        if (size < SETTLED).all() or not good.any():
            break
    return np.array(poses), np.abs(loops.residual(loops.ends(poses), q)).max(axis=-1)


def _continued(
    loops: Loops, q: np.ndarray, poses: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """Poses by Newton's method, motors moved in equal steps, and which have closed."""
    here = loops.motors(poses)
    turns = np.array([not loops.slides(name) for name in loops.robot.motors])
    way = np.where(turns, wrapped(q - here), q - here)
    done = np.ones(len(q), dtype=bool)
    for k in range(1, steps + 1):
        poses, closing = _newton(loops, here + way * (k / steps), poses)
        done &= closing
    return poses, done


def _newton(loops: Loops, q: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    bad = np.zeros(len(q), dtype=bool)
    for _ in range(12):
        ends = loops.ends(poses)
        step = -(inverted(loops.jacobian(ends)) @ loops.residual(ends, q)[..., None])[..., 0]
        size = np.abs(step).max(axis=-1)
        bad |= ~(size < LARGEST)
        poses = loops.moved(poses, np.where(bad[:, None], 0.0, step))
        if (bad | (size < LAST)).all():
            break
    left = np.abs(loops.residual(loops.ends(poses), q)).max(axis=-1)
    return poses, ~bad & (left < CLOSED)


def inverted(J: np.ndarray) -> np.ndarray:
    """Inverse of Jacobians; of those that are over-determined, or leave a body idle, nearly so.

    A share of 1e-13 of the squares is added to what would be singular: steps miss by as little.
    """
    rows, columns = J.shape[-2:]
    if rows == columns:
        try:
            return np.asarray(np.linalg.inv(J))
        except np.linalg.LinAlgError:
            pass
    square = J.swapaxes(-1, -2) @ J
    size = np.trace(square, axis1=-2, axis2=-1)[..., None, None] / columns
    return np.asarray(np.linalg.solve(square + 1e-13 * size * np.eye(columns), J.swapaxes(-1, -2)))
