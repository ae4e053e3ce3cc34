"""Spans in which a sensor was frozen while the machine moved.

Numbers repeat, then jump to where the platform is by then.  A machine at rest repeats its numbers
too, but leaves rest step by step: each step is like its neighbours.  Numbers that repeat until the
record ends, or from its start, are those of a frozen sensor if the platform was moving beside them:
a machine slows down before it stops.
"""

from __future__ import annotations

import numpy as np

from gough.motion.onesided import foreseen
from gough.motion.series import OUT, Series, are_uneven

_SHORTEST = 2  # repeats in a row; one may be chance, or a doubled sample
_LIKE = 3.0  # ratio of neighbouring steps of a motion that the samples resolve
_STEPS = 3  # neighbouring steps that show how the machine moves
_MORE = 10  # the same where noise hides single steps
_NOISY = 5.0  # units of the last digit: numbers with more noise do not repeat by chance
_SLOWER = 0.5  # share of the speed before: a machine that stops has less at the end
_MOVES = 4.0  # standard deviations of the noise: a smaller step may be noise
_UNIFORM = 1e-6  # share of a step: a ramp of constant speed may end in a corner, and is no fault
_MOMENT = 1e-3  # of the pause after the last sample, over which its speed is taken


def frozen(data: Series) -> tuple[np.ndarray, float]:
    """Samples of spans that repeat the one beside them, and the largest jump after one.

    All columns repeat at once, or one of them that moved until then.
    """
    together = _spans(data, both=False)
    alone = [_spans(column, both=True) for column in data.columns()]
    back = data.at(slice(None, None, -1))
    ends = _until_end(data), _until_end(back._replace(t=-back.t))
    last = len(data.t) - 1
    found = {**together}
    if ends[0] < last:
        found[ends[0] + 1, last] = 0.0
    if ends[1] < last:
        found[0, last - ends[1] - 1] = 0.0
    for spans in alone:
        for (a, b), jump in spans.items():
            if not any(a <= d and c <= b for c, d in together):
                found[a, b] = jump
    samples = sorted({k for a, b in found for k in range(a, b + 1)})
    return np.array(samples, dtype=int), max(found.values(), default=0.0)


def _is_noisy(data: Series) -> bool:
    return data.noise > _NOISY * data.resolution


def _until_end(data: Series) -> int:
    """The sample that is repeated until the end, of a platform that was moving; else the last.

    All columns, or one alone, repeat.
    """
    last = len(data.t) - 1
    found = last
    for some in (data, *data.columns()):
        moving = np.flatnonzero(np.diff(some.y, axis=0).any(axis=1))
        a = int(moving[-1]) + 1 if len(moving) else 0
        if last - a >= _SHORTEST and _was_moving(some, a):
            found = min(found, a)
    return found


def _was_moving(data: Series, a: int) -> bool:
    """Whether a platform at rest from sample ``a`` on came there without slowing down."""
    t, y, noisy = data.t, data.y, _is_noisy(data)
    count = (_MORE if noisy else _STEPS) + 1
    if a + 1 < count:
        return False
    before = slice(a + 1 - count, a + 1)
    steps = np.diff(y[before], axis=0)
    size = np.linalg.norm(steps, axis=1)
    pause = float(t[a + 1] - t[a])
    ends = np.array([t[a], t[a] + _MOMENT * pause])
    speed = np.diff(foreseen(t[before], y[before], ends, 2).values, axis=0)[0] / (_MOMENT * pause)
    usual = (y[a] - y[a + 1 - count]) / (t[a] - t[a + 1 - count])
    way = float(np.linalg.norm(usual))
    if way == 0.0 or speed @ usual < _SLOWER * way**2:
        return False
    slows = steps[-1] @ usual < _SLOWER * way**2 * (t[a] - t[a - 1])
    if slows or are_uneven(t[a + 1 - count : a + 2]):
        return False
    bends = np.linalg.norm(np.diff(steps / np.diff(t[before])[:, None], axis=0), axis=1).max()
    uniform = bends * pause <= max(2.0 * data.resolution, _UNIFORM * size.max())
    alike = noisy or bool(size.max() <= _LIKE * size.min())
    gone = _SLOWER * way * (t[-1] - t[a])
    far = gone > OUT * data.least and way * pause > _MOVES * data.least
    return bool(alike and not uniform and far)


def _spans(data: Series, *, both: bool) -> dict[tuple[int, int], float]:
    """Spans of repeats, and the jump after each."""
    steps, noisy = np.diff(data.y, axis=0), _is_noisy(data)
    size = np.linalg.norm(steps, axis=1)
    speed = size / np.diff(data.t)
    still = np.concatenate([[False], size == 0.0, [False]])
    change = np.flatnonzero(np.diff(still.astype(int))).reshape(-1, 2)
    a, b = change.T  # steps a ... b - 1 are zero
    jump = size[np.minimum(b, len(size) - 1)]
    wanted = (b - a >= _SHORTEST) & (b < len(size)) & (jump > OUT * data.least)
    return {
        (int(a) + 1, int(b)): float(size[b])
        for a, b in change[wanted]
        if _jumps(steps, speed, int(a), int(b), noisy=noisy, both=both)
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
    resolved = []
    for side in sides:
        near = speed[side]
        resolved.append(
            len(near) == _STEPS
            and near.min() > 0.0
            and bool((steps[side] @ steps[side][0] > 0.0).all())
            and bool(near.max() <= _LIKE * near.min())
            and bool(speed[b] > _LIKE * near.max())
        )
    return resolved[0] if both else any(resolved)
