"""A motion as samples: time, pose, twist and twist rate, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.base.arguments import number
from gough.base.batch import as_array
from gough.errors import InputError, shown
from gough.motion.motion import Samples
from gough.states.state import State


def among_all(values: np.ndarray, good: np.ndarray, count: int) -> np.ndarray:
    """Figures of the samples ``good`` among all of them ``(count, ...)``, NaN in the others."""
    found = np.full((count, *values.shape[1:]), np.nan)
    found[good] = values
    return found


def sampled(motion: Any, rate: float) -> Samples:
    """Samples of a motion, at a rate if it is not a list of samples itself.

    Args:
        motion: a :class:`gough.motion.Motion`, or anything with ``t`` and ``state``, or with ``t``,
            ``T_0p``, ``V_0p`` and ``Vdot_0p``, which is taken as it is.
        rate: samples a second [Hz].
    """
    if hasattr(motion, "sample"):
        motion = motion.sample(rate=number(rate, "rate", positive=True))
    moving = ("T_0p", "V_0p", "Vdot_0p")
    needed = ("t",) if hasattr(motion, "state") else ("t", *moving)
    missing = [name for name in needed if not hasattr(motion, name)]
    if missing:
        raise InputError(
            f"expected a motion or its samples, got {shown(motion)}, which has no {missing[0]}",
            hint="gough.motion makes motions; samples have t and state, a gough.State.",
            argument="motion",
        )
    t = as_array(motion.t, (), "t")
    if t.ndim != 1 or len(t) < 2:
        raise InputError(
            f"t has shape {t.shape}, expected (K,) with two samples or more", argument="t"
        )
    if not hasattr(motion, "state"):
        state = State(*(getattr(motion, name) for name in moving))
    elif isinstance(motion.state, State):
        state = motion.state.in_frame("base")
    else:
        state = State(as_array(motion.state, (4, 4), "state"))
    if state.shape != t.shape:
        raise InputError(
            f"there are states of shape {state.shape}, but {len(t)} times", argument="motion"
        )
    for name in ("t", *moving):
        array = t if name == "t" else getattr(state, name)
        wrong = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
        if len(wrong):
            raise InputError(
                f"sample {wrong[0]}: {name} is not finite", argument=name, sample=int(wrong[0])
            )
    back = np.flatnonzero(np.diff(t) <= 0.0)
    if len(back):
        k = int(back[0])
        raise InputError(
            f"t does not increase: {t[k]:g} s at sample {k}, then {t[k + 1]:g} s",
            argument="t",
            sample=k + 1,
        )
    return Samples(t, state)
