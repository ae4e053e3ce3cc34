"""What users may mean by ``near``: a pose, a mode, an assembled state, an answer with poses."""

from __future__ import annotations

from typing import Any

from gough.errors import InputError, shown
from gough.geometry.newton import AssembledState


def near_pose(near: Any) -> Any:
    """The poses that are meant, of whatever kind; not checked yet.

    Raises:
        InputError: all modes at once, or a word.
    """
    if isinstance(near, str):
        raise InputError(
            f"near is {shown(near)}, expected a pose (..., 4, 4), a mode or an answer with poses",
            hint="Without near the start is home; of all modes take one: near=modes[0].",
            argument="near",
        )
    if hasattr(near, "modes"):
        raise InputError(
            "near: these are all modes of one set of motor positions",
            hint="Take one of them: near=modes[0].",
            argument="near",
        )
    return getattr(near, "T_0p", near)


def near_state(near: Any) -> AssembledState | None:
    """The assembled state that is meant, of a mode or by itself; none of a pose."""
    branch = getattr(near, "branch", near)
    return branch if isinstance(branch, AssembledState) else None
