"""Points of which all but one are symmetric: which one is amiss, and where the others expect it.

A symmetry is a turn about an axis or a reflection in a plane.  It counts if all points but one,
with one more point where the symmetry demands it, are taken onto each other.  The point that is
left over is amiss, and the demanded one is where it should be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from gough.base.english import direction, figures
from gough.base.spatial import rotation_exp

SAME = 2e-4
"""Share of the points' size within which they agree: drawings are rounded to tenths of mm."""

_AMISS = 10.0  # times as far as what agrees: less may be rounding or a measurement
_LIKE = 0.15  # share of the size within which a point is a mistaken one, and not another design
_FEWEST = 3  # points that can have a majority
_PAIRS = 6  # points of which two mirrored pairs can show that the third is none
_ORDERS = (2, 3, 4, 5, 6, 8)  # of turns


class Symmetry(NamedTuple):
    """A turn or reflection ``p -> R p + t``.

    Attributes:
        R, t: the map.
        order: how often it must be applied to get back.
        words: what it is.
    """

    R: np.ndarray
    t: np.ndarray
    order: int
    words: str

    def __call__(self, points: np.ndarray) -> np.ndarray:
        """Points after it."""
        return np.asarray(points @ self.R.T + self.t)


class Odd(NamedTuple):
    """A point that differs from what the others suggest.

    Attributes:
        which: its number.
        expected: where the others suggest it [m].
        words: by which symmetry.
        partner: the point that may be amiss as well, where a reflection alone says so.
    """

    which: int
    expected: np.ndarray
    words: str
    partner: int | None = None


def odd_point(
    points: np.ndarray,
    others: Sequence[np.ndarray] = (),
    *,
    like: float = 0.0,
    mirrored: bool = True,
) -> Odd | None:
    """The point that is amiss among points of like legs on one body, if there is exactly one.

    Args:
        points: one a row, axes of the body [m] ``(n, 3)``.
        others: further sets of points on the same body; they may show its axis.
        like: distance up to which a point is a mistaken one in any case [m]: bodies may be small.
        mirrored: whether one reflection is enough, which cannot say which of two points is amiss.
    """
    count = len(points)
    sets = [points, *others]
    size = _size(np.concatenate([*sets, np.zeros((1, 3))]))
    if count < _FEWEST or size == 0.0:
        return None
    near, far = SAME * size, max(_LIKE * size, like)
    if _distances(points, points[:1]).max() <= near:
        return None
    found = list(_hypotheses(points, _symmetries(sets, near), near, far))
    chosen = _agreed([odd for odd, symmetry in found if symmetry.order > 2])
    if chosen is None:
        chosen = _of_pairs(found, mirrored=mirrored and count >= _PAIRS)
    return chosen or _same_place(points, near, far) or _one_axis(points, near, far)


def odd_value(values: Sequence[float], share: float = 1e-8) -> tuple[int, float] | None:
    """The number that differs from all others, and what they are.

    Args:
        values: three or more.
        share: of the largest, by which the others may differ from each other.
    """
    array = np.asarray(values, dtype=float)
    if len(array) < _FEWEST:
        return None
    for k in range(len(array)):
        rest = np.delete(array, k)
        size = float(np.abs(rest).max())
        apart = abs(array[k] - rest[0])
        least = max(_AMISS * share, 1e-6) * max(size, abs(float(array[k])))
        if np.ptp(rest) <= share * size and apart > least:
            return k, float(rest.mean())
    return None


def _hypotheses(
    points: np.ndarray, symmetries: Iterable[Symmetry], near: float, like: float
) -> Iterator[tuple[Odd, Symmetry]]:
    """Every point that, put where a symmetry demands it, makes all points symmetric."""
    own = np.eye(len(points), dtype=bool)
    for symmetry in symmetries:
        images = symmetry(points)
        matches = _distances(images, points) <= near
        # images of the others that meet none of the others, by the point left out
        alone = (matches.sum(axis=1)[:, None] == matches) & ~own
        moved = ~matches.diagonal()
        for k in np.flatnonzero(alone.sum(axis=0) == 1):
            expected = images[alone[:, k]][0]
            whole = points.copy()
            whole[k] = expected
            symmetric = _distances(symmetry(whole), whole).min(axis=1).max() <= 2.0 * near
            off = float(np.linalg.norm(points[k] - expected))
            if symmetric and moved.sum() - moved[k] > 1 and _AMISS * near < off < like:
                yield Odd(int(k), expected, symmetry.words), symmetry


def _agreed(found: list[Odd]) -> Odd | None:
    """The point that more hypotheses name than any other."""
    counts = Counter(odd.which for odd in found).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return next(odd for odd in found if odd.which == counts[0][0])


def _of_pairs(found: list[tuple[Odd, Symmetry]], *, mirrored: bool) -> Odd | None:
    """The point that several symmetries of order two name, each together with another one."""
    named: dict[str, set[int]] = {}
    for odd, symmetry in found:
        if symmetry.order == 2:
            named.setdefault(symmetry.words, set()).add(odd.which)
    pairs = {frozenset(each) for each in named.values()}
    common = frozenset.intersection(*pairs) if pairs else frozenset()
    if len(pairs) > 1 and len(common) == 1:
        return next(odd for odd, _ in found if odd.which in common)
    if mirrored and len(pairs) == 1 and len(common) == 2:
        one, two = sorted(common)
        first = next(odd for odd, _ in found if odd.which == one)
        return first._replace(partner=two)
    return None


def _same_place(points: np.ndarray, near: float, like: float) -> Odd | None:
    """A point apart from all others, which coincide."""
    for k in range(len(points)):
        rest = np.delete(points, k, axis=0)
        off = float(np.linalg.norm(points[k] - rest[0]))
        if _distances(rest, rest[:1]).max() <= near and _AMISS * near < off < like:
            return Odd(k, rest.mean(axis=0), "all of them there")
    return None


def _one_axis(points: np.ndarray, near: float, like: float) -> Odd | None:
    """A point of which one coordinate differs from that of all others, four or more."""
    if len(points) <= _FEWEST + 1:
        return None
    for axis, name in enumerate("xyz"):
        for k in range(len(points)):
            rest = np.delete(points[:, axis], k)
            off = abs(points[k, axis] - rest[0])
            if np.ptp(rest) <= near and _AMISS * near < off < like:
                expected = points[k].copy()
                expected[axis] = rest.mean()
                return Odd(k, expected, f"all of them with the same {name}")
    return None


# symmetries that may be meant


def _symmetries(sets: Sequence[np.ndarray], near: float) -> Iterator[Symmetry]:
    """Turns about axes, and reflections, that the body's frame or its points suggest."""
    points, *others = sets
    orders = [m for m in _ORDERS if len(points) % m == 0]
    for axis in _ways():
        yield from _turns(axis / np.linalg.norm(axis), np.zeros(3), orders)
    if len(points) > _FEWEST:  # three points are on a circle in any case
        for axis, centre in _axes([points], near):
            yield from _turns(axis, centre, orders)
    for axis, centre in _axes(others, near):
        for turn in _turns(axis, centre, orders):
            if all(_distances(turn(each), each).min(axis=1).max() <= near for each in others):
                yield turn
    if 2 in orders:
        for normal, point in _planes(points, near):
            R = np.eye(3) - 2.0 * np.outer(normal, normal)
            words = f"reflection in the plane through {figures(point)} m normal to "
            yield Symmetry(R, point - R @ point, 2, words + direction(normal))


def _turns(axis: np.ndarray, centre: np.ndarray, orders: Sequence[int]) -> Iterator[Symmetry]:
    text = f"rotation about the axis through {figures(centre)} m along {direction(axis)}"
    for order in orders:
        R = np.asarray(rotation_exp(2.0 * np.pi / order * axis))
        yield Symmetry(R, centre - R @ centre, order, f"{order}-fold {text}")


def _axes(sets: Sequence[np.ndarray], near: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """Axes and centres of circles through three points of a set."""
    known: list[tuple[np.ndarray, np.ndarray]] = []
    for points in sets:
        for triple in combinations(points, 3):
            found = _circle(*triple, near)
            if found is not None and not any(_same_axis(found, other, near) for other in known):
                known.append(found)
    return known


def _ways() -> list[np.ndarray]:
    """Axes of a frame, z first, then its diagonals."""
    diagonals = [np.array([1.0, *rest]) for rest in product((1.0, -1.0), repeat=2)]
    return [np.eye(3)[2], np.eye(3)[0], np.eye(3)[1], *diagonals]


def _circle(
    a: np.ndarray, b: np.ndarray, c: np.ndarray, near: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Axis and centre of the circle through three points; ``None`` for a line."""
    u, v = b - a, c - a
    normal = np.cross(u, v)
    area = float(np.linalg.norm(normal))
    if area <= near * max(float(np.linalg.norm(u)), float(np.linalg.norm(v))):
        return None
    centre = a + (np.cross(normal, u) * (v @ v) + np.cross(v, normal) * (u @ u)) / (2.0 * area**2)
    normal = normal / area
    return normal * np.sign(normal[np.argmax(np.abs(normal))]), centre


def _same_axis(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray], near: float
) -> bool:
    apart = one[1] - other[1]
    across = apart - (apart @ other[0]) * other[0]
    return bool(
        np.linalg.norm(np.cross(one[0], other[0])) < 1e-6 and np.linalg.norm(across) < 0.1 * near
    )


def _planes(points: np.ndarray, near: float) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Planes of the frame, and those between two points."""
    known = [(normal, np.zeros(3)) for normal in np.eye(3)]
    for a, b in combinations(points, 2):
        apart = float(np.linalg.norm(b - a))
        if apart <= near:
            continue
        normal, point = (b - a) / apart, 0.5 * (a + b)
        if not any(
            np.linalg.norm(np.cross(normal, n)) < 1e-6 and abs(n @ (point - p)) < 0.1 * near
            for n, p in known
        ):
            known.append((normal, point))
    yield from known


def _size(points: np.ndarray) -> float:
    """Distance of the points that are farthest apart [m]."""
    return float(_distances(points, points).max())


def _distances(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(a[:, None] - b[None], axis=2))
