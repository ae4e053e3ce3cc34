"""Base parameters in words: ``arm1.Iyy + a1.rotor + 0.04 (bar1a.m + bar1b.m)``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_SAME = 1e-6  # coefficients that differ less, beside themselves, are printed as one


def grouping(lead: int, row: np.ndarray, names: Sequence[str]) -> str:
    """A base parameter as a sum, its leading parameter first.

    Args:
        lead: number of the leading parameter, whose coefficient is one.
        row: coefficients of all parameters.
        names: of all parameters.
    """
    parts: list[tuple[float, list[str]]] = []
    for k in np.flatnonzero(row).tolist():
        value = float(row[k])
        if k == lead:
            continue
        alike = next((part for part in parts if _same(part[0], value)), None)
        if alike is None or _same(value, 1.0):
            parts.append((value, [names[k]]))
        else:
            alike[1].append(("" if value * alike[0] > 0.0 else "-") + names[k])
    parts.sort(key=lambda part: not _same(part[0], 1.0))  # plain sums first
    return "".join([names[lead], *(_term(value, words) for value, words in parts)])


def _same(a: float, b: float) -> bool:
    """Whether coefficients are equal but for their sign."""
    return abs(abs(a) - abs(b)) < _SAME * abs(b)


def _term(value: float, words: Sequence[str]) -> str:
    """One coefficient and what it belongs to, with its sign in front."""
    inner = words[0]
    for word in words[1:]:
        inner += f" - {word[1:]}" if word.startswith("-") else f" + {word}"
    size = "" if _same(value, 1.0) else f"{abs(value):.4g} "
    return f" {'+' if value > 0.0 else '-'} {size}" + (inner if len(words) == 1 else f"({inner})")
