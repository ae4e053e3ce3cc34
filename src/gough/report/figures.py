"""Figures as people write them."""

from __future__ import annotations

import numpy as np


def number(value: float, *, full: bool = False, digits: int = 3) -> str:
    """A figure with three digits, as people write it.

    Args:
        value: the figure.
        full: whether zeros at the end are written, so that columns line up.
        digits: how many, if others than three.
    """
    if not np.isfinite(value):
        return "–"
    if abs(value) < 1e-12:
        return "0"
    if 10.0**digits <= abs(value) < 1e6:
        text = f"{value:.0f}"
    else:
        text = f"{value:#.{digits}g}".rstrip(".") if full else f"{value:.{digits}g}"
    return text.replace("-", "\N{MINUS SIGN}") if "e" not in text else text


def length_text(length: float) -> str:
    """A length in m, mm, µm or nm."""
    for factor, unit in ((1.0, "m"), (1e3, "mm"), (1e6, "µm")):
        if length * factor >= 0.5:
            return f"{number(length * factor)} {unit}"
    return f"{number(length * 1e9)} nm"
