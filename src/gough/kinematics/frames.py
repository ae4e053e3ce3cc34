"""Twists, their rates and wrenches in the platform's axes.  [BK] 4.2.3, 4.3, erratum BK-6

    V_p = X^T V_0p,   d/dt V_p = X^T (Vdot_0p - [omega x v; 0]),   W_p = X^T W_0p,   X = diag(R, R)

The point is the platform's origin in both frames, so that axes alone change.  A twist rate is the
plain derivative of components, and the axes of the platform turn: what omega x v makes of v is part
of ``Vdot_0p`` and not of the rate of ``V_p``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from gough.base.arguments import one_of
from gough.base.batch import leading_axes
from gough.errors import InputError
from gough.mechanism.mobility.assembly import Assembly

Axes = Literal["base", "platform"]
Arguments = Mapping[str, tuple[np.ndarray, int]]


def on_platform(frame: Any) -> bool:
    """Whether components are in the platform's axes; a word that is not known is refused."""
    if type(frame) is str and frame == "base":
        return False
    return one_of(frame, "frame", ("base", "platform")) == "platform"


def in_base(frame: Any, state: dict[str, tuple[np.ndarray, int]]) -> Arguments:
    """A state with its twist and twist rate in base axes; as it is, if it is in them already."""
    if not on_platform(frame):
        return state
    leading_axes(state)  # batch axes that do not fit together are refused
    T, found = state["T_0p"][0], dict(state)
    V = state["V_0p"][0]
    found["V_0p"] = (_like(V, _times(T, V)), 1)
    if "Vdot_0p" in state:
        Vdot = state["Vdot_0p"][0]
        found["Vdot_0p"] = (_like(Vdot, _times(T, Vdot + _turning(V))), 1)
    return found


def rate_in(frame: Any, state: Arguments, Vdot_0p: np.ndarray) -> np.ndarray:
    """A twist rate of the platform in the axes asked for; written where it was.

    Args:
        frame: of the answer.
        state: pose and twist in base axes.
        Vdot_0p: in base axes.
    """
    if on_platform(frame):
        T, V = state["T_0p"][0], np.asarray(state["V_0p"][0], dtype=float)
        Vdot_0p[...] = _times(T, Vdot_0p - _turning(V), back=True)
    return Vdot_0p


def rows_in(T_0p: np.ndarray, J: np.ndarray) -> np.ndarray:
    """``X^T J``: twists or wrenches ``(..., 6, k)`` in platform axes, from those in base axes."""
    halves = np.reshape(J, (*J.shape[:-2], 2, 3, J.shape[-1]))
    with np.errstate(all="ignore"):
        return np.reshape(_rotation(T_0p, back=True) @ halves, J.shape)


def columns_in(T_0p: np.ndarray, J: np.ndarray) -> np.ndarray:
    """``J X``: a map ``(..., k, 6)`` of twists in platform axes, from one of those in base axes."""
    return np.swapaxes(rows_in(T_0p, np.swapaxes(J, -1, -2)), -1, -2)


def freedoms_turn(assembly: Assembly, frame: Any) -> bool:
    """Whether ``V_r`` changes with the frame: six freedoms are the twist, in the axes asked for.

    With fewer they are the robot's own coordinates, in base axes in any case.
    """
    return on_platform(frame) and assembly.mobility == 6


def check_freedoms_turn(assembly: Assembly, frame: Any, what: str) -> bool:
    """The same for what lives in ``V_r`` alone, where the frame would change nothing otherwise."""
    if on_platform(frame) and assembly.mobility != 6:
        raise InputError(
            f"{assembly.robot.name}: {what} is in V_r, the robot's own freedoms "
            f"({', '.join(assembly.freedoms) or 'none'}), which have base axes in every frame",
            hint='gough.freedom_map(robot, T_0p, frame="platform") maps V_r to the twist there.',
            argument="frame",
        )
    return freedoms_turn(assembly, frame)


def _rotation(T_0p: np.ndarray, *, back: bool) -> np.ndarray:
    """Rotation of the platform, or its inverse, ready for both halves of a twist."""
    R = np.asarray(T_0p, dtype=float)[..., None, :3, :3]
    return np.swapaxes(R, -1, -2) if back else R


def _times(T_0p: np.ndarray, V: np.ndarray, *, back: bool = False) -> np.ndarray:
    """``X V``, or ``X^T V``."""
    halves = np.reshape(V, (*V.shape[:-1], 2, 3, 1))
    with np.errstate(all="ignore"):  # what is not finite is refused where it is used
        found = _rotation(T_0p, back=back) @ halves
    return np.reshape(found, (*found.shape[:-3], 6))


def _turning(V: np.ndarray) -> np.ndarray:
    """``[omega x v; 0]``: how the components of v change in axes that turn with the platform."""
    with np.errstate(all="ignore"):
        moved = np.cross(V[..., 3:], V[..., :3])  # erratum BK-6
    return np.concatenate([moved, np.zeros_like(moved)], axis=-1)


def _like(given: np.ndarray, found: np.ndarray) -> np.ndarray:
    """An array as precise as the one that it was made of."""
    return found.astype(np.float32) if given.dtype == np.float32 else found
