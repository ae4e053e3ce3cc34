"""How exact the figures of a file are, from the number of their digits."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[-+]?(\d*)(?:\.(\d*))?(?:[eE][-+]?\d+)?")

FEW = 7
"""Digits of CAD exporters, six, and one that is rounded up: more say that somebody means them."""

TYPICAL = 1e-5
"""Precision of six digits: a share of the machine's size, and radians."""

_SHORT = 4  # digits of figures that may be exact: 0.5, 0.125
_EXACT = 12  # digits that are as good as all


def precision_of(texts: Iterable[str]) -> float:
    """Precision that a file's lengths, angles and directions have; 0 if they are exact.

    The usual long figure counts: a few angles are written with all digits in any file.
    """
    found = sorted(n for text in texts for word in text.split() if (n := digits(word)) > _SHORT)
    usual = found[len(found) // 2] if found else FEW
    if usual <= FEW:
        return TYPICAL
    return 0.0 if usual >= _EXACT else 10.0 ** (1 - usual)


def digits(word: str) -> int:
    """Digits of a number as it is written, zeros before and after them left out."""
    found = _NUMBER.fullmatch(word)
    return len((found[1] + (found[2] or "")).strip("0")) if found else 0
