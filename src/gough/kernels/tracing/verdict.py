"""What the doubts of a program mean: the one place that decides whether an answer is valid.

A program gives two doubts with every state: whether the state is consistent with the machine (pose,
twists, loops, turns), and whether what it had to solve is regular.  Each is a sum of shares of what
is tolerated, so that below 1 no single one is at its limit.
"""

from __future__ import annotations

import numpy as np


def stands(doubt: np.ndarray) -> np.ndarray:
    """Whether answers are valid, from their doubts ``(..., 2)``; not where they are NaN."""
    return np.asarray(doubt[..., 0] + doubt[..., 1] < 1.0)


def one_stands(doubt: np.ndarray) -> bool:
    """Whether the answer of one state is valid; faster than :func:`stands`."""
    inconsistent, singular = doubt.tolist()
    return bool(inconsistent + singular < 1.0)


def is_regular(doubt: np.ndarray) -> np.ndarray:
    """Whether what was solved is regular, however consistent the state is."""
    return np.asarray(doubt[..., 1] < 1.0)


def finite(values: np.ndarray, lead: int = 1) -> np.ndarray:
    """States of which every number is one; ``lead`` axes count the states."""
    return np.asarray(np.isfinite(values).all(axis=tuple(range(lead, values.ndim))))
