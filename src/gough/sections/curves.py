"""Curves of singularities over a grid whose states are known.

Contours of the grid give the course of the curves.  Every point of them lies between two points of
the grid, and is then sought there until it is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from gough.errors import GoughError, InputError
from gough.loops.closing import RELAXED, Closer, States
from gough.sections.components import sides
from gough.sections.figures import Figures, determinant, measured
from gough.sections.refining import border, crossing
from gough.sections.section import Section

KINDS = ("Type 1", "Type 2", "constraint")

_LOOSE = 1e-4  # smallest singular value of a leg on a curve of its own, natural units

Refine = Callable[[Closer, Section, States, np.ndarray], np.ndarray]


def check_plane(section: Section) -> None:
    """Refuse what is no plane."""
    if len(section.names) != 2:
        raise InputError(
            f"curves lie in a plane of two freedoms; the section varies {len(section.names)}: "
            f"{', '.join(section.names)}",
            hint="Name two and hold the others: x=None, y=None, at={'z': 0.3}.",
            argument="section",
        )
    check_extent(section)


def check_extent(section: Section) -> None:
    """Refuse a freedom of a picture or of curves that has one value only."""
    for name, count in zip(section.names, section.shape, strict=True):
        if count < 2:
            raise InputError(
                f"the section has one value of {name}: nothing varies along it",
                hint=f"Hold it, at={{{name!r}: ...}}, or give it a span.",
                argument="section",
            )


def curves_of(
    closer: Closer, section: Section, states: States, found: Figures, kinds: Iterable[str]
) -> dict[str, list[np.ndarray]]:
    """Curves by kind, over a grid whose states are known."""
    wanted = tuple(kinds)
    curves: dict[str, list[np.ndarray]] = {kind: [] for kind in wanted}
    if "Type 1" in wanted:
        reach = states.good.reshape(section.shape).astype(float)
        curves["Type 1"] += _refined(closer, section, states, _contours(reach, 0.5), border)
    if "Type 2" in wanted:
        curves["Type 2"] += _type_2(closer, section, states, found)
    if "Type 1" in wanted or "constraint" in wanted:
        for curve, kind in _within(closer, section, states, found):
            if kind in wanted:
                curves[kind].append(curve)
    return curves


def _type_2(closer: Closer, section: Section, states: States, found: Figures) -> list[np.ndarray]:
    """Where the determinant of the motors' Jacobian vanishes."""
    values = np.full(len(states.good), np.nan)
    values[states.good] = determinant(closer.assembly, found.J_inv[states.good])

    def refine(closer: Closer, section: Section, states: States, pairs: np.ndarray) -> np.ndarray:
        def figure(there: States, _: np.ndarray) -> np.ndarray:
            return determinant(closer.assembly, closer.judged(there)["J_inv"])

        return crossing(closer, section, states, pairs, figure)

    lines = _contours(values.reshape(section.shape), 0.0)
    return _refined(closer, section, states, lines, refine)


def _within(
    closer: Closer, section: Section, states: States, found: Figures
) -> Iterator[tuple[np.ndarray, str]]:
    """Curves inside the reach on which joints or platform are not fixed by the freedoms."""
    side = sides(closer, section, states)
    if not (side < 0).any():
        return
    values = np.where(states.good, side * np.minimum(found.type_1, found.constraint), np.nan)

    def refine(closer: Closer, section: Section, states: States, pairs: np.ndarray) -> np.ndarray:
        begin = closer.judged(states.at(pairs[:, 0]))["rows"].swapaxes(1, 2)

        def figure(there: States, which: np.ndarray) -> np.ndarray:
            product = begin[which] @ closer.judged(there)["rows"]
            return np.asarray(np.linalg.det(product))

        return crossing(closer, section, states, pairs, figure)

    lines = _contours(values.reshape(section.shape), 0.0)
    for curve in _refined(closer, section, states, lines, refine):
        yield curve, _kind(closer, section, states, curve)


def _kind(closer: Closer, section: Section, states: States, curve: np.ndarray) -> str:
    """Whether it is a leg or nacelle that comes loose on a curve, or the platform."""
    middle = curve[len(curve) // 2]
    x = section.points[0].copy()
    x[section.columns_varied] = middle
    near = np.where(states.good, np.abs(section.points - x).sum(axis=1), np.inf)
    there = closer.led(states.at([int(np.argmin(near))]), x[None], 2, RELAXED)
    if not there.good[0]:
        return "constraint"
    seen = measured(closer.assembly, closer.judged(there), closer.assembly.length)
    platform = seen.legs.min() >= _LOOSE > seen.constraint[0]
    return "constraint" if platform else "Type 1"


def _contours(values: np.ndarray, level: float) -> list[np.ndarray]:
    """Contour lines in numbers of the grid ``(k, 2)``; corners out of reach are cut off."""
    try:
        from contourpy import contour_generator  # noqa: PLC0415  heavy: loaded on first use
    except ImportError as err:
        raise GoughError(
            "curves need contourpy, which comes with matplotlib and is not installed",
            hint="pip install matplotlib",
            package="contourpy",
        ) from err
    known = np.ma.masked_invalid(values)
    if known.count() == 0:
        return []
    made = contour_generator(z=known, name="serial", corner_mask=True).lines(level)
    # contourpy has columns first; a closed line ends where it begins
    return [np.asarray(line)[:, ::-1] for line in made]


def _refined(
    closer: Closer,
    section: Section,
    states: States,
    lines: list[np.ndarray],
    refine: Refine,
) -> list[np.ndarray]:
    """Lines whose points are made exact; those that cannot be are left out, and part a line."""
    if not lines:
        return []
    ends = _ends(np.concatenate(lines), section.shape)
    pairs, places = np.unique(ends, axis=0, return_inverse=True)
    points = section.points[:, section.columns_varied]
    shares = refine(closer, section, states, pairs)
    exact = points[pairs[:, 0]] + shares[:, None] * (points[pairs[:, 1]] - points[pairs[:, 0]])
    curves, start = [], 0
    for line in lines:
        curve = exact[places.reshape(-1)[start : start + len(line)]]
        start += len(line)
        whole = np.isfinite(curve).all(axis=1)
        cuts = np.flatnonzero(np.diff(whole.astype(int))) + 1
        for piece in np.split(np.arange(len(curve)), cuts):
            if whole[piece[0]] and len(piece) > 1:
                curves.append(curve[piece])
    return curves


def _ends(vertices: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Points of the grid between which vertices lie ``(k, 2)``: along a side, or a diagonal."""
    low = np.floor(vertices + 1e-9).astype(int)
    share = vertices - low
    between = share > 1e-9
    one, other = low, low + between
    # a diagonal that falls: one share is what the other lacks
    falling = between.all(axis=1) & (np.abs(share[:, 0] - share[:, 1]) > 1e-6)
    one = one + np.stack([np.zeros(len(low), dtype=int), falling], axis=1)
    other = other - np.stack([np.zeros(len(low), dtype=int), falling], axis=1)
    numbers = [np.ravel_multi_index((ends[:, 0], ends[:, 1]), shape) for ends in (one, other)]
    return np.stack(numbers, axis=1)
