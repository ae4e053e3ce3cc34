"""Spans in which a sensor stood still while the machine moved.

Numbers repeat, then jump to where the platform is by then.  A machine that stands still repeats
its numbers too, but goes on from there step by step: each step is like its neighbours.  Numbers
that repeat until the record ends, or from its start, are those of a sensor if the platform was
moving beside them: a machine slows down before it stands.
"""

from __future__ import annotations

import numpy as np

from gough.motion.onesided import foreseen

_SHORTEST = 2  # repeats in a row
_LIKE = 3.0  # times a neighbouring step is like it
_STEPS = 3  # neighbouring steps that tell how the machine moves
_MORE = 10  # the same where noise hides single steps
_JUMP = 9.0  # standard deviations of the noise, or units of the data's last digit
_NOISY = 5.0  # units of the last digit from which noise does not repeat itself by chance
_SLOWER = 0.5  # share of the speed before: a machine that stops has less at the end
_MOVES = 4.0  # standard deviations of the noise, in a step
_UNEVEN = 3.5  # times a step of time is another
_UNIFORM = 1e-6  # share of a step: a ramp that ends has a corner, and repeats where it ends


def frozen(
    t: np.ndarray, y: np.ndarray, resolution: float, noise: float
) -> tuple[list[tuple[int, int]], float]:
    """First and last sample of the spans that repeat the one before, and the largest jump.

    All columns stand still at once, or one of them that moved until then.

    Args:
        t: times (K,), rising.
        y: numbers (K, m).
        resolution: smallest change there is.
        noise: standard deviation.
    """
    steps, pauses = np.diff(y, axis=0), np.diff(t)
    least, noisy = _JUMP * max(resolution, noise), noise > _NOISY * resolution
    together = _spans(pauses, steps, least, noisy=noisy, both=False)
    alone = [
        _spans(pauses, steps[:, [i]], least, noisy=noisy, both=True) for i in range(steps.shape[1])
    ]
    ends = _until_end(t, y, resolution, noise), _until_end(-t[::-1], y[::-1], resolution, noise)
    last = len(t) - 1
    found = {**together}
    if ends[0] < last:
        found[ends[0] + 1, last] = 0.0
    if ends[1] < last:
        found[0, last - ends[1] - 1] = 0.0
    for spans in alone:
        for (a, b), jump in spans.items():
            if not any(a <= d and c <= b for c, d in together):
                found[a, b] = jump
    return _joined(sorted(found)), max(found.values(), default=0.0)


def _until_end(t: np.ndarray, y: np.ndarray, resolution: float, noise: float) -> int:
    """The sample that is repeated until the end, of a platform that was moving; else the last.

    All columns, or one alone, repeat.
    """
    last = len(t) - 1
    found = last
    for z in (y, *(y[:, [i]] for i in range(y.shape[1]))):
        moving = np.flatnonzero(np.diff(z, axis=0).any(axis=1))
        a = int(moving[-1]) + 1 if len(moving) else 0
        if last - a >= _SHORTEST and _was_moving(t, z, a, resolution, noise):
            found = min(found, a)
    return found


def _was_moving(t: np.ndarray, y: np.ndarray, a: int, resolution: float, noise: float) -> bool:
    """Whether a platform that stands from sample ``a`` on came there without slowing down."""
    count = (_MORE if noise > _NOISY * resolution else _STEPS) + 1
    if a + 1 < count:
        return False
    before = slice(a + 1 - count, a + 1)
    steps = np.diff(y[before], axis=0)
    size = np.linalg.norm(steps, axis=1)
    pause = float(t[a + 1] - t[a])
    ends = np.array([t[a], t[a] + 1e-3 * pause])
    speed = np.diff(foreseen(t[before], y[before], ends, 2).values, axis=0)[0] / (1e-3 * pause)
    usual = (y[a] - y[a + 1 - count]) / (t[a] - t[a + 1 - count])
    way = float(np.linalg.norm(usual))
    least = max(resolution, noise)
    if way == 0.0 or speed @ usual < _SLOWER * way**2:
        return False
    pauses = np.diff(t[a + 1 - count : a + 2])
    if pauses.max() > _UNEVEN * pauses.min() or (steps[-1] @ usual < _SLOWER * way**2 * pauses[-2]):
        return False
    bends = np.linalg.norm(np.diff(steps / np.diff(t[before])[:, None], axis=0), axis=1).max()
    uniform = bends * pause <= max(2.0 * resolution, _UNIFORM * size.max())
    alike = noise > _NOISY * resolution or bool(size.max() <= _LIKE * size.min())
    gone = _SLOWER * way * (t[-1] - t[a])
    return bool(alike and not uniform and gone > _JUMP * least and way * pause > _MOVES * least)


def _spans(
    pauses: np.ndarray, steps: np.ndarray, least: float, *, noisy: bool, both: bool
) -> dict[tuple[int, int], float]:
    """Spans of repeats, and the jump after each."""
    size = np.linalg.norm(steps, axis=1)
    still = np.concatenate([[False], size == 0.0, [False]])
    change = np.flatnonzero(np.diff(still.astype(int))).reshape(-1, 2)
    a, b = change.T  # steps a ... b - 1 are zero
    jump = size[np.minimum(b, len(size) - 1)]
    wanted = (b - a >= _SHORTEST) & (b < len(size)) & (jump > least)
    return {
        (int(a) + 1, int(b)): float(size[b])
        for a, b in change[wanted]
        if _jumps(steps, size / pauses, int(a), int(b), noisy=noisy, both=both)
    }


def _jumps(
    steps: np.ndarray, speed: np.ndarray, a: int, b: int, *, noisy: bool, both: bool
) -> bool:
    """Whether a step after rest is larger than a motion that the samples resolve can make it."""
    count = _MORE if noisy else _STEPS
    sides = (slice(max(a - count, 0), a), slice(b + 1, b + 1 + count))
    if noisy:
        beside = np.concatenate([speed[side] for side in sides])
        return bool(len(beside) and speed[b] > _LIKE * beside.max())
    told = []
    for side in sides:
        near = speed[side]
        told.append(
            len(near) == _STEPS
            and near.min() > 0.0
            and bool((steps[side] @ steps[side][0] > 0.0).all())
            and bool(near.max() <= _LIKE * near.min())
            and bool(speed[b] > _LIKE * near.max())
        )
    return told[0] if both else any(told)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of several columns, those that overlap made one."""
    found: list[tuple[int, int]] = []
    for a, b in spans:
        if found and a <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], b))
        else:
            found.append((a, b))
    return found
