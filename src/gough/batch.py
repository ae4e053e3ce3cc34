"""Arguments with leading batch axes: checked at the door, then one state at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from gough.errors import GoughError, InputError

OnError = Literal["raise", "nan", "mask"]


def as_array(value: Any, core: tuple[int, ...], name: str) -> np.ndarray:
    """A float64 array whose last axes have the shape of one state."""
    try:
        array = np.asarray(value)
        if array.dtype == object or array.dtype.kind in "USV":
            array = np.array(array.tolist(), dtype=float)
        if array.dtype.kind == "c":
            raise TypeError("complex")
        array = np.asarray(array, dtype=float)
    except (TypeError, ValueError) as err:
        raise InputError(f"{name} is not an array of numbers", argument=name) from err
    shape = array.shape
    if len(shape) < len(core) or shape[len(shape) - len(core) :] != core:
        expected = "(..., " + ", ".join(str(n) for n in core) + ")"
        hint = ""
        if shape == (*core, 1):
            hint = "A column was given: drop its last axis, x[:, 0]."
        raise InputError(
            f"{name} has shape {shape}, expected {expected}", hint=hint, argument=name, shape=shape
        )
    return array


def check_finite(array: np.ndarray, name: str) -> None:
    """Refuse NaN and infinity in the arguments of one state."""
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise InputError(
            f"{name}{list(where)} is {array[where]}, not a finite number", argument=name
        )


def check_pose(T: np.ndarray, name: str = "T_0p") -> None:
    """Refuse a matrix that is no rigid displacement."""
    check_finite(T, name)
    if np.abs(T[3] - [0.0, 0.0, 0.0, 1.0]).max() > 1e-9:
        raise InputError(f"{name}: the last row is not 0 0 0 1", argument=name)
    R = T[:3, :3]
    error = float(np.abs(R.T @ R - np.eye(3)).max())
    if error > 1e-7 or np.linalg.det(R) < 0.0:
        raise InputError(
            f"{name}: the upper left 3x3 is not a rotation (R^T R is off by {error:.2g}, "
            f"det {np.linalg.det(R):.3g})",
            argument=name,
        )


def over(
    function: Callable[..., Any],
    arguments: dict[str, tuple[np.ndarray, int]],
    outputs: tuple[tuple[int, ...], ...],
    on_error: OnError = "raise",
) -> Any:
    """Call a function of one state for every state of a batch.

    Args:
        function: takes one state's arrays, returns one array or a tuple of arrays.
        arguments: name -> (array, number of core axes); leading axes broadcast.
        outputs: shape of each returned array.
        on_error: ``"raise"`` the first error, naming the sample; ``"nan"`` in the failed samples
            only; ``"mask"``: the same, and also return which samples failed.
    """
    if on_error not in ("raise", "nan", "mask"):
        raise InputError(f"on_error is {on_error!r}, expected 'raise', 'nan' or 'mask'")
    lead = _leading(arguments)
    spread = [np.broadcast_to(a, lead + a.shape[a.ndim - core :]) for a, core in arguments.values()]
    results = [np.full(lead + shape, np.nan) for shape in outputs]
    failed = np.zeros(lead, dtype=bool)
    for index in np.ndindex(*lead):
        try:
            found = function(*(a[index] for a in spread))
        except GoughError as err:
            if on_error == "raise":
                raise err.at_sample(index) from err
            failed[index] = True
            continue
        for result, value in zip(results, found if len(outputs) > 1 else (found,), strict=True):
            result[index] = value
    answer: Any = results[0] if len(results) == 1 else tuple(results)
    return (answer, failed) if on_error == "mask" else answer


def _leading(arguments: dict[str, tuple[np.ndarray, int]]) -> tuple[int, ...]:
    shapes = {name: a.shape[: a.ndim - core] for name, (a, core) in arguments.items()}
    try:
        return tuple(np.broadcast_shapes(*shapes.values()))
    except ValueError as err:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"the batch axes do not fit together: {listed}") from err
