"""Arguments of controllers: one number a motor, and options by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gough.base.arguments import nearest
from gough.base.batch import as_array
from gough.errors import InputError, shown


def each(name: str, value: Any, count: int) -> np.ndarray:
    """One number for all, or one for each of so many ``(count,)``; none is negative.

    Raises:
        InputError: they are not; names the argument.
    """
    array = as_array(value, (), name)
    if array.shape not in ((), (1,), (count,)):
        raise InputError(
            f"{name} has shape {array.shape}, expected one number or {count}", argument=name
        )
    if not np.isfinite(array).all() or (array < 0.0).any():
        raise InputError(
            f"{name} is {shown(value)}, expected finite numbers, zero or more", argument=name
        )
    return np.broadcast_to(array, (count,)).copy()


def check_options(
    maker: Callable[..., Any], options: Mapping[str, Any], known: Sequence[str]
) -> None:
    """Refuse options that a controller does not have.

    Args:
        maker: the function that was called, whose own arguments may have been meant.
        options: what it was given beside them.
        known: options that it hands on.

    Raises:
        InputError: one is unknown; names the nearest known one.
    """
    own = [p.name for p in inspect.signature(maker).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for name in options:
        if name not in known:
            raise InputError(
                f"{maker.__name__} has no argument {shown(name)}",
                hint=nearest(name, [*own, *known]),
                argument=name,
            )
