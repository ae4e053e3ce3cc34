"""How a leg of given lengths reaches a point: the closed forms that place home."""

from __future__ import annotations

import numpy as np

from gough.base.arguments import nearest
from gough.errors import InputError, shown


def crank_angle(u: np.ndarray, arm: float, rod: float, elbow: str, leg: str | int) -> float:
    """Angle of a crank about y, zero along x and positive towards -z, whose rod ends at u.

    Args:
        u: end of the rod in the crank's base frame [m].
        arm: length of the crank [m].
        rod: length of the rod [m].
        elbow: ``"out"``, the knee further along x, or ``"in"``.
        leg: for errors.
    """
    check_word(elbow, ("out", "in"), "elbow")
    rho = float(np.hypot(u[0], u[2]))
    c = (arm * arm + float(u @ u) - rod * rod) / (2.0 * arm * rho) if rho else np.inf
    if abs(c) > 1.0:
        refuse(leg, float(np.linalg.norm(u)), f"an arm of {arm:g} m and a rod of {rod:g} m")
    middle, half = float(np.arctan2(-u[2], u[0])), float(np.arccos(c))
    both = sorted((middle - half, middle + half), key=np.cos)
    q = both[1] if elbow == "out" else both[0]
    return turned(q)


def slider_position(u: np.ndarray, rod: float, side: str, leg: str | int) -> float:
    """Position of a slider along z whose rod ends at u."""
    check_word(side, ("behind", "ahead"), "side")
    off = float(u[0] ** 2 + u[1] ** 2)
    if off > rod * rod:
        refuse(leg, off**0.5, f"a rod of {rod:g} m", "from the rail")
    step = (rod * rod - off) ** 0.5
    return float(u[2] - step if side == "behind" else u[2] + step)


def two_links(u: np.ndarray, first: float, second: float, mode: int, leg: str | int) -> float:
    """Angle in the plane of the first of two links that end at u: direction of u - mode * acos."""
    distance = float(np.hypot(u[0], u[1]))
    c = (
        (first * first + distance * distance - second * second) / (2.0 * first * distance)
        if distance
        else np.inf
    )
    if abs(c) > 1.0:
        refuse(leg, distance, f"links of {first:g} m and {second:g} m")
    return float(np.arctan2(u[1], u[0]) - mode * np.arccos(c))


def turned(angle: float) -> float:
    """An angle between -pi and pi."""
    return float(np.arctan2(np.sin(angle), np.cos(angle)))


def refuse(leg: str | int, distance: float, lengths: str, whence: str = "from its foot") -> None:
    """The error of a leg that cannot reach."""
    raise InputError(
        f"leg {leg}: at home the platform point is {distance:.4g} m {whence}, "
        f"which {lengths} cannot reach",
        hint="Give another home, or check the lengths (gough is SI only: metres).",
        leg=str(leg),
        distance=distance,
    )


def check_word(value: object, known: tuple[str, ...], what: str) -> None:
    """One of a few words."""
    if not isinstance(value, str) or value not in known:
        raise InputError(
            f"{what}: expected one of {', '.join(known)}, got {shown(value)}",
            hint=nearest(value, known),
            argument=what,
        )
