"""Figures as people write them."""

from __future__ import annotations

import numpy as np


def number(value: float, *, full: bool = False) -> str:
    """A figure with three digits, as people write it.

    Args:
        value: the figure.
        full: whether zeros at the end are written, so that columns line up.
    """
    if not np.isfinite(value):
        return "–"
    if abs(value) < 1e-12:
        return "0"
    if 1e3 <= abs(value) < 1e6:
        text = f"{value:.0f}"
    else:
        text = f"{value:#.3g}".rstrip(".") if full else f"{value:.3g}"
    return text.replace("-", "\N{MINUS SIGN}") if "e" not in text else text


def length_text(length: float) -> str:
    """A length in m, mm, µm or nm."""
    for factor, unit in ((1.0, "m"), (1e3, "mm"), (1e6, "µm")):
        if length * factor >= 0.5:
            return f"{number(length * factor)} {unit}"
    return f"{number(length * 1e9)} nm"
