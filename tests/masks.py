"""Which samples of a batch failed, read off answers with ``on_error="nan"``."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import gough


def masked(answer: Any) -> tuple[Any, np.ndarray]:
    """An answer, and which samples along its first axis are refused; a single state: none has axes.

    Every entry of a refused sample is NaN, and no entry of another one.
    """
    arrays = [a for a in _arrays(answer) if a.dtype.kind == "f" and a.size]
    first = arrays[0]
    lead = 1 if first.ndim else 0
    refused = np.isnan(first).reshape(*first.shape[:lead], -1)
    np.testing.assert_array_equal(refused.any(axis=-1), refused.all(axis=-1))
    return answer, refused.all(axis=-1)


def _arrays(answer: Any) -> list[np.ndarray]:
    if isinstance(answer, np.ndarray):
        return [answer]
    if isinstance(answer, gough.State):
        return [getattr(answer, n) for n in ("T_0p", "V_0p", "Vdot_0p") if answer.is_given(n)]
    if isinstance(answer, dict):
        return [a for value in answer.values() for a in _arrays(value)]
    if is_dataclass(answer):
        return [a for each in fields(answer) for a in _arrays(getattr(answer, each.name))]
    if isinstance(answer, tuple | list):
        return [a for value in answer for a in _arrays(value)]
    return []
