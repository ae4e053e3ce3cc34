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
        motion: a :class:`gough.motion.Motion`, or anything with ``t``, ``T_0p``, ``V_0p`` and
            ``Vdot_0p``, which is taken as it is.
        rate: samples a second [Hz].
    """
    if hasattr(motion, "sample"):
        motion = motion.sample(rate=number(rate, "rate", positive=True))
    cores = {"t": (), "T_0p": (4, 4), "V_0p": (6,), "Vdot_0p": (6,)}
    missing = [name for name in cores if not hasattr(motion, name)]
    if missing:
        raise InputError(
            f"expected a motion or its samples, got {shown(motion)}, which has no {missing[0]}",
            hint="gough.motion makes motions; samples have t, T_0p, V_0p and Vdot_0p.",
            argument="motion",
        )
    given = {name: getattr(motion, name) for name in cores}
    if isinstance(getattr(motion, "state", None), State):
        given |= dict(zip(("T_0p", "V_0p", "Vdot_0p"), motion.state.arrays, strict=True))
    arrays = {name: as_array(given[name], core, name) for name, core in cores.items()}
    t = arrays["t"]
    if t.ndim != 1 or len(t) < 2:
        raise InputError(
            f"t has shape {t.shape}, expected (K,) with two samples or more", argument="t"
        )
    for name, array in arrays.items():
        expected = (len(t), *cores[name])
        if array.shape != expected:
            raise InputError(
                f"{name} has shape {array.shape}, expected {expected} as there are {len(t)} times",
                argument=name,
            )
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
    return Samples(t, State(arrays["T_0p"], arrays["V_0p"], arrays["Vdot_0p"]))
