"""Tables of a report in which what is alike shares a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from gough.report.figures import number

MOST_NAMES = 4
"""Names of a row that are written out; of more, the first and the last."""


class Block(NamedTuple):
    """A table of a report.

    Attributes:
        title: above it.
        heads: of the columns; none for pairs of a heading and a fact.
        rows: cells as text.
        note: below it.
        left: how many columns are words, set to the left.
    """

    title: str
    heads: tuple[str, ...]
    rows: list[tuple[str, ...]]
    note: str = ""
    left: int = 1


def facts(title: str, pairs: Iterable[tuple[str, str]], note: str = "") -> Block:
    """A table of headings and facts, those without a fact left out."""
    return Block(title, (), [(heading, fact) for heading, fact in pairs if fact], note)


def alike(named: Iterable[tuple[str, tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """Rows of names and cells; those with equal cells become one row."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, cells in named:
        groups.setdefault(cells, []).append(name)
    return [(names_text(names), *cells) for cells, names in groups.items()]


def names_text(names: Sequence[str]) -> str:
    """``a, b, c (3 alike)``; of many the first and the last."""
    if len(names) == 1:
        return names[0]
    few = ", ".join(names) if len(names) <= MOST_NAMES else f"{names[0]} … {names[-1]}"
    return f"{few} ({len(names)} alike)"


def quantity(value: float | None, unit: str) -> str:
    """A figure with its unit; a dash if it is not known."""
    return "–" if value is None or not np.isfinite(value) else f"{number(value, digits=5)} {unit}"


def vector(values: Sequence[float] | np.ndarray, unit: str = "") -> str:
    """``(0.1, 0, 2) m``; rounding dust beside the largest component is left out."""
    largest = float(np.abs(values).max(initial=0.0))
    clean = [0.0 if abs(v) < 1e-9 * largest else float(v) for v in values]
    return f"({', '.join(number(v, digits=5) for v in clean)}) {unit}".rstrip()
