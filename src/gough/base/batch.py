"""Arguments with leading batch axes: checked first, then taken one state at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.blas_threads import one_thread
from gough.errors import GoughError, InputError, SingularPose, reasons

_OVERFLOWS = 1e50  # products of a few such numbers leave the range of floats
# Bounds of a pose.  1e-7 lets a rotation pass that was typed or stored with eight digits; float32
# (1.2e-7 a step) is made exact before, and larger errors would show in efforts.
_NO_ROTATION = 1e-7  # entry of R^T R - 1
_NO_LAST_ROW = 1e-9  # entry of the last row less 0 0 0 1: nothing rounds there
_TWISTS = ("V_0p", "Vdot_0p", "Vddot_0p")  # of a platform, by the names of arguments

OnError = Literal["raise", "nan"]


def as_array(
    value: Any, core: tuple[int, ...], name: str, *, keep_single: bool = False
) -> np.ndarray:
    """Convert to a float64 array whose last axes have the shape of one state.

    With ``keep_single`` a float32 array stays float32, for callers that depend on its precision.
    """
    if type(value) is np.ndarray and value.dtype == np.float64 and _ends_with(value.shape, core):
        if core == (4,) and value.shape[-2:] == (4, 4):  # of a machine with four motors or freedoms
            _check_no_pose(value, name)
        return value  # the usual case, without further ado
    if hasattr(value, "T_0p"):
        raise InputError(
            f"{name} is a {type(value).__name__}, expected an array of numbers",
            hint="Its arrays are T_0p, V_0p and Vdot_0p.  If positions of motors are meant, "
            "gough.inverse_kinematics(robot, state) has them; their rates are those of "
            "gough.motor_rates, their efforts those of gough.inverse_dynamics.",
            argument=name,
        )
    if np.ma.is_masked(value):
        raise InputError(f"{name} has masked entries", hint="Fill or drop them.", argument=name)
    try:
        array = np.asarray(value)
        if array.dtype == object and all(isinstance(x, Real) for x in array.flat):
            array = array.astype(float)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"its entries are of type {array.dtype}")
        if not keep_single or array.dtype != np.float32:
            array = np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as err:
        raise InputError(f"{name} is not an array of numbers: {err}", argument=name) from err
    shape = array.shape
    if not _ends_with(shape, core):
        expected = "(..., " + ", ".join(str(n) for n in core) + ")"
        hint = ""
        if core == (4, 4) and shape[-1:] in ((3,), (6,)):
            hint = "gough.state(robot, x) makes a pose of the robot's freedoms."
        if core == (6,) and name in _TWISTS and shape[-1:] < core:
            hint = (
                "A twist has six numbers, [v; omega]; gough.state(robot, x, xd, xdd) makes it of "
                "the rates of the robot's freedoms."
            )
        if shape == (*core, 1):
            hint = "A column was given: drop its last axis, x[:, 0]."
        raise InputError(
            f"{name} has shape {shape}, expected {expected}", hint=hint, argument=name, shape=shape
        )
    return array


def _check_no_pose(array: np.ndarray, name: str) -> None:
    """Refuse poses where rows of four numbers are meant, which have the same shape."""
    if array.size and are_poses(array.reshape(-1, 4, 4)).all():
        raise InputError(
            f"{name} is a pose (..., 4, 4), expected rows of four numbers (..., 4)",
            hint="gough.inverse_kinematics(robot, pose) has the motor positions of a pose; a pose "
            "alone is a state at rest.",
            argument=name,
        )


def _ends_with(shape: tuple[int, ...], core: tuple[int, ...]) -> bool:
    return len(shape) >= len(core) and shape[len(shape) - len(core) :] == core


def check_finite(array: np.ndarray, name: str) -> None:
    """Refuse NaN and infinity in the arguments of one state."""
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        place = f"{name}{list(where)}" if where else name
        raise InputError(f"{place} is {array[where]}, not a finite number", argument=name)


def check_pose(T: np.ndarray, name: str = "T_0p") -> None:
    """Refuse a matrix that is no rigid displacement."""
    check_finite(T, name)
    last = np.array([0.0, 0.0, 0.0, 1.0])
    if np.abs(T[3] - last).max() > _NO_LAST_ROW:
        transposed = np.abs(T[:, 3] - last).max() <= _NO_LAST_ROW
        hint = "Its last column is: likely it is transposed, and T.T is the pose."
        raise InputError(
            f"{name}: the last row is not 0 0 0 1", hint=hint if transposed else "", argument=name
        )
    R = T[:3, :3]
    error, det = float(np.abs(R.T @ R - np.eye(3)).max()), float(np.linalg.det(R))
    if error > _NO_ROTATION or det < 0.0:
        hint = "Its columns are a left-handed frame: turn one axis round, or exchange two."
        raise InputError(
            f"{name}: the upper left 3x3 is not a rotation (R^T R is off by {error:.2g}, "
            f"det {det:.3g})",
            hint=hint if error <= _NO_ROTATION else "",
            argument=name,
        )


def check_poses(T: np.ndarray, name: str = "T_0p") -> None:
    """Refuse matrices (K, 4, 4) of which one is no rigid displacement; it is named."""
    for k in np.flatnonzero(~are_poses(T)):
        check_pose(T[k], f"{name}[{k}]")


def are_poses(T: np.ndarray) -> np.ndarray:
    """Which of the matrices (K, 4, 4) are rigid displacements; same bounds as ``check_pose``."""
    R = T[:, :3, :3]
    with np.errstate(all="ignore"):  # what is not finite is none
        rows = np.abs(T[:, 3] - [0.0, 0.0, 0.0, 1.0]).max(axis=1)
        error = np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2))
        turned = np.linalg.det(R) >= 0.0
    finite = np.isfinite(T).all(axis=(1, 2))
    return np.asarray(finite & (rows <= _NO_LAST_ROW) & (error <= _NO_ROTATION) & turned)


def check_on_error(value: Any) -> None:
    """Refuse a value of ``on_error`` that is neither ``"raise"`` nor ``"nan"``."""
    one_of(value, "on_error", ("raise", "nan"))


def map_states(
    function: Callable[..., Any],
    arguments: dict[str, tuple[np.ndarray, int]],
    outputs: tuple[tuple[int, ...], ...],
    on_error: OnError = "raise",
    failed: Callable[[tuple[int, ...], GoughError], None] | None = None,
    *,
    known: np.ndarray | None = None,
) -> tuple[np.ndarray, ...]:
    """Call a function of one state for every state of a batch.

    Args:
        function: takes one state's arrays, returns one array or a tuple of arrays.
        arguments: name -> (array, number of core axes); leading axes broadcast.
        outputs: shape of each returned array.
        on_error: ``"raise"`` the first error, naming the sample; ``"nan"`` in the failed samples
            only.
        failed: called with the sample and its error where that is not raised.
        known: states that are left out, as they are known by other means; NaN is answered.
    """
    check_on_error(on_error)
    lead = leading_axes(arguments)
    spread = [np.broadcast_to(a, lead + a.shape[a.ndim - core :]) for a, core in arguments.values()]
    results = [np.full(lead + shape, np.nan) for shape in outputs]
    for index in np.ndindex(*lead):
        if known is not None and known[index]:
            continue
        try:
            state = dict(zip(arguments, (a[index] for a in spread), strict=True))
            with reasons(on_error == "raise"):
                found = one_state(function, state)
        except GoughError as err:
            if on_error == "raise":
                if not index:
                    raise
                raise err.at_sample(index) from err
            if failed is not None:
                failed(index, err)
            continue
        for result, value in zip(results, found, strict=True):
            result[index] = value
    return tuple(results)


def one_state(function: Callable[..., Any], state: dict[str, np.ndarray]) -> tuple[Any, ...]:
    """Answers of one state; numbers so large that they overflow are refused, not returned.

    Args:
        function: of the state's arrays in order; returns one array, or a sequence of them.
        state: arrays by name.
    """
    try:
        with np.errstate(all="ignore"), one_thread():
            found = function(*state.values())
    except (np.linalg.LinAlgError, OverflowError) as err:
        raise InputError(f"the arguments cannot be computed with: {err}") from err
    answers = tuple(found) if isinstance(found, (tuple, list)) else (found,)
    if not all(np.isfinite(answer).all() for answer in answers):
        raise _not_finite(state)
    return answers


def _not_finite(state: dict[str, np.ndarray]) -> GoughError:
    """Why an answer is not finite: an argument so large that it overflows, or a singular state."""
    sizes = {name: float(np.abs(a).max(initial=0.0)) for name, a in state.items()}
    name = max(sizes, key=lambda key: sizes[key], default="")
    if name and sizes[name] > _OVERFLOWS:
        return InputError(
            f"the answer is not finite: {name} reaches {sizes[name]:.3g}, which is too large",
            hint="Likely: a wrong unit, or an overflow where the argument was worked out.",
            argument=name,
        )
    return SingularPose(
        "the answer is not finite, though no argument is large",
        hint="Likely: the state is singular, or something that moves has no inertia; "
        "gough.singularities(robot, state) and gough.doctor(robot) look for the cause.",
        condition=float("inf"),
    )


def leading_axes(arguments: Mapping[str, tuple[np.ndarray, int]]) -> tuple[int, ...]:
    """Batch axes that all arguments broadcast to."""
    shapes = {name: a.shape[: a.ndim - core] for name, (a, core) in arguments.items()}
    different = set(shapes.values())
    if len(different) == 1:
        return different.pop()
    try:
        return tuple(np.broadcast_shapes(*shapes.values()))
    except ValueError as err:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"the batch axes do not fit together: {listed}") from err


def state_arguments(**given: Any) -> dict[str, tuple[np.ndarray, int]]:
    """Arrays of states and their core axes by name, in the order given; float32 is kept.

    ``T_0p`` is a pose, ``V_0p`` and ``Vdot_0p`` are twists.
    """
    cores = {name: (4, 4) if name == "T_0p" else (6,) for name in given}
    return {
        name: (as_array(value, cores[name], name, keep_single=True), len(cores[name]))
        for name, value in given.items()
    }


def all_finite(values: np.ndarray, lead: int = 1) -> np.ndarray:
    """States of which every number is one; ``lead`` axes count the states."""
    return np.asarray(np.isfinite(values).all(axis=tuple(range(lead, values.ndim))))
